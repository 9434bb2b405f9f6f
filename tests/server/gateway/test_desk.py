"""Questions about the deal of the day are answered beside all else."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocol import commands, events
from protocol.errors import ErrorCode
from server.gateway.conversation import MAX_ASKED
from tests.server.gateway.house import House, eventually, house


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as built:
        yield built


@pytest.fixture
def written(home: House, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """What all who ask wait for."""
    written = asyncio.Event()

    async def caught_up() -> None:
        await written.wait()

    monkeypatch.setattr(home.node.projector, "caught_up", caught_up)
    return written


def answers(heard: list[events.Event]) -> list[events.Event]:
    return [one for one in heard if isinstance(one, events.DayTold | events.Recorded)]


async def test_no_move_waits_behind_a_question(home: House, written: asyncio.Event) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.send(commands.Daily(ana.next_q()))
    await ana.send(commands.Record(ana.next_q()))
    await ana.did(commands.Move, race, move="5a")
    assert not answers(ana.heard)
    written.set()
    await eventually(lambda: len(answers(ana.heard)) == 2, "both are answered")


async def test_commitments_need_no_results(home: House, written: asyncio.Event) -> None:
    ana = await home.guest("Ana")
    assert isinstance(await ana.ask(commands.Commitments(0)), events.Committed)
    assert not written.is_set()


async def test_only_so_many_questions_wait(home: House, written: asyncio.Event) -> None:
    ana = await home.guest("Ana")
    for _ in range(MAX_ASKED):
        await ana.send(commands.Daily(ana.next_q()))
    refused = await ana.ask(commands.Daily(ana.next_q()))
    assert isinstance(refused, events.Refused)
    assert (refused.code, refused.retry_ms) == (ErrorCode.TOO_FAST, 1000)
    written.set()
    await eventually(lambda: len(answers(ana.heard)) == MAX_ASKED, "all others are answered")
    assert isinstance(await ana.ask(commands.Daily(0)), events.DayTold)


async def test_a_question_that_waits_as_its_asker_goes_keeps_nobody(
    home: House, written: asyncio.Event
) -> None:
    ana = await home.guest("Ana")
    await ana.send(commands.Daily(ana.next_q()))
    await ana.did(commands.Start, await home.lobby(ana))
    await ana.close()
    assert not written.is_set()


async def test_a_fault_there_ends_the_conversation(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise RuntimeError("what nobody thought of")

    monkeypatch.setattr(home.node.projector, "caught_up", fail)
    ana = await home.guest("Ana")
    await ana.send(commands.Daily(ana.next_q()))
    assert await ana.ended() == (1011, "internal")
