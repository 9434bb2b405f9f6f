"""All live races on this node: found, made, kept while somebody is there, and let go."""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from protocol.commands import CODE_LETTERS
from server import race_log
from server.clock import Clock
from server.gateway.advisers import Advisers
from server.gateway.hub import Hub
from server.gateway.keeper import code_of, load, log_id
from server.gateway.tasks import Tasks
from server.gateway.turns import Turns
from server.race.commands import Create, LinkRematch, Tick
from server.race.daily import begin_attempt
from server.race.decide import create, rematch_of
from server.race.decision import Decision
from server.race.events import Created, Event
from server.race.state import PlayerId, RaceCode
from server.store.base import START, Damaged, Outcome, Store, TooEarly, TooLate, Unavailable, new_tag

log = logging.getLogger(__name__)

IDLE_MS: Final = 10_000
"""How long a race that nobody follows stays in memory."""

MAX_LIVE: Final = 20_000
_BROKEN_PASSED: Final = 5
"""So many codes of broken logs are passed over for a new race."""

GIVEN_UP_MS: Final = 60_000
"""How long a log that is due and cannot be read is left alone before it is read again."""

_ROUND_MS: Final = 1_000
_DUE_AT_ONCE: Final = 200


class Full(Exception):
    """This node has as many live races as it takes."""


class Hubs:
    """The live races of a node, and the round that looks after those nobody follows.

    Attributes:
        turns: in which races are read from their logs, and shown whole.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        on_append: Callable[[Outcome], None] = lambda _: None,
        advisers: Advisers | None = None,
        on_result: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._on_result = on_result
        self._clock = clock
        self._on_append = on_append
        self._advisers = advisers
        self._hubs: dict[RaceCode, Hub] = {}
        self._opening: dict[RaceCode, asyncio.Task[Hub]] = {}
        self._given_up: dict[RaceCode, int] = {}
        self._node = secrets.token_hex(4)
        self._tasks = Tasks()
        self.turns = Turns()

    def __len__(self) -> int:
        return len(self._hubs)

    def start(self) -> None:
        """Begin looking after deadlines and idle races."""
        self._tasks.spawn(self._go_round())

    async def close(self) -> None:
        """Let every race go."""
        await self._tasks.close()
        for hub in list(self._hubs.values()):
            await hub.close()
        self._hubs.clear()

    async def settle(self) -> None:
        """Wait until no command is under way."""
        for hub in list(self._hubs.values()):
            await hub.settled()

    async def open(self, code: RaceCode) -> Hub:
        """The live race of this code, read from its log if it is not in memory; the same for all who ask.

        Raises:
            NoSuchRace: nothing bears this code.
            Full: there is no room for another race.
            Unavailable: the store cannot tell.
        """
        hub = self._hubs.get(code)
        if hub is not None and not hub.is_lost:
            hub.idle_since_ms = self._clock.now_ms()
            return hub
        opening = self._opening.get(code)
        if opening is None:
            opening = self._opening[code] = asyncio.get_running_loop().create_task(self._load(code))
            opening.add_done_callback(lambda task: self._opened(code, task))
        return await asyncio.shield(opening)

    async def code_for(self, player: PlayerId, create_id: str) -> RaceCode:
        """The code of the race that `player` makes, or has made, as his `create_id`; no code of a broken log.

        Raises:
            Unavailable: the store cannot tell.
        """
        attempt = 0
        while True:
            code = race_code(f"{player}:{create_id}:{attempt}")
            try:
                rows = await self._store.read(log_id(code), 0, 1)
                if not rows or _is_made_by(race_log.read(rows[0]).event, player, create_id):
                    return code
            except (Damaged, race_log.BrokenLog):
                if attempt >= _BROKEN_PASSED:
                    raise  # It is not only this one.
            attempt += 1

    async def create(self, command: Create) -> Hub:
        """A new race with its host seated, or the one that was made by the same command before.

        Raises:
            Full: there is no room for another race.
            Unavailable: the store cannot tell.
        """
        if len(self._hubs) >= MAX_LIVE:
            raise Full
        await self._begin(command.code, create(command))
        return await self.open(command.code)

    async def begin_attempt(self, command: Create, first_ms: int, last_ms: int) -> Hub | None:
        """A ranked attempt that runs from now on, or the one there is; None if now is not in that time.

        Raises:
            Full: there is no room for another race.
            Unavailable: the store cannot tell.
        """
        if len(self._hubs) >= MAX_LIVE:
            raise Full
        decision = replace(begin_attempt(command), not_before=first_ms, not_after=last_ms)
        outcome = await self._begin(command.code, decision)
        return None if isinstance(outcome, TooEarly | TooLate) else await self.open(command.code)

    async def code_for_rematch(self, code: RaceCode) -> RaceCode:
        """A code for the race that follows; one that is taken is passed over."""
        attempt = 0
        while True:
            candidate = race_code(f"rematch:{code}:{attempt}")
            if not await self._store.read(log_id(candidate), 0, 1):
                return candidate
            attempt += 1

    async def link_rematch(self, hub: Hub) -> None:
        """Begin the log of a race's rematch, as its own log says. Whoever does it second does no harm.

        Raises:
            Unavailable: the store cannot tell.
        """
        rematch, decision = hub.race.life.rematch, rematch_of(hub.race)
        if rematch is None or decision is None or rematch.made:
            return
        await self._begin(rematch.code, decision)
        await hub.run(LinkRematch())

    async def _begin(self, code: RaceCode, decision: Decision) -> Outcome:
        """Write the first events of a race's log. If it has some, this was done before."""
        rows = [race_log.write(event) for event in decision.events]
        assert isinstance(decision.wake, int)  # a new race always has a deadline
        return await self._store.append(
            log_id(code),
            START,
            rows,
            tag=new_tag(),
            not_before=decision.not_before,
            not_after=decision.not_after,
            wake=decision.wake,
        )

    async def _load(self, code: RaceCode) -> Hub:
        if len(self._hubs) >= MAX_LIVE:
            raise Full
        race, tip = await load(self._store, code, self.turns)
        lost = self._hubs.pop(code, None)
        if lost is not None:
            self._tasks.spawn(lost.close())
        hub = self._hubs[code] = Hub(
            self._store,
            self._clock,
            race,
            tip,
            self._sequel,
            self._node,
            self._on_append,
            self._advisers,
        )
        return hub

    def _opened(self, code: RaceCode, task: asyncio.Task[Hub]) -> None:
        del self._opening[code]
        if not task.cancelled():
            task.exception()  # Whoever awaits it is told; nobody may be left to.

    def _sequel(self, hub: Hub) -> None:
        """See to what a race leads to elsewhere: its rematch, or its result."""
        if hub.race.life.setup.ranked:
            self._on_result(log_id(hub.code))
        elif hub.race.life.rematch is not None:
            self._tasks.spawn(self._link_quietly(hub))

    async def _link_quietly(self, hub: Hub) -> None:
        try:
            await self.link_rematch(hub)
        except Unavailable as error:
            # The old race's deadline stays until this succeeds.
            log.warning("rematch of %s put off: %s", hub.code, error.detail)

    # The round.

    async def _go_round(self) -> None:
        while True:
            try:
                await self._look_at_due()
                await self._let_idle_go()
                self._look_after_presence()
            except Unavailable as error:
                log.warning("store unavailable: %s", error.detail)
            except Exception:
                log.exception("a round was cut short")
            await self._clock.sleep_until(self._clock.now_ms() + _ROUND_MS)

    async def _look_at_due(self) -> None:
        for due in await self._store.due(self._store.now_ms(), _DUE_AT_ONCE + len(self._given_up)):
            code, now_ms = code_of(due.log_id), self._clock.now_ms()
            if now_ms < self._given_up.get(code, -GIVEN_UP_MS) + GIVEN_UP_MS:
                continue
            try:
                hub = await self.open(code)
                await self.link_rematch(hub)
                await hub.run(Tick())
                self._given_up.pop(code, None)
            except Full:
                log.warning("%s is due, and there is no room for it", code)
            except Exception as error:
                if isinstance(error, Unavailable) and not isinstance(error, Damaged):
                    raise
                # A log that this program cannot read must not keep the others from their turn, nor fill ours.
                is_new = code not in self._given_up
                self._given_up[code] = now_ms
                if is_new:
                    told = isinstance(error, Damaged)
                    text = "%s is due, but cannot be looked at: %s"
                    log.log(logging.ERROR, text, code, error, exc_info=not told)

    def _look_after_presence(self) -> None:
        for hub in list(self._hubs.values()):
            hub.look_after_presence()

    async def _let_idle_go(self) -> None:
        before_ms = self._clock.now_ms() - IDLE_MS
        for code, hub in list(self._hubs.items()):
            if hub.is_idle and hub.idle_since_ms <= before_ms:
                del self._hubs[code]
                await hub.close()


def _is_made_by(event: Event, player: PlayerId, create_id: str) -> bool:
    return isinstance(event, Created) and (event.creator, event.create_id) == (player, create_id)


def race_code(seed: str) -> RaceCode:
    """Eight letters made from `seed`: the same for the same, and hardly ever the same for another."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")
    letters: list[str] = []
    for _ in range(8):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[letter])
    return RaceCode("".join(letters))
