"""`docs/protocol.md`, taken apart: its sections, the fields it tells of, its examples and transcripts."""

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
TEXT: Final = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")

_FENCE: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^#{2,4} (.+)$", re.MULTILINE)
_ROW: Final = re.compile(r"^\| `(\w+)` \| (.*?) \| (.*) \|$", re.MULTILINE)


class Line(NamedTuple):
    """One line of a transcript: what `who` sent, or received."""

    who: str
    sent: bool
    frame: str


def fences(language: str, text: str = TEXT) -> list[str]:
    """What stands in the fenced blocks of this language."""
    return [body for name, body in _FENCE.findall(text) if name == language]


def sections() -> dict[str, str]:
    """The text under each heading of the second to the fourth level, without what is under the next."""
    plain = _FENCE.sub("", TEXT)
    parts = _HEADING.split(plain)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(section: str) -> dict[str, tuple[str, str]]:
    """The rows of a section's table by their first column: the second, its bars unescaped, and the third."""
    return {name: (second.replace("\\|", "|"), third) for name, second, third in _ROW.findall(section)}


def transcript() -> list[Line]:
    """All lines of all transcripts, as one."""
    lines = [line for block in fences("transcript") for line in block.splitlines()]
    return [Line(line[:3], line[3:5] == "> ", line[5:]) for line in lines]


def anchor(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def type_words(schema: dict[str, Any], *, required: bool) -> str:
    """What the second column says of a field with this schema."""
    kinds = [kind for kind in schema.get("anyOf", [schema]) if kind.get("type") != "null"]
    words = " or ".join(_kind_words(kind) for kind in kinds)
    if required:
        return words
    default = schema.get("default")
    return f"{words}; optional" if default is None else f"{words}; default {_default_words(default)}"


def _default_words(default: object) -> str:
    match default:
        case bool():
            return f"`{str(default).lower()}`"
        case "":
            return "empty"
        case []:
            return "`[]`"
        case {}:
            return "`{}`"
        case _:
            return f"`{default}`"


def _kind_words(kind: dict[str, Any]) -> str:
    match kind:
        case {"$ref": str(ref)}:
            name = ref.rpartition("/")[2]
            return "[error code](#error-codes)" if name == "ErrorCode" else f"[{name}](#{anchor(name)})"
        case {"enum": list(values)}:
            return "one of " + ", ".join("empty" if value == "" else f"`{value}`" for value in values)
        case {"type": "string", "pattern": str(pattern)}:
            return f"string matching `{pattern}`"
        case {"type": "string"}:
            bounds = _bounds(kind, "minLength", "maxLength")
            return f"string{bounds} characters" if bounds else "string"
        case {"type": "integer"}:
            return "integer" + _bounds(kind, "minimum", "maximum")
        case {"type": "boolean"}:
            return "boolean"
        case _:
            return _collection_words(kind)


def _collection_words(kind: dict[str, Any]) -> str:
    match kind:
        case {"prefixItems": list(items)}:
            return "list of " + ", ".join(_kind_words(item) for item in items)
        case {"items": {"discriminator": _}}:
            return "list of [changes](#changes)"
        case {"items": {"prefixItems": [{"type": "string"}, {"type": "string"}, {"type": "integer"}]}}:
            return "list of [CardMove](#cardmove)"
        case {"items": {"anyOf": [dict(item), {"type": "null"}]}}:
            return f"list of {_kind_words(item)} or null"
        case {"items": dict(item)}:
            return f"list of {_kind_words(item)}"
        case {"additionalProperties": dict(value)}:
            return f"map of {' or '.join(_kind_words(kind) for kind in value.get('anyOf', [value]))}"
        case _:
            raise AssertionError(kind)


def _bounds(kind: dict[str, Any], low: str, high: str) -> str:
    if high not in kind:
        return ""
    return f", {kind[low]} to {kind[high]}" if low in kind else f", up to {kind[high]}"
