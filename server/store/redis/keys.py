"""The names of the keys, the same on every node and for ever. docs/operations.md lists them with lifetimes.

Logs are spread over `PARTITIONS` by their names. All keys of a partition bear the same hash tag, so that in a
cluster they live together and one script may touch them all.
"""

from typing import Final, NamedTuple
from zlib import crc32

PARTITIONS: Final = 256

_CHANNEL: Final = b"log:"
_NOTES: Final = b"note:"
_EAR: Final = b"ear:"


class LogKeys(NamedTuple):
    """The keys of one log, and the indexes of its partition, in the order in which all scripts take them.

    Attributes:
        stream: the events, as a stream; entry `7-0` is event 7.
        ends: hash, name of a log to its end. A log exists if it is in here.
        due: sorted set, name of a log by its deadline.
        retire: sorted set, name of a log without a deadline by the time at which it is to be packed.
        packed: the events of a packed log; then there is no stream.
        names: sorted set of the names of all logs, all with score 0.
        forget: sorted set, name of a finished log by the time at which it is to go, if ever.
        unprojected: sorted set, name of a log that is to be written into tables of results by when it came
            to that.
    """

    stream: bytes
    ends: bytes
    due: bytes
    retire: bytes
    packed: bytes
    names: bytes
    forget: bytes
    unprojected: bytes


class TableKeys(NamedTuple):
    """The keys of a table of results, and the index of its partition.

    Attributes:
        scores: sorted set, key of a row by its score.
        rows: hash, key of a row to its data.
        tables: sorted set of the names of all tables, all with score 0.
    """

    scores: bytes
    rows: bytes
    tables: bytes


def partition_of(name: bytes) -> int:
    """The partition, 0 to 255, of the log or the table with this name."""
    return crc32(name) % PARTITIONS


def log_keys(name: bytes) -> LogKeys:
    """The keys of the log with this name."""
    tag = _tag(partition_of(name))
    return LogKeys(
        tag + b":log:" + name,
        tag + b":ends",
        tag + b":due",
        tag + b":retire",
        tag + b":packed:" + name,
        tag + b":names",
        tag + b":forget",
        tag + b":unprojected",
    )


def table_keys(name: bytes) -> TableKeys:
    """The keys of the table with this name."""
    tag = _tag(partition_of(name))
    return TableKeys(tag + b":scores:" + name, tag + b":rows:" + name, tag + b":tables")


def due_key(partition: int) -> bytes:
    """The index of deadlines of a partition."""
    return _tag(partition) + b":due"


def retire_key(partition: int) -> bytes:
    """The index of logs of a partition that are to be packed."""
    return _tag(partition) + b":retire"


def forget_key(partition: int) -> bytes:
    """The index of logs of a partition that do not stay."""
    return _tag(partition) + b":forget"


def unprojected_key(partition: int) -> bytes:
    """The index of logs of a partition that are to be written into tables of results."""
    return _tag(partition) + b":unprojected"


def tables_key(partition: int) -> bytes:
    """The index of names of tables of a partition."""
    return _tag(partition) + b":tables"


def names_key(partition: int) -> bytes:
    """The index of names of a partition."""
    return _tag(partition) + b":names"


def probe_key(partition: int) -> bytes:
    """What is written to see whether a partition takes writes."""
    return _tag(partition) + b":probe"


def channel_of(name: bytes) -> bytes:
    """The channel on which the appends to a log are told."""
    return _CHANNEL + name


def log_of_channel(channel: bytes) -> bytes:
    """The name of the log of a channel."""
    return channel.removeprefix(_CHANNEL)


def note_channel(name: bytes) -> bytes:
    """The channel on which things are announced about a log."""
    return _NOTES + name


def log_of_notes(channel: bytes) -> bytes | None:
    """The name of the log about which things are announced on a channel; None for another kind of channel."""
    return channel.removeprefix(_NOTES) if channel.startswith(_NOTES) else None


def ear_channel(token: bytes) -> bytes:
    """The channel on which a node calls to itself, to see whether it hears."""
    return _EAR + token


def _tag(partition: int) -> bytes:
    return b"{p%03d}" % partition
