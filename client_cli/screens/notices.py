"""What to say in the one line for it about what was heard: pure, from the sessions before and after.

Why something was refused, the server says, in its own words.
"""

from client_cli.connection import Heard, Lost, NewPlayer
from client_cli.language import tr
from client_cli.lines import BoardDraft
from client_cli.phrases import reason, sentence
from client_cli.promise import Promise, kept
from client_cli.screens.keys import shown
from client_cli.screens.racer_rows import state_text
from client_cli.session import Session
from client_cli.standings import changes_in_words
from client_cli.story import WORTH_A_WORD_MS, command_text
from client_cli.style import Style
from protocol.commands import Watch
from protocol.errors import ErrorCode
from protocol.events import Ack, Hinted, Presence, Refused, Snapshot, Update
from protocol.views import Change, ChatSaid, Life, LifeChanged, Phase, Racer, RacerChanged, RacerLeft


def notice(heard: Heard, style: Style) -> str:
    """What to say, with cards in this style; "" leaves standing what was said before."""
    before, after = heard.before, heard.step.session
    match heard.event:
        case Refused() as event:
            return _refused(before, event, heard, style)
        case Ack() as event:
            return _ack(before, event)
        case Hinted(move=move):
            return tr("hint: {move}").format(move=move) if move else tr("there is no hint here")
        case Presence():
            return _presence(before, after)
        case Snapshot(rewound=True):
            return tr("the server has lost the newest moves; this is how things stand there")
        case Snapshot() as event if event.feed == after.feed and after.picture is not None:
            return _snapshot(before, event, after) or rematch_notice(heard)
        case Update() as event if event.feed == after.feed:
            said = [text for change in event.changes if (text := _change(before, change, after))]
            return rematch_notice(heard) or (said[-1] if said else "")
        case _:
            return ""


def rematch_notice(heard: Heard) -> str:
    """That there is a rematch now: to be in, or for one who watches, to watch; "" if that is no news."""
    before, after = heard.before.picture, heard.step.session.picture
    if before is None or after is None or after.life.rematch in {None, before.life.rematch}:
        return ""
    if isinstance(heard.step.session.entrance, Watch):
        text = tr("race {race} has a rematch: press m to watch it")
        return text.format(race=heard.step.session.race)
    return tr("there is a rematch: press m to be in it")


def outdated(before: Phase | None, after: Phase, session: Session) -> bool:
    """Whether the race has gone on to where what was said before is no news: who came, or what f would do."""
    if before in {None, after}:
        return False
    has_won = session.me is not None and session.me.state == "finished"
    return after != "over" or not has_won  # that all cards are home is said as the race ends


def lost_text(lost: Lost) -> str:
    """The banner while there is no connection."""
    text = tr("{why}; trying again in {seconds:.1f} s, or now with {key}; what you do meanwhile is sent then")
    return text.format(why=lost.why, seconds=lost.wait_s, key=shown("try_now"))


def trying_text() -> str:
    """The banner while that attempt is under way."""
    return tr("trying to connect ...")


def new_player_text(_: NewPlayer) -> str:
    """When the server did not know the token."""
    return tr("this server does not know your token; you are a new player here")


def _refused(before: Session, event: Refused, heard: Heard, style: Style) -> str:
    after = heard.step.session
    if after.refusal is not None or after.found != before.found:
        return ""  # it ends the conversation, or that with a race that was found, and is said there
    retry_ms = heard.step.retry_ms
    if retry_ms is not None and retry_ms < WORTH_A_WORD_MS:
        return ""
    command = before.speech.command(event.c)
    what = f"{command_text(command)}: " if command is not None else ""
    if event.code is ErrorCode.STALE_COMMAND:
        return tr("{what}refused before the connection was lost").format(what=what)
    if retry_ms is not None:
        why = sentence(event.detail, event.phrases, style)
        return tr("{what}; again in {seconds:.0f} s").format(what=f"{what}{why}", seconds=retry_ms / 1000)
    return f"{what}{reason(event, style)}"


def _ack(before: Session, event: Ack) -> str:
    if not isinstance(before.speech.command(event.c), BoardDraft):
        return ""
    if event.won:
        return tr("all 52 cards are home: you have finished!")
    if event.blocked:
        return tr("no move is left: undo (u), restart (R) or resign (x)")
    if event.stuck:
        return tr("every move leads only to where you have been: undo (u), restart (R) or resign (x)")
    if event.finish:
        return tr("the rest can go home by itself: press f")
    return " "


def _presence(before: Session, after: Session) -> str:
    for racer in after.racers:
        if racer.player != after.player and racer.ended_ms is None:
            if racer.player in after.away - before.away:
                return tr("{name} is away").format(name=racer.name)
            if racer.player in before.away - after.away:
                return tr("{name} is back").format(name=racer.name)
    return ""


def _snapshot(before: Session, event: Snapshot, after: Session) -> str:
    if event.life.phase == "running" != before.phase:
        return _promise(after, event.life, whole=True)
    if before.promise in {"", after.promise}:
        return ""
    return tr("meanwhile another deal was promised: the settings have changed")


def _promise(session: Session, life: Life, *, whole: bool) -> str:
    """That the deal is not the promised one."""
    match kept(session.promise, life, whole=whole):
        case Promise.UNSEEN | Promise.KEPT:
            return ""
        case Promise.OTHER:
            return tr("this is NOT the deal that was promised when you last saw the lobby")
        case Promise.BROKEN:
            return tr("this is NOT the deal that was promised before the start!")


def _change(before: Session, change: Change, after: Session) -> str:
    match change:
        case LifeChanged(life):
            return _life(before, life, after)
        case RacerChanged(racer):
            return _racer(before, racer, after)
        case RacerLeft(player, kicked):
            gone = next((racer.name for racer in before.racers if racer.player == player), "")
            text = tr("the host has sent {name} out") if kicked else tr("{name} has left")
            return text.format(name=gone) if gone else ""
        case ChatSaid(line) if line.player != after.player:
            return f"{line.name}: {line.text}"
        case _:
            return ""


def _life(before: Session, life: Life, after: Session) -> str:
    was = before.picture.life if before.picture else None
    if was is None:
        return ""
    if was.phase != life.phase:
        return _promise(after, life, whole=False) if life.phase == "running" else ""
    if was.settings != life.settings or was.commitment != life.commitment:
        text = tr("the host has changed the settings ({changes}); everybody must be ready anew")
        return text.format(changes=changes_in_words(was, life))
    if was.host != life.host:
        host = next((racer.name for racer in after.racers if racer.player == life.host), "")
        return tr("{name} is the host now").format(name=host)
    return ""


def _racer(before: Session, racer: Racer, after: Session) -> str:
    was = next((other for other in before.racers if other.player == racer.player), None)
    if racer.player == after.player:
        return ""
    if was is None:
        return tr("{name} has a seat").format(name=racer.name)
    if racer.state != was.state and racer.state in {"finished", "resigned", "out_of_time"}:
        return f"{racer.name}: {state_text(racer, after)}"
    return ""
