"""Who is who: tokens, and the players' own logs."""

import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from server import player_log
from server.freecell.wording import say
from server.player_log import MAX_OPEN_RACES, Closed, Entered, Event, Player, Registered
from server.race.decision import Refusal
from server.race.state import PlayerId, RaceCode
from server.store.base import PAGE, START, Appended, Damaged, Store, Stored, Tip, new_tag

SECRET_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Identity:
    """A player as known on one connection; `token` only if he is new."""

    player: PlayerId
    secret_hash: str
    name: str
    token: str | None = None


def newcomer(name: str) -> Identity:
    """A new player. Nothing is stored until he creates or joins something."""
    secret = player_log.secret_from(secrets.token_bytes(SECRET_BYTES))
    player = player_log.player_of(secret)
    return Identity(player, player_log.hash_of(secret), name, f"{player}.{secret}")


def bearer(token: str, name: str) -> Identity | None:
    """The player a token belongs to; None if its two halves do not belong together."""
    player, _, secret = token.partition(".")
    if not hmac.compare_digest(player_log.player_of(secret), player):
        return None
    return Identity(PlayerId(player), player_log.hash_of(secret), name)


class Players:
    """The logs of players in a store.

    Whatever is asked for, `player_log.BrokenLog` says that what is kept of the player cannot be read.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open_races(self, player: PlayerId) -> tuple[RaceCode, ...]:
        """The races he has a part in that are not known to be over."""
        folded, _ = await self._fold(player)
        return folded.open_races

    async def enter(self, identity: Identity, race: RaceCode) -> Refusal | None:
        """Write down that he has a part in a race, before he takes it. Doing it twice is harmless."""
        while True:
            folded, tip = await self._fold(identity.player)
            if race in folded.open_races:
                return None
            if len(folded.open_races) >= MAX_OPEN_RACES:
                text = "you have a part in {most} races; finish one first"
                return Refusal("too_many", say(text, most=MAX_OPEN_RACES))
            events: list[Event] = [] if folded.exists else [Registered(identity.secret_hash, identity.name)]
            if await self._append(identity.player, tip, [*events, Entered(race)]):
                return None

    async def close(self, player: PlayerId, race: RaceCode) -> None:
        """Write down that one of his races is over. A conflict means that somebody else does."""
        folded, tip = await self._fold(player)
        if race in folded.open_races:
            await self._append(player, tip, [Closed(race)])

    async def _append(self, player: PlayerId, tip: Tip, events: list[Event]) -> bool:
        rows = [player_log.write(event) for event in events]
        outcome = await self._store.append(_log_of(player), tip, rows, tag=new_tag())
        return isinstance(outcome, Appended)

    async def _fold(self, player: PlayerId) -> tuple[Player, Tip]:
        rows: list[Stored] = []
        try:
            while page := await self._store.read(_log_of(player), len(rows), PAGE):
                rows += page
                if len(page) < PAGE:
                    break
        except Damaged as error:
            raise player_log.BrokenLog(error.detail) from error
        tip = Tip(rows[-1].seq, rows[-1].tag) if rows else START
        return player_log.fold(rows), tip


def _log_of(player: PlayerId) -> str:
    return f"player:{player}"
