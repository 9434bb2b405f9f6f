"""The command line: help that teaches, errors in one line, and never a traceback."""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from client_cli import cli
from client_cli.cli import build_parser, main
from client_cli.commands import home
from client_cli.commands.bot import LONGEST_MOVES
from client_cli.errors import ClientError
from client_cli.world import World, this_world
from protocol.version import RELEASE
from tests.client_cli.samples import TOKEN

COMMANDS = ["play", "host", "join", "watch", "replay", "bot", "whoami"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_teaches_by_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert f"example:\n  cellrace {command}" in text
    for option in ("--server", "--name", "--token-file"):
        assert option in text


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (
            "play",
            ["--ascii", "--no-color", "--four-colors", "--high-contrast", "--text", "--boards", "--lang"],
        ),
        ("home", ["--ascii", "--no-color", "--four-colors", "--high-contrast", "--lang"]),
        ("bot", ["--ascii", "--no-color", "--lang"]),
        ("board", ["--ascii", "--no-color", "--lang"]),
        ("me", ["--ascii", "--no-color", "--lang"]),
        ("whoami", ["--lang"]),
        ("rules", ["--lang"]),
    ],
)
def test_a_command_has_the_options_that_do_something_there(
    command: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = capsys.readouterr().out
    looks = ["--ascii", "--no-color", "--four-colors", "--high-contrast", "--text", "--boards", "--lang"]
    assert [option for option in looks if option in text] == options


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("command", ["", *cli.COMMANDS])
def test_help_fits_a_terminal_of_80_cells(
    command: str, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    with pytest.raises(SystemExit):
        main([command, "--help"] if command else ["--help"])
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 80] == []


def test_the_whole_teaches_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(f"    {command}" in text for command in COMMANDS)


PROSE = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Words in a row, as no option and no example of a command has them."""


@pytest.mark.parametrize("command", ["", *COMMANDS, "home", "rules"])
def test_help_is_in_the_language_asked_for(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    told: dict[str, list[str]] = {}
    for language in ("en", "pt"):
        with pytest.raises(SystemExit):
            # Before the command there is no --lang; there the locale decides.
            main([*([command, "--lang", language] if command else []), "--help"])
        told[language] = [line.strip() for line in capsys.readouterr().out.splitlines()]
    if command:
        assert told["en"][0].startswith("usage: ")
        assert told["pt"][0].startswith("uso: ")
        same = [line for line in told["pt"] if line in told["en"] and not line.startswith("cellrace ")]
        assert [line for line in same if PROSE.search(line)] == []
    else:
        assert told["en"] == told["pt"]


@pytest.mark.parametrize("arguments", [["--help"], ["rules", "--lang=xx"], ["rules", "--lang"]])
def test_the_locale_decides_where_no_language_is_asked_for(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    with pytest.raises(SystemExit):
        main(arguments)
    said = capsys.readouterr()
    assert "Várias pessoas correm" in said.out or "cellrace rules --help mostra como" in said.err


def test_one_line_errors_in_portuguese(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CELLRACE_HOME", str(tmp_path))
    for arguments, why in (
        (["join", "ABCDEFG1"], "'ABCDEFG1' não é o código de uma corrida: oito letras, sem I, L nem O"),
        (["play", "--cells", "9"], "--cells: 1 a 4; não '9'"),
        (["play", "--watch", "foo"], "--watch: none, progress, delayed ou live; não 'foo'"),
        (["bot", "ABCDEFGH", "--moves", "/nowhere"], "não é possível ler as jogadas em /nowhere: não existe"),
        (
            ["join", "ABCDEFGH", "--server", "ws://127.0.0.1:1"],
            "não é possível chegar a ws://127.0.0.1:1: nada escuta ali",
        ),
    ):
        assert main([*arguments, "--lang", "pt"]) == 1
        assert capsys.readouterr().err == f"cellrace: {why}\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["dance"], ["join"], ["play", "--nonsense"], ["bot", "ABCDEFGH"], ["bot", "A", "--pace", "x"]],
)
def test_a_wrong_command_line_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_language_may_stand_before_the_command_or_behind_it() -> None:
    for arguments in (
        ["--lang", "pt", "host"],
        ["host", "--lang", "pt"],
        ["--lang", "en", "host", "--lang", "pt"],
    ):
        assert build_parser().parse_args(arguments).lang == "pt"
    assert build_parser().parse_args(["host"]).lang is None


def test_what_is_missing_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["watch"])
    assert "the following arguments are required: CODE (cellrace watch" in capsys.readouterr().err


def test_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"cellrace {RELEASE}\n"


@pytest.mark.parametrize("options", [[], ["--lang", "pt"], ["--lang=pt", "--ascii"], ["--name", "Ann"]])
def test_options_alone_are_those_of_the_first_screen(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[argparse.Namespace] = []

    async def run(args: argparse.Namespace, _world: World) -> int:
        seen.append(args)
        return 0

    monkeypatch.setattr(home, "run", run)
    monkeypatch.setattr(cli, "this_world", lambda: replace(this_world(), has_screen=True))
    assert main(options) == 0
    assert [args.name for args in seen] == ["Ann" if "Ann" in options else None]
    with pytest.raises(SystemExit) as ended:
        main(["--ascii", "play"])
    assert ended.value.code == 2
    assert "cellrace --help" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["join", "ABCDEFG1"], "'ABCDEFG1' is no race code: eight letters, none of them I, L or O"),
        (
            ["join", "ABCDEFGH", "--server", "ws://127.0.0.1:1"],
            "cannot reach ws://127.0.0.1:1: nothing listens there",
        ),
        (
            ["watch", "ABCDEFGH", "--server", "ftp://x"],
            "'ftp://x' is not a server's address; it looks like",
        ),
        (["play", "--cells", "9"], "--cells is 1 to 4; not '9'"),
        (["play", "--time-limit", "9"], "--time-limit is 10 to 86400 seconds; not '9'"),
        (["host", "--rules", "poker"], "--rules is classic, app"),
        (["host", "--undo-limit", "x"], "--undo-limit is 0 to 3000, or rules: as the rules have it; not 'x'"),
        (["replay", "ABCDEFGH", "--player", ""], "--player wants the name of one who raced"),
        (["replay", "ABCDEFGH", "--local", "--player", " "], "--player wants the name of one who raced"),
        (
            ["host", "--listen", "127.0.0.1:0", "--server", "ws://127.0.0.1:1"],
            "--listen is for a server of your own, but ws://127.0.0.1:1 is to be used",
        ),
        (
            ["replay", "ABCDEFGH", "--local", "--server", "ws://127.0.0.1:1"],
            "--local is the server of this machine; name no other with --server",
        ),
        (
            ["whoami", "--local", "--server", "ws://127.0.0.1:1"],
            "--local is the server of this machine; name no other with --server",
        ),
        (["host", "--listen", "8765"], "--listen wants HOST:PORT, such as 0.0.0.0:8765, not '8765'"),
        (["host", "--listen", "x:99999"], "--listen wants HOST:PORT, such as 0.0.0.0:8765, not 'x:99999'"),
        (
            ["bot", "ABCDEFGH", "--moves", "/nowhere"],
            "cannot read the moves in /nowhere: No such file or directory",
        ),
        (
            ["bot", "ABCDEFGH", "--moves", "-", "--pace", "-1"],
            "--pace is a number of milliseconds, 0 or more",
        ),
        (["whoami"], "you have no token for ws://127.0.0.1:8765 yet"),
        (["whoami", "--local"], "you have no token for this machine yet"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str],
    why: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("CELLRACE_HOME", str(tmp_path))
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"cellrace: {why}")
    assert len(error.splitlines()) == 1


def test_moves_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "moves").write_bytes(b"\xff\xfe")
    assert main(["bot", "ABCDEFGH", "--moves", str(tmp_path / "moves")]) == 1
    assert capsys.readouterr().err == f"cellrace: {tmp_path / 'moves'} is no text\n"


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero", "/", "pipe"])
def test_what_is_no_regular_file_is_not_read(
    device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / device)
    os.mkfifo(tmp_path / "pipe")
    assert main(["whoami", "--token-file", path]) == 1
    assert capsys.readouterr().err == f"cellrace: {path} is no regular file\n"
    assert main(["bot", "ABCDEFGH", "--moves", path]) == 1
    assert capsys.readouterr().err == f"cellrace: {path} is no regular file\n"


def test_files_that_are_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long"
    path.write_text("3a " * LONGEST_MOVES)
    assert main(["whoami", "--token-file", str(path)]) == 1
    assert capsys.readouterr().err == f"cellrace: {path} is longer than 1024 bytes\n"
    assert main(["bot", "ABCDEFGH", "--moves", str(path)]) == 1
    assert capsys.readouterr().err == f"cellrace: {path} is longer than {LONGEST_MOVES} bytes\n"
    long = f"standard input is longer than {LONGEST_MOVES} bytes: that is no list of moves"
    assert cellrace("cellrace bot ABCDEFGH --moves - </dev/zero", tmp_path) == (1, f"cellrace: {long}\n")
    none = "cellrace: there is no standard input to read moves from\n"
    assert cellrace("cellrace bot ABCDEFGH --moves - <&-", tmp_path) == (1, none)


def test_whoami(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    assert main(["whoami", "--name", "ann", "--token-file", str(tmp_path / "token")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "server: ws://127.0.0.1:8765",
        "player: aaaaaaaaaaaaaaaa",
        "name: ann",
        f"token: {tmp_path / 'token'}",
    ]


def command_that(run: Callable[[argparse.Namespace, World], Awaitable[int]]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.set_defaults(run=run)
    return parser


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ClientError("no"), 1, "cellrace: no\n"),
        (ExceptionGroup("g", [ExceptionGroup("h", [ClientError("no")])]), 1, "cellrace: no\n"),
        (KeyboardInterrupt(), 130, "\n"),
    ],
)
def test_how_a_command_may_end(
    error: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def run(_args: argparse.Namespace, _world: World) -> int:
        raise error

    monkeypatch.setattr(cli, "build_parser", lambda: command_that(run))
    assert main([]) == status
    assert capsys.readouterr().err == said


def test_a_reader_that_has_had_enough(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    source, sink = os.pipe()
    os.close(source)
    process = subprocess.run(
        [sys.executable, "-m", "client_cli.cli", "whoami", "--token-file", str(tmp_path / "token")],
        stdout=sink,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(sink)
    assert process.returncode != 0
    assert process.stderr == b""


ROOT = Path(__file__).parents[2]
FULL = "cellrace: cannot write the output: No space left on device\n"


def cellrace(command: str, home: Path) -> tuple[int, str]:
    """Run a line of shell in which `cellrace` is this one; its status, and what it says on standard error."""
    words = f'cellrace() {{ "{sys.executable}" -m client_cli.cli "$@"; }}; {command}'
    environment = {**os.environ, "CELLRACE_HOME": str(home)}
    ended = subprocess.run(
        ["/bin/sh", "-c", words], cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, check=False
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    "command", ["whoami --token-file token", "rules", "--help", "play --help", "play </dev/null"]
)
def test_output_that_cannot_be_written(command: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    command = command.replace("--token-file token", f"--token-file {tmp_path / 'token'}")
    assert cellrace(f"cellrace {command} >/dev/full", tmp_path) == (1, FULL)


@pytest.mark.parametrize("command", ["rules", "--help", "play </dev/null"])
def test_output_that_is_closed(command: str, tmp_path: Path) -> None:
    closed = "cellrace: cannot write the output: it is closed\n"
    assert cellrace(f"cellrace {command} >&-", tmp_path) == (1, closed)
    assert cellrace(f"cellrace {command} >&- 2>&-", tmp_path) == (1, "")


def test_errors_that_nobody_wants_to_know(tmp_path: Path) -> None:
    assert cellrace("cellrace join A 2>&-", tmp_path) == (1, "")
    assert cellrace("cellrace join A 2>/dev/full", tmp_path) == (1, "")
    assert cellrace("cellrace dance 2>&-", tmp_path) == (2, "")


def test_every_command_has_a_parser() -> None:
    args = build_parser().parse_args(["bot", "ABCDEFGH", "--moves", "-"])
    assert args.pace == 0


def test_an_error_repeats_nothing_that_a_terminal_obeys(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["whoami", "--token-file", str(tmp_path / "\x1b[2J"), "--server", "ws://127.0.0.1:1"]
    tmp_path.joinpath("\x1b[2J").write_text("no token")
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert told.startswith("cellrace: ")
    assert " [2J holds no token" in told
    assert "\x1b" not in told
