"""Before the start: who is here, by which rules; and the countdown."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.widgets import Static

from client_cli.connection import Heard
from client_cli.language import tr
from client_cli.own_settings import asked_for, own_deal
from client_cli.reaching import is_this_machine
from client_cli.screens.canvas import Span
from client_cli.screens.forms import KickWindow, RobotWindow, SettingsWindow
from client_cli.screens.key_texts import button
from client_cli.screens.keys import Where, bindings
from client_cli.screens.links import link_to
from client_cli.screens.names import fitted_name
from client_cli.screens.panel_view import Line, chat_lines, more_text
from client_cli.screens.racer_rows import state_text
from client_cli.screens.room import Room
from client_cli.screens.widgets import Buttons, Lines, Roll
from client_cli.session import Session
from client_cli.standings import rules_in_words
from protocol.commands import AddRobot, Configure, Kick, Leave, Ready, RobotLevel, Settings, Start

PATIENCE_S: Final = 1.0
"""After so long without an answer, one may leave without it."""


class LobbyScreen(Room):
    """Where one waits for the others."""

    where: ClassVar[Where] = "lobby"
    BINDINGS = bindings("lobby")

    def __init__(self) -> None:
        super().__init__()
        self._is_late = False

    def body(self) -> ComposeResult:
        """Title, invitation, rules, seats, buttons."""
        yield Static(id="what", classes="title", markup=False)
        yield Static(id="invitation", markup=False)
        yield Static(id="words", markup=False)
        yield Roll(self._seats, self.race_app.style_of, id="seats")
        yield Buttons(
            button("lobby", "ready"),
            button("lobby", "start"),
            button("lobby", "settings"),
            button("lobby", "copy"),
            button("lobby", "give_up"),
        )

    def told(self, heard: Heard | None) -> None:
        """Draw the lobby."""
        del heard
        session = self.session
        if session.picture is None:
            return
        life = session.picture.life
        taken = tr("{taken} of {seats} seats taken").format(
            taken=len(session.racers), seats=life.settings.max_racers
        )
        self.query_one("#what", Static).update(
            tr("Race {race}, in the lobby: {taken}").format(race=session.race, taken=taken)
        )
        self.query_one("#invitation", Static).update(self._invitation(session))
        self.query_one("#words", Static).update("\n".join(rules_in_words(life, own_deal(session))))
        self.query_one(Buttons).offer(self.offers)
        self.query_one(Lines).update()

    def look_changed(self) -> None:
        """Other signs."""
        self.query_one(Lines).update()

    def _invitation(self, session: Session) -> str:
        app = self.race_app
        url = app.public_url
        join = f"{tr('Friends join with')}: cellrace join {session.race} --server {url}"
        if app.upkeep.is_own(app.link.server) and is_this_machine(url):
            elsewhere = tr("Only on this machine; for friends elsewhere, go on with:")
            return f"{join}\n{elsewhere} cellrace host"
        return f"{join}\n{tr('or paste')}: {link_to(url, session.race)}"

    def _seats(self, width: int, height: int) -> list[Line]:
        session = self.session
        racers, lines = session.racers, list[Line]()
        own = next((place for place, racer in enumerate(racers) if racer.player == session.player), None)
        shown: Sequence[int] = range(len(racers))
        if len(racers) > height - 1:
            shown = self.query_one(Roll).pick(len(racers), height - 2, own)
        for racer in (racers[place] for place in shown):
            state = state_text(racer, session)
            sign = "*" if racer.ready else " "
            name = fitted_name(racer, session, max(4, min(40, width - len(state) - 4)))
            lines.append(
                [Span(f"{sign} {name.text}", "text"), Span(" " * (42 - name.cells) + state, "label")]
            )
        if len(shown) < len(racers):
            lines.append([Span(more_text(len(racers) - len(shown)), "label")])
        return [*lines, *chat_lines(session, width, height - len(lines) - 1)]

    # What can be done.

    def offers(self, action: str) -> bool:
        """What only the host can do, only he is offered."""
        session = self.race_app.link.session
        is_host = session is not None and session.is_host
        match action:
            case "start" | "settings" | "robot":
                return is_host
            case "kick":
                return is_host and session is not None and len(session.racers) > 1
            case _:
                return True

    async def action_ready(self) -> None:
        """Ready, or not after all."""
        me = self.session.me
        await self.race_app.link.ask(Ready("", 0, ready=not (me is not None and me.ready)))

    async def action_start(self) -> None:
        """Start; only the host may, says the server."""
        await self.race_app.link.ask(Start("", 0))

    async def action_settings(self) -> None:
        """Change the settings."""
        if self.session.picture is not None:
            terms, asked = self.session.picture.life.settings, asked_for(self.session)
            deal = asked.deal if asked else Settings().deal
            await self.app.push_screen(SettingsWindow(terms, deal), self._configured)

    async def _configured(self, settings: Settings | None) -> None:
        if settings is not None:
            await self.race_app.link.ask(Configure("", 0, settings))

    async def action_robot(self) -> None:
        """Give a seat to a robot, where there are any."""
        if self.session.has_robots:
            await self.app.push_screen(RobotWindow(), self._robot_chosen)
        else:
            self.say(tr("the server has no solver, without which no robot can play"))

    async def _robot_chosen(self, level: RobotLevel | None) -> None:
        if level is not None:
            await self.race_app.link.ask(AddRobot("", 0, level))

    async def action_kick(self) -> None:
        """Send somebody out."""
        others = [racer for racer in self.session.racers if racer.player != self.session.player]
        if others:
            await self.app.push_screen(KickWindow(others), self._kicked)

    async def _kicked(self, player: str | None) -> None:
        if player is not None:
            await self.race_app.link.ask(Kick("", 0, player))

    def action_copy(self) -> None:
        """Copy what friends need."""
        url, race = self.race_app.public_url, self.session.race
        self.app.copy_to_clipboard(f"cellrace join {race} --server {url}\n{link_to(url, race)}\n")
        self.say(tr("copied, if your terminal lets programs copy: {code}").format(code=race))

    async def action_give_up(self) -> None:
        """Give the seat up; where that is not answered, the same key goes home all the same."""
        if not self._is_leaving:
            self._is_late = False
            await self.race_app.link.ask(Leave("", 0))
            self.set_timer(PATIENCE_S, self._say_late)
        elif self._is_late:
            why = tr("The server has not answered: your seat in race {race} may still be kept.")
            await self.race_app.go_home(why.format(race=self.session.race), tr("No answer"))

    def _say_late(self) -> None:
        self._is_late = self._is_leaving
        if self._is_late:
            self.say(tr("the server does not answer: q again goes home without waiting for it"))

    @property
    def _is_leaving(self) -> bool:
        """Whether the server was asked to take the seat back, and has not answered."""
        return any(isinstance(command, Leave) for command in self.session.speech.pending)


class CountdownScreen(Room):
    """The last seconds."""

    where: ClassVar[Where] = "all"
    has_clock: ClassVar[bool] = True
    BINDINGS = bindings("all")

    def body(self) -> ComposeResult:
        """A number."""
        yield Static(id="count", markup=False)

    def ticked(self) -> None:
        """Count, by the race's clock."""
        session, race_ms = self.race_app.link.session, self.race_app.link.race_ms
        if session is None or race_ms is None:
            return
        names = ", ".join(racer.name for racer in session.racers)
        text = f"{max(0, -(race_ms // 1000))}\n\n{names}"
        count = self.query_one("#count", Static)
        if count.content != text:
            count.update(text)
