"""The full screen as people run it: two terminals, keys and mouse, a race to the end and a rematch."""

import asyncio
from pathlib import Path

import pytest

from client_cli.screens.board_view import shape_for
from client_cli.screens.card_table import ROOM_FOR
from tests.end_to_end.bad_line import bad_line
from tests.end_to_end.terminal import HEIGHT, WIDTH, terminal
from tests.solutions import moves_of

CUT_S = 5.0


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
