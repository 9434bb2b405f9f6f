"""Lines as they were typed at a table, and which of them has its turn.

In a pipe each waits until all before it was answered. In a terminal only those wait that ask what became of
the moves before them, and moves typed behind these; all else passes them by: a server that does not answer
keeps nobody from leaving, or from reading the help.
"""

from collections import deque

from client_cli.lines import BoardDraft, Local, QuestionDraft, ReadOut, ReportOn, Unclear, Wish, read_line
from client_cli.session import Session
from client_cli.terminal import EndOfInput, Input, Typed
from protocol.commands import Leave, Rematch, Resign


class Turns:
    """What was typed and not acted upon.

    Args:
        is_interactive: whether it comes from a terminal.
        starts: whether a race of one's own starts by itself, so that no line is for its lobby.
    """

    def __init__(self, *, is_interactive: bool, starts: bool) -> None:
        self._is_interactive = is_interactive
        self._starts = starts
        self._new: deque[Input] = deque()
        self._waiting: deque[Input] = deque()
        self._last = self._new

    def add(self, line: Input) -> None:
        """A line was typed, or there will be no further one."""
        self._new.append(line)

    def next(self, session: Session, *, is_asked: bool) -> Input | None:
        """The line whose turn it is, which is then taken as acted upon; None as long as there is none.

        Args:
            session: as it is now.
            is_asked: whether the line that was taken last has led to a question, whose answer comes next.
        """
        if not self._is_interactive:
            return self._new.popleft() if self._new and self._is_settled(session, self._new[0]) else None
        if is_asked:
            return self._take(self._last or self._new)
        # Without a connection nobody knows for how long: what is known must do.
        is_current = session.is_up_to_date or not session.inside
        if self._waiting and (is_current or not _hangs(self._waiting[0])):
            return self._take(self._waiting)
        while self._new:
            if is_current or _passes(self._new[0], has_waiting=bool(self._waiting)):
                return self._take(self._new)
            self._waiting.append(self._new.popleft())
        return None

    def _take(self, lines: deque[Input]) -> Input | None:
        self._last = lines
        return lines.popleft() if lines else None

    def _is_settled(self, session: Session, line: Input) -> bool:
        """Whether all before this line was answered, and it means something by now."""
        if not session.is_settled:
            return False
        match session.phase:
            case "running" | "over":
                return True
            case "countdown":
                return False
            case _:
                return not self._starts and not _needs_cards(line)


def _wishes(line: Input) -> tuple[Wish, ...]:
    """What a line wishes, as far as that is clear."""
    wishes = read_line(line.text) if isinstance(line, Typed) else ()
    return () if isinstance(wishes, Unclear) else wishes


def _hangs(line: Input) -> bool:
    """Whether a line means something else once the moves before it were taken."""
    return any(map(_hangs_on_moves, _wishes(line)))


def _passes(line: Input, *, has_waiting: bool) -> bool:
    """Whether a line has its turn although moves are not answered, and perhaps others wait for that."""
    if not has_waiting or isinstance(line, EndOfInput):
        return not _hangs(line)
    wishes = _wishes(line)  # none, if it is the answer to what a waiting line will ask
    return bool(wishes) and not any(
        _hangs_on_moves(wish) or isinstance(wish, BoardDraft) or wish is Local.NOTHING for wish in wishes
    )


def _hangs_on_moves(wish: Wish) -> bool:
    """Whether a wish is about what became of the moves before it; moves themselves wait for each other."""
    match wish:
        case Local.BOARD | Local.BOARDS | Local.PROGRESS | ReadOut() | ReportOn():
            return True
        case _:
            return isinstance(wish, QuestionDraft | Resign | Leave | Rematch)


def _needs_cards(line: Input) -> bool:
    """Whether a line makes sense only on a board."""
    return any(isinstance(wish, BoardDraft | QuestionDraft | Resign) for wish in _wishes(line))
