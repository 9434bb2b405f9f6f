from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from protocol.commands import Settings
from server.deals.certified import is_certified
from server.freecell.deal import MAX_DEAL, UNWINNABLE_WITH_4
from server.freecell.rulesets import RULESETS
from server.gateway.setups import setup_again, setup_from
from server.race.decision import Refusal
from server.race.state import Policy, Setup


def setup(**settings: Any) -> Setup:
    made = setup_from(Settings(**settings))
    assert isinstance(made, Setup), made
    return made


def refusal(**settings: Any) -> Refusal:
    made = setup_from(Settings(**settings))
    assert isinstance(made, Refusal), made
    return made


def test_what_is_not_said_has_its_default() -> None:
    made = setup()
    assert made.rules == RULESETS["race"]
    assert (made.max_racers, made.time_limit_ms, made.countdown_ms) == (8, 1_800_000, 5_000)
    assert (made.policy, made.delay_ms) == (Policy.DELAYED, 30_000)
    assert not made.deal_named
    assert made.certified


def test_all_that_a_host_decides_arrives() -> None:
    made = setup(
        ruleset="app",
        cells=2,
        deal=617,
        max_racers=3,
        time_limit_s=60,
        countdown_s=0,
        watch="none",
        delay_s=5,
        returns=False,
        undo_limit=7,
        hints=True,
    )
    rules = made.rules
    assert (rules.name, rules.cells, rules.returns, rules.undo_limit, rules.hints) == (
        "app",
        2,
        False,
        7,
        True,
    )
    assert (made.deal, made.deal_named, made.max_racers, made.time_limit_ms) == (617, True, 3, 60_000)
    assert (made.countdown_ms, made.policy, made.delay_ms) == (0, Policy.NONE, 5_000)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_can_be_raced_on(ruleset: str) -> None:
    assert setup(ruleset=ruleset).rules == RULESETS[ruleset]


def test_ten_thousand_random_deals_are_winnable_and_hardly_ever_the_same() -> None:
    deals = Counter(setup().deal for _ in range(10_000))
    assert not UNWINNABLE_WITH_4 & set(deals)
    assert all(1 <= deal <= 1_000_000 for deal in deals)
    # Of ten thousand out of a million some 50 pairs fall together; ten times that would be no chance.
    assert len(deals) > 9_500
    assert max(deals.values()) < 6


def test_no_two_races_share_a_nonce() -> None:
    nonces = {setup(deal=1).nonce for _ in range(1000)}
    assert len(nonces) == 1000
    assert all(len(bytes.fromhex(nonce)) == 16 for nonce in nonces)


def test_a_deal_may_be_named_by_number_or_code() -> None:
    assert setup(deal=MAX_DEAL).deal == MAX_DEAL
    made = setup(deal=" fc1-c2-aaaaakh ", ruleset="app")
    assert (made.deal, made.rules.cells, made.deal_named) == (327, 2, True)


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"deal": "daily"}, "bad_deal", "FC1"),
        ({"deal": "FC1-C4-0000000"}, "bad_deal", "0"),
        ({"deal": "FC1-C4-AAAAAA"}, "bad_deal", ""),
        ({"deal": "FC1-C5-AAAAAKH"}, "bad_deal", "5"),
        ({"deal": "FC1-C4-AAAAAAA"}, "bad_deal", "8589934591"),
        ({"deal": "FC1-C2-AAAAAKH", "cells": 3, "ruleset": "race"}, "bad_deal", "2 cells"),
        ({"deal": "FC1-C2-AAAAAKH", "ruleset": "classic"}, "bad_settings", "classic"),
        ({"cells": 3, "ruleset": "classic"}, "bad_settings", "classic"),
        ({"cells": 3, "ruleset": "app"}, "bad_settings", "app"),
    ],
)
def test_what_cannot_be_is_refused_saying_what(settings: dict[str, Any], code: str, words: str) -> None:
    made = refusal(**settings)
    assert made.code == code
    assert words in made.detail.replace(" ", "") + made.detail


def test_a_number_out_of_range_is_refused_even_if_the_codec_let_it_through() -> None:
    for deal in (0, -1, MAX_DEAL + 1):
        assert refusal(deal=deal).code == "bad_deal"


@pytest.mark.parametrize(
    ("deal", "cells", "certified", "lost"),
    [
        (1, 4, True, ""),
        (1_000_000, 4, True, ""),
        (1_000_001, 4, False, ""),
        (11_982, 4, False, "unwinnable"),
        (1, 3, True, ""),
        (1, 1, False, "unwinnable"),
        (32_001, 1, False, ""),
    ],
)
def test_what_is_known_of_a_named_deal_is_told(deal: int, cells: int, certified: bool, lost: str) -> None:
    made = setup(deal=deal, cells=cells)
    assert (made.certified, made.lost) == (certified, lost)


def test_where_cards_come_back_a_deal_is_lost_without_that_only() -> None:
    assert setup(ruleset="app", cells=1, deal=1).lost == "lost_without_return"
    assert setup(ruleset="app", cells=1, deal=1, returns=False).lost == "unwinnable"
    assert setup(ruleset="app", cells=1, deal=11_982).lost == "unwinnable"


@pytest.mark.parametrize("cells", [1, 2, 3])
def test_a_random_deal_can_be_won_with_the_cells_of_the_race(cells: int) -> None:
    for _ in range(200):
        made = setup(cells=cells)
        assert made.certified
        assert not made.lost
        assert is_certified(made.deal, cells)


def test_a_rematch_is_the_same_race_on_another_random_deal() -> None:
    first = setup(ruleset="app", cells=2, deal=617, max_racers=3, watch="live", hints=True)
    assert not first.certified
    again = setup_again(first)
    assert again == replace(
        first, deal=again.deal, nonce=again.nonce, deal_named=False, certified=True, lost=""
    )
    assert again.nonce != first.nonce
    assert is_certified(again.deal, 2)
    assert len({setup_again(first).deal for _ in range(20)}) > 15
