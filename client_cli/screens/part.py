"""Which part of a list is shown where not all of it fits: one's own entry always is. Pure."""

from collections.abc import Callable
from typing import NamedTuple

Pick = Callable[[int, int, int | None], list[int]]
"""How many there are, how many fit, and one's own place: the places that are shown."""


class Part(NamedTuple):
    """A part of a list.

    Attributes:
        places: what is shown, from above.
        first: how far it is scrolled, kept within the list.
    """

    places: list[int]
    first: int


def part_of(count: int, room: int, own: int | None, first: int = 0) -> Part:
    """The part of a list that begins at its entry `first`, or as near to it as fills the room.

    Args:
        count: how many entries there are.
        room: how many fit; at least one is shown.
        own: the place of one's own entry. Where it is further up or down, it takes the first or last row.
        first: how far the list is scrolled.
    """
    room = max(1, room)
    limit = max(0, count - room)
    if own is not None and own < limit and room > 1:
        limit += 1  # at the end of the list one's own entry takes the row of another
    first = max(0, min(first, limit))
    places = list(range(first, min(count, first + room)))
    if own is None or own in places:
        return Part(places, first)
    return Part([own, *places[: room - 1]] if own < first else [*places[:-1], own], first)


def from_the_top(count: int, room: int, own: int | None) -> list[int]:
    """The part of a list that is not scrolled."""
    return part_of(count, room, own).places
