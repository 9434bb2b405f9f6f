"""The command replay."""

import os
from pathlib import Path

import pytest

from client_cli.commands.replay import _turned_to
from client_cli.errors import ClientError
from client_cli.hosting import ALONE_AT
from client_cli.local_server import local_server
from protocol.commands import Replay, Report, Watch
from protocol.errors import ErrorCode
from protocol.events import Mark, Refused, Replayed, Reported, Step, Watching
from tests.client_cli.at_table import ending_with
from tests.client_cli.commands.running import command
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.samples import BOB, LAYOUT, ME, RACE, life, racer, snapshot

WINNER = racer(BOB, "bob", state="finished", home=52, rank=1, ended_ms=9000)
STEPS = (
    Step(1500, "move", ("5a",), (("5", "a", 1),)),
    Step(2500, "undo", (), (("a", "5", 1),)),
    Step(3500, "move", ("3b",), (("3", "b", 1),)),
)


async def let_in(peer: Peer) -> None:
    await peer.greet()
    assert await peer.expect(Watch) == Watch(RACE, 0)
    await peer.tell(Watching(RACE, "boards"), snapshot("over", feed="watch", racers=(racer(), WINNER)))


def page(q: int, after: int, steps: tuple[Step, ...], *, more: bool = False) -> Replayed:
    return Replayed(RACE, q, BOB, "bob", 1, 4, "race", LAYOUT, after, steps, more)


async def two_pages(peer: Peer) -> None:
    await let_in(peer)
    assert await peer.expect(Replay) == Replay(RACE, 1, BOB)
    await peer.tell(page(1, 0, STEPS[:2], more=True))
    assert await peer.expect(Replay) == Replay(RACE, 2, BOB, 2)
    await peer.tell(page(2, 2, STEPS[2:]))
    await peer.stay()


async def test_the_winners_is_printed_whole(tmp_path: Path) -> None:
    async with serving(two_pages) as url, command(tmp_path) as running:
        assert await running.run("replay", RACE, "--server", url) == 0
        lines = running.shown.splitlines()
    assert lines[0] == "bob on deal 1 with 4 cells (race): 3 steps"
    assert "   1   0:01.500  move 5a: 6C from column 5 to cell a (0 of 52 home)" in lines
    assert "   2   0:02.500  undo: 6C from cell a to column 5 (0 of 52 home)" in lines
    assert "-\t2H\t-\t-\t-\t-\t-\t-" in lines


async def test_boards_between_the_steps_for_who_wants_them(tmp_path: Path) -> None:
    async with serving(two_pages) as url, command(tmp_path) as running:
        assert await running.run("replay", RACE, "--boards", "--server", url) == 0
        lines = running.shown.splitlines()
    boards = [line for line in lines if line.startswith("JD\t2D")]
    cells = [line for line in lines if line.startswith(("6C\t-", "-\t-", "-\t2H"))]
    assert len(boards) == len(cells) == 4
    assert [cell[:2] for cell in cells] == ["-\t", "6C", "-\t", "-\t"]


async def test_only_the_moves_that_count(tmp_path: Path) -> None:
    async with serving(two_pages) as url, command(tmp_path) as running:
        assert await running.run("replay", RACE, "--notation", "--player", "BOB", "--server", url) == 0
        assert running.shown == "3b\n"


async def test_only_until_when_it_could_be_won(tmp_path: Path) -> None:
    async def reported(peer: Peer) -> None:
        await let_in(peer)
        assert await peer.expect(Report) == Report(RACE, 1, ME, BOB)
        lost = Mark(2, 2000, "move", ("3b",))
        await peer.tell(Reported(RACE, 1, ME, "ann", 2, "unwinnable", Mark(1, 1000, "move", ("3a",)), lost))
        await peer.stay()

    async with serving(reported) as url, command(tmp_path) as running:
        assert await running.run("replay", RACE, "--report", "--player", "ann", "--server", url) == 0
        assert running.shown == "ann's game:\ncould not be won any more from step 2 (3b, 0:02) on\n"


async def test_stepping_through_it(tmp_path: Path) -> None:
    async with serving(two_pages) as url, command(tmp_path, is_interactive=True) as running:
        running.type("\n\nb\n0\n99\nq\n")
        assert await running.run("replay", RACE, "--server", url) == 0
        shown = running.shown
    told = [line.rpartition("> ")[2] for line in shown.splitlines() if " of 52 home)" in line]
    steps = [line.split()[0] for line in told]
    assert steps == ["1", "2", "1", "3"]
    assert shown.count("JD\t2D\t9H") == 1 + len(steps) + 1


async def test_the_end_of_input_ends_it(tmp_path: Path) -> None:
    async with serving(two_pages) as url, command(tmp_path, is_interactive=True) as running:
        running.end()
        assert await running.run("replay", RACE, "--server", url) == 0


@pytest.mark.parametrize(
    ("text", "shown", "step"),
    [("", 0, 1), ("", 3, 3), ("b", 2, 1), ("b", 0, 0), ("2", 0, 2), ("9", 0, 3), ("0", 3, 0), ("what", 1, 2)],
)
def test_where_one_gets(text: str, shown: int, step: int) -> None:
    assert _turned_to(text, shown, 3) == step


async def test_nobody_of_that_name(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await let_in(peer)
        await peer.stay()

    with ending_with("nobody called eve raced there; there were ann, bob"):
        async with serving(script) as url, command(tmp_path) as running:
            await running.run("replay", RACE, "--player", "eve", "--server", url)


async def test_nobody_won(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(Watching(RACE, "boards"), snapshot("over", feed="watch"))
        await peer.stay()

    with ending_with("nobody has won this race"):
        async with serving(script) as url, command(tmp_path) as running:
            await running.run("replay", RACE, "--server", url)


async def test_who_raced_alone_need_not_be_named(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(Watching(RACE, "boards"), snapshot("over", feed="watch", racers=(racer(),)))
        assert await peer.expect(Replay) == Replay(RACE, 1, ME)
        await peer.tell(page(1, 0, ()))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        assert await running.run("replay", RACE, "--server", url) == 0


async def test_a_race_that_is_not_over(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(Watching(RACE, "boards"), snapshot("running", feed="watch"))
        await peer.stay()

    with ending_with("this race is not over"):
        async with serving(script) as url, command(tmp_path) as running:
            await running.run("replay", RACE, "--server", url)


async def test_an_end_that_is_told_late_is_waited_for(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(Watching(RACE, "boards", delay_ms=30_000), snapshot("running", feed="watch"))
        over = snapshot("over", to=9, feed="watch", life=life("over"), racers=(WINNER,))
        await peer.tell(over)
        assert await peer.expect(Replay) == Replay(RACE, 1, BOB)
        await peer.tell(page(1, 0, STEPS))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        assert await running.run("replay", RACE, "--notation", "--server", url) == 0


async def test_a_refusal_is_told(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await let_in(peer)
        await peer.expect(Replay)
        await peer.tell(Refused(ErrorCode.NOT_OVER, "replays are open once the race is over", RACE, q=1))
        await peer.stay()

    with ending_with("replays are open once the race is over"):
        async with serving(script) as url, command(tmp_path) as running:
            await running.run("replay", RACE, "--server", url)


async def test_the_races_of_this_machine_while_another_has_them_open(tmp_path: Path) -> None:
    async with command(tmp_path) as replay:
        folder = replay.world.data_folder
        async with local_server(folder, *ALONE_AT, os.environ):
            with pytest.raises(ClientError, match=r"^cannot read the races of this machine"):
                await replay.run("replay", "ABCDEFGH", "--local")


async def test_nobody_there(tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        with ending_with("nothing listens there"):
            await running.run("replay", RACE, "--server", "ws://127.0.0.1:1")


async def test_a_replay_that_does_not_fit_its_deal(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await let_in(peer)
        await peer.expect(Replay)
        await peer.tell(page(1, 0, (Step(1, "move", ("a5",), (("a", "5", 1),)),)))
        await peer.stay()

    with pytest.raises(ClientError, match="does not fit"):
        async with serving(script) as url, command(tmp_path) as running:
            await running.run("replay", RACE, "--server", url)
