"""How cards look: which signs, which colours. Nothing is told by colour alone."""

from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from rich.style import Style

from client_cli.style import Style as LineStyle

SUITS: Final = "CDHS"

_SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

Kind = str
"""What a piece of a drawing is: `C`, `D`, `H` or `S` for a card of that suit, with `*` where it is picked up;
`edge` for where a card ends on the next, `slot` for an empty place, `label`, `reach` for a place that the
picked cards may go to, `wait` for what the server has not answered, `text`; in a chart `grid`, `line0` to
`line7` and `ghost`."""

_TWO: Final = {"C": "#101418", "S": "#101418", "D": "#b3001b", "H": "#b3001b"}
_FOUR: Final = {"C": "#00652e", "S": "#101418", "D": "#0b3fc4", "H": "#b3001b"}
_LINES: Final = (
    "#ffd75f",
    "#5fd7ff",
    "#ff87af",
    "#8fe388",
    "#d7a6ff",
    "#ffaf5f",
    "#ffffff",
    "#5fffd7",
)
"""Of the lines of a chart, which have letters too."""
_PAPER: Final = "#f2efe6"
_PICKED: Final = "#ffd75f"
_EDGE: Final = "#b5ae9c"


class Signs(NamedTuple):
    """Signs beside the cards."""

    picked: str
    full: str
    empty: str
    more: str
    waiting: str
    edge: str
    frame: tuple[str, str, str]
    """Top, side and bottom of a frame: what is to the left, what is repeated, what is to the right."""


_SIGNS: Final = Signs("▸", "█", "░", "⋮", "…", "▁", ("╭─╮", "│ │", "╰─╯"))
_ASCII_SIGNS: Final = Signs(">", "#", ".", ":", "~", "_", (".-.", "| |", "'-'"))


@dataclass(frozen=True, slots=True)
class Look:
    """What the terminal can show and the player likes.

    Attributes:
        symbols: suits as symbols, else as letters.
        colour: whether there is any.
        four_colours: each suit has a colour of its own.
        contrast: pure black on pure white, bold.
        animated: cards that go together are shown going one by one.
    """

    symbols: bool = True
    colour: bool = True
    four_colours: bool = False
    contrast: bool = False
    animated: bool = True

    @property
    def in_sentences(self) -> LineStyle:
        """How cards look in a sentence."""
        return LineStyle(symbols=self.symbols)

    @property
    def signs(self) -> Signs:
        """Signs that the terminal can show."""
        return _SIGNS if self.symbols else _ASCII_SIGNS

    def suit(self, letter: str) -> str:
        """A suit as shown."""
        return _SYMBOLS.get(letter, letter) if self.symbols else letter

    def card(self, name: str) -> str:
        """A card of the protocol (`TH`) as shown, three cells wide: `10♥`, ` 7♣`."""
        rank, suit = name[:-1], name[-1:]
        return f"{'10' if rank == 'T' else rank:>2}{self.suit(suit)}"

    def style(self, kind: Kind) -> Style:
        """The style of a piece of a drawing."""
        return _style(self, kind)

    def coloured(self, kind: Kind) -> Style:
        """The same where there is colour."""
        if kind[:1] in _TWO and kind[1:] in {"", "*"}:
            ink = (_FOUR if self.four_colours else _TWO)[kind[0]]
            paper = _PICKED if kind.endswith("*") else "#ffffff" if self.contrast else _PAPER
            black = self.contrast and not self.four_colours and kind[0] in "CS"
            return Style(
                color="#000000" if black else ink, bgcolor=paper, bold=self.contrast or kind.endswith("*")
            )
        if kind.startswith("line"):
            return Style(color=_LINES[int(kind[4:]) % len(_LINES)], bold=True)
        match kind:
            case "edge" | "edge*":
                paper = _PICKED if kind == "edge*" else "#ffffff" if self.contrast else _PAPER
                return Style(color="#000000" if self.contrast else _EDGE, bgcolor=paper)
            case "bar":
                return Style(color="#ffffff" if self.contrast else "#8fe388")
            case "grid":
                return Style(color="#8a8a8a" if self.contrast else "#3f6350")
            case "own":
                return Style(bold=True)
            case "slot":
                return Style(color="#ffffff" if self.contrast else "#7a8a80")
            case "reach":
                return Style(color="#000000", bgcolor="#8fe388", bold=True)
            case "wait":
                return Style(color="#ffd75f", bold=True)
            case "label" | "ghost":
                return Style(color="#ffffff" if self.contrast else "#9fb3a8")
            case _:
                return Style()


@cache
def _style(look: Look, kind: Kind) -> Style:
    return look.coloured(kind) if look.colour else _plain(kind)


def _plain(kind: Kind) -> Style:
    """Without colour: bold, reverse and underlined do the work."""
    if kind.endswith("*"):
        return Style(reverse=True, bold=True)
    match kind:
        case "reach":
            return Style(bold=True, underline=True)
        case "wait" | "own":
            return Style(bold=True)
        case "C" | "D" | "H" | "S":
            return Style(bold=kind in "DH")
        case _:
            return Style()
