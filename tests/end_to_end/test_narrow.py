"""Lines in a terminal of 80 cells: nothing is cut in a word, in either language."""

import re
from pathlib import Path

import pytest

from tests.end_to_end.terminal import Terminal, terminal

WIDTH = 80
TYPED = (
    *("?", "l", "b", "p", "h", "c 3", "u", "rules", "boards", "/robot even", "/kick bob", "/set x", "s"),
    *("5a 5b 5c 5d 5h b2 3h", "whatnow", "say good luck to all of you", "R"),
)


def too_wide(screen: Terminal) -> list[str]:
    """Lines that the terminal has to cut. What is redrawn begins anew; a table stands as it is."""
    lines = (line.rpartition("\r")[2] for line in screen.shown.replace("\r\n", "\n").split("\n"))
    return [line for line in lines if len(line) > WIDTH and "\t" not in line]


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("language", "yes", "dealt", "over"),
    [
        ("en", "y", "Your cards are dealt", "The race is over"),
        ("pt", "s", "As suas cartas", "A corrida acabou"),
    ],
)
async def test_a_race_by_lines(tmp_path: Path, language: str, yes: str, dealt: str, over: str) -> None:
    arguments = ("play", "--text", "--deal", "1", "--lang", language)
    async with terminal(tmp_path, "ann", *arguments, size=(WIDTH, 24)) as ann:
        await ann.shows(dealt)
        for line in TYPED:
            await ann.shows("> ")
            ann.type(f"{line}\n")
        ann.type("resign\n")
        await ann.shows(re.escape("N] "))
        ann.type(f"{yes}\n")
        await ann.shows(over)
        await ann.shows("rematch")
        ann.type("report\n")
        await ann.shows("> ")
        ann.type("q\n")
        assert await ann.ends() == 0
        assert too_wide(ann) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("join", "ABCDEFGH", "--server", "ws://127.0.0.1:9/a-rather-long-path-to-nowhere"),
        ("whoami", "--local", "--export"),
        ("completion", "tcsh"),
    ],
)
@pytest.mark.parametrize("language", ["en", "pt"])
async def test_what_goes_wrong(tmp_path: Path, language: str, arguments: tuple[str, ...]) -> None:
    async with terminal(tmp_path, "ann", *arguments, "--lang", language, size=(WIDTH, 24)) as ann:
        assert await ann.ends() != 0
        await ann.shows("cellrace")
        assert too_wide(ann) == []
