"""Racing against ghosts, by lines, on a real server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from client_cli.errors import ClientError
from client_cli.ghosts import Ghost, Haunt
from client_cli.haunting import milestones
from client_cli.screens.preferences import Preferences, Recent, save
from protocol import commands
from server.daily import almanac
from server.daily.calendar import starts_ms
from server.gateway import wire
from tests.client_cli.commands.running import command
from tests.clock import FakeClock
from tests.server.gateway.house import AT_ONCE, House, house
from tests.solutions import moves_of

DAY = "2026-11-30"
MOVES = moves_of(1)
OTHER_DEAL = replace(AT_ONCE, deal=617)


@pytest.fixture
async def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr(almanac, "deal_of", lambda value, cells: 1 if cells == 4 else 2)
    (tmp_path / "house").mkdir()
    async with house(tmp_path / "house", clock=FakeClock(starts_ms(DAY) + 3_600_000)) as built:
        yield built


@pytest.fixture
async def attempt(home: House) -> str:
    """The name of bob's attempt, who has won in a minute: half of his moves at 30 s, the rest at its end."""
    bob = await home.guest("bob")
    race = await bob.attempt(DAY)
    for some in (MOVES[:60], MOVES[60:]):
        await home.clock.advance(30_000)
        for move in some:
            await bob.did(commands.Move, race, move=move)
    return race


def first(error: BaseException) -> str:
    """What the command said: errors of a conversation come in a group."""
    while isinstance(error, ExceptionGroup):
        (error,) = error.exceptions
    assert isinstance(error, ClientError)
    return str(error)


async def test_a_friends_attempt_by_his_name(home: House, attempt: str, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        running.type("5a\np\nresign\n")
        assert await running.run("daily", "--yes", "--ghost", "Bob", "--server", home.url) == 0
        assert "You race against the ghost of bob.\n" in running.shown
        assert "ann (you): 0 of 52 home, 1 action\nghost of bob: 0 of 52 home\n" in running.shown
        assert "ghost of bob: won in 1:00.000\n" in running.shown
    assert (await home.log(attempt))[-1].seq > len(MOVES)


async def test_an_attempt_by_its_own_name_even_one_that_was_not_won(home: House, tmp_path: Path) -> None:
    bob = await home.guest("bob")
    race = await bob.attempt(DAY)
    await home.clock.advance(5000)
    await bob.did(commands.Resign, race)
    async with command(tmp_path) as running:
        running.type("resign\n")
        assert await running.run("daily", "--yes", "--ghost", race, "--server", home.url) == 0
        assert "ghost of bob: gave up, or ran out of time\n" in running.shown


async def test_to_a_person_it_is_told_now_and_then(home: House, attempt: str, tmp_path: Path) -> None:
    async with command(tmp_path, is_interactive=True) as running:
        given = ("daily", "--text", "--yes", "--ghost", attempt, "--server", home.url)
        playing = asyncio.create_task(running.run(*given))
        await running.screen.shows("You race against the ghost of bob.")
        await running.screen.shows("ghost of bob: 17 of 52 home")
        await running.screen.shows("ghost of bob: won in 1:00.000")
        running.type("resign\n")
        await running.screen.shows("[y/N]")
        running.type("y\n")
        assert await playing == 0


async def test_the_way_back_that_is_printed_names_it(home: House, attempt: str, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        running.end()
        assert await running.run("daily", "--yes", "--ghost", "bob", "--server", home.url) == 0
        way = f"cellrace daily --ghost bob --server {home.url}\n"
        assert running.shown.endswith(f"come back with: {way}")
    async with command(tmp_path) as running:
        running.type("resign\n")
        assert await running.run(*way.split()[1:]) == 0
        assert "Your ranked attempt goes on." in running.shown
        assert "ghost of bob: won in 1:00.000\n" in running.shown


async def test_one_that_was_chosen_on_the_full_screen_is_there_by_lines(
    home: House, attempt: str, tmp_path: Path
) -> None:
    async with command(tmp_path) as running:
        running.end()
        assert await running.run("daily", "--yes", "--server", home.url) == 0
        assert "ghost" not in running.shown
    (race,) = [name for name in await home.node.store.list_logs("daily:") if not name.endswith(attempt)]
    assert save(tmp_path, Preferences().with_race(Recent(race, home.url, against=Haunt(attempt)))) == ""
    async with command(tmp_path) as running:
        running.type("resign\n")
        assert await running.run("daily", "--server", home.url) == 0
        assert "You race against the ghost of bob.\n" in running.shown
        assert "ghost of bob: won in 1:00.000\n" in running.shown


async def test_who_has_not_won_is_not_found(home: House, attempt: str, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        with pytest.raises(ClientError, match="nobody called cleo has won that deal"):
            await running.run("daily", "--ghost", "cleo", "--server", home.url)
        with pytest.raises(ClientError, match="nobody called bob has won that deal"):
            await running.run("daily", "--ghost", "bob", "--cells", "2", "--server", home.url)
        assert len(await home.node.store.list_logs(f"daily:{DAY}")) == 1


async def test_an_attempt_that_still_runs_is_no_ghost(home: House, tmp_path: Path) -> None:
    bob = await home.guest("bob")
    race = await bob.attempt(DAY)
    async with command(tmp_path) as running:
        running.type("resign\n")
        assert await running.run("daily", "--yes", "--ghost", race, "--server", home.url) == 0
        assert "Refused: that shows the cards of the day" in running.shown
        assert "ghost of bob" not in running.shown


async def test_ones_own_race_again(home: House, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        running.type(" ".join(MOVES[:40]) + "\nresign\n")
        assert await running.run("play", "--deal", "7", "--cells", "3", "--server", home.url) == 0
    (race,) = await home.node.store.list_logs("race:")
    code = race.removeprefix("race:")
    async with command(tmp_path) as running:
        running.type("p\nresign\n")
        assert await running.run("play", "--ghost", code, "--server", home.url) == 0
        assert "deal 7 (FC1-C3-" in running.shown
        assert "You race against the ghost of ann.\n" in running.shown
        assert "ghost of ann: gave up, or ran out of time\n" in running.shown


async def test_none_goes_along_into_a_rematch(home: House, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        running.type("resign\n")
        assert await running.run("play", "--deal", "7", "--server", home.url) == 0
    (race,) = await home.node.store.list_logs("race:")
    given = ("play", "--text", "--ghost", race.removeprefix("race:"), "--server", home.url)
    async with command(tmp_path, is_interactive=True) as running:
        playing = asyncio.create_task(running.run(*given))
        await running.screen.shows("You race against the ghost of ann.")
        running.type("resign\ny\n")
        await running.screen.shows("Type rematch for another race")
        await running.screen.shows("ghost of ann: gave up")
        told = running.shown.rindex("ghost of ann") + len("ghost of ann")
        running.type("rematch\n")
        await running.screen.shows("Your cards are dealt")
        running.type("p\nresign\ny\n")
        await running.screen.shows("Type rematch for another race")
        assert "Standings:" in running.shown[told:]
        assert "ghost" not in running.shown[told:]
        running.type("q\n")
        assert await playing == 0


async def test_somebody_elses_race_is_against_its_winner(
    home: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PAGE_CURVES", 1)  # so that the winner is not on the first page
    bob, cleo = await home.guest("bob"), await home.guest("cleo")
    race = await home.race(bob, cleo, settings=OTHER_DEAL)
    for move in moves_of(617):
        await cleo.did(commands.Move, race, move=move)
    async with command(tmp_path) as running:
        with pytest.raises((ClientError, ExceptionGroup)) as raised:
            await running.run("play", "--ghost", race, "--server", home.url)
        assert "is not over" in first(raised.value)
    await bob.did(commands.Resign, race)
    await bob.reach(race, "over")
    async with command(tmp_path) as running:
        running.type("resign\n")
        assert await running.run("play", "--ghost", race, "--server", home.url) == 0
        assert "You race against the ghost of cleo.\n" in running.shown


async def test_races_that_are_no_ghosts(home: House, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        for given, why in (
            (("--ghost", "ABCDEFGH"), "there is no race with this code"),
            (("--ghost", "hello"), "is no race code"),
            (("--ghost", "ABCDEFGH", "--deal", "1"), "deal and rules are those of its race"),
        ):
            with pytest.raises((ClientError, ExceptionGroup)) as raised:
                await running.run("play", *given, "--server", home.url)
            assert why in first(raised.value)


async def test_a_race_that_was_never_started_is_none(home: House, tmp_path: Path) -> None:
    bob = await home.guest("bob")
    race = await bob.create(OTHER_DEAL)
    await bob.did(commands.Leave, race)
    async with command(tmp_path) as running:
        with pytest.raises((ClientError, ExceptionGroup)) as raised:
            await running.run("play", "--ghost", race, "--server", home.url)
        assert "was never started" in first(raised.value)


def test_a_ghost_is_worth_a_word_at_its_marks_and_its_end() -> None:
    ghost = Ghost("bob", ((0, 0), (1000, 9), (2000, 10), (3000, 5), (4000, 11), (5000, 31), (9000, 52)))
    assert milestones(ghost) == [2000, 5000, 9000]
    assert milestones(Ghost("bob", ((0, 0), (700, 0)))) == [700]
