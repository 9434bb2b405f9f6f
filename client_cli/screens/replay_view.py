"""A replay as text: where it stands on its way, and what the last step was. Pure."""

from typing import Final

from rich.cells import cell_len

from client_cli.language import mark, tr
from client_cli.screens.canvas import Span
from client_cli.screens.look import Look
from client_cli.screens.tape import Film, Tape
from client_cli.screens.wall_view import Pane
from client_cli.standings import clock_text, time_text
from client_cli.text_width import cut

_WORDS: Final = {
    "undo": mark("undo"),
    "redo": mark("redo"),
    "restart": mark("restart"),
    "auto_finish": mark("finish"),
}


def pane_of(film: Film, shown: int, letter: str, note: str) -> Pane:
    """A film's board after so many steps; what the last of them was about is marked.

    Args:
        film: what one racer did.
        shown: after how many steps.
        letter: what stands before his name.
        note: what stands behind it.
    """
    board = film.board(shown)
    moves = film.frames[shown - 1].step.moves if shown else ()
    marked = frozenset(pile for source, dest, _ in moves for pile in (source, dest))
    state = tr("step {n} of {all}").format(n=shown, all=len(film.times))
    return Pane(
        f"{letter} {film.name}{note}".strip(), state, board, sum(board.home), film.actions(shown), marked
    )


def timeline(tape: Tape, look: Look, width: int) -> list[Span]:
    """How much of the race is over, the time, and how fast it runs."""
    state = tr("playing") if tape.is_playing else tr("paused")
    figures = f" {clock_text(tape.ms)} / {clock_text(tape.end_ms)}  x{tape.speed:g}  {state}"
    room = max(1, width - cell_len(figures))
    full = round(tape.ms * room / tape.end_ms) if tape.end_ms else 0
    return [
        Span(look.signs.full * full + look.signs.empty * (room - full), "bar"),
        Span(figures, "own"),
    ]


def bar_width(tape: Tape, look: Look, width: int) -> int:
    """Cells of the bar in the line of the time."""
    return len(timeline(tape, look, width)[0].text)


def step_text(tape: Tape, width: int) -> str:
    """What the racer in focus did last."""
    film = tape.films[tape.focus]
    if not tape.shown:
        return cut(tr("{name}: the deal").format(name=film.name), width).text
    step = film.frames[tape.shown - 1].step
    word = _WORDS.get(step.what)
    said = " ".join([*([tr(word)] if word else []), *step.notation])
    return cut(f"{film.name}: {time_text(step.ms)}  {said}", width).text
