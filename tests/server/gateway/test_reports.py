"""Reports of games: who gets them, what they tell, and that nothing else waits for them."""

import asyncio
from pathlib import Path

import pytest

from protocol import commands, events
from server.freecell.deal import deal
from server.gateway import findings
from server.gateway.findings import Findings
from server.gateway.node import REPORTS_AT_ONCE
from server.race.replays import Step
from server.race.reports import Finding, Trail
from server.race.state import RaceCode
from server.solver.verdict import Lost, Unknown, Winnable
from tests.end_to_end.player import Player
from tests.server.gateway.house import House, eventually, shaky_house
from tests.server.gateway.judging import IN_CELLS, Oracle
from tests.server.gateway.races import ANA, BEN, CODE
from tests.server.gateway.test_watching import settings
from tests.solutions import moves_of


async def reported(guest: Player, race: str, of: Player, other: Player | None = None) -> events.Reported:
    answer = await guest.ask(commands.Report(race, 0, of.id, other.id if other else None))
    assert isinstance(answer, events.Reported), answer
    return answer


async def refused(guest: Player, race: str, *players: str) -> str:
    answer = await guest.ask(commands.Report(race, 0, *players))
    assert isinstance(answer, events.Refused), answer
    return answer.code.value


async def play(house: House, guest: Player, race: str, *moves: str) -> None:
    """Make these moves, a second each, and give up."""
    for move in moves:
        await house.clock.advance(1_000)
        await guest.did(commands.Move, race, move=move)
    await guest.did(commands.Resign, race)


async def test_from_which_step_on_it_was_lost_and_where_two_boards_parted(judged: House) -> None:
    ana, ben, eve = [await judged.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await judged.race(ana, ben)
    await play(judged, ana, race, *IN_CELLS)
    await play(judged, ben, race, "5a", "4b")
    for guest in (ana, eve):
        told = await reported(guest, race, ana, ben)
        assert (told.player, told.name, told.steps, told.what) == (ana.id, "Ana", 4, "unwinnable")
        assert told.winnable_to == events.Mark(3, 3_000, "move", ("5c",))
        assert told.lost_from == events.Mark(4, 4_000, "move", ("5d",))
        assert told.parting == events.Parting(
            ben.id, "Ben", events.Mark(2, 2_000, "move", ("5b",)), events.Mark(2, 6_000, "move", ("4b",))
        )
    told = await reported(ben, race, ben, ana)
    assert (told.what, told.lost_from) == ("winnable", None)
    assert told.winnable_to is not None
    assert told.winnable_to.number == told.steps == 2


async def test_boards_that_never_differed_and_one_that_went_on(judged: House) -> None:
    ana, ben, cleo = [await judged.guest(name) for name in ("Ana", "Ben", "Cleo")]
    race = await judged.race(ana, ben, cleo)
    await play(judged, ana, race, "5a")
    await play(judged, ben, race, "5a")
    await play(judged, cleo, race, "5a", "5b")
    assert (await reported(ana, race, ana, ben)).parting == events.Parting(ben.id, "Ben")
    parting = (await reported(ana, race, ana, cleo)).parting
    assert parting == events.Parting(cleo.id, "Cleo", None, events.Mark(2, 4_000, "move", ("5b",)))
    assert (await reported(ana, race, ana)).parting is None


async def test_a_game_that_was_won(judged: House, oracle: Oracle) -> None:
    ana = await judged.guest("Ana")
    race = await judged.race(ana)
    for move in moves_of(1):
        await ana.did(commands.Move, race, move=move)
    told = await reported(ana, race, ana)
    assert (told.what, told.lost_from) == ("won", None)
    assert told.winnable_to is not None
    assert told.winnable_to.number == told.steps == len(moves_of(1))
    assert oracle.asked == []


async def test_a_deal_that_cannot_be_won(judged: House, oracle: Oracle) -> None:
    oracle.word = lambda _: Lost()
    ana = await judged.guest("Ana")
    race = await judged.race(ana)
    await play(judged, ana, race, "5a")
    told = await reported(ana, race, ana)
    assert (told.what, told.winnable_to, told.lost_from) == ("unwinnable", None, events.Mark(0))


async def test_where_cards_may_be_taken_back(judged: House, oracle: Oracle) -> None:
    ana = await judged.guest("Ana")
    taking_back = commands.Settings(deal=1, countdown_s=0, watch="live", returns=True)
    race = await judged.race(ana, settings=taking_back)
    await play(judged, ana, race, *IN_CELLS)
    assert (await reported(ana, race, ana)).what == "lost_without_return"


async def test_with_nobody_to_ask_nothing_is_known_but_where_boards_parted(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await play(home, ana, race, "5a")
    await play(home, ben, race, "5b")
    told = await reported(ana, race, ana, ben)
    assert (told.what, told.winnable_to, told.lost_from) == ("unknown", None, None)
    assert told.parting is not None
    assert told.parting.own is not None
    assert told.parting.own.number == 1


async def test_nobody_gets_it_before_the_race_is_over(judged: House, oracle: Oracle) -> None:
    ana, ben, eve = [await judged.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await judged.lobby(ana, ben, settings=settings("none"))
    assert await refused(ana, race, ana.id) == "not_over"
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    await play(judged, ana, race, "5a")
    for guest in (ana, ben, eve):
        assert await refused(guest, race, ana.id) == "not_over"
    assert oracle.asked == []
    await ben.did(commands.Resign, race)
    assert await refused(eve, race, eve.id) == "no_such_racer"
    assert await refused(eve, race, ana.id, eve.id) == "no_such_racer"
    assert (await reported(eve, race, ana)).name == "Ana"


async def test_nothing_else_waits_for_a_report_and_one_at_a_time_is_enough(
    judged: House, oracle: Oracle
) -> None:
    ana = await judged.guest("Ana")
    race = await judged.race(ana)
    await play(judged, ana, race, *IN_CELLS)
    oracle.gate.clear()
    await ana.send(commands.Report(race, 900, ana.id))
    assert isinstance(await ana.ask(commands.Replay(race, 0, ana.id)), events.Replayed)
    assert await refused(ana, race, ana.id) == "too_fast"
    assert not any(isinstance(event, events.Reported) for event in ana.heard)
    oracle.gate.set()
    assert (await ana.hear(events.Reported)).q == 900
    assert (await reported(ana, race, ana)).what == "unwinnable"


async def test_whoever_goes_before_the_report_comes_takes_nothing_down(judged: House, oracle: Oracle) -> None:
    ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
    race = await judged.race(ana)
    await play(judged, ana, race, "5a")
    await ana.hear(events.Verdict)
    oracle.gate.clear()
    asked = len(oracle.asked)
    await eve.send(commands.Report(race, 1, ana.id))
    await eventually(lambda: len(oracle.asked) > asked, "it is looked for")
    await eve.drop()
    await eventually(lambda: oracle.given_up, "nobody waits for it any more")
    oracle.gate.set()
    assert (await reported(ana, race, ana)).what == "winnable"


async def test_where_the_store_is_away_it_is_to_be_asked_again(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        await play(home, ana, race, "5a")
        store.reads_to_fail = 1
        assert await refused(ana, race, ana.id) == "unavailable"
        assert (await reported(ana, race, ana)).steps == 1


# What a node remembers.


def walked(boards: int) -> Trail:
    return Trail((Step(0, "move", (), (), None),) * (boards - 1), (deal(1),) * boards)


async def test_what_was_found_is_not_looked_for_again_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(findings, "KEPT", 2)
    oracle = Oracle(lambda _: Winnable(None, 5))
    kept = Findings(oracle)
    players = [ANA, BEN, ANA]
    for player in players:
        assert await kept.of(CODE, player, walked(3)) == Finding(2, None)
    assert len(oracle.asked) == 2
    await kept.of(RaceCode("WXYZABCD"), ANA, walked(3))
    assert len(kept) == 2
    await kept.of(CODE, ANA, walked(3))
    assert len(oracle.asked) == 3, "what was asked for last stays longest"
    await kept.of(CODE, BEN, walked(3))
    assert len(oracle.asked) == 4


async def test_a_game_that_came_to_another_end_is_another_game() -> None:
    oracle = Oracle(lambda _: Winnable(None, 5))
    kept = Findings(oracle)
    assert await kept.of(CODE, ANA, walked(3)) == Finding(2, None)
    assert await kept.of(CODE, ANA, walked(2)) == Finding(1, None)


async def test_what_stayed_open_is_looked_for_again() -> None:
    oracle = Oracle(lambda _: Unknown())
    kept = Findings(oracle)
    assert await kept.of(CODE, ANA, walked(1)) == Finding(None, None)
    oracle.word = lambda _: Lost()
    assert await kept.of(CODE, ANA, walked(1)) == Finding(None, 0)
    assert len(oracle.asked) == 2


async def test_so_many_reports_are_made_at_once_and_the_others_wait(judged: House, oracle: Oracle) -> None:
    ana, *others = [await judged.guest(f"guest {number}") for number in range(REPORTS_AT_ONCE + 4)]
    race = await judged.race(ana)
    await play(judged, ana, race, *IN_CELLS)
    oracle.gate.clear()
    asking = [asyncio.ensure_future(reported(guest, race, ana)) for guest in others]
    await eventually(judged.node.reports.locked, "as many reports as may be")
    assert not any(one.done() for one in asking)
    oracle.gate.set()
    told = await asyncio.gather(*asking)
    assert {one.what for one in told} == {"unwinnable"}
    assert not judged.node.reports.locked()
