"""Our commands as people run them: processes with something typed in and something read from the screen."""

import asyncio
import os
import pty
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def installed(command: str) -> str:
    """A command of ours as the package puts it beside the interpreter."""
    path = Path(sys.executable).with_name(command)
    assert path.exists(), f"{path} is not there; `make test` installs the package first"
    return str(path)


class Program:
    """A running command. What it prints, errors included, can be waited for."""

    def __init__(self, process: asyncio.subprocess.Process, output: asyncio.StreamReader) -> None:
        self.process = process
        self.shown = ""
        self._seen = 0
        self._output = output

    def type(self, text: str) -> None:
        assert self.process.stdin is not None  # it was asked for as a pipe
        self.process.stdin.write(text.encode())

    def end_input(self) -> None:
        assert self.process.stdin is not None  # it was asked for as a pipe
        self.process.stdin.close()

    async def shows(self, text: str) -> str:
        """Wait until that is printed, after what was waited for before; the rest of its line."""
        while (place := self.shown.find(text, self._seen)) < 0 or "\n" not in self.shown[place:]:
            if not await self._read():
                raise AssertionError(f"ended without {text!r}:\n{self.shown}")
        self._seen = place + len(text)
        return self.shown[self._seen :].partition("\n")[0].strip()

    async def ends(self) -> int:
        """Read to the end; the status."""
        while await self._read():
            pass
        return await self.process.wait()

    async def _read(self) -> bool:
        try:
            chunk = await self._output.read(65_536)
        except OSError:  # how a terminal whose last program has ended says so
            return False
        self.shown += chunk.decode(errors="replace")
        return bool(chunk)


def _obey_ctrl_c() -> None:
    """Undo what a shell does to what it runs in the background: for that, Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Home:
    """A person's machine: a folder for tokens and races, and an environment in which English is spoken."""

    def __init__(self, folder: Path, name: str, **environment: str) -> None:
        self.folder = folder / name
        self._environment = {
            **os.environ,
            "CELLRACE_HOME": str(self.folder),
            "CELLRACE_NAME": name,
            "PYTHONPATH": str(ROOT),
            "LC_ALL": "C.UTF-8",
            **environment,
        }

    @asynccontextmanager
    async def start(self, *arguments: str, module: str = "client_cli.cli") -> AsyncIterator[Program]:
        """Run a command until the block ends; it is killed if it has not ended by then."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=self._environment,
            cwd=ROOT,
            preexec_fn=_obey_ctrl_c,
        )
        assert process.stdout is not None  # it was asked for as a pipe
        try:
            yield Program(process, process.stdout)
        finally:
            await _put_down(process)

    async def run(self, *arguments: str, text: str = "", module: str = "client_cli.cli") -> tuple[int, str]:
        """Run a command to its end on a text; its status, and all it printed."""
        async with self.start(*arguments, module=module) as program:
            program.type(text)
            program.end_input()
            return await program.ends(), program.shown

    @asynccontextmanager
    async def start_in_terminal(self, *arguments: str) -> AsyncIterator["TerminalProgram"]:
        """Run a command in a terminal of its own."""
        ours, theirs = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            *(installed("cellrace"), *arguments),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**self._environment, "TERM": "xterm"},
            cwd=ROOT,
            preexec_fn=_obey_ctrl_c,
            start_new_session=True,
        )
        os.close(theirs)
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ours, "rb", buffering=0)
        )
        try:
            yield TerminalProgram(process, reader, ours)
        finally:
            await _put_down(process)
            transport.close()


class TerminalProgram(Program):
    """A running command at a terminal."""

    def __init__(
        self, process: asyncio.subprocess.Process, output: asyncio.StreamReader, descriptor: int
    ) -> None:
        super().__init__(process, output)
        self._descriptor = descriptor

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())


async def _put_down(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        process.kill()
    await process.wait()
