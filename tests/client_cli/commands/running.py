"""Running a command in this process, with lines typed in advance."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from client_cli.cli import build_parser
from client_cli.world import World
from tests.client_cli.rig import Screen, Time


class Running:
    """A command's surroundings: what is on its screen, and what is typed."""

    def __init__(self, folder: Path, *, is_interactive: bool, **environment: str) -> None:
        self.screen = Screen()
        self._source, self._sink = os.pipe()
        time = Time()
        self.world = World(
            {"CELLRACE_HOME": str(folder), "TERM": "xterm", **environment},
            self._source,
            self.screen,
            is_interactive,
            time.now_ms,
            lambda: 0.0,
            time.sleep,
        )

    def type(self, text: str) -> None:
        os.write(self._sink, text.encode())

    def end(self) -> None:
        if self._sink >= 0:
            os.close(self._sink)
            self._sink = -1

    async def run(self, *arguments: str) -> int:
        looks = ("--ascii", "--no-color", "--name", "ann")
        plain = {"rules": (), "whoami": ()}.get(arguments[0], looks)
        args = build_parser().parse_args([*arguments, *plain])
        status: int = await args.run(args, self.world)
        return status

    @property
    def shown(self) -> str:
        return self.screen.getvalue()


@asynccontextmanager
async def command(
    folder: Path, *, is_interactive: bool = False, **environment: str
) -> AsyncIterator[Running]:
    """A command's surroundings, taken down afterwards."""
    running = Running(folder, is_interactive=is_interactive, **environment)
    try:
        yield running
    finally:
        running.end()
        await asyncio.sleep(0)
