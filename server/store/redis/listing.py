"""Names in order, out of the indexes of all partitions."""

from collections.abc import Callable
from typing import Final

from server.store.redis.calls import ALL_PARTITIONS, Calls
from server.store.redis.replies import Reply, read_names
from server.store.redis.scripts import NAMES

_AFTER_ALL: Final = b"\x7f"


async def list_names(
    calls: Calls, index: Callable[[int], bytes], prefix: bytes, after: bytes, limit: int
) -> list[str]:
    """The names that begin with `prefix` and sort after `after`, in order, `limit` at most.

    Args:
        calls: how Redis is asked.
        index: the key of the index of names of a partition.
        prefix: what the names begin with.
        after: what they sort after.
        limit: 1 or more.

    Raises:
        Unavailable: some partition does not answer.
    """
    names: list[str] = []
    some = limit // 64 + 8  # of each partition: on average, a 256th is enough
    end = b"(" + prefix + _AFTER_ALL if prefix else b"+"
    while len(names) < limit:
        start = b"(" + after if after >= prefix and after else b"[" + prefix if prefix else b"-"
        keys = ([index(number)] for number in ALL_PARTITIONS)
        replies = await calls.ask_each(NAMES, keys, (start, end, b"%d" % some))
        pages = [read_names(_answer(reply).body) for reply in replies]
        # A partition that has more to tell hides what comes after the last name that it told.
        edge = min((page[-1] for page in pages if len(page) == some), default=None)
        names += sorted(name for page in pages for name in page if edge is None or name <= edge)
        if edge is None:
            break
        after = edge.encode("ascii")
    return names[:limit]


def _answer(reply: Reply | BaseException) -> Reply:
    if isinstance(reply, BaseException):
        raise reply
    return reply
