"""The race: one's own board, and beside it how far everybody is."""

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Static

from client_cli.company import is_alone
from client_cli.connection import Heard
from client_cli.daily_words import race_text
from client_cli.language import tr
from client_cli.lines import BoardDraft
from client_cli.screens import hand as hands
from client_cli.screens.board_view import Spot, View
from client_cli.screens.card_table import CardTable
from client_cli.screens.deal_view import deal_text, unranked_text
from client_cli.screens.dialogs import Question
from client_cli.screens.hand import EMPTY, Hand, Outcome
from client_cli.screens.keys import PLACES, Key, Where, bindings
from client_cli.screens.panel_view import Line, panel_lines
from client_cli.screens.room import Room
from client_cli.screens.timing import clock_line
from client_cli.screens.titles import fitting, show_title
from client_cli.screens.widgets import Lines, Roll
from client_cli.session import Session
from client_cli.standings import resign_question
from protocol.commands import AutoFinish, Calc, Hint, Move, Redo, Resign, Restart, Send, Undo
from protocol.events import Ack, Calculated, Hinted, Update
from protocol.views import Board

PATIENCE_S: Final = 0.15
"""A server that answers sooner need not be waited for aloud: the board has changed by then."""

ASK_AFTER_S: Final = 0.12
"""Who types both keys of a move at once need not be told where it could go."""


class RaceScreen(Room):
    """One's own board."""

    where: ClassVar[Where] = "race"
    has_clock: ClassVar[bool] = True
    BINDINGS = bindings("race")

    def __init__(self) -> None:
        super().__init__()
        self._hand = EMPTY
        self._cursor: Spot | None = None
        self._asking: Timer | None = None
        self._ghost_home = -1
        self._patience: Timer | None = None
        self._is_late = False

    def body(self) -> ComposeResult:
        """Title, board, panel."""
        look = self.race_app.look
        with Horizontal(id="top"):
            yield Static(id="what", markup=False)
            yield Static(id="clock", markup=False)
        with Horizontal(id="middle"):
            yield CardTable(look, id="board")
            yield Roll(self._panel, self.race_app.style_of, id="panel")

    def offers(self, action: str) -> bool:
        """Whose board is closed can talk, watch the others, and go home."""
        session = self.race_app.link.session
        if action == "chat":
            return session is None or not is_alone(session) or session.watchers > 0
        if session is None or not session.is_racing:
            is_done = session is not None and session.is_done
            return action in {"look_on", "home"} and is_done
        match action:
            case "look_on" | "home":
                return False
            case "undo":
                return session.options.undo
            case "redo":
                return session.options.redo
            case "finish":
                return session.options.finish
            case "hint":
                return session.picture is not None and session.picture.life.settings.hints is True
            case _:
                return True

    def label(self, key: Key) -> str:
        """The way out is called by where it leads."""
        return PLACES[self.race_app.behind.where] if key.action == "home" else key.label

    # What is shown.

    @property
    def table(self) -> CardTable:
        """The board on the screen."""
        return self.query_one(CardTable)

    def told(self, heard: Heard | None) -> None:
        """Draw board and panel."""
        session = self.session
        if session.speech.is_over:
            self._is_late = False
        if session.board is not None:
            event = heard.event if heard is not None else None
            moves = event.singles or event.moves if isinstance(event, Ack) else ()
            before = heard.before.board if heard is not None else None
            if heard is None or session.board is not before:
                self.table.show(self._view(session.board), moves)
            elif not isinstance(event, Update):
                self._mark()
            if isinstance(event, Calculated):
                self._light_up(event)
            if isinstance(event, Hinted) and event.move:
                self.table.mark(hint=frozenset(_piles(event.move)))
        self._show_title()
        self.query_one(Lines).update()

    def on_resize(self) -> None:
        """Another size, another title."""
        if self.is_drawn:
            self._show_title()

    def ticked(self) -> None:
        """The clock."""
        session = self.race_app.link.session
        text = clock_line(session, self.race_app.link.race_ms) if session else ""
        clock = self.query_one("#clock", Static)
        if clock.content != text:
            clock.update(text, layout=False)
            self._show_title()
        self._move_ghost()

    def _move_ghost(self) -> None:
        """A ghost goes on by the clock alone."""
        haunting = self.race_app.link.haunting
        home = haunting[0].home(haunting[1]) if haunting else -1
        if home != self._ghost_home:
            self._ghost_home = home
            self.query_one(Lines).update()

    def look_changed(self) -> None:
        """Other cards, another panel."""
        self.table.change_look(self.race_app.look)
        self.query_one(Lines).update()

    def _view(self, board: Board) -> View:
        return View(board, self._hand.picked, self._cursor, waiting=self._waiting())

    def _waiting(self) -> frozenset[str]:
        return waiting_piles(self.session) if self._is_late else frozenset()

    def _mark(self) -> None:
        """Show what is picked up now, and what is waited for."""
        picked = self._hand.picked
        if self.table.view is not None and self.table.view.picked != picked:
            self.table.mark(picked=picked, reach={}, hint=frozenset())
        self.table.mark(waiting=self._waiting())

    def _title(self, room: int) -> str:
        """Which race and deal it is; where there is little room, first of all that one has to wait."""
        session = self.session
        pending = tr("waiting for the server ...") if self._is_late else ""
        race, deal, day = race_text(session.race), deal_text(session), unranked_text(session)
        short = (deal, pending), (pending or deal,)
        return fitting(room, (race, deal, day, pending), (race, deal, pending), *short)

    def _be_patient(self) -> None:
        if self._patience is None:
            oldest = _oldest_open(self.session)
            self._patience = self.set_timer(PATIENCE_S, lambda: self._lose_patience(oldest))

    def _lose_patience(self, oldest: int) -> None:
        """The server takes its time: say so, and mark what it was asked for."""
        self._patience = None
        session = self.race_app.link.session
        if session is None or session.speech.is_over or not self.is_drawn:
            return
        if _oldest_open(session) == oldest:
            self._is_late = True
            self._mark()
            self._show_title()
        else:
            self._be_patient()

    def _show_title(self) -> None:
        show_title(self, self._title)

    def _panel(self, width: int, height: int) -> list[Line]:
        pick, ghost = self.query_one(Roll).pick, self.race_app.link.haunting
        return panel_lines(self.session, self.race_app.look, width, height, ghost=ghost, pick=pick)

    # What is picked up.

    def _empty_hands(self) -> None:
        self._hand = EMPTY
        self.table.settle()
        if self._asking is not None:
            self._asking.stop()
            self._asking = None

    def _hold(self, hand: Hand) -> None:
        self._empty_hands()
        self._hand = hand
        self.table.mark(picked=hand.picked, reach={}, hint=frozenset())
        if hand.picked is not None and hand.picked.pile != hands.HOME:
            self._asking = self.set_timer(ASK_AFTER_S, self._ask_where)

    async def _ask_where(self) -> None:
        """Ask how many of the picked cards could go where."""
        picked = self._hand.picked
        if picked is not None:
            await self.race_app.link.ask(Calc("", 0, picked.pile))

    def _light_up(self, event: Calculated) -> None:
        picked = self._hand.picked
        if picked is not None and picked.pile == event.pile:
            reach = {place.to: place.most for place in event.destinations if place.most}
            self.table.mark(reach=reach)

    async def _do(self, outcome: Outcome) -> None:
        if outcome.draft is None:
            self._hold(outcome.hand)
        else:
            await self._send(outcome.draft)

    async def _send(self, draft: BoardDraft) -> None:
        """Ask the server for it. What was picked up stays marked until then, which mostly is a moment."""
        self._empty_hands()
        await self.race_app.link.ask(draft)
        self._be_patient()

    @property
    def _board(self) -> Board | None:
        return self.session.board if self.session.is_racing else None

    # Keys.

    async def action_pile(self, key: str) -> None:
        """A key of the notation."""
        if self._board is not None:
            await self._do(
                hands.press(self._hand, key, self._board, is_ahead=not self.session.speech.is_over)
            )

    async def action_send(self) -> None:
        """Send what is picked; or the suit of spades, or no count at all, where one is waited for."""
        picked = self._hand.picked
        if picked is not None and picked.pile == hands.HOME:
            await self.action_pile("s")
        elif picked is None:
            self.say(tr("s comes after the first key: 3 s sends the last card of column 3 where it fits"))
        elif self._board is not None:
            await self._do(hands.send(self._hand))

    def action_count(self) -> None:
        """The next key says how many; who typed both piles before is told that this comes in between."""
        if self._hand.picked is None:
            self.say(tr("v comes after the first key: 1 v 2 3 moves two cards from column 1 to column 3"))
        self._hold(hands.count(self._hand))

    def action_more(self, key: str) -> None:
        """One card more, or one fewer."""
        if self._board is not None:
            self._hold(hands.more(self._hand, 1 if key == "plus" else -1, self._board))

    def action_walk(self, direction: str) -> None:
        """Move the cursor."""
        if self._board is not None:
            self.table.settle()
            self._cursor = hands.walk(self._board, self._cursor, direction)
            self.table.mark(cursor=self._cursor)

    async def action_take(self) -> None:
        """Pick up or put down at the cursor."""
        if self._board is not None and self._cursor is not None:
            await self._do(hands.click(self._hand, self._cursor, self._board))

    def action_drop(self) -> None:
        """Empty hands, and no cursor."""
        self._cursor = None
        self.table.mark(cursor=None)
        self._hold(EMPTY)

    async def action_undo(self) -> None:
        """Undo."""
        await self._play(Undo("", 0, 0))

    async def action_redo(self) -> None:
        """Redo."""
        await self._play(Redo("", 0, 0))

    async def action_restart(self) -> None:
        """Restart."""
        await self._play(Restart("", 0, 0))

    async def action_finish(self) -> None:
        """Send the rest home."""
        await self._play(AutoFinish("", 0, 0))

    async def _play(self, draft: BoardDraft) -> None:
        if self._board is not None:
            await self._send(draft)

    async def action_look_on(self) -> None:
        """Watch the others, with one's own board done."""
        if self.session.is_done:
            await self.race_app.sidelines.watch_own()

    async def action_home(self) -> None:
        """Back to where one came from, one's own board being done; what one has reached is in the log."""
        if self.session.is_done:
            await self.race_app.go_home()
        else:
            self.say(tr("you are racing: x stops racing, Ctrl+Q leaves the program and keeps your seat"))

    async def action_hint(self) -> None:
        """Ask for a hint."""
        await self.race_app.link.ask(Hint("", 0))

    async def action_resign(self) -> None:
        """Stop racing, if that is meant."""
        if self.session.is_racing:
            await self.app.push_screen(Question(resign_question(self.session), tr("resign")), self._resigned)

    async def _resigned(self, answer: bool | None) -> None:  # noqa: FBT001 - as Textual calls it
        if answer:
            await self.race_app.link.ask(Resign("", 0))

    # The mouse.

    async def on_card_table_clicked(self, event: CardTable.Clicked) -> None:
        """Pick up or put down."""
        if self._board is not None:
            await self._do(hands.click(self._hand, event.spot, self._board))

    async def on_card_table_double_clicked(self, event: CardTable.DoubleClicked) -> None:
        """Send."""
        if self._board is not None and event.spot.count:
            await self._do(hands.send(Hand(event.spot)))

    def on_card_table_drawn(self, event: CardTable.Drawn) -> None:
        """Cards are under way: show which, and where they may go."""
        if self._board is not None and event.spot.count:
            self._hold(Hand(event.spot, is_exact=True))

    async def on_card_table_dragged(self, event: CardTable.Dragged) -> None:
        """Exactly these cards, to there."""
        if self._board is not None:
            await self._do(hands.drag(event.spot, event.dest, self._board))


def waiting_piles(session: Session) -> frozenset[str]:
    """The piles of moves that the server has not answered."""
    drafts = (*session.speech.unanswered, *session.speech.postponed, *session.speech.line)
    piles: set[str] = set()
    for draft in drafts:
        match draft:
            case Move(move=move):
                piles |= set(_piles(move))
            case Send(pile=pile):
                piles.add(pile)
            case _:
                pass
    return frozenset(piles)


def _oldest_open(session: Session) -> int:
    """The number of the first command that was not answered, or that the next one will have."""
    speech = session.speech
    numbered = (*speech.unanswered, *speech.outbox, *speech.postponed)
    return min((command.c for command in numbered), default=speech.next_c)


def _piles(move: str) -> tuple[str, ...]:
    """The piles of a move in notation; home is not one pile, and is left out."""
    if move.startswith("h"):
        return move[:2], move[2:3]
    return (move[0],) if move[1:2] == "h" else (move[0], move[1:2])
