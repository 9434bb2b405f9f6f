"""The rule tools, by their parsed arguments; what only a process can show is run as one."""

import argparse
import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.tools import MAX_INPUT_BYTES, add_tool_commands
from tests.server.freecell.boards import LAYOUTS, SOLUTIONS

# Only the tools, without what serve needs: their own parser as the command line has it.
MAIN = """
import argparse, sys
from server.tools import add_tool_commands
parser = argparse.ArgumentParser("cellrace-server")
add_tool_commands(parser.add_subparsers())
args = parser.parse_args()
sys.exit(args.run(args))
"""

# A solution as fc-solve writes it, which is no solution in standard notation.
EXTENDED = "".join(
    str(one["moves"]).replace("v1", "") for one in SOLUTIONS if (one["deal"], one["free_cells"]) == (5, 2)
)


def run(*argv: str) -> int:
    parser = argparse.ArgumentParser("cellrace-server")
    add_tool_commands(parser.add_subparsers())
    args = parser.parse_args(argv)
    status = args.run(args)
    assert isinstance(status, int)
    return status


@pytest.fixture
def tool(capsys: pytest.CaptureFixture[str]) -> "Tool":
    return Tool(capsys)


class Tool:
    """Runs a command and tells what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def prints(self, *argv: str) -> str:
        """What a command that succeeds prints."""
        status, out = self.result(*argv)
        assert status == 0
        return out

    def result(self, *argv: str) -> tuple[int, str]:
        """The status and output of a command that finds no fault with its arguments."""
        status = run(*argv)
        captured = self._capsys.readouterr()
        assert captured.err == ""
        return status, captured.out

    def complains(self, *argv: str) -> str:
        """The one line about what is wrong with the arguments or the input."""
        status = run(*argv)
        captured = self._capsys.readouterr()
        assert (status, captured.out) == (2, "")
        assert captured.err.startswith("cellrace-server: ")
        assert captured.err.count("\n") == 1
        assert captured.err.rstrip("\n").isprintable()
        return captured.err.removeprefix("cellrace-server: ").rstrip("\n")


def give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_deal_prints_the_cascades(tool: Tool) -> None:
    assert tool.prints("deal", "617") == "\n".join(LAYOUTS["617"]) + "\n"


def test_deal_rows_prints_them_as_dealt(tool: Tool) -> None:
    lines = tool.prints("deal", "617", "--rows").splitlines()
    assert lines[0] == "7D AD 5C 3S 5S 8C 2D AH"
    assert lines[-1] == "JD KS KC 4H"
    assert [len(line.split()) for line in lines] == [8] * 6 + [4]
    assert [line.split()[0] for line in lines] == LAYOUTS["617"][0].split()


@pytest.mark.parametrize(
    "number", ["0", "-1", "8589934592", "1.5", "1e3", "true", "", "1_000", "\u0661", "9" * 50]
)
def test_stdlib_2952_what_is_no_deal_is_refused_with_the_range(tool: Tool, number: str) -> None:
    assert tool.complains("deal", number).startswith("a deal is a whole number from 1 to 8589934591, not ")


def test_code_writes_and_reads(tool: Tool) -> None:
    assert tool.prints("code", "327", "--cells", "4") == "FC1-C4-AAAAAKH\n"
    assert tool.prints("code", "327") == "FC1-C4-AAAAAKH\n"
    assert tool.prints("code", "327", "--cells", "1") == "FC1-C1-AAAAAKH\n"
    assert tool.prints("code", "FC1-C4-AAAAAKH") == "327 4\n"
    assert tool.prints("code", " fc1-c2-h777777 ") == "8589934591 2\n"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["0"], "a deal is a whole number"),
        (["-5"], "a deal is a whole number"),
        (["327", "--cells", "5"], "--cells is a whole number from 1 to 4, not '5'"),
        (["327", "--cells", "x"], "--cells is a whole number from 1 to 4, not 'x'"),
        (["FC1-C5-AAAAAKH"], "the second part of a code"),
        (["FC1-C4-AAAAAK0"], "the last part of a code has only A-Z and 2-7"),
        (["hello\x1b"], "a code begins with FC1-, not 'HELLO\\x1b'"),
        (["FC1-C4-AAAAAKH", "--cells", "4"], "--cells goes with a deal number"),
    ],
)
def test_code_says_what_is_wrong(tool: Tool, argv: list[str], said: str) -> None:
    assert tool.complains("code", *argv).startswith(said)


def test_capacity_prints_the_number(tool: Tool) -> None:
    space = ["--free-cells", "4", "--empty-cascades", "1"]
    assert tool.prints("capacity", *space) == "10\n"
    assert tool.prints("capacity", *space, "--to-empty") == "5\n"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ["--free-cells", "5", "--empty-cascades", "1"],
            "--free-cells is a whole number from 0 to 4, not '5'",
        ),
        (["--free-cells", "1", "--empty-cascades", "-1"], "--empty-cascades is a whole number from 0 to 8,"),
        (
            ["--free-cells", "two", "--empty-cascades", "1"],
            "--free-cells is a whole number from 0 to 4, not 'two'",
        ),
        (
            ["--free-cells", "1", "--empty-cascades", ""],
            "--empty-cascades is a whole number from 0 to 8, not ''",
        ),
        (["--free-cells", "1", "--empty-cascades", "0", "--to-empty"], "a move to an empty cascade needs"),
    ],
)
def test_capacity_says_what_is_wrong(tool: Tool, argv: list[str], said: str) -> None:
    assert tool.complains("capacity", *argv).startswith(said)


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda one: f"{one['deal']}-{one['free_cells']}")
def test_verify_every_solution_of_the_vectors(
    tool: Tool, tmp_path: Path, solution: dict[str, object]
) -> None:
    moves = str(solution["moves"])
    file = tmp_path / "solution.txt"
    file.write_text(moves)
    argv = [f"--{name}={solution[name]}" for name in ("deal", "rules", "autoplay")]
    won = tool.prints("verify", *argv, f"--cells={solution['free_cells']}", str(file))
    assert won == f"won after {len(moves.split())} moves\n"


def test_verify_reads_standard_input_with_or_without_a_dash(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for argv in ([], ["-"]):
        give(monkeypatch, b"\xef\xbb\xbf7a 7b\r\n7c b7\n")
        assert tool.result("verify", "--deal", "617", *argv) == (1, "not won after 4 moves\n")


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (b"", "not won after 0 moves"),
        (b"7a", "not won after 1 move"),
        (b"7a 7a", "move 2 (7a): cell a holds JH, and a cell holds one card"),
        (b"7a hs4", "move 2 (hs4): in these rules a card on a foundation stays there"),
    ],
)
def test_verify_says_how_far_it_came(
    tool: Tool, monkeypatch: pytest.MonkeyPatch, moves: bytes, said: str
) -> None:
    give(monkeypatch, moves)
    assert tool.result("verify", "--deal", "617") == (1, said + "\n")


def test_verify_prints_no_raw_control_characters_and_no_endless_moves(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(monkeypatch, b"\x1b[31m" + b"x" * 10_000)
    assert len(tool.complains("verify", "--deal", "617")) < 200


@pytest.mark.parametrize("moves", [b"3a zz", b"3a zz 7b", b"3a zz 26"])
def test_verify_cannot_read_what_is_not_written_like_a_move(
    tool: Tool, monkeypatch: pytest.MonkeyPatch, moves: bytes
) -> None:
    give(monkeypatch, moves)
    assert tool.complains("verify", "--deal", "617") == (
        "move 2 (zz): 'zz' is not a move; moves look like 3a, a5, 26, 7h, 13v2 or hs4"
    )


def test_verify_reads_all_moves_before_it_plays_the_first(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(monkeypatch, b"7a 7a zz")
    assert tool.complains("verify", "--deal", "617").startswith("move 3 (zz): 'zz' is not a move")


def test_verify_reads_solver_output_as_its_dialect(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, EXTENDED.encode())
    assert tool.result("verify", "--deal=5", "--cells=2", "--notation=extended")[0] == 0
    give(monkeypatch, EXTENDED.encode())
    assert tool.result("verify", "--deal=5", "--cells=2")[0] == 1


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--deal", "0"], "a deal is a whole number"),
        (["--deal", "1", "--rules", "poker"], "there is no ruleset 'poker'; there are classic, app"),
        (["--deal", "1", "--rules", "app", "--cells", "3"], "app is played with 4, 2, 1 free cells, not 3"),
        (["--deal", "1", "--cells", "x"], "--cells is a whole number from 0 to 4, not 'x'"),
        (["--deal", "1", "--autoplay", "on"], "--autoplay is one of off, safe, not 'on'"),
        (["--deal", "1", "--notation", "x"], "--notation is one of standard, extended, not 'x'"),
        (["--deal", "1", "/no/such/file"], "cannot read '/no/such/file': No such file or directory"),
        (["--deal", "1", "/"], "cannot read '/': Is a directory"),
    ],
)
def test_verify_says_what_is_wrong(tool: Tool, argv: list[str], said: str) -> None:
    assert tool.complains("verify", *argv).startswith(said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"7a \xff", "cannot read standard input: it is not text in UTF-8"),
        (b"7a " * MAX_INPUT_BYTES, "standard input is longer than 1048576 bytes"),
    ],
)
def test_verify_refuses_what_is_no_list_of_moves(
    tool: Tool, monkeypatch: pytest.MonkeyPatch, data: bytes, said: str
) -> None:
    give(monkeypatch, data)
    assert tool.complains("verify", "--deal", "617").startswith(said)


def test_verify_without_a_standard_input(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert tool.complains("verify", "--deal", "617") == "there is no standard input to read"


def test_verify_interrupted_while_it_waits_for_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waiting(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Waiting()))
    assert run("verify", "--deal", "617") == 130


def test_a_deal_without_free_cells_is_played_by_any_ruleset(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rules in ("race", "app"):
        give(monkeypatch, b"17 1a")
        said = tool.result("verify", "--deal=164", "--cells=0", f"--rules={rules}")
        assert said == (1, "move 2 (1a): there is no cell a: this game has none\n")


def test_expand_prints_single_card_moves(tool: Tool) -> None:
    head, _, tail = str(SOLUTIONS[3]["moves"]).partition("27v6")
    assert tail
    board = ["--deal=1", "--cells=3", f"--moves={head}"]
    assert tool.prints("expand", *board, "27v6") == "2a 28v1 a8 2a 2b 2c 27v1 c7 b7 a7\n8a 87 a7\n"
    assert tool.prints("expand", *board, "2a") == "2a\n"


def test_expand_at_the_deal_without_moves(tool: Tool) -> None:
    assert tool.prints("expand", "--deal", "617", "7a") == "7a\n"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--moves", "7a 7a", "7b"], "move 2 (7a): cell a holds JH"),
        (["12"], "'12' cannot be expanded: nothing at the end of cascade 1 goes on KS"),
        (["zz"], "'zz' cannot be expanded: 'zz' is not a move"),
        (["11"], "'11' cannot be expanded: cascade 1 is where the card already is"),
    ],
)
def test_expand_says_what_is_wrong(tool: Tool, argv: list[str], said: str) -> None:
    assert tool.complains("expand", "--deal", "617", *argv).startswith(said)


@pytest.mark.parametrize("command", ["deal", "code", "capacity", "verify", "expand"])
def test_help_teaches_with_examples(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        run(command, "--help")
    assert ended.value.code == 0
    assert f"  cellrace-server {command} " in capsys.readouterr().out


# ---- as a process


def start(*argv: str, code: str = MAIN, stdout: int = subprocess.PIPE) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", code, *argv], stdout=stdout, stderr=subprocess.PIPE)


def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with start("deal", "617", stdout=writing) as process:
        os.close(writing)
        _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which only Linux has")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full, start("deal", "617", stdout=full.fileno()) as process:
        _, err = process.communicate()
    assert process.returncode == 2
    assert err == b"cellrace-server: cannot write the output: No space left on device\n"


def test_the_tools_need_nothing_of_the_server() -> None:
    loaded = "import sys, server.tools; print(*sorted(name.partition('.')[0] for name in sys.modules))"
    with start(code=loaded) as process:
        out, _ = process.communicate()
    heavy = {"asyncio", "websockets", "msgspec", "orjson", "uvloop", "sqlite3", "ssl"}
    assert process.returncode == 0
    assert heavy.isdisjoint(out.decode().split())


def test_a_solution_is_verified_in_less_than_a_third_of_a_second(tmp_path: Path) -> None:
    file = tmp_path / "solution.txt"
    file.write_text(str(SOLUTIONS[1]["moves"]))
    taken = []
    # The machine may be busy with something else: the best of a few runs is what it takes.
    for _ in range(5):
        began = time.perf_counter()
        with start("verify", "--deal=617", "--autoplay=safe", str(file)) as process:
            out, _ = process.communicate()
        taken.append(time.perf_counter() - began)
        assert out == b"won after 63 moves\n"
    assert min(taken) < 0.3
