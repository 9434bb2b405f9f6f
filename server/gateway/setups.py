"""From what a host asks for to what is raced on. The randomness comes from here, once for each race."""

import secrets
from typing import Final

from protocol.commands import Settings
from server.deals.certified import Known, count, draw, known
from server.freecell.code import CodeError, parse_code
from server.freecell.deal import DealError, check_deal
from server.freecell.rulesets import Rules, RulesError, customise
from server.freecell.wording import say, words_of
from server.race.decision import Refusal
from server.race.state import Policy, Setup

NONCE_BYTES: Final = 16
RANDOM: Final = "random"
"""In the place of a deal's number: whichever."""

_DAILY: Final = "daily"
_LOST: Final = (Known.UNWINNABLE, Known.LOST_WITHOUT_RETURN)


def setup_from(settings: Settings) -> Setup | Refusal:
    """A setup with a new nonce and, unless the host named one, a new random deal; or what is wrong."""
    try:
        named, cells = _named_deal(settings)
        undo_limit = ... if settings.undo_limit is None else settings.undo_limit
        rules = customise(
            settings.ruleset, cells, returns=settings.returns, undo_limit=undo_limit, hints=settings.hints
        )
    except (CodeError, DealError) as error:
        return Refusal("bad_deal", words_of(error))
    except RulesError as error:
        return Refusal("bad_settings", words_of(error))
    deal = _random_deal(rules) if named is None else named
    what_is_known = known(deal, rules.cells, returns=rules.returns)
    return Setup(
        rules,
        deal,
        secrets.token_hex(NONCE_BYTES),
        named is not None,
        what_is_known is Known.WINNABLE,
        settings.max_racers,
        settings.time_limit_s * 1000,
        settings.countdown_s * 1000,
        Policy(settings.watch),
        settings.delay_s * 1000,
        lost=what_is_known if what_is_known in _LOST else "",
    )


def setup_again(setup: Setup) -> Setup:
    """The same race on another random deal, for a rematch."""
    return Setup(
        setup.rules,
        _random_deal(setup.rules),
        secrets.token_hex(NONCE_BYTES),
        False,
        True,
        setup.max_racers,
        setup.time_limit_ms,
        setup.countdown_ms,
        setup.policy,
        setup.delay_ms,
    )


def names_daily(wanted: int | str) -> bool:
    """Whether settings with this deal name the deal of a day as such, and not by its number."""
    return isinstance(wanted, str) and wanted.partition(":")[0] == _DAILY


def _named_deal(settings: Settings) -> tuple[int | None, int | None]:
    """The deal the host named, if any, and the number of cells."""
    wanted = settings.deal
    if wanted == RANDOM:
        return None, settings.cells
    if isinstance(wanted, int):
        return check_deal(wanted), settings.cells
    deal, cells = parse_code(wanted)
    if settings.cells is not None and settings.cells != cells:
        text = "the code is for {cells} cells, the settings say {wanted}"
        raise CodeError(say(text, cells=cells, wanted=settings.cells))
    return deal, cells


def _random_deal(rules: Rules) -> int:
    """A deal that is known to be winnable with these cells."""
    return draw(rules.cells, secrets.randbelow(count(rules.cells)))
