"""The panel beside a board: who is how far, as lines of text. Pure."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from client_cli.ghosts import Ghost, ghost_name, ghost_state
from client_cli.language import tr, trn
from client_cli.screens.canvas import Span
from client_cli.screens.look import Look
from client_cli.screens.names import fitted_name
from client_cli.session import Session
from client_cli.standings import CARDS, in_order, ordinal, time_text
from client_cli.text_width import cut
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
) -> list[Line]:
    """Two lines a racer, in order of the standings; a ghost; then who watches, and the last of the chat.

    Args:
        session: who races.
        look: how it looks.
        width: cells there are.
        height: rows there are.
        letters: what stands before the names, by player id.
        ghost: one that is raced against, and the race's clock.
    """
    racers = in_order(_with_own_board(session))
    leader = max((racer.home for racer in racers), default=0)
    lines: list[Line] = []
    room = height - (2 if ghost else 0)
    for place, racer in enumerate(racers):
        if len(lines) + 2 > room - 1 and place < len(racers):
            left = len(racers) - place
            lines.append([Span(trn("and one more", "and {n} more", left), "label")])
            break
        lines += _racer(racer, session, look, width, leader, letters.get(racer.player, ""))
    if ghost is not None:
        longest = max((len(_figures(racer, leader)) for racer in racers), default=0)
        lines += _ghost(*ghost, look, width, longest)
    if session.watchers:
        lines.append([Span(trn("one is watching", "{n} are watching", session.watchers), "label")])
    return [*lines, *chat_lines(session, width, height - len(lines) - 1)]


def _with_own_board(session: Session) -> tuple[Racer, ...]:
    """All seats; one's own as far as one's board is: the answer to a move tells that before the race does."""
    board, me = session.board, session.me
    if board is None or me is None or not session.is_racing:
        return session.racers
    own = replace(me, home=sum(board.home), actions=board.actions)
    return tuple(own if racer is me else racer for racer in session.racers)


def chat_lines(session: Session, width: int, height: int) -> list[Line]:
    """The newest lines of the chat, below an empty one."""
    chat = session.picture.chat if session.picture else ()
    shown = chat[-max(0, min(CHAT_LINES, height)) :] if height > 0 else ()
    lines = [[Span(cut(f"{line.name}: {line.text}", width).text, "text")] for line in shown]
    return [[Span("", "text")], *lines] if lines else []


def state_text(racer: Racer, session: Session) -> str:
    """What a racer is doing."""
    is_away = session.here is not None and racer.player not in session.here
    match racer.state:
        case "waiting" | "racing" if is_away:
            return tr("away")
        case "waiting" | "resigned" if racer.no_way:
            return tr("knows no way to win")
        case "waiting":
            return tr("ready") if racer.ready else tr("not ready")
        case "racing":
            return tr("racing")
        case "finished":
            time = time_text(racer.ended_ms) if racer.ended_ms is not None else ""
            return f"{ordinal_text(racer.rank)} {time}".strip() if racer.rank else tr("finished")
        case "resigned":
            return tr("resigned")
        case "out_of_time":
            return tr("out of time")


def ordinal_text(rank: int | None) -> str:
    """A rank: 1st, 2nd; 1.º, 2.º."""
    return tr("{ordinal}").format(ordinal=ordinal(rank), n=rank) if rank else ""


def bar(home: int, width: int, look: Look) -> str:
    """A bar that is full when all 52 cards are home."""
    full = home * width // CARDS
    return look.signs.full * full + look.signs.empty * (width - full)


def _ghost(ghost: Ghost, ms: int, look: Look, width: int, figures_width: int) -> list[Line]:
    home, state = ghost.home(ms), ghost_state(ghost, ms)
    name = cut(ghost_name(ghost), max(4, width - len(state) - 1))
    # Its bar is to be compared with those above it, so it is no longer than they are.
    figures = f" {home:2}/{CARDS}".ljust(figures_width)
    gap = " " * max(1, width - name.cells - len(state))
    return [
        [Span(name.text, "text"), Span(gap, "text"), Span(state, "label")],
        [Span(bar(home, min(max(6, width - len(figures)), 52), look), "label"), Span(figures, "text")],
    ]


def _racer(racer: Racer, session: Session, look: Look, width: int, leader: int, letter: str) -> list[Line]:
    state = state_text(racer, session)
    sign = f"{letter} " if letter else ""
    name = fitted_name(racer, session, max(4, width - len(state) - 1 - len(sign)))
    kind = "own" if racer.player == session.player else "text"
    figures = _figures(racer, leader)
    room = max(6, width - len(figures))
    return [
        [
            Span(f"{sign}{name.text}", kind),
            Span(" " * max(1, width - len(sign) - name.cells - len(state)), "text"),
            Span(state, "label"),
        ],
        [Span(bar(racer.home, min(room, 52), look), "bar"), Span(figures, "text")],
    ]


def _figures(racer: Racer, leader: int) -> str:
    """What stands after a racer's bar."""
    gap = f" -{leader - racer.home}" if racer.home < leader else ""
    return f" {racer.home:2}/{CARDS} {trn('{n} action', '{n} actions', racer.actions)}{gap}"
