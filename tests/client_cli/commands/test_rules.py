from pathlib import Path

import pytest

from client_cli import language
from tests.client_cli.commands.running import command


@pytest.mark.parametrize(("lang", "word"), [("en", "Foundations:"), ("pt", "Fundações:")])
async def test_the_rules_are_printed(tmp_path: Path, lang: str, word: str) -> None:
    async with command(tmp_path) as running:
        assert await running.run("rules", "--lang", lang) == 0
    language.use("en")
    assert word in running.shown
    assert max(len(line) for line in running.shown.splitlines()) <= 78
