"""What is told of dailies, as messages."""

from typing import Final

from protocol import commands, events
from server.daily.almanac import Proof
from server.daily.boards import Line, Place
from server.daily.naming import Daily, attempt_of
from server.daily.record import Record
from server.daily.referee import Result
from server.daily.rows import By
from server.deals.certified import VERSION
from server.freecell.code import deal_code

BY: Final[dict[commands.BoardBy, By]] = {
    "time": By.TIME,
    "actions": By.ACTIONS,
    "no-undo": By.NO_UNDO,
    "no-hints": By.NO_HINTS,
}


def day(
    q: int,
    today: str,
    since: str,
    proof: Proof,
    left_ms: int,
    won: int,
    deal: int | None,
    mine: events.Mine | None,
) -> events.DayTold:
    """A daily, as far as it may be told; `deal` is None where it may not. There was none before `since`."""
    daily = proof.daily
    return events.DayTold(
        q,
        daily.day,
        daily.cells,
        today,
        proof.commitment,
        VERSION,
        closed=proof.value is not None,
        left_ms=left_ms if left_ms > 0 else None,
        won=won,
        value=None if proof.value is None else proof.value.hex(),
        deal=deal,
        deal_code=None if deal is None else deal_code(deal, daily.cells),
        mine=mine,
        since=since,
    )


def mine(race: str, result: Result, place: Place | None) -> events.Mine:
    """An attempt that is over."""
    return events.Mine(
        race,
        "won" if result.won else "lost",
        result.ms,
        result.actions,
        result.taken_back,
        result.hinted,
        None if place is None else place.rank,
        0 if place is None else place.of,
        None if place is None else place.percentile,
        result.curve,
    )


def ranked(line: Line) -> events.Ranked:
    """A line of a board."""
    result = line.result
    return events.Ranked(
        line.rank,
        result.player,
        result.name,
        result.daily.day,
        attempt_of(result.daily, result.player),
        result.ms,
        result.actions,
        result.taken_back,
        result.hinted,
    )


def recorded(q: int, cells: int, record: Record, days: list[tuple[Result, Place | None]]) -> events.Recorded:
    """What a player has done, and the latest of it."""
    return events.Recorded(
        q,
        cells,
        record.played,
        record.won,
        record.streak,
        record.best_streak,
        record.median_ms,
        tuple(_played(result, place) for result, place in days),
    )


def _played(result: Result, place: Place | None) -> events.PlayedDay:
    if place is None:
        return events.PlayedDay(result.daily.day, result.won, result.ms)
    return events.PlayedDay(result.daily.day, result.won, result.ms, place.rank, place.of, place.percentile)


def committed(q: int, cells: int, proofs: list[Proof]) -> events.Committed:
    """Commitments to deals to come."""
    return events.Committed(
        q, cells, VERSION, tuple(events.Commitment(proof.daily.day, proof.commitment) for proof in proofs)
    )


def daily_named(message: commands.Daily | commands.Ranking, today: str) -> Daily:
    """The daily that a question is about."""
    named = message.day if isinstance(message, commands.Daily) else message.period
    return Daily(named or today, message.cells)
