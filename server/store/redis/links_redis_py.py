"""Connections as redis-py makes them: TLS, users, and the parser of hiredis.

Its clients and pools try again by themselves and would run a script twice when a reply is lost. So they are
not used; only `Connection` is, which does what it is told, with one exception: told to send when it is not
connected, it connects. So nothing is sent once a connection is lost.
"""

import asyncio
import math
from collections import deque
from collections.abc import Sequence
from typing import Any, TypeAlias

from redis.asyncio import Connection, SSLConnection
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError, ResponseError

from server.store.redis.driver import Away, DriverError, Lost, OnMessage, Refused
from server.store.redis.lane import Call
from server.store.redis.scripts import ALL
from server.store.redis.timing import Timing
from server.store.redis.url import RedisUrl

Address: TypeAlias = tuple[str, int]

_Words: TypeAlias = tuple[str | bytes | int, ...]


async def connect(address: Address, url: RedisUrl, timing: Timing) -> Connection:
    """A connection to the server at this address that may be used.

    Raises:
        Refused: the password is wrong, or Redis is not ready.
        Away: there is no Redis there.
    """
    tls: dict[str, Any] = {"ssl_ca_certs": url.ca} if url.tls else {}
    connection = (SSLConnection if url.tls else Connection)(
        host=address[0],
        port=address[1],
        username=url.user,
        password=url.password,
        db=url.db,
        protocol=2,
        driver_info=None,  # else it tells Redis its name, which an ACL may forbid
        socket_timeout=None,  # how long an answer may take is the lane's business
        socket_connect_timeout=timing.connect_s,
        **tls,
    )
    try:
        await connection.connect()
    except RedisError as error:
        raise _refused(error) if _is_answer(error) else Away(str(error)) from error
    except BaseException:
        await connection.disconnect(nowait=True)
        raise
    return connection


async def ask(connection: Connection, *words: str | bytes) -> Any:  # noqa: ANN401 - as Redis answers
    """Send one command and return the answer, on a connection that owes none.

    Raises:
        DriverError: there is no answer, or it is an error.
    """
    try:
        await connection.send_command(*words, check_health=False)
        return await connection.read_response()
    except RedisError as error:
        raise _refused(error) if _is_answer(error) else Lost(str(error)) from error


def _is_answer(error: RedisError) -> bool:
    # Some of what Redis answers is a failure of the connection to this library.
    return isinstance(error, ResponseError | AuthenticationError | BusyLoadingError)


def _refused(error: RedisError) -> Refused:
    # The library takes the first word off, in capitals, that tells one error from another.
    return Refused(f"{error.status_code} {error}" if error.status_code else str(error))


class CommandLink:
    """A `lane.Link`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        # Who waits for the answers to come, in order; nobody for what only prepares a call.
        self._owners: deque[asyncio.Future[bytes] | None] = deque()
        self._writing: set[asyncio.Task[None]] = set()
        self._reading = self._loop.create_task(self._read())

    @classmethod
    async def open(cls, connection: Connection) -> "CommandLink":
        """Make one of a new connection; raises `DriverError`."""
        try:
            for script in ALL:
                await ask(connection, "SCRIPT", "LOAD", script.text)
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        return cls(connection)

    @property
    def is_lost(self) -> bool:
        """See `lane.Link`."""
        return self._reading.done() or not self._connection.is_connected

    def send(self, calls: Sequence[Call]) -> list[asyncio.Future[bytes]]:
        """See `lane.Link`."""
        commands: list[_Words] = []
        answers: list[asyncio.Future[bytes]] = []
        for call in calls:
            if call.load:
                commands.append(("SCRIPT", "LOAD", call.script.text))
                self._owners.append(None)
            if call.asking:
                commands.append(("ASKING",))
                self._owners.append(None)
            commands.append(("EVALSHA", call.script.sha, len(call.keys), *call.keys, *call.args))
            answers.append(self._loop.create_future())
            self._owners.append(answers[-1])
        # Tasks begin in the order in which they are made, and each writes when it begins.
        task = self._loop.create_task(self._write(self._connection.pack_commands(commands)))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return answers

    def close(self) -> None:
        """Drop the connection."""
        self._reading.cancel()

    async def _write(self, packed: list[bytes]) -> None:
        if self.is_lost:
            return  # whoever reads has failed the answers, or will
        try:
            await self._connection.send_packed_command(packed, check_health=False)
        except RedisError:
            self._reading.cancel()

    async def _read(self) -> None:
        error: DriverError = Lost("the connection to Redis was lost")
        try:
            while True:
                self._settle(await self._next())
        except (RedisError, OSError, IndexError) as failure:
            if isinstance(failure, RedisError) and _is_answer(failure) and self._owners:
                self._settle(_refused(failure))
        finally:
            while self._owners:
                self._settle(error)
            await self._connection.disconnect(nowait=True)

    async def _next(self) -> bytes | DriverError:
        try:
            answer: bytes = await self._connection.read_response(timeout=math.inf)
        except ResponseError as error:
            return _refused(error)
        return answer

    def _settle(self, answer: bytes | DriverError) -> None:
        owner = self._owners.popleft()
        if owner is None or owner.done():
            return
        if isinstance(answer, DriverError):
            owner.set_exception(type(answer)(str(answer)))
        else:
            owner.set_result(answer)


class ListeningLink:
    """An `ear.ChannelLink`."""

    def __init__(self, connection: Connection, on_message: OnMessage) -> None:
        self._connection = connection
        self._on_message = on_message
        self._loop = asyncio.get_running_loop()
        self.lost: asyncio.Future[None] = self._loop.create_future()
        self._reading = self._loop.create_task(self._read())

    async def subscribe(self, channels: Sequence[bytes]) -> None:
        """See `ear.ChannelLink`."""
        await self._send("SUBSCRIBE", *channels)

    async def unsubscribe(self, channels: Sequence[bytes]) -> None:
        """See `ear.ChannelLink`."""
        await self._send("UNSUBSCRIBE", *channels)

    def close(self) -> None:
        """Drop the connection."""
        self._reading.cancel()

    async def _send(self, *words: str | bytes) -> None:
        if self.lost.done() or not self._connection.is_connected:
            return
        try:
            await self._connection.send_command(*words, check_health=False)
        except RedisError:
            self._reading.cancel()

    async def _read(self) -> None:
        try:
            while True:
                match await self._connection.read_response(timeout=math.inf):
                    case [b"message", bytes() as channel, bytes() as message]:
                        self._on_message(channel, message)
        except (RedisError, OSError):
            pass  # `lost` tells
        finally:
            self.lost.set_result(None)
            await self._connection.disconnect(nowait=True)
