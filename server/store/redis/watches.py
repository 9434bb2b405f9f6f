"""Who watches which log, and that he is told of all of it, in order, though messages are lost.

A message tells where the log ended before the append it tells of. If that is where the watch has got to, the
watchers are told of its events. If not, or if the channel may have been deaf, or nothing was heard for some
time, the log is asked what follows the place where the watch has got to. So the watchers of a log are told of
each event once and in order, from the last one on that this node knew of when the watch began. If the log has
lost its tail they are told of no events, and then of those that follow what is left.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, TypeAlias

from server.store.base import Stored, Tip, Unavailable

# Logs that are asked at the same time. After a connection was lost that may be all that are watched, and the
# event loop has other things to do as well.
_ASKERS: Final = 32

OnEvents: TypeAlias = Callable[[Sequence[Stored]], None]


@dataclass(frozen=True, slots=True)
class Followed:
    """What follows a tip that a watch has got to: these events, and whether there are more after them.

    Attributes:
        rewound_to: where the log ends, if it does not hold the tip.
    """

    events: Sequence[Stored]
    more: bool = False
    rewound_to: Tip | None = None


Follow: TypeAlias = Callable[[str, Tip], Awaitable[Followed]]
"""Asks a log what follows a tip; raises `Unavailable`."""


@dataclass(slots=True, eq=False)
class _Watch:
    """The watchers of one log.

    Attributes:
        tip: what they have been told of.
        heard_ms: when that was last known to be the end.
        asking: whether the log is being asked, or will be.
        again: whether it is to be asked once more after that.
        unanswered: whether it was asked last in vain.
    """

    log_id: str
    tip: Tip
    heard_ms: int
    watchers: dict[object, OnEvents] = field(default_factory=dict)
    asking: bool = False
    again: bool = False
    unanswered: bool = False


class Watches:
    """The watches of one node.

    Args:
        follow: asks a log.
        subscribe: called with the name of a log when its first watcher comes.
        unsubscribe: called some time after its last watcher went.
        now_ms: the time by which silence is measured.
    """

    def __init__(
        self,
        follow: Follow,
        subscribe: Callable[[str], None],
        unsubscribe: Callable[[str], None],
        now_ms: Callable[[], int],
    ) -> None:
        self._follow = follow
        self._subscribe = subscribe
        self._unsubscribe = unsubscribe
        self._now_ms = now_ms
        self._loop = asyncio.get_running_loop()
        self._watches: dict[str, _Watch] = {}
        self._to_ask: deque[_Watch] = deque()
        self._askers: set[asyncio.Task[None]] = set()

    # Watchers.

    def add(self, log_id: str, known: Tip, on_events: OnEvents) -> Callable[[], None]:
        """Tell `on_events` of what comes after `known`; the result ends that."""
        watch = self._watches.get(log_id)
        if watch is None:
            watch = self._watches[log_id] = _Watch(log_id, known, self._now_ms())
            self._subscribe(log_id)
        key = object()
        watch.watchers[key] = on_events

        def end() -> None:
            if watch.watchers.pop(key, None) is not None and not watch.watchers:
                # Not at once: a watcher may go only to come back in another form.
                self._loop.call_soon(self._end_if_unwatched, watch)

        return end

    def _end_if_unwatched(self, watch: _Watch) -> None:
        if not watch.watchers and self._watches.get(watch.log_id) is watch:
            del self._watches[watch.log_id]
            self._unsubscribe(watch.log_id)

    async def close(self) -> None:
        """Tell nobody anything any more."""
        self._watches.clear()
        for asker in self._askers:
            asker.cancel()
        await asyncio.gather(*self._askers, return_exceptions=True)

    # What is heard.

    def on_message(self, log_id: str, after: Tip, events: Sequence[Stored]) -> None:
        """An append to a log was told."""
        watch = self._watches.get(log_id)
        if watch is None:
            return
        if after == watch.tip:
            watch.heard_ms = self._now_ms()
            self._tell(watch, events)
        elif (events[-1].seq, events[-1].tag) != (watch.tip.seq, watch.tip.tag):
            self._ask(watch)

    def on_hearing(self, log_ids: Iterable[str]) -> None:
        """Messages of these logs may have been missed until now, and are heard from now on."""
        for log_id in log_ids:
            if log_id in self._watches:
                self._ask(self._watches[log_id])

    def ask_silent(self, before_ms: int) -> None:
        """Ask the logs of which nothing was heard since then, and those that did not answer."""
        for watch in self._watches.values():
            if watch.unanswered or watch.heard_ms <= before_ms:
                self._ask(watch)

    # Asking a log.

    def _ask(self, watch: _Watch) -> None:
        if watch.asking:
            watch.again = True
            return
        watch.asking = True
        self._to_ask.append(watch)
        if len(self._askers) < _ASKERS:
            asker = self._loop.create_task(self._ask_all())
            self._askers.add(asker)
            asker.add_done_callback(self._askers.discard)

    async def _ask_all(self) -> None:
        while self._to_ask:
            await self._ask_until_newest(self._to_ask.popleft())

    async def _ask_until_newest(self, watch: _Watch) -> None:
        try:
            while watch.watchers:
                watch.again = False
                tip = watch.tip
                followed = await self._follow(watch.log_id, tip)
                self._take(watch, tip, followed)
                if not watch.again and not followed.more:
                    break
        except Unavailable:
            watch.unanswered = True  # it is asked again with those of which nothing is heard
        finally:
            watch.asking = False

    def _take(self, watch: _Watch, asked: Tip, followed: Followed) -> None:
        watch.heard_ms, watch.unanswered = self._now_ms(), False
        if followed.rewound_to is None:
            # A message may have come first; what it told of must not be told twice.
            self._tell(watch, [event for event in followed.events if event.seq > watch.tip.seq])
        elif watch.tip == asked:
            watch.tip = followed.rewound_to
            self._tell_commit(watch, ())
        else:
            watch.again = True

    def _tell(self, watch: _Watch, events: Sequence[Stored]) -> None:
        """Tell of these events, commit by commit, though several may have come together."""
        for tag, commit in groupby(events, key=lambda event: event.tag):
            told = tuple(commit)
            watch.tip = Tip(told[-1].seq, tag)
            self._tell_commit(watch, told)

    def _tell_commit(self, watch: _Watch, told: Sequence[Stored]) -> None:
        for key, on_events in tuple(watch.watchers.items()):
            if key in watch.watchers:  # else one of those before has ended the watch of this one
                self._tell_one(watch, on_events, told)

    def _tell_one(self, watch: _Watch, on_events: OnEvents, events: Sequence[Stored]) -> None:
        try:
            on_events(events)
        except Exception as error:  # noqa: BLE001 - a watcher's fault is not the other watchers'
            context = {"message": f"a watcher of {watch.log_id} failed", "exception": error}
            self._loop.call_exception_handler(context)
