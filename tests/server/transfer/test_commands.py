"""The two commands as they are typed: files, statuses, and what is said."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import main
from server.clock import SystemClock
from server.store.base import START
from server.store.opening import open_store
from tests.contract.helpers import put

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, and no settings from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CELLRACE_STORE", raising=False)
    return tmp_path


async def make(path: str, *names: str, data: bytes = b"[]") -> None:
    store = await open_store(f"sqlite:{path}", SystemClock())
    for name in names:
        await put(store, name, START, data)
    await store.close()


def make_store(path: str, *names: str, data: bytes = b"[]") -> None:
    """A store with logs of these names."""
    asyncio.run(make(path, *names, data=data))


def test_there_and_back(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_store("a.sqlite", "race:AAAAAAAA", "player:ann")
    assert main(["export", "--store", "sqlite:a.sqlite", "a.jsonl"]) == 0
    assert main(["import", "--store", "sqlite:b.sqlite", "a.jsonl"]) == 0
    assert main(["import", "--store", "sqlite:b.sqlite", "a.jsonl"]) == 0
    assert main(["export", "--store", "sqlite:b.sqlite", "b.jsonl"]) == 0
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.splitlines() == [
        "cellrace-server: exported 2 logs, 2 events",
        "cellrace-server: imported 2 logs, 2 events",
        "cellrace-server: imported 0 logs, 0 events; 2 were there already",
        "cellrace-server: exported 2 logs, 2 events",
    ]
    assert (here / "a.jsonl").read_bytes() == (here / "b.jsonl").read_bytes()


def test_the_store_of_the_environment_and_the_usual_one(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_store("cellrace.sqlite", "race:AAAAAAAA")
    make_store("b.sqlite", "race:AAAAAAAA", "race:BBBBBBBB")
    assert main(["export"]) == 0
    monkeypatch.setenv("CELLRACE_STORE", "sqlite:b.sqlite")
    assert main(["export"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["logs"] for line in lines if "logs" in line] == [1, 2]


def test_one_race(capsys: pytest.CaptureFixture[str]) -> None:
    make_store("a.sqlite", "race:AAAAAAAA", "race:BBBBBBBB", "player:ann")
    store = ["--store", "sqlite:a.sqlite"]
    assert main(["export", *store, "--race", " aaaaaaaa"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"logs": 1, "events": 1}
    assert main(["export", *store, "--race", "AAAAAAAA", "--race", "CCCCCCCC", "c.jsonl"]) == 1
    assert capsys.readouterr().err == "cellrace-server: there is no race CCCCCCCC\n"
    assert not Path("c.jsonl").exists()
    assert main(["export", *store, "--race", "../../AA"]) == 2
    assert "is no race code" in capsys.readouterr().err


def test_one_attempt(capsys: pytest.CaptureFixture[str]) -> None:
    name = "daily:2026-11-30:4:mfrggzdfmztwq2lk"
    make_store("a.sqlite", name, "race:BBBBBBBB")
    assert main(["export", "--store", "sqlite:a.sqlite", "--race", name.upper()]) == 0
    out = capsys.readouterr().out
    assert name in out
    assert json.loads(out.splitlines()[-1]) == {"logs": 1, "events": 1}


def test_a_different_log_is_named_and_the_status_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    make_store("a.sqlite", "race:AAAAAAAA", "race:BBBBBBBB")
    make_store("b.sqlite", "race:AAAAAAAA", data=b"another")
    assert main(["export", "--store", "sqlite:a.sqlite", "a.jsonl"]) == 0
    capsys.readouterr()
    assert main(["import", "--store", "sqlite:b.sqlite", "a.jsonl"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "cellrace-server: race:AAAAAAAA is there already, and different; it was left alone",
        "cellrace-server: imported 1 logs, 1 events",
    ]


def test_damaged_input_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    make_store("a.sqlite", "race:AAAAAAAA", "race:BBBBBBBB")
    assert main(["export", "--store", "sqlite:a.sqlite", "a.jsonl"]) == 0
    text = Path("a.jsonl").read_bytes()
    Path("a.jsonl").write_bytes(text[:-20])
    capsys.readouterr()
    assert main(["import", "--store", "sqlite:b.sqlite", "a.jsonl"]) == 2
    assert capsys.readouterr().err == (
        "cellrace-server: line 6: the export ends here, before its last line; before that: "
        "imported 2 logs, 2 events\n"
    )


# Files.


def test_an_export_replaces_an_older_one_only_when_it_is_whole(here: Path) -> None:
    make_store("a.sqlite", "race:AAAAAAAA")
    target = here / "a.jsonl"
    target.write_text("the old one")
    assert main(["export", "--store", "sqlite:a.sqlite", "--race", "BBBBBBBB", "a.jsonl"]) == 1
    assert target.read_text() == "the old one"
    assert main(["export", "--store", "sqlite:a.sqlite", "a.jsonl"]) == 0
    assert target.read_text().endswith('{"logs":1,"events":1}\n')
    assert sorted(path.name for path in here.iterdir() if "jsonl" in path.name) == ["a.jsonl"]


def test_an_export_is_for_its_owner_s_eyes(here: Path) -> None:
    make_store("a.sqlite", "player:ann")
    assert main(["export", "--store", "sqlite:a.sqlite", "a.jsonl"]) == 0
    assert (here / "a.jsonl").stat().st_mode & 0o777 == 0o600


def test_an_export_may_go_into_a_pipe() -> None:
    make_store("a.sqlite", "player:ann")
    assert main(["export", "--store", "sqlite:a.sqlite", "/dev/null"]) == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["export", "--store", "sqlite:none.sqlite"], 1, "there is no store none.sqlite"),
        (
            ["export", "--store", "sqlite:a.sqlite", "no/such.jsonl"],
            1,
            "cannot write no/such.jsonl: No such",
        ),
        (["import", "--store", "sqlite:b.sqlite", "none.jsonl"], 2, "cannot read none.jsonl: No such file"),
        (["import", "--store", "sqlite:b.sqlite", "."], 2, "cannot read .: Is a directory"),
        (
            ["import", "--store", "sqlite:no/such.sqlite", "a.sqlite"],
            1,
            "no/such.sqlite: there is no folder",
        ),
        (["import", "--store", "sqlite:b.sqlite", "a.sqlite"], 2, "line 1: this is no JSON"),
        (["export", "--store", "redis://127.0.0.1:1"], 1, "cannot open the store redis://"),
        (["export", "--store", "redis://"], 1, "a host is missing"),
    ],
)
def test_what_goes_wrong_is_one_line(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make_store("a.sqlite")
    assert main(arguments) == status
    output, errors = capsys.readouterr()
    assert (output, errors.count("\n")) == ("", 1)
    assert words in errors
    assert not Path("none.sqlite").exists()


async def test_a_store_in_use_is_not_exported_behind_its_server_s_back(here: Path) -> None:
    store = await open_store("sqlite:a.sqlite", SystemClock())
    status, output, errors = await asyncio.to_thread(run, here, "export", "--store", "sqlite:a.sqlite")
    await store.close()
    assert (status, output, errors.count(b"\n")) == (1, b"", 1)
    assert b"in use" in errors


def run(folder: Path, *arguments: str, text: bytes = b"") -> tuple[int, bytes, bytes]:
    """Run the command as a process."""
    ended = subprocess.run(
        [sys.executable, "-m", "server.cli", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        input=text,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_standard_output_and_input_are_the_usual_files(here: Path) -> None:
    make_store("a.sqlite", "race:AAAAAAAA")
    _, exported, _ = run(here, "export", "--store", "sqlite:a.sqlite")
    status, _, errors = run(here, "import", "--store", "sqlite:b.sqlite", text=exported)
    assert (status, errors) == (0, b"cellrace-server: imported 1 logs, 1 events\n")


def test_nobody_who_reads_the_output_is_one_line() -> None:
    make_store("a.sqlite", *(f"player:{number}" for number in range(300)), data=b"x" * 1000)
    command = [sys.executable, "-m", "server.cli", "export", "--store", "sqlite:a.sqlite"]
    with subprocess.Popen(
        command, env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"export"')
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(60) == 1
    assert errors == b"cellrace-server: nobody reads the output any more\n"
