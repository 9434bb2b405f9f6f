"""What an event cannot say, though its types allow it: boards, times and pages that no race has.

Whoever draws what he is told can then count on it: `codec.read_event` refuses anything else.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from protocol.events import Ack, Curve, DayTold, Event, Ranks, Replayed, Seat, Snapshot, Traced, Update
from protocol.views import Board, BoardReset, Dealt, Racer, RacerChanged

LONGEST_MS: Final = 1_000_000_000
"""No race lasts longer, however long its server was down: its clock is stopped after a day at the latest."""
MOST_PAGED: Final = 100_000
"""Steps or curves that can be left out of an answer: no race has as many."""

_CASCADES: Final = 8
_MOST_CELLS: Final = 4
_HIGHEST: Final = 13
_CARDS: Final = 52
_CARD: Final = re.compile(r"[A2-9TJQK][CDHS]")


def nonsense(event: Event) -> str:
    """What in it cannot be; "" where all can."""
    for board in _boards(event):
        if what := _wrong_with(board):
            return what
    if any(not 0 <= racer.home <= _CARDS for racer in _racers(event)):
        return f"more or fewer cards home than 0 to {_CARDS}"
    match event:
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
