"""A whole race without anyone typing, checked as it goes: `make demo`.

A server process, three racers of different speed on one deal, one of them losing its connection half-way, a
watcher, the standings, and the winner's replay verified by the server's own tool. Status 0 only if all held.
"""

import asyncio
import hashlib
import json
import os
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from client_cli.connection import Conversation, Heard, Lost, NewPlayer, Over, Surroundings
from client_cli.errors import ClientError
from client_cli.inbox import Inbox
from client_cli.local_server import local_server
from client_cli.robot import Robot, read_moves
from client_cli.session import Entrance, Session
from client_cli.standings import standings_text
from client_cli.waits import growing_waits
from client_cli.world import monotonic_ms
from protocol.commands import Create, Hello, Join, Settings, Watch
from protocol.events import Snapshot, Update
from protocol.version import PROTOCOL
from protocol.views import Racer as RacerView

ROOT: Final = Path(__file__).parents[2]
DEAL: Final = 1
TIME_LIMIT_S: Final = 28
BARS_EVERY_MS: Final = 250
RACERS: Final = 3

AROUND: Final = Surroundings(monotonic_ms, lambda: growing_waits(random.random))


@dataclass
class Facts:
    """What was checked, and how much of it did not hold."""

    failed: int = 0

    def check(self, fact: str, *, holds: bool) -> None:
        self.failed += not holds
        say(f"{'ok    ' if holds else 'FAILED'}  {fact}")


class Racer:
    """A racer who plays by himself, and what was seen of his race."""

    def __init__(
        self, name: str, url: str, entrance: Entrance, moves: str, pace_ms: int, drops_at: int = -1
    ) -> None:
        self.name = name
        self.moves = read_moves(moves)
        self.is_seated = asyncio.Event()
        self.times_lost = 0
        self.saw_boards = False
        self._drops_at = drops_at
        inbox = Inbox()
        self._conversation = converse(url, name, entrance, inbox)
        self._robot = Robot(self._conversation, inbox, self.moves, pace_ms, AROUND, company=RACERS)

    @property
    def session(self) -> Session:
        return self._conversation.session

    async def race(self) -> None:
        await self._robot.run(self._look)

    def _look(self, news: Heard | Lost | NewPlayer) -> None:
        match news:
            case Lost(_, wait_s):
                self.times_lost += 1
                say(f"{self.name} has lost the connection, and tries again in {wait_s:.1f} s")
            case Heard(step=step):
                session = step.session
                if session.me is not None:
                    self.is_seated.set()
                self.saw_boards |= session.is_racing and bool(session.picture and session.picture.boards)
                if session.board is not None and session.board.n == self._drops_at:
                    self._drops_at = -1
                    say(f"{self.name}'s connection is cut")
                    self._conversation.drop()
            case NewPlayer():
                pass


@dataclass
class Gallery:
    """The watcher: prints how far everybody is, and counts what it was sent."""

    conversation: Conversation
    inbox: Inbox
    snapshots: int = 0
    updates: int = 0
    shown_at_ms: int = -BARS_EVERY_MS

    async def watch(self) -> None:
        talk = asyncio.create_task(self.conversation.run())
        try:
            while self.conversation.session.phase != "over":
                self._look(await self.inbox.get())
        finally:
            talk.cancel()

    def _look(self, news: object) -> None:
        match news:
            case Over(why):
                raise ClientError(why)
            case Heard(event=Snapshot()):
                self.snapshots += 1
            case Heard(event=Update()):
                self.updates += 1
        now_ms = AROUND.now_ms()
        if self.conversation.session.phase == "running" and now_ms - self.shown_at_ms >= BARS_EVERY_MS:
            self.shown_at_ms = now_ms
            say("   ".join(bar(racer) for racer in self.conversation.session.racers))


def say(text: str) -> None:
    print(text, flush=True)


def bar(racer: RacerView) -> str:
    full = racer.home // 4
    return f"{racer.name} [{'#' * full}{'.' * (13 - full)}] {racer.home:2}"


def converse(url: str, name: str, entrance: Entrance, inbox: Inbox) -> Conversation:
    return Conversation(url, Hello(PROTOCOL, name), Session(entrance), inbox.put_nowait, AROUND)


def solution() -> str:
    """The known line for the deal with four cells that needs no autoplay."""
    lines = json.loads((ROOT / "tests/vectors/solutions.json").read_text(encoding="utf-8"))
    wanted = {"deal": DEAL, "free_cells": 4, "autoplay": "off"}
    return next(str(line["moves"]) for line in lines if wanted.items() <= line.items())


async def demo(moves: str) -> int:
    """Hold the race on a line of play; the exit status."""
    facts = Facts()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "CELLRACE_HOME": folder}
        async with local_server(Path(folder), "127.0.0.1", 0, environment) as server:
            say(f"server: {server.url}")
            race = await hold_race(server.url, moves, facts)
            notation = await run_tool(
                ["client_cli.cli", "replay", race, "--server", server.url, "--notation"], environment
            )
            verdict = await run_tool(["server.cli", "verify", "--deal", str(DEAL)], environment, notation)
            wanted = f"won after {len(moves.split())} moves"
            facts.check(f"the winner's replay, verified: {verdict}", holds=verdict == wanted)
        facts.check("the server ended when asked, with status 0", holds=server.process.returncode == 0)
    say("all of it held" if not facts.failed else f"{facts.failed} of it did not hold")
    return 1 if facts.failed else 0


async def hold_race(url: str, moves: str, facts: Facts) -> str:
    """The race from lobby to standings; its code."""
    settings = Settings(deal=DEAL, watch="live", countdown_s=1)
    ann = Racer("Ann", url, Create("demo-race-of-three", settings), moves, pace_ms=25)
    async with asyncio.TaskGroup() as group:
        group.create_task(ann.race())
        await ann.is_seated.wait()
        race = ann.session.race
        say(f"race: {race}, deal {DEAL}; Ann is fast, Bob loses his connection, Cleo takes a detour")
        inbox = Inbox()
        gallery = Gallery(converse(url, "Eve", Watch(race), inbox), inbox)
        bob = Racer("Bob", url, Join(race), moves, pace_ms=32, drops_at=len(moves.split()) // 2)
        cleo = Racer("Cleo", url, Join(race), f"5a u r u 5b R {moves}", pace_ms=40)
        for task in (gallery.watch(), bob.race(), cleo.race()):
            group.create_task(task)
    say(standings_text(gallery.conversation.session))
    check_race([ann, bob, cleo], gallery, facts)
    return race


def check_race(racers: list[Racer], gallery: Gallery, facts: Facts) -> None:
    """What must be true of the race, as all who were in it saw it."""
    ann, bob, _ = racers
    seen = gallery.conversation.session
    picture = seen.picture
    assert picture is not None  # the race is over for the watcher
    life = picture.life
    promised = hashlib.sha256(f"{life.nonce}:{life.deal}".encode()).hexdigest()
    places = [(racer.rank, racer.name) for racer in sorted(seen.racers, key=lambda racer: racer.rank or 0)]
    facts.check("the deal is the one promised before the start", holds=promised == life.commitment)
    facts.check("Ann is first, Bob second, Cleo third", holds=places == [(1, "Ann"), (2, "Bob"), (3, "Cleo")])
    facts.check(
        "Bob lost his connection once, and nobody else did", holds=[r.times_lost for r in racers] == [0, 1, 0]
    )
    facts.check(
        "every command took effect exactly once",
        holds=all(
            racer.session.board is not None and racer.session.board.n == len(racer.moves) for racer in racers
        ),
    )
    facts.check(
        "nobody saw another's board while racing", holds=not any(racer.saw_boards for racer in racers)
    )
    facts.check(
        f"the watcher's {gallery.updates} updates joined without a hole, after one snapshot",
        holds=gallery.snapshots == 1 and not seen.broken,
    )
    facts.check(
        "all see the same standings and the same last boards",
        holds=all(racer.session.racers == seen.racers for racer in racers)
        and all(ann.session.picture == racer.session.picture for racer in (bob,))
        and all(sum(board.home) == 52 for board in picture.boards.values()),
    )


async def run_tool(arguments: list[str], environment: dict[str, str], text: str = "") -> str:
    """What one of our commands prints, given a text; its errors go where ours go."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
        cwd=ROOT,
    )
    output, _ = await process.communicate(text.encode())
    return output.decode().strip()


async def main(moves: str) -> int:
    try:
        async with asyncio.timeout(TIME_LIMIT_S):
            return await demo(moves)
    except* ClientError as group:
        say(f"FAILED  {first_of(group)}")
    except* TimeoutError:
        say(f"FAILED  it took more than {TIME_LIMIT_S} s")
    return 1


def first_of(error: BaseException) -> BaseException:
    return first_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


if __name__ == "__main__":
    sys.exit(asyncio.run(main(solution())))
