"""How a client keeps its picture of a race: snapshots and updates in, the picture out.

Pure, and without a rule of the game: cards are taken off the end of one pile and put on the end of another.
"""

from dataclasses import dataclass, replace
from typing import Final, assert_never

import msgspec

from protocol.events import Snapshot, Update
from protocol.views import (
    Board,
    BoardMoved,
    BoardReset,
    CardMove,
    Change,
    ChatSaid,
    Dealt,
    Feed,
    LifeChanged,
    Picture,
    Racer,
    RacerChanged,
    RacerLeft,
    ViewName,
)

MAX_CHAT: Final = 500
RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"

_CASCADES: Final = tuple("12345678")
_CELLS: Final = tuple("abcd")
_HOMES: Final = ("hc", "hd", "hh", "hs")


class Hole(ValueError):
    """An update that does not join what is there: ask for a snapshot by joining or watching again."""


@dataclass(frozen=True, slots=True)
class Following:
    """A race as followed so far: the picture as of event `to`, whose tag is `tag`."""

    race: str
    feed: Feed
    view: ViewName
    to: int
    tag: str
    picture: Picture
    pages_left: int = 0


def start(page: Snapshot, before: Following | None = None) -> Following:
    """Begin anew with a snapshot, or add a later page of it to the earlier ones.

    Raises:
        Hole: a later page without the earlier ones.
    """
    left = page.pages - page.page
    if page.page == 1:
        picture = Picture(page.life, page.racers, page.layout, page.boards, page.chat)
        return Following(page.race, page.feed, page.view, page.to, page.tag, picture, left)
    if before is None or not _continues(before, page) or before.pages_left != left + 1:
        raise Hole(f"page {page.page} of a snapshot whose earlier pages are missing")
    earlier = before.picture
    picture = msgspec.structs.replace(
        earlier,
        racers=earlier.racers + page.racers,
        boards=earlier.boards | page.boards,
        chat=earlier.chat + page.chat,
    )
    return replace(before, picture=picture, pages_left=left)


def follow(before: Following, update: Update) -> Following:
    """The picture after an update.

    Raises:
        Hole: the update starts elsewhere than where the picture ends, is of another race, feed or view, comes
            between the pages of a snapshot, or moves cards that are not where it says.
    """
    if update.from_ != before.to or not _of_same_kind(before, update) or before.pages_left:
        raise Hole(f"update from {update.from_} ({update.view}) onto {before.to} ({before.view})")
    picture = before.picture
    for change in update.changes:
        picture = apply(picture, change)
    return replace(before, to=update.to, tag=update.tag, picture=picture)


def apply(picture: Picture, change: Change) -> Picture:
    """The picture after one change.

    Raises:
        Hole: cards move on a board that is not there, or from a pile that does not hold them.
    """
    match change:
        case LifeChanged(life):
            return msgspec.structs.replace(picture, life=life)
        case RacerChanged(racer):
            return msgspec.structs.replace(picture, racers=_seated(picture.racers, racer))
        case RacerLeft(player):
            racers = tuple(racer for racer in picture.racers if racer.player != player)
            return msgspec.structs.replace(picture, racers=racers)
        case Dealt(board, shown):
            boards = {racer.player: board for racer in picture.racers} if shown else {}
            return msgspec.structs.replace(picture, layout=board, boards=boards)
        case BoardReset(player, board):
            return msgspec.structs.replace(picture, boards=picture.boards | {player: board})
        case BoardMoved(player, n, moves, score, actions):
            if player not in picture.boards:
                raise Hole(f"a move on the board of {player}, which was never shown")
            board = carry(picture.boards[player], moves, n=n, score=score, actions=actions)
            return msgspec.structs.replace(picture, boards=picture.boards | {player: board})
        case ChatSaid(line):
            return msgspec.structs.replace(picture, chat=(*picture.chat, line)[-MAX_CHAT:])
        case _:  # pragma: no cover - mypy proves that no change is left
            assert_never(change)


def carry(board: Board, moves: tuple[CardMove, ...], *, n: int, score: int, actions: int) -> Board:
    """The board after card movements; `n`, `score` and `actions` are as the server says.

    Raises:
        Hole: a pile that the board has not, or one that does not hold the cards.
    """
    table = _Table([line.split() for line in board.cascades], list(board.cells), list(board.home))
    for source, dest, count in moves:
        try:
            table.put(dest, table.take(source, count))
        except (IndexError, ValueError):
            raise Hole(f"no {count} cards to carry from {source!r} to {dest!r}") from None
    lines = tuple(" ".join(cascade) for cascade in table.cascades)
    clubs, diamonds, hearts, spades = table.home
    return Board(lines, tuple(table.cells), (clubs, diamonds, hearts, spades), n, score, actions)


def _of_same_kind(before: Following, message: Snapshot | Update) -> bool:
    return (before.race, before.feed, before.view) == (message.race, message.feed, message.view)


def _continues(before: Following, page: Snapshot) -> bool:
    return _of_same_kind(before, page) and (before.to, before.tag) == (page.to, page.tag)


def _seated(racers: tuple[Racer, ...], racer: Racer) -> tuple[Racer, ...]:
    for place, other in enumerate(racers):
        if other.player == racer.player:
            return (*racers[:place], racer, *racers[place + 1 :])
    return (*racers, racer)


@dataclass(slots=True)
class _Table:
    """A board taken apart, for the length of one `carry`."""

    cascades: list[list[str]]
    cells: list[str | None]
    home: list[int]

    def take(self, pile: str, count: int) -> list[str]:
        """Take cards off the end of a pile.

        Raises:
            IndexError, ValueError: there is no such pile, or it does not hold that many.
        """
        if pile in _CASCADES:
            cascade = self.cascades[_CASCADES.index(pile)]
            if not 1 <= count <= len(cascade):
                raise ValueError(count)
            cards = cascade[-count:]
            del cascade[-count:]
            return cards
        if pile in _CELLS:
            card = self.cells[_CELLS.index(pile)]
            if card is None or count != 1:
                raise ValueError(count)
            self.cells[_CELLS.index(pile)] = None
            return [card]
        suit = _HOMES.index(pile)
        if not self.home[suit] or count != 1:
            raise ValueError(count)
        self.home[suit] -= 1
        return [RANKS[self.home[suit]] + SUITS[suit]]

    def put(self, pile: str, cards: list[str]) -> None:
        """Put cards on the end of a pile.

        Raises:
            IndexError, ValueError: there is no such pile, the cell is taken, or the foundation is full.
        """
        if pile in _CASCADES:
            self.cascades[_CASCADES.index(pile)].extend(cards)
        elif pile in _CELLS:
            if self.cells[_CELLS.index(pile)] is not None or len(cards) != 1:
                raise ValueError(pile)
            self.cells[_CELLS.index(pile)] = cards[0]
        else:
            suit = _HOMES.index(pile)
            if self.home[suit] + len(cards) > len(RANKS):
                raise ValueError(pile)
            self.home[suit] += len(cards)
