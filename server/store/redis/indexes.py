"""What is due by the indexes of all partitions, whatever is wrong with some of them."""

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from server.store.base import Due
from server.store.redis.calls import ALL_PARTITIONS, Calls
from server.store.redis.replies import read_due
from server.store.redis.scripts import DUE

log = logging.getLogger(__name__)

_BROKEN: Final = " "
"""How the name begins of an index that is no index; no log is called so."""


async def find_due(calls: Calls, index: Callable[[int], bytes], until_ms: int, limit: int) -> list[Due]:
    """The names that are due until then, `limit` at most of each partition, the oldest first.

    An index that holds something else is passed over, and said to be so once.

    Args:
        calls: how Redis is asked.
        index: the key of the index of a partition.
        until_ms: by the time of Redis.
        limit: 1 or more.

    Raises:
        Unavailable: no partition answers.
    """
    keys = [index(number) for number in ALL_PARTITIONS]
    replies = await calls.ask_partitions(DUE, keys, (b"%d" % until_ms, b"%d" % limit))
    found = [due for reply in replies for due in read_due(reply.body)]
    for due in found:
        if due.log_id.startswith(_BROKEN):
            _tell(due.log_id.removeprefix(_BROKEN))
    known = (due for due in found if not due.log_id.startswith(_BROKEN))
    return sorted(known, key=lambda due: (due.at_ms, due.log_id))


@lru_cache(maxsize=1_024)
def _tell(key: str) -> None:
    """Say something once, not with each look."""
    log.error("the key %s holds what is no index; its part of the logs is not looked after", key)
