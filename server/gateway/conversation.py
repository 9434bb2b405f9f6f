"""What is said on one connection: who is there, the seat he has, what he watches, and the answers he gets."""

import asyncio
import logging
from typing import Final

from websockets.asyncio.server import ServerConnection

from protocol import codec, commands, events
from protocol.codec import BadMessage, Reference
from protocol.errors import CloseCode
from server import player_log, race_log
from server.daily import keys
from server.daily.naming import read_attempt
from server.freecell.wording import say
from server.gateway.answers import Answers, reference_of
from server.gateway.connection import Connection
from server.gateway.desk import Desk, Question
from server.gateway.greeting import greet
from server.gateway.hubs import Full
from server.gateway.keeper import NoSuchRace
from server.gateway.node import Node
from server.gateway.peer import NO_ROOM, RETRY_MS, Peer
from server.gateway.players import Identity
from server.gateway.playing import Playing
from server.gateway.reporting import Reporting
from server.gateway.seating import Seating
from server.gateway.tasks import Tasks
from server.gateway.throttle import Throttle
from server.gateway.watching import Watching
from server.race.decision import Refusal
from server.race.state import RaceCode
from server.store.base import Damaged, Unavailable

log = logging.getLogger(__name__)

MAX_STRIKES: Final = 10
"""Malformed messages in a row before the connection is ended."""

MAX_TOO_FAST: Final = 200
"""Commands over their rate, between two that were not, before the connection is ended."""

MENDED_MS: Final = 60_000
"""When to ask again for what somebody has to repair first."""

MAX_ASKED: Final = 32
"""Questions about the deal of the day that wait for their answers on one connection."""

_NEWER: Final = (race_log.NewerLog, player_log.NewerLog, keys.NewerKey)

_UNREADABLE: Final = Refusal("no_such_race", "what the server keeps of this race cannot be read")

_NO_DAILY: Final = Refusal(
    "no_such_day", "there is no deal of the day here: what the server draws it by cannot be read"
)


class Conversation:
    """One client, from his hello to the end of the connection."""

    def __init__(self, socket: ServerConnection, address: str, node: Node) -> None:
        self.connection = Connection(socket, self._pull, node.limits.send_s)
        self._node = node
        self._answers = Answers(self.connection, node.metrics)
        self._throttle = Throttle(node, address)
        self._tasks = Tasks()
        peer = Peer(self.connection, node, self._answers, self._tasks, self._throttle)
        self._seating = Seating(peer)
        self._watching = Watching(peer)
        self._reporting = Reporting(peer)
        self._playing = Playing(peer, self._seating, self._watching)
        self._desk = Desk(peer)
        self._strikes = 0
        self._too_fast = 0
        self._asked = 0

    async def run(self) -> None:
        """Talk until either side has had enough."""
        writer = asyncio.create_task(self.connection.write())
        try:
            identity = await greet(self._node, self._answers, self._read)
            while identity and (frame := await self.connection.receive()) is not None:
                message = self._read(frame)
                if message is not None:
                    await self._answer(message, identity)
        except _NEWER:
            self._leave_to_newer()
        except player_log.BrokenLog:
            log.exception("a player's log cannot be read")
            self.connection.say_bye(
                "internal", "what the server keeps of you cannot be read", CloseCode.INTERNAL
            )
        except Exception:
            log.exception("a conversation failed")
            self._fail()
        finally:
            await self._end(writer)
        if self.connection.cut_reason:
            self._node.metrics.cut.labels(self.connection.cut_reason).inc()

    def _fail(self) -> None:
        """End it for a fault of the server's."""
        self.connection.say_bye("internal", "something went wrong in the server", CloseCode.INTERNAL)

    async def turn_away(self, why: str) -> None:
        """Say why there is no room, and close."""
        self.connection.say_bye("too_many", why, CloseCode.POLICY)
        await self.connection.write()

    async def _end(self, writer: asyncio.Task[None]) -> None:
        self._seating.leave()
        self._watching.end()
        await self._tasks.close()
        if not self.connection.is_closing:
            writer.cancel()
        await asyncio.wait([writer])

    def _pull(self) -> list[bytes]:
        """What the races followed have to show."""
        frames: list[bytes] = []
        seat = self._seating.seat
        seated = [(seat.hub, seat.follower)] if seat else []
        for hub, follower in (*seated, *self._watching.followed):
            shown, tell = hub.pull(follower)
            frames += shown
            if tell:
                frames.append(codec.encode(events.Presence(hub.code, *hub.presence())))
        return frames

    # Reading.

    def _read(self, frame: str) -> commands.Command | None:
        try:
            message = codec.read_command(frame)
        except BadMessage as error:
            self._answers.refuse(
                Refusal("bad_message", say("no message of the protocol: {why}", why=str(error))),
                error.reference,
            )
            self._strikes += 1
            if self._strikes >= MAX_STRIKES:
                self.connection.say_bye("bad_message", "too many malformed messages", CloseCode.POLICY)
            return None
        self._strikes = 0
        self._node.metrics.messages.labels(message.__struct_config__.tag).inc()
        return message

    async def _answer(self, message: commands.Command, identity: Identity) -> None:
        """Have a message taken, and say so where it cannot be."""
        at = reference_of(message)
        wait_ms = self._throttle.wait_ms(message)
        if wait_ms:
            self._refuse_too_fast(at, wait_ms)
            return
        self._too_fast = 0
        if not isinstance(message, Question):
            await self._take_or_say_why(message, identity, at)
        elif self._asked < MAX_ASKED:
            self._asked += 1
            self._tasks.spawn(self._take_beside(message, identity, at))
        else:
            self._answers.too_fast(at, RETRY_MS)

    async def _take_beside(self, message: Question, identity: Identity, at: Reference) -> None:
        """Answer what may have to wait for others' results, so that no move waits behind it."""
        try:
            await self._take_or_say_why(message, identity, at)
        except Exception:
            log.exception("a question could not be answered")
            self._fail()
        finally:
            self._asked -= 1

    async def _take_or_say_why(self, message: commands.Command, identity: Identity, at: Reference) -> None:
        try:
            if await self._is_guess(message, identity):
                self._answers.too_fast(at, self._throttle.next_miss_ms())
                return
            await self._take(message, identity, at)
        except NoSuchRace:
            self._throttle.miss()
            self._answers.refuse(Refusal("no_such_race", "there is no race with this code"), at)
        except race_log.BrokenLog:
            log.exception("a race's log cannot be read")
            self._answers.refuse(_UNREADABLE, at)
        except Full:
            self._answers.refuse(NO_ROOM, at)
        except keys.BrokenKey as error:
            log.error("there is no deal of the day: %s", error.detail)  # noqa: TRY400 - it says all
            self._answers.refuse(_NO_DAILY, at)
        except Damaged as error:
            log.error("what is asked for cannot be read: %s", error.detail)  # noqa: TRY400 - it says all
            if at.race is None:
                self._answers.unavailable(at, MENDED_MS)
            else:
                self._answers.refuse(_UNREADABLE, at)
        except Unavailable as error:
            self._answers.unavailable(at, error.retry_ms)
        except _NEWER:
            self._leave_to_newer()

    async def _is_guess(self, message: commands.Command, identity: Identity) -> bool:
        """Whether it asks for a race by a code, of one who has guessed wrong too often.

        Codes must not be found by trying, so then not even one that exists is looked up; but a racer's own
        races are no guesses of his, whatever others at his address do.
        """
        match message:
            case (
                commands.Join() | commands.Watch() | commands.Replay() | commands.Report() | commands.Trace()
            ):
                code = RaceCode(message.race)
                known = self._seating.in_race(code) or self._watching.hub(code)
                if known or read_attempt(code) or not self._throttle.next_miss_ms():
                    return False
                return code not in await self._node.players.open_races(identity.player)
            case _:
                return False

    def _leave_to_newer(self) -> None:
        self.connection.say_bye(
            "restarting", "this is kept by a newer server", CloseCode.RESTARTING, retry_ms=RETRY_MS
        )

    def _refuse_too_fast(self, at: Reference, wait_ms: int) -> None:
        self._answers.too_fast(at, wait_ms)
        self._too_fast += 1
        if self._too_fast >= MAX_TOO_FAST:
            self.connection.say_bye("too_fast", "far too many commands", CloseCode.POLICY)

    async def _take(self, message: commands.Command, identity: Identity, at: Reference) -> None:
        match message:
            case commands.Hello():
                self._answers.refuse(Refusal("bad_message", "you have said hello already"), at)
            case commands.Create() | commands.Join() | commands.Attempt():
                await self._seating.sit(message, identity, at)
            case commands.Watch() | commands.Unwatch() | commands.Replay():
                await self._watching.take(message, identity, at)
            case commands.Report():
                await self._reporting.take(message, identity, at)
            case commands.Trace():
                seated = self._seating.in_race(RaceCode(message.race))
                await self._watching.trace(message, identity, at, seated=bool(seated))
            case commands.Daily() | commands.Ranking() | commands.Record() | commands.Commitments():
                await self._desk.answer(message, identity, at)
            case commands.Hint() | commands.Calc():
                self._playing.ask(message, identity.player, at)
            case commands.AddRobot():
                self._playing.add_robot(message, identity, at)
            case commands.Configure():
                await self._playing.configure(message, identity, at)
            case commands.Rematch():
                await self._playing.rematch(message, identity, at)
            case _:
                self._playing.numbered(message, identity, at)
