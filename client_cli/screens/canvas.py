"""A sheet of cells to draw on, and the lines it gives."""

from typing import NamedTuple

from client_cli.screens.look import Kind


class Span(NamedTuple):
    """A piece of a line in one style; each character is one cell wide."""

    text: str
    kind: Kind


class Canvas:
    """Cells of text, each with the kind of thing it belongs to. What is put outside of it is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._letters = [[" "] * width for _ in range(height)]
        self._kinds = [["text"] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, kind: Kind) -> None:
        """Write a text from there to the right."""
        if not 0 <= y < self.height:
            return
        for place, letter in enumerate(text, start=x):
            if 0 <= place < self.width:
                self._letters[y][place] = letter
                self._kinds[y][place] = kind

    def lines(self) -> list[list[Span]]:
        """All lines, cells of one kind together."""
        return [_spans(*row) for row in zip(self._letters, self._kinds, strict=True)]


def _spans(letters: list[str], kinds: list[Kind]) -> list[Span]:
    spans: list[Span] = []
    for letter, kind in zip(letters, kinds, strict=True):
        if spans and spans[-1].kind == kind:
            spans[-1] = Span(spans[-1].text + letter, kind)
        else:
            spans.append(Span(letter, kind))
    return spans
