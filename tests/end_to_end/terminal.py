"""A terminal with the full screen in it."""

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
from typing import Any

from tests.end_to_end.program import ROOT, installed

WIDTH, HEIGHT = 120, 40
PATIENCE_S = 40.0

_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[PX^_].*?\x1b\\|[@-Z\\-_])")


class Terminal:
    """A terminal with a program in it. What it shows is searched without its escape codes."""

    def __init__(self, process: asyncio.subprocess.Process, descriptor: int, modes: list[Any]) -> None:
        self.process = process
        self._modes = modes
        self.shown = ""
        self.raw = ""
        self._rest = ""
        self._seen = 0
        self._descriptor = descriptor
        self._changed = asyncio.Event()
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        asyncio.get_running_loop().add_reader(descriptor, self._read)

    def type(self, text: str) -> None:
        self.send(text.encode())

    def send(self, data: bytes) -> None:
        os.write(self._descriptor, data)

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

    async def shows_code(self, code: str, times: int = 1) -> None:
        """Wait until that escape code has come so often."""
        async with asyncio.timeout(PATIENCE_S):
            while self.raw.count(code) < times:
                self._changed.clear()
                await self._changed.wait()

    async def ends(self) -> int:
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()

    @property
    def is_given_back(self) -> bool:
        """Whether it is as it was: its modes, the ordinary screen, the cursor, the mouse its own."""
        on_off = (("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?1003h", "\x1b[?1003l"))
        return termios.tcgetattr(self._descriptor) == self._modes and all(
            self.raw.rfind(on) <= self.raw.rfind(off) for on, off in on_off
        )

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # how a terminal whose last program has ended says so
            self._take(self._decoder.decode(os.read(self._descriptor, 1 << 20)))
        self._changed.set()

    def _take(self, text: str) -> None:
        """Add what is no escape code; one that is not complete waits for its rest."""
        self.raw += text
        text, self._rest = self._rest + text, ""
        cut = text.rfind("\x1b")
        if cut >= 0 and _ESCAPES.match(text, cut) is None:
            text, self._rest = text[:cut], text[cut:]
        self.shown += _ESCAPES.sub("", text)


@contextlib.asynccontextmanager
async def terminal(
    folder: Path,
    name: str,
    *arguments: str,
    stderr: int | None = None,
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> AsyncIterator[Terminal]:
    """The installed `cellrace` in a terminal of its own, so wide and high; `stderr` may go elsewhere."""
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(ours)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    environment = {"CELLRACE_HOME": str(folder / name), "CELLRACE_NAME": name, "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        *(installed("cellrace"), *arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs if stderr is None else stderr,
        env={**_without_size(os.environ), "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
        cwd=ROOT,
        start_new_session=True,
    )
    os.close(theirs)
    screen = Terminal(process, ours, modes)
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
