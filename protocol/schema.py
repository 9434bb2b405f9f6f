"""The JSON Schema of all messages, made from their types.

`python -m protocol.schema > docs/protocol.schema.json` writes the file anew.
"""

import json
import sys
from typing import Any

import msgspec

from protocol.commands import Command
from protocol.events import Event
from protocol.version import MINOR, PROTOCOL


def make_schema() -> dict[str, Any]:
    """One JSON Schema (2020-12) for a frame in either direction.

    `$defs` holds `Command` (client to server), `Event` (server to client) and every type they are made of,
    under its name in this package.
    """
    (commands, events), parts = msgspec.json.schema_components((Command, Event))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cellrace protocol {PROTOCOL}.{MINOR}",
        "description": "A frame: a JSON object whose `t` names its type. What each means: docs/protocol.md",
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/Event"}],
        "$defs": {"Command": commands, "Event": events, **parts},
    }


def main() -> None:
    """Write the schema to standard output."""
    json.dump(make_schema(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
