"""One client's connection: what goes out in which order, and how it ends."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.errors import CloseCode
from protocol.events import Bye, Event, Unwatched
from server.gateway.connection import MAX_PRIVATE, Connection
from tests.server.gateway.house import eventually

LONG: Final = b'{"t":"unwatched","race":"KMNPQRST","later":"' + b"X" * 100_000 + b'"}'
RACE: Final = "KMNPQRST"


class Pair:
    """Both ends of a connection. `pulled` is what the races have to show next."""

    def __init__(self, here: Connection, there: ClientConnection, writing: asyncio.Task[None]) -> None:
        self.here = here
        self.there = there
        self.writing = writing

    async def hear(self) -> Event:
        event = codec.read_event(await self.there.recv())
        assert event is not None
        return event

    async def hear_all(self) -> list[Event]:
        """Everything up to the end."""
        heard = []
        try:
            while True:
                heard.append(await self.hear())
        except ConnectionClosed:
            return heard

    async def end(self) -> int | None:
        """Wait until the connection has ended; the code the peer saw."""
        await self.there.wait_closed()
        return self.there.close_code


Pull = Callable[[], list[bytes]]


@asynccontextmanager
async def pair(pull: Pull = list, send_timeout_s: float = 15.0) -> AsyncIterator[Pair]:
    """A connection whose peer is a plain client."""
    loop = asyncio.get_running_loop()
    made: asyncio.Future[tuple[Connection, asyncio.Task[None]]] = loop.create_future()

    async def handle(socket: ServerConnection) -> None:
        connection = Connection(socket, pull, send_timeout_s)
        writing = asyncio.create_task(connection.write())
        made.set_result((connection, writing))
        await socket.wait_closed()
        if not connection.is_closing:
            writing.cancel()
        await asyncio.wait([writing])

    async with serve(handle, "127.0.0.1", 0, compression=None, close_timeout=0.2) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", compression=None, close_timeout=0.2) as there:
            here, writing = await made
            yield Pair(here, there, writing)


def note(number: int) -> Unwatched:
    return Unwatched(RACE, number)


async def test_private_messages_go_out_before_what_is_pulled_after_them() -> None:
    shown: list[bytes] = []

    def pull() -> list[bytes]:
        frames, shown[:] = list(shown), []
        return frames

    async with pair(pull) as two:
        for number in range(0, 50, 2):
            two.here.send(note(number))
            shown.append(codec.encode(note(number + 1)))
            two.here.wake()
            heard = [await two.hear(), await two.hear()]
            assert heard == [note(number), note(number + 1)]


async def test_a_wake_with_nothing_to_pull_sends_nothing() -> None:
    async with pair() as two:
        for _ in range(5):
            two.here.wake()
            await asyncio.sleep(0)
        two.here.send(note(1))
        assert await two.hear() == note(1)


async def test_many_wakes_before_the_writer_runs_are_one_pull() -> None:
    pulls: list[int] = []

    def pull() -> list[bytes]:
        pulls.append(1)
        return []

    async with pair(pull) as two:
        for number in range(20):
            two.here.wake()
            two.here.send(note(number))
        for number in range(20):
            assert await two.hear() == note(number)
        assert len(pulls) == 1


async def test_a_farewell_is_the_last_word() -> None:
    async with pair(lambda: [codec.encode(note(9))]) as two:
        two.here.send(note(1))
        two.here.say_bye("too_fast", "far too many commands", CloseCode.POLICY, retry_ms=5)
        two.here.send(note(2))
        two.here.wake()
        two.here.say_bye("superseded", "another reason", CloseCode.SUPERSEDED)
        assert two.here.is_closing
        assert await two.hear_all() == [note(1), Bye("too_fast", "far too many commands", 5)]
        assert await two.end() == CloseCode.POLICY
        assert await two.here.receive() is None
        await asyncio.wait_for(two.writing, 10)


async def test_after_a_farewell_nothing_is_read() -> None:
    async with pair() as two:
        await two.there.send('{"t":"hello"}')
        assert await two.here.receive() == '{"t":"hello"}'
        await two.there.send('{"t":"create"}')
        two.here.say_bye("bad_message", "enough", CloseCode.POLICY)
        assert await two.here.receive() is None


async def test_binary_frames_end_the_connection_with_1003() -> None:
    async with pair() as two:
        await two.there.send(b'{"t":"hello"}')
        assert await two.here.receive() is None
        (bye,) = await two.hear_all()
        assert isinstance(bye, Bye)
        assert bye.code == "bad_message"
        assert await two.end() == CloseCode.UNSUPPORTED


async def test_a_peer_that_goes_ends_both_directions() -> None:
    async with pair() as two:
        await two.there.close()
        assert await two.here.receive() is None
        await asyncio.wait([two.writing])
        two.here.send(note(1))  # to nobody, and no harm


async def test_a_connection_that_is_cut_ends_at_once_whether_or_not_there_is_something_to_send() -> None:
    for busy in (True, False):
        async with pair() as two:
            if busy:
                two.here.send(note(1))
            two.here.cut("restarting")
            assert await two.end() == 1006
            assert await two.here.receive() is None
            await asyncio.wait_for(two.writing, 10)
            assert two.here.cut_reason == "restarting"


async def test_a_peer_that_does_not_read_is_cut_and_not_closed_politely() -> None:
    frames = [LONG] * 400
    async with pair(lambda: frames, send_timeout_s=0.05) as two:
        two.there.transport.pause_reading()
        two.here.wake()
        await eventually(lambda: two.here.cut_reason, "the cut")
        assert two.here.cut_reason == "slow"
        await asyncio.wait_for(two.writing, 10)
        assert await two.here.receive() is None


async def test_private_messages_for_a_peer_that_does_not_read_are_bounded() -> None:
    pulled: list[bytes] = [LONG] * 400

    def pull() -> list[bytes]:
        frames, pulled[:] = list(pulled), []
        return frames

    async with pair(pull) as two:
        two.there.transport.pause_reading()
        two.here.wake()
        await eventually(lambda: not pulled, "the pull")
        for number in range(MAX_PRIVATE):
            two.here.send(note(number))
        assert not two.here.is_closing
        two.here.send(note(MAX_PRIVATE))
        assert two.here.cut_reason == "slow"
        assert len(two.here._private) == MAX_PRIVATE
        two.here.send(note(0))
        assert len(two.here._private) == MAX_PRIVATE
        await asyncio.wait_for(two.writing, 10)


async def test_what_is_queued_during_a_write_is_sent_before_the_end_and_so_is_the_bye() -> None:
    """The peer does not read the first frame before all the rest is queued."""
    async with pair() as ends:
        ends.here._private.append(LONG)
        ends.here.wake()
        await asyncio.sleep(0)
        ends.here.send(Unwatched(RACE))
        ends.here.say_bye("restarting", "going down", CloseCode.RESTARTING, retry_ms=7)
        heard = await ends.hear_all()
        assert heard[-2:] == [Unwatched(RACE), Bye("restarting", "going down", 7)]
        assert await ends.end() == CloseCode.RESTARTING


async def test_a_connection_whose_pull_fails_is_cut_and_not_left_deaf() -> None:
    def fail() -> list[bytes]:
        raise RuntimeError("cannot be drawn")

    async with pair(fail) as ends:
        ends.here.wake()
        await ends.hear_all()
        await eventually(lambda: ends.here.cut_reason == "internal", "it is cut")
