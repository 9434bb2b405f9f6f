from dataclasses import FrozenInstanceError, replace

import pytest

from server.freecell.rulesets import RULESETS, RulesError, Scoring, Send, customise, differences

COLUMNS = ("classic", "app", "solitarium", "cardems", "race")

TABLE = {
    "cells": (4, 4, 4, 4, 4),
    "allowed_cells": ((4,), (4, 2, 1), (4,), (4,), (4, 3, 2, 1)),
    "returns": (False, True, True, True, False),
    "send": (Send.NONE, Send.HOME, Send.FULL_RETURNS, Send.NONE, Send.FULL),
    "auto_finish": (False, False, True, False, True),
    "undo_limit": (None, 100, 200, None, None),
    "redo": (False, False, True, False, True),
    "hints": (False, False, True, False, False),
    "scoring": (Scoring.HOME, Scoring.APP, Scoring.NONE, Scoring.CARDEMS, Scoring.HOME),
}


def test_there_are_five_rulesets() -> None:
    assert tuple(RULESETS) == COLUMNS
    assert [rules.name for rules in RULESETS.values()] == list(COLUMNS)


@pytest.mark.parametrize("row", TABLE)
def test_the_table_of_the_rules(row: str) -> None:
    assert tuple(getattr(RULESETS[name], row) for name in COLUMNS) == TABLE[row]


def test_the_rulesets_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        RULESETS["race"].cells = 3  # type: ignore[misc]  # what is to fail
    with pytest.raises(TypeError):
        RULESETS["race"] = RULESETS["app"]  # type: ignore[index]  # what is to fail


@pytest.mark.parametrize("name", COLUMNS)
def test_a_plain_ruleset_has_no_differences(name: str) -> None:
    assert customise(name) == RULESETS[name]
    assert differences(customise(name)) == ()


def test_what_is_left_out_stays_as_the_ruleset_has_it() -> None:
    assert customise("app", 2) == replace(RULESETS["app"], cells=2)
    assert customise("app", hints=True).undo_limit == 100
    assert customise("app", undo_limit=None).undo_limit is None
    assert customise("race", undo_limit=0).undo_limit == 0


def test_changes_are_told_in_words() -> None:
    assert differences(customise("race", 3, returns=True, undo_limit=5, hints=True)) == (
        "3 free cells",
        "cards may come back off the foundations",
        "undo of the last 5 actions",
        "hints",
    )
    assert differences(customise("solitarium", returns=False, undo_limit=None, hints=False)) == (
        "no card comes back off a foundation",
        "undo without limit",
        "no hints",
    )
    assert differences(customise("race", 1, undo_limit=0)) == ("1 free cell", "no undo")
    assert differences(customise("race", undo_limit=1)) == ("undo of the last action only",)


def test_the_free_cells_are_those_the_ruleset_has() -> None:
    for name, rules in RULESETS.items():
        for cells in range(-1, 6):
            if cells in rules.allowed_cells:
                assert customise(name, cells).cells == cells
            else:
                with pytest.raises(RulesError, match=f"{name} is played with .* free cells, not {cells}"):
                    customise(name, cells)


@pytest.mark.parametrize(
    ("name", "cells", "said"),
    [
        ("app", 3, "app is played with 4, 2, 1 free cells, not 3"),
        ("classic", 3, "classic is played with 4 free cells, not 3"),
        ("race", True, "race is played with 4, 3, 2, 1 free cells, not True"),
    ],
)
def test_the_refusal_says_the_choice(name: str, cells: int, said: str) -> None:
    with pytest.raises(RulesError) as refused:
        customise(name, cells)
    assert str(refused.value) == said


def test_an_unknown_ruleset_is_refused_with_the_list() -> None:
    with pytest.raises(
        RulesError, match=r"no ruleset 'x\\x1b'; there are classic, app, solitarium, cardems, race"
    ):
        customise("x\x1b")


@pytest.mark.parametrize("limit", [-1, 3001])
def test_an_undo_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(RulesError, match=f"0 to 3000 actions, or none, not {limit}"):
        customise("race", undo_limit=limit)
