"""What becomes of the terminal: whatever is typed or told to the full screen, it is given back as it was."""

import asyncio
import signal
from pathlib import Path

import pytest

from tests.end_to_end.terminal import Terminal, terminal

pytestmark = pytest.mark.timeout(60)


async def leaves(screen: Terminal) -> None:
    """The player goes, and all is as it was."""
    screen.type("\x11")
    assert await screen.ends() == 0
    assert "Traceback" not in screen.shown
    assert screen.is_given_back


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
async def test_ended_by_the_system_it_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    async with terminal(tmp_path, "ann") as ann:
        await ann.shows("play now")
        assert not ann.is_given_back
        ann.process.send_signal(number)
        assert await ann.ends() == 0
        assert ann.is_given_back


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
async def test_the_same_while_the_terminal_is_asked_how_wide_suits_are(
    tmp_path: Path, number: signal.Signals
) -> None:
    async with terminal(tmp_path, "ann") as ann:
        await ann.shows_code("\x1b[6n")
        ann.process.send_signal(number)
        assert await ann.ends() == 0
        assert ann.is_given_back


async def test_woken_without_having_slept_it_remembers_how_the_terminal_was(tmp_path: Path) -> None:
    async with terminal(tmp_path, "ann") as ann:
        await ann.shows("play now")
        ann.process.send_signal(signal.SIGCONT)
        # What is drawn says nothing: what is typed before it is taken over anew, and hears all keys, is lost.
        await ann.shows_code("\x1b[?1004h", times=2)
        await leaves(ann)


async def test_a_key_that_is_no_utf_8_is_no_key(tmp_path: Path) -> None:
    async with terminal(tmp_path, "ann") as ann:
        await ann.shows("play now")
        ann.send(b"\xe9x?")
        await ann.shows("Ctrl\\+Q")
        ann.type("\x1b")
        await leaves(ann)


async def test_it_is_drawn_though_errors_go_elsewhere(tmp_path: Path) -> None:
    async with terminal(tmp_path, "ann", stderr=asyncio.subprocess.DEVNULL) as ann:
        await ann.shows("play now")
        await leaves(ann)
