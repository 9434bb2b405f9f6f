"""What the store asks of a Redis client, and how that can fail. `opening` knows which there are.

A driver holds the connections, replaces those that fail, loads scripts that Redis has forgotten, and knows
where a key lives. It never runs a script twice by itself once it may have run: what to do about an unknown
outcome is the store's business.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from server.store.redis.scripts import Script

OnMessage: TypeAlias = Callable[[bytes, bytes], None]
"""Told of a message: channel, message."""

OnHearing: TypeAlias = Callable[[Sequence[bytes]], None]
"""Told of channels that are heard from now on, and may have been deaf before."""


class DriverError(Exception):
    """A script did not bring a result. The text is for the operator; it holds no secret."""


class Away(DriverError):
    """Redis cannot be reached. The script was not sent: no effect."""


class Refused(DriverError):
    """Redis answered with an error, which is the text. No effect."""


class Lost(DriverError):
    """The script was sent and no answer came. It may have run, and it may still run."""


class Driver(Protocol):
    """Runs scripts and listens to channels. It belongs to the event loop that it was opened on."""

    @property
    def is_one_place(self) -> bool:
        """Whether one script may touch any keys together; else only keys with the same hash tag."""
        ...

    async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> bytes:
        """Run a script once, after those that were handed over before for the same keys.

        Cancelling the caller does not take back a script that was handed over.

        Raises:
            DriverError: one of the three above.
        """
        ...

    async def run_everywhere(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]
    ) -> list[bytes]:
        """Run a script on every Redis that takes writes, each time with one of the keys that live there.

        Raises:
            DriverError: on one of them.
        """
        ...

    def listen(self, on_message: OnMessage, on_hearing: OnHearing) -> None:
        """Say who is told; once, before anything else. What these raise is a fault of ours."""
        ...

    def subscribe(self, channel: bytes) -> None:
        """Listen to a channel. `on_hearing` tells from when on, and again when some may have been missed."""
        ...

    def unsubscribe(self, channel: bytes) -> None:
        """Listen to it no more."""
        ...

    async def close(self) -> None:
        """Wait for the answers to what was handed over, then let go of all connections."""
        ...
