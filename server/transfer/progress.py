"""How far a long piece of work is, told now and then."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

EVERY_S: Final = 2.0


@dataclass(slots=True)
class Progress:
    """Counts logs and events, and says so every two seconds.

    Attributes:
        doing: what is being done to them, as in "exported".
        say: takes a line.
        now_s: a clock that never runs backwards.
    """

    doing: str
    say: Callable[[str], object]
    now_s: Callable[[], float]
    logs: int = 0
    events: int = 0
    results: int = 0
    said_s: float = 0.0

    def __post_init__(self) -> None:
        self.said_s = self.now_s()

    def did(self, events: int) -> None:
        """One more log is done."""
        self.logs += 1
        self.events += events
        self._say_now_and_then()

    def did_results(self, results: int) -> None:
        """So many more rows of results are done."""
        self.results += results
        self._say_now_and_then()

    def _say_now_and_then(self) -> None:
        if self.now_s() - self.said_s >= EVERY_S:
            self.said_s = self.now_s()
            self.say(f"{self} so far")

    def __str__(self) -> str:
        results = f", {self.results} results" if self.results else ""
        return f"{self.doing} {self.logs} logs, {self.events} events{results}"
