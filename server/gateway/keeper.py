"""The log of one race on this node: decide, append, fold, answer; always in this order.

Commands that arrive while an append is under way are decided and appended together. An append that took
effect proves that it was decided on the newest state. Any other answer goes out only after a read, begun
after the command came, shows the same.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, NoReturn, Protocol

from server import race_log
from server.clock import Clock
from server.gateway.plan import Busy, Outcome, Plan, Request, make_plan, settle
from server.gateway.tasks import Tasks
from server.gateway.turns import Turns
from server.race.commands import Command, NoteTailLoss
from server.race.events import Stamped
from server.race.evolve import begin, evolve
from server.race.questions import Question
from server.race.state import Race, RaceCode
from server.store.base import (
    PAGE,
    Appended,
    Conflict,
    Damaged,
    Diverged,
    Store,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Unavailable,
    new_tag,
)
from server.store.base import Outcome as StoreOutcome

log = logging.getLogger(__name__)

RETRY_FOR_MS: Final = 2_000
"""How long one batch may be decided again before its senders are told to come back later."""

RETRY_MS: Final = 1_000
REWOUND_MS: Final = 100
"""When to come back after a log had lost its tail: what is left can be decided on at once."""

_OFTEN_MS: Final = 10_000
"""A log that loses its tail twice within this time is not gone on with at once."""

_FOLD_SLICE: Final = 50


_TAIL_LOSS: Final = Request(NoteTailLoss(), lambda _: None)


class NoSuchRace(LookupError):
    """There is no log of that name."""


def log_id(code: RaceCode) -> str:
    """The name of a race's log; that of a ranked attempt is its code."""
    return code if ":" in code else f"race:{code}"


def code_of(log_id: str) -> RaceCode:
    """The code of the race with this log."""
    return RaceCode(log_id.removeprefix("race:"))


async def load(store: Store, code: RaceCode, turns: Turns | None = None) -> tuple[Race, Tip]:
    """The race as its log tells, read in pages and folded in slices that do not hold up the event loop.

    Raises:
        NoSuchRace: the log is empty.
        NewerLog: it was written by a newer version.
        BrokenLog: it is not the log of a race.
        Unavailable: the store cannot tell.
    """
    turns = turns or Turns()
    race: Race | None = None
    tag = b""
    while rows := await store.read(log_id(code), race.seq if race else 0, PAGE):
        for start in range(0, len(rows), _FOLD_SLICE):
            await turns.mine()
            race = _folded_on(race, rows[start : start + _FOLD_SLICE])
        tag = rows[-1].tag
        if len(rows) < PAGE:
            break
    if race is None:
        raise NoSuchRace(code)
    return race, Tip(race.seq, tag)


def _folded_on(race: Race | None, rows: Sequence[Stored]) -> Race | None:
    """A race after these events of its log, or from the first of them on."""
    for stamped in race_log.read_all(rows):
        try:
            race = evolve(race, stamped) if race else begin(stamped)
        except Exception as error:
            # The fold judges nothing; on events that nobody decided it may stumble over anything.
            raise race_log.BrokenLog(f"event {stamped.seq} cannot follow: {error!r}") from error
    return race


class Audience(Protocol):
    """Who is told what becomes of a race's log."""

    def folded(self, stamped: Sequence[Stamped], states: Sequence[Race], tag: bytes) -> None:
        """A stretch of the log was folded: its events, the states before, between and after them, its tag."""
        ...

    def rewound(self) -> None:
        """The log had lost events that were folded; what is left of it has been folded anew."""
        ...

    def lost(self) -> None:
        """The log is empty, and the race is no more."""
        ...


class Keeper:
    """The newest state of a race that is known here, and the only way to change it.

    `audience` is told of each stretch of the log that was folded; the commands that led to it are answered
    next, and nothing is awaited between the two. `on_append` is told what each append came to.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        race: Race,
        tip: Tip,
        audience: Audience,
        on_append: Callable[[StoreOutcome], None] = lambda _: None,
    ) -> None:
        self.race = race
        self.tip = tip
        self._store = store
        self._clock = clock
        self._name = log_id(race.life.code)
        self._audience = audience
        self._on_append = on_append
        self.is_lost = False
        self._requests: list[Request] = []
        self._idle = asyncio.Event()
        self._idle.set()
        # Set while the log may have gone on without us: nothing is decided before it is read.
        self._stale = False
        self._heard = 0
        # Told without events: the log may be shorter.
        self._rumours = 0
        self._rumours_settled = 0
        self._looking_again = False
        self._rewound_ms = -_OFTEN_MS
        # Set for a moment after the tail was lost again: nothing is tried.
        self._pausing = False
        self._tasks = Tasks()
        self._unwatch = store.watch(self._name, self._on_stored)

    @property
    def is_idle(self) -> bool:
        """Whether no command is under way."""
        return self._idle.is_set()

    def submit(self, command: Command | Question, reply: Callable[[Outcome], None]) -> None:
        """Have a command decided, or a question answered; `reply` is called exactly once."""
        self._requests.append(Request(command, reply))
        self._start()

    async def run(self, command: Command | Question) -> Outcome:
        """The same, to be awaited."""
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.submit(command, lambda outcome: None if answer.done() else answer.set_result(outcome))
        return await answer

    async def settled(self) -> None:
        """Wait until no command is under way."""
        await self._idle.wait()

    async def close(self) -> None:
        """Let go. An append that the store has taken goes on."""
        self._unwatch()
        await self._tasks.close()

    def _start(self) -> None:
        if self._idle.is_set():
            self._idle.clear()
            self._tasks.spawn(self._work())

    def _on_stored(self, rows: Sequence[Stored]) -> None:
        """A wake-up: somebody appended, perhaps we ourselves; or, without events, the log may be shorter."""
        if rows:
            self._heard = max(self._heard, rows[-1].seq)
        else:
            self._rumours += 1
        if self._is_behind:
            self._start()

    async def _work(self) -> None:
        try:
            while True:
                batch, self._requests = tuple(self._requests), []
                settled = await self._settle_batch(batch)
                # News that came while something was read or appended is not to wait for the next request.
                if not self._requests and not (settled and self._is_behind):
                    break
        finally:
            self._idle.set()

    async def _settle_batch(self, batch: tuple[Request, ...]) -> bool:
        """Bring each request to its outcome, deciding again as often as somebody else was faster.

        Returns:
            Whether it went well, and so whether there is any use in trying again at once.
        """
        if self.is_lost or self._pausing:
            self._give_up(batch, RETRY_MS)
            return False
        give_up_ms = self._clock.now_ms() + RETRY_FOR_MS
        now_ms: int | None = None
        try:
            while True:
                if self._is_behind:
                    await self._catch_up()
                if not batch:
                    return True
                plan = make_plan(self.race, batch, self._store.now_ms() if now_ms is None else now_ms)
                done, now_ms = await self._carry_out(plan)
                if done:
                    batch = plan.rest
                    await asyncio.sleep(0)
                elif self._clock.now_ms() > give_up_ms:
                    raise Unavailable("the race changes faster than it can be read", retry_ms=RETRY_MS)
        except Damaged as error:
            log.error("%s: its log cannot be read: %s", self._name, error.detail)  # noqa: TRY400 - it says all
            self._lose()
            self._give_up(batch, RETRY_MS)
        except Unavailable as error:
            log.warning("%s: store unavailable: %s", self._name, error.detail)
            self._give_up(batch, error.retry_ms)
            self._look_again_in(error.retry_ms)
        except Exception:
            log.exception("%s: a command could not be settled", self._name)
            self._give_up(batch, RETRY_MS)
        return False

    async def _carry_out(self, plan: Plan) -> tuple[bool, int | None]:
        """Append a plan's events, or show that it was made on the newest state.

        Returns:
            Whether that is done; if not, the time to decide at, where the store has told it.
        """
        if not plan.events:
            if await self._store.is_newest(self._name, self.tip):
                self._commit(plan, (), b"")
                return True, None
            self._stale = True
            return False, None
        tag = new_tag()
        # Whatever goes wrong from here on, the append may have taken effect.
        self._stale = True
        outcome = await self._append(plan, tag)
        self._stale = False
        self._on_append(outcome)
        match outcome:
            case Appended(first_seq, at_ms):
                self._commit(plan, _stamped(plan, first_seq, at_ms), tag)
                return True, None
            case Conflict(missed) if missed and missed[0].tag == tag:
                # It was sent twice on the way, or its reply was lost: this is ours, and more may follow it.
                self._commit(plan, _stamped(plan, missed[0].seq, missed[0].at_ms), tag)
                self._stale = True
                return True, None
            case TooEarly(now_ms) | TooLate(now_ms):
                return False, now_ms
            case Conflict(missed):
                await self._fold_rows(missed)
                self._stale = len(missed) == PAGE
            case Diverged():
                await self._rewind()
        return False, None

    async def _append(self, plan: Plan, tag: bytes) -> StoreOutcome:
        """Append a plan's events; where the store does not tell what came of it, look whether the log does.

        Raises:
            Unavailable: neither tells.
        """
        try:
            return await self._store.append(
                self._name,
                self.tip,
                [race_log.write(event) for event in plan.events],
                tag=tag,
                not_before=plan.not_before,
                not_after=plan.not_after,
                wake=plan.wake,
                unprojected=plan.unprojected,
            )
        except Unavailable:
            missed = await self._store.read(self._name, self.tip.seq, PAGE)
            # Not there may mean not yet; only what is there is certain.
            if missed and missed[0].tag == tag:
                return Conflict(tuple(missed))
            raise

    @property
    def _is_behind(self) -> bool:
        """Whether the log may hold more than is folded here."""
        unsettled = self._rumours != self._rumours_settled
        return self._stale or unsettled or self._heard > self.tip.seq

    def _look_again_in(self, wait_ms: int) -> None:
        """Read what could not be read, even if nobody asks for anything: those who watch wait for it."""
        if self._is_behind and not self._looking_again:
            self._looking_again = True
            self._tasks.spawn(self._look_again(self._clock.now_ms() + wait_ms))

    async def _look_again(self, at_ms: int) -> None:
        await self._clock.sleep_until(at_ms)
        self._looking_again = False
        if self._is_behind:
            self._start()

    async def _catch_up(self) -> None:
        """Fold what others appended, or what we did without learning of it."""
        while True:
            rumours, heard = self._rumours, self._heard
            # From the last event we know: if that is there no more, neither is what we made of it.
            rows = await self._store.read(self._name, self.tip.seq - 1, PAGE)
            if not rows or (rows[0].seq, rows[0].tag) != (self.tip.seq, self.tip.tag):
                await self._rewind()
            await self._fold_rows(rows[1:])
            if len(rows) < PAGE:
                break
        # What was heard only while this read was under way, it may have come too early to tell.
        self._stale, self._rumours_settled = False, rumours
        if self._heard == heard:
            self._heard = self.tip.seq

    async def _rewind(self) -> NoReturn:
        """Begin again from what the log still holds, and say so in it.

        Raises:
            Unavailable: always, for whatever was being decided was decided on what is no more.
        """
        rumours = self._rumours
        try:
            self.race, self.tip = await load(self._store, self.race.life.code)
        except NoSuchRace:
            self._lose()
            raise Unavailable("the log is gone", retry_ms=RETRY_MS) from None
        self._heard, self._stale, self._rumours_settled = 0, False, rumours
        self._audience.rewound()
        now_ms, before_ms = self._clock.now_ms(), self._rewound_ms
        self._rewound_ms = now_ms
        if now_ms < before_ms + _OFTEN_MS:
            # It is lost again, or is not what it seems to be; then trying at once would never end.
            self._pausing = True
            self._tasks.spawn(self._note_tail_loss_at(now_ms + RETRY_MS))
            raise Unavailable("the log has lost its tail again", retry_ms=RETRY_MS)
        self._requests.insert(0, _TAIL_LOSS)
        raise Unavailable("the log has lost its tail", retry_ms=REWOUND_MS)

    def _lose(self) -> None:
        """Go on with this log no more, and say so to all who follow it."""
        self.is_lost, self._stale, self._rumours_settled = True, False, self._rumours
        self._audience.lost()

    async def _note_tail_loss_at(self, at_ms: int) -> None:
        await self._clock.sleep_until(at_ms)
        self._pausing = False
        self._requests.insert(0, _TAIL_LOSS)
        self._start()

    def _commit(self, plan: Plan, stamped: Sequence[Stamped], tag: bytes) -> None:
        outcomes, states = settle(self.race, plan, stamped)
        self._fold(stamped, states, tag)
        for request, outcome in outcomes:
            _reply(request, outcome)

    async def _fold_rows(self, rows: Sequence[Stored]) -> None:
        for place, row in enumerate(rows, 1):
            stamped = race_log.read(row)
            self._fold([stamped], [evolve(self.race, stamped)], row.tag)
            if place % _FOLD_SLICE == 0:
                await asyncio.sleep(0)

    def _fold(self, stamped: Sequence[Stamped], states: Sequence[Race], tag: bytes) -> None:
        if stamped:
            before, self.race = self.race, states[-1]
            self.tip = Tip(self.race.seq, tag)
            self._audience.folded(stamped, [before, *states], tag)

    def _give_up(self, batch: Sequence[Request], retry_ms: int) -> None:
        for request in batch:
            _reply(request, Busy(retry_ms))


def _stamped(plan: Plan, first_seq: int, at_ms: int) -> list[Stamped]:
    return [Stamped(first_seq + i, at_ms, event) for i, event in enumerate(plan.events)]


def _reply(request: Request, outcome: Outcome) -> None:
    """Tell whoever asked; a fault there must not keep the others from their answers."""
    try:
        request.reply(outcome)
    except Exception:
        log.exception("an answer could not be given")
