"""The table of deals 1..32000 for three, two and one free cells: a bit each, set when the deal can be won.

For every bit that is set a line that wins was found; for every other an exhaustive search without returns
found none.

The file: `FORM`, the version as a byte, then for 3, 2 and 1 cells the bits of deals 1, 2, ..., the lowest bit
of each byte first.
"""

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

DEALS: Final = 32_000
CELLS: Final = (3, 2, 1)
VERSION: Final = 1
"""Raised whenever a bit changes, for what was drawn by the old table must stay provable."""
FORM: Final = b"cellrace deals\n"
NAME: Final = "winnable.bin"

_BYTES: Final = DEALS // 8


class TableError(ValueError):
    """Bytes that are no such table."""


def is_winnable(deal: int, cells: int) -> bool:
    """Whether deal 1..32000 can be won with 3, 2 or 1 cells."""
    place = deal - 1
    return bool(_shipped()[cells][place >> 3] >> (place & 7) & 1)


@cache
def _shipped() -> Mapping[int, bytes]:
    return read(files("server.deals").joinpath(NAME).read_bytes())


def pack(winnable: Mapping[int, Collection[int]]) -> bytes:
    """The file's bytes, from the winnable deals for each of `CELLS`."""
    parts = [FORM, bytes([VERSION])]
    for cells in CELLS:
        bits = bytearray(_BYTES)
        for deal in winnable[cells]:
            bits[deal - 1 >> 3] |= 1 << (deal - 1 & 7)
        parts.append(bytes(bits))
    return b"".join(parts)


def read(data: bytes) -> Mapping[int, bytes]:
    """The bits for each of `CELLS`.

    Raises:
        TableError: the bytes are not those of `pack`, or of another version.
    """
    head = FORM + bytes([VERSION])
    if not data.startswith(head):
        raise TableError(f"this is not version {VERSION} of the table of deals")
    if len(data) != len(head) + len(CELLS) * _BYTES:
        raise TableError(f"the table of deals has {len(data)} bytes")
    starts = range(len(head), len(data), _BYTES)
    return {cells: data[start : start + _BYTES] for cells, start in zip(CELLS, starts, strict=True)}
