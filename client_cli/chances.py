"""What can still be won, and could have been, in words. Pure."""

from typing import Final, NamedTuple

from client_cli.language import mark, tr, trn
from client_cli.others import name_of
from client_cli.session import Session
from client_cli.standings import clock_text, in_order
from protocol.commands import Report
from protocol.events import Mark, Parting, Reported, Verdict

LOST: Final = frozenset({"unwinnable", "lost_without_return"})
"""What is said of a board that cannot be won, as things stand."""

_SHORT: Final = {
    "winnable": mark("winnable"),
    "unwinnable": mark("lost"),
    "lost_without_return": mark("lost without a return"),
    "unknown": mark("unknown if winnable"),
}
_SHORTEST: Final = {
    "winnable": mark("winnable"),
    "unwinnable": mark("lost"),
    "lost_without_return": mark("lost w/o return"),
    "unknown": mark("unknown"),
}

WHAT: Final = {
    "move": mark("move"),
    "send": mark("send"),
    "undo": mark("undo"),
    "redo": mark("redo"),
    "restart": mark("restart"),
    "auto_finish": mark("auto-finish"),
}
"""What one does on a board."""


class Chance(NamedTuple):
    """A verdict to stand beside a board: in few words, and in as few as it takes where room is short."""

    short: str
    shortest: str


NO_CHANCE_TOLD: Final = Chance("", "")


def chance_of(verdict: Verdict | None) -> Chance:
    """A verdict for the room there may be; empty without one."""
    if verdict is None:
        return NO_CHANCE_TOLD
    if verdict.moves is not None:
        return _within(verdict.moves)
    return Chance(tr(_SHORT[verdict.what]), tr(_SHORTEST[verdict.what]))


def short_verdict(verdict: Verdict | None) -> str:
    """A verdict in few words; empty without one."""
    return chance_of(verdict).short


def chances() -> list[Chance]:
    """All that can be said of a board, with a long number: to keep room for any of them."""
    return [_within(999), *(Chance(tr(_SHORT[what]), tr(_SHORTEST[what])) for what in _SHORT)]


def _within(moves: int) -> Chance:
    """A way of so many was found; there may be a shorter one, so this is no distance."""
    return Chance(
        trn("winnable within {n} move", "winnable within {n} moves", moves),
        trn("<= {n} move", "<= {n} moves", moves),
    )


def heading(session: Session, player: str) -> str:
    """Whose board follows, and what is known of it."""
    short = short_verdict(session.verdict_on(player))
    name = name_of(session, player)
    return f"{name} ({short}):" if short else f"{name}:"


def verdict_lines(before: Session, event: Verdict, after: Session) -> list[str]:
    """What to tell of a verdict: only what changes, as most boards can be won for long."""
    name, last = name_of(after, event.player), before.last_words.get(event.player, "winnable")
    match event.what:
        case "winnable" if last in LOST:
            return [tr("{name} can win again.").format(name=name)]
        case "unwinnable" if last != event.what:
            return [tr("{name} cannot win any more, short of undoing.").format(name=name)]
        case "lost_without_return" if last != event.what:
            text = tr("{name} cannot win any more without taking a card back off a foundation.")
            return [text.format(name=name)]
        case _:
            return []


def report_on(session: Session, player: str, other: str | None = None) -> Report:
    """The question how a racer's game went, beside another's: the best of the others, if none is named."""
    if other is None:
        others = [racer.player for racer in in_order(session.racers) if racer.player != player]
        other = others[0] if others else None
    return Report("", 0, player, other)


def report_lines(event: Reported, session: Session) -> list[str]:
    """How a racer's game went, a sentence a line.

    Args:
        event: what the server has found.
        session: where; what was known of the deal before the start is told with it.
    """
    is_certified = session.picture is not None and session.picture.life.certified
    lines = [tr("{name}'s game:").format(name=event.name), *_course(event, is_certified=is_certified)]
    if event.parting is not None:
        lines.append(_parting(event.name, event.parting))
    return lines


def _course(event: Reported, *, is_certified: bool) -> list[str]:
    match event.what:
        case "won":
            return [trn("won, in {n} step", "won, in {n} steps", event.steps)]
        case "winnable":
            return [tr("could be won to the end")]
    lost, last = event.lost_from, event.winnable_to
    told: list[str] = []
    if lost is not None and lost.number == 0:
        told.append(tr("the deal itself could not be won"))
    elif lost is not None:
        told.append(tr("could not be won any more from {step} on").format(step=_step(lost)))
    if last is not None and (lost is None or last.number + 1 < lost.number):
        told.append(tr("could be won up to {step}; nobody knows of what came then").format(step=_step(last)))
    if lost is None and last is None:
        unknown = tr("nobody knows whether it could be won")
        told.append(tr("the deal can be won; nobody knows until when") if is_certified else unknown)
    if event.what == "lost_without_return":
        told.append(tr("that is, not without taking a card back off a foundation"))
    return told


def _parting(name: str, parting: Parting) -> str:
    own, other = parting.own, parting.other
    mark_ = own or other
    if mark_ is None:
        return tr("the boards of {name} and {other} never differed").format(name=name, other=parting.name)
    text = tr(
        "the boards of {name} and {other} first differed at step {number}: {name} did {own}, {other} {others}"
    )
    return text.format(
        name=name, other=parting.name, number=mark_.number, own=_done(own), others=_done(other)
    )


def _step(at: Mark) -> str:
    if at.number == 0:
        return tr("the deal")
    text = tr("step {number} ({what}, {time})")
    return text.format(number=at.number, what=_done(at), time=clock_text(at.ms))


def _done(at: Mark | None) -> str:
    """What was done in a step: as typed, or what it was."""
    if at is None:
        return tr("nothing")
    return " ".join(at.notation) if at.notation else tr(WHAT.get(at.what, at.what))
