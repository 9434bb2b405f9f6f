"""The port: WebSockets for players, and three plain pages for whoever runs the server."""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from protocol.errors import CloseCode
from protocol.version import MAX_COMMAND_BYTES, SUBPROTOCOL
from server.gateway.addresses import Network, client_address
from server.gateway.conversation import Conversation
from server.gateway.limits import Doors
from server.gateway.node import Node
from server.store.base import Unavailable

READY_S: Final = 1.0
"""How long the store may take to say that it is well."""

GOODBYE_S: Final = 10.0
SPREAD_MS: Final = 5_000
"""Clients of a server that goes down come back over this time, not all at once."""

# What peers do wrong in a handshake is their affair, and would fill the log.
_quiet = logging.getLogger("cellrace.websockets")
_quiet.setLevel(logging.CRITICAL)


class Listener:
    """Accepts connections and holds a conversation on each."""

    def __init__(self, node: Node, origins: Sequence[str] = (), proxies: Sequence[Network] = ()) -> None:
        self._node = node
        self._origins = frozenset(origins)
        self._proxies = proxies
        self._doors = Doors(node.limits.connections, node.limits.connections_per_address)
        self._conversations: set[Conversation] = set()
        self._server: Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Begin to listen; the port, which `port` 0 leaves to the system.

        Raises:
            OSError: the address is taken, or is not ours.
        """
        self._server = await serve(
            self._converse,
            host,
            port,
            select_subprotocol=_select_subprotocol,
            process_request=self._process_request,
            compression=None,
            max_size=MAX_COMMAND_BYTES,
            max_queue=(32, 8),
            close_timeout=2,
            logger=_quiet,
            server_header=None,
        )
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """Send everyone away with a time to come back, then stop listening."""
        self._node.draining = True
        for conversation in self._conversations:
            # A spread-out return needs no secret randomness.
            retry_ms = random.randrange(500, SPREAD_MS)  # noqa: S311
            conversation.connection.say_bye(
                "restarting", "this server is going down", CloseCode.RESTARTING, retry_ms=retry_ms
            )
        if self._server is None:
            return
        self._server.close(close_connections=False)
        try:
            async with asyncio.timeout(GOODBYE_S):
                await self._server.wait_closed()
        except TimeoutError:
            for conversation in list(self._conversations):
                conversation.connection.cut("restarting")
            await self._server.wait_closed()

    async def _converse(self, socket: ServerConnection) -> None:
        address = self._address_of(socket)
        conversation = Conversation(socket, address, self._node)
        why_not = self._doors.enter(address)
        if why_not:
            await conversation.turn_away(why_not)
            return
        self._conversations.add(conversation)
        self._node.metrics.connections.inc()
        try:
            await conversation.run()
        finally:
            self._node.metrics.connections.dec()
            self._conversations.discard(conversation)
            self._doors.leave(address)

    def _address_of(self, socket: ServerConnection) -> str:
        assert socket.request is not None  # a conversation begins after the handshake
        forwarded_for = socket.request.headers.get_all("X-Forwarded-For")
        return client_address(str(socket.remote_address[0]), forwarded_for, self._proxies)

    # HTTP.

    async def _process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        pages: dict[str, Callable[[ServerConnection], Response]] = {
            "/healthz": lambda asker: asker.respond(HTTPStatus.OK, "alive\n"),
            "/metrics": self._metrics_page,
        }
        path = urlsplit(request.path).path
        if path == "/readyz":
            return await self._ready_page(connection)
        if path in pages:
            return pages[path](connection)
        if not self._is_welcome(request):
            return connection.respond(HTTPStatus.FORBIDDEN, "this page may not open a connection here\n")
        return None

    def _is_welcome(self, request: Request) -> bool:
        """Whether a browser's page may connect; other clients send no `Origin`."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self._origins:
            return True
        return urlsplit(origin).netloc == request.headers.get("Host")

    async def _ready_page(self, connection: ServerConnection) -> Response:
        if self._node.draining:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "going down\n")
        try:
            async with asyncio.timeout(READY_S):
                await self._node.store.check()
        except (Unavailable, TimeoutError):
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "the store cannot take anything\n")
        return connection.respond(HTTPStatus.OK, "ready\n")

    def _metrics_page(self, connection: ServerConnection) -> Response:
        self._node.metrics.races.set(len(self._node.hubs))
        return connection.respond(HTTPStatus.OK, self._node.metrics.text().decode())


def _select_subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol:
    if SUBPROTOCOL in offered:
        return Subprotocol(SUBPROTOCOL)
    raise NegotiationError(f"this server speaks {SUBPROTOCOL} only")
