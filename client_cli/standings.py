"""Who is how far, as text: progress, the lobby, the final standings."""

from typing import Final

from client_cli.language import mark, tr, trn
from client_cli.own_settings import own_deal
from client_cli.session import Session
from client_cli.settings import LABELS, said
from protocol.views import Life, Picture, Racer

CARDS: Final = 52

ROBOTS: Final = {"easy": mark("easy robot"), "even": mark("even robot"), "fast": mark("fast robot")}
"""What robots are called by how fast they play."""

_OVER: Final = {
    "": mark("The race is over."),
    "finished": mark("The race is over."),
    "abandoned": mark("The race is over: everybody left before the start."),
    "expired": mark("The race is over: it was never started."),
}


def progress_line(racer: Racer, session: Session) -> str:
    """A racer's progress in one line: who he is, how far, or how it ended for him."""
    return f"{name_text(racer, session)}: {_progress(racer, session)}"


def progress_text(session: Session) -> str:
    """Everybody's progress, a line each, in order of the standings; of who still races, all of it."""
    picture = session.picture
    if picture is None or not picture.racers:
        return tr("Nobody has a seat.")
    most = max(racer.home for racer in picture.racers)
    lines = [
        ", ".join([progress_line(racer, session), *_pace(racer, most)]) for racer in in_order(picture.racers)
    ]
    if session.watchers and session.phase != "over":
        lines.append(trn("one is watching", "{n} are watching", session.watchers))
    return "\n".join(lines)


def standings_text(session: Session) -> str:
    """How the race ended, or stands."""
    picture = session.picture
    if picture is None:
        return tr("Nothing is known of the race yet.")
    title = tr(_OVER[picture.life.over]) if picture.life.phase == "over" else tr("Standings:")
    return f"{title}\n{progress_text(session)}"


def lobby_text(session: Session) -> str:
    """The lobby: the rules, who is there, who is ready."""
    picture = session.picture
    if picture is None:
        return tr("Nothing is known of the race yet.")
    taken = tr("{taken} of {seats} seats taken").format(
        taken=len(picture.racers), seats=picture.life.settings.max_racers
    )
    title = tr("Race {race}, in the lobby: {taken}").format(race=session.race, taken=taken)
    seats = (
        f"{name_text(racer, session)}: {ready_text(racer)}{_away(racer, session)}" for racer in picture.racers
    )
    return "\n".join([title, *rules_in_words(picture.life, own_deal(session)), *seats])


def rules_in_words(life: Life, named: int | str | None = None) -> list[str]:
    """What is raced on: the server's words for the rules, and the rest.

    Args:
        life: the race.
        named: the deal that the reader himself has named.
    """
    settings, deal = life.settings, _deal_text(life)
    if named is not None and life.daily is None:
        deal = tr("you have named the deal: {deal}").format(deal=named)
    watch = {
        "none": tr("nobody may watch"),
        "progress": tr("watchers see progress only"),
        "delayed": tr("watchers see the boards {seconds} s late").format(seconds=settings.delay_s),
        "live": tr("watchers see the boards live"),
    }[settings.watch]
    limit = tr("time limit {limit}").format(limit=clock_text(settings.time_limit_s * 1000))
    countdown = tr("countdown {seconds} s").format(seconds=settings.countdown_s)
    return ["; ".join(life.rules), f"{deal}; {_known(life)}", f"{limit}; {countdown}; {watch}"]


def changes_in_words(was: Life, life: Life) -> str:
    """What new settings have changed. Which deal it is, nobody is told; that it is another one, all are."""
    changes = [
        f"{tr(label)}: {said(getattr(life.settings, name))}"
        for name, label in LABELS.items()
        if getattr(was.settings, name) != getattr(life.settings, name)
    ]
    if _deal_text(was) != _deal_text(life):
        changes.append(_deal_text(life))
    elif was.deals != life.deals:
        changes.append(tr("another deal"))
    return ", ".join(changes) or tr("the same deal")


def _deal_text(life: Life) -> str:
    if life.daily is not None:
        return tr("the deal of {day}").format(day=life.daily)
    return tr("the host has named the deal") if life.deal_named else tr("a random deal")


def _known(life: Life) -> str:
    """What is known of whether the deal can be won."""
    if life.certified:
        return tr("it can be won")
    return {
        "": tr("nobody knows whether it can be won"),
        "unwinnable": tr("it is proved that it cannot be won"),
        "lost_without_return": tr("it cannot be won unless a card comes back off a foundation"),
    }[life.lost]


def time_text(ms: int) -> str:
    """A time exact to the millisecond, as ranks are decided by: 3:41.207."""
    return f"{clock_text(ms)}.{ms % 1000:03}"


def clock_text(ms: int) -> str:
    """A time in whole seconds: 3:41, 1:02:03."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th; or as the reader's language has it."""
    ending = "th" if rank % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return tr("{ordinal}").format(ordinal=f"{rank}{ending}", n=rank)


def winner_of(picture: Picture) -> Racer | None:
    """Who is first; None if nobody finished."""
    return next((racer for racer in picture.racers if racer.rank == 1 and racer.state == "finished"), None)


def name_text(racer: Racer, session: Session) -> str:
    """A racer's name, and whether that is oneself, a robot, or, where that means something, the host."""
    life = session.picture.life if session.picture else None
    is_host = life is not None and life.phase == "lobby" and life.host == racer.player
    notes = [
        *([tr("you")] if racer.player == session.player else []),
        *([tr("host")] if is_host else []),
        *([tr(ROBOTS[racer.robot])] if racer.robot else []),
    ]
    return f"{racer.name} ({', '.join(notes)})" if notes else racer.name


def in_order(racers: tuple[Racer, ...]) -> list[Racer]:
    """All seats in order of the standings: who has a rank, then who is furthest.

    On even terms they stay as they sit while anybody races, or they would change places at nearly every move;
    of those who are all done, who needed fewer actions is first.
    """
    is_over = all(racer.state not in {"waiting", "racing"} for racer in racers)
    return sorted(
        racers,
        key=lambda racer: (
            racer.rank is None,
            racer.rank or 0,
            -racer.home,
            racer.actions if is_over else 0,
        ),
    )


def resign_question(session: Session) -> str:
    """What is asked before one gives up."""
    if session.picture is not None and session.picture.life.ranked:
        return tr("This ends your ranked attempt, and there is no other at this deal. Stop racing, for good?")
    return tr("Stop racing, for good?")


def ready_text(racer: Racer) -> str:
    """Whether one in the lobby is ready."""
    if racer.no_way:
        return tr("knows no way to win this deal")
    return tr("ready") if racer.ready else tr("not ready")


def _pace(racer: Racer, most: int) -> list[str]:
    """What one who races has done besides, and how far he is behind who has `most` cards home."""
    if racer.state != "racing":
        return []
    behind = most - racer.home
    return [
        *([trn("{n} action", "{n} actions", racer.actions)] if racer.actions else []),
        *([trn("{n} card behind", "{n} cards behind", behind)] if behind else []),
    ]


def _progress(racer: Racer, session: Session) -> str:
    home = tr("{home} of 52 home").format(home=racer.home)
    match racer.state:
        case "waiting" | "resigned" if racer.no_way:
            return tr("knows no way to win this deal")
        case "waiting":
            return tr("ready") if racer.ready else tr("waiting")
        case "racing":
            return home + _away(racer, session)
        case "finished":
            place = ordinal(racer.rank) if racer.rank else tr("finished")
            if racer.ended_ms is None:
                return place
            return tr("{place} in {time}").format(place=place, time=time_text(racer.ended_ms))
        case "resigned":
            return f"{tr('resigned')}, {home}"
        case "out_of_time":
            return f"{tr('out of time')}, {home}"


def _away(racer: Racer, session: Session) -> str:
    return "" if session.here is None or racer.player in session.here else f", {tr('away')}"
