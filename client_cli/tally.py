"""How far everybody was at every time of the race one plays by lines, for the line to share at its end."""

from client_cli.connection import Conversation, Heard
from client_cli.curves import Curves, told
from client_cli.session import Session
from client_cli.sharing import result_line
from client_cli.style import Style
from protocol.commands import Trace
from protocol.events import Snapshot, Traced


class Tally:
    """Counts along; what has passed before one came, it asks for."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._curves = Curves()

    async def hear(self, heard: Heard) -> None:
        """Take in what was heard of the race."""
        self._curves = told(self._curves, heard)
        session = heard.step.session
        match heard.event:
            case Snapshot(clock=int(clock)) if clock > 0 and heard.before.picture is None and session.picture:
                await self._conversation.ask(Trace("", 0))
            case Traced(more=True) as page if page.race == session.race:
                await self._conversation.ask(Trace("", 0, page.after + len(page.curves)))
            case _:
                pass

    def result(self, session: Session, style: Style) -> list[str]:
        """What to say of one's own result in a race that is over: the line to share."""
        me = session.me
        if me is None or session.board is None:
            return []
        return ["", f"  {result_line(session, me, self._curves.of.get(me.player, ()), style)}", ""]
