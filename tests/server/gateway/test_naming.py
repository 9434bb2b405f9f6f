"""How many deals may be chosen by number, over the wire: whose choice counts, and what one is told."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from protocol import commands, events
from protocol.errors import ErrorCode
from server.gateway.limits import Rate
from tests.end_to_end.player import Answer, Player
from tests.server.gateway.house import AMPLE, House, house

ONE_MORE = replace(AMPLE, namings=Rate(per_s=0.004, burst=2))
"""The race has a deal that was named, and one other may be."""


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, ONE_MORE) as built:
        yield built


async def choose(host: Player, race: str, deal: int | str) -> Answer:
    return await host.do(commands.Configure, race, settings=commands.Settings(deal=deal))


def refusal(answer: object) -> events.Refused:
    assert isinstance(answer, events.Refused), answer
    return answer


async def test_one_who_has_named_many_is_told_what_he_can_do(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    assert isinstance(await choose(ana, race, 2), events.Ack)
    refused = refusal(await choose(ana, race, 3))
    assert (refused.code, refused.retry_ms) == (ErrorCode.TOO_FAST, 250_001)
    assert refused.detail.endswith("take one of them, or a random one, or wait 251 s")
    assert refused.phrases[0].values == {"seconds": 251}
    for deal in (1, 2, "random"):
        assert isinstance(await choose(ana, race, deal), events.Ack)
    ben = await home.guest("Ben")
    refused = refusal(await ben.ask(commands.Create("another-race", commands.Settings(deal=3))))
    assert refused.code is ErrorCode.TOO_FAST


async def test_only_one_who_may_choose_uses_that_up(home: House) -> None:
    ana, ben, cleo = [await home.guest(name) for name in ("Ana", "Ben", "Cleo")]
    race = await home.lobby(ana, ben)
    for deal in (2, 3, 4):
        assert refusal(await choose(ben, race, deal)).code is ErrorCode.NOT_HOST
        assert refusal(await choose(cleo, race, deal)).code is ErrorCode.NOT_SEATED
    assert isinstance(await choose(ana, race, 2), events.Ack)


async def test_what_was_taken_before_is_told_so_without_another_look(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    assert isinstance(await choose(ana, race, 2), events.Ack)
    await ana.send(ana.chair(race).sent[ana.chair(race).used_c])  # type: ignore[arg-type]  # a Configure is one
    assert (
        await ana.hear_that(lambda event: isinstance(event, events.Ack) and event.repeated, "it")
    ) is not None
    assert (await home.fold(race)).life.setup.deal == 2


async def test_a_host_since_a_moment_may_choose(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    left = await ana.start(commands.Leave, race)
    assert isinstance(await ana.answer_to(race, left), events.Ack)
    assert isinstance(await choose(ben, race, 2), events.Ack)
