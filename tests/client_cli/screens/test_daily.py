"""The deal of the day on the full screen: attempts, leaderboards, one's record, ghosts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import OptionList

from client_cli.ghosts import Ghost
from client_cli.identity import server_key
from client_cli.screens.after import AfterScreen
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen, DealPane
from client_cli.screens.daily_windows import ArchiveWindow, GhostWindow
from client_cli.screens.dialogs import Question, Reading
from client_cli.screens.home import HomeScreen
from client_cli.screens.me import MeScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.seating import Seating
from client_cli.session import Session
from client_cli.wiring import Server
from protocol.commands import Attempt, Join
from server.daily.calendar import ends_ms, shifted
from tests.client_cli.screens.daily_scenes import DAY, MOVES, NAMES, calendar, daily, fresh, put, run
from tests.client_cli.screens.house import Person, person, stands_still
from tests.end_to_end.bad_line import bad_line
from tests.server.gateway.house import House


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[House]:
    async with calendar(tmp_path) as built:
        yield built


@asynccontextmanager
async def at_the_desk(
    tmp_path: Path,
    server: House,
    name: str = "ann",
    size: tuple[int, int] = (120, 40),
    url: str | None = None,
) -> AsyncIterator[Person]:
    """Somebody who looks at the deal of the day; at `url`, if the way there is not straight."""
    here = ("--server", url or server.url)
    async with person(tmp_path, name, *here, size=size, now_ms=server.clock.now_ms) as somebody:
        await somebody.reaches(HomeScreen)
        await somebody.press("d")
        await somebody.reaches(DailyScreen)
        await answered(somebody)
        yield somebody


@pytest.fixture
async def ann(tmp_path: Path, server: House) -> AsyncIterator[Person]:
    async with at_the_desk(tmp_path, server) as somebody:
        yield somebody


async def answered(somebody: Person) -> None:
    """Wait until nothing is asked any more."""
    await somebody.until(lambda: len(somebody.app.desk.answers.records) == 2)
    link = somebody.app.desk.link
    await somebody.until(lambda: link.session and not link.session.speech.questions)
    await somebody.ticks()


async def begins(somebody: Person) -> None:
    """Begin the ranked attempt."""
    await somebody.press("s", "y")
    await somebody.reaches(RaceScreen)
    await somebody.settled()


async def loses(somebody: Person) -> None:
    """Begin it and give it up; then back to the day."""
    await begins(somebody)
    await somebody.press("x", "y")
    await somebody.reaches(AfterScreen)
    await back(somebody)


async def back(somebody: Person) -> None:
    await somebody.press("q")
    await somebody.reaches(DailyScreen)
    await answered(somebody)


class TestAttempt:
    async def test_the_first_start_is_asked_about(self, ann: Person, server: House) -> None:
        await ann.reads("The deal of the day, 2026-11-30")
        assert "ends in 12:00:00" in ann.text
        assert ann.text.count("not started") == 2
        await ann.press("s")
        assert isinstance(ann.app.screen, Question)
        await ann.reads_wrapped("the only one that counts")
        await ann.press("n")
        await ann.pilot.pause()
        assert isinstance(ann.app.screen, DailyScreen)
        assert await server.node.store.list_logs("daily:2") == []

    async def test_it_runs_on_while_one_is_away_and_is_gone_on_with(self, ann: Person, server: House) -> None:
        await begins(ann)
        await ann.reads("daily 2026-11-30, 4 free cells")
        await ann.plays(MOVES[:3])
        board = ann.board
        await ann.app.go_home()
        await ann.reaches(DailyScreen)
        await answered(ann)
        await server.clock.advance(600_000)
        await ann.ticks()
        assert "running: 10:00, 50:00 left" in ann.text
        assert "go on (s)" in ann.text
        assert "  s go on  " in ann.text
        await ann.press("2")
        assert "start (s)" in ann.text
        assert "  s start  " in ann.text
        await ann.press("4", "s")
        await ann.reaches(RaceScreen)
        await ann.settled()
        assert ann.board.cascades == board.cascades

    async def test_what_is_over_cannot_be_begun_again(self, ann: Person) -> None:
        await loses(ann)
        assert "not won, after 0:00.000" in ann.text
        assert "start (s)" not in ann.text
        await ann.press("s")
        await ann.reads("your ranked attempt is over; p plays the deal again")

    async def test_the_way_out_says_that_it_leads_back_to_the_day(self, ann: Person) -> None:
        await begins(ann)
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.reads("daily (q)")
        await ann.reads("q daily")
        assert "home" not in ann.text
        await ann.press("escape")
        await ann.reaches(DailyScreen)

    async def test_the_hard_deal_is_an_attempt_of_its_own(self, ann: Person) -> None:
        await ann.press("2")
        await begins(ann)
        picture = ann.session.picture
        assert picture is not None
        assert (picture.life.settings.cells, picture.life.ranked) == (2, True)

    async def test_a_click_chooses_a_deal(self, ann: Person) -> None:
        assert await ann.pilot.click("#deal-2")
        await ann.pilot.pause()
        assert "▸ 2 free cells" in ann.text
        assert ann.app.desk.cells == 2
        assert len(ann.app.screen.query(DealPane)) == 2

    async def test_a_win_has_a_place_and_a_line_to_share(self, ann: Person, server: House) -> None:
        await put(server, "bob", 20_000)
        await begins(ann)
        await ann.plays(MOVES[:60])
        await server.clock.advance(61_500)
        await ann.plays(MOVES[60:])
        await ann.reaches(AfterScreen)
        await ann.reads("2nd of 2")
        assert "rematch (m)" not in ann.text
        await ann.press("k")
        shared = f"cellrace {DAY}, 4 free cells, #2 of 2, 1:01.500, {len(MOVES)} actions "
        await ann.until(lambda: ann.app.clipboard.startswith(shared))
        assert "deal" not in ann.app.clipboard
        await ann.press("o")
        await ann.until(lambda: f"cellrace daily --server {server.url}" in ann.app.clipboard)
        assert "FC1-C4-AAAAAAB" in ann.app.clipboard
        await back(ann)
        assert "won in 1:01.500, 115 actions" in ann.text
        assert "2nd of 2" in ann.text
        assert "faster than 0 %" not in ann.text
        assert "days in a row: 1 (most: 1)" in ann.text
        await ann.press("k")
        await ann.until(lambda: ann.app.clipboard.startswith(shared))
        await ann.press("o")
        await ann.until(lambda: "FC1-C4-AAAAAAB" in ann.app.clipboard)

    async def test_nothing_is_copied_before_there_is_a_result(self, ann: Person) -> None:
        await ann.press("k")
        await ann.reads("there is a result once your ranked attempt is over")
        await ann.press("o")
        await ann.reads("its cards are shown to you once")
        assert ann.app.clipboard == ""

    async def test_a_day_that_ends_meanwhile(self, ann: Person, server: House) -> None:
        await ann.press("s")
        await server.clock.advance_to(ends_ms(DAY))
        await ann.press("y")
        await ann.reads("That did not work")
        await ann.press("escape")
        await ann.reaches(DailyScreen)
        await answered(ann)
        await ann.reads("The deal of 2026-11-30")
        await ann.press("right")
        await ann.reads("The deal of the day, 2026-12-01")


class TestAsOftenAsOneLikes:
    async def test_todays_deal_once_the_attempt_is_over(self, ann: Person) -> None:
        await ann.press("p")
        await ann.reads("its cards are shown to you once your ranked attempt is over")
        await loses(ann)
        await ann.press("p")
        await ann.reaches(RaceScreen)
        picture = ann.session.picture
        assert picture is not None
        assert (picture.life.daily, picture.life.ranked, picture.life.deal) == (DAY, False, 1)

    async def test_a_past_day_from_the_archive(self, ann: Person) -> None:
        await ann.press("a")
        assert isinstance(ann.app.screen, ArchiveWindow)
        await ann.press("down", "down", "enter")
        await ann.reads(f"The deal of {shifted(DAY, -2)}")
        await answered(ann)
        assert ann.text.count("not played") == 2
        await ann.press("s")
        await ann.reads("this day is over; p plays its deal, unranked")
        await ann.press("p")
        await ann.reaches(RaceScreen)
        picture = ann.session.picture
        assert picture is not None
        assert picture.life.daily == shifted(DAY, -2)

    async def test_the_archive_goes_back_to_the_first_day(self, ann: Person) -> None:
        await ann.press("a")
        window = ann.app.screen
        assert isinstance(window, ArchiveWindow)
        assert window.query_one(OptionList).option_count == 41
        await ann.press("end", "enter")
        await ann.reads("The deal of 2026-10-21")
        await answered(ann)

    async def test_days_are_turned_back_and_forth_and_there_is_none_before_the_first(
        self, ann: Person, server: House
    ) -> None:
        await put(server, "bob", 100_000, day=shifted(DAY, -1))
        await ann.press("left")
        await ann.reads(f"The deal of {shifted(DAY, -1)}")
        await ann.reads("bob")
        await ann.press("right", "right")
        await ann.reads(f"The deal of the day, {DAY}")
        for _ in range(41):
            await ann.press("left")
        await ann.reads("this is the first day here")
        await ann.reads("The deal of 2026-10-21")
        await ann.until(lambda: ann.text.count("not played") == 2)
        await ann.press("left")
        await ann.pilot.pause()
        assert "The deal of 2026-10-21" in ann.text
        await ann.press("b", "left")
        await ann.reads("Leaderboard of 2026-10-21, 4 free cells")

    async def test_the_result_of_another_race_on_it_does_not_tell_its_number(self, ann: Person) -> None:
        await loses(ann)
        await ann.press("p")
        await ann.reaches(RaceScreen)
        await ann.settled()
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("k")
        await ann.until(lambda: ann.app.clipboard.startswith(f"cellrace {DAY}, unranked, "))
        assert "deal 1" not in ann.app.clipboard


class TestBoards:
    async def test_all_kinds_of_them(self, ann: Person, server: House) -> None:
        await put(server, "bob", 100_000, actions=120)
        await put(server, "cleo", 110_000, actions=100, taken_back=1)
        await put(server, "dan", 120_000, actions=110, hinted=True)
        await ann.press("b")
        await ann.reaches(BoardsScreen)
        for key, names in (
            ("1", ["bob", "cleo", "dan"]),
            ("2", ["cleo", "dan", "bob"]),
            ("3", ["bob", "dan"]),
            ("4", ["bob", "cleo"]),
        ):
            await ann.press(key)
            await lists(ann, *names)
        await ann.press("c")
        await ann.reads("nobody is on this board yet")

    async def test_days_and_months(self, ann: Person, server: House) -> None:
        await put(server, "bob", 100_000, day="2026-11-29")
        await put(server, "cleo", 100_000, day="2026-10-25")
        await ann.press("b", "left")
        await ann.reaches(BoardsScreen)
        await lists(ann, "bob")
        await ann.press("m")
        await ann.reads("Leaderboard of 2026-11, 4 free cells")
        await lists(ann, "bob")
        assert "2026-11-29" in ann.text
        await ann.press("left")
        await lists(ann, "cleo")
        await ann.press("m")
        await ann.reads("Leaderboard of 2026-10-21, 4 free cells")  # the first day of the server
        await ann.press("m")
        await lists(ann, "cleo")
        await ann.press("right", "right")
        await ann.reads("Leaderboard of 2026-11, 4 free cells")
        await ann.press("m")
        await ann.reads("Leaderboard of 2026-11-30, 4 free cells")

    async def test_ones_own_line_is_there_however_far_down(self, tmp_path: Path, server: House) -> None:
        async with at_the_desk(tmp_path, server, size=(80, 24)) as ann:
            for place in range(70):
                name = NAMES[place % len(NAMES)]
                player = f"{name[0] * 14}{chr(97 + place // 10)}{chr(97 + place % 10)}"
                await put(server, f"{name}{place}", 100_000 + place, player=player)
            await put(server, "ann", 200_000, player=ann.app.desk.player)
            await ann.press("b")
            await ann.reaches(BoardsScreen)
            await ann.reads("71st")
            assert "ann (you)" in ann.text
            await ann.press(*["pagedown"] * 4)
            await ann.until(lambda: len(board_of(ann)) == 71)
            await ann.press(*["pagedown"] * 3)
            await ann.reads("▸ 71st  ann (you)")
            await ann.press("pageup", "up")
            await ann.until(lambda: "▸ 71st" not in ann.text)

    async def test_a_replay_is_closed_before_one_has_played(self, ann: Person, server: House) -> None:
        bob = await server.guest("bob")
        await run(bob, server, 60_000)
        await ann.press("b", "1")
        await ann.reaches(BoardsScreen)
        await lists(ann, "bob")
        await ann.press("enter")
        await ann.reads("play your own ranked attempt first")
        await ann.press("escape")
        await ann.reaches(DailyScreen)
        await begins(ann)
        await ann.app.go_home()
        await ann.reaches(DailyScreen)
        await answered(ann)
        await ann.press("b")
        await ann.reaches(BoardsScreen)
        await answered(ann)
        await ann.press("enter")
        await ann.reads("your own ranked attempt still runs")

    async def test_a_row_opens_its_replay_and_leads_back(self, ann: Person, server: House) -> None:
        bob, cleo = await server.guest("bob"), await server.guest("cleo")
        await run(bob, server, 60_000)
        await run(cleo, server, 70_000)
        await loses(ann)
        await ann.press("b")
        await ann.reaches(BoardsScreen)
        await lists(ann, "bob", "cleo")
        await ann.press("down", "enter")
        await ann.reaches(ReplayScreen)
        await ann.reads("cleo")
        assert ann.app.replay is not None
        assert ann.app.replay.player == cleo.id
        assert not any("cleo" in recent.others for recent in ann.app.preferences.recent), (
            "it was only looked at"
        )
        await ann.press("escape")
        await ann.reaches(BoardsScreen)
        await lists(ann, "bob", "cleo")
        await ann.press("enter")
        await ann.reaches(ReplayScreen)
        await ann.reads("bob")

    async def test_a_click_chooses_a_row_and_another_opens_it(self, ann: Person, server: House) -> None:
        bob = await server.guest("bob")
        await run(bob, server, 60_000)
        await put(server, "ada", 50_000)
        await loses(ann)
        await ann.press("b")
        await ann.reaches(BoardsScreen)
        await lists(ann, "ada", "bob")
        assert await ann.pilot.click("#board-lines", offset=(5, 2))
        await ann.reads("▸ 2nd   bob")
        assert await ann.pilot.click("#board-lines", offset=(5, 2))
        await ann.reaches(ReplayScreen)


def board_of(somebody: Person) -> tuple[str, ...]:
    board = somebody.app.desk.shown_board
    return tuple(line.name for line in board.lines) if board else ()


async def lists(somebody: Person, *names: str) -> None:
    """Wait until these are on the board, in this order, and drawn."""
    await somebody.until(lambda: board_of(somebody) == names and all(name in somebody.text for name in names))


class TestRecord:
    async def test_it_tells_of_days_and_streaks(self, tmp_path: Path) -> None:
        async with daily(tmp_path, (120, 40), played=False) as (ann, _):
            await ann.press("m")
            await ann.reaches(MeScreen)
            await answered(ann)
            for text in ("days played: 7", "days won: 6", "days in a row: 3", "most in a row: 3"):
                assert text in ann.text
            assert "2026-11-26  not won" in ann.text
            await ann.press("b")
            await ann.reaches(BoardsScreen)
            await ann.press("escape")
            await ann.reaches(DailyScreen)

    async def test_nothing_is_asked_twice_for_it(self, ann: Person) -> None:
        async def asked_for(*keys: str) -> int:
            link = ann.app.desk.link
            before = link.session.speech.next_q if link.session else 0
            await ann.press(*keys)
            await ann.reaches(MeScreen)
            await answered(ann)
            return link.session.speech.next_q - before if link.session else 0

        today = await asked_for("m")
        await ann.press("escape", "left")
        await ann.reaches(DailyScreen)
        await answered(ann)
        assert await asked_for("m") == today + 2, "another day is looked at: both deals of today besides"

    async def test_it_tells_of_an_attempt_that_runs(self, ann: Person, server: House) -> None:
        await begins(ann)
        await ann.app.go_home()
        await ann.reaches(DailyScreen)
        await answered(ann)
        await ann.press("left", "m")
        await ann.reaches(MeScreen)
        await answered(ann)
        await server.clock.advance(600_000)
        await ann.ticks()
        assert ann.text.count("running: 10:00, 50:00 left") == 1, "at the deal that it is at"
        await server.clock.advance(3_000_000)
        await ann.ticks()
        assert "running" not in ann.text


class TestGhosts:
    async def test_a_friends_attempt_is_a_bar_that_moves_by_the_clock(
        self, ann: Person, server: House
    ) -> None:
        bob = await server.guest("bob")
        await run(bob, server, 100_000)
        await fresh(ann)
        await ann.press("g")
        assert isinstance(ann.app.screen, GhostWindow)
        await ann.press("down", "enter")
        await ann.reads("against the ghost of bob")
        await ann.reads("the ghost of bob will race you: s is the ranked attempt")
        await begins(ann)
        await ann.until(lambda: ann.app.link.ghost is not None)
        await ann.ticks()
        assert ghost_row(ann).endswith(" 0/52")
        ghost = ann.app.link.ghost
        assert ghost is not None
        await server.clock.advance(90_000)
        await ann.ticks()
        assert ghost_row(ann).endswith(f"{ghost.home(90_000)}/52")
        assert 0 < ghost.home(90_000) < 52
        await server.clock.advance(10_000)
        await ann.ticks()
        assert "won in 1:40.000" in ann.text

    async def test_one_is_chosen_on_a_board(self, ann: Person, server: House) -> None:
        await run(await server.guest("bob"), server, 100_000)
        await ann.press("b", "1")
        await ann.reaches(BoardsScreen)
        await lists(ann, "bob")
        await ann.press("g")
        await ann.reaches(DailyScreen)
        await ann.reads("against the ghost of bob")
        await ann.reads("the ghost of bob will race you: s is the ranked attempt")
        await ann.press("2")
        await ann.until(lambda: "against the ghost of bob" not in ann.text)
        await ann.press("4", "g", "enter")
        await ann.until(lambda: "against the ghost of bob" not in ann.text)

    async def test_once_ones_attempt_is_over_there_is_only_the_unranked_race_for_it(
        self, ann: Person, server: House
    ) -> None:
        await run(await server.guest("bob"), server, 100_000)
        await begins(ann)
        await ann.press("x", "y", "q")
        await ann.reaches(DailyScreen)
        await fresh(ann)
        await ann.press("g", "down", "enter")
        await ann.reads("the ghost of bob will race you: p is an unranked race")
        await ann.press("b", "1")
        await ann.reaches(BoardsScreen)
        await lists(ann, "bob")
        await ann.press("g")
        await ann.reaches(DailyScreen)
        await ann.reads("the ghost of bob will race you: p is an unranked race")

    async def test_ones_own_race_again(self, ann: Person, server: House) -> None:
        await begins(ann)
        await server.clock.advance(5000)
        await ann.plays(MOVES[:20])
        home = sum(ann.board.home)
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("g")
        await ann.reaches(RaceScreen)
        await ann.until(lambda: ann.app.link.ghost is not None)
        await server.clock.advance(6000)
        await ann.ticks()
        assert ghost_row(ann).endswith(f"{home}/52")
        assert "ghost of ann" in ann.text
        assert "gave up, or ran out of time" in ann.text
        picture = ann.session.picture
        assert picture is not None
        assert (picture.life.deal, picture.life.ranked) == (1, False)
        assert ann.text.splitlines()[0].split("   ")[0].endswith(f"  deal 1  {DAY}, unranked")

    async def test_it_is_a_line_of_its_own_when_the_race_is_over(self, ann: Person, server: House) -> None:
        await run(await server.guest("bob"), server, 100_000)
        await fresh(ann)
        await ann.press("g", "down", "enter")
        await ann.reads("the ghost of bob will race you")
        await begins(ann)
        await ann.until(lambda: ann.app.link.ghost is not None)
        await server.clock.advance(5_000)
        await ann.plays(MOVES[:20])
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.reads("@ ghost of bob")
        await ann.press("l")
        await ann.until(lambda: "52│" in ann.text)
        top = next(line for line in ann.text.splitlines() if line.strip().startswith("52│"))
        assert "@" in top
        await ann.press("left", *["right"] * 9)
        await ann.reads("@ ghost of bob 52")

    async def test_it_is_there_again_when_one_comes_back_by_the_number_of_the_race(
        self, ann: Person, server: House
    ) -> None:
        race, ghost = await races_bobs_ghost(ann, server)
        await ann.app.go_home()
        await ann.reaches(DailyScreen)
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await ann.press("1")
        await ann.reaches(RaceScreen)
        await ann.reads("ghost of bob")
        assert (ann.session.race, ann.app.link.ghost) == (race, ghost)
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await ann.press("1")
        await ann.reaches(AfterScreen)
        await ann.reads("ghost of bob")

    async def test_it_is_there_again_when_one_goes_on_from_the_day(self, ann: Person, server: House) -> None:
        race, ghost = await races_bobs_ghost(ann, server)
        await ann.app.go_home()
        await ann.reaches(DailyScreen)
        await ann.press("g", "enter")  # against nobody, next time
        await ann.until(lambda: ann.app.desk.haunt is None)
        await ann.press("s")
        await ann.reaches(RaceScreen)
        await ann.reads("ghost of bob")
        assert (ann.session.race, ann.app.link.ghost) == (race, ghost)

    async def test_it_is_there_again_for_who_starts_the_program_anew(
        self, tmp_path: Path, server: House
    ) -> None:
        async with at_the_desk(tmp_path, server) as ann:
            race, ghost = await races_bobs_ghost(ann, server)
        here = Server(server.url, server_key(server.url))
        for entrance in (Attempt(DAY), Join(race)):  # as cellrace daily and cellrace join enter
            seating = Seating(here, Session(entrance), server.url)
            async with person(tmp_path, "ann", seating=seating, now_ms=server.clock.now_ms) as ann:
                await ann.reaches(RaceScreen)
                await ann.reads("ghost of bob")
                assert (ann.session.race, ann.app.link.ghost) == (race, ghost)

    async def test_where_nobody_has_won_there_is_none(self, ann: Person) -> None:
        await ann.press("g")
        await ann.reads("nobody has won it yet")


async def races_bobs_ghost(ann: Person, server: House) -> tuple[str, Ghost]:
    """Ann begins her attempt against the ghost of bob, who has won his; her race, and the ghost."""
    await run(await server.guest("bob"), server, 100_000)
    await fresh(ann)
    await ann.press("g", "down", "enter")
    await ann.reads("the ghost of bob will race you")
    await begins(ann)
    await ann.until(lambda: ann.app.link.ghost is not None)
    assert ann.app.link.ghost is not None
    return ann.session.race, ann.app.link.ghost


def ghost_row(somebody: Person) -> str:
    """The line below the ghost's name."""
    lines = somebody.text.splitlines()
    place = next(place for place, line in enumerate(lines) if "ghost of" in line)
    return lines[place + 1].rstrip()


class TestTheDesk:
    async def test_a_lost_connection_is_told_and_made_again(self, tmp_path: Path, server: House) -> None:
        async with bad_line(server.url) as line, at_the_desk(tmp_path, server, url=line.url) as ann:
            await put(server, "bob", 100_000)
            line.carrying.clear()
            line.cut_all()
            await ann.reads("trying again")
            line.carrying.set()
            await ann.press("b")
            await ann.reaches(BoardsScreen)
            await lists(ann, "bob")
            assert "trying again" not in ann.text

    async def test_in_a_race_it_is_not_missed(self, ann: Person) -> None:
        await begins(ann)
        desk = ann.app.desk.link
        asleep = stands_still(ann, desk)
        desk.drop()
        await ann.until(lambda: asleep and desk.is_waiting)
        assert not ann.app.is_waiting
        assert "F5" not in ann.text
        await ann.app.go_home()
        await ann.reaches(DailyScreen)
        await ann.reads("F5 try now")

    async def test_it_is_asked_again_after_a_while(self, ann: Person, server: House) -> None:
        assert "bob" not in ann.text
        await put(server, "bob", 100_000)
        await server.clock.advance(20_000)
        await ann.ticks()
        await ann.reads("bob")

    async def test_a_server_that_there_is_not(self, tmp_path: Path) -> None:
        async with person(tmp_path, "eve", "--server", "ws://127.0.0.1:9") as eve:
            await eve.reaches(HomeScreen)
            await eve.press("d")
            await eve.reads("nothing listens there")
            assert isinstance(eve.app.screen, Reading)
            await eve.press("escape")
            await eve.reaches(HomeScreen)

    async def test_on_a_server_of_ones_own(self, tmp_path: Path) -> None:
        async with person(tmp_path, "eve") as eve:
            await eve.reaches(HomeScreen)
            await eve.press("d")
            await eve.reaches(DailyScreen)
            await answered(eve)
            assert eve.text.count("not started") == 2
            await begins(eve)
            await eve.app.go_home()
            await eve.reaches(DailyScreen)
            await answered(eve)
            assert "running: 0:0" in eve.text
            await eve.press("escape")
            await eve.reaches(HomeScreen)
            await eve.reads("daily 20")

    async def test_a_server_of_ones_own_that_ends(self, tmp_path: Path) -> None:
        async with person(tmp_path, "eve") as eve:
            await eve.reaches(HomeScreen)
            await eve.press("d")
            await eve.reaches(DailyScreen)
            await answered(eve)
            assert eve.app.upkeep.own is not None
            await eve.app.upkeep.own.end()
            await eve.reads_wrapped("The server has ended")
            assert isinstance(eve.app.screen, Reading)
            await eve.press("escape")
            await eve.reaches(HomeScreen)

    async def test_help_names_its_keys(self, ann: Person) -> None:
        await ann.press("question_mark")
        await ann.reads("your ranked attempt: begin it, or go on with it")
