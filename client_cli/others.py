"""What to tell about the others: who came and went, how far they are, what they say. Pure."""

from client_cli.language import tr
from client_cli.session import Session
from client_cli.standings import name_text, progress_line
from protocol.views import ChatLine, Racer


def racer_lines(before: Session, racer: Racer, after: Session) -> list[str]:
    """What has changed for a racer, oneself included."""
    was = next((other for other in before.racers if other.player == racer.player), None)
    mine = racer.player == after.player
    if was is None:
        return [] if mine else [tr("{name} has a seat.").format(name=name_text(racer, after))]
    if racer.no_way and not was.no_way and after.phase == "lobby":
        return [progress_line(racer, after)]
    if was.ready != racer.ready and after.phase == "lobby":
        if promise_of(before) != promise_of(after):
            return []  # new settings: that nobody is ready any more was told with them
        return [_ready_text(racer, mine=mine)]
    if racer.state not in {was.state, "racing"}:
        return [progress_line(racer, after)]
    return [progress_line(racer, after)] if was.home != racer.home and not mine else []


def presence_lines(before: Session, after: Session) -> list[str]:
    """Who is away or back."""
    others = [racer for racer in after.racers if racer.player != after.player and racer.ended_ms is None]
    gone = [racer.name for racer in others if racer.player in after.away - before.away]
    back = [racer.name for racer in others if racer.player in before.away - after.away]
    return [
        *(tr("{name} is away.").format(name=name) for name in gone),
        *(tr("{name} is back.").format(name=name) for name in back),
    ]


def unread(before: Session, after: Session) -> tuple[ChatLine, ...]:
    """What a snapshot holds of the chat that was not told yet; nothing of what was said before one came."""
    if before.picture is None or after.picture is None:
        return ()
    told = {line.seq for line in before.picture.chat}
    return tuple(line for line in after.picture.chat if line.seq not in told)


def chat_text(line: ChatLine) -> str:
    """A line that somebody said."""
    says = tr("{name}, watching, says: {text}") if line.watcher else tr("{name} says: {text}")
    return says.format(name=line.name, text=line.text)


def promise_of(session: Session) -> str:
    """The commitment to the deal, which new settings renew."""
    return session.picture.life.commitment if session.picture else ""


def name_of(session: Session, player: str) -> str:
    """A racer's name."""
    return next((racer.name for racer in session.racers if racer.player == player), tr("somebody"))


def _ready_text(racer: Racer, *, mine: bool) -> str:
    if mine:
        return tr("You are ready.") if racer.ready else tr("You are not ready.")
    text = tr("{name} is ready.") if racer.ready else tr("{name} is not ready.")
    return text.format(name=racer.name)
