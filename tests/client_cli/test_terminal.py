"""Text out, lines in."""

import asyncio
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from client_cli.terminal import LINES_AHEAD, EndOfInput, Input, Terminal, Typed, next_line, read_lines


def terminal(*, is_interactive: bool = True, can_clear: bool = True) -> tuple[Terminal, io.StringIO]:
    out = io.StringIO()
    return Terminal(out, is_interactive=is_interactive, can_clear=can_clear), out


def test_text_comes_above_the_prompt() -> None:
    screen, out = terminal()
    screen.prompt()
    screen.prompt()
    screen.say("bob is away.")
    screen.say()
    screen.prompt()
    assert out.getvalue() == "> \r\x1b[Kbob is away.\n> "


def test_a_typed_line_ends_the_prompt() -> None:
    screen, out = terminal()
    screen.prompt("sure? ")
    screen.answered()
    screen.say("one", "two")
    assert out.getvalue() == "sure? one\ntwo\n"


def test_a_simple_terminal_gets_no_control_codes() -> None:
    screen, out = terminal(can_clear=False)
    screen.prompt()
    screen.say("text")
    assert out.getvalue() == "> \ntext\n"


def test_a_pipe_is_not_prompted() -> None:
    screen, out = terminal(is_interactive=False)
    screen.prompt()
    screen.say("text")
    assert out.getvalue() == "text\n"


def test_what_is_said_and_asked_is_broken_at_words_as_wide_as_the_terminal_is_just_then() -> None:
    out, widths = io.StringIO(), [6, 9]
    screen = Terminal(out, is_interactive=True, width=lambda: widths.pop(0))
    screen.say("bob is away")
    screen.prompt("leave it all? ")
    assert out.getvalue() == "bob is\naway\nleave it\nall? "


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    source, sink = os.pipe()
    try:
        yield source, sink
    finally:
        os.close(source)


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([], []),
        ([b"3a\n26\n"], ["3a", "26"]),
        ([b"3", b"a\n2", b"6"], ["3a", "26"]),
        ([b"\n"], [""]),
        (["Glück\n".encode()[:3], "Glück\n".encode()[3:]], ["Glück"]),
        ([b"\xff\xfe\n"], ["\ufffd\ufffd"]),
        ([b"x" * 10_000 + b"\nu\n"], ["x" * 10_000, "u"]),
    ],
)
async def test_lines_come_in_whole_and_then_their_end(chunks: list[bytes], lines: list[str]) -> None:
    inbox: asyncio.Queue[Input] = asyncio.Queue()
    with pipe() as (source, sink):
        read_lines(source, inbox.put_nowait)
        for chunk in chunks:
            os.write(sink, chunk)
        os.close(sink)
        got = [await inbox.get() for _ in range(len(lines) + 1)]
    assert got == [*(Typed(line) for line in lines), EndOfInput()]


async def test_no_more_is_read_than_is_used() -> None:
    inbox: asyncio.Queue[Input] = asyncio.Queue()
    with pipe() as (source, sink):
        os.write(sink, b"b\n" * (LINES_AHEAD + 2))
        os.close(sink)
        read_lines(source, inbox.put_nowait)
        unused = [await inbox.get() for _ in range(LINES_AHEAD)]
        for line in unused[:2]:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await inbox.get()
            assert isinstance(line, Typed)
            line.used()
            assert await inbox.get() == Typed("b")
        assert await inbox.get() == EndOfInput()


async def test_an_endless_line_is_cut() -> None:
    inbox: asyncio.Queue[Input] = asyncio.Queue()
    with pipe() as (source, sink):
        read_lines(source, inbox.put_nowait)
        for _ in range(100):
            await asyncio.to_thread(os.write, sink, b"x" * 10_000)
        os.close(sink)
        line = await inbox.get()
    assert isinstance(line, Typed)
    assert len(line.text) < 100_000


async def test_what_cannot_be_read_has_ended() -> None:
    inbox: asyncio.Queue[Input] = asyncio.Queue()
    with pipe() as (_, sink):
        read_lines(sink, inbox.put_nowait)
        assert await inbox.get() == EndOfInput()
        os.close(sink)


def test_lines_after_the_loop_are_nobodys() -> None:
    inbox: list[Input] = []
    source, sink = os.pipe()

    async def only_begin() -> None:
        read_lines(source, inbox.append)

    asyncio.run(only_begin())
    os.write(sink, b"late\n")
    os.close(sink)
    assert inbox == []


@pytest.mark.parametrize(
    ("typed", "got", "left"),
    [
        (b"y\n3a\n", Typed("y"), b"3a\n"),
        (b"\nu\n", Typed(""), b"u\n"),
        ("não\n".encode(), Typed("não"), b""),
        (b"\xff\n", Typed("\ufffd"), b""),
        (b"y", Typed("y"), b""),
        (b"", EndOfInput(), b""),
        (b"x" * 5000 + b"\nu\n", Typed("x" * 4096), b"u\n"),
    ],
)
async def test_one_line_is_read_and_nothing_after_it(typed: bytes, got: Input, left: bytes) -> None:
    with pipe() as (source, sink):
        os.write(sink, typed)
        os.close(sink)
        assert await next_line(source) == got
        assert os.read(source, 100) == left


async def test_a_terminal_that_went_away_has_no_next_line() -> None:
    main, terminal = os.openpty()
    os.close(main)
    try:
        assert await next_line(terminal) == EndOfInput()
    finally:
        os.close(terminal)
