"""How long to wait before trying to reach the server again."""

from collections.abc import Callable, Iterator
from typing import Final

FIRST_S: Final = 0.2
LONGEST_S: Final = 10.0


def growing_waits(random: Callable[[], float]) -> Iterator[float]:
    """Seconds: from 0.2 doubling to 10, each shortened by up to a half, so that not all come back at once.

    Args:
        random: numbers from 0 up to 1.
    """
    longest = FIRST_S
    while True:
        yield longest * (1 - random() / 2)
        longest = min(longest * 2, LONGEST_S)
