"""A table with a scripted server, and somebody who sits at it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from client_cli.errors import ClientError
from client_cli.session import Session
from client_cli.table import Habits, Table
from protocol.commands import Join
from tests.client_cli.fake_server import Peer, Script, serving
from tests.client_cli.rig import Rig, running
from tests.client_cli.samples import LAYOUT, RACE, seat, snapshot

JOINING = Session(Join(RACE))


def table(rig: Rig, habits: Habits | None = None) -> Table:
    chosen = habits or Habits(return_hint="come back to {race}", replay="cellrace replay {race}")
    return Table(
        rig.conversation, rig.inbox, rig.terminal, rig.storyteller, rig.around, chosen, lambda race: None
    )


@asynccontextmanager
async def playing(script: Script, habits: Habits | None = None) -> AsyncIterator[Rig]:
    """Somebody at a table in a terminal, and a server that follows a script."""
    async with serving(script) as url:
        rig = Rig(url, JOINING)
        async with running(table(rig, habits).run()):
            yield rig


@contextmanager
def ending_with(text: str) -> Iterator[None]:
    """The table ends with an error of that text, alone in its group of tasks."""
    with pytest.raises(ExceptionGroup) as caught:
        yield
    error: BaseException = caught.value
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, ClientError), error
    assert text in str(error)


async def in_lobby(peer: Peer) -> None:
    await peer.greet()
    await peer.expect(Join)
    await peer.tell(seat(), snapshot())


async def racing(peer: Peer) -> None:
    await peer.greet()
    await peer.expect(Join)
    await peer.tell(seat(board=LAYOUT), snapshot("running", clock=0))
