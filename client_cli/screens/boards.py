"""The leaderboards of a day or a month."""

from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from client_cli.connection import Heard
from client_cli.daily_words import cells_text, ghost_text
from client_cli.language import tr, trn
from client_cli.screens.answers import Day
from client_cli.screens.canvas import Span
from client_cli.screens.daily_view import board_rows, by_text, first_shown
from client_cli.screens.desk_room import DeskRoom
from client_cli.screens.key_texts import button
from client_cli.screens.keys import Where, bindings
from client_cli.screens.panel_view import Line
from client_cli.screens.widgets import Buttons, Lines
from client_cli.session import Session
from protocol.commands import BoardBy, Watch
from protocol.events import Ranked, Ranks

BYS: Final[tuple[BoardBy, ...]] = ("time", "actions", "no-undo", "no-hints")


class BoardLines(Lines):
    """The lines of a board; a click puts the cursor on one."""

    async def on_click(self, event: events.Click) -> None:
        """On this one."""
        event.stop()
        if event.y:
            await self.run_action(f"screen.click_on({event.y - 1})")


class BoardsScreen(DeskRoom):
    """One board, and a cursor on it."""

    where: ClassVar[Where] = "boards"
    BINDINGS = bindings("boards")

    def __init__(self) -> None:
        super().__init__()
        self._cursor = 0

    def body(self) -> ComposeResult:
        """Title, the board, buttons."""
        with Horizontal(id="top"):
            yield Static(id="what", markup=False)
            yield Static(id="clock", markup=False)
        yield Static(id="kinds", markup=False)
        with Vertical(id="middle"):
            yield BoardLines(self._rows, self.race_app.style_of, id="board-lines")
        yield Buttons(
            button("boards", "replay"),
            button("boards", "ghost"),
            button("boards", "month"),
            button("boards", "cells"),
            button("boards", "back"),
        )

    async def ask(self) -> None:
        """About the board that is shown."""
        await self.desk.ask_board()

    # What is shown.

    def told(self, heard: Heard | None) -> None:
        """Draw the board."""
        del heard
        desk = self.desk
        board = desk.shown_board
        title = tr("Leaderboard of {period}, {cells}")
        what = title.format(period=desk.period, cells=cells_text(desk.cells)) if desk.period else ""
        self.query_one("#what", Static).update(what)
        count = trn("{n} result", "{n} results", board.of) if board else ""
        self.query_one("#clock", Static).update(count)
        marked = (
            f"[{number} {by_text(by)}]" if by == desk.by else f" {number} {by_text(by)} "
            for number, by in enumerate(BYS, 1)
        )
        self.query_one("#kinds", Static).update(" ".join(marked))
        self.query_one(BoardLines).update()

    def _rows(self, width: int, height: int) -> list[Line]:
        board = self.desk.shown_board
        if board is None:
            return [[Span(tr("asking the server ..."), "label")]]
        if not board.lines:
            return [[Span(tr("nobody is on this board yet"), "label")]]
        look, player = self.race_app.look, self.desk.player
        own = self._own_below(board)
        rows = height - 2 if own else height
        lines = board_rows(board, look, width, rows, cursor=self._cursor, player=player)
        if own is not None:
            alone = board_rows(own, look, width, 2, cursor=-1, player=player)
            lines = [*lines, [Span("...", "label")], alone[1]]
        return lines

    def _own_below(self, board: Ranks) -> Ranks | None:
        """One's own line, where it stands so far down that it is not known yet."""
        if board.mine is None or any(line.player == board.mine.player for line in board.lines):
            return None
        return Ranks(0, board.period, board.cells, board.by, 1, lines=(board.mine,))

    @property
    def _line(self) -> Ranked | None:
        """The line under the cursor."""
        board = self.desk.shown_board
        lines = board.lines if board else ()
        return lines[self._cursor] if self._cursor < len(lines) else None

    # Where one looks.

    def offers(self, action: str) -> bool:
        """Only of a line there is a replay, and a ghost."""
        return action not in {"replay", "ghost"} or self._line is not None

    async def action_sort(self, key: str) -> None:
        """Another kind of board."""
        self.desk.by = BYS[int(key) - 1]
        await self._look_elsewhere()

    async def action_cells(self) -> None:
        """The other deal of the day."""
        self.desk.cells = 2 if self.desk.cells == 4 else 4
        await self._look_elsewhere()

    async def action_month(self) -> None:
        """The month of the day; back to the day one came from, or the newest of the month."""
        desk = self.desk
        if len(desk.period) > len("2026-11"):
            desk.period = desk.period[:7]
        else:
            days = [day for day in (desk.day, desk.answers.today) if day.startswith(desk.period)]
            desk.period = days[0] if days else max(desk.since, f"{desk.period}-01")
        await self._look_elsewhere()

    async def action_turn(self, key: str) -> None:
        """The day or month before or after."""
        before = self.desk.period
        self.desk.turn_board(-1 if key == "left" else 1)
        if self.desk.period != before:
            await self._look_elsewhere()

    async def _look_elsewhere(self) -> None:
        self._cursor = 0
        self.say("")
        self.hear(None)
        await self.ask()

    async def action_scroll(self, key: str) -> None:
        """The cursor; near the end of what is known, more is asked for."""
        page = max(1, self.query_one(BoardLines).size.height - 2)
        by = {"up": -1, "down": 1, "pageup": -page, "pagedown": page}[key]
        await self._put_cursor(self._cursor + by)

    async def action_click_on(self, row: int) -> None:
        """The cursor to where was clicked; a second time shows the replay."""
        board = self.desk.shown_board
        if board is None:
            return
        room = max(1, self.query_one(BoardLines).size.height - (3 if self._own_below(board) else 1))
        place = first_shown(len(board.lines), room, self._cursor) + row
        if place == self._cursor:
            await self.action_replay()
        else:
            await self._put_cursor(place)

    async def _put_cursor(self, place: int) -> None:
        board = self.desk.shown_board
        if board is None or not board.lines:
            return
        self._cursor = max(0, min(place, len(board.lines) - 1))
        self.hear(None)
        if board.more and self._cursor >= len(board.lines) - 10:
            await self.desk.ask_board(more=True)

    # What can be done with a line.

    async def action_replay(self) -> None:
        """What whoever stands there did; closed before one has played oneself."""
        line = self._line
        if line is None:
            return
        if why := why_closed(line, self.desk.answers.days.get((line.day, self.desk.cells)), self.desk.player):
            self.say(why)
            return
        await self.race_app.daily.enter(Session(Watch(line.race)), replay_of=line.name)

    async def action_ghost(self) -> None:
        """Race against it: back to its day, where one begins."""
        line = self._line
        if line is None:
            return
        self.desk.opponent, self.desk.day = line, line.day
        day = self.desk.answers.days.get((line.day, self.desk.cells))
        has_ranked = line.day == self.desk.answers.today if day is None else day.is_to_play
        self.race_app.complain(ghost_text(line.name, has_ranked=has_ranked))
        await self.action_back()

    async def action_back(self) -> None:
        """Back to the day."""
        await self.race_app.daily.open_day()


def why_closed(line: Ranked, day: Day | None, player: str) -> str:
    """Why the replay of a line is not shown; nothing where it is, or where only the server knows."""
    if day is None or day.is_open or line.player == player:
        return ""
    if day.told.mine is not None:
        return tr("your own ranked attempt still runs; replays of this deal open when it is over")
    return tr(
        "play your own ranked attempt first; replays of this deal are open then, or once the day is over"
    )
