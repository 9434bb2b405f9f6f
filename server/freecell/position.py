"""A position: where the 52 cards lie, and its form as text."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from server.freecell.cards import DECK, Card, card_name, make_card, parse_card, rank, suit

Cascade = tuple[Card, ...]
Cell = Card | None

_EMPTY = "-"


class Position(NamedTuple):
    """Where every card lies.

    Attributes:
        cascades: eight columns, first dealt card first; the last card of each is available.
        cells: one entry per free cell the ruleset has (0..4), ``None`` when empty.
        foundations: the top rank of C D H S, 0 (empty) to 13.
    """

    cascades: tuple[Cascade, ...]
    cells: tuple[Cell, ...]
    foundations: tuple[int, int, int, int]

    @property
    def home(self) -> int:
        """Cards on the foundations, 0..52."""
        return sum(self.foundations)

    @property
    def is_won(self) -> bool:
        """Whether all 52 cards are on the foundations."""
        return self.foundations == (13, 13, 13, 13)


Contents = tuple[frozenset[Cascade], frozenset[Cell]]
"""The cascades and what the cells hold, in no order."""


def contents(position: Position) -> Contents:
    """What is the same of positions that differ only in the order of their piles; what is home, follows."""
    return frozenset(position.cascades), frozenset(position.cells)


class PositionError(ValueError):
    """Text that is not a board of 52 distinct cards.

    Attributes:
        problems: every problem found, a sentence each.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


def position_text(position: Position) -> str:
    """Write ten lines: the cascades, ``cells:`` and ``home:`` (the top cards); ``-`` is empty."""
    tops = (make_card(top, index) if top else None for index, top in enumerate(position.foundations))
    lines = [" ".join(map(card_name, cascade)) or _EMPTY for cascade in position.cascades]
    lines.append(" ".join(("cells:", *map(_name_or_dash, position.cells))))
    lines.append(" ".join(("home:", *map(_name_or_dash, tops))))
    return "\n".join(lines) + "\n"


def _name_or_dash(card: Cell) -> str:
    return _EMPTY if card is None else card_name(card)


def parse_position(text: str, cells: int = 4) -> Position:
    """Read what ``position_text`` writes, or the eight bare lines of a deal; blank lines do not count.

    Args:
        text: the lines, cards in either case. ``cells:`` and ``home:`` may be left out when nothing is there.
        cells: how many free cells there are, 0..4, when the text has no ``cells:`` line to tell.

    Raises:
        PositionError: naming every problem, when these are not 52 distinct cards in eight cascades, cells and
            foundations.
    """
    reader = _Reader()
    lines = [line for raw in text.splitlines() if (line := raw.strip())]
    labelled = [line for line in lines if ":" in line]
    columns = [line for line in lines if ":" not in line]
    if len(columns) != 8:
        reader.problems.append(f"a board has 8 cascade lines, not {len(columns)}")
    cascades = tuple(reader.cascade(number, line) for number, line in enumerate(columns, start=1))
    extra = reader.labelled(labelled)
    held = reader.cells(extra["cells"]) if "cells" in extra else (None,) * cells
    foundations = reader.foundations(extra.get("home", ""))
    reader.count_cards()
    if reader.problems:
        raise PositionError(reader.problems)
    return Position(cascades, held, foundations)


class _Reader:
    """Reads the parts of a board, noting every card seen and every problem met."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._seen: list[Card] = []

    def _card(self, word: str, where: str) -> Card | None:
        try:
            card = parse_card(word)
        except ValueError as error:
            self.problems.append(f"{where}: {error}")
            return None
        self._seen.append(card)
        return card

    def cascade(self, number: int, line: str) -> Cascade:
        words = [] if line == _EMPTY else line.split()
        cards = (self._card(word, f"cascade {number}") for word in words)
        return tuple(card for card in cards if card is not None)

    def labelled(self, lines: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in lines:
            label, _, rest = line.partition(":")
            key = label.strip().lower()
            if key not in ("cells", "home"):
                self.problems.append(f"{label[:20]!a} is not a line of a board (cells: and home: are)")
            elif key in found:
                self.problems.append(f"there are two lines {key}:")
            found.setdefault(key, rest)
        return found

    def cells(self, rest: str) -> tuple[Cell, ...]:
        words = rest.split()
        if len(words) > 4:
            self.problems.append(f"there are at most 4 cells, not {len(words)}")
        return tuple(None if word == _EMPTY else self._card(word, "cells") for word in words)

    def foundations(self, rest: str) -> tuple[int, int, int, int]:
        tops = [0, 0, 0, 0]
        for word in rest.split():
            if word == _EMPTY or (top := self._card(word, "home")) is None:
                continue
            if tops[suit(top)]:
                self.problems.append(f"home: two top cards of one suit, {card_name(top)} the second")
                continue
            tops[suit(top)] = rank(top)
            self._seen += [make_card(lower, suit(top)) for lower in range(1, rank(top))]
        return (tops[0], tops[1], tops[2], tops[3])

    def count_cards(self) -> None:
        counts = Counter(self._seen)
        if doubled := [card_name(card) for card in DECK if counts[card] > 1]:
            self.problems.append(f"more than once: {' '.join(doubled)}")
        if missing := [card_name(card) for card in DECK if not counts[card]]:
            self.problems.append(f"missing: {' '.join(missing)}")
