"""Who is there, told from node to node."""

from functools import partial
from pathlib import Path

from protocol import commands, events
from server.gateway.presence import ANNOUNCE_EVERY_MS, EXPIRES_MS, Neighbours, Report, read, write
from server.race.state import PlayerId
from tests.clock import FakeClock
from tests.server.gateway.house import House, eventually, shaky_house
from tests.server.gateway.races import ANA, BEN


def test_a_report_is_read_as_it_was_written() -> None:
    report = Report("node-1", (ANA, BEN), 3)
    assert read(write(report)) == report


def test_what_a_node_says_counts_until_it_says_something_else() -> None:
    neighbours = Neighbours("me")
    assert neighbours.take(Report("a", (ANA,), 2), 0) == (True, True)
    assert neighbours.take(Report("a", (ANA,), 2), 1) == (False, False)
    assert neighbours.take(Report("b", (BEN,), 1), 1) == (True, True)
    assert (set(neighbours.seats), neighbours.watchers) == ({ANA, BEN}, 3)
    assert neighbours.take(Report("a", (), 0), 2) == (True, False)
    assert (neighbours.seats, neighbours.watchers) == ((BEN,), 1)


def test_a_node_does_not_listen_to_itself() -> None:
    neighbours = Neighbours("me")
    assert neighbours.take(Report("me", (ANA,), 2), 0) == (False, False)
    assert neighbours.seats == ()


def test_a_node_that_is_silent_for_long_is_forgotten() -> None:
    neighbours = Neighbours("me")
    neighbours.take(Report("a", (ANA,), 2), 0)
    assert not neighbours.expire(EXPIRES_MS - 1)
    assert neighbours.expire(EXPIRES_MS)
    assert neighbours.seats == ()


async def test_a_racer_on_another_node_is_shown_as_here_and_later_as_away(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    log = f"race:{race}"
    await home.node.store.announce(log, write(Report("elsewhere", (BEN,), 4)))
    presence = await ana.hear_that(
        lambda event: isinstance(event, events.Presence) and BEN in event.here, "Ben is here"
    )
    assert isinstance(presence, events.Presence)
    assert (presence.here, presence.watchers) == ((ana.id, BEN), 4)
    mark = len(ana.heard)
    await home.clock.advance(EXPIRES_MS + 2_000)
    later = await ana.hear(events.Presence, mark)
    assert (later.here, later.watchers) == ((ana.id,), 0)


def _has(said: list[Report], many: int) -> bool:
    return len(said) >= many


async def test_a_node_says_again_and_again_who_is_there_and_at_once_to_a_new_node(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    said: list[Report] = []
    home.node.store.hear(f"race:{race}", lambda note: said.append(read(note)))
    for times in range(1, 4):
        await home.clock.advance(ANNOUNCE_EVERY_MS + 2_000)
        await eventually(partial(_has, said, times), "it is said again")
    before = len(said)
    await home.node.store.announce(f"race:{race}", write(Report("new", (), 0)))
    await eventually(lambda: len(said) > before + 1, "the new node is answered")
    own = [report for report in said if report.node != "new"]
    assert {report.seats for report in own} == {(ana.id,)}


async def test_a_host_on_another_node_is_not_taken_for_absent(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    log = f"race:{race}"
    await ana.drop()
    for _ in range(6):
        await home.node.store.announce(log, write(Report("elsewhere", (PlayerId(ana.id),), 0)))
        await home.clock.advance(10_000)
    assert (await home.fold(race)).life.host == ana.id


async def test_what_cannot_be_announced_is_no_harm(tmp_path: Path, clock: FakeClock) -> None:
    async with shaky_house(tmp_path, clock=clock) as (home, store):
        ana = await home.guest("Ana")
        race = await home.lobby(ana)
        store.down = True
        await clock.advance(3 * ANNOUNCE_EVERY_MS)
        store.down = False
        await ana.did(commands.Say, race, text="still here")
