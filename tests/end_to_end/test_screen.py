"""The full screen as people run it: two terminals, keys and mouse, a race to the end and a rematch."""

import asyncio
import codecs
import contextlib
import fcntl
import os
import pty
import re
import struct
import termios
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from client_cli.screens.board_view import shape_for
from client_cli.screens.card_table import ROOM_FOR
from tests.end_to_end.bad_line import bad_line
from tests.end_to_end.program import ROOT, installed
from tests.solutions import moves_of

WIDTH, HEIGHT = 120, 40
CUT_S = 5.0
PATIENCE_S = 40.0

_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[PX^_].*?\x1b\\|[@-Z\\-_])")


class Terminal:
    """A terminal with a program in it. What it shows is searched without its escape codes."""

    def __init__(self, process: asyncio.subprocess.Process, descriptor: int) -> None:
        self.process = process
        self.shown = ""
        self._rest = ""
        self._seen = 0
        self._descriptor = descriptor
        self._changed = asyncio.Event()
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        asyncio.get_running_loop().add_reader(descriptor, self._read)

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    def click(self, x: int, y: int) -> None:
        """Press and release the left button on a cell, counted from 0."""
        self.type(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    async def shows(self, pattern: str) -> re.Match[str]:
        """Wait until that is drawn, after what was waited for before."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (found := re.compile(pattern).search(self.shown, self._seen)) is None:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            shown = " ".join(self.shown.split())[-2500:]
            raise AssertionError(f"{pattern!r} was never shown:\n{shown}") from None
        self._seen = found.end()
        return found

    async def ends(self) -> int:
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # how a terminal whose last program has ended says so
            self._take(self._decoder.decode(os.read(self._descriptor, 1 << 20)))
        self._changed.set()

    def _take(self, text: str) -> None:
        """Add what is no escape code; one that is not complete waits for its rest."""
        text, self._rest = self._rest + text, ""
        cut = text.rfind("\x1b")
        if cut >= 0 and _ESCAPES.match(text, cut) is None:
            text, self._rest = text[:cut], text[cut:]
        self.shown += _ESCAPES.sub("", text)


@contextlib.asynccontextmanager
async def terminal(folder: Path, name: str, *arguments: str) -> AsyncIterator[Terminal]:
    """The installed `cellrace` in a terminal of its own."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    environment = {"CELLRACE_HOME": str(folder / name), "CELLRACE_NAME": name, "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        *(installed("cellrace"), *arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**_without_size(os.environ), "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
        cwd=ROOT,
        start_new_session=True,
    )
    os.close(theirs)
    screen = Terminal(process, ours)
    try:
        yield screen
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        screen.close()


def _without_size(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would be taken for the size of the terminal."""
    return {name: value for name, value in environment.items() if name not in {"COLUMNS", "LINES"}}


def keys(move: str) -> str:
    """A move as it is typed: the number of cards, if one is said, before where they go."""
    return f"{move[0]}v{move[3]}{move[1]}" if "v" in move else move


@pytest.mark.timeout(200)
async def test_two_people_race(tmp_path: Path) -> None:
    options = ("--listen", "127.0.0.1:0", "--deal", "1", "--countdown", "0", "--watch", "live")
    async with terminal(tmp_path, "ann", "host", *options) as ann:
        race, url = (await ann.shows(r"cellrace join ([A-Z]{8}) --server (ws://[\d.:]+)")).groups()
        async with (
            bad_line(url) as line,
            terminal(tmp_path, "bob", "join", race, "--server", line.url) as bob,
        ):
            await bob.shows("2 of 8 seats taken")
            bob.type("y")
            await ann.shows("bob")
            ann.type("y")
            await bob.shows("deal 1 ")
            await ann.shows("deal 1 ")
            await ann.shows("x resign")
            # Ann begins with the mouse: the last card of column 5, then cell a.
            shape = shape_for(round(WIDTH * 0.68), HEIGHT - 3, ROOM_FOR)
            ann.click(1 + 4 * shape.stride + 3, 1 + shape.cascade_top + 5 * shape.step)
            await ann.shows("▸")
            ann.click(1 + 3, 1 + 1)
            await ann.shows("1 action")
            # Bob's net is gone for a while; he plays on, and what he did arrives once it is back.
            line.carrying.clear()
            line.cut_all()
            await bob.shows("trying again in")
            bob.type("5a5b")
            first, *rest = moves_of()
            assert first == "5a"
            ann.type("".join(keys(move) for move in rest[:60]))
            await asyncio.sleep(CUT_S)  # the length of the outage is the point
            line.carrying.set()
            await bob.shows("2 actions")
            await ann.shows("61 actions")
            ann.type("".join(keys(move) for move in rest[60:]))
            await bob.shows("ann: 1st")
            bob.type("xy")
            await ann.shows("The race is over")
            await bob.shows("The race is over")
            ann.type("m")
            await ann.shows("in the lobby")
            bob.type("m")
            await bob.shows("in the lobby")
            await ann.shows("2 of 8 seats taken")
            bob.type("\x11")
            assert await bob.ends() == 0
            ann.type("\x11")
            await ann.shows("The server ends with you")
            ann.type("y")
            assert await ann.ends() == 0
            for screen in (ann, bob):
                assert "Traceback" not in screen.shown


@pytest.mark.timeout(120)
async def test_somebody_watches_and_looks_at_it_again(tmp_path: Path) -> None:
    options = ("--listen", "127.0.0.1:0", "--deal", "1", "--countdown", "0", "--watch", "live")
    async with terminal(tmp_path, "ann", "host", *options) as ann:
        race, url = (await ann.shows(r"cellrace join ([A-Z]{8}) --server (ws://[\d.:]+)")).groups()
        async with terminal(tmp_path, "walt", "watch", f"{url}/{race}") as walt:
            await walt.shows("waiting for the start")
            ann.type("s")
            await walt.shows("A ann")
            ann.type("5a5b")
            await walt.shows("2 actions")
            walt.type("l")
            await walt.shows("the arrows look at a moment of it")
            ann.type("xy")
            await walt.shows("The race is over")
            walt.type("\x11")
            assert await walt.ends() == 0
        async with terminal(tmp_path, "walt", "replay", race, "--server", url) as walt:
            await walt.shows("step 0 of 2")
            walt.type(".")
            await walt.shows("  5a")
            walt.type("\x11")
            assert await walt.ends() == 0
            assert "Traceback" not in walt.shown


@pytest.mark.timeout(60)
async def test_ended_by_the_system_it_gives_the_terminal_back(tmp_path: Path) -> None:
    async with terminal(tmp_path, "ann") as ann:
        await ann.shows("play now")
        ann.process.terminate()
        assert await ann.ends() == 0
