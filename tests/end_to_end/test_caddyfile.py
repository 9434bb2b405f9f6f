"""What the Caddyfile lets through to the nodes, and what not."""

import threading
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.end_to_end.topology import HOST, Caddy, get


@pytest.fixture
async def port(tmp_path: Path) -> AsyncIterator[int]:
    """The port of a Caddy in front of a node that answers with what it was asked."""

    class Echo(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(str(self.headers).encode())

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer((HOST, 0), Echo) as node:
        thread = threading.Thread(target=node.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        caddy = Caddy(tmp_path, [f"{HOST}:{node.server_port}"])
        try:
            await caddy.start()
            yield caddy.port
        finally:
            await caddy.stop()
            node.shutdown()
            thread.join()


async def test_nobody_chooses_his_own_address(port: int) -> None:
    _, seen = await get(port, "/", "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 198.51.100.1\r\n")
    assert [line for line in seen.splitlines() if "forwarded-for" in line.lower()] == [
        f"X-Forwarded-For: {HOST}"
    ]


async def test_the_host_is_the_one_that_was_asked_for(port: int) -> None:
    """A browser's page may connect to the host it comes from, so nodes must see that host."""
    _, seen = await get(port, "/")
    assert f"Host: {HOST}:{port}" in seen.splitlines()


async def test_the_numbers_of_a_node_stay_inside(port: int) -> None:
    assert await get(port, "/metrics") == (404, "")
    assert (await get(port, "/readyz"))[0] == 200
