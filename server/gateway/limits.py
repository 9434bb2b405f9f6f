"""How much one peer may ask for: token buckets and caps, on a clock that is passed in."""

from collections import Counter
from dataclasses import dataclass

from server.freecell.wording import say


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second in the long run, and `burst` at once."""

    per_s: float
    burst: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection may send, and what many of one address may in all.

    `misses` are codes of races that do not exist, so that codes cannot be found by trying; `namings` are
    different deals chosen for races, so that a day's is not found either: its number is refused to whoever
    may not see its cards yet, so each that is not refused is known to be another.
    """

    moves: Rate = Rate(30, 90)
    chat: Rate = Rate(0.5, 5)
    joins: Rate = Rate(1, 20)
    questions: Rate = Rate(5, 20)
    creates: Rate = Rate(0.1, 5)
    creates_per_address: Rate = Rate(1, 50)
    misses: Rate = Rate(0.2, 10)
    namings: Rate = Rate(0.004, 50)
    connections: int = 10_000
    connections_per_address: int = 1_000
    hello_s: float = 10.0
    send_s: float = 15.0


class Bucket:
    """A token bucket. `take` answers 0 when there was a token, else after how many ms there will be one."""

    def __init__(self, rate: Rate, now_ms: int) -> None:
        self._rate = rate
        self._tokens = float(rate.burst)
        self._at_ms = now_ms

    def take(self, now_ms: int) -> int:
        """Take one token, or say how long to wait."""
        gained = max(0, now_ms - self._at_ms) * self._rate.per_s / 1000
        self._tokens = min(float(self._rate.burst), self._tokens + gained)
        self._at_ms = now_ms
        if self._tokens >= 1:
            self._tokens -= 1
            return 0
        return int((1 - self._tokens) / self._rate.per_s * 1000) + 1

    def wait_ms(self, now_ms: int) -> int:
        """How long until there is a token, 0 if there is one."""
        tokens = self._tokens + max(0, now_ms - self._at_ms) * self._rate.per_s / 1000
        return 0 if tokens >= 1 else int((1 - tokens) / self._rate.per_s * 1000) + 1

    def is_full(self, now_ms: int) -> bool:
        """Whether it is as good as a new one."""
        return self._tokens + (now_ms - self._at_ms) * self._rate.per_s / 1000 >= self._rate.burst


class AddressBook:
    """Buckets that many connections of one address share; those that are full again are forgotten."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self._rate = rate
        self._most = most
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str, now_ms: int) -> int:
        """Take one of the address's tokens, or say how long to wait."""
        bucket = self._buckets.get(address)
        if bucket is None:
            self._make_room(now_ms)
            bucket = self._buckets[address] = Bucket(self._rate, now_ms)
        return bucket.take(now_ms)

    def wait_ms(self, address: str, now_ms: int) -> int:
        """How long until the address has a token, 0 if it has one."""
        bucket = self._buckets.get(address)
        return 0 if bucket is None else bucket.wait_ms(now_ms)

    def _make_room(self, now_ms: int) -> None:
        if len(self._buckets) < self._most:
            return
        full = [address for address, bucket in self._buckets.items() if bucket.is_full(now_ms)]
        for address in full or list(self._buckets)[: self._most // 10]:
            del self._buckets[address]


class Namings:
    """How many different deals are chosen from one address; one that was chosen lately tells nothing new."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self._book = AddressBook(rate, most)
        self._most = most
        self._lately: dict[tuple[str, int | str], None] = {}

    def take(self, address: str, deal: int | str, now_ms: int) -> int:
        """Take one of the address's tokens for a deal it has not chosen lately, or say how long to wait."""
        if (address, deal) in self._lately:
            return 0
        wait_ms = self._book.take(address, now_ms)
        if wait_ms == 0:
            if len(self._lately) >= self._most:
                del self._lately[next(iter(self._lately))]
            self._lately[address, deal] = None
        return wait_ms


class Doors:
    """How many connections there are, in all and by address."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> str:
        """Count a connection in; a sentence that says why not, or nothing."""
        if self._open.total() >= self._most:
            return say("the server is full; try again later")
        if self._open[address] >= self._most_per_address:
            return say("too many connections from your address")
        self._open[address] += 1
        return ""

    def leave(self, address: str) -> None:
        """Count a connection out."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
