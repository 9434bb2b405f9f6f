"""A whole race without anyone typing, and what must be true of it as all who were in it saw it.

Three racers of different speed on one deal, whose known solution they replay, and a watcher who prints how
far they are. Half-way something happens to the second of them, which whoever holds the race chooses.
"""

import asyncio
import hashlib
import os
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from client_cli.connection import Conversation, Heard, Lost, NewPlayer, Over, Surroundings
from client_cli.errors import ClientError
from client_cli.inbox import Inbox
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

    def sum_up(self) -> int:
        """Say the last line; the exit status."""
        say("all of it held" if not self.failed else f"{self.failed} of it did not hold")
        return 1 if self.failed else 0


class Racer:
    """A racer who plays by himself, and what was seen of his race.

    `at_half` is called once, when half of his moves are on his board.
    """

    def __init__(
        self,
        name: str,
        url: str,
        entrance: Entrance,
        moves: str,
        pace_ms: int,
        at_half: Callable[["Racer"], None] = lambda _: None,
    ) -> None:
        self.name = name
        self.moves = read_moves(moves)
        self.is_seated = asyncio.Event()
        self.times_lost = 0
        self.saw_boards = False
        self._at_half: Callable[[Racer], None] | None = at_half
        inbox = Inbox()
        self._conversation = converse(url, name, entrance, inbox)
        self._robot = Robot(self._conversation, inbox, self.moves, pace_ms, AROUND, company=RACERS)

    @property
    def session(self) -> Session:
        return self._conversation.session

    async def race(self) -> None:
        await self._robot.run(self._look)

    def drop(self) -> None:
        """Lose the connection, without a word to anybody."""
        say(f"{self.name}'s connection is cut")
        self._conversation.drop()

    def _look(self, news: Heard | Lost | NewPlayer) -> None:
        match news:
            case Lost(_, wait_s):
                self.times_lost += 1
                say_lost(self.name, wait_s)
            case Heard(step=step):
                session = step.session
                if session.me is not None:
                    self.is_seated.set()
                self.saw_boards |= session.is_racing and bool(session.picture and session.picture.boards)
                if session.board is not None and session.board.n >= len(self.moves) // 2 and self._at_half:
                    at_half, self._at_half = self._at_half, None
                    at_half(self)
            case NewPlayer():
                pass


@dataclass
class Gallery:
    """The watcher: prints how far everybody is, and counts what it was sent."""

    conversation: Conversation
    inbox: Inbox
    times_lost: int = 0
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
            case Lost(_, wait_s):
                self.times_lost += 1
                say_lost("Eve", wait_s)
            case Heard(event=Snapshot()):
                self.snapshots += 1
            case Heard(event=Update()):
                self.updates += 1
        now_ms = AROUND.now_ms()
        if self.conversation.session.phase == "running" and now_ms - self.shown_at_ms >= BARS_EVERY_MS:
            self.shown_at_ms = now_ms
            say("   ".join(bar(racer) for racer in self.conversation.session.racers))


@dataclass(frozen=True)
class Held:
    """A race that was held: its code, and all who were in it."""

    race: str
    racers: tuple[Racer, Racer, Racer]
    gallery: Gallery

    @property
    def places(self) -> list[tuple[int | None, str]]:
        """Ranks and names as the watcher saw them in the end, the first first."""
        racers = self.gallery.conversation.session.racers
        return [(racer.rank, racer.name) for racer in sorted(racers, key=lambda racer: racer.rank or 0)]

    @property
    def times_lost(self) -> list[int]:
        """How often the racers and the watcher lost their connections."""
        return [*(racer.times_lost for racer in self.racers), self.gallery.times_lost]


async def hold_race(
    url: str, moves: str, at_half: Callable[[Racer], None], *, create_id: str, slowness: float = 1
) -> Held:
    """The race from lobby to standings. `at_half` is called with Bob when he is half-way."""
    settings = Settings(deal=DEAL, watch="live", countdown_s=1)
    ann = Racer("Ann", url, Create(create_id, settings), moves, int(25 * slowness))
    async with asyncio.TaskGroup() as group:
        group.create_task(ann.race())
        await ann.is_seated.wait()
        race = ann.session.race
        say(f"race: {race}, deal {DEAL}; Ann is fast, Bob has bad luck half-way, Cleo takes a detour")
        inbox = Inbox()
        gallery = Gallery(converse(url, "Eve", Watch(race), inbox), inbox)
        bob = Racer("Bob", url, Join(race), moves, int(32 * slowness), at_half)
        cleo = Racer("Cleo", url, Join(race), f"5a u r u 5b R {moves}", int(40 * slowness))
        for task in (gallery.watch(), bob.race(), cleo.race()):
            group.create_task(task)
    say(standings_text(gallery.conversation.session))
    return Held(race, (ann, bob, cleo), gallery)


def check_race(held: Held, facts: Facts) -> None:
    """What must be true of every such race, whatever happened to whom."""
    racers, gallery = held.racers, held.gallery
    ann, bob, _ = racers
    seen = gallery.conversation.session
    picture = seen.picture
    assert picture is not None  # the race is over for the watcher
    life = picture.life
    promised = hashlib.sha256(f"{life.nonce}:{life.deal}".encode()).hexdigest()
    facts.check("the deal is the one promised before the start", holds=promised == life.commitment)
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
        f"the watcher's {gallery.updates} updates joined without a hole (snapshots: {gallery.snapshots})",
        holds=gallery.snapshots <= 1 + gallery.times_lost and not seen.broken,
    )
    facts.check(
        "all see the same standings and the same last boards",
        holds=all(racer.session.racers == seen.racers for racer in racers)
        and ann.session.picture == bob.session.picture
        and all(sum(board.home) == 52 for board in picture.boards.values()),
    )


async def check_replay(held: Held, url: str, environment: Mapping[str, str], facts: Facts) -> None:
    """Get the winner's replay from a server, and have it verified by the server's own tool."""
    notation = await run_tool(
        ["client_cli.cli", "replay", held.race, "--server", url, "--notation"], environment
    )
    verdict = await run_tool(["server.cli", "verify", "--deal", str(DEAL)], environment, notation)
    facts.check(
        f"the winner's replay, verified: {verdict}",
        holds=verdict == f"won after {len(held.racers[0].moves)} moves",
    )


# Small things.


def say(text: str) -> None:
    print(text, flush=True)


def say_lost(name: str, wait_s: float) -> None:
    say(f"{name} has lost the connection, and tries again in {wait_s:.1f} s")


def bar(racer: RacerView) -> str:
    full = racer.home // 4
    return f"{racer.name} [{'#' * full}{'.' * (13 - full)}] {racer.home:2}"


def converse(url: str, name: str, entrance: Entrance, inbox: Inbox) -> Conversation:
    return Conversation(url, Hello(PROTOCOL, name), Session(entrance), inbox.put_nowait, AROUND)


def home_in(folder: str) -> dict[str, str]:
    """An environment whose clients keep their tokens in this folder."""
    return {**os.environ, "CELLRACE_HOME": folder}


async def run_tool(arguments: list[str], environment: Mapping[str, str], text: str = "") -> str:
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


def first_of(error: BaseException) -> BaseException:
    return first_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error
