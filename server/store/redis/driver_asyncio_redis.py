"""The driver for `redis://`, on asyncio-redis with the parser of hiredis.

Traps of asyncio-redis 0.16, each seen here:

- Its `Connection` reconnects by itself, for ever, and nobody is told; a call that waits for an answer then
  waits for ever. So connections are made here, of its protocols, and each is used until it fails.
- Given a password, a protocol sends it in a task of its own, whose failure nobody sees. So `auth` is awaited.
- `evalsha` turns every error into `ScriptKilledError`; what Redis said is the context of that.
- The first element of a nested reply comes back wrong. So scripts return one bulk string.
- `HiRedisProtocol` delivers no messages of channels, so the listening connection has the plain protocol.
  That one drops what Redis says to SUBSCRIBE, and when it cannot make sense of something it stops reading
  without a word. `ear` finds out about both.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from asyncio_redis import HiRedisProtocol, RedisProtocol, Subscription
from asyncio_redis.encoders import BytesEncoder
from asyncio_redis.exceptions import ErrorReply, NotConnectedError, ScriptKilledError

from server.store.redis.driver import Away, Lost, OnMessage, Refused
from server.store.redis.ear import Ear
from server.store.redis.lane import Call, Lane
from server.store.redis.scripts import ALL, CALL, Script
from server.store.redis.timing import Timing
from server.store.redis.url import RedisUrl


class AsyncioRedisDriver:
    """A `Driver` for one Redis server that wants neither TLS nor a user's name."""

    is_one_place = True

    def __init__(self, url: RedisUrl, timing: Timing) -> None:
        self._url = url
        self._lane = Lane(self._connect, timing)
        self._ear = Ear(self._connect_channels, self._call_out, timing)
        self.listen = self._ear.listen
        self.subscribe = self._ear.subscribe
        self.unsubscribe = self._ear.unsubscribe

    async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> bytes:
        """See `Driver.run`."""
        return await self._lane.run(script, keys, args)

    async def run_everywhere(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]
    ) -> list[bytes]:
        """See `Driver.run_everywhere`."""
        return [await self.run(script, [random.choice(keys)], args)]  # noqa: S311 - no secret

    async def close(self) -> None:
        """See `Driver.close`."""
        await self._ear.close()
        await self._lane.close()

    async def _call_out(self, channel: bytes, message: bytes) -> None:
        await self.run(CALL, (), (channel, message))

    async def _connect(self) -> "_CommandLink":
        protocol = await _open(self._url, HiRedisProtocol)
        with _closing_on_failure(protocol):
            await asyncio.gather(*(protocol.script_load(script.text) for script in ALL))
        return _CommandLink(protocol)

    async def _connect_channels(self, on_message: OnMessage) -> "_ListeningLink":
        lost = asyncio.get_running_loop().create_future()
        protocol = await _open(
            self._url, RedisProtocol, lambda: None if lost.done() else lost.set_result(None)
        )
        with _closing_on_failure(protocol):
            subscription = await protocol.start_subscribe()
        return _ListeningLink(protocol, subscription, lost, on_message)


class _CommandLink:
    """A `lane.Link`. Each call has a task: so asyncio-redis sends it before the last one is answered."""

    def __init__(self, protocol: HiRedisProtocol) -> None:
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._loading: set[asyncio.Task[None]] = set()

    @property
    def is_lost(self) -> bool:
        return not self._protocol.is_connected

    def send(self, calls: Sequence[Call]) -> list[asyncio.Task[bytes]]:
        # Tasks begin in the order in which they are made, and each sends when it begins.
        answers = []
        for call in calls:
            if call.load:
                self._spawn(self._load(call.script))
            answers.append(self._loop.create_task(self._run(call)))
        return answers

    def close(self) -> None:
        _abort(self._protocol)

    async def _run(self, call: Call) -> bytes:
        try:
            reply = await self._protocol.evalsha(call.script.sha, [*call.keys], [*call.args])
            value: bytes = await reply.return_value()
        except ScriptKilledError as error:
            raise Refused(str(error.__context__)) from error
        except NotConnectedError as error:
            raise Lost("the connection to Redis was lost") from error
        return value

    async def _load(self, script: Script) -> None:
        # If it fails, so does the call that follows.
        with suppress(ErrorReply, NotConnectedError):
            await self._protocol.script_load(script.text)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._loading.add(task)
        task.add_done_callback(self._loading.discard)


class _ListeningLink:
    """An `ear.ChannelLink`."""

    def __init__(
        self,
        protocol: RedisProtocol,
        subscription: Subscription,
        lost: asyncio.Future[None],
        on_message: OnMessage,
    ) -> None:
        self.lost = lost
        self._protocol = protocol
        self._subscription = subscription
        self._on_message = on_message
        self._listening = asyncio.get_running_loop().create_task(self._listen())

    async def subscribe(self, channels: Sequence[bytes]) -> None:
        if not self.lost.done():
            await self._subscription.subscribe([*channels])

    async def unsubscribe(self, channels: Sequence[bytes]) -> None:
        if not self.lost.done():
            await self._subscription.unsubscribe([*channels])

    def close(self) -> None:
        self._listening.cancel()
        _abort(self._protocol)

    async def _listen(self) -> None:
        while True:
            told = await self._subscription.next_published()
            self._on_message(told.channel, told.value)


async def _open(
    url: RedisUrl, protocol_class: type[RedisProtocol], on_lost: Callable[[], None] | None = None
) -> RedisProtocol:
    """A connection that may be used.

    Raises:
        Refused: the password is wrong, or Redis is not ready.
        Away: the connection broke at once.
        OSError: there is none.
    """
    protocol = protocol_class(
        encoder=BytesEncoder(), enable_typechecking=False, connection_lost_callback=on_lost
    )
    await asyncio.get_running_loop().create_connection(lambda: protocol, *url.hosts[0])
    with _closing_on_failure(protocol):
        if url.password:
            await protocol.auth(url.password.encode())
        if url.db:
            await protocol.select(url.db)
    return protocol


@contextmanager
def _closing_on_failure(protocol: RedisProtocol) -> Iterator[None]:
    """Close the connection if what is done with it fails, and say so in our own errors."""
    try:
        yield
    except BaseException as error:
        _abort(protocol)
        if isinstance(error, ErrorReply):
            raise Refused(str(error)) from error
        if isinstance(error, NotConnectedError):
            raise Away("the connection to Redis was lost at once") from error
        raise


def _abort(protocol: RedisProtocol) -> None:
    if protocol.transport is not None:
        protocol.transport.abort()
