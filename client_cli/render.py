"""A board as text: as a table, and pile by pile to be read out.

The columns of the table are set by tabs. Terminals do not agree whether a suit is one cell wide or two, and
some draw the red ones wider than the black ones; a tab stop is where it is whatever stands before it, in a
pipe and a log too.
"""

from typing import Final

from client_cli.language import tr, trn
from client_cli.phrases import sentence
from client_cli.piles import CASCADES, CELLS, HOME, pile_text
from client_cli.style import SUITS, Style
from protocol.events import Calculated
from protocol.picture import RANKS
from protocol.views import Board, CardMove

NOTHING: Final = "-"


def board_text(board: Board, style: Style) -> str:
    """Cells and foundations in one row, the eight cascades below, available cards last."""
    cells = [style.card(card) if card else NOTHING for card in board.cells]
    spare = [""] * (len(CELLS) - len(cells))
    home = [_home(suit, top, style) for suit, top in zip(SUITS, board.home, strict=True)]
    headings = [tr("{suit} home").format(suit=style.suit(suit)) for suit in SUITS]
    rows = [
        [*CELLS[: len(cells)], *spare, *headings],
        [*cells, *spare, *home],
        [],
        list(CASCADES),
        *_cascade_rows(board, style),
    ]
    return "\n".join("\t".join(row).rstrip() for row in rows)


def board_read_out(board: Board, style: Style, pile: str = "") -> str:
    """The board pile by pile, each on a line of its own; or one of `PILES`."""
    cards = {name: style.cards(line) for name, line in zip(CASCADES, board.cascades, strict=True)}
    cards |= {name: style.card(card) if card else "" for name, card in zip(CELLS, board.cells, strict=False)}
    tops = zip(SUITS, board.home, strict=True)
    cards[HOME] = " ".join(_home(suit, top, style) for suit, top in tops if top)
    if pile and pile not in cards:
        return tr("There is no {pile}.").format(pile=pile_text(pile))
    nothing = dict.fromkeys(cards, tr("empty")) | {HOME: tr("all empty")}
    names = [pile] if pile else list(cards)
    return "\n".join(f"{pile_text(name)}: {cards[name] or nothing[name]}" for name in names)


def home_of(board: Board) -> int:
    """How many of the 52 cards are home."""
    return sum(board.home)


def moves_text(before: Board, moves: tuple[CardMove, ...], style: Style) -> str:
    """What card movements changed: the cards, from where, to where."""
    piles = _Piles(before)
    return "; ".join(_move_text(piles.carry(move), move, style) for move in moves)


def calculated_text(event: Calculated, style: Style) -> str:
    """What the move calculator answers, a line a destination."""
    lines = [tr("From {pile}:").format(pile=pile_text(event.pile))]
    for place in event.destinations:
        cards = tr("no card") if place.most == 0 else trn("1 card", "up to {n} cards", place.most)
        why = f" ({sentence(place.why, place.phrases, style)})" if place.why else ""
        lines.append(f"  {tr('to {pile}').format(pile=pile_text(place.to))}: {cards}{why}")
    return "\n".join(lines)


def _home(suit: str, top: int, style: Style) -> str:
    return style.card(RANKS[top - 1] + suit) if top else NOTHING


def _cascade_rows(board: Board, style: Style) -> list[list[str]]:
    cascades = [line.split() for line in board.cascades]
    height = max(1, *(len(cascade) for cascade in cascades))
    return [[_at(cascade, row, style) for cascade in cascades] for row in range(height)]


def _at(cascade: list[str], row: int, style: Style) -> str:
    if row < len(cascade):
        return style.card(cascade[row])
    return NOTHING if row == 0 else ""


def _move_text(cards: list[str], move: CardMove, style: Style) -> str:
    source, dest, _ = move
    names = style.cards(" ".join(cards))
    if dest not in CASCADES and dest not in CELLS:
        return tr("{cards} from {source} home").format(cards=names, source=pile_text(source))
    return tr("{cards} from {source} to {dest}").format(
        cards=names, source=pile_text(source), dest=pile_text(dest)
    )


class _Piles:
    """The cards of a board by pile, to tell which of them a move carries."""

    def __init__(self, board: Board) -> None:
        self._cards = {str(place): line.split() for place, line in enumerate(board.cascades, start=1)}
        self._cards |= {CELLS[place]: [card] if card else [] for place, card in enumerate(board.cells)}
        for suit, top in zip(SUITS, board.home, strict=True):
            self._cards["h" + suit.lower()] = [rank + suit for rank in RANKS[:top]]

    def carry(self, move: CardMove) -> list[str]:
        source, dest, count = move
        pile = self._cards.get(source, [])
        cards, pile[-count:] = pile[-count:], []
        self._cards.setdefault(dest, []).extend(cards)
        return cards
