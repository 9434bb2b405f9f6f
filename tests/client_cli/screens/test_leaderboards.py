"""Leaderboards on the full screen, and one's record."""

from pathlib import Path

from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.me import MeScreen
from client_cli.screens.replay import ReplayScreen
from tests.client_cli.screens.at_the_desk import (
    ann,
    answered,
    at_the_desk,
    begins,
    board_of,
    lists,
    loses,
    server,
)
from tests.client_cli.screens.daily_scenes import NAMES, daily, put, run
from tests.client_cli.screens.house import Person
from tests.server.gateway.house import House

__all__ = ["ann", "server"]


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
