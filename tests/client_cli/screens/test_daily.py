"""The deal of the day on the full screen: attempts, ranked or not, and the desk when things go wrong."""

from pathlib import Path

from textual.widgets import OptionList

from client_cli.screens.after import AfterScreen
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen, DealPane
from client_cli.screens.daily_windows import ArchiveWindow
from client_cli.screens.dialogs import Question, Reading
from client_cli.screens.home import HomeScreen
from client_cli.screens.race import RaceScreen
from server.daily.calendar import ends_ms, shifted
from tests.client_cli.screens.at_the_desk import (
    ann,
    answered,
    at_the_desk,
    back,
    begins,
    lists,
    loses,
    server,
)
from tests.client_cli.screens.daily_scenes import DAY, MOVES, put
from tests.client_cli.screens.house import Person, person, stands_still
from tests.end_to_end.bad_line import bad_line
from tests.server.gateway.house import House

__all__ = ["ann", "server"]


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
