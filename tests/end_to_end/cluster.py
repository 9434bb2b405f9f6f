"""A race over several nodes, some of which end while it goes on: `make cluster`.

The topology of docker-compose.yml as local processes: Redis, three nodes, and Caddy in front of them. One
race in which a node is killed half-way, and one in which every node is replaced and Caddy reloaded, as in an
upgrade (left out with --short). Status 0 only if all held.
"""

import asyncio
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from client_cli.errors import ClientError
from tests.end_to_end.demo_race import (
    Facts,
    Held,
    Racer,
    check_race,
    check_replay,
    first_of,
    hold_race,
    home_in,
    say,
)
from tests.end_to_end.topology import Node, Topology, topology
from tests.solutions import moves_of

TIME_LIMIT_S: Final = 90
UPGRADE_SLOWNESS: Final = 3
"""An upgrade takes longer than a race at full speed."""


@dataclass
class Incident:
    """What happens half-way: a coroutine that is started then, beside the race."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self, _: Racer) -> None:
        self.begun.set()


async def cluster(moves: str, *, short: bool) -> int:
    """Hold the races on a line of play; the exit status."""
    facts = Facts()
    with tempfile.TemporaryDirectory() as folder:
        async with topology(Path(folder)) as cluster:
            ports = ", ".join(str(node.port) for node in cluster.nodes)
            say(f"Redis: port {cluster.redis.port}; nodes: ports {ports}; Caddy: {cluster.url}")
            await race_with_a_node_killed(cluster, moves, home_in(folder), facts)
            if not short:
                await race_through_an_upgrade(cluster, moves, facts)
            statuses = [await node.stop() for node in cluster.nodes]
            facts.check("the nodes ended when asked, with status 0", holds=statuses == [0, 0, 0])
            logs = [node.log() for node in cluster.nodes]
            facts.check("no node said anything went wrong", holds=not any("Traceback" in log for log in logs))
    return facts.sum_up()


async def race_with_a_node_killed(
    cluster: Topology, moves: str, environment: dict[str, str], facts: Facts
) -> None:
    """A race during which the node that has most of those who are in it is killed, and not started again."""
    incident = Incident()

    async def kill_one() -> tuple[Node, int]:
        await incident.begun.wait()
        counts = [await node.connections() for node in cluster.nodes]
        say(f"connections on the nodes: {counts}")
        node = cluster.nodes[counts.index(max(counts))]
        await node.kill()
        say(f"{node.name} is killed")
        return node, max(counts)

    killing = asyncio.create_task(kill_one())
    held = await hold_race(cluster.url, moves, incident.begin, create_id="cluster-race-with-a-kill")
    node, were_on_it = await killing
    facts.check(
        f"the {were_on_it} who were on it went on elsewhere", holds=sum(held.times_lost) == were_on_it
    )
    facts.check("more than one node had some of them", holds=0 < were_on_it < len(held.times_lost))
    check_places(held, facts)
    check_race(held, facts)
    await node.start()
    for each in cluster.nodes:
        say(f"the replay, asked for on {each.name}:")
        await check_replay(held, each.url, environment, facts)


async def race_through_an_upgrade(cluster: Topology, moves: str, facts: Facts) -> None:
    """A race during which Caddy reloads its file, and every node is ended and started again in turn."""
    incident = Incident()

    async def upgrade() -> int:
        await incident.begun.wait()
        await cluster.caddy.reload()
        say("Caddy has read its file again")
        sent_away = 0
        for node in cluster.nodes:
            sent_away += await node.connections()
            facts.check(f"{node.name} ended with status 0", holds=await node.stop() == 0)
            await node.start()
            say(f"{node.name} is there again")
        return sent_away

    upgrading = asyncio.create_task(upgrade())
    held = await hold_race(
        cluster.url, moves, incident.begin, create_id="cluster-race-in-an-upgrade", slowness=UPGRADE_SLOWNESS
    )
    sent_away = await upgrading
    facts.check(
        f"{sent_away} times somebody was sent away by a node, by nothing else, and went on elsewhere",
        holds=sum(held.times_lost) == sent_away > 0,
    )
    check_places(held, facts)
    check_race(held, facts)


def check_places(held: Held, facts: Facts) -> None:
    """Who was first depends on who lost his connection; that each has a place of his own does not."""
    facts.check(
        "the places are first, second and third", holds=[rank for rank, _ in held.places] == [1, 2, 3]
    )


async def main(arguments: list[str], moves: str) -> int:
    try:
        async with asyncio.timeout(TIME_LIMIT_S):
            return await cluster(moves, short="--short" in arguments)
    except* ClientError as group:
        say(f"FAILED  {first_of(group)}")
    except* TimeoutError:
        say(f"FAILED  it took more than {TIME_LIMIT_S} s")
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:], " ".join(moves_of()))))
