"""How text looks: suits as symbols or letters, red in red or not. Nothing is told by colour alone."""

from dataclasses import dataclass
from typing import Final

SUITS: Final = "CDHS"

_SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED_SUITS: Final = frozenset("DH")
_RED: Final = "\x1b[31m"
_BOLD: Final = "\x1b[1m"
_PLAIN: Final = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """What the reader's terminal can show."""

    symbols: bool = True
    colour: bool = False

    def card(self, name: str) -> str:
        """A card of the protocol (`TH`) as shown: 10♥, or 10H."""
        rank, suit = name[:-1], name[-1:]
        return self._coloured(("10" if rank == "T" else rank) + self._suit(suit), suit)

    def cards(self, names: str) -> str:
        """Cards of the protocol, separated by spaces, as shown."""
        return " ".join(self.card(name) for name in names.split())

    def suit(self, letter: str) -> str:
        """A suit as shown."""
        return self._coloured(self._suit(letter), letter)

    def sign(self, symbol: str, letter: str) -> str:
        """A sign that is no suit: as it is, or what stands for it where there are letters only."""
        return symbol if self.symbols else letter

    def strong(self, text: str) -> str:
        """A line that is set off from those around it, where there is colour."""
        return f"{_BOLD}{text}{_PLAIN}" if self.colour else text

    def _suit(self, letter: str) -> str:
        return _SYMBOLS.get(letter, letter) if self.symbols else letter

    def _coloured(self, text: str, suit: str) -> str:
        return f"{_RED}{text}{_PLAIN}" if self.colour and suit in _RED_SUITS else text
