"""The append whose outcome may be unknown, and how it becomes known.

When the answer to an append is lost, the append may have taken effect, it may not, and it may still be on its
way. So the same append is sent again, with the same tag. If the log has gone on with that tag, the first one
took effect, and this is its answer. If the second one takes effect, or the log has gone on with another tag,
the first one never will, for the log does not end where it was decided any more.

One answer settles nothing: "too early" to the second, since the first may still come in time. Then, and when
Redis stays away, the store cannot tell, and says so.
"""

from typing import Final

from server.store.append_call import AppendCall
from server.store.base import (
    CLEAR,
    KEEP,
    PAGE,
    Appended,
    Conflict,
    Diverged,
    Outcome,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Unavailable,
    Wake,
)
from server.store.redis.calls import Calls, as_unavailable
from server.store.redis.driver import DriverError, Lost
from server.store.redis.keys import channel_of, log_keys
from server.store.redis.packing import missed, tip_of, unpack_aside
from server.store.redis.replies import Reply, read_number, read_rows, write_rows
from server.store.redis.scripts import APPEND, RESTORE, UNPACK

_FORGETTABLE: Final = "race:"
"""How the names begin of logs that do not stay where the operator says so; no result refers to them."""


async def append(calls: Calls, call: AppendCall) -> Outcome:
    """See `Store.append`; its arguments have been checked."""
    name, after, tag = call.log_id.encode("ascii"), call.after, call.tag
    keys = log_keys(name)
    args = (
        name,
        b"%d" % after.seq,
        after.tag,
        tag,
        _number(call.not_before),
        _number(call.not_after),
        _wake(call.wake),
        b"%d" % calls.timing.retire_ms,
        _number(_keep_ms(calls, call.log_id)),
        b"%d" % PAGE,
        channel_of(name),
        b"%d" % call.unprojected,
        *call.events,
    )
    unsure = False
    while True:
        try:
            reply = await calls.once(APPEND, keys, args)
        except DriverError as error:
            unsure = unsure or isinstance(error, Lost)
            if not unsure:
                raise as_unavailable(error) from error
            await calls.pause()
            continue
        if reply.kind != "Z":
            return _settled(_outcome(reply), after, tag, unsure=unsure)
        log = await unpack_aside(reply.body)
        if tip_of(log) != after:
            return _settled(missed(log, after), after, tag, unsure=unsure)
        await put_back(calls, name, log)


async def put_back(calls: Calls, name: bytes, log: list[Stored]) -> None:
    """Make a stream of a packed log again, unless somebody else was faster."""
    end = tip_of(log)
    retire_ms = b"%d" % calls.timing.retire_ms
    await calls.ask(UNPACK, log_keys(name), (name, b"%d" % end.seq, end.tag, write_rows(log), retire_ms))


async def restore(calls: Calls, log_id: str, log: list[Stored], due_ms: Wake, *, unprojected: bool) -> bool:
    """See `Store.restore`; its arguments have been checked."""
    name = log_id.encode("ascii")
    end = log[-1]
    args = (
        name,
        b"%d" % end.seq,
        b"%d" % end.at_ms,
        end.tag,
        _wake(due_ms),
        b"%d" % calls.timing.retire_ms,
        _number(_keep_ms(calls, log_id)),
        channel_of(name),
        b"%d" % unprojected,
        write_rows(log),
    )
    return (await calls.ask(RESTORE, log_keys(name), args)).kind == "N"


def _outcome(reply: Reply) -> Outcome:
    match reply.kind:
        case "A":
            return Appended(read_number(reply.body), read_number(reply.body, 1))
        case "C":
            return Conflict(tuple(read_rows(reply.body)))
        case "D":
            return Diverged()
        case "E":
            return TooEarly(read_number(reply.body))
        case "L":
            return TooLate(read_number(reply.body))
        case kind:
            raise AssertionError(f"an append came to {kind}")


def _settled(outcome: Outcome, after: Tip, tag: bytes, *, unsure: bool) -> Outcome:
    """The outcome of an append whose last attempt came to this; `unsure` if an earlier one was lost."""
    if not unsure:
        return outcome
    match outcome:
        case Conflict((first, *_)) if first.tag == tag:
            return Appended(after.seq + 1, first.at_ms)
        case TooEarly():
            raise Unavailable("the answer to an append was lost, and it may yet take effect")
        case _:
            return outcome


def _keep_ms(calls: Calls, log_id: str) -> int | None:
    return calls.timing.keep_ms if log_id.startswith(_FORGETTABLE) else None


def _number(number: int | None) -> bytes:
    return b"" if number is None else b"%d" % number


def _wake(wake: Wake) -> bytes:
    if wake is KEEP:
        return b"keep"
    if wake is CLEAR:
        return b"clear"
    return b"%d" % wake
