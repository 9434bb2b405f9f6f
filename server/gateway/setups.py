"""From what a host asks for to what is raced on. The randomness comes from here, once for each race."""

import secrets
from typing import Final

from protocol.commands import Settings
from server.freecell.code import CodeError, parse_code
from server.freecell.deal import UNWINNABLE_WITH_4, DealError, check_deal
from server.freecell.rulesets import Rules, RulesError, customise
from server.freecell.wording import say, words_of
from server.race.decision import Refusal
from server.race.state import Policy, Setup

_CERTIFIED_UP_TO: Final = 1_000_000
"""With four cells, all deals up to here but `UNWINNABLE_WITH_4` can be won."""

NONCE_BYTES: Final = 16


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
    deal = _random_deal() if named is None else named
    return Setup(
        rules,
        deal,
        secrets.token_hex(NONCE_BYTES),
        named is not None,
        is_certified(deal, rules),
        settings.max_racers,
        settings.time_limit_s * 1000,
        settings.countdown_s * 1000,
        Policy(settings.watch),
        settings.delay_s * 1000,
    )


def setup_again(setup: Setup) -> Setup:
    """The same race on another random deal, for a rematch."""
    deal = _random_deal()
    return Setup(
        setup.rules,
        deal,
        secrets.token_hex(NONCE_BYTES),
        False,
        is_certified(deal, setup.rules),
        setup.max_racers,
        setup.time_limit_ms,
        setup.countdown_ms,
        setup.policy,
        setup.delay_ms,
    )


def is_certified(deal: int, rules: Rules) -> bool:
    """Whether the deal is known to be winnable with these cells (facts of Microsoft's deals; see `deal`)."""
    return rules.cells == 4 and deal <= _CERTIFIED_UP_TO and deal not in UNWINNABLE_WITH_4


def _named_deal(settings: Settings) -> tuple[int | None, int | None]:
    """The deal the host named, if any, and the number of cells."""
    wanted = settings.deal
    if wanted == "random":
        return None, settings.cells
    if isinstance(wanted, int):
        return check_deal(wanted), settings.cells
    deal, cells = parse_code(wanted)
    if settings.cells is not None and settings.cells != cells:
        text = "the code is for {cells} cells, the settings say {wanted}"
        raise CodeError(say(text, cells=cells, wanted=settings.cells))
    return deal, cells


def _random_deal() -> int:
    """A deal that can be won with four cells."""
    while True:
        deal = secrets.randbelow(_CERTIFIED_UP_TO) + 1
        if deal not in UNWINNABLE_WITH_4:
            return deal
