"""daily, board and me: on a scripted server, and on a real one."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from client_cli import language
from client_cli.errors import ClientError
from protocol.commands import Commitments, Create, Daily, Ranking, Record, Start
from protocol.errors import ErrorCode
from protocol.events import (
    Commitment,
    Committed,
    Created,
    DayTold,
    Mine,
    Ranked,
    Ranks,
    Recorded,
    Refused,
)
from server.daily import almanac
from server.daily.calendar import closes_ms, starts_ms
from tests.client_cli.commands.running import command
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.samples import ME, RACE, ack, racer, seat, snapshot, start_of_race
from tests.clock import FakeClock
from tests.server.gateway.house import House, house
from tests.solutions import moves_of

DAY = "2026-11-30"
NAME = f"daily:{DAY}:4:{ME}"


def told(q: int = 1, **changes: Any) -> DayTold:
    fields: dict[str, object] = {
        "q": q,
        "day": DAY,
        "cells": 4,
        "today": DAY,
        "commitment": "c0ffee",
        "table": 1,
    }
    return DayTold(**{**fields, **changes})


async def test_an_attempt_that_is_over_is_told_and_not_played_again(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        assert await peer.expect(Daily) == Daily(1, 2)
        mine = Mine(NAME, "won", 61_001, 99, rank=1, of=1, curve=(0, 52))
        await peer.tell(told(cells=2, mine=mine, deal=1, deal_code="FC1-C2-AAAAAAB"))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        assert await running.run("daily", "--cells", "2", "--server", url) == 0
        assert running.shown == (
            f"You have won the deal of {DAY}, 2 free cells: #1 of 1, 1:01.001, 99 actions.\n"
            f"  cellrace {DAY}, 2 free cells, #1 of 1, 1:01.001, 99 actions 09\n"
            f"The replay: cellrace replay {NAME} --server {url}\n"
            f"Until when it could be won: cellrace replay {NAME} --server {url} --report\n"
            f"A friend plays it with: cellrace daily --cells 2 --server {url}\n"
            "Once both have played it, race each other on the same cards with:"
            f" cellrace host --deal FC1-C2-AAAAAAB --server {url}\n"
            "\n"
            "Play it again, unranked, with --again.\n"
        )


@pytest.mark.parametrize("given", [("2026-11-29",), ("--again",)])
async def test_anything_else_is_played_unranked(tmp_path: Path, given: tuple[str, ...]) -> None:
    day = DAY if given == ("--again",) else given[0]

    async def ask(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Daily)
        await peer.tell(told(day=day, mine=Mine(NAME, "lost", curve=(0,)) if day == DAY else None))
        await peer.stay()

    async def play(peer: Peer) -> None:
        await peer.greet()
        created = await peer.expect(Create)
        assert (created.settings.deal, created.settings.cells) == (f"daily:{day}", 4)
        await peer.tell(Created(created.id, RACE), seat(), snapshot(racers=(racer(),)))
        assert await peer.expect(Start) == Start(RACE, 1)
        await peer.tell(ack(1, 0, seq=4), start_of_race())
        await peer.stay()

    async with serving(ask, play) as url, command(tmp_path) as running:
        running.end()
        assert await running.run("daily", *given, "--server", url) == 0
        assert "This one is unranked." in running.shown
        assert running.shown.endswith(f"come back with: cellrace join {RACE} --server {url}\n")


@pytest.mark.parametrize("value", [None, "5ec7e7"])
async def test_what_was_promised_is_shown_with_the_command_that_checks_it(
    tmp_path: Path, value: str | None
) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Commitments)
        await peer.tell(Committed(1, 4, 1, (Commitment(DAY, "c0ffee"),)))
        await peer.expect(Daily)
        await peer.tell(told(q=2, value=value, closed=value is not None))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        assert await running.run("daily", "--proof", "--server", url) == 0
        assert "commitment: c0ffee\n" in running.shown
        check = f"cellrace-server daily-proof {DAY} --cells 4 --value {value} --commitment c0ffee\n"
        assert (check in running.shown) == (value is not None)


async def test_what_is_promised_of_days_to_come_can_be_noted(home: House, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        assert await running.run("daily", "--promises", "--cells", "2", "--server", home.url) == 0
        days = running.shown.splitlines()
    assert len(days) == 31
    day, commitment = days[1].split()
    async with command(tmp_path) as running:
        assert await running.run("daily", day, "--proof", "--cells", "2", "--server", home.url) == 0
        assert running.shown.startswith(f"commitment: {commitment}\nIts deal is told on the day")
    await home.clock.advance_to(closes_ms(day))
    async with command(tmp_path) as running:
        assert await running.run("daily", day, "--proof", "--cells", "2", "--server", home.url) == 0
        assert f"--commitment {commitment}\n" in running.shown


async def test_what_is_passing_is_waited_for_and_said_once(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        for _ in range(2):
            await peer.expect(Daily)
            await peer.tell(Refused(ErrorCode.UNAVAILABLE, "not now", q=1, retry_ms=5000))
        await peer.expect(Daily)
        await peer.tell(Refused(ErrorCode.NO_SUCH_DAY, "there is no deal for that day", q=1))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        with pytest.raises(ExceptionGroup):
            await running.run("daily", "2020-01-01", "--server", url)
        assert running.shown == "not now; again in 5 s\n"


async def test_a_refusal_ends_the_command_in_words(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Daily)
        await peer.tell(Refused(ErrorCode.NO_SUCH_DAY, "there is no deal for that day", q=1))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        with pytest.raises(ExceptionGroup) as raised:
            await running.run("daily", "2020-01-01", "--server", url)
        (error,) = raised.value.exceptions
        assert isinstance(error, ClientError)
        assert "no deal for that day" in str(error)


@pytest.mark.parametrize("given", [("daily", "yesterday"), ("board", "2026"), ("board", "2026-11-30x")])
async def test_what_is_no_day_is_not_asked_for(tmp_path: Path, given: tuple[str, ...]) -> None:
    async with command(tmp_path) as running:
        with pytest.raises(ClientError, match=f"'{given[1]}' is no day; one looks like 2026-11-30"):
            await running.run(*given, "--server", "ws://127.0.0.1:9")


async def test_a_board_is_asked_for_and_shown(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        assert await peer.expect(Ranking) == Ranking(1, 2, "2026-11", "no-undo", 9)
        line = Ranked(10, ME, "ann", DAY, NAME, 1000, 99)
        await peer.tell(Ranks(1, "2026-11", 2, "no-undo", 10, 9, (line,)))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        given = ("--by", "no-undo", "--cells", "2", "--from", "10", "--server", url)
        assert await running.run("board", "2026-11", *given) == 0
        assert running.shown == (
            "2026-11, 2 free cells, by time, nothing taken back\n"
            f"> 10  ann (you), 0:01.000, 99 actions, {DAY}\n"
            "\n"
            f"The replay of ann: cellrace replay {NAME} --server {url}\n"
        )


async def test_ones_record_is_shown_for_both_deals_of_a_day(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        assert (await peer.expect(Record), await peer.expect(Record)) == (Record(1, 4), Record(2, 2))
        await peer.tell(Recorded(1, 4, 3, 2, 1, 2, 60_000), Recorded(2, 2))
        assert (await peer.expect(Daily), await peer.expect(Daily)) == (Daily(3, 4), Daily(4, 2))
        await peer.tell(told(3), told(4, cells=2, mine=Mine(NAME, "racing", 61_001, 9)))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        assert await running.run("me", "--server", url) == 0
        assert running.shown == (
            "4 free cells: 2 of 3 won; streak 1, best 2\n"
            "  median time 1:00.000\n"
            "2 free cells: no ranked attempt is over yet\n"
            f"Your ranked attempt of {DAY} with 2 free cells still runs; go on with it:"
            f" cellrace daily --cells 2 --server {url}\n"
        )


async def test_a_lost_connection_is_told_and_the_question_asked_again(tmp_path: Path) -> None:
    async def cut(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Ranking)
        peer.abort()

    async def answer(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Ranking)
        await peer.tell(Ranks(1, DAY, 4, "time", 0))
        await peer.stay()

    async with serving(cut, answer) as url, command(tmp_path) as running:
        assert await running.run("board", "--server", url) == 0
        assert "trying again in" in running.shown
        assert running.shown.endswith("Nobody is on this board yet.\n")


# On a real server.


@pytest.fixture
async def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr(almanac, "deal_of", lambda value, cells: 1)
    (tmp_path / "house").mkdir()
    async with house(tmp_path / "house", clock=FakeClock(starts_ms(DAY) + 3_600_000)) as built:
        yield built


async def test_a_day_from_its_first_card_to_the_board(home: House, tmp_path: Path) -> None:
    moves = moves_of(1)
    async with command(tmp_path) as running:
        running.type(" ".join(moves[:60]) + "\n")
        running.end()
        assert await running.run("daily", "--yes", "--server", home.url) == 0
        assert "This is your ranked attempt: 60 minutes." in running.shown
        assert f"the deal of {DAY}" in running.shown
        assert running.shown.endswith(f"come back with: cellrace daily --server {home.url}\n")
    await home.clock.advance(120_000)
    async with command(tmp_path) as running:
        running.type(" ".join(moves[60:]) + "\n")
        assert await running.run("daily", "--server", home.url) == 0
        assert "Your ranked attempt goes on." in running.shown
        assert "the clock shows 2:00 of 1:00:00\n" in running.shown
        assert f"You have won the deal of {DAY}, 4 free cells: #1 of 1, 2:00.000, " in running.shown
        assert "\nA friend plays it with: cellrace daily --server ws" in running.shown
        assert "Type rematch" not in running.shown
    async with command(tmp_path) as running:
        assert await running.run("board", "--server", home.url) == 0
        assert f">  1  ann (you), 2:00.000, {len(moves)} actions\n" in running.shown
    async with command(tmp_path) as running:
        assert await running.run("me", "--server", home.url) == 0
        assert "4 free cells: 1 of 1 won; streak 1, best 1\n" in running.shown
    await home.clock.advance_to(closes_ms(DAY))
    async with command(tmp_path) as running:
        assert await running.run("daily", DAY, "--proof", "--server", home.url) == 0
        assert f"check it with: cellrace-server daily-proof {DAY} --cells 4 --value " in running.shown
    (name,) = await home.node.store.list_logs("daily:")
    async with command(tmp_path) as running:
        assert await running.run("replay", name, "--server", home.url) == 0
        assert f"{len(moves)} steps" in running.shown


async def test_one_in_a_terminal_leaves_when_it_is_over(home: House, tmp_path: Path) -> None:
    async with command(tmp_path, is_interactive=True) as running:
        playing = asyncio.create_task(running.run("daily", "--text", "--server", home.url))
        await running.screen.shows(
            f"This is your ranked attempt at the deal of {DAY}, 4 free cells: the only one that counts."
        )
        await running.screen.shows("Begin? [y/N] ")
        # What is typed with the answer belongs to the race.
        running.type("y\np\n")
        await running.screen.shows("Standings:")
        await running.screen.shows("ann (you): 0 of 52 home")
        running.type("resign\n")
        await running.screen.shows("[y/N]")
        running.type("y\n")
        assert await playing == 0
        assert f"You have not won the deal of {DAY}, 4 free cells." in running.shown


@pytest.mark.parametrize("answer", ["\n", "n\n", "nyes\n", "\xff\n", ""])
async def test_nothing_begins_without_a_yes(home: House, tmp_path: Path, answer: str) -> None:
    async with command(tmp_path, is_interactive=True) as running:
        running.type(answer)
        running.end()
        assert await running.run("daily", "--server", home.url) == 0
        assert running.shown.endswith("[y/N] \nIt has not begun.\n" if not answer else "It has not begun.\n")
    assert await home.node.store.list_logs("daily:") == []


async def test_without_a_terminal_nothing_begins_that_was_not_asked_for(home: House, tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        running.end()
        with pytest.raises(ClientError, match="with --yes it does"):
            await running.run("daily", "--server", home.url)
    assert await home.node.store.list_logs("daily:") == []


async def test_again_is_no_way_to_begin_or_to_go_on_with_the_attempt(home: House, tmp_path: Path) -> None:
    for given in ((), ("--yes",)):
        async with command(tmp_path) as running:
            with pytest.raises(ClientError, match="once your ranked attempt is over"):
                await running.run("daily", "--again", *given, "--server", home.url)
    assert await home.node.store.list_logs("daily:") == []
    async with command(tmp_path) as running:
        running.end()
        assert await running.run("daily", "--yes", "--server", home.url) == 0
    async with command(tmp_path) as running:
        with pytest.raises(ClientError, match="once your ranked attempt is over"):
            await running.run("daily", "--again", "--server", home.url)


async def test_the_answer_is_in_the_readers_language(home: House, tmp_path: Path) -> None:
    language.use("pt")
    async with command(tmp_path, is_interactive=True) as running:
        playing = asyncio.create_task(running.run("daily", "--server", home.url))
        await running.screen.shows("Começar? [s/N] ")
        running.type("sim\n")
        await running.screen.shows("> ")
        running.end()
        assert await playing == 0
    assert len(await home.node.store.list_logs("daily:")) == 1


async def test_an_interruption_ends_the_question_at_once(home: House, tmp_path: Path) -> None:
    async with command(tmp_path, is_interactive=True) as running:
        asking = asyncio.create_task(running.run("daily", "--server", home.url))
        await running.screen.shows("[y/N] ")
        asking.cancel()  # as Ctrl-C does
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert "input" not in {thread.name for thread in threading.enumerate()}
    assert await home.node.store.list_logs("daily:") == []


async def test_who_says_yes_beforehand_or_goes_on_is_not_asked(home: House, tmp_path: Path) -> None:
    for given in (("--yes",), ()):
        async with command(tmp_path, is_interactive=True) as running:
            playing = asyncio.create_task(running.run("daily", "--server", home.url, *given))
            await running.screen.shows("Standings:")
            running.type("q\ny\n")
            assert await playing == 0
            assert "Begin?" not in running.shown
            assert ("This is your ranked attempt: 60 minutes." in running.shown) == bool(given)
