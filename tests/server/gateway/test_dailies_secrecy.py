"""Who sees the cards of the day, and who may race on them."""

import pytest

from protocol import commands, events
from protocol.errors import ErrorCode
from server.daily.calendar import closes_ms
from tests.end_to_end.player import Player
from tests.server.gateway.attempts import DAY, MOVES, NEXT, begin, code_of, day_of, play, ranking, win
from tests.server.gateway.house import House

pytestmark = pytest.mark.usefixtures("known_deals")


@pytest.fixture
def home(at_noon: House) -> House:
    """These tests are of a certain day."""
    return at_noon


def secrets_of(player: Player, deal: int = 1) -> list[str]:
    """What a player was sent that shows the cards of a daily."""
    return [frame for frame in player.frames if f'"deal":{deal},' in frame or '"layout"' in frame]


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
