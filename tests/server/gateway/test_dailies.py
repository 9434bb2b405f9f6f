"""The deal of the day over the wire: attempts, who sees what, boards, records, promises."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol import commands, events
from protocol.errors import ErrorCode
from server.daily import almanac
from server.daily.calendar import closes_ms, ends_ms, shifted, starts_ms
from server.daily.naming import Daily
from server.daily.rows import By, day_table
from server.gateway import setups
from server.race.events import HintTaken, Started
from server.store.sqlite import open_sqlite
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import AMPLE, House, house, one_node
from tests.server.gateway.scripted import ScriptedStore
from tests.solutions import moves_of

DAY = "2026-11-30"
NEXT = "2026-12-01"
NOON = starts_ms(DAY) + 12 * 3_600_000
MOVES = moves_of(1)


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """All dailies for four cells are deal 1, whose solution is known; those for two are deal 2."""
    monkeypatch.setattr(almanac, "deal_of", lambda value, cells: 1 if cells == 4 else 2)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, clock=FakeClock(NOON)) as built:
        yield built


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


def secrets_of(player: Player, deal: int = 1) -> list[str]:
    """What a player was sent that shows the cards of a daily."""
    return [frame for frame in player.frames if f'"deal":{deal},' in frame or '"layout"' in frame]


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


# Who sees the cards.


async def test_nothing_shows_the_cards_to_who_has_not_played(home: House) -> None:
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await win(ana)
    group = await ana.create(commands.Settings(deal="daily", countdown_s=0, watch="live"))
    await ana.did(commands.Start, group)
    running = await begin(eve)
    for player in (ben, eve):
        for target in (race, group):
            assert code_of(await player.watch(target)) is ErrorCode.DAILY_FIRST
            replay = commands.Replay(target, player.next_q(), ana.id)
            assert code_of(await player.ask(replay)) is ErrorCode.DAILY_FIRST
        for target in (group, running) if player is ben else (group,):
            assert code_of(await player.ask(commands.Trace(target, player.next_q()))) is ErrorCode.DAILY_FIRST
        assert isinstance(await player.join(race), events.Refused)
        assert (await day_of(player)).deal is None
        assert (await ranking(player)).of == 1
    assert secrets_of(ben) == []
    await eve.did(commands.Resign, running)
    assert isinstance(await eve.watch(race), events.Watching)
    assert isinstance(await eve.ask(commands.Replay(group, eve.next_q(), ana.id)), events.Refused)


async def test_who_has_not_played_may_race_the_ghost_of_an_attempt_that_is_over(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await begin(ana)
    trace = commands.Trace(race, 0)
    await play(ana, race, but=1)
    assert code_of(await ben.ask(trace)) is ErrorCode.DAILY_FIRST
    await home.clock.advance(60_000)
    await ana.did(commands.Move, race, move=MOVES[-1])
    told = await ben.ask(trace)
    assert isinstance(told, events.Traced)
    (curve,) = told.curves
    assert (curve.name, curve.points[-1]) == ("Ana", (60_000, 52))
    assert secrets_of(ben) == []


async def test_all_is_open_once_ones_own_attempt_is_over(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await win(ana)
    own = await begin(ben)
    await ben.did(commands.Resign, own)
    replayed = await ben.ask(commands.Replay(race, ben.next_q(), ana.id))
    assert isinstance(replayed, events.Replayed)
    assert len(replayed.steps) == 100
    assert (await day_of(ben)).deal == 1
    assert isinstance(await ben.ask(commands.Trace(race, ben.next_q())), events.Traced)
    watching = await ben.watch(race)
    assert isinstance(watching, events.Watching)
    assert watching.view == "boards"


async def test_all_is_open_once_the_day_is_closed(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await win(ana)
    await home.clock.advance_to(closes_ms(DAY) - 1)
    assert code_of(await ben.watch(race)) is ErrorCode.DAILY_FIRST
    await home.clock.advance(1)
    assert isinstance(await ben.watch(race), events.Watching)
    told = await day_of(ben, DAY)
    assert (told.deal, told.closed) == (1, True)


async def test_one_may_watch_ones_own_attempt(home: House) -> None:
    ana = await home.guest("Ana")
    race = await begin(ana)
    watching = await ana.watch(race)
    assert isinstance(watching, events.Watching)
    assert watching.view == "racer"


# Races on it.


@pytest.mark.parametrize("deal", ["daily", f"daily:{DAY}", 1, "FC1-C4-AAAAAAB"])
async def test_a_race_on_todays_deal_takes_only_people_who_have_played_it(
    home: House, deal: str | int
) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    settings = commands.Settings(deal=deal, countdown_s=0)
    refused = await ben.ask(commands.Create("a-race-of-ben", settings))
    assert code_of(refused) is ErrorCode.DAILY_FIRST
    await win(ana)
    race = await ana.create(settings)
    assert ana.pictures[race, "seat"].picture.life.daily == DAY
    assert code_of(await ben.join(race)) is ErrorCode.DAILY_FIRST
    own = await begin(ben)
    await ben.did(commands.Resign, own)
    assert isinstance(await ben.join(race), events.Seat)
    assert isinstance(await ben.join(race), events.Seat), "one's own seat again"


async def test_the_number_of_cells_does_not_hide_the_cards(home: House) -> None:
    ben = await home.guest("Ben")
    for cells in (1, 2, 3, 4):
        settings = commands.Settings(deal=1, cells=cells)
        assert code_of(await ben.ask(commands.Create("a-race-of-ben", settings))) is ErrorCode.DAILY_FIRST
    race = await ben.create(commands.Settings(deal=3))
    refused = await ben.do(commands.Configure, race, settings=commands.Settings(deal=1))
    assert code_of(refused) is ErrorCode.DAILY_FIRST


async def test_an_open_race_does_not_become_one_on_the_daily(home: House) -> None:
    ana = await home.guest("Ana")
    await win(ana)
    race = await ana.create(commands.Settings(deal=3))
    refused = await ana.do(commands.Configure, race, settings=commands.Settings(deal="daily"))
    assert code_of(refused) is ErrorCode.BAD_SETTINGS


async def test_past_days_are_played_unranked(home: House) -> None:
    ana = await home.guest("Ana")
    await day_of(ana)
    await home.clock.advance_to(closes_ms(DAY))
    race = await ana.create(commands.Settings(deal=f"daily:{DAY}", countdown_s=0))
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    life = ana.pictures[race, "seat"].picture.life
    assert (life.daily, life.ranked, life.deal) == (DAY, False, 1)
    await play(ana, race)
    assert (await day_of(ana, DAY)).mine is None
    assert (await ranking(ana, period=DAY)).of == 0


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (commands.Settings(deal="daily", cells=3), ErrorCode.BAD_DEAL),
        (commands.Settings(deal="daily:2026-02-30"), ErrorCode.NO_SUCH_DAY),
        (commands.Settings(deal="daily:tomorrow"), ErrorCode.NO_SUCH_DAY),
        (commands.Settings(deal=f"daily:{NEXT}"), ErrorCode.NO_SUCH_DAY),
        (commands.Settings(deal="daily:2026-11-29"), ErrorCode.NO_SUCH_DAY),
        (commands.Settings(deal="daily", ruleset="classic", cells=2), ErrorCode.BAD_SETTINGS),
    ],
)
async def test_what_is_no_daily_is_refused(home: House, settings: commands.Settings, code: ErrorCode) -> None:
    ana = await home.guest("Ana")
    assert code_of(await ana.ask(commands.Create("a-race-of-ana", settings))) is code


# Hints and what is taken back.


async def test_a_hint_counts_from_before_it_is_given(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await begin(ana)
    for _ in range(3):
        hinted = await ana.ask(commands.Hint(race, ana.next_q()))
        assert isinstance(hinted, events.Hinted)
    log = await home.log(race)
    assert sum(isinstance(stamped.event, HintTaken) for stamped in log) == 1
    await play(ana, race)
    await win(ben)
    assert (await ranking(ana, by="time")).of == 2
    board = await ranking(ana, by="no-hints")
    assert ([line.name for line in board.lines], board.mine) == (["Ben"], None)
    lines = {line.name: line for line in (await ranking(ana)).lines}
    assert (lines["Ana"].hinted, lines["Ben"].hinted) == (True, False)


async def test_undo_counts(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await begin(ana)
    await ana.did(commands.Move, race, move=MOVES[0])
    await ana.did(commands.Undo, race)
    for move in MOVES:
        await ana.did(commands.Move, race, move=move)
    await home.clock.advance(1000)
    await win(ben)
    assert [line.name for line in (await ranking(ana, by="no-undo")).lines] == ["Ben"]
    by_actions = (await ranking(ana, by="actions")).lines
    assert [(line.name, line.rank, line.actions) for line in by_actions] == [
        ("Ben", 1, len(MOVES)),
        ("Ana", 2, len(MOVES) + 1),
    ]
    by_time = (await ranking(ana)).lines
    assert [(line.rank, line.taken_back) for line in by_time] in ([(1, 0), (1, 1)], [(1, 1), (1, 0)])


# Boards and records.


async def test_every_row_opens_a_replay(home: House) -> None:
    ana = await home.guest("Ana")
    await win(ana)
    (line,) = (await ranking(ana)).lines
    replayed = await ana.ask(commands.Replay(line.race, ana.next_q(), line.player))
    assert isinstance(replayed, events.Replayed)
    assert (replayed.name, replayed.deal) == ("Ana", 1)


async def test_a_month_has_a_board(home: House) -> None:
    ana = await home.guest("Ana")
    await win(ana)
    await home.clock.advance_to(starts_ms(NEXT))
    await win(ana, NEXT)
    november = await ranking(ana, period="2026-11")
    assert [line.day for line in november.lines] == [DAY]
    assert (november.mine, november.of) == (None, 1)
    assert (await ranking(ana, period="2026-12")).of == 1
    assert (await ranking(ana, period="2025-01")).of == 0
    assert code_of(await ana.ask(commands.Ranking(1, 4, "2026-11-31"))) is ErrorCode.NO_SUCH_DAY
    assert code_of(await ana.ask(commands.Ranking(1, 4, "2026-13"))) is ErrorCode.NO_SUCH_DAY


async def test_a_record_tells_streaks_and_times(home: House) -> None:
    ana = await home.guest("Ana")
    assert await ana.ask(commands.Record(1)) == events.Recorded(1, 4)
    for back in range(3):
        day = shifted(DAY, back)
        await home.clock.advance_to(max(home.clock.now_ms(), starts_ms(day)))
        race = await begin(ana, day)
        await home.clock.advance(60_000)
        if back == 1:
            await ana.did(commands.Resign, race)
        else:
            await play(ana, race)
    told = await ana.ask(commands.Record(2))
    assert isinstance(told, events.Recorded)
    assert (told.played, told.won, told.streak, told.best_streak, told.median_ms) == (3, 2, 1, 1, 60_000)
    assert [(one.day, one.won, one.rank) for one in told.days] == [
        ("2026-12-02", True, 1),
        (NEXT, False, None),
        (DAY, True, 1),
    ]


# Promises.


async def test_the_commitments_told_today_are_kept_when_the_days_are_closed(home: House) -> None:
    ana = await home.guest("Ana")
    told = await ana.ask(commands.Commitments(1, 2))
    assert isinstance(told, events.Committed)
    assert [one.day for one in told.days] == [shifted(DAY, ahead) for ahead in range(31)]
    await home.clock.advance_to(closes_ms(told.days[3].day))
    closed = await day_of(ana, told.days[3].day, cells=2)
    assert closed.commitment == told.days[3].commitment
    text = f"{closed.day}:2:{closed.table}:{closed.value}"
    assert hashlib.sha256(text.encode()).hexdigest() == closed.commitment


@pytest.fixture
async def unwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Player, House]]:
    """One who has won on a node that left the row unwritten, and another node."""

    async def put_off(log_id: str) -> None:
        pass

    async with nodes(tmp_path) as (one, other):
        monkeypatch.setattr(one.node.projector, "project", put_off)
        ana = await one.guest("Ana")
        await win(ana)
        await one.node.projector.settled()
        yield ana, other


async def test_a_row_that_is_not_written_yet_is_when_its_player_asks(unwritten: tuple[Player, House]) -> None:
    ana, other = unwritten
    (race,) = await other.node.store.unprojected(9)
    told = await day_of(await other.guest("Ana", ana.token))
    assert told.mine is not None
    assert (told.mine.race, told.mine.state) == (race, "won")
    assert await other.node.store.unprojected(9) == []


async def test_a_row_that_a_node_left_unwritten_is_on_the_board_for_whoever_asks_next(
    unwritten: tuple[Player, House],
) -> None:
    ana, other = unwritten
    told = await ranking(await other.guest("Ben"))
    assert [line.player for line in told.lines] == [ana.id]


async def test_nothing_drawn_at_random_is_one_of_todays_deals(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await home.guest("Ana")
    drawn = iter([1, 2, 3, 2, 1, 4])
    monkeypatch.setattr(setups, "_random_deal", lambda _: next(drawn))
    race = await ana.create(commands.Settings(countdown_s=0))
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    assert ana.pictures[race, "seat"].picture.life.deal == 3
    await ana.did(commands.Resign, race)
    await ana.did(commands.Rematch, race)
    following = (await ana.hear(events.RematchReady)).next
    await ana.sit(following)
    await ana.did(commands.Start, following)
    await ana.reach(following, "running")
    assert ana.pictures[following, "seat"].picture.life.deal == 4
