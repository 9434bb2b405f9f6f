"""A whole race without anyone typing, checked as it goes: `make demo`.

A server process, three racers of different speed on one deal, one of them losing its connection half-way, a
watcher, the standings, and the winner's replay verified by the server's own tool. Status 0 only if all held.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

from client_cli.errors import ClientError
from client_cli.local_server import local_server
from tests.end_to_end.demo_race import (
    Facts,
    Racer,
    check_race,
    check_replay,
    first_of,
    hold_race,
    home_in,
    say,
)
from tests.solutions import moves_of

TIME_LIMIT_S: Final = 28


async def demo(moves: str) -> int:
    """Hold the race on a line of play; the exit status."""
    facts = Facts()
    with tempfile.TemporaryDirectory() as folder:
        environment = home_in(folder)
        async with local_server(Path(folder), "127.0.0.1", 0, environment) as server:
            say(f"server: {server.url}")
            held = await hold_race(server.url, moves, Racer.drop, create_id="demo-race-of-three")
            facts.check(
                "Ann is first, Bob second, Cleo third",
                holds=held.places == [(1, "Ann"), (2, "Bob"), (3, "Cleo")],
            )
            facts.check(
                "Bob lost his connection once, and nobody else did", holds=held.times_lost == [0, 1, 0, 0]
            )
            check_race(held, facts)
            await check_replay(held, server.url, environment, facts)
        facts.check("the server ended when asked, with status 0", holds=server.process.returncode == 0)
    return facts.sum_up()


async def main(moves: str) -> int:
    try:
        async with asyncio.timeout(TIME_LIMIT_S):
            return await demo(moves)
    except* ClientError as group:
        say(f"FAILED  {first_of(group)}")
    except* TimeoutError:
        say(f"FAILED  it took more than {TIME_LIMIT_S} s")
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(" ".join(moves_of()))))
