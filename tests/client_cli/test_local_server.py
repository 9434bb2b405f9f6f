"""A server that lives no longer than its client. Here stand-ins for it; the real one in `end_to_end`."""

import importlib.util
import os
import signal
import socket
from pathlib import Path

import pytest

from client_cli import language
from client_cli import local_server as module
from client_cli.errors import ClientError
from client_cli.local_server import CannotListen, RacesInUse, lan_address, local_server

LISTENS = """
import os, sys
print("cellrace-server listening on ws://127.0.0.1:1", flush=True)
sys.stdin.read()
"""
IN_USE = """
import sys
words = "the store races.sqlite is in use by another process; only one may have it open"
sys.exit(f"cellrace-server: {words}")
"""
SILENT = ""
DEAF = """
import signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("cellrace-server listening on ws://127.0.0.1:1", flush=True)
signal.pause()
"""
HANGS = """
import signal
signal.pause()
"""


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> Path:
    """Let `server.cli` be this code; the folder for its data."""
    package = tmp_path / "code" / "server"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "cli.py").write_text(code)
    monkeypatch.setattr(module, "_find_server", lambda: package.parent)
    return tmp_path / "data"


async def test_it_ends_with_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, LISTENS)
    async with local_server(folder, "127.0.0.1", 0, os.environ) as server:
        assert server.url == "ws://127.0.0.1:1"
        assert server.process.returncode is None
    assert server.process.returncode == 0


async def test_it_is_known_when_it_ends_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, LISTENS)
    async with local_server(folder, "127.0.0.1", 0, os.environ) as server:
        server.process.kill()
        assert "has ended by itself" in await server.ended()


async def test_its_last_words_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, IN_USE)
    with pytest.raises(RacesInUse) as caught:
        async with local_server(folder, "127.0.0.1", 0, os.environ):
            pytest.fail("it does not start")
    assert str(caught.value) == (
        "the server did not start: the store races.sqlite is in use by another process; only one may have"
        " it open; end the other cellrace (play, host or the full screen), or set CELLRACE_HOME to another"
        " folder"
    )


async def test_a_port_that_is_taken_is_no_matter_of_the_folder(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen) as caught:
            async with local_server(tmp_path, "127.0.0.1", port, os.environ):
                pytest.fail("it does not start")
        assert str(caught.value) == (
            f"the server did not start: cannot listen on 127.0.0.1 port {port}: Address already in use;"
            " cellrace host --listen HOST:PORT takes another address"
        )
        assert caught.value.on_screen == (
            f"the server did not start: cannot listen on 127.0.0.1 port {port}: Address already in use;"
            " write the address of another server above"
        )
        language.use("pt")
        with pytest.raises(CannotListen) as caught:
            async with local_server(tmp_path, "127.0.0.1", port, os.environ):
                pytest.fail("it does not start")
        assert str(caught.value) == (
            f"o servidor não começou: não é possível escutar em 127.0.0.1, porta {port}: o endereço já está"
            " em uso; cellrace host --listen HOST:PORTA toma outro endereço"
        )


async def test_where_it_is_not_installed_each_is_told_what_he_can_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ClientError, match="name another one with --server URL") as caught:
        async with local_server(tmp_path, "127.0.0.1", 0, os.environ):
            pytest.fail("it does not start")
    assert caught.value.on_screen.endswith("or write the address of another one above")


async def test_what_it_says_of_something_else_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stand_in(tmp_path, monkeypatch, 'import sys\nsys.exit("cellrace-server: the moon is full")\n')
    language.use("pt")
    with pytest.raises(ClientError, match=r"^o servidor não começou: the moon is full$"):
        async with local_server(folder, "127.0.0.1", 0, os.environ):
            pytest.fail("it does not start")


async def test_it_may_end_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, SILENT)
    with pytest.raises(ClientError, match="without a word"):
        async with local_server(folder, "127.0.0.1", 0, os.environ):
            pytest.fail("it does not start")


async def test_it_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, HANGS)
    monkeypatch.setattr(module, "START_TIMEOUT_S", 0.0)
    monkeypatch.setattr(module, "END_TIMEOUT_S", 0.1)
    with pytest.raises(ClientError, match="did not start in 0 s"):
        async with local_server(folder, "127.0.0.1", 0, os.environ):
            pytest.fail("it does not start")


async def test_one_that_was_stopped_ends_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, LISTENS)
    async with local_server(folder, "127.0.0.1", 0, os.environ) as server:
        server.process.send_signal(signal.SIGSTOP)
    assert server.process.returncode == 0


async def test_one_that_will_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, DEAF)
    monkeypatch.setattr(module, "END_TIMEOUT_S", 0.1)
    async with local_server(folder, "127.0.0.1", 0, os.environ) as server:
        pass
    assert server.process.returncode == -9


async def test_nobody_else_may_look_into_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, monkeypatch, LISTENS) / "of" / "mine"
    async with local_server(folder, "127.0.0.1", 0, dict(os.environ)):
        assert [path.stat().st_mode & 0o077 for path in (folder.parent, folder, folder / "server.log")] == [
            0
        ] * 3


async def test_a_log_that_is_a_pipe_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stand_in(tmp_path, monkeypatch, LISTENS)
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "server.log")
    with pytest.raises(ClientError, match="cannot write to"):
        async with local_server(folder, "127.0.0.1", 0, dict(os.environ)):
            pass


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ClientError, match="CELLRACE_HOME names another folder"):
        async with local_server(tmp_path / "file" / "below", "127.0.0.1", 0, os.environ):
            pytest.fail("it does not start")


@pytest.mark.parametrize("missing", ["server", "server.cli"])
async def test_without_the_server_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    found = module.importlib.util.find_spec  # type: ignore[attr-defined]  # what the module itself uses
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == missing else found(name))
    with pytest.raises(ClientError, match=r"pip install 'cellrace\[server\]'"):
        async with local_server(tmp_path, "127.0.0.1", 0, os.environ):
            pytest.fail("it does not start")


def test_a_folder_called_server_in_the_way_is_not_ours(tmp_path: Path) -> None:
    assert module._find_server() == Path(module.__file__).parent.parent
    assert module._with_first(Path("/ours"), "/theirs") == f"/ours{os.pathsep}/theirs"
    assert module._with_first(Path("/ours"), "") == "/ours"


def test_the_address_on_the_network() -> None:
    address = lan_address()
    assert address is None or address.count(".") == 3


def test_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object) -> None:
        raise OSError("network is unreachable")

    monkeypatch.setattr("socket.socket.connect", nowhere)
    assert lan_address() is None
