"""One live race on this node: its keeper, its viewers, and what is to happen in it by itself."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from protocol import codec
from server.clock import Clock
from server.gateway import wire
from server.gateway.advisers import Advisers
from server.gateway.coach import Robots
from server.gateway.delayed import DelayedFeed, open_delayed
from server.gateway.feed import Cursor, Entry, Feed
from server.gateway.keeper import Keeper, log_id
from server.gateway.plan import Busy, Outcome
from server.gateway.presence import ANNOUNCE_EVERY_MS, Neighbours, Report, read, write
from server.gateway.storetime import sleep_until_stored
from server.gateway.tasks import Tasks
from server.gateway.verdicts import Told, Verdicts
from server.race.commands import Command, PassHost, Tick
from server.race.events import Attached, Ended, Kicked, Rematched, Stamped
from server.race.questions import Question
from server.race.state import Phase, PlayerId, Race, RaceCode, Standing
from server.race.views import Access, View, seat_access, watch_access
from server.store.base import Outcome as StoreOutcome
from server.store.base import Store, Tip, Unavailable

log = logging.getLogger(__name__)

HOST_GRACE_MS: Final = 30_000
"""How long a host may leave others alone in his lobby before the first of them becomes the host."""

_PRESENCE_EVERY_S: Final = 0.5
_ALARM_AGAIN_MS: Final = 20
_WAKE_SLICE: Final = 64


@dataclass(slots=True, eq=False)
class Follower:
    """One connection's part in a race: at its seat, in `session`, or watching.

    `wake` is called when there may be something to pull, `lose_seat` when the seat is lost, with a code that
    says why, `lose_race` when the race is no more, and `sit_again` when the log has lost what made it his.
    `access` is what one who watches was last told that he is shown.
    """

    player: PlayerId
    cursor: Cursor
    wake: Callable[[], None]
    lose_seat: Callable[[str], None]
    lose_race: Callable[[], None] = lambda: None
    sit_again: Callable[[], None] = lambda: None
    session: int = 0
    presence: int = -1
    resuming: bool = True
    told: Told = field(default_factory=Told)
    access: Access | None = None

    def take_over(self, before: "Follower") -> None:
        """Go on where this connection already is, unless it asks for everything anew or has what is lost.

        What it was sent since it asked is not in what it says that it has.
        """
        if self.cursor.to and not self.cursor.rewound:
            self.cursor, self.resuming = before.cursor, before.resuming


class Hub:
    """A live race. All of it runs on one event loop, and nothing is left half done across an await."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        race: Race,
        tip: Tip,
        on_sequel: Callable[["Hub"], None],
        node: str = "",
        on_append: Callable[[StoreOutcome], None] = lambda _: None,
        advisers: Advisers | None = None,
    ) -> None:
        self._node = node
        self._store = store
        self._clock = clock
        self._on_sequel = on_sequel
        self._keeper = Keeper(store, clock, race, tip, self, on_append)
        self._live = Feed(race, tip.tag)
        self._delayed: DelayedFeed | None = None
        self._opening: asyncio.Task[None] | None = None
        self._seats: dict[PlayerId, Follower] = {}
        self._watchers: set[Follower] = set()
        self._asking = 0
        self._neighbours = Neighbours(node)
        self._announced = Report(node, (), 0)
        self._announced_ms = 0
        self._unhear = store.hear(log_id(race.life.code), self._on_note)
        self._presence = 0
        self._presence_due = False
        self._closed = False
        self._tasks = Tasks()
        advisers = advisers or Advisers()
        self._robots = Robots(advisers.coach, clock, self.run, self._tasks)
        self._verdicts = Verdicts(race.life.code, advisers.assessor, self._tasks, self._wake_who_see_boards)
        self._alarm: asyncio.Task[None] | None = None
        self._alarm_at: int | None = None
        self._host_timer: asyncio.Task[None] | None = None
        self.idle_since_ms = clock.now_ms()
        self._set_alarm()
        self._robots.look(race)

    @property
    def race(self) -> Race:
        """The newest state known here."""
        return self._keeper.race

    @property
    def code(self) -> RaceCode:
        """The race's code."""
        return self.race.life.code

    @property
    def is_lost(self) -> bool:
        """Whether the store has lost the race."""
        return self._keeper.is_lost

    @property
    def is_idle(self) -> bool:
        """Whether nobody follows the race here and nothing is under way."""
        return self._keeper.is_idle and not self._asking and not self._seats and not self._watchers

    # Commands.

    def submit(self, command: Command | Question, reply: Callable[[Outcome], None]) -> None:
        """Have a command decided or a question answered; `reply` comes before any viewer sees the effect."""
        self._keeper.submit(command, reply)

    async def run(self, command: Command | Question) -> Outcome:
        """The same, to be awaited. Until the caller goes on, the race is not let go."""
        self._asking += 1
        try:
            return await self._keeper.run(command)
        finally:
            self._asking -= 1

    async def holds(self, cursor: Cursor) -> bool:
        """Whether the log has the event that a client says he has seen last.

        Raises:
            Unavailable: the store cannot tell.
        """
        if cursor.to == 0 or self._live.state_at(cursor.to, cursor.tag):
            return True
        rows = await self._store.read(log_id(self.code), cursor.to - 1, 1)
        return bool(rows) and (rows[0].seq, rows[0].tag) == (cursor.to, cursor.tag)

    async def settled(self) -> None:
        """Wait until no command is under way."""
        await self._keeper.settled()

    # Viewers.

    def sit(self, follower: Follower) -> None:
        """Show a racer's connection the race from its seat, if he still has it."""
        why_lost = self.why_lost(follower)
        if why_lost:
            # Another connection came, or he was sent away, in the very append that gave him the seat.
            follower.lose_seat(why_lost)
            return
        self._seats[follower.player] = follower
        self._presence_changed()
        self._look_after_host()
        follower.wake()

    def why_lost(self, follower: Follower) -> str:
        """The code of what took a seat from this connection; empty if nothing did."""
        member = self.race.members[follower.player]
        if member.session == follower.session:
            return ""
        return "kicked" if member.standing is Standing.KICKED else "superseded"

    def watch_access(self, player: PlayerId) -> Access | None:
        """What this player would get by watching."""
        return watch_access(self.race, player)

    def watch(self, follower: Follower) -> None:
        """Show somebody the race as far as its host allows, as he has just been told."""
        follower.access = self.watch_access(follower.player)
        self._watchers.add(follower)
        self._presence_changed()
        follower.wake()

    def part(self, follower: Follower) -> None:
        """Show this connection nothing any more."""
        if self._seats.get(follower.player) is follower:
            del self._seats[follower.player]
            self._look_after_host()
        self._watchers.discard(follower)
        if not self._watchers:
            self._drop_delayed()
        if not self._who_see_boards:
            self._verdicts.rest()
        self.idle_since_ms = self._clock.now_ms()
        self._presence_changed()

    def pull(self, follower: Follower) -> tuple[list[bytes], bool]:
        """The frames that bring a follower up to date, and whether he is to be told anew who is here."""
        seated = self._seats.get(follower.player) is follower
        access = seat_access(self.race) if seated else watch_access(self.race, follower.player)
        feed = None if access is None else self._feed_for(access)
        if access is not None and feed is None:
            return [], False
        word = [] if seated else self._word_of(access, follower)
        if access is None or feed is None:
            return word, False
        if follower.resuming:
            follower.resuming = False
            follower.cursor.view = self._view_then(follower, feed, seated=seated)
        now_ms = self._store.now_ms() - access.delay_ms
        frames = feed.pull(follower.cursor, access.view, now_ms)
        verdicts = self._verdicts.frames(feed, access, follower.cursor.name, follower.told)
        tell = follower.presence != self._presence and access.delay_ms == 0
        if tell:
            follower.presence = self._presence
        return [*word, *frames, *verdicts], tell

    def _word_of(self, access: Access | None, follower: Follower) -> list[bytes]:
        """What one who watches is to be told of what he is shown, where that is another thing than it was."""
        if access == follower.access:
            return []
        follower.access = access
        follower.presence = -1  # who sees it late forgets who is here, and may see it live again
        return [codec.encode(wire.watching(self.race, follower.player, access))]

    def _view_then(self, follower: Follower, feed: Feed, *, seated: bool) -> View | None:
        """The view a resuming client has its picture in; None if that cannot be told any more."""
        then = feed.state_at(follower.cursor.to, follower.cursor.tag)
        if then is None:
            return None
        access = seat_access(then) if seated else watch_access(then, follower.player)
        return access.view if access else None

    def presence(self) -> tuple[tuple[PlayerId, ...], int]:
        """Who is at his seat, as robots always are, and how many watch, on all nodes that were heard of."""
        return (*self._people, *self.race.life.robots), len(self._watchers) + self._neighbours.watchers

    @property
    def _people(self) -> tuple[PlayerId, ...]:
        """Whose seats have a connection, on all nodes that were heard of."""
        return tuple(dict.fromkeys((*self._seats, *self._neighbours.seats)))

    def look_after_presence(self) -> None:
        """Say again who is here, and forget nodes that say nothing. To be called every second or so."""
        now_ms = self._clock.now_ms()
        if self._neighbours.expire(now_ms):
            self._presence_changed()
        if (self._seats or self._watchers) and self._announced_ms + ANNOUNCE_EVERY_MS <= now_ms:
            self._announce()

    async def close(self) -> None:
        """End all that runs for this race here."""
        self._unhear()
        self._closed = True
        await self._keeper.close()
        if self._delayed:
            await self._delayed.close()
        await self._tasks.close()

    # What the keeper tells.

    def folded(self, stamped: Sequence[Stamped], states: Sequence[Race], tag: bytes) -> None:
        """See `Audience.folded`."""
        self._live.extend(
            Entry(before, one, after, tag)
            for before, one, after in zip(states, stamped, states[1:], strict=False)
        )
        if self._delayed:
            self._delayed.push(stamped, tag)
        for one in stamped:
            self._end_lost_seat(one)
        self._set_alarm()
        self._look_after_host()
        self._robots.look(self.race)
        if any(isinstance(one.event, Rematched | Ended) for one in stamped):
            self._on_sequel(self)
        self._wake_all()

    def rewound(self) -> None:
        """See `Audience.rewound`. Everyone gets a snapshot that says so, and the racers their seats anew."""
        self._live = Feed(self.race, self._keeper.tip.tag)
        self._drop_delayed()
        for follower in (*self._seats.values(), *self._watchers):
            follower.resuming = False
            follower.cursor.rewound, follower.cursor.view = True, None
        for follower in list(self._seats.values()):
            follower.sit_again()
        self._set_alarm()
        self._robots.look_anew(self.race)
        self._wake_all()

    def lost(self) -> None:
        """See `Audience.lost`."""
        for follower in (*self._seats.values(), *self._watchers):
            follower.lose_race()

    def _end_lost_seat(self, stamped: Stamped) -> None:
        match stamped.event:
            case Attached(player) | Kicked(_, _, player):
                follower = self._seats.get(player)
                why_lost = "" if follower is None else self.why_lost(follower)
                if follower is not None and why_lost:
                    follower.lose_seat(why_lost)
            case _:
                pass

    def _feed_for(self, access: Access) -> Feed | None:
        """The feed at this delay; None while it is being made."""
        if access.delay_ms == 0:
            return self._live
        if self._delayed and self._delayed.delay_ms != access.delay_ms:
            self._drop_delayed()  # The host has changed his mind.
        if self._delayed is None and self._opening is None:
            self._opening = self._tasks.start(self._open_delayed(access.delay_ms))
        return self._delayed.feed if self._delayed else None

    async def _open_delayed(self, delay_ms: int) -> None:
        try:
            self._delayed = await open_delayed(
                self._store, self._clock, self._keeper, delay_ms, self._wake_all
            )
        except Unavailable as error:
            log.warning("%s: those who watch must wait: %s", self.code, error.detail)
            await self._clock.sleep_until(self._clock.now_ms() + error.retry_ms)
        finally:
            self._opening = None
        if not self._watchers:
            self._drop_delayed()
        # Whoever still waits asks for it again.
        self._wake_all()

    def _drop_delayed(self) -> None:
        if self._delayed:
            self._tasks.spawn(self._delayed.close())
            self._delayed = None

    @property
    def _who_see_boards(self) -> list[Follower]:
        """Those who may see boards: whoever watches, and the racers once all is over."""
        return [*(self._seats.values() if self.race.life.phase is Phase.OVER else ()), *self._watchers]

    def _wake_who_see_boards(self) -> None:
        if not self._closed:
            self._wake(self._who_see_boards)

    def _wake_all(self) -> None:
        self._wake([*self._seats.values(), *self._watchers])

    def _wake(self, followers: list[Follower]) -> None:
        """Let followers pull; a crowd in slices, so that the loop is never held for long."""
        for follower in followers[:_WAKE_SLICE]:
            follower.wake()
        if len(followers) > _WAKE_SLICE:
            self._tasks.spawn(self._wake_slowly(followers[_WAKE_SLICE:]))

    async def _wake_slowly(self, followers: list[Follower]) -> None:
        for start in range(0, len(followers), _WAKE_SLICE):
            await asyncio.sleep(0)
            for follower in followers[start : start + _WAKE_SLICE]:
                follower.wake()

    def _presence_changed(self) -> None:
        """Tell who is here, but not more often than is useful."""
        if not self._presence_due:
            self._presence_due = True
            asyncio.get_running_loop().call_later(_PRESENCE_EVERY_S, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_due = False
        if self._closed:
            return
        self._presence += 1
        self._look_after_host()
        if self._report != self._announced:
            self._announce()
        self._wake_all()

    @property
    def _report(self) -> Report:
        return Report(self._node, tuple(self._seats), len(self._watchers))

    def _announce(self) -> None:
        """Tell other nodes who is here."""
        self._announced, self._announced_ms = self._report, self._clock.now_ms()
        self._tasks.spawn(self._send(write(self._announced)))

    async def _send(self, note: bytes) -> None:
        # What is not sent is said again soon, and expires if it is not.
        with suppress(Unavailable):
            await self._store.announce(log_id(self.code), note)

    def _on_note(self, note: bytes) -> None:
        changes, is_new = self._neighbours.take(read(note), self._clock.now_ms())
        if is_new:
            self._announce()
        if changes:
            self._presence_changed()

    # What happens by itself.

    def _set_alarm(self) -> None:
        """Have the race looked at when its next deadline passes."""
        over = self.race.life.phase is Phase.OVER
        deadline = None if over else self.race.next_deadline
        if deadline == self._alarm_at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = deadline
        self._alarm = None if deadline is None else self._tasks.start(self._ring(deadline))

    async def _ring(self, deadline: int) -> None:
        await sleep_until_stored(self._store, self._clock, deadline)
        while self._alarm_at == deadline:
            outcome = await self.run(Tick())
            wait_ms = outcome.retry_ms if isinstance(outcome, Busy) else _ALARM_AGAIN_MS
            await self._clock.sleep_until(self._clock.now_ms() + wait_ms)

    def _look_after_host(self) -> None:
        """Wait for a host who leaves others alone in his lobby; stop waiting when he is back."""
        life = self.race.life
        people = self._people
        alone = life.phase is Phase.LOBBY and bool(people) and life.host not in people
        if alone and self._host_timer is None:
            self._host_timer = self._tasks.start(self._pass_absent_host())
        elif not alone and self._host_timer is not None:
            self._host_timer.cancel()
            self._host_timer = None

    async def _pass_absent_host(self) -> None:
        await self._clock.sleep_until(self._clock.now_ms() + HOST_GRACE_MS)
        self._host_timer = None
        self.submit(PassHost(frozenset(self._people)), lambda _: self._look_after_host())
