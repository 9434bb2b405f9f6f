"""The account: what racers were told and what viewers saw, against the logs in Redis."""

from collections.abc import Iterable
from dataclasses import dataclass

from protocol import events
from protocol.views import Picture
from server.clock import SystemClock
from server.race.events import Stamped, TailLost
from server.race.evolve import begin, evolve
from server.race.state import Race
from server.race.views import View
from server.race_log import read_all
from server.store.base import Stored
from server.store.opening import open_store
from tests.chaos.story import RACERS, Story
from tests.chaos.traveller import Traveller
from tests.end_to_end.account import check_board, check_effects, effects_of, stored_races
from tests.server.race.pictures import picture_of


@dataclass(frozen=True)
class Told:
    """One race as its log tells it: its events, and the state after each."""

    rows: list[Stored]
    log: list[Stamped]
    states: list[Race]

    @property
    def tail_losses(self) -> int:
        """How often the log says that it lost its tail."""
        return sum(isinstance(stamped.event, TailLost) for stamped in self.log)


async def read_told(url: str) -> dict[str, Told]:
    """All races in a store, by code."""
    store = await open_store(url, SystemClock())
    try:
        return {code: _told(rows) for code, rows in (await stored_races(store)).items()}
    finally:
        await store.close()


def _told(rows: list[Stored]) -> Told:
    log = read_all(rows)
    states = [begin(log[0])]
    for stamped in log[1:]:
        states.append(evolve(states[-1], stamped))
    return Told(rows, log, states)


async def settle(story: Story, url: str, *, tail_lost: bool = False) -> dict[str, Told]:
    """Check all that must hold once the races are over, however they went.

    Args:
        story: the races, all of them at their ends.
        url: the store that has their logs.
        tail_lost: whether the store has lost events that were acknowledged, and seen.
    """
    races = await read_told(url)
    assert set(races) == set(story.tables)
    for code, told in races.items():
        race = told.states[-1]
        assert sorted(racer.rank or 0 for racer in race.racers) == [*range(1, RACERS + 1)]
        assert bool(told.tail_losses) <= tail_lost
        for racer in story.tables[code]:
            if tail_lost:
                assert effects_of(racer, code, told.log).keys() == racer.chair(code).sent.keys()
            else:
                check_effects(racer, code, told.log)
                assert all(c in effects_of(racer, code, told.log) for c in racer.chair(code).sent)
            check_board(racer, code, race)
        viewers = [*story.tables[code], story.watchers[code]]
        for viewer in viewers:
            await _sees(viewer, code, race.seq)
        check_pictures(viewers, told)
    return races


def check_acks(heard: Iterable[events.Event], racer: Traveller, code: str, told: Told) -> int:
    """What was acknowledged is in the log; how much that was."""
    effects = effects_of(racer, code, told.log)
    acks = [event for event in heard if isinstance(event, events.Ack)]
    assert all(effects[ack.c].seq == ack.seq for ack in acks)
    return len(acks)


def check_pictures(viewers: Iterable[Traveller], told: Told) -> None:
    """Every picture that anybody ever had is his view of the log up to where it says, and ends at its end.

    What is not in the log was lost: the log says so, and so does a snapshot to each who had seen it.
    """
    expected: dict[tuple[int, str], Picture] = {}
    for viewer in viewers:
        assert viewer.seen
        for seen in viewer.seen:
            if seen.to > len(told.rows) or told.rows[seen.to - 1].tag.hex() != seen.tag:
                assert told.tail_losses, f"{viewer.name} saw {seen.to}, which is not in the log"
                assert viewer.travels.rewound, f"{viewer.name} was not told that {seen.to} is lost"
                continue
            key = (seen.to, seen.view)
            if key not in expected:
                expected[key] = picture_of(told.states[seen.to - 1], View(seen.view))
            assert seen.picture == expected[key], (viewer.name, seen.to, seen.view)
        last = viewer.seen[-1]
        assert told.rows[last.to - 1].tag.hex() == last.tag
        assert last.picture.life.phase == "over"


async def _sees(viewer: Traveller, code: str, to: int) -> None:
    def shown() -> bool:
        return max(seen.to for (race, _), seen in viewer.pictures.items() if race == code) >= to

    await viewer.until(shown, "the end of the log")
