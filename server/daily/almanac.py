"""All dailies of a store: which day it is, what each is dealt, and what may be told of it when."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from server.daily.calendar import closes_ms, day_at, shifted
from server.daily.drawing import COMMITTED_DAYS, commitment_of, deal_of, value_of
from server.daily.keys import BrokenKey, DailyKey, make_key
from server.daily.naming import CELLS, Daily
from server.store.base import Store

LOOK_AGAIN_MS: Final = 10_000
"""How long a key that was read may be relied on."""

_DAYS_KEPT: Final = 64


@dataclass(frozen=True, slots=True)
class Proof:
    """What shows that a daily was settled long before: commitment, and once the day is closed, its value."""

    daily: Daily
    commitment: str
    value: bytes | None


class Almanac:
    """The dailies of a store.

    The key is read, or made, when it is first needed, and looked at again now and then: a store that has lost
    all it had is given it back, or has another by then, and all nodes are to deal the same.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: DailyKey | None = None
        self._looked_ms = 0
        self._deals: dict[Daily, int] = {}

    @property
    def today(self) -> str:
        """The day it is by the store's clock."""
        return day_at(self._store.now_ms())

    def is_closed(self, day: str) -> bool:
        """Whether nobody can be at his ranked attempt of that day any more."""
        return self._store.now_ms() >= closes_ms(day)

    async def since(self) -> str:
        """The first day that has dailies.

        Raises:
            NewerKey: a newer program made the key.
            BrokenKey: it is kept, but makes no sense.
            Unavailable: the store cannot tell.
        """
        return (await self.key()).since

    async def key(self) -> DailyKey:
        """The key; raises as `since`."""
        now_ms = self._store.now_ms()
        if self._key is None or not self._looked_ms <= now_ms < self._looked_ms + LOOK_AGAIN_MS:
            found = await make_key(self._store, self._key)
            if found != self._key:
                self._deals.clear()
            self._key, self._looked_ms = found, now_ms
        return self._key

    async def deal(self, daily: Daily) -> int:
        """The number of a daily's deal; raises as `since`."""
        key = await self.key()
        found = self._deals.get(daily)
        if found is None:
            value = value_of(key.secret, daily)
            found = self._deals[daily] = deal_of(value, daily.cells)
            if len(self._deals) > _DAYS_KEPT:
                del self._deals[next(iter(self._deals))]
        return found

    async def still_open(self, deal: int) -> Daily | None:
        """Which of the dailies that somebody may be at has these cards; raises as `since`.

        By a key that makes no sense nobody is dealt a daily: there is none to keep from anybody then.
        """
        days = [day for day in (self.today, shifted(self.today, -1)) if not self.is_closed(day)]
        with suppress(BrokenKey):
            for daily in (Daily(day, cells) for day in days for cells in CELLS):
                if await self.deal(daily) == deal:
                    return daily
        return None

    async def proof(self, daily: Daily) -> Proof:
        """What may be told of how a daily was drawn; raises as `since`."""
        value = value_of((await self.key()).secret, daily)
        return Proof(daily, commitment_of(daily, value), value if self.is_closed(daily.day) else None)

    async def commitments(self, cells: int) -> list[Proof]:
        """Those for today and the days after it; raises as `since`."""
        today = self.today
        return [await self.proof(Daily(shifted(today, ahead), cells)) for ahead in range(COMMITTED_DAYS + 1)]
