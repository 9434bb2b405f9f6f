"""An append as it was asked for, on its way through a store."""

from dataclasses import dataclass

from server.store.base import KEEP, Tip, Wake


@dataclass(frozen=True, slots=True)
class AppendCall:
    """The arguments of an append; see `Store.append`."""

    log_id: str
    after: Tip
    events: tuple[bytes, ...]
    tag: bytes
    not_before: int | None = None
    not_after: int | None = None
    wake: Wake = KEEP
    unprojected: bool = False
