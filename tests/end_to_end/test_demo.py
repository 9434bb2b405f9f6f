"""`make demo` says in the end whether it held, by its status too."""

import asyncio
import sys

from tests.end_to_end import demo, demo_race

ROOT = demo_race.ROOT


async def test_the_demo_holds() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.end_to_end.demo"), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    lines = output.decode().splitlines()
    assert process.returncode == 0, output.decode()
    assert lines[-1] == "all of it held"
    assert "ok      the winner's replay, verified: won after 115 moves" in lines
    assert any(line.startswith("Bob has lost the connection") for line in lines)
    assert sum("Ann [" in line for line in lines) > 3


async def test_a_line_that_does_not_win_fails_the_demo() -> None:
    assert await demo.main("5a 5b") == 1


async def test_a_line_with_an_illegal_move_fails_the_demo() -> None:
    assert await demo.main("5a 5a") == 1
