"""Who is how far, as text: progress bars, the lobby, the final standings."""

from typing import Final

from client_cli.session import Session
from protocol.views import Life, Picture, Racer

CARDS: Final = 52
BAR_WIDTH: Final = 26

_OVER: Final = {
    "": "The race is over.",
    "finished": "The race is over.",
    "abandoned": "The race is over: everybody left before the start.",
    "expired": "The race is over: it was never started.",
}


def progress_line(racer: Racer, session: Session) -> str:
    """A racer's progress in one line: a bar, cards home, what he is doing, who he is."""
    return f"[{_bar(racer.home)}] {racer.home:2}/{CARDS}  {_state(racer, session):24} {_name(racer, session)}"


def progress_text(session: Session) -> str:
    """Everybody's progress, a line each, in order of the standings."""
    picture = session.picture
    if picture is None or not picture.racers:
        return "Nobody has a seat."
    lines = [progress_line(racer, session) for racer in in_order(picture.racers)]
    if session.watchers and session.phase != "over":
        lines.append("1 is watching" if session.watchers == 1 else f"{session.watchers} are watching")
    return "\n".join(lines)


def standings_text(session: Session) -> str:
    """How the race ended, or stands."""
    picture = session.picture
    if picture is None:
        return "Nothing is known of the race yet."
    title = _OVER[picture.life.over] if picture.life.phase == "over" else "Standings:"
    return f"{title}\n{progress_text(session)}"


def lobby_text(session: Session) -> str:
    """The lobby: the rules, who is there, who is ready."""
    picture = session.picture
    if picture is None:
        return "Nothing is known of the race yet."
    seats = f"{len(picture.racers)} of {picture.life.settings.max_racers} seats taken"
    lines = [f"Race {session.race}, in the lobby: {seats}", *_rules(picture.life)]
    for racer in picture.racers:
        ready = "ready" if racer.ready else "not ready yet"
        lines.append(f"  {_name(racer, session)}: {ready}{_away(racer, session)}")
    return "\n".join(lines)


def rules_text(life: Life) -> str:
    """What is raced on."""
    return "\n".join(_rules(life))


def time_text(ms: int) -> str:
    """A time exact to the millisecond, as ranks are decided by: 3:41.207."""
    return f"{clock_text(ms)}.{ms % 1000:03}"


def clock_text(ms: int) -> str:
    """A time in whole seconds: 3:41, 1:02:03."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if rank % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def winner_of(picture: Picture) -> Racer | None:
    """Who is first; None if nobody finished."""
    return next((racer for racer in picture.racers if racer.rank == 1 and racer.state == "finished"), None)


def _rules(life: Life) -> list[str]:
    settings = life.settings
    deal = "the deal was named by the host" if life.deal_named else "a random deal"
    known = "can be won" if life.certified else "not certified to be winnable"
    watch = {
        "none": "nobody may watch",
        "progress": "watchers see progress only",
        "delayed": f"watchers see the boards {settings.delay_s} s late",
        "live": "watchers see the boards live",
    }[settings.watch]
    return [
        f"  {'; '.join(life.rules)}; {deal}, {known}",
        f"  time limit {clock_text(settings.time_limit_s * 1000)}; {watch}",
    ]


def in_order(racers: tuple[Racer, ...]) -> list[Racer]:
    """All seats in order of the standings: who has a rank, then who is furthest."""
    return sorted(racers, key=_place)


def _place(racer: Racer) -> tuple[bool, int, int, int]:
    return (racer.rank is None, racer.rank or 0, -racer.home, racer.actions)


def _bar(home: int) -> str:
    full = home * BAR_WIDTH // CARDS
    return "#" * full + "." * (BAR_WIDTH - full)


def _state(racer: Racer, session: Session) -> str:
    match racer.state:
        case "waiting":
            return "ready" if racer.ready else "waiting"
        case "racing":
            return f"racing{_away(racer, session)}"
        case "finished":
            time = "" if racer.ended_ms is None else f" in {time_text(racer.ended_ms)}"
            return f"{ordinal(racer.rank)}{time}" if racer.rank else f"finished{time}"
        case "resigned":
            return "resigned"
        case "out_of_time":
            return "out of time"


def _away(racer: Racer, session: Session) -> str:
    return "" if session.here is None or racer.player in session.here else ", away"


def _name(racer: Racer, session: Session) -> str:
    host = session.picture is not None and session.picture.life.host == racer.player
    notes = [word for word, holds in (("you", racer.player == session.player), ("host", host)) if holds]
    return f"{racer.name} ({', '.join(notes)})" if notes else racer.name
