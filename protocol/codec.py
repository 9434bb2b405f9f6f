"""Frames and messages: the only place that touches JSON on the wire.

A frame is one JSON object whose `t` names its type. The server's side is strict (`read_command`), the
client's side lenient (`read_event`).
"""

import json
from dataclasses import dataclass
from typing import Any, Final, get_args

import msgspec
import orjson

from protocol.commands import Command
from protocol.errors import ErrorCode
from protocol.events import Event, Refused, Update
from protocol.sense import nonsense
from protocol.views import Change


@dataclass(frozen=True, slots=True)
class Reference:
    """What an answer to a message refers to, as far as it could be read."""

    race: str | None = None
    c: int | None = None
    q: int | None = None


class BadMessage(ValueError):
    """A frame that is not a message. The text says where and why, and may be shown to the peer."""

    def __init__(self, text: str, reference: Reference = Reference()) -> None:
        super().__init__(text)
        self.reference = reference


_COMMANDS: Final[dict[str, type[Command]]] = {kind.__struct_config__.tag: kind for kind in get_args(Command)}
_EVENTS: Final[dict[str, type[Event]]] = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
_RACE_LENGTHS: Final = (8, 35)
_CODES: Final = frozenset(ErrorCode)
_CHANGES: Final[frozenset[object]] = frozenset(kind.__struct_config__.tag for kind in get_args(Change))


def encode(message: Command | Event) -> bytes:
    """The frame of a message, as UTF-8."""
    return orjson.dumps(msgspec.to_builtins(message))


def read_command(frame: bytes | str) -> Command:
    """The command in a frame.

    Raises:
        BadMessage: not JSON, not an object, an unknown type, an unknown or doubled field, a value out of
            bounds.
    """
    fields = _read_object(frame)
    kind = _COMMANDS.get(_tag(fields))
    if kind is None:
        raise BadMessage("unknown message type")
    try:
        command = msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise BadMessage(str(error), _reference(fields)) from None
    _refuse_doubled_keys(frame, fields)
    return command


def read_event(frame: bytes | str) -> Event | None:
    """The event in a frame; None for a type this client does not know.

    Changes it does not know are left out, and an error code it does not know is read as `bad_message`.

    Raises:
        BadMessage: not JSON, not an object, or a known type with a value that cannot be (see `sense`).
    """
    fields = _read_object(frame)
    kind = _EVENTS.get(_tag(fields))
    if kind is None:
        return None
    if kind is Update:
        _drop_unknown_changes(fields)
    if kind is Refused and isinstance(code := fields.get("code"), str) and code not in _CODES:
        fields["code"] = ErrorCode.BAD_MESSAGE
    try:
        event = msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise BadMessage(str(error)) from None
    if what := nonsense(event):
        raise BadMessage(what)
    return event


def _read_object(frame: bytes | str) -> dict[str, Any]:
    try:
        fields = orjson.loads(frame)
    except orjson.JSONDecodeError as error:
        raise BadMessage(f"not JSON: {error.msg}") from None
    if not isinstance(fields, dict):
        raise BadMessage("not a JSON object")
    return fields


def _reference(fields: dict[str, Any]) -> Reference:
    race, c, q = fields.get("race"), fields.get("c"), fields.get("q")
    return Reference(
        race if isinstance(race, str) and len(race) in _RACE_LENGTHS else None,
        c if type(c) is int else None,  # not `true`, which is an int to Python
        q if type(q) is int else None,
    )


def _tag(fields: dict[str, Any]) -> str:
    tag = fields.get("t")
    if not isinstance(tag, str):
        raise BadMessage("no message type `t`")
    return tag


def _drop_unknown_changes(fields: dict[str, Any]) -> None:
    changes = fields.get("changes")
    if isinstance(changes, list):
        fields["changes"] = [change for change in changes if not _is_unknown(change)]


def _is_unknown(change: object) -> bool:
    if not isinstance(change, dict):
        return False
    kind = change.get("k")
    return isinstance(kind, str) and kind not in _CHANGES


def _refuse_doubled_keys(frame: bytes | str, fields: dict[str, Any]) -> None:
    """Refuse what orjson reads silently, keeping the last of two values of one key.

    A doubled key is lost on the way back to JSON, so a frame that comes back with its length has none; only
    a frame written with spaces or escapes is worth the slow look. This holds for a command's fields: they
    nest no deeper than orjson writes, and have no number that it writes longer than it came (`1e2`).
    """
    raw = frame.encode() if isinstance(frame, str) else frame
    if len(orjson.dumps(fields)) == len(raw):
        return
    try:
        json.loads(raw, object_pairs_hook=_unique_keys)
    except RecursionError:
        # The value that was lost nests deeper than Python's reader goes; orjson reads 1024 levels.
        raise BadMessage("a field is given twice") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise BadMessage("a field is given twice")
    return fields
