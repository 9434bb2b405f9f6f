"""Two hundred boards and those who watch them: `python -m tests.bench.crowd URL`, a process of its own.

It says `ready` when every board is somewhere else; told to go on, it has all of them watched at once, and
says how many seconds it took until there was a verdict on each.
"""

import asyncio
import random
import sys
import time
from typing import Final

from websockets.asyncio.client import ClientConnection

from server.freecell.deal import deal
from server.freecell.moves import carry, legal_moves
from server.freecell.notation import write_move
from server.freecell.rulesets import RULESETS
from tests.bench.gateway import greeted, heard, say

RACES: Final = 25
RACERS: Final = 8
MOST_MOVES: Final = 30
FIRST_DEAL: Final = 100


async def main(url: str) -> None:
    """Race, be ready, and watch when told to."""
    codes = [await _race(url, number) for number in range(RACES)]
    watchers = [await greeted(url, f"watcher {place}") for place in range(RACES)]
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    begin = time.perf_counter()
    await asyncio.gather(*map(_watch, watchers, codes))
    print(time.perf_counter() - begin, flush=True)


async def _race(url: str, number: int) -> str:
    """A race of eight, all of whom have moved at random; its code."""
    sockets = [await greeted(url, f"racer {place}") for place in range(RACERS)]
    settings = {"deal": FIRST_DEAL + number, "countdown_s": 0, "max_racers": RACERS, "watch": "live"}
    await say(sockets[0], t="create", id=f"crowd-{number:03}", settings=settings)
    code = str((await heard(sockets[0], "created"))["race"])
    for socket in sockets[1:]:
        await say(socket, t="join", race=code)
    for socket in sockets:
        await heard(socket, "seat")
    await say(sockets[0], t="start", race=code, c=1)
    await heard(sockets[0], "ack")
    await asyncio.gather(*(_play(socket, code, number, place) for place, socket in enumerate(sockets)))
    for socket in sockets:
        # The race goes on without them. A farewell would wait behind all that they have not read.
        socket.transport.abort()
    return code


async def _play(socket: ClientConnection, code: str, number: int, place: int) -> None:
    position, rules = deal(FIRST_DEAL + number), RULESETS["race"]
    chance = random.Random(number * RACERS + place)
    for n in range(chance.randint(1, MOST_MOVES)):
        moves = legal_moves(position, rules)
        if not moves:
            return
        move = chance.choice(moves)
        await say(socket, t="move", race=code, c=n + 2, n=n, move=write_move(move, position))
        await heard(socket, "ack")
        position = carry(position, move)


async def _watch(socket: ClientConnection, code: str) -> None:
    """Watch until every board has been judged."""
    await say(socket, t="watch", race=code)
    judged: set[object] = set()
    while len(judged) < RACERS:
        judged.add((await heard(socket, "verdict"))["player"])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
