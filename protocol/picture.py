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
    if before is None or before.to != page.to or before.pages_left != left + 1:
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
        Hole: the update starts elsewhere than where the picture ends, or is of another view.
    """
    if update.from_ != before.to or update.view != before.view or before.pages_left:
        raise Hole(f"update from {update.from_} ({update.view}) onto {before.to} ({before.view})")
    picture = before.picture
    for change in update.changes:
        picture = apply(picture, change)
    return replace(before, to=update.to, tag=update.tag, picture=picture)


def apply(picture: Picture, change: Change) -> Picture:
    """The picture after one change."""
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
            board = carry(picture.boards[player], moves, n=n, score=score, actions=actions)
            return msgspec.structs.replace(picture, boards=picture.boards | {player: board})
        case ChatSaid(line):
            return msgspec.structs.replace(picture, chat=(*picture.chat, line)[-MAX_CHAT:])
        case _:  # pragma: no cover - mypy proves that no change is left
            assert_never(change)


def carry(board: Board, moves: tuple[CardMove, ...], *, n: int, score: int, actions: int) -> Board:
    """The board after card movements; `n`, `score` and `actions` are as the server says."""
    cascades = [cascade.split() for cascade in board.cascades]
    cells, home = list(board.cells), list(board.home)
    for source, dest, count in moves:
        _put(cascades, cells, home, dest, _take(cascades, cells, home, source, count))
    lines = tuple(" ".join(cascade) for cascade in cascades)
    clubs, diamonds, hearts, spades = home
    return Board(lines, tuple(cells), (clubs, diamonds, hearts, spades), n, score, actions)


def _seated(racers: tuple[Racer, ...], racer: Racer) -> tuple[Racer, ...]:
    for place, other in enumerate(racers):
        if other.player == racer.player:
            return (*racers[:place], racer, *racers[place + 1 :])
    return (*racers, racer)


def _take(cascades: list[list[str]], cells: list[str | None], home: list[int], pile: str, count: int) -> list[str]:
    if pile in "12345678":
        cascade = cascades[int(pile) - 1]
        cards = cascade[-count:]
        del cascade[-count:]
        return cards
    if pile in "abcd":
        card = cells["abcd".index(pile)]
        cells["abcd".index(pile)] = None
        return [card] if card else []
    suit = SUITS.index(pile[1].upper())
    home[suit] -= 1
    return [RANKS[home[suit]] + SUITS[suit]]


def _put(cascades: list[list[str]], cells: list[str | None], home: list[int], pile: str, cards: list[str]) -> None:
    if pile in "12345678":
        cascades[int(pile) - 1].extend(cards)
    elif pile in "abcd":
        cells["abcd".index(pile)] = cards[0]
    else:
        home[SUITS.index(pile[1].upper())] += len(cards)
