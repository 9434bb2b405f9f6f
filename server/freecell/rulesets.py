"""The rulesets as data: the four published ones and ``race``, this project's own.

Every place where the published rules differ is a field of ``Rules``; nothing else in the package knows a
ruleset by its name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import EllipsisType, MappingProxyType
from typing import Final

from server.freecell.wording import Wording, counted, say

MAX_UNDO_LIMIT: Final = 3000
"""No racer makes more board commands than this, so a higher limit would mean the same as none."""


class Send(StrEnum):
    """What the tap (``send``) does with a card."""

    NONE = "none"
    HOME = "home"
    """Tries the foundation only."""
    FULL = "full"
    """Foundation, else cascade, else free cell; the head of a run moves the run."""
    FULL_RETURNS = "full_returns"
    """As ``FULL``; on a foundation it takes the top card off."""


class Scoring(StrEnum):
    """How the score of a board is counted; see ``scoring``."""

    NONE = "none"
    HOME = "home"
    APP = "app"
    CARDEMS = "cardems"


@dataclass(frozen=True, slots=True)
class Rules:
    """One ruleset, as played in one race.

    Attributes:
        name: the ruleset it is, or began as.
        cells: free cells on the board.
        allowed_cells: the numbers of free cells this ruleset can be played with, the usual one first.
        returns: whether the top card of a foundation may be taken back.
        send: what ``send`` does.
        auto_finish: whether a won position may be sent home by one command.
        undo_limit: how many of the last actions can be undone; ``None`` is all of them.
        redo: whether what was undone can be made again.
        hints: whether a hint may be asked for.
        scoring: how the score is counted.
    """

    name: str
    cells: int
    allowed_cells: tuple[int, ...]
    returns: bool
    send: Send
    auto_finish: bool
    undo_limit: int | None
    redo: bool
    hints: bool
    scoring: Scoring


class RulesError(ValueError):
    """Rules nobody can play by; says in words what the choice is."""


_CLASSIC = Rules(
    name="classic",
    cells=4,
    allowed_cells=(4,),
    returns=False,
    send=Send.NONE,
    auto_finish=False,
    undo_limit=None,
    redo=False,
    hints=False,
    scoring=Scoring.HOME,
)
_APP = Rules(
    name="app",
    cells=4,
    allowed_cells=(4, 2, 1),
    returns=True,
    send=Send.HOME,
    auto_finish=False,
    undo_limit=100,
    redo=False,
    hints=False,
    scoring=Scoring.APP,
)
_SOLITARIUM = Rules(
    name="solitarium",
    cells=4,
    allowed_cells=(4,),
    returns=True,
    send=Send.FULL_RETURNS,
    auto_finish=True,
    undo_limit=200,
    redo=True,
    hints=True,
    scoring=Scoring.NONE,
)
_CARDEMS = Rules(
    name="cardems",
    cells=4,
    allowed_cells=(4,),
    returns=True,
    send=Send.NONE,
    auto_finish=False,
    undo_limit=None,
    redo=False,
    hints=False,
    scoring=Scoring.CARDEMS,
)
_RACE = Rules(
    name="race",
    cells=4,
    allowed_cells=(4, 3, 2, 1),
    returns=False,
    send=Send.FULL,
    auto_finish=True,
    undo_limit=None,
    redo=True,
    hints=False,
    scoring=Scoring.HOME,
)

RULESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {rules.name: rules for rules in (_CLASSIC, _APP, _SOLITARIUM, _CARDEMS, _RACE)}
)


def customise(
    base_name: str,
    cells: int | None = None,
    *,
    returns: bool | None = None,
    undo_limit: int | EllipsisType | None = ...,
    hints: bool | None = None,
) -> Rules:
    """A ruleset with what a host may change; what is left out stays as the ruleset has it.

    Args:
        base_name: a key of ``RULESETS``.
        cells: free cells, one of the ruleset's ``allowed_cells``.
        returns: whether cards may come back off the foundations.
        undo_limit: 0..3000 actions, or ``None`` for no limit.
        hints: whether hints may be asked for.

    Raises:
        RulesError: saying in words what can be chosen.
    """
    base = RULESETS.get(base_name)
    if base is None:
        text = "there is no ruleset {shown}; there are {rulesets}"
        raise RulesError(say(text, shown=ascii(base_name[:20]), rulesets=", ".join(RULESETS)))
    if cells is not None and (cells is True or cells not in base.allowed_cells):
        text = "{ruleset} is played with {choice} free cells, not {cells}"
        choice = ", ".join(map(str, base.allowed_cells))
        raise RulesError(say(text, ruleset=base.name, cells=cells, choice=choice))
    limit = base.undo_limit if isinstance(undo_limit, EllipsisType) else undo_limit
    if limit is not None and not 0 <= limit <= MAX_UNDO_LIMIT:
        text = "an undo limit is 0 to {most} actions, or none, not {limit}"
        raise RulesError(say(text, most=MAX_UNDO_LIMIT, limit=limit))
    return replace(
        base,
        cells=base.cells if cells is None else cells,
        returns=base.returns if returns is None else returns,
        undo_limit=limit,
        hints=base.hints if hints is None else hints,
    )


def differences(rules: Rules) -> tuple[Wording, ...]:
    """What was changed from the ruleset of that name, a few words each; empty when nothing was.

    Another number of free cells counts as a change, though the ruleset allows it: people must be told of it.
    """
    base = RULESETS[rules.name]
    words: list[Wording] = []
    if rules.cells != base.cells:
        words.append(counted("{n} free cell", "{n} free cells", rules.cells))
    if rules.returns != base.returns:
        words.append(
            say("cards may come back off the foundations")
            if rules.returns
            else say("no card comes back off a foundation")
        )
    if rules.undo_limit != base.undo_limit:
        words.append(_undo_words(rules.undo_limit))
    if rules.hints != base.hints:
        words.append(say("hints") if rules.hints else say("no hints"))
    return tuple(words)


def _undo_words(limit: int | None) -> Wording:
    match limit:
        case None:
            return say("undo without limit")
        case 0:
            return say("no undo")
        case 1:
            return say("undo of the last action only")
        case _:
            return say("undo of the last {limit} actions", limit=limit)
