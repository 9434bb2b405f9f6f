"""What `cellrace-server serve` says when it cannot: one line, and a status that is not 0."""

import subprocess
import sys
from pathlib import Path

import pytest

from protocol.version import RELEASE
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
        (
            ("--origin", "banana"),
            "an origin is scheme://host[:port], such as https://race.example, not 'banana'",
        ),
        (("--robot-speed", "0"), "how fast robots play is a number from 0.1 to 20, such as 0.5, not '0'"),
        (("--trust-proxy", "caddy"), "a proxy to trust: 'caddy' is neither an IP address nor a network"),
    ],
)
def test_a_setting_that_cannot_be(arguments: tuple[str, ...], words: str) -> None:
    status, output, errors = serve(*arguments)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert words in errors


def cellrace_server(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Run any of its commands to the end; status, output and errors."""
    command = [sys.executable, "-m", "server.cli", *arguments]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, text=True, capture_output=True, check=False, timeout=60
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_its_version() -> None:
    assert cellrace_server("--version") == (0, f"cellrace-server {RELEASE}\n", "")


def test_help_says_what_a_newcomer_needs() -> None:
    status, output, errors = cellrace_server("serve", "--help")
    assert (status, errors) == (0, "")
    for words in ("--host", "--port", "--store", "--origin", "--until-stdin-closes", "/readyz", "SIGTERM"):
        assert words in output
    for variable in ("CELLRACE_HOST", "CELLRACE_PORT", "CELLRACE_STORE", "CELLRACE_ORIGINS"):
        assert variable in output
    # Examples are to be copied: each begins its own line.
    examples = [
        line for line in output.splitlines() if "cellrace-server serve" in line and "usage" not in line
    ]
    assert len(examples) >= 3
    assert all(line.startswith("  cellrace-server serve") for line in examples)
    assert max(map(len, output.splitlines())) <= 110
    status, output, errors = cellrace_server("--help")
    assert (status, errors) == (0, "")
    assert "serve" in output


@pytest.mark.parametrize(
    "arguments", [(), ("swim",), ("serve", "--no-such-option"), ("serve", "--port"), ("serve", "extra")]
)
def test_a_command_that_makes_no_sense_is_one_line_and_status_2(arguments: tuple[str, ...]) -> None:
    status, output, errors = cellrace_server(*arguments)
    assert (status, output) == (2, "")
    assert errors.count("\n") == 1
    assert "--help" in errors


@pytest.mark.parametrize("port", ["65536", "-1", "9" * 5000, "0x50", ""])
def test_a_port_that_is_none_is_one_line_and_status_2_wherever_it_is_said(port: str) -> None:
    said = [cellrace_server("serve", f"--port={port}")]
    if port:
        said.append(cellrace_server("serve", CELLRACE_PORT=port))
    for status, output, errors in said:
        assert (status, output, errors.count("\n")) == (2, "", 1)
        assert "a port is a number from 0 to 65535" in errors


def test_an_option_wins_over_the_environment(tmp_path: Path) -> None:
    # The environment's are all impossible, so it ends at the first thing that is wrong: the store given here.
    (tmp_path / "file").write_text("not a store, " * 100)
    status, _, errors = cellrace_server(
        *("serve", "--port", "0", "--host", "127.0.0.1", "--store", f"sqlite:{tmp_path}/file"),
        CELLRACE_HOST="no.such.host.invalid",
        CELLRACE_STORE="nonsense",
    )
    assert (status, errors) == (
        1,
        f"cellrace-server: cannot open the store {tmp_path}/file: it is not a database\n",
    )
