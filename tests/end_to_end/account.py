"""The account at the end: what players were told, what they believe, and what the logs hold."""

from pathlib import Path
from typing import Final

from protocol import commands, events
from server.clock import SystemClock
from server.gateway import wire
from server.race import events as core
from server.race.events import Stamped
from server.race.state import PlayerId, Race
from server.race_log import read_all
from server.store.base import Store, Stored
from server.store.sqlite import open_sqlite
from tests.end_to_end.player import Player


async def read_races(store: Path) -> dict[str, list[Stamped]]:
    """The logs of all races, by code."""
    opened = await open_sqlite(store, SystemClock())
    logs = {code: read_all(rows) for code, rows in (await stored_races(opened)).items()}
    await opened.close()
    return logs


async def stored_races(store: Store) -> dict[str, list[Stored]]:
    """The logs of all races as they are stored, by code."""
    logs = {}
    for name in await store.list_logs("race:"):
        rows: list[Stored] = []
        while page := await store.read(name, len(rows)):
            rows += page
        logs[name.removeprefix("race:")] = rows
    return logs


KINDS: Final[dict[type[commands.Numbered], type[object]]] = {
    commands.Move: core.Moved,
    commands.Undo: core.Undone,
    commands.Redo: core.Redone,
    commands.Restart: core.Restarted,
    commands.Say: core.Said,
    commands.Start: core.CountdownBegun,
    commands.Leave: core.Left,
}


def check_effects(guest: Player, code: str, log: list[Stamped]) -> int:
    """All that was acknowledged is in the log exactly once; what else is there was sent, and is there once.

    Returns:
        How much is there of which the server that did it could not tell any more.
    """
    effects = effects_of(guest, code, log)
    acks = [event for event in guest.heard if isinstance(event, events.Ack) and event.race == code]
    for ack in acks:
        assert effects[ack.c].seq == ack.seq
    return len(effects) - len({ack.c for ack in acks if not ack.repeated})


def effects_of(guest: Player, code: str, log: list[Stamped]) -> dict[int, Stamped]:
    """What a player's commands have done, by their numbers: each was sent, and did what it says, and once."""
    effects: dict[int, Stamped] = {}
    for stamped in log:
        if getattr(stamped.event, "player", None) == guest.id and getattr(stamped.event, "c", 0):
            c = stamped.event.c  # type: ignore[union-attr]  # it has one
            assert c not in effects, f"{c} took effect twice"
            effects[c] = stamped
    chair = guest.chair(code)
    for c, stamped in effects.items():
        assert isinstance(stamped.event, KINDS[type(chair.sent[c])])
        if isinstance(stamped.event, core.Said):
            assert stamped.event.text == chair.sent[c].text  # type: ignore[attr-defined]  # it was a line
    return effects


def check_board(guest: Player, code: str, folded: Race) -> None:
    """The board that the client believes in is that of the log."""
    member = folded.members[PlayerId(guest.id)]
    chair = guest.chair(code)
    assert chair.n == member.n
    assert chair.board == wire.seat(folded, member, None).board
    assert guest.pictures[code, "seat"].to <= folded.seq
