"""Who is there, on all nodes. It is not in the log and not promised: nodes announce it, and it expires."""

from dataclasses import dataclass
from typing import Final

import msgspec
import orjson

from server.race.state import PlayerId

ANNOUNCE_EVERY_MS: Final = 10_000
EXPIRES_MS: Final = 30_000
"""A node that was not heard for so long is taken to be gone."""


@dataclass(frozen=True, slots=True)
class Report:
    """Whose seats have a connection on a node, and how many watch there."""

    node: str
    seats: tuple[PlayerId, ...]
    watchers: int


def write(report: Report) -> bytes:
    """The bytes of a report."""
    return orjson.dumps(msgspec.to_builtins(report))


def read(note: bytes) -> Report:
    """The report in a note."""
    return msgspec.convert(orjson.loads(note), Report)


class Neighbours:
    """What other nodes have said of one race."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._reports: dict[str, tuple[Report, int]] = {}

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """The seats that have a connection elsewhere."""
        return tuple(player for report, _ in self._reports.values() for player in report.seats)

    @property
    def watchers(self) -> int:
        """How many watch elsewhere."""
        return sum(report.watchers for report, _ in self._reports.values())

    def take(self, report: Report, now_ms: int) -> tuple[bool, bool]:
        """Take a report in: whether it changes anything, and whether its node is a new one."""
        if report.node == self._own:
            return False, False
        before = self._reports.get(report.node)
        self._reports[report.node] = (report, now_ms)
        return before is None or before[0] != report, before is None

    def expire(self, now_ms: int) -> bool:
        """Forget nodes that were not heard for long; whether there were any."""
        old = [node for node, (_, at_ms) in self._reports.items() if at_ms + EXPIRES_MS <= now_ms]
        for node in old:
            del self._reports[node]
        return bool(old)
