"""`make cluster`, in its short form: a node is killed half-way, and says in the end whether all held."""

import asyncio
import sys

from tests.end_to_end import cluster, topology


async def test_a_race_over_three_nodes_goes_on_when_one_is_killed() -> None:
    topology.caddy_program()  # or skip
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.end_to_end.cluster", "--short"),
        cwd=topology.ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    lines = output.decode().splitlines()
    assert process.returncode == 0, output.decode()
    assert lines[-1] == "all of it held"
    assert any(line.endswith(" is killed") for line in lines)
    assert sum("has lost the connection" in line for line in lines) >= 1
    assert lines.count("ok      the winner's replay, verified: won after 115 moves") == topology.NODES


async def test_a_line_that_does_not_win_fails_it() -> None:
    topology.caddy_program()
    assert await cluster.main(["--short"], "5a 5b") == 1
