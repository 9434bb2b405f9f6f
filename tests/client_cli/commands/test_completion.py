"""Commands and options, completed by the shells themselves."""

import os
import pty
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from client_cli.cli import main
from client_cli.commands.completion import SHELLS

LINES = [
    ("cellrace jo", ["join"]),
    ("cellrace play --hi", ["--high-contrast", "--hints"]),
    ("cellrace play --rules so", ["solitarium"]),
    ("cellrace host --watch pro", ["progress"]),
    ("cellrace rules --lang p", ["pt"]),
    ("cellrace completion f", ["fish"]),
    ("cellrace join X --token-file my", ["my.token"]),
]
"""What is typed, and what a shell makes of its last word."""

SCRIPT = "_cellrace"
"""The file with what `cellrace completion` prints; zsh finds it by this name."""


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    """What `cellrace completion` prints."""
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.fixture
def prepare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Puts the script for a shell and a file to complete into the folder; where the shell is, or skips."""

    def prepare_for(shell: str) -> str:
        path = shutil.which(shell)
        if path is None:
            pytest.skip(f"there is no {shell} here")
        (tmp_path / SCRIPT).write_text(script(capsys, shell))
        (tmp_path / "my.token").write_text("")
        return path

    return prepare_for


def output(command: list[str], folder: Path) -> str:
    """What a command prints, there, with no settings of anybody's."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return ended.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_commands_options_and_values(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(capsys, shell)
    for word in ("join", "completion", "high-contrast", "time-limit", "solitarium", "delayed"):
        assert word in text


@pytest.mark.parametrize(("line", "words"), LINES)
def test_bash_completes(line: str, words: list[str], tmp_path: Path, prepare: Callable[[str], str]) -> None:
    bash = prepare("bash")
    *before, last = line.split()
    lines = (
        f"source ./{SCRIPT}",
        f"COMP_WORDS=({line}); COMP_CWORD={len(before)}",
        f"$(complete -p cellrace | grep -o '_[a-z_]*') cellrace {last} {before[-1]}",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    )
    assert sorted(output([bash, "--norc", "-c", "\n".join(lines)], tmp_path).split()) == words


@pytest.mark.parametrize(("line", "words"), LINES)
def test_fish_completes(line: str, words: list[str], tmp_path: Path, prepare: Callable[[str], str]) -> None:
    fish = prepare("fish")
    told = output([fish, "--no-config", "-c", f"source {SCRIPT}; complete -C '{line}'"], tmp_path)
    assert sorted(row.split("\t")[0] for row in told.splitlines()) == words


@pytest.mark.parametrize(("line", "words"), [(line, words) for line, words in LINES if len(words) == 1])
def test_zsh_completes(line: str, words: list[str], tmp_path: Path, prepare: Callable[[str], str]) -> None:
    zsh = prepare("zsh")
    setup = f"PS1=; bindkey -e; fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -D"
    with Typist([zsh, "-f", "-i"], tmp_path) as typist:
        typist.types(f"{setup}; print rea''dy\n")
        typist.reads("ready")
        # Tab, and then the line as it is now is printed instead of run.
        typist.types(f"{line}\t\x01print -r -- '<\x05>'\n")
        typist.reads(f"<{line.rpartition(' ')[0]} {words[0]}>\r\n")


class Typist:
    """Somebody at a terminal in which a shell runs."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._command, self._folder = command, folder
        self._read = b""

    def __enter__(self) -> Self:
        self._terminal, theirs = pty.openpty()
        environment = {"PATH": os.environ["PATH"], "HOME": str(self._folder), "TERM": "dumb"}
        self._shell = subprocess.Popen(
            self._command,
            cwd=self._folder,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        return self

    def __exit__(self, *_: object) -> None:
        self._shell.kill()
        self._shell.wait()
        os.close(self._terminal)

    def types(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def reads(self, text: str) -> None:
        """Wait until that is on the screen."""
        while text.encode() not in self._read:
            self._read += os.read(self._terminal, 4096)
