"""The deal of the day: one's own attempt, who leads, and what can be done about it."""

from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Grid, Horizontal
from textual.widgets import Static

from client_cli.connection import Heard
from client_cli.daily_words import begin_question, challenge_lines, ghost_text, share_line
from client_cli.hosting import ALONE
from client_cli.language import mark, tr
from client_cli.screens.answers import BOTH, Day
from client_cli.screens.daily_view import Deal, deal_lines
from client_cli.screens.daily_windows import ArchiveWindow, GhostWindow
from client_cli.screens.desk_room import DeskRoom
from client_cli.screens.dialogs import Question
from client_cli.screens.key_texts import button
from client_cli.screens.keys import Key, Where, bindings
from client_cli.screens.panel_view import Line
from client_cli.screens.widgets import Buttons, Lines
from client_cli.session import Session
from client_cli.standings import clock_text
from client_cli.style import Style
from client_cli.wiring import new_create_id
from protocol.commands import Attempt, Create, DailyCells, Settings
from protocol.events import Ranked


class DealPane(Lines):
    """One of the two deals; a click chooses it."""

    def __init__(self, cells: DailyCells, screen: "DailyScreen") -> None:
        super().__init__(partial(screen.deal, cells), screen.race_app.style_of, id=f"deal-{cells}")
        self._cells = cells

    async def on_click(self, event: events.Click) -> None:
        """This one."""
        event.stop()
        await self.run_action(f"screen.choose('{self._cells}')")


class DailyScreen(DeskRoom):
    """A day and its two deals."""

    where: ClassVar[Where] = "daily"
    BINDINGS = bindings("daily")

    def body(self) -> ComposeResult:
        """Title, the two deals side by side, buttons."""
        with Horizontal(id="top"):
            yield Static(id="what", markup=False)
            yield Static(id="clock", markup=False)
        with Grid(id="deals"):
            for cells in BOTH:
                yield DealPane(cells, self)
        yield Buttons(
            button("daily", "begin"),
            button("daily", "practise"),
            button("daily", "ghost"),
            button("daily", "boards"),
            button("daily", "me"),
            button("daily", "archive"),
        )

    async def ask(self) -> None:
        """About the day that is shown."""
        await self.desk.ask_day()

    # What is shown.

    def told(self, heard: Heard | None) -> None:
        """Draw both deals."""
        del heard
        day = self.desk.day
        is_today = day == self.desk.answers.today
        title = tr("The deal of the day, {day}") if is_today else tr("The deal of {day}")
        private = f"  {tr('this machine alone has it')}" if self.desk.is_private else ""
        self.query_one("#what", Static).update(f"{title.format(day=day)}{private}" if day else "")
        buttons = self.query_one(Buttons)
        buttons.rename(*button("daily", "begin", self.label))
        buttons.offer(self.offers)
        for pane in self.query(DealPane):
            pane.update()

    @property
    def clock_ms(self) -> int | None:
        """The clock of the day; nought is its end."""
        shown = self._day
        left_ms = shown.left_ms(self.desk.now_ms) if shown else None
        return None if left_ms is None else -left_ms

    def ticked(self) -> None:
        """The day goes on, and so does an attempt."""
        super().ticked()
        clock_ms = self.clock_ms
        text = "" if clock_ms is None else tr("ends in {left}").format(left=clock_text(-clock_ms))
        self.query_one("#clock", Static).update(text, layout=False)
        for pane in self.query(DealPane):
            pane.update()

    def look_changed(self) -> None:
        """Other signs."""
        self.told(None)

    def deal(self, cells: DailyCells, width: int, height: int) -> list[Line]:
        """The lines of one of the deals."""
        desk = self.desk
        opponent = desk.opponent if desk.haunt and cells == desk.cells else None
        deal = Deal(
            cells,
            desk.shown_day(cells),
            desk.answers.boards.get((desk.day, cells, "time")),
            desk.answers.records.get(cells),
            opponent.name if opponent else "",
        )
        return deal_lines(
            deal,
            self.race_app.look,
            width - 1,
            height,
            now_ms=desk.now_ms,
            is_chosen=cells == desk.cells,
            player=desk.player,
        )

    @property
    def _day(self) -> Day | None:
        """The deal that is chosen."""
        return self.desk.shown_day(self.desk.cells)

    def label(self, key: Key) -> str:
        """One goes on with an attempt that runs."""
        day = self._day
        is_running = day is not None and day.told.mine is not None
        return mark("go on") if key.action == "begin" and is_running else key.label

    # What can be done.

    def offers(self, action: str) -> bool:
        """What the attempt, and the day, leave to be done."""
        day = self._day
        match action:
            case "begin":
                return day is not None and day.is_to_play
            case "practise" | "challenge":
                return day is not None and day.is_open
            case "ghost":
                return bool(self._opponents())
            case "copy":
                return day is not None and day.is_mine_over
            case _:
                return True

    def action_choose(self, key: str) -> None:
        """One of the two deals."""
        self.desk.cells = 2 if key == "2" else 4
        self.hear(None)

    async def action_turn(self, key: str) -> None:
        """Another day."""
        await self._turn_to(-1 if key == "left" else 1)

    async def _turn_to(self, by: int) -> None:
        before = self.desk.day
        self.desk.turn(by)
        is_first = by < 0 and self.desk.day == before
        self.say(tr("this is the first day here") if is_first else "")
        self.hear(None)
        if self.desk.day != before:
            await self.ask()

    async def action_begin(self) -> None:
        """The ranked attempt: the first time that is asked about."""
        day = self._day
        if day is None or not day.is_to_play:
            self.say(self._why_not())
        elif day.told.mine is not None:
            await self._enter(day)
        else:
            question = Question(begin_question(day.told), tr("begin"))
            await self.app.push_screen(question, self._begin)

    async def _begin(self, answer: bool | None) -> None:  # noqa: FBT001 - as Textual calls it
        day = self._day
        if answer and day is not None:
            await self._enter(day)

    async def _enter(self, day: Day) -> None:
        session = Session(Attempt(day.told.day, self.desk.cells))
        await self.race_app.daily.enter(session, haunt=self.desk.haunt)

    async def action_practise(self) -> None:
        """An unranked race on the same deal."""
        day = self._day
        if day is None or not day.is_open:
            self.say(tr("its cards are shown to you once your ranked attempt is over, or the day is"))
            return
        session = Session(Create(new_create_id(), unranked(day)))
        await self.race_app.daily.enter(session, starts=True, haunt=self.desk.haunt)

    async def action_ghost(self) -> None:
        """Choose whose attempt to race against."""
        if lines := self._opponents():
            await self.app.push_screen(GhostWindow(lines), self._haunted)
        else:
            self.say(tr("nobody has won it yet"))

    def _haunted(self, line: Ranked | None) -> None:
        self.desk.opponent, day = line, self._day
        has_ranked = day is not None and day.is_to_play
        self.say(ghost_text(line.name, has_ranked=has_ranked) if line is not None else "")
        self.hear(None)

    def _opponents(self) -> tuple[Ranked, ...]:
        board = self.desk.answers.boards.get((self.desk.day, self.desk.cells, "time"))
        return board.lines if board else ()

    async def action_boards(self) -> None:
        """The leaderboards of this day."""
        self.desk.period = self.desk.day
        await self.race_app.daily.open_boards()

    async def action_me(self) -> None:
        """What one has done on all days."""
        await self.race_app.daily.open_record()

    async def action_archive(self) -> None:
        """Past days."""
        if self.desk.answers.today:
            await self.app.push_screen(ArchiveWindow(self.desk.answers, self.desk.since), self._looked_back)

    async def _looked_back(self, day: str | None) -> None:
        if day is not None:
            self.desk.day = day
            await self._turn_to(0)
            await self.ask()

    def action_copy(self) -> None:
        """Copy a line that tells the result and no card."""
        day = self._day
        if day is None or day.told.mine is None or not day.is_mine_over:
            self.say(tr("there is a result once your ranked attempt is over"))
            return
        style = Style(symbols=self.race_app.look.symbols)
        self._copy(share_line(day.told, day.told.mine, style, is_private=self.desk.is_private))

    def action_challenge(self) -> None:
        """Copy what a friend needs to race the same deal."""
        day = self._day
        if day is not None and day.is_open:
            self._copy("\n".join(challenge_lines(day.told, self.desk.public_url)))
        else:
            self.say(tr("its cards are shown to you once your ranked attempt is over, or the day is"))

    def _copy(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.say(tr("copied, if your terminal lets programs copy: {code}").format(code=text))

    def _why_not(self) -> str:
        day = self._day
        if day is not None and day.is_mine_over:
            return tr("your ranked attempt is over; p plays the deal again, unranked")
        return tr("this day is over; p plays its deal, unranked")

    async def action_home(self) -> None:
        """Back to the first screen."""
        await self.race_app.daily.leave()


def unranked(day: Day) -> Settings:
    """How the deal of a day is played as often as one likes: as in an attempt, alone and at once."""
    return Settings(
        deal=f"daily:{day.told.day}",
        cells=day.told.cells,
        time_limit_s=3600,
        countdown_s=ALONE.countdown_s,
        watch=ALONE.watch,
        hints=True,
    )
