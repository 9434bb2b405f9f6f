"""Settings as people type them."""

from typing import get_args

import pytest

from client_cli import language
from client_cli.settings import CHOICES, LABELS, BadSetting, changed, said
from protocol.commands import Settings, WatchPolicy


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("cells", "3", Settings(cells=3)),
        ("CELLS", " 3 ", Settings(cells=3)),
        ("deal", "617", Settings(deal=617)),
        ("deal", "8589934591", Settings(deal=8589934591)),
        ("deal", "FC1-C4-AAAAAKH", Settings(deal="FC1-C4-AAAAAKH")),
        ("deal", "Random", Settings()),
        ("deal", "1e3", Settings(deal="1e3")),
        ("rules", "App", Settings(ruleset="app")),
        ("ruleset", "solitarium", Settings(ruleset="solitarium")),
        ("time-limit", "60", Settings(time_limit_s=60)),
        ("time_limit_s", "60", Settings(time_limit_s=60)),
        ("countdown", "0", Settings(countdown_s=0)),
        ("delay", "5", Settings(delay_s=5)),
        ("watch", "LIVE", Settings(watch="live")),
        ("returns", "yes", Settings(returns=True)),
        ("hints", "off", Settings(hints=False)),
        ("undo_limit", "7", Settings(undo_limit=7)),
        ("undo-limit", "rules", Settings()),
        ("undo-limit", "none", Settings()),
        ("undo-limit", "as the rules have it", Settings()),
        ("max_racers", "100", Settings(max_racers=100)),
    ],
)
def test_what_is_meant(name: str, value: str, wanted: Settings) -> None:
    assert changed(Settings(), name, value) == wanted


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("cells", "5", "1 to 4"),
        ("cells", "two", "1 to 4"),
        ("deal", "0", "from 1 to 8589934591"),
        ("deal", "-1", "from 1 to 8589934591"),
        ("deal", "8589934592", "from 1 to 8589934591"),
        ("deal", "x" * 40, "from 1 to 8589934591"),
        ("ruleset", "poker", "classic, app, solitarium, cardems or race"),
        ("watch", "always", "none, progress, delayed or live"),
        ("hints", "maybe", "yes or no"),
        ("time_limit_s", "1e3", "10 to 86400"),
        ("colour", "red", "there is no setting 'colour'; there are rules, cells, deal, time-limit"),
        ("time-limit", "1", "time-limit is 10 to 86400 seconds; not '1'"),
        ("rules", "poker", "rules is classic"),
        ("seats", "1", "seats is 2 to 100"),
    ],
)
def test_what_cannot_be_is_said(name: str, value: str, why: str) -> None:
    with pytest.raises(BadSetting, match=why):
        changed(Settings(), name, value)


def test_another_ruleset_brings_its_own_rules() -> None:
    before = Settings(cells=3, returns=False, undo_limit=5, hints=True, max_racers=3)
    assert changed(before, "ruleset", "app") == Settings(ruleset="app", max_racers=3)


def test_every_setting_can_be_set() -> None:
    assert set(CHOICES) == set(Settings.__struct_fields__)
    assert set(LABELS) == set(CHOICES)


def test_an_error_calls_a_setting_as_it_is_called_there() -> None:
    with pytest.raises(BadSetting, match="--cells is 1 to 4; not '9'"):
        changed(Settings(), "cells", "9", "--cells")


def test_what_is_no_name_is_said_and_read_in_the_language_of_the_reader() -> None:
    language.use("pt")
    assert CHOICES["watch"].values == "nada, progresso, com atraso ou ao vivo"
    assert CHOICES["watch"].values_in_shell == "none, progress, delayed ou live"
    assert CHOICES["hints"].values_in_shell == CHOICES["hints"].values
    with pytest.raises(BadSetting, match=r"^--watch: none, progress, delayed ou live; não 'foo'$"):
        changed(Settings(), "watch", "foo", "--watch", is_in_shell=True)
    with pytest.raises(BadSetting, match=r"^watch: nada, progresso, com atraso ou ao vivo; não 'foo'$"):
        changed(Settings(), "watch", "foo")
    for policy in get_args(WatchPolicy):
        assert said(policy) != policy
        for typed in (policy, said(policy), said(policy).upper()):
            assert changed(Settings(), "watch", typed) == Settings(watch=policy)
    for typed in ("random", "aleatória", "Aleatória"):
        assert changed(Settings(deal=617), "deal", typed) == Settings()
    assert changed(Settings(undo_limit=3), "undo-limit", "regras") == Settings()
    assert [said(value) for value in (617, "FC1-C4-AAAAAKH", "race", True)] == [
        *("617", "FC1-C4-AAAAAKH", "race", "sim")
    ]


def test_every_policy_can_be_chosen() -> None:
    assert set(CHOICES["watch"].words) == set(get_args(WatchPolicy))


def test_yes_and_no_are_said_and_read_in_the_language_of_the_reader() -> None:
    language.use("pt")
    assert CHOICES["hints"].values == "sim ou não"
    for word, means in (("sim", True), ("Não", False), ("yes", True), ("no", False)):
        assert changed(Settings(), "hints", word) == Settings(hints=means)
