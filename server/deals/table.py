"""The table of deals 1..32000 for three, two and one free cells: which can be won, and which cannot.

For every deal that is said to be winnable a line that wins was found, by the solver or, for those of
`lines.txt`, by a wider search. All others are lost: exhaustive searches without returns found none, or, for a
few, as many others can be won as are published.

The file: `FORM`, the version as a byte, then for 3, 2 and 1 cells the bits of the winnable deals and those of
the lost ones; deal 1 is the lowest bit of the first byte.
"""

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

DEALS: Final = 32_000
CELLS: Final = (3, 2, 1)
VERSION: Final = 1
"""Raised whenever a bit changes, for what was drawn by the old table must stay provable."""
FORM: Final = b"cellrace deals\n"
NAME: Final = "winnable.bin"

_BYTES: Final = DEALS // 8


class TableError(ValueError):
    """Bytes that are no such table."""


class Bits(NamedTuple):
    """What is known with one number of cells, a bit for each deal."""

    winnable: bytes
    lost: bytes


def is_winnable(deal: int, cells: int) -> bool:
    """Whether deal 1..32000 can be won with 3, 2 or 1 cells."""
    return _has(_shipped()[cells].winnable, deal)


@cache
def winnable(cells: int) -> tuple[int, ...]:
    """All deals that can be won with 3, 2 or 1 cells, in ascending order."""
    # All bits at once, for the first draw of a server is made on its event loop.
    bits = int.from_bytes(_shipped()[cells].winnable, "little")
    return tuple(deal for deal, bit in enumerate(reversed(f"{bits:b}"), start=1) if bit == "1")


def is_lost(deal: int, cells: int) -> bool:
    """Whether deal 1..32000 cannot be won with 3, 2 or 1 cells without taking a card back."""
    return _has(_shipped()[cells].lost, deal)


@cache
def _shipped() -> Mapping[int, Bits]:
    return read(files("server.deals").joinpath(NAME).read_bytes())


def _has(bits: bytes, deal: int) -> bool:
    return bool(bits[deal - 1 >> 3] >> (deal - 1 & 7) & 1)


def pack(winnable: Mapping[int, Collection[int]], lost: Mapping[int, Collection[int]]) -> bytes:
    """The file's bytes, from the winnable and the lost deals for each of `CELLS`."""
    parts = [FORM, bytes([VERSION])]
    for cells in CELLS:
        parts += [_bits(winnable[cells]), _bits(lost[cells])]
    return b"".join(parts)


def _bits(deals: Collection[int]) -> bytes:
    bits = bytearray(_BYTES)
    for deal in deals:
        bits[deal - 1 >> 3] |= 1 << (deal - 1 & 7)
    return bytes(bits)


def read(data: bytes) -> Mapping[int, Bits]:
    """What is known for each of `CELLS`.

    Raises:
        TableError: the bytes are not those of `pack`, or of another version.
    """
    head = FORM + bytes([VERSION])
    if not data.startswith(head):
        raise TableError(f"this is not version {VERSION} of the table of deals")
    if len(data) != len(head) + 2 * len(CELLS) * _BYTES:
        raise TableError(f"the table of deals has {len(data)} bytes")
    parts = [data[start : start + _BYTES] for start in range(len(head), len(data), _BYTES)]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {cells: Bits(*pair) for cells, pair in zip(CELLS, pairs, strict=True)}
