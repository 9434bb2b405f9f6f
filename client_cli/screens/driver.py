"""How the full screen uses the terminal, where Textual's own way leaves something to be desired.

It draws on standard output, not on standard error, which people send elsewhere. A byte that is no UTF-8 is an
unknown key, not the end of the program. A terminal that has gone ends the program. And whoever is woken (by
`fg`, or by a plain SIGCONT) takes the terminal over anew, whatever has become of it meanwhile, but remembers
how it was in the beginning. While nothing is typed, nobody looks whether something is: to be woken ten times
a second for that cost more than all else that an idle screen does.
"""

import os
import selectors
import sys
from codecs import getincrementaldecoder
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

if TYPE_CHECKING:
    from textual.app import App

_LOOK_S = 0.1
"""How often to look whether what was typed is a whole key: Esc alone, or the beginning of another."""
_SETTLED_S = 1.0
"""For so long after something was typed."""
_CHUNK = 4096


class Sheet:
    """Standard output, for as long as there is somebody to see it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._is_there = True

    def write(self, text: str) -> int:
        """Write; what cannot be written any more is let go."""
        if self._is_there:
            try:
                return self._out.write(text)
            except OSError:
                self._is_there = False
        return len(text)

    def flush(self) -> None:
        """Show what was written."""
        if self._is_there:
            try:
                self._out.flush()
            except OSError:
                self._is_there = False

    def fileno(self) -> int:
        """The terminal's descriptor."""
        return self._out.fileno()


class Ending(Event):
    """That there is to be no more input. A selector sees it as a file, and so it ends waiting for some."""

    def __init__(self) -> None:
        super().__init__()
        self._hears, self._tells = os.pipe()
        os.set_blocking(self._hears, False)

    def fileno(self) -> int:
        """Something can be read here while it is so."""
        return self._hears

    def set(self) -> None:
        """It is so."""
        super().set()
        os.write(self._tells, b"\0")

    def clear(self) -> None:
        """It is so no longer."""
        super().clear()
        with suppress(BlockingIOError):
            os.read(self._hears, _CHUNK)


class TerminalDriver(LinuxDriver):
    """The terminal of a Unix system."""

    def __init__(
        self, app: "App[Any]", *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        assert sys.__stdout__ is not None  # without it there is no full screen
        self._file: Any = Sheet(sys.__stdout__)  # as much of a file as its writer needs
        self._draws = False
        self.exit_event: Ending = Ending()

    def start_application_mode(self) -> None:
        """Take the terminal over."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual leaves it without types
        # In the background it may not, and has done nothing.
        self._draws = self._writer_thread is not None and self._writer_thread.is_alive()

    def stop_application_mode(self) -> None:
        """Give it back."""
        self._draws = False
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """Hand on what is typed, until there is to be no more."""
        decoder = getincrementaldecoder("utf-8")(errors="replace")
        parser = XTermParser(self._debug)
        typed_s = monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self.exit_event, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                is_settled = monotonic() - typed_s > _SETTLED_S
                ready = selector.select(None if is_settled else _LOOK_S)
                if any(key.fd == self.fileno for key, _ in ready):
                    typed_s = monotonic()
                    data = self._read()
                    if not data:
                        self._app.call_later(self._app.exit)
                        return
                    for message in parser.feed(decoder.decode(data)):
                        self.process_message(message)
                for message in parser.tick():
                    self.process_message(message)

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, _CHUNK)
        except OSError:  # how a terminal says that it has gone
            return b""

    def _sigcont_application(self, *_: object) -> None:
        if self._must_signal_resume:
            super()._sigcont_application()
        else:
            # Not here: what the signal interrupts may be writing.
            self._loop.call_soon_threadsafe(self._take_over_anew)

    def _take_over_anew(self) -> None:
        """Whoever stopped us without a word may have let others at the terminal."""
        if self._draws:
            self.suspend_application_mode()
            self._must_signal_resume = True
            self.resume_application_mode()
