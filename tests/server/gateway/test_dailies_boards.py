"""Leaderboards, records and promises of the deals of the day."""

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocol import commands, events
from protocol.errors import ErrorCode
from server.daily.calendar import closes_ms, shifted, starts_ms
from server.gateway import setups
from server.race.events import HintTaken
from tests.end_to_end.player import Player
from tests.server.gateway.attempts import DAY, MOVES, NEXT, begin, code_of, day_of, nodes, play, ranking, win
from tests.server.gateway.house import House

pytestmark = pytest.mark.usefixtures("known_deals")


@pytest.fixture
def home(at_noon: House) -> House:
    """These tests are of a certain day."""
    return at_noon


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
