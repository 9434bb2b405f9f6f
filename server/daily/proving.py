"""The command `daily-proof`: what was promised of a day, and whether it was kept."""

import asyncio
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from server.clock import SystemClock
from server.daily.almanac import Almanac, Proof
from server.daily.calendar import BadDate, starts_ms
from server.daily.drawing import commitment_of, deal_of
from server.daily.keys import NewerKey, find_key
from server.daily.naming import Daily
from server.deals.certified import VERSION, is_certified
from server.freecell.code import deal_code
from server.store.base import CannotOpen, Unavailable
from server.store.opening import open_store
from server.tools import Output, ToolError

_HEX: Final = re.compile(r"[0-9a-f]{64}")
_DEFAULT_STORE: Final = "sqlite:cellrace.sqlite"


def prove(day: str, cells: int, value: str, commitment: str | None) -> Output:
    """Check a value that was told, against a commitment if there is one.

    Raises:
        ToolError: one of them cannot be.
    """
    daily = Daily(_day(day), cells)
    secret = bytes.fromhex(_hex("--value", value))
    found = commitment_of(daily, secret)
    lines = _told(Proof(daily, found, secret))
    if commitment is None:
        return Output("\n".join([*lines, "compare the commitment with the one that was told before"]))
    if (promised := _hex("--commitment", commitment)) != found:
        return Output("\n".join([*lines, f"NOT what was committed to: {promised}"]), 1)
    return Output("\n".join([*lines, "kept: this value was committed to, and it draws this deal"]))


def prove_from_store(url: str | None, day: str, cells: Sequence[int]) -> Output:
    """Tell what a store's key makes of a day.

    Raises:
        ToolError: there is no such store, or no such day in it.
    """
    day = _day(day)
    url = url or os.environ.get("CELLRACE_STORE") or _DEFAULT_STORE
    kind, _, path = url.partition(":")
    if kind == "sqlite" and path and not Path(path).exists():
        raise ToolError(f"there is no store {path}")
    found = asyncio.run(_proofs(url, day, cells))
    told = "\n\n".join("\n".join(_told(proof)) for proof in found)
    return Output(told, 0 if all(proof.value is not None for proof in found) else 1)


async def _proofs(url: str, day: str, cells: Sequence[int]) -> list[Proof]:
    try:
        store = await open_store(url, SystemClock())
    except CannotOpen as error:
        raise ToolError(str(error)) from None
    try:
        # Looked for and not made: asking is not to change anything.
        if await find_key(store) is None:
            raise ToolError("this store has no deals of the day yet")
        almanac = Almanac(store)
        return [await almanac.proof(Daily(day, number)) for number in cells]
    except (NewerKey, Unavailable) as error:
        raise ToolError(str(error)) from None
    finally:
        await store.close()


def _told(proof: Proof) -> list[str]:
    daily = proof.daily
    lines = [
        f"day         {daily.day}, {daily.cells} free cells, table {VERSION}",
        f"commitment  {proof.commitment}",
    ]
    if proof.value is None:
        return [*lines, "value       not told before the day is closed, an hour after its end"]
    deal = deal_of(proof.value, daily.cells)
    known = "certified" if is_certified(deal, daily.cells) else "NOT certified"
    return [
        *lines,
        f"value       {proof.value.hex()}",
        f"deal        {deal} ({deal_code(deal, daily.cells)}), {known}",
    ]


def _day(text: str) -> str:
    try:
        starts_ms(text)
    except BadDate as error:
        raise ToolError(str(error)) from None
    return text


def _hex(name: str, text: str) -> str:
    digits = text.strip().lower()
    if not _HEX.fullmatch(digits):
        raise ToolError(f"{name} is 64 hexadecimal digits")
    return digits
