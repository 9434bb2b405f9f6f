"""The client's commands against the real server, as people run them."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.end_to_end.program import Home, Program
from tests.solutions import moves_of

SOLUTION = " ".join(moves_of())


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, "ann")


def code_in(shown: str) -> str:
    return shown.partition("Race code: ")[2].split()[0]


def child_of(program: Program) -> int:
    """The one process that the program has started."""
    children = Path(f"/proc/{program.process.pid}/task/{program.process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not tell the children of a process")
    return int(children.read_text().split()[0])


class TestPlay:
    async def test_without_a_terminal_and_without_input(self, home: Home) -> None:
        status, shown = await home.run("play", "--deal", "1")
        lines = shown.splitlines()
        assert status == 0
        assert lines[0].startswith("Race code: ")
        assert "J♦\t2♦\t9♥\tJ♣\t5♦\t7♥\t7♣\t5♥" in lines
        assert "Standings:" in lines
        assert lines[-1] == "The race goes on without you; come back with: cellrace play"
        assert "\x1b" not in shown

    async def test_a_whole_race_and_its_replay(self, home: Home) -> None:
        status, shown = await home.run("play", "--deal", "1", text=SOLUTION)
        assert status == 0
        assert "All 52 cards are home: you have finished!" in shown
        assert "ann (you): 1st in 0:0" in shown
        status, notation = await home.run("replay", code_in(shown), "--local", "--notation")
        assert status == 0
        verified = await home.run("verify", "--deal", "1", text=notation, module="server.cli")
        assert verified == (0, "won after 115 moves\n")

    async def test_letters_only(self, home: Home) -> None:
        status, shown = await home.run("play", "--deal", "1", "--ascii")
        assert status == 0
        assert shown.isascii()
        assert "JD\t2D\t9H\tJC\t5D\t7H\t7C\t5H" in shown

    async def test_a_race_that_was_left_goes_on(self, home: Home) -> None:
        _, first = await home.run("play", "--deal", "1", text="5a 5b\n")
        _, second = await home.run("play", text="u\n")
        assert "going on with it" in second
        assert f"You have a seat in race {code_in(first)}." in second
        assert "Undone: 8♥ from cell b to column 5" in second
        _, other = await home.run("play", "--new")
        assert code_in(other) != code_in(first)

    async def test_refusals_are_in_the_servers_words(self, home: Home) -> None:
        _, shown = await home.run("play", "--deal", "1", text="5h 5a\nh\nc 3\n")
        assert "Refused: 5h: 6♣ cannot go home yet: the foundation of clubs waits for A♣" in shown
        assert "Not tried: 5a" in shown
        assert "Refused: this race is without hints" in shown
        assert "From column 3:" in shown

    async def test_only_one_at_a_time_on_one_store(self, home: Home) -> None:
        async with home.start("play") as first:
            await first.shows("Standings:")
            status, shown = await home.run("play")
            assert status == 1
            assert len(shown.splitlines()) == 1
            assert "CELLRACE_HOME" in shown

    async def test_the_server_does_not_outlive_a_killed_client(self, home: Home) -> None:
        async with home.start("play", "--deal", "1") as first:
            await first.shows("Standings:")
            first.type("5a\n")
            await first.shows("6♣ from column 5 to cell a")
            server = os.pidfd_open(child_of(first))
            first.process.kill()
            await first.ends()
        await ended(server)
        _, shown = await home.run("play", text="u\n")
        assert "Undone: 6♣ from cell a to column 5" in shown

    async def test_a_killed_server_is_told_and_its_races_are_kept(self, home: Home) -> None:
        async with home.start("play", "--deal", "1") as first:
            await first.shows("Standings:")
            first.type("5a\n")
            await first.shows("6♣ from column 5 to cell a")
            os.kill(child_of(first), signal.SIGKILL)
            assert await first.ends() == 1
            assert first.shown.splitlines()[-1].startswith(
                "cellrace: the server on this machine has ended by itself"
            )
        _, shown = await home.run("play", text="u\n")
        assert "Undone: 6♣ from cell a to column 5" in shown


class TestInATerminal:
    async def test_a_person_plays_and_interrupts(self, home: Home) -> None:
        async with home.start_in_terminal(
            "play", "--text", "--deal", "1", "--countdown", "4", "--no-color"
        ) as program:
            # On a busy machine the first of these seconds may pass before anybody is told.
            await program.shows("The race starts in ")
            await program.shows("Standings:")
            program.type("5a\n")
            await program.shows("6♣ from column 5 to cell a (0 of 52 home, 1 action, 0:0")
            program.type("b\n")
            await program.shows("6♣\t-\t-\t-")
            program.type("l a\nboards\n")
            await program.shows("cell a: 6♣")
            await program.shows("6♣\t-\t-\t-")
            program.type("u\n")
            await program.shows("Undone: 6♣ from cell a to column 5")
            await program.shows("-\t-\t-\t-")
            program.type("zz\n")
            await program.shows("Refused: zz: ")
            program.process.send_signal(signal.SIGINT)
            assert await program.ends() == 130
            assert "Traceback" not in program.shown

    async def test_colour_is_for_the_red_suits(self, home: Home) -> None:
        async with home.start_in_terminal("play", "--text", "--deal", "1") as program:
            await program.shows("Your cards are dealt: b shows the board")
            assert "\t" not in program.shown
            program.type("b\n")
            await program.shows("\x1b[31mJ♦\x1b[0m\t")
            program.type("q\ny\n")
            await program.shows("come back with: cellrace play")
            assert await program.ends() == 0


class TestTogether:
    async def test_host_join_watch_and_bot(self, home: Home, tmp_path: Path) -> None:
        bob, eve, robot = Home(tmp_path, "bob"), Home(tmp_path, "eve"), Home(tmp_path, "robot")
        (tmp_path / "moves").write_text(SOLUTION)
        listen = ("--listen", "127.0.0.1:0", "--deal", "1", "--watch", "live", "--countdown", "1")
        async with home.start("host", *listen) as host:
            invitation = (await host.shows("cellrace ")).split()
            assert invitation[0] == "join"
            code, url = invitation[1], invitation[3]
            async with (
                bob.start(*invitation) as joined,
                eve.start("watch", code, "--server", url) as watching,
                robot.start("bot", code, "--server", url, "--moves", str(tmp_path / "moves")) as bot,
            ):
                await watching.shows("Watching race")
                await host.shows("robot is ready.")
                joined.type("say hello all\n")
                await host.shows("bob says: hello all")
                host.type("/kick nobody\n/start\n")
                await host.shows("Nobody here is called nobody.")
                joined.type("5a\nresign\n")
                await joined.shows("6♣ from column 5 to cell a")
                await host.shows("1st in 0:0")
                host.type("resign\n")
                for program in (host, joined, watching, bot):
                    await program.shows("The race is over.")
                assert await bot.ends() == 0
                assert await watching.ends() == 0
                assert "bob: 6♣ from column 5 to cell a" in watching.shown
            assert await host.ends() == 0

    async def test_a_second_window_takes_the_seat_over(self, home: Home, tmp_path: Path) -> None:
        ann_again = ("--token-file", str(tmp_path / "token"))
        async with home.start("host", "--listen", "127.0.0.1:0", *ann_again) as host:
            command = (await host.shows("cellrace ")).split()
            async with home.start(*command, *ann_again) as second:
                await second.shows("You have a seat in race")
                assert await host.ends() == 1
                assert host.shown.splitlines()[-1].startswith("cellrace: ")

    async def test_codes_that_lead_nowhere(self, home: Home) -> None:
        async with home.start("host", "--listen", "127.0.0.1:0") as host:
            url = (await host.shows("--server ")).split()[0]
            for command in ("join", "watch", "replay"):
                status, shown = await home.run(command, "ABCDEFGH", "--server", url)
                assert status == 1
                assert len(shown.splitlines()) == 1
                assert shown.startswith("cellrace: ")


async def ended(process: int) -> None:
    """Wait until the process of that descriptor has ended."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(process, done.set)
    await done.wait()
    loop.remove_reader(process)
    os.close(process)


class TestAServerThatComesAndGoes:
    @pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
    async def test_the_race_goes_on_where_it_was(
        self, home: Home, tmp_path: Path, how: signal.Signals
    ) -> None:
        serve = ("serve", "--store", f"sqlite:{tmp_path / 'races.sqlite'}", "--port")
        async with home.start(*serve, "0", module="server.cli") as server:
            url = await server.shows("listening on ")
            async with home.start("play", "--deal", "1", "--server", url) as player:
                await player.shows("Standings:")
                player.type("5a\n")
                await player.shows("6♣ from column 5 to cell a")
                server.process.send_signal(how)
                await player.shows("trying again in")
                player.type("u 5b\n")
                await server.ends()
                async with home.start(*serve, url.rpartition(":")[2], module="server.cli"):
                    await player.shows("Back in race")
                    await player.shows("Undone: 6♣ from cell a to column 5")
                    await player.shows("6♣ from column 5 to cell b")
                    player.end_input()
                    assert await player.ends() == 0
