"""After the race: the standings, everybody's last board, and another race like it."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from client_cli.connection import Heard
from client_cli.language import tr
from client_cli.playback import frames
from client_cli.screens.board_view import View
from client_cli.screens.card_table import CardTable
from client_cli.screens.keys import Where, bindings
from client_cli.screens.links import link_to
from client_cli.screens.panel_view import Line, panel_lines, state_text
from client_cli.screens.room import Room
from client_cli.screens.widgets import Buttons, Lines
from client_cli.session import Session
from client_cli.standings import in_order
from protocol.commands import Rematch, Replay
from protocol.events import Replayed
from protocol.views import Board


class AfterScreen(Room):
    """How it ended."""

    where: ClassVar[Where] = "after"
    BINDINGS = bindings("after")

    def __init__(self) -> None:
        super().__init__()
        self._pages: dict[str, list[Replayed]] = {}
        self._shown = ""
        self.film: Sequence[Board] = ()
        """What was still to be shown of the last moves when the race ended."""

    def body(self) -> ComposeResult:
        """Title, a board, the standings, buttons."""
        with Horizontal(id="top"):
            yield Static(id="what", markup=False)
        with Horizontal(id="middle"):
            yield CardTable(self.race_app.look, id="board")
            yield Lines(self._standings, self.race_app.style_of, id="panel")
        yield Buttons(
            (f"{tr('rematch')} (m)", "rematch"),
            (f"{tr('boards')} (b)", "board"),
            (f"{tr('copy result')} (c)", "copy"),
            (f"{tr('home')} (Esc)", "home"),
        )

    def told(self, heard: Heard | None) -> None:
        """Draw the standings; boards as they come."""
        session = self.session
        if not self._shown:
            self._shown = session.player if session.me else ""
            if session.board is not None:
                self.query_one(CardTable).play(self.film, View(session.board))
        if heard is not None and isinstance(heard.event, Replayed):
            self._take(heard.event)
        self._title()
        self.query_one(Lines).update()

    def look_changed(self) -> None:
        """Other cards."""
        self.query_one(CardTable).change_look(self.race_app.look)
        self.query_one(Lines).update()

    def _title(self) -> None:
        racer = next((racer for racer in self.session.racers if racer.player == self._shown), None)
        whose = tr("the last board of {name}").format(name=racer.name) if racer else ""
        self.query_one("#what", Static).update(f"{tr('The race is over.')}  {whose}".rstrip())

    def _show(self, board: Board) -> None:
        self.query_one(CardTable).show(View(board))

    def _standings(self, width: int, height: int) -> list[Line]:
        return panel_lines(self.session, self.race_app.look, width, height)

    # What can be done.

    async def action_rematch(self) -> None:
        """Another race."""
        await self.race_app.link.ask(Rematch("", 0))

    async def action_board(self) -> None:
        """The next racer's last board: what he did, asked of the server."""
        players = [racer.player for racer in in_order(self.session.racers)]
        if not players:
            return
        place = players.index(self._shown) + 1 if self._shown in players else 0
        self._shown = players[place % len(players)]
        if self._shown == self.session.player and self.session.board is not None:
            self._show(self.session.board)
        elif self._shown in self._pages and not self._pages[self._shown][-1].more:
            self._show(_last_board(self._pages[self._shown]))
        else:
            self._pages[self._shown] = []
            await self.race_app.link.ask(Replay("", 0, self._shown))
        self._title()

    def _take(self, page: Replayed) -> None:
        pages = self._pages.setdefault(page.player, [])
        pages.append(page)
        if page.more:
            self.run_worker(self.race_app.link.ask(Replay("", 0, page.player, page.after + len(page.steps))))
        elif page.player == self._shown:
            self._show(_last_board(pages))

    def action_copy(self) -> None:
        """Copy the result."""
        self.app.copy_to_clipboard(share_line(self.session, self.race_app.public_url))
        self.say(tr("copied, if your terminal lets programs copy: {code}").format(code=self.session.race))

    async def action_home(self) -> None:
        """Back to the first screen."""
        await self.race_app.go_home()


def share_line(session: Session, url: str) -> str:
    """The result in one line, for friends."""
    life = session.picture.life if session.picture else None
    deal = f" {tr('deal {deal}').format(deal=life.deal)}" if life and life.deal else ""
    places = "; ".join(f"{racer.name} {state_text(racer, session)}" for racer in in_order(session.racers))
    return f"cellrace{deal}: {places} - {link_to(url, session.race)}"


def _last_board(pages: list[Replayed]) -> Board:
    steps = [step for page in pages for step in page.steps]
    film = frames(pages[0].layout, steps)
    return film[-1].after if film else pages[0].layout
