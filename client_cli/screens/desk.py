"""Where one asks about dailies: a conversation without a race, its answers, and what is looked at."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from client_cli.connection import Heard, News, Surroundings
from client_cli.ghosts import Haunt
from client_cli.identity import LOCAL
from client_cli.screens.answers import BOTH, Answers, Day, shifted
from client_cli.screens.link import Link
from client_cli.session import Session, Visit
from client_cli.wiring import Server, Who
from protocol.commands import BoardBy, Daily, DailyCells, Ranking, Record
from protocol.events import DayTold, Ranked, Ranks

if TYPE_CHECKING:
    from client_cli.screens.room import Room

AGAIN_MS: Final = 20_000
"""What is shown is asked for anew after so long: others play, too."""


class Desk:
    """Asks the server, keeps what it says, and remembers what is looked at.

    Attributes:
        link: the conversation.
        server: whom one asks; None while one does not.
        public_url: where others find it; "" if they cannot.
        answers: what was told.
        day: the day that is looked at; "" for today.
        cells: which of its deals.
        period: the day or month of the board that is looked at; "" for today.
        since: the first day that the server has a deal for; "" while that is not known.
        by: what that board goes by.
        opponent: whose attempt to race against as a ghost.
        room: the screen one was on last.
    """

    def __init__(
        self, report: Callable[[News, Link], None], complain: Callable[[str], None], around: Surroundings
    ) -> None:
        self.link = Link(lambda news: report(news, self.link), complain, around)
        self._now_ms = around.now_ms
        self.room: type[Room] | None = None
        self._begin_anew(None, "")

    def _begin_anew(self, server: Server | None, public_url: str) -> None:
        self.server, self.public_url = server, public_url
        self.answers = Answers()
        self.day, self.period, self.since = "", "", ""
        self.cells: DailyCells = 4
        self.by: BoardBy = "time"
        self.opponent: Ranked | None = None
        self._asked_ms = 0

    @property
    def is_private(self) -> bool:
        """Whether it is a server of one's own, whose deals nobody else has."""
        return self.server is not None and self.server.key == LOCAL

    async def open(self, player: Who, server: Server, public_url: str) -> None:
        """Ask this server from now on.

        Raises:
            ClientError: the token file cannot be read.
        """
        self._begin_anew(server, public_url)
        await self.link.enter(player, server, Session(Visit()))

    async def close(self) -> None:
        """Ask nobody any more."""
        self.server, self.room = None, None
        await self.link.close()

    # What was told.

    def take(self, heard: Heard) -> None:
        """Keep an answer."""
        self.answers = self.answers.with_told(heard.event, self._now_ms())
        if isinstance(heard.event, DayTold):
            self.since = heard.event.since
        self.day = self.day or self.answers.today
        self.period = self.period or self.answers.today

    @property
    def now_ms(self) -> int:
        """The time by our clock, as answers have it."""
        return self._now_ms()

    @property
    def player(self) -> str:
        """One's own id, once welcome."""
        return self.link.session.player if self.link.session else ""

    def shown_day(self, cells: int) -> Day | None:
        """What is known of the day that is looked at."""
        return self.answers.days.get((self.day, cells))

    @property
    def shown_board(self) -> Ranks | None:
        """What is known of the board that is looked at."""
        return self.answers.boards.get((self.period, self.cells, self.by))

    @property
    def haunt(self) -> Haunt | None:
        """The ghost that is chosen, if it is one of the deal that is looked at."""
        line = self.opponent
        if line is None or line.race.split(":")[1:3] != [self.day, str(self.cells)]:
            return None
        return Haunt(line.race, line.player)

    # What is asked.

    async def ask_day(self) -> None:
        """About both deals of the day: how it stands, who leads, and one's own record."""
        day = self.day or None
        self._asked_ms = self._now_ms()
        await self.link.ask(
            *(Daily(0, cells, day) for cells in BOTH),
            *(Ranking(0, cells, day) for cells in BOTH),
            *(Record(0, cells) for cells in BOTH),
        )

    async def ask_today(self) -> None:
        """About both deals of today, where another day is looked at."""
        if self.day != self.answers.today:
            await self.link.ask(*(Daily(0, cells) for cells in BOTH))

    async def ask_board(self, *, more: bool = False) -> None:
        """About the board that is looked at: from its first place on, or from where it is known to."""
        board = self.shown_board if more else None
        self._asked_ms = self._now_ms()
        start = board.next if board else 0
        await self.link.ask(Ranking(0, self.cells, self.period or None, self.by, start))
        if len(self.period) == len("2026-11-30"):
            await self.link.ask(Daily(0, self.cells, self.period))

    def is_due(self) -> bool:
        """Whether it is time to ask anew."""
        return self._now_ms() - self._asked_ms >= AGAIN_MS

    # What is looked at.

    def turn(self, by: int) -> None:
        """To another day; there is none after today, and none before the first."""
        if self.day:
            self.day = max(self.since, min(shifted(self.day, by), self.answers.today))

    def turn_board(self, by: int) -> None:
        """To the board of another day or month."""
        if self.period:
            length = len(self.period)
            later = min(shifted(self.period, by), self.answers.today[:length])
            self.period = max(self.since[:length], later)
