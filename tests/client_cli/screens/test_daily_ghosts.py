"""Racing against somebody's attempt at the deal of the day, on the full screen."""

from pathlib import Path

from client_cli.ghosts import Ghost
from client_cli.identity import server_key
from client_cli.screens.after import AfterScreen
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.daily_windows import GhostWindow
from client_cli.screens.home import HomeScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.seating import Seating
from client_cli.session import Session
from client_cli.wiring import Server
from protocol.commands import Attempt, Join
from tests.client_cli.screens.at_the_desk import ann, at_the_desk, begins, lists, server
from tests.client_cli.screens.daily_scenes import DAY, MOVES, fresh, run
from tests.client_cli.screens.house import Person, person
from tests.server.gateway.house import House

__all__ = ["ann", "server"]


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
