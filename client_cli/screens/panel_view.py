"""The panel beside a board: who is how far, as lines of text. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from client_cli.ghosts import Ghost
from client_cli.language import trn
from client_cli.screens.canvas import Span
from client_cli.screens.chart_view import GHOST
from client_cli.screens.look import Look
from client_cli.screens.part import Pick, from_the_top
from client_cli.screens.racer_rows import ghost_rows, measure_of, racer_rows
from client_cli.session import Session
from client_cli.standings import in_order
from client_cli.text_width import cut
from client_cli.wrapping import wrapped
from protocol.views import Racer

Line = list[Span]

CHAT_LINES: Final = 4
_NO_LETTERS: Final[Mapping[str, str]] = {}


def panel_lines(
    session: Session,
    look: Look,
    width: int,
    height: int,
    letters: Mapping[str, str] = _NO_LETTERS,
    ghost: tuple[Ghost, int] | None = None,
    pick: Pick = from_the_top,
) -> list[Line]:
    """The racers in order of the standings; a ghost; then who watches, and the last of the chat.

    Args:
        session: who races.
        look: how it looks.
        width: cells there are.
        height: rows there are.
        letters: what stands before the names, by player id.
        ghost: one that is raced against, and the race's clock.
        pick: which racers are shown where there is no room for all.
    """
    racers = in_order(_with_own_board(session))
    own = next((place for place, racer in enumerate(racers) if racer.player == session.player), None)
    measure = measure_of(racers, width, height, ghost)
    shown: Sequence[int] = range(len(racers))
    room = height - (measure.rows if ghost else 0) - 1
    if measure.rows * len(racers) > room:
        shown = pick(len(racers), (room - 1) // measure.rows, own)
    lines: list[Line] = []
    for place in shown:
        letter = letters.get(racers[place].player, "")
        lines += racer_rows(racers[place], session, look, width, measure, letter)
    if len(shown) < len(racers):
        lines.append([Span(cut(more_text(len(racers) - len(shown)), width).text, "label")])
    if ghost is not None:
        lines += ghost_rows(*ghost, look, width, measure, GHOST if letters else "")
    if session.watchers:
        lines.append([Span(trn("one is watching", "{n} are watching", session.watchers), "label")])
    return [*lines, *chat_lines(session, width, height - len(lines) - 1)]


def more_text(left: int) -> str:
    """That so many of a list are not seen, and how to see them."""
    return trn("and one more: Page Down", "and {n} more: Page Down", left)


def _with_own_board(session: Session) -> tuple[Racer, ...]:
    """All seats; one's own as far as one's board is: the answer to a move tells that before the race does."""
    board, me = session.board, session.me
    if board is None or me is None or not session.is_racing:
        return session.racers
    own = replace(me, home=sum(board.home), actions=board.actions)
    return tuple(own if racer is me else racer for racer in session.racers)


def chat_lines(session: Session, width: int, height: int) -> list[Line]:
    """The newest lines of the chat, below an empty one: as many as there is room for, and each whole."""
    chat = session.picture.chat[-max(0, height) :] if session.picture and height > 0 else ()
    rows: list[str] = []
    for line in reversed(chat):
        said = wrapped(f"{line.name}: {line.text}", width).split("\n")
        if rows and len(said) + len(rows) > height:
            break
        rows = [*said, *rows]
    lines = [[Span(cut(row, width).text, "text")] for row in rows[-height:]]
    return [[Span("", "text")], *lines] if lines else []
