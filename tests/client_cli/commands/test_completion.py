"""Commands and options, completed by a shell."""

import shutil
import subprocess
from pathlib import Path

import pytest

from client_cli.cli import main
from client_cli.commands.completion import SHELLS

BASH = shutil.which("bash")


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    """What `cellrace completion` prints."""
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_commands_options_and_values(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(capsys, shell)
    for word in ("join", "completion", "high-contrast", "time-limit", "solitarium", "delayed"):
        assert word in text


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cellrace jo", ["join"]),
        ("cellrace play --hi", ["--high-contrast", "--hints"]),
        ("cellrace play --rules so", ["solitarium"]),
        ("cellrace host --watch pro", ["progress"]),
        ("cellrace rules --lang p", ["pt"]),
        ("cellrace completion f", ["fish"]),
        ("cellrace join X --token-file my", ["my.token"]),
    ],
)
def test_bash_completes(
    line: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "script").write_text(script(capsys, "bash"))
    (tmp_path / "my.token").write_text("")
    *before, last = line.split()
    lines = (
        "source ./script",
        f"COMP_WORDS=({line}); COMP_CWORD={len(before)}",
        f"_shtab_cellrace cellrace {last} {before[-1]}",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    )
    ended = subprocess.run(
        [str(BASH), "--norc", "-c", "\n".join(lines)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(ended.stdout.split()) == words
