"""Three nodes behind Caddy: one is killed (`make cluster`, in its short form), and Redis goes away."""

import asyncio
import sys
from pathlib import Path

from protocol import commands, events
from protocol.errors import ErrorCode
from tests.end_to_end import cluster, topology
from tests.end_to_end.player import Player


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


async def test_connections_stay_while_redis_is_away_and_all_is_well_again_by_itself(tmp_path: Path) -> None:
    async with topology.topology(tmp_path) as running:
        players = [Player(running.url, name) for name in ("Ann", "Bob", "Cleo")]
        for player in players:
            await player.connect()
        race = await players[0].create(commands.Settings(deal=1, countdown_s=0))
        for player in players[1:]:
            await player.sit(race)
        assert [await node.connections() for node in running.nodes] == [1, 1, 1]

        running.redis.stop()
        await running.caddy.becomes(ready=False)
        refusal = await players[0].do(commands.Start, race)
        assert isinstance(refusal, events.Refused)
        assert refusal.code == ErrorCode.UNAVAILABLE
        assert refusal.retry_ms is not None

        await asyncio.to_thread(running.redis.start)
        for node in running.nodes:
            await topology.becomes(node.port, ready=True)
        await running.caddy.becomes(ready=True)
        await players[0].did(commands.Start, race)
        for player in players:
            await player.reach(race, "running")
            await player.close()
