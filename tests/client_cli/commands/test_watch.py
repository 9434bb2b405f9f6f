"""The commands watch and bot."""

import asyncio
from pathlib import Path

import pytest

from client_cli.errors import ClientError
from protocol.commands import Join, Move, Watch
from protocol.events import Watching
from tests.client_cli.commands.running import command
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.samples import LAYOUT, OTHER_RACE, RACE, ack, seat, snapshot, update


async def test_a_watcher_without_a_terminal_stays_to_the_end(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        assert await peer.expect(Watch) == Watch(RACE, 0)
        await peer.tell(Watching(RACE, "progress", why="progress only"))
        await peer.tell(snapshot("running", feed="watch"), snapshot("over", to=9, feed="watch"))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        assert await running.run("watch", RACE, "--server", url) == 0
        assert running.shown.startswith("Watching race ABCDEFGH: progress only\n")
        assert "The race is over." in running.shown


async def test_a_watcher_at_a_terminal_may_leave(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(Watching(RACE, "progress"), snapshot("running", feed="watch"))
        await peer.stay()

    async with serving(script) as url, command(tmp_path, is_interactive=True) as running:
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(running.run("watch", RACE, "--server", url))
            await running.screen.shows("Standings:")
            running.type("q\n")
        assert watching.result() == 0


async def test_several_races_need_a_screen(tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        with pytest.raises(ClientError, match="full screen"):
            await running.run("watch", RACE, OTHER_RACE)


async def test_a_bot_plays_a_file(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        assert await peer.expect(Join) == Join(RACE, 0)
        await peer.tell(seat(board=LAYOUT), snapshot("running"))
        assert await peer.expect(Move) == Move(RACE, 1, 0, "5a")
        await peer.tell(ack(1, 1, ("5", "a", 1), seq=4), update(3, 4))
        peer.abort()

    async def again(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(snapshot("over", to=9))
        await peer.stay()

    (tmp_path / "moves").write_text("5a 5b\n")
    async with serving(script, again) as url, command(tmp_path) as running:
        assert await running.run("bot", RACE, "--moves", str(tmp_path / "moves"), "--server", url) == 0
        assert "6C from column 5 to cell a" in running.shown
        assert "trying again in 0.2 s" in running.shown
