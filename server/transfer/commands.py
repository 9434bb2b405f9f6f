"""The commands `export` and `import`: files, the store, and what is said of how it went.

What goes wrong is one line on standard error.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, Final

from protocol.commands import CODE_LETTERS
from server.clock import SystemClock
from server.config import ConfigError, from_environment
from server.daily.naming import read_attempt
from server.store.base import CannotOpen, Store, Unavailable
from server.store.opening import open_store
from server.transfer.exporting import NoSuchLog, export_logs
from server.transfer.importing import BadInput, import_logs
from server.transfer.progress import Progress

FAILED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class _Trouble(Exception):
    """What whoever typed the command is told, and the exit status."""

    def __init__(self, text: str, status: int = FAILED) -> None:
        super().__init__(text)
        self.status = status


def export_command(store: str | None, races: Sequence[str] | None, file: str | None) -> int:
    """Write a store's logs to a file, or to standard output; the exit status."""
    return _run(_export(store, races, file))


def import_command(store: str | None, file: str | None) -> int:
    """Bring the logs in a file, or from standard input, into a store; the exit status."""
    return _run(_import(store, file))


async def _export(store: str | None, races: Sequence[str] | None, file: str | None) -> int:
    names = None if races is None else [_log_of(race) for race in races]
    progress = Progress("exported", _say, time.monotonic)
    async with _opened(_existing(_url(store))) as opened:
        with _output(file) as put:
            try:
                await export_logs(opened, put, progress, names)
            except NoSuchLog as error:
                raise _Trouble(f"there is no race {str(error).removeprefix('race:')}") from None
    _say(str(progress))
    return 0


async def _import(store: str | None, file: str | None) -> int:
    progress = Progress("imported", _say, time.monotonic)
    with _input(file) as source:
        async with _opened(_url(store)) as opened:
            try:
                imported = await import_logs(opened, source, progress)
            except BadInput as error:
                raise _Trouble(f"{error}; before that: {progress}", BAD_INPUT) from None
    for name in imported.different:
        _say(f"{name} is there already, and different; it was left alone")
    there = f"; {imported.already_there} were there already" if imported.already_there else ""
    _say(f"{progress}{there}")
    return FAILED if imported.different else 0


def _run(work: Coroutine[Any, Any, int]) -> int:
    try:
        return asyncio.run(work)
    except _Trouble as error:
        _say(str(error))
        return error.status
    except (CannotOpen, ConfigError) as error:
        _say(str(error))
    except Unavailable as error:
        _say(f"the store failed: {error.detail}")
    except ModuleNotFoundError as error:
        _say(f"{error.name} is missing; install the server with: pip install 'cellrace[server]'")
    except KeyboardInterrupt:
        return INTERRUPTED
    return FAILED


def _say(text: str) -> None:
    print(f"cellrace-server: {text}", file=sys.stderr)


# The store.


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Store]:
    store = await open_store(url, SystemClock())
    try:
        yield store
    finally:
        await store.close()


def _url(given: str | None) -> str:
    return given or from_environment(os.environ).store


def _existing(url: str) -> str:
    """The same; for a file that is not there would be made, and be empty."""
    kind, _, path = url.partition(":")
    if kind == "sqlite" and path and not Path(path).exists():
        raise _Trouble(f"there is no store {path}")
    return url


def _log_of(text: str) -> str:
    """The log of a race by its code, or of a ranked attempt by its name."""
    if read_attempt(text.strip().lower()) is not None:
        return text.strip().lower()
    code = text.strip().upper()
    if len(code) != 8 or any(letter not in CODE_LETTERS for letter in code):
        raise _Trouble(f"{text!r} is no race code: eight letters, none of them I, L or O", BAD_INPUT)
    return f"race:{code}"


# Files.


@contextmanager
def _output(name: str | None) -> Iterator[Callable[[bytes], object]]:
    """Takes the lines. A file is there under its name only when all of them are in it."""
    try:
        if name is None:
            with _standard_output() as stream:
                yield stream.write
        elif Path(name).exists() and not Path(name).is_file():  # a pipe, a terminal
            with Path(name).open("wb") as stream:
                yield stream.write
        else:
            with _whole_file(Path(name)) as stream:
                yield stream.write
    except BrokenPipeError:
        raise _Trouble("nobody reads the output any more") from None
    except OSError as error:
        raise _Trouble(f"cannot write {name or 'the output'}: {error.strerror or error}") from None


@contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    stream = sys.stdout.buffer
    try:
        yield stream
        stream.flush()
    except OSError:
        # Python would write what is buffered once more on exit, and fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise


@contextmanager
def _whole_file(path: Path) -> Iterator[IO[bytes]]:
    # Such a file is readable by its owner only, as it should be: there are hashes of secrets in it.
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
        try:
            yield part
            part.flush()
            os.fsync(part.fileno())
            Path(part.name).replace(path)
        except BaseException:
            Path(part.name).unlink()
            raise


@contextmanager
def _input(name: str | None) -> Iterator[IO[bytes]]:
    if name is None and sys.stdin.isatty():
        raise _Trouble("name a file, or let standard input be one", BAD_INPUT)
    try:
        if name is None:
            yield sys.stdin.buffer
        else:
            with Path(name).open("rb") as stream:
                yield stream
    except OSError as error:
        raise _Trouble(f"cannot read {name or 'the input'}: {error.strerror or error}", BAD_INPUT) from None
