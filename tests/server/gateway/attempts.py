"""A player at the deal of the day, over the wire."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from protocol import commands, events
from protocol.errors import ErrorCode
from server.daily.calendar import starts_ms
from server.store.sqlite import open_sqlite
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import AMPLE, House, one_node
from tests.server.gateway.scripted import ScriptedStore
from tests.solutions import moves_of

DAY = "2026-11-30"
NEXT = "2026-12-01"
NOON = starts_ms(DAY) + 12 * 3_600_000
MOVES = moves_of(1)


async def begin(player: Player, day: str = DAY, cells: int = 4) -> str:
    """Begin a ranked attempt; its name."""
    return await player.attempt(day, cells)


async def win(player: Player, day: str = DAY, *, but: int = 0) -> str:
    """Win a ranked attempt, or play it up to the last few moves."""
    race = await begin(player, day)
    await play(player, race, but=but)
    return race


async def play(player: Player, race: str, *, but: int = 0) -> None:
    for move in MOVES[player.chair(race).n : len(MOVES) - but]:
        await player.did(commands.Move, race, move=move)


async def day_of(player: Player, day: str | None = None, cells: int = 4) -> events.DayTold:
    told = await player.ask(commands.Daily(player.next_q(), 4 if cells == 4 else 2, day))
    assert isinstance(told, events.DayTold), told
    return told


async def ranking(player: Player, **fields: str | int) -> events.Ranks:
    told = await player.ask(commands.Ranking(q=player.next_q(), **fields))  # type: ignore[arg-type]  # as they fit
    assert isinstance(told, events.Ranks), told
    return told


def code_of(answer: object) -> ErrorCode:
    assert isinstance(answer, events.Refused), answer
    assert answer.detail
    return answer.code


@asynccontextmanager
async def nodes(folder: Path) -> AsyncIterator[tuple[House, House]]:
    clock = FakeClock(NOON)
    store = await open_sqlite(folder / "races.sqlite", clock)
    try:
        async with (
            one_node(ScriptedStore(store), clock, AMPLE) as (one, _),
            one_node(ScriptedStore(store), clock, AMPLE) as (other, _),
        ):
            yield one, other
    finally:
        await store.close()
