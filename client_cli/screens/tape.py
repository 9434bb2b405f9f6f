"""Replays as a tape: what one or two racers did, and when. Pure; the clock is passed in."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from client_cli.playback import Frame, frames, joined
from protocol.events import Replayed
from protocol.views import Board

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
_NO_ACTION: Final = frozenset({"undo", "redo"})


@dataclass(frozen=True, slots=True)
class Film:
    """All that one racer did.

    Attributes:
        player: who.
        name: his name.
        layout: the board as dealt.
        frames: each step with the boards around it.
        times: when each step was, in order; several may be at one time.
    """

    player: str
    name: str
    layout: Board
    frames: tuple[Frame, ...]
    times: tuple[int, ...]

    @property
    def end_ms(self) -> int:
        """When the last step was."""
        return self.times[-1] if self.times else 0

    def shown_at(self, ms: int) -> int:
        """How many steps were done at that time; at the very start none, as the deal is to be seen then."""
        return bisect_right(self.times, ms) if ms > 0 else 0

    def board(self, shown: int) -> Board:
        """The board after so many steps."""
        return self.frames[shown - 1].after if shown else self.layout

    def actions(self, shown: int) -> int:
        """Actions among so many steps: undos and redos are none."""
        return sum(frame.step.what not in _NO_ACTION for frame in self.frames[:shown])


def film_of(pages: Sequence[Replayed]) -> Film:
    """The film of all pages of a replay.

    Raises:
        Hole: the steps do not fit the deal.
    """
    first, steps = pages[0], joined(list(pages))
    shown = tuple(frames(first.layout, steps))
    return Film(first.player, first.name, first.layout, shown, tuple(step.ms for step in steps))


@dataclass(frozen=True, slots=True)
class Tape:
    """Films beside each other, at one time of the race.

    Attributes:
        films: one, or two.
        focus: the film whose steps are counted.
        ms: the time of the race.
        shown: steps of the film in focus that are done; of several at one time perhaps not all.
        speed: how many times faster than the race it runs.
        since_ms: our clock when it began to run from `ms`; None while it stands.
    """

    films: tuple[Film, ...] = ()
    focus: int = 0
    ms: int = 0
    shown: int = 0
    speed: float = 1.0
    since_ms: int | None = None

    @property
    def end_ms(self) -> int:
        """The time of the last step of all."""
        return max((film.end_ms for film in self.films), default=0)

    @property
    def is_playing(self) -> bool:
        """Whether it runs."""
        return self.since_ms is not None

    def steps_of(self, place: int) -> int:
        """How many steps of a film are done."""
        return self.shown if place == self.focus else self.films[place].shown_at(self.ms)

    def at(self, now_ms: int) -> "Tape":
        """The tape as it is by now; at its end it stands."""
        if self.since_ms is None:
            return self
        ms = self.ms + int((now_ms - self.since_ms) * self.speed)
        if ms >= self.end_ms:
            return replace(_moved(self, self.end_ms), shown=self._last, since_ms=None)
        return self if ms == self.ms else replace(_moved(self, ms), since_ms=now_ms)

    @property
    def _last(self) -> int:
        return len(self.films[self.focus].times) if self.films else 0

    # What can be done with it.

    def toggled(self, now_ms: int) -> "Tape":
        """Run, or stand; at its end it runs from the beginning."""
        tape = self.at(now_ms)
        if tape.is_playing:
            return replace(tape, since_ms=None)
        if tape.ms >= tape.end_ms:
            tape = _moved(tape, 0)
        return replace(tape, since_ms=now_ms)

    def stepped(self, by: int, now_ms: int) -> "Tape":
        """So many steps of the film in focus on, or back; it stands then."""
        tape = replace(self.at(now_ms), since_ms=None)
        if not tape.films:
            return tape
        film = tape.films[tape.focus]
        shown = max(0, min(len(film.times), tape.shown + by))
        return replace(tape, shown=shown, ms=film.times[shown - 1] if shown else 0)

    def sought(self, ms: int, now_ms: int) -> "Tape":
        """To another time; it runs on if it ran."""
        tape = _moved(self.at(now_ms), max(0, min(ms, self.end_ms)))
        return replace(tape, since_ms=None if tape.since_ms is None else now_ms)

    def faster(self, by: int, now_ms: int) -> "Tape":
        """So many speeds faster, or slower."""
        place = max(0, min(len(SPEEDS) - 1, SPEEDS.index(self.speed) + by))
        return replace(self.at(now_ms), speed=SPEEDS[place])

    def showing(self, films: Sequence[Film], focus: int, now_ms: int) -> "Tape":
        """Other films at the same time."""
        tape = replace(self.at(now_ms), films=tuple(films), focus=focus)
        return _moved(tape, min(tape.ms, tape.end_ms))


def _moved(tape: Tape, ms: int) -> Tape:
    """The tape at another time."""
    shown = tape.films[tape.focus].shown_at(ms) if tape.films else 0
    return replace(tape, ms=ms, shown=shown)
