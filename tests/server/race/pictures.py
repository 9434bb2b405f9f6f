"""What a client makes of what a race's views let out: the way over the wire and back."""

from collections.abc import Iterable

from protocol import codec
from protocol.picture import apply, start
from protocol.views import Picture
from server.gateway import wire
from server.race.state import Race
from server.race.views import Change, View, update
from tests.server.race.races import Table


def picture_of(race: Race, view: View) -> Picture:
    """The picture a client makes of a snapshot, all pages of it."""
    following = None
    for page in wire.snapshot(race, "watch", view, "", None):
        following = start(page, following)
    assert following is not None
    assert following.pages_left == 0
    return following.picture


def changed(picture: Picture, changes: Iterable[Change]) -> Picture:
    """The picture a client makes of another and of changes to it."""
    for change in changes:
        picture = apply(picture, wire.change(change))
    return picture


def shown(race: Race, view: View) -> str:
    """All the text that a snapshot of this view sends out."""
    return "".join(codec.encode(page).decode() for page in wire.snapshot(race, "watch", view, "", None))


def changes_between(table: Table, first: int, last: int, view: View) -> list[Change]:
    """The changes that the events after `first` up to `last` make, one event after another."""
    return [
        change
        for seq in range(first + 1, last + 1)
        for change in update(table.states[seq - 2], table.log[seq - 1], table.states[seq - 1], view)
    ]
