"""What a command finds around it: environment, input and output, clock, chance. Tests make another one."""

import asyncio
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TextIO

from client_cli.connection import Surroundings
from client_cli.folders import config_folder, data_folder
from client_cli.waits import growing_waits


def monotonic_ms() -> int:
    """Milliseconds that never run backwards; from when on, nobody knows."""
    return time.monotonic_ns() // 1_000_000


def this_day() -> str:
    """The day it is here, as in `2026-11-30`."""
    return date.today().isoformat()  # noqa: DTZ011 - by the clock on the wall


@dataclass(frozen=True, slots=True)
class World:
    """All that is not given on the command line.

    Attributes:
        stdin: file descriptor to read lines from.
        is_interactive: whether a person sits at both input and output.
        has_screen: whether that terminal can be drawn upon as a whole.
        today: the day it is here.
        random: numbers from 0 up to 1.
    """

    environment: Mapping[str, str]
    stdin: int
    stdout: TextIO
    is_interactive: bool
    now_ms: Callable[[], int] = monotonic_ms
    random: Callable[[], float] = random.random
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    has_screen: bool = False
    today: Callable[[], str] = this_day

    @property
    def around(self) -> Surroundings:
        """What a conversation needs of it."""
        return Surroundings(self.now_ms, lambda: growing_waits(self.random), self.sleep)

    @property
    def config_folder(self) -> Path:
        """Where tokens are kept."""
        return config_folder(self.environment)

    @property
    def data_folder(self) -> Path:
        """Where races played on this machine are kept."""
        return data_folder(self.environment)


def this_world() -> World:
    """The one that the process runs in."""
    is_interactive = os.isatty(0) and sys.stdout.isatty()
    has_screen = is_interactive and os.environ.get("TERM", "dumb") != "dumb"
    return World(os.environ, 0, sys.stdout, is_interactive, has_screen=has_screen)
