"""What is due by the indexes of all partitions, whatever is wrong with some of them."""

import logging
from collections.abc import Callable
from typing import Final

from server.store.base import Due
from server.store.redis.calls import ALL_PARTITIONS, Calls
from server.store.redis.replies import read_due
from server.store.redis.scripts import DUE

log = logging.getLogger(__name__)

_BROKEN: Final = " "
"""How the name begins of an index that is no index; no log is called so."""


class Indexes:
    """Looks through indexes. One that holds something else is passed over, and said to be so once."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._told: set[str] = set()

    async def find_due(self, index: Callable[[int], bytes], until_ms: int, limit: int) -> list[Due]:
        """The names that are due until then, `limit` at most of each partition, the oldest first.

        Args:
            index: the key of the index of a partition.
            until_ms: by the time of Redis.
            limit: 1 or more.

        Raises:
            Unavailable: no partition answers.
        """
        keys = [index(number) for number in ALL_PARTITIONS]
        replies = await self._calls.ask_partitions(DUE, keys, (b"%d" % until_ms, b"%d" % limit))
        found = [due for reply in replies for due in read_due(reply.body)]
        for due in found:
            if due.log_id.startswith(_BROKEN):
                self._tell(due.log_id.removeprefix(_BROKEN))
        known = (due for due in found if not due.log_id.startswith(_BROKEN))
        return sorted(known, key=lambda due: (due.at_ms, due.log_id))

    def _tell(self, key: str) -> None:
        if key not in self._told:
            self._told.add(key)
            log.error("the key %s holds what is no index; its part of the logs is not looked after", key)
