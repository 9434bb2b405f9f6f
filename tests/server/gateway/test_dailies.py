"""The ranked attempt at the deal of the day: one for each, on its day, over all nodes."""

import asyncio
from pathlib import Path

import pytest

from protocol import commands, events
from protocol.errors import ErrorCode
from server.daily.calendar import ends_ms, shifted, starts_ms
from server.daily.naming import Daily
from server.daily.rows import By, day_table
from server.race.events import Started
from server.store.sqlite import open_sqlite
from tests.clock import FakeClock
from tests.server.gateway.attempts import DAY, MOVES, NEXT, begin, code_of, day_of, nodes, play, ranking, win
from tests.server.gateway.house import AMPLE, House, one_node
from tests.server.gateway.scripted import ScriptedStore

pytestmark = pytest.mark.usefixtures("known_deals")


@pytest.fixture
def home(at_noon: House) -> House:
    """These tests are of a certain day."""
    return at_noon


# The attempt.


async def test_the_first_start_of_the_day_is_the_ranked_one(home: House) -> None:
    ana = await home.guest("Ana")
    told = await day_of(ana)
    assert (told.day, told.today, told.left_ms, told.mine) == (DAY, DAY, 43_200_000, None)
    assert (told.deal, told.value, told.closed) == (None, None, False)
    race = await begin(ana)
    assert race == f"daily:{DAY}:4:{ana.id}"
    life = ana.pictures[race, "seat"].picture.life
    assert (life.phase, life.daily, life.ranked, life.certified) == ("running", DAY, True, True)
    assert (life.settings.time_limit_s, life.settings.hints) == (3600, True)
    await home.clock.advance(1500)
    assert (await day_of(ana)).mine == events.Mine(race, "racing", 1500)


async def test_going_away_does_not_stop_the_clock_and_coming_back_resumes(home: House) -> None:
    ana = await home.guest("Ana")
    race = await begin(ana)
    await ana.did(commands.Move, race, move=MOVES[0])
    board = ana.chair(race).board
    await ana.close()
    await home.clock.advance(600_000)
    again = home.stranger("Ana", ana.token)
    welcome = await again.connect()
    assert welcome.races == (race,)
    assert await begin(again) == race
    assert again.chair(race).board == board
    seen = [player.pictures[race, "seat"].picture.life.commitment for player in (ana, again)]
    assert seen[0] == seen[1]
    assert len([one for one in await home.log(race) if isinstance(one.event, Started)]) == 1
    await again.sit(race)
    await play(again, race)
    mine = (await day_of(again)).mine
    assert mine is not None
    assert (mine.state, mine.ms, mine.rank, mine.of) == ("won", 600_000, 1, 1)


async def test_leaving_is_refused_and_giving_up_is_for_good(home: House) -> None:
    ana = await home.guest("Ana")
    race = await begin(ana)
    assert code_of(await ana.do(commands.Leave, race)) is ErrorCode.NOT_IN_RULES
    await ana.did(commands.Resign, race)
    assert await begin(ana) == race
    assert ana.pictures[race, "seat"].picture.life.phase == "over"
    assert code_of(await ana.do(commands.Rematch, race)) is ErrorCode.NOT_IN_RULES
    mine = (await day_of(ana)).mine
    assert mine is not None
    assert (mine.state, mine.rank) == ("lost", None)


async def test_an_attempt_lasts_an_hour_from_when_its_deal_is_shown(home: House) -> None:
    ana = await home.guest("Ana")
    race = await begin(ana)
    await home.clock.advance(3_599_999)
    assert ana.pictures[race, "seat"].picture.life.phase == "running"
    await home.clock.advance(1)
    await ana.reach(race, "over")
    mine = (await day_of(ana)).mine
    assert mine is not None
    assert (mine.state, mine.ms) == ("lost", 3_600_000)


async def test_the_first_day_of_the_server_is_told_with_every_day(home: House) -> None:
    ana = await home.guest("Ana")
    assert (await day_of(ana)).since == DAY
    await home.clock.advance(2 * 86_400_000)
    for day in (None, DAY):
        assert (await day_of(ana, day)).since == DAY


async def test_what_is_started_before_midnight_counts_for_its_day_and_the_new_day_is_open(
    home: House,
) -> None:
    ana = await home.guest("Ana")
    await home.clock.advance_to(ends_ms(DAY) - 10_000)
    race = await win(ana, but=1)
    await home.clock.advance(20_000)
    assert (await day_of(ana)).today == NEXT
    await ana.did(commands.Move, race, move=MOVES[-1])
    told = await day_of(ana, DAY)
    assert told.mine is not None
    assert (told.mine.state, told.mine.ms, told.won, told.closed) == ("won", 20_000, 1, False)
    assert (await ranking(ana, period=DAY)).of == 1
    assert (await ranking(ana)).of == 0
    assert await begin(ana, NEXT) == f"daily:{NEXT}:4:{ana.id}"


@pytest.mark.parametrize("day", [NEXT, "2026-11-29"])
async def test_no_other_day_can_be_attempted(home: House, day: str) -> None:
    ana = await home.guest("Ana")
    await day_of(ana)
    refused = await ana.ask(commands.Attempt(day))
    assert code_of(refused) is ErrorCode.NO_SUCH_DAY
    await home.clock.advance_to(starts_ms(shifted(DAY, 2)))
    assert code_of(await ana.ask(commands.Attempt(DAY))) is ErrorCode.NOT_TODAY
    assert await home.node.store.list_logs("daily:") == []
    assert await home.node.store.list_logs("player:") == []


async def test_only_the_stores_clock_says_whether_it_is_still_today(tmp_path: Path) -> None:
    """The node believes that there is time left; the append comes a moment too late."""
    clock = FakeClock(ends_ms(DAY) - 1)
    store = await open_sqlite(tmp_path / "races.sqlite", clock)
    scripted = ScriptedStore(store)
    async with one_node(scripted, clock, AMPLE) as (built, _):
        ana = await built.guest("Ana")
        await day_of(ana)
        scripted.before_read = lambda: clock.advance(1)
        assert code_of(await ana.ask(commands.Attempt(DAY))) is ErrorCode.NOT_TODAY
        assert await store.list_logs("daily:") == []
    await store.close()


async def test_four_and_two_cells_are_attempts_of_their_own(home: House) -> None:
    ana = await home.guest("Ana")
    race = await begin(ana)
    assert code_of(await ana.ask(commands.Attempt(DAY, 2))) is ErrorCode.ONE_SEAT
    await ana.did(commands.Resign, race)
    other = await begin(ana, cells=2)
    assert other == f"daily:{DAY}:2:{ana.id}"
    assert ana.pictures[other, "seat"].picture.life.deal == 2


# Two nodes.


async def test_there_is_one_attempt_over_all_nodes(tmp_path: Path) -> None:
    async with nodes(tmp_path) as (one, other):
        ana = await one.guest("Ana")
        players = [ana, *[await house.guest("Ana", ana.token) for house in (one, other) for _ in range(3)]]
        answers = await asyncio.gather(*(player.ask(commands.Attempt(DAY)) for player in players))
        assert {answer.race for answer in answers} == {f"daily:{DAY}:4:{ana.id}"}
        log = await one.log(f"daily:{DAY}:4:{ana.id}")
        assert sum(isinstance(stamped.event, Started) for stamped in log) == 1


async def test_the_winning_command_ten_times_on_two_nodes_gives_one_row(tmp_path: Path) -> None:
    async with nodes(tmp_path) as (one, other):
        ana = await one.guest("Ana")
        race = await win(ana, but=1)
        winning = commands.Move(race, ana.chair(race).used_c + 1, len(MOVES) - 1, MOVES[-1])
        for _ in range(5):
            await ana.send(winning)
        again = await other.guest("Ana", ana.token)
        await again.sit(race)
        for _ in range(5):
            await again.send(winning)
        told = await day_of(again)
        assert told.mine is not None
        assert told.mine.state == "won"
        for house in (one, other):
            await house.node.projector.settled()
        rows = await one.node.store.results.range(day_table(Daily(DAY, 4), By.TIME))
        assert [row.key for row in rows] == [ana.id]
