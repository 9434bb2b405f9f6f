"""Text broken at words, for a person at a terminal. Pure."""

import re
from typing import Final

_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS: Final = (
    *("home", "play", "host", "join", "daily", "board", "me", "watch", "replay", "bot", "rules", "whoami"),
    "completion",
)
_PROGRAM: Final = rf"cellrace (?:{'|'.join(COMMANDS)})|cellrace-server [a-z-]+|sudo \S+|\S*python[\d.]* -m"
_WORD: Final = re.compile(rf"(\s*)((?:{_PROGRAM})(?: \S+)*(?!\S)|\S+)")
"""A word, and what stands before it; a command to be copied, up to the next column, is one word."""
_COLUMN: Final = re.compile(r"\s*\S+(?: \S+)*\s{2,}(?=\S)")
"""What stands left of a second column, as in a list of what can be typed."""


def wrapped(text: str, width: int) -> str:
    """The text in lines of at most so many cells, as far as its words allow.

    Args:
        text: one or more lines. What follows a first column is broken to its own column; rows of tabs stay.
        width: of the terminal; 0 if it is not known, and nothing is broken.
    """
    return "\n".join(_broken(line, width) for line in text.split("\n")) if width > 0 else text


def _broken(line: str, width: int) -> str:
    if "\t" in line or _cells(line) <= width:
        return line
    indent = _indent(line, width)
    done, current = "", ""
    for gap, word in _WORD.findall(line):
        if current.strip() and _cells(current) + _cells(gap) + _cells(word) > width:
            done, current = f"{done}{current}\n", f"{indent}{word}"
        else:
            current += gap + word
    return done + current + line[len(line.rstrip()) :]  # a question ends in a space


def _indent(line: str, width: int) -> str:
    """What the further lines begin with."""
    column = _COLUMN.match(line)
    left = column[0] if column else line[: len(line) - len(line.lstrip())]
    return " " * _cells(left) if _cells(left) <= width // 2 else "  "


def _cells(text: str) -> int:
    plain = _ESCAPE.sub("", text)
    if plain.isascii():
        return len(plain)
    # With it, every program would start noticeably later.
    from rich.cells import cell_len  # noqa: PLC0415

    return cell_len(plain)
