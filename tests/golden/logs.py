"""Golden logs as files: a stored row a line, with the bytes of its event as text."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from server.store.base import Stored

FOLDER: Final = Path(__file__).parent

_TAG = b"\x00" * 8


def read_rows(name: str) -> list[Stored]:
    """The rows of the golden log of this name."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    parts = [json.loads(line) for line in lines]
    return [Stored(part["seq"], part["at"], _TAG, part["data"].encode()) for part in parts]


def write_rows(name: str, rows: Iterable[Stored]) -> None:
    """Record a new golden log.

    Raises:
        FileExistsError: there is one of this name; it is never written again.
    """
    parts = [{"seq": row.seq, "at": row.at_ms, "data": row.data.decode()} for row in rows]
    with (FOLDER / f"{name}.jsonl").open("x", encoding="utf-8") as file:
        file.writelines(json.dumps(part, ensure_ascii=False) + "\n" for part in parts)


def read_result(name: str) -> object:
    """What the golden log of this name was found to fold to when it was recorded."""
    return json.loads((FOLDER / f"{name}.result.json").read_text("utf-8"))


def write_result(name: str, result: object) -> None:
    """Record what a new golden log folds to.

    Raises:
        FileExistsError: there is a result of this name.
    """
    with (FOLDER / f"{name}.result.json").open("x", encoding="utf-8") as file:
        json.dump(result, file, ensure_ascii=False, indent=1)
        file.write("\n")
