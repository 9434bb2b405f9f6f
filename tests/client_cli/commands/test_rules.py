from pathlib import Path

import pytest

from client_cli import language
from client_cli.screens.rules_text import RULESETS
from server.freecell.rulesets import RULESETS as PLAYED
from server.freecell.rulesets import Rules, Send
from tests.client_cli.commands.running import command


@pytest.mark.parametrize(("lang", "word"), [("en", "Foundations:"), ("pt", "Fundações:")])
async def test_the_rules_are_printed(tmp_path: Path, lang: str, word: str) -> None:
    async with command(tmp_path) as running:
        assert await running.run("rules", "--lang", lang) == 0
    language.use("en")
    assert word in running.shown
    assert all(f"\n{name}: " in running.shown for name in RULESETS)
    assert max(len(line) for line in running.shown.splitlines()) <= 78


async def test_one_ruleset_is_printed(tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        assert await running.run("rules", "app") == 0
    assert "\napp: 1, 2 or 4 free cells" in running.shown
    assert "cardems" not in running.shown


def in_words(rules: Rules) -> str:
    """A ruleset as its paragraph has it."""
    cells = {(4,): "4", (4, 3, 2, 1): "1 to 4", (4, 2, 1): "1, 2 or 4"}[rules.allowed_cells]
    returns = "cards may come" if rules.returns else "no card comes"
    helps = {
        (Send.NONE, False): "neither send nor auto-finish",
        (Send.HOME, False): "send goes home only, no auto-finish",
        (Send.FULL, True): "send and auto-finish",
        (Send.FULL_RETURNS, True): "send and auto-finish",
    }[rules.send, rules.auto_finish]
    undo = "all actions" if rules.undo_limit is None else f"the last {rules.undo_limit} actions"
    redo = "and redo" if rules.redo else "no redo"
    hints = "hints" if rules.hints else "no hints"
    return (
        f"{rules.name}: {cells} free cells; {returns} back off the foundations; {helps}; undo of {undo},"
        f" {redo}; {hints}."
    )


def test_what_is_printed_is_what_is_played() -> None:
    assert dict(RULESETS) == {name: in_words(rules) for name, rules in PLAYED.items()}
