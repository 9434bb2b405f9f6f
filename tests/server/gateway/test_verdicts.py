"""What can still be won: who is told, of which boards, and what is asked for it."""

import asyncio
from typing import Final

import pytest

from protocol import codec, commands, events
from server.freecell.deal import deal
from server.gateway.feed import Feed
from server.gateway.tasks import Tasks
from server.gateway.verdicts import Told, Verdicts
from server.race.views import Access, View
from server.solver.verdict import Unknown
from tests.end_to_end.player import Player
from tests.server.gateway.house import House, eventually
from tests.server.gateway.judging import IN_CELLS, Oracle
from tests.server.gateway.races import ANA, BEN, CODE, Scribe
from tests.server.gateway.test_watching import sees, settings
from tests.solutions import moves_of

BOARDS: Final = Access(View.BOARDS)


def verdicts(guest: Player) -> list[events.Verdict]:
    return [event for event in guest.heard if isinstance(event, events.Verdict)]


def told(guest: Player, of: Player) -> list[tuple[int, str, int | None]]:
    """What a guest was told of a racer's boards, in order."""
    return [(one.n, one.what, one.moves) for one in verdicts(guest) if one.player == of.id]


async def knows(guest: Player, of: Player, n: int) -> events.Verdict:
    """The verdict on this version of a racer's board, once a guest was told."""
    found = await guest.hear_that(
        lambda event: isinstance(event, events.Verdict) and (event.player, event.n) == (of.id, n),
        f"the verdict on version {n}",
        mark=0,
    )
    assert isinstance(found, events.Verdict)
    return found


async def asked_about(oracle: Oracle, boards: int) -> None:
    await eventually(lambda: len(oracle.asked) == boards, f"{boards} boards are asked about")


# On a server.


async def test_who_watches_is_told_of_every_board_as_play_goes_on(judged: House) -> None:
    ana, ben, eve = [await judged.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await judged.race(ana, ben)
    await eve.watch(race)
    assert await knows(eve, ana, 0) == events.Verdict(race, "watch", ana.id, 0, "winnable", 10)
    await knows(eve, ben, 0)
    for n, move in enumerate(IN_CELLS, 1):
        await ana.did(commands.Move, race, move=move)
        await knows(eve, ana, n)
    assert told(eve, ana)[1:] == [
        (1, "winnable", 11),
        (2, "winnable", 12),
        (3, "winnable", 13),
        (4, "unwinnable", None),
    ]
    assert told(eve, ben) == [(0, "winnable", 10)]


async def test_who_comes_later_is_told_how_it_stands(judged: House) -> None:
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    race = await judged.race(ana)
    await eve.watch(race)
    await ana.did(commands.Move, race, move="5a")
    await knows(eve, ana, 1)
    late = await judged.guest("Late")
    await late.watch(race)
    await knows(late, ana, 1)
    assert told(late, ana) == [(1, "winnable", 11)]


async def test_a_verdict_on_a_board_that_has_moved_on_is_not_told(judged: House, oracle: Oracle) -> None:
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    race = await judged.race(ana)
    oracle.gate.clear()
    await eve.watch(race)
    for n, move in enumerate(IN_CELLS, 1):
        ack = await ana.did(commands.Move, race, move=move)
        await sees(eve, race, ack.seq)
        await asked_about(oracle, n + 1)
    oracle.gate.set()
    await knows(eve, ana, 4)
    assert told(eve, ana) == [(4, "unwinnable", None)]


async def test_nothing_is_asked_while_nobody_is_there_who_sees_boards(judged: House, oracle: Oracle) -> None:
    ana, ben, eve = [await judged.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await judged.race(ana, ben)
    await ben.watch(race)
    await ana.did(commands.Move, race, move="5a")
    assert oracle.asked == []
    await eve.watch(race)
    await knows(eve, ana, 1)
    await eve.send(commands.Unwatch(race))
    await eve.hear(events.Unwatched)
    asked = len(oracle.asked)
    await ana.did(commands.Move, race, move="5b")
    await ben.reach(race, "running")
    assert len(oracle.asked) == asked


async def test_whoever_is_done_is_told_when_he_watches_and_all_are_at_the_end(judged: House) -> None:
    ana, ben = await judged.guest("Ana"), await judged.guest("Ben")
    race = await judged.race(ana, ben)
    await ana.did(commands.Move, race, move="5a")
    await ben.did(commands.Resign, race)
    await ana.watch(race)
    await ben.watch(race)
    assert (await knows(ben, ana, 1)).feed == "watch"
    assert verdicts(ana) == []
    await ana.did(commands.Resign, race)
    await ana.hear_that(
        lambda event: isinstance(event, events.Verdict) and (event.feed, event.player) == ("seat", ben.id),
        "the verdict at his seat",
    )
    assert {one.feed for one in verdicts(ana)} <= {"seat", "watch"}


async def test_a_board_that_is_won_is_not_judged(judged: House) -> None:
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    race = await judged.race(ana)
    await eve.watch(race)
    for move in moves_of(1):
        await ana.did(commands.Move, race, move=move)
    last = len(moves_of(1))
    await eve.reach(race, "over", "watch")
    assert last not in [n for n, _, _ in told(eve, ana)]


async def test_where_the_solver_is_missing_nothing_is_told(judged: House, oracle: Oracle) -> None:
    oracle.missing = "not installed"
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    race = await judged.race(ana)
    await eve.watch(race)
    ack = await ana.did(commands.Move, race, move="5a")
    await sees(eve, race, ack.seq)
    await eventually(lambda: len(oracle.asked) >= 1, "it is asked about")
    assert verdicts(eve) == []


async def test_a_quick_search_that_finds_nothing_is_no_proof(judged: House, oracle: Oracle) -> None:
    oracle.word = lambda _: Unknown()
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    race = await judged.race(ana)
    await eve.watch(race)
    assert (await knows(eve, ana, 0)).what == "unknown"


async def test_where_cards_may_be_taken_back_it_is_lost_only_without_that(judged: House) -> None:
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    taking_back = commands.Settings(deal=1, countdown_s=0, watch="live", returns=True)
    race = await judged.race(ana, settings=taking_back)
    await eve.watch(race)
    for move in IN_CELLS:
        await ana.did(commands.Move, race, move=move)
    assert (await knows(eve, ana, 4)).what == "lost_without_return"


async def test_who_watches_late_is_told_of_what_he_is_shown(judged: House, oracle: Oracle) -> None:
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    race = await judged.race(ana, settings=settings("delayed", delay_s=30))
    await judged.clock.advance(30_000)
    await eve.watch(race)
    await knows(eve, ana, 0)
    await ana.did(commands.Move, race, move="5a")
    await judged.clock.advance(10_000)
    last = await ana.did(commands.Move, race, move="5b")
    assert oracle.asked == [deal(1)]
    await judged.clock.advance(20_000)
    await knows(eve, ana, 1)
    assert len(oracle.asked) == 2
    await judged.clock.advance(10_000)
    await sees(eve, race, last.seq)
    await knows(eve, ana, 2)
    assert [n for n, _, _ in told(eve, ana)] == [0, 1, 2]


# One race, without a server.


class Desk:
    """The verdicts on one race in memory."""

    def __init__(self, oracle: Oracle, scribe: Scribe) -> None:
        self.feed = Feed(scribe.race, scribe.tag)
        self.tasks = Tasks()
        self.wakes = 0
        self.verdicts = Verdicts(CODE, oracle, self.tasks, self._wake)

    def _wake(self) -> None:
        self.wakes += 1

    def told(self, told: Told, access: Access = BOARDS) -> list[tuple[str, int, str]]:
        """What a follower is told now: of whom, of which version, what."""
        heard: list[tuple[str, int, str]] = []
        for frame in self.verdicts.frames(self.feed, access, "watch", told):
            event = codec.read_event(frame)
            assert isinstance(event, events.Verdict)
            heard.append((event.player, event.n, event.what))
        return heard

    async def all_found(self) -> None:
        """Every request is answered, and followers were woken."""
        before = self.wakes
        await asyncio.wait(list(self.tasks._running))
        await eventually(lambda: self.wakes > before, "they are woken")


async def test_a_slow_follower_is_told_the_newest_only(oracle: Oracle) -> None:
    scribe = Scribe().start(BEN)
    desk = Desk(oracle, scribe)
    quick, slow = Told(), Told()
    assert desk.told(quick) == desk.told(slow) == []
    await desk.all_found()
    assert desk.told(quick) == [(ANA, 0, "winnable"), (BEN, 0, "winnable")]
    for text in IN_CELLS:
        desk.feed.extend(scribe.move(ANA, text))
        assert desk.told(quick) == []
    await desk.all_found()
    assert desk.told(quick) == [(ANA, 4, "unwinnable")]
    assert desk.told(slow) == [(BEN, 0, "winnable"), (ANA, 4, "unwinnable")]
    assert desk.told(slow) == desk.told(quick) == []
    assert desk.wakes == 2, "what is found together is told together"
    await desk.tasks.close()


async def test_after_a_rewind_all_is_told_anew(oracle: Oracle) -> None:
    scribe = Scribe().start()
    desk = Desk(oracle, scribe)
    follower = Told()
    desk.told(follower)
    await desk.all_found()
    assert desk.told(follower) == [(ANA, 0, "winnable")]
    desk.feed = Feed(scribe.race, scribe.tag)
    assert desk.told(follower) == []
    await desk.all_found()
    assert desk.told(follower) == [(ANA, 0, "winnable")]
    await desk.tasks.close()


async def test_when_nobody_is_left_nothing_is_sought_any_more(oracle: Oracle) -> None:
    oracle.gate.clear()
    scribe = Scribe().start(BEN)
    desk = Desk(oracle, scribe)
    desk.told(Told())
    await asked_about(oracle, 2)
    desk.verdicts.rest()
    await eventually(lambda: oracle.given_up == 2, "both are given up")
    assert desk.wakes == 0


async def test_a_board_that_is_gone_is_forgotten(oracle: Oracle) -> None:
    oracle.gate.clear()
    scribe = Scribe().start(BEN)
    desk = Desk(oracle, scribe)
    follower = Told()
    desk.told(follower)
    await asked_about(oracle, 2)
    for text in moves_of(1):
        desk.feed.extend(scribe.move(BEN, text))
    desk.told(follower)
    await eventually(lambda: oracle.given_up == 1, "a won board is not")
    oracle.gate.set()
    await desk.all_found()
    assert desk.told(follower) == [(ANA, 0, "winnable")]


@pytest.mark.parametrize("view", [View.RACER, View.PROGRESS])
async def test_who_sees_no_boards_is_told_nothing_and_nothing_is_asked(oracle: Oracle, view: View) -> None:
    desk = Desk(oracle, Scribe().start(BEN))
    assert desk.told(Told(), Access(view)) == []
    await asyncio.sleep(0)
    assert oracle.asked == []


async def test_with_nobody_to_ask_there_is_nothing_to_tell() -> None:
    scribe = Scribe().start()
    verdicts = Verdicts(CODE, None, Tasks(), lambda: None)
    assert verdicts.frames(Feed(scribe.race, scribe.tag), BOARDS, "watch", Told()) == []
