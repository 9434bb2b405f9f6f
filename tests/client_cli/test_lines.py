"""What a typed line means."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from client_cli import language
from client_cli.lines import (
    WORDS,
    Change,
    KickByName,
    Local,
    ReadOut,
    Unclear,
    Wish,
    help_text,
    read_line,
)
from protocol.commands import (
    AddRobot,
    AutoFinish,
    Calc,
    Hint,
    Leave,
    Move,
    Ready,
    Redo,
    Rematch,
    Resign,
    Restart,
    Say,
    Send,
    Start,
    Undo,
)


def moves(*texts: str) -> tuple[Wish, ...]:
    return tuple(Move("", 0, 0, text) for text in texts)


@pytest.mark.parametrize(
    ("line", "wishes"),
    [
        ("", (Local.NOTHING,)),
        ("  ", (Local.NOTHING,)),
        ("3a", moves("3a")),
        ("3a 26  7h", moves("3a", "26", "7h")),
        ("3A 13V2 hs4", moves("3A", "13V2", "hs4")),
        ("1v23 3Vd8", moves("13v2", "38vd")),
        ("1v2 v123 1v23v", moves("1v2", "v123", "1v23v")),
        ("what ever", moves("what", "ever")),
        ("26 r R f", (*moves("26"), Redo("", 0, 0), Restart("", 0, 0), AutoFinish("", 0, 0))),
        ("3a u 26", (*moves("3a"), Undo("", 0, 0), *moves("26"))),
        ("u u", (Undo("", 0, 0), Undo("", 0, 0))),
        ("undo", (Undo("", 0, 0),)),
        ("UNDO", (Undo("", 0, 0),)),
        ("r", (Redo("", 0, 0),)),
        ("R", (Restart("", 0, 0),)),
        ("restart", (Restart("", 0, 0),)),
        ("f", (AutoFinish("", 0, 0),)),
        ("/robot", (AddRobot("", 0, "even"),)),
        ("/robot Fast", (AddRobot("", 0, "fast"),)),
        ("robot easy", (AddRobot("", 0, "easy"),)),
        ("rules", (Local.RULES,)),
        ("s 3", (Send("", 0, 0, "3"),)),
        ("s b 4", (Send("", 0, 0, "b", 4),)),
        ("c hs", (Calc("", 0, "hs"),)),
        ("c3", moves("c3")),
        ("h", (Hint("", 0),)),
        ("b", (Local.BOARD,)),
        ("boards", (Local.BOARDS,)),
        ("l", (ReadOut(),)),
        ("l 3", (ReadOut("3"),)),
        ("look B", (ReadOut("b"),)),
        ("l h", (ReadOut("h"),)),
        ("p", (Local.PROGRESS,)),
        ("q", (Local.QUIT,)),
        ("exit", (Local.QUIT,)),
        ("?", (Local.HELP,)),
        ("/help", (Local.HELP,)),
        ("say  good luck, all", (Say("", 0, "good luck, all"),)),
        ("SAY Glück auf", (Say("", 0, "Glück auf"),)),
        ("ready", (Ready("", 0),)),
        ("unready", (Ready("", 0, ready=False),)),
        ("/start", (Start("", 0),)),
        ("/kick Bob the Great", (KickByName("Bob the Great"),)),
        ("/set cells 3", (Change("cells", "3"),)),
        ("/set cells=3", (Change("cells", "3"),)),
        ("/set watch ao vivo", (Change("watch", "ao vivo"),)),
        ("resign", (Resign("", 0),)),
        ("leave", (Leave("", 0),)),
        ("rematch", (Rematch("", 0),)),
    ],
)
def test_lines_that_mean_something(line: str, wishes: tuple[Wish, ...]) -> None:
    assert read_line(line) == wishes


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("x", "neither a move nor a word"),
        ("3a whatnotatall", "neither a move nor a word"),
        ("/abracad", "neither a move nor a word"),
        ("s", "s needs a pile"),
        ("s 3 99", "s needs a pile"),
        ("s 3 two", "s needs a pile"),
        ("c", "c needs a pile"),
        ("c 3 4", "c needs a pile"),
        ("say", "say needs a text"),
        ("say " + "x" * 301, "say needs a text"),
        ("/kick", "needs a racer's name"),
        ("/robot slow", "may say how fast"),
        ("/set cells", "needs a setting and its value"),
        ("3a q", "must stand alone"),
        ("resign now", "must stand alone"),
        ("3a say hi", "wants more"),
        ("3a s", "wants more"),
    ],
)
def test_lines_that_mean_nothing_say_what_would(line: str, why: str) -> None:
    unclear = read_line(line)
    assert isinstance(unclear, Unclear)
    assert why in unclear.why


@given(st.text(max_size=400))
def test_every_line_can_be_typed(line: str) -> None:
    assert read_line(line)


def test_help_names_every_word() -> None:
    text = help_text()
    for word in WORDS:
        assert f"  {word.usage} {word.argument}".rstrip() in text
        assert word.meaning in text


def test_help_translates_what_is_told_and_not_what_is_typed() -> None:
    language.use("pt")
    text = help_text()
    for word in WORDS:
        assert f"  {word.usage} " in text
        assert word.meaning not in text
    assert "  s PILHA [N.º]" in text


def test_no_name_means_two_things() -> None:
    names = [name for word in WORDS for name in word.names]
    assert len(names) == len(set(names))
