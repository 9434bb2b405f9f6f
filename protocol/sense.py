"""What an event cannot say, though its types allow it: boards, times, pages, names that no race has.

Whoever draws or keeps what he is told can then count on it: `codec.read_event` refuses anything else.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, get_args

from protocol.commands import RaceCode, RawName, Token
from protocol.events import (
    Ack,
    Curve,
    DayTold,
    Event,
    Ranks,
    Refused,
    RematchReady,
    Replayed,
    Seat,
    Snapshot,
    Traced,
    Update,
    Welcome,
)
from protocol.views import Board, BoardReset, Dealt, Life, LifeChanged, Racer, RacerChanged

LONGEST_MS: Final = 1_000_000_000
"""No race lasts longer, however long its server was down: its clock is stopped after a day at the latest."""
MOST_PAGED: Final = 100_000
"""Steps or curves that can be left out of an answer: no race has as many."""

_CASCADES: Final = 8
_MOST_CELLS: Final = 4
_HIGHEST: Final = 13
_CARDS: Final = 52
_CARD: Final = re.compile(r"[A2-9TJQK][CDHS]")
_RACE: Final = re.compile(get_args(RaceCode)[1].pattern)
_TOKEN: Final = re.compile(get_args(Token)[1].pattern)
_LONGEST_NAME: Final = get_args(RawName)[1].max_length


def is_race(text: str) -> bool:
    """Whether a race can have that name."""
    return _RACE.match(text) is not None


def nonsense(event: Event) -> str:
    """What in it cannot be; "" where all can."""
    for board in _boards(event):
        if what := _wrong_with(board):
            return what
    if any(not 0 <= racer.home <= _CARDS for racer in _racers(event)):
        return f"more or fewer cards home than 0 to {_CARDS}"
    if not all(map(is_race, _races(event))):
        return "a race by a name that none has"
    match event:
        case Welcome(name=name, token=token):
            is_name = name.strip() and len(name) <= _LONGEST_NAME
            return "" if is_name and (token is None or _TOKEN.match(token)) else "no name, or no token"
        case Replayed():
            return _wrong_times(step.ms for step in event.steps) or _wrong_page(event, event.steps)
        case Traced():
            wrong = next((what for curve in event.curves if (what := _wrong_curve(curve))), "")
            return wrong or _wrong_page(event, event.curves)
        case Ranks(more=True) if event.next <= event.start:
            return "more to come, but nothing here"
        case DayTold(mine=mine) if mine is not None and not all(0 <= home <= _CARDS for home in mine.curve):
            return f"more or fewer cards home than 0 to {_CARDS}"
        case _:
            return ""


def _boards(event: Event) -> Iterator[Board]:
    match event:
        case Seat(board=Board() as board) | Ack(board=Board() as board):
            yield board
        case Snapshot(layout=layout, boards=boards):
            yield from boards.values()
            if layout is not None:
                yield layout
        case Update(changes=changes):
            yield from (change.board for change in changes if isinstance(change, Dealt | BoardReset))
        case Replayed(layout=layout, steps=steps):
            yield layout
            yield from (step.board for step in steps if step.board is not None)
        case _:
            pass


def _races(event: Event) -> Iterator[str]:
    """The races it names, but for one that is refused: that may be what was asked, as it was asked."""
    match event:
        case Refused():
            return
        case Welcome(races=races, seats=seats):
            yield from (*races, *(seat.race for seat in seats))
        case RematchReady(race=race, next=following):
            yield from (race, following)
        case Ranks(lines=lines, mine=mine):
            yield from (line.race for line in (*lines, *filter(None, (mine,))))
        case DayTold(mine=mine) if mine is not None:
            yield mine.race
        case _ if isinstance(named := getattr(event, "race", None), str):
            yield named
        case _:
            pass
    yield from (life.rematch for life in _lives(event) if life.rematch is not None)


def _lives(event: Event) -> Iterable[Life]:
    match event:
        case Snapshot(life=life):
            return (life,)
        case Update(changes=changes):
            return [change.life for change in changes if isinstance(change, LifeChanged)]
        case _:
            return ()


def _racers(event: Event) -> Iterable[Racer]:
    match event:
        case Snapshot(racers=racers):
            return racers
        case Update(changes=changes):
            return [change.racer for change in changes if isinstance(change, RacerChanged)]
        case _:
            return ()


def _wrong_with(board: Board) -> str:
    if len(board.cascades) != _CASCADES or len(board.cells) > _MOST_CELLS:
        return "a board of another shape than eight cascades and up to four cells"
    if not all(0 <= rank <= _HIGHEST for rank in board.home):
        return f"a foundation that is not built up to 0 to {_HIGHEST}"
    cards = [card for cascade in board.cascades for card in cascade.split(" ") if cascade]
    cards += [card for card in board.cells if card is not None]
    if len(set(cards)) != len(cards) or not all(map(_CARD.fullmatch, cards)):
        return "a board with what is no card, or the same card twice"
    return ""


def _wrong_curve(curve: Curve) -> str:
    if not curve.points:
        return "a curve without points"
    if not all(0 <= home <= _CARDS for _, home in curve.points):
        return f"more or fewer cards home than 0 to {_CARDS}"
    return _wrong_times(ms for ms, _ in curve.points)


def _wrong_times(times: Iterable[int]) -> str:
    before = 0
    for ms in times:
        if not before <= ms <= LONGEST_MS:
            return "a time that is before the one before it, or that no race has"
        before = ms
    return ""


def _wrong_page(page: Replayed | Traced, content: tuple[object, ...]) -> str:
    if page.more and not content:
        return "more to come, but nothing here"
    return "" if 0 <= page.after <= MOST_PAGED else "more left out than there can be"
