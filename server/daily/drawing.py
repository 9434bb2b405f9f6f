"""Which deal a daily is: drawn so that all nodes agree, nobody can know tomorrow's, and anybody can check it.

A daily's value is the HMAC of a key that never leaves the server. It draws the deal from those certified for
the number of cells. Its commitment can be published long before, as the value cannot be found from it; once
the day is closed the value is told, and both can be checked. From one day's value nothing follows for
another's.
"""

import hashlib
import hmac
from typing import Final

from server.daily.naming import Daily
from server.deals.certified import VERSION, draw

KEY_BYTES: Final = 32
COMMITTED_DAYS: Final = 30
"""For how many days ahead commitments are published."""


def value_of(key: bytes, daily: Daily) -> bytes:
    """The secret of a daily: HMAC-SHA-256 of `2026-11-30:4` under the server's key."""
    return hmac.digest(key, str(daily).encode("ascii"), "sha256")


def deal_of(value: bytes, cells: int) -> int:
    """The deal that a value draws: a certified one for so many cells."""
    return draw(cells, int.from_bytes(value, "big"))


def commitment_of(daily: Daily, value: bytes, version: int = VERSION) -> str:
    """SHA-256, in hex, of `2026-11-30:4:1:VALUE`: the daily, the version of the table, the value in hex."""
    return hashlib.sha256(f"{daily}:{version}:{value.hex()}".encode("ascii")).hexdigest()
