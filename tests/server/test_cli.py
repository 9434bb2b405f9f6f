"""What `cellrace-server serve` says when it cannot: one line, and a status that is not 0."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.redis_server import free_port

ROOT = Path(__file__).parents[2]


def serve(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Run it until it ends; status, output and errors."""
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", *arguments]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, text=True, capture_output=True, check=False, timeout=60
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ("sqlite:/no/such/folder/races", "there is no folder /no/such/folder"),
        ("sqlite:", "a store is sqlite:PATH, or a URL that begins with one of redis"),
        ("postgres://here", "a store is sqlite:PATH, or a URL that begins with one of redis"),
        ("redis://", "a host is missing"),
    ],
)
def test_a_store_that_cannot_be_opened(store: str, words: str) -> None:
    for status, output, errors in (serve("--store", store), serve(CELLRACE_STORE=store)):
        assert (status, output, errors.count("\n")) == (1, "", 1)
        assert errors.startswith("cellrace-server: ")
        assert words in errors


def test_a_redis_that_cannot_be_reached_at_start() -> None:
    port = free_port()
    status, output, errors = serve(CELLRACE_STORE=f"redis://:geheim@127.0.0.1:{port}")
    assert (status, output) == (1, "")
    assert errors.startswith(f"cellrace-server: cannot open the store redis://127.0.0.1:{port}: ")
    assert errors.count("\n") == 1
    assert "geheim" not in errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "http"), "a port is a number from 0 to 65535, not 'http'"),
        (("--trust-proxy", "caddy"), "a proxy to trust: 'caddy' is neither an IP address nor a network"),
    ],
)
def test_a_setting_that_cannot_be(arguments: tuple[str, ...], words: str) -> None:
    status, output, errors = serve(*arguments)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert words in errors
