"""Text broken at words."""

import pytest

from client_cli import cli, language
from client_cli.lines import help_text
from client_cli.wrapping import COMMANDS, wrapped


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("as promised before the start", 12, ["as promised", "before the", "start"]),
        ("as promised", 11, ["as promised"]),
        ("as promised", 0, ["as promised"]),
        ("unbreakable", 4, ["unbreakable"]),
        ("one two\nthree four", 7, ["one two", "three", "four"]),
        ("  one two three", 9, ["  one two", "  three"]),
        ("  3a   to cell a", 14, ["  3a   to cell", "       a"]),
        ("  far too wide   for that", 16, ["  far too wide", "  for that"]),
        ("太郎 太郎 太郎", 9, ["太郎 太郎", "太郎"]),
        ("\x1b[31m8♥\x1b[0m \x1b[31m9♥\x1b[0m 10♠", 5, ["\x1b[31m8♥\x1b[0m \x1b[31m9♥\x1b[0m", "10♠"]),
        ("a\tb\tc\td", 3, ["a\tb\tc\td"]),
        ("The replay: cellrace replay A --local", 20, ["The replay:", "cellrace replay A --local"]),
        ("a bot's: cellrace bot: no such option", 20, ["a bot's: cellrace", "bot: no such option"]),
        ("cellrace deal 1, 4 free cells", 20, ["cellrace deal 1, 4", "free cells"]),
        ("  cellrace play   plays at once", 27, ["  cellrace play   plays at", "  once"]),
        ("to have it: sudo apt install x", 20, ["to have it:", "sudo apt install x"]),
        ("  a/python3 -m pip install x", 20, ["  a/python3 -m pip install x"]),
        ("  cellrace join A --server ws://x", 20, ["  cellrace join A --server ws://x"]),
    ],
)
def test_lines_are_broken_between_words(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width).split("\n") == lines


def test_every_command_that_is_to_be_copied_stays_whole() -> None:
    assert set(COMMANDS) == set(cli.COMMANDS)


@pytest.mark.parametrize("code", ["en", "pt"])
def test_all_that_can_be_typed_fits_a_terminal_and_nothing_falls_under_what_is_typed(code: str) -> None:
    language.use(code)
    rows = [line for line in help_text().split("\n") if line.startswith("  ")]
    broken = [(row, wrapped(row, 80).split("\n")) for row in rows if len(row) > 80]
    assert broken
    for row, lines in broken:
        meaning_at = row.rindex("  ") + 2
        assert max(map(len, lines)) <= 80
        assert {len(line) - len(line.lstrip()) for line in lines[1:]} == {meaning_at}
