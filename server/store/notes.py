"""Who hears what is announced about which log, on this node."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

OnNote: TypeAlias = Callable[[bytes], None]


class Notes:
    """The hearers of one store. `first` and `last` are called when a log gets its first or loses its last."""

    def __init__(
        self, first: Callable[[str], None] = lambda _: None, last: Callable[[str], None] = lambda _: None
    ) -> None:
        self._first = first
        self._last = last
        self._loop = asyncio.get_running_loop()
        self._hearers: dict[str, dict[object, OnNote]] = {}

    def add(self, log_id: str, on_note: OnNote) -> Callable[[], None]:
        """Tell `on_note` what is announced; the result ends that, and twice does no harm."""
        hearers = self._hearers.setdefault(log_id, {})
        if not hearers:
            self._first(log_id)
        key = object()
        hearers[key] = on_note

        def end() -> None:
            if hearers.pop(key, None) is not None and not hearers:
                del self._hearers[log_id]
                self._last(log_id)

        return end

    def tell(self, log_id: str, note: bytes) -> None:
        """Something was announced about this log."""
        for on_note in tuple(self._hearers.get(log_id, {}).values()):
            try:
                on_note(note)
            except Exception as error:  # noqa: BLE001 - one hearer's fault is not the others'
                context = {"message": f"a hearer of {log_id} failed", "exception": error}
                self._loop.call_exception_handler(context)
