"""A watcher with a delay sees everything late: each event as long after it happened as the host said."""

from collections.abc import AsyncIterator, Sequence
from typing import Final

import pytest

from server.gateway.delayed import DelayedFeed, open_delayed
from server.gateway.keeper import Keeper, load
from server.race import commands as core
from server.race.events import Stamped
from server.race.state import Phase, Race
from server.store.base import PAGE
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.races import ANA, BEN, CODE, Scribe, append, move, next_c, say, session
from tests.server.gateway.scripted import ScriptedStore

DELAY_MS: Final = 30_000


class Stage:
    """A race with a keeper and a delayed feed, wired as a hub wires them."""

    def __init__(self, store: SqliteStore, clock: FakeClock) -> None:
        self.store = ScriptedStore(store)
        self.clock = clock
        self.shown = 0
        self.delayed: DelayedFeed | None = None
        self.keeper: Keeper

    async def raise_curtain(self) -> DelayedFeed:
        race, tip = await load(self.store, CODE)
        self.keeper = Keeper(self.store, self.clock, race, tip, self)
        return await self.open()

    def folded(self, stamped: Sequence[Stamped], states: Sequence[Race], tag: bytes) -> None:
        if self.delayed:
            self.delayed.push(stamped, tag)

    def rewound(self) -> None:
        raise AssertionError("no log is shortened here")

    def lost(self) -> None:
        raise AssertionError("no log is lost here")

    async def open(self) -> DelayedFeed:
        self.delayed = await open_delayed(self.store, self.clock, self.keeper, DELAY_MS, self._on_shown)
        return self.delayed

    def _on_shown(self) -> None:
        self.shown += 1

    async def move(self, text: str) -> int:
        """Let Ana move; the number of the event."""
        await self.keeper.run(move(self.keeper.race, ANA, text))
        return self.keeper.tip.seq


@pytest.fixture
async def stage(store: SqliteStore, clock: FakeClock) -> AsyncIterator[Stage]:
    await Scribe().start(BEN).store_in(store)
    await clock.advance(DELAY_MS)
    stage = Stage(store, clock)
    await stage.raise_curtain()
    yield stage
    assert stage.delayed is not None
    await stage.delayed.close()
    await stage.keeper.close()


def at(stage: Stage) -> int:
    assert stage.delayed is not None
    return stage.delayed.feed.tip.seq


async def test_each_event_is_shown_a_delay_after_it_happened_and_not_before(stage: Stage) -> None:
    start = at(stage)
    first = await stage.move("5a")
    await stage.clock.advance(10_000)
    second = await stage.move("5b")
    await stage.clock.advance(DELAY_MS - 10_001)
    assert at(stage) == start
    await stage.clock.advance(1)
    assert (at(stage), stage.shown) == (first, 1)
    await stage.clock.advance(9_999)
    assert at(stage) == first
    await stage.clock.advance(1)
    assert (at(stage), stage.shown) == (second, 2)
    assert stage.delayed is not None
    assert stage.delayed.feed.tip == stage.keeper.tip


async def test_what_happened_at_once_is_shown_at_once(stage: Stage) -> None:
    for turn in range(20):
        stage.keeper.submit(say(stage.keeper.race, BEN, f"line {turn}", ahead=turn), lambda _: None)
    await stage.keeper.settled()
    await stage.clock.advance(DELAY_MS)
    assert (at(stage), stage.shown) == (stage.keeper.tip.seq, 1)


async def test_the_feed_ends_at_the_same_place_and_race_as_the_log(stage: Stage) -> None:
    for text in ("5a", "5b", "5c"):
        await stage.move(text)
        await stage.clock.advance(7_000)
    await stage.clock.advance(DELAY_MS)
    assert stage.delayed is not None
    assert stage.delayed.feed.race == stage.keeper.race
    assert stage.delayed.feed.tip == stage.keeper.tip


async def test_of_a_race_just_made_only_that_it_is_there_is_shown(
    store: SqliteStore, clock: FakeClock
) -> None:
    await Scribe().start(BEN).store_in(store)
    stage = Stage(store, clock)
    delayed = await stage.raise_curtain()
    assert (at(stage), delayed.feed.race.life.phase) == (1, Phase.LOBBY)
    await clock.advance(DELAY_MS)
    assert delayed.feed.race == stage.keeper.race
    await delayed.close()
    await stage.keeper.close()


async def test_opened_in_the_middle_it_stands_where_it_would_have_stood(stage: Stage) -> None:
    first = await stage.move("5a")
    await stage.clock.advance(20_000)
    second = await stage.move("5b")
    await stage.clock.advance(15_000)
    assert stage.delayed is not None
    await stage.delayed.close()
    await stage.open()
    assert at(stage) == first
    await stage.clock.advance(14_999)
    assert at(stage) == first
    await stage.clock.advance(1)
    assert at(stage) == second


async def test_what_happens_while_it_is_opened_is_shown_once(stage: Stage) -> None:
    assert stage.delayed is not None
    await stage.delayed.close()
    stage.delayed = None
    race = stage.keeper.race
    await stage.move("5a")
    # Between its reading of the log and its opening somebody else appends, and this node hears of it.
    stage.store.before_read = lambda: append(stage.store.inner, say(race, BEN, "in between"))
    opened = await stage.open()
    await stage.keeper.settled()
    await stage.clock.advance(DELAY_MS)
    assert opened.feed.race == stage.keeper.race
    assert opened.feed.tip == stage.keeper.tip


async def test_a_long_log_is_read_in_pages(stage: Stage) -> None:
    for _ in range(PAGE // 2 + 10):
        race = stage.keeper.race
        who = (BEN, session(race, BEN))
        c, n = next_c(race, BEN), race.members[BEN].n
        stage.keeper.submit(core.Move(*who, c, n, "5a"), lambda _: None)
        stage.keeper.submit(core.Undo(*who, c + 1, n + 1), lambda _: None)
        await stage.keeper.settled()
    await stage.clock.advance(DELAY_MS)
    assert stage.delayed is not None
    await stage.delayed.close()
    await stage.open()
    assert stage.delayed.feed.race == stage.keeper.race


async def test_once_closed_it_shows_nothing_more(stage: Stage) -> None:
    start = at(stage)
    await stage.move("5a")
    assert stage.delayed is not None
    await stage.delayed.close()
    await stage.clock.advance(DELAY_MS)
    assert (at(stage), stage.shown) == (start, 0)
