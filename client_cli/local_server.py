"""A server on this machine, as a process of its own that lives no longer than this one.

It reads its standard input and ends when that does. So it ends with the client however the client ends, `kill
-9` included.
"""

import asyncio
import importlib.util
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from client_cli.errors import ClientError
from client_cli.folders import make_folder
from client_cli.language import mark, tr
from client_cli.os_words import why_of

READY: Final = "cellrace-server listening on "
START_TIMEOUT_S: Final = 20.0
END_TIMEOUT_S: Final = 5.0

_NOT_INSTALLED: Final = mark(
    "the server is not installed here; get it with: pip install 'cellrace[server]',"
    " or name another one with --server URL"
)
_NOT_INSTALLED_ON_SCREEN: Final = mark(
    "the server is not installed here; get it with: pip install 'cellrace[server]',"
    " or write the address of another one above"
)

_IN_USE: Final = mark("the store {path} is in use by another process; only one may have it open")

_NO_PORT: Final = mark("cannot listen on {host} port {port}: {why}")


class RacesInUse(ClientError):
    """Another program has the races of this machine open: the server of a race, mostly."""


class CannotListen(ClientError):
    """Where the server was to listen, it cannot: another program does, mostly."""


class _Known(NamedTuple):
    """What is made of a sentence of the server, and what to do: on the first screen there are no options."""

    error: type[ClientError]
    advice: str
    advice_on_screen: str


_END_THE_OTHER: Final = mark(
    "end the other cellrace (play, host or the full screen), or set CELLRACE_HOME to another folder"
)

_KNOWN: Final = {
    _NO_PORT: _Known(
        CannotListen,
        mark("cellrace host --listen HOST:PORT takes another address"),
        mark("write the address of another server above"),
    ),
    _IN_USE: _Known(RacesInUse, _END_THE_OTHER, _END_THE_OTHER),
}
"""By what the server says, which speaks English."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that runs: its address, as it told it, and its process."""

    url: str
    process: asyncio.subprocess.Process

    async def ended(self) -> str:
        """Wait until it ends by itself; what to say of that."""
        await self.process.wait()
        return tr("the server on this machine has ended by itself; its races are kept: start again to go on")


@asynccontextmanager
async def local_server(
    folder: Path, host: str, port: int, environment: Mapping[str, str]
) -> AsyncIterator[LocalServer]:
    """Run a server as long as the context lasts.

    Args:
        folder: where its store and its log are; made if it is not there.
        host: the address to listen on.
        port: the port to listen on; 0 for a free one.
        environment: of the process.

    Raises:
        RacesInUse: another one has the folder's races open.
        CannotListen: it cannot listen there.
        ClientError: it is not installed, or does not start; in words of its own if it says why.
    """
    code = _find_server()
    log_path = folder / "server.log"
    log = _open_log(log_path)
    try:
        # -P and the path: a folder called `server` where the user happens to be is not ours.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "server.cli", "serve", "--until-stdin-closes"),
            *("--host", host, "--port", str(port), "--store", f"sqlite:{folder / 'races.sqlite'}"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**environment, "PYTHONPATH": _with_first(code, environment.get("PYTHONPATH", ""))},
            # Ctrl-C is for the client; the server ends when its input does.
            start_new_session=True,
        )
    finally:
        os.close(log)
    try:
        yield LocalServer(await _ready(process, log_path), process)
    finally:
        await _end(process)


def lan_address() -> str | None:
    """The address at which others on the network probably reach this machine; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only chooses the way to this example address.
            probe.connect(("192.0.2.1", 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return None
        else:
            return address


def _find_server() -> Path:
    """The folder that holds the server's package."""
    if importlib.util.find_spec("server") is not None:
        spec = importlib.util.find_spec("server.cli")
        if spec is not None and spec.origin is not None:
            return Path(spec.origin).parent.parent
    raise ClientError(tr(_NOT_INSTALLED), on_screen=tr(_NOT_INSTALLED_ON_SCREEN))


def _with_first(folder: Path, path: str) -> str:
    return os.pathsep.join([str(folder), *([path] if path else [])])


def _open_log(path: Path) -> int:
    """The file that takes what the server says on standard error, begun anew."""
    try:
        make_folder(path.parent)
        # A pipe that nobody reads would be waited for.
        log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NONBLOCK", 0), 0o600)
        os.set_blocking(log, True)
    except OSError as error:
        text = tr("cannot write to {folder}: {why}; CELLRACE_HOME names another folder")
        raise ClientError(text.format(folder=path.parent, why=why_of(error))) from None
    return log


async def _ready(process: asyncio.subprocess.Process, log_path: Path) -> str:
    """Wait for the line that says where the server listens."""
    assert process.stdout is not None  # it was asked for as a pipe
    try:
        async with asyncio.timeout(START_TIMEOUT_S):
            line = (await process.stdout.readline()).decode(errors="replace").strip()
    except TimeoutError:
        text = tr("the server did not start in {seconds:.0f} s; see {path}")
        raise ClientError(text.format(seconds=START_TIMEOUT_S, path=log_path)) from None
    if not line.startswith(READY):
        raise _why_not(log_path)
    return line.removeprefix(READY)


def _why_not(log_path: Path) -> ClientError:
    """What the server said before it ended, in one line."""
    lines = log_path.read_text(errors="replace").strip().splitlines()
    if not lines:
        return ClientError(tr("the server ended without a word"))
    last = lines[-1].removeprefix("cellrace-server: ")
    text = tr("the server did not start: {words}")
    for english, known in _KNOWN.items():
        gaps = _gaps(english, last)
        if gaps is not None:
            words = tr(english).format(**{name: tr(value) for name, value in gaps.items()})
            told, on_screen = (text.format(words=f"{words}; {tr(advice)}") for advice in known[1:])
            return known.error(told, on_screen=on_screen)
    return ClientError(text.format(words=last))


def _gaps(sentence: str, words: str) -> dict[str, str] | None:
    """What stands in the gaps of a sentence, if that is what the words are."""
    found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(sentence)), words)
    return found.groupdict() if found else None


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let the server end by itself, and see to it that it does."""
    assert process.stdin is not None  # it was asked for as a pipe
    process.stdin.close()
    if hasattr(signal, "SIGCONT") and process.returncode is None:
        # One that was stopped would not notice. Not by `send_signal`: that looks whether the process has
        # ended, and so takes its end from asyncio, which complains aloud.
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, signal.SIGCONT)
    for stop in (process.terminate, process.kill):
        if await _has_ended(process):
            return
        stop()
    await process.wait()


async def _has_ended(process: asyncio.subprocess.Process) -> bool:
    """Whether the process ends in the time it has."""
    try:
        async with asyncio.timeout(END_TIMEOUT_S):
            await process.wait()
    except TimeoutError:
        return False
    return True
