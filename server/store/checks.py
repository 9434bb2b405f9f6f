"""What every store refuses before it does anything: calls that no correct program makes."""

from collections.abc import Sequence
from typing import Final

from server.store.base import MAX_LOG_ID, TAG_BYTES, Stored, Tip, Wake, WakeMark

# The largest whole number that every place a store may keep one holds exactly (Lua in Redis counts in
# doubles).
_LARGEST: Final = 2**53


def check_name(log_id: str) -> None:
    """Raise `ValueError` unless `log_id` may name a log, or a table of results or a row of one."""
    if not 0 < len(log_id) <= MAX_LOG_ID:
        raise ValueError(f"the name of a log has 1 to {MAX_LOG_ID} characters, not {len(log_id)}")
    if not log_id.isascii() or not log_id.isprintable() or " " in log_id:
        raise ValueError(f"the name of a log is printable ASCII without spaces: {log_id!r}")


def check_number(what: str, number: int, least: int = 0) -> None:
    """Raise `ValueError` unless `number` is `least` or more, and small enough to be kept exactly."""
    if not least <= number <= _LARGEST:
        raise ValueError(f"{what} is a number from {least} to {_LARGEST}, not {number}")


def check_row(table: str, key: str, score: int) -> None:
    """Raise `ValueError` unless a row of results may have these."""
    check_name(table)
    check_name(key)
    check_number("a score", score)


def check_append(log_id: str, after: Tip, events: Sequence[bytes], tag: bytes, wake: Wake) -> None:
    """Raise `ValueError` unless these may be the arguments of an append."""
    check_name(log_id)
    check_number("the end of a log", after.seq)
    if not events:
        raise ValueError("an append has one event or more")
    _check_tag(tag)
    if not isinstance(wake, WakeMark):
        check_number("a deadline, counted from the append,", wake)


def check_restore(log_id: str, rows: Sequence[Stored], due_ms: Wake) -> None:
    """Raise `ValueError` unless these may be the arguments of a restoration."""
    check_name(log_id)
    if not rows:
        raise ValueError("a log has one event or more")
    at_ms = 0
    for seq, row in enumerate(rows, 1):
        if row.seq != seq:
            raise ValueError(f"event {seq} of a log has that number, not {row.seq}")
        check_number("the stamp of an event", row.at_ms, at_ms)
        _check_tag(row.tag)
        at_ms = row.at_ms
    if not isinstance(due_ms, WakeMark):
        check_number("a deadline", due_ms)


def _check_tag(tag: bytes) -> None:
    if len(tag) != TAG_BYTES:
        raise ValueError(f"a tag has {TAG_BYTES} bytes, not {len(tag)}")
