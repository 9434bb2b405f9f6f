import hashlib
import json
import re
from collections.abc import Callable

import pytest

from server.store.base import CLEAR, START, Stored, Tip
from server.store.sqlite import SqliteStore
from server.transfer import importing
from server.transfer.importing import BadInput
from server.transfer.lines import End, Head, LogEnd, write
from tests.clock import FakeClock
from tests.contract.helpers import fill, put, read_all
from tests.server.transfer.logs import contents, exported, fill_store, imported, quiet

Change = Callable[[list[bytes]], list[bytes]]


@pytest.fixture
async def lines(store: SqliteStore, clock: FakeClock) -> list[bytes]:
    """An export of four logs. Lines 2 and 3 are `player:ann`, 4 to 7 `race:AAAAAAAA`."""
    await fill_store(store, clock)
    return await exported(store)


async def test_what_is_there_already_is_passed_over(other: SqliteStore, lines: list[bytes]) -> None:
    await imported(other, lines)
    before = await contents(other)
    again = quiet("imported")
    result = await imported(other, lines, again)
    assert (again.logs, result.already_there, result.different) == (0, 4, [])
    assert await contents(other) == before


async def test_what_is_there_and_different_is_left_alone_and_named(
    store: SqliteStore, other: SqliteStore, lines: list[bytes]
) -> None:
    await put(other, "race:AAAAAAAA", START, b"another race")
    theirs = await read_all(other, "race:AAAAAAAA")
    progress = quiet("imported")
    result = await imported(other, lines, progress)
    assert (progress.logs, result.already_there, result.different) == (3, 0, ["race:AAAAAAAA"])
    assert await read_all(other, "race:AAAAAAAA") == theirs
    assert await read_all(other, "race:BBBBBBBB") == await read_all(store, "race:BBBBBBBB")


async def test_a_log_that_has_gone_on_since_is_different(other: SqliteStore, lines: list[bytes]) -> None:
    await imported(other, lines)
    (row,) = await read_all(other, "player:ann")
    await put(other, "player:ann", Tip(row.seq, row.tag), b"more")
    assert (await imported(other, lines)).different == ["player:ann"]


@pytest.mark.parametrize("held", [499, 500, 501, 1000])
async def test_a_log_that_is_there_in_part_is_different(
    store: SqliteStore, other: SqliteStore, held: int
) -> None:
    await fill(store, "race:CCCCCCCC", 500)
    await other.restore("race:CCCCCCCC", await read_all(store, "race:CCCCCCCC"), CLEAR)
    lines = await exported(other)
    rows = [Stored(seq, 1, b"8 bytes.", b"%d" % seq) for seq in range(1, held + 1)]
    await store.restore("race:DDDDDDDD", rows, CLEAR)
    assert (await imported(store, lines)).already_there == 1
    theirs = [line.replace(b"CCCCCCCC", b"DDDDDDDD") for line in lines[1:-2]]
    digest = hashlib.sha256(b"".join(theirs)).hexdigest()
    end = write(LogEnd("race:DDDDDDDD", 500, None, digest))
    assert (await imported(store, [lines[0], *theirs, end, lines[-1]])).different == ["race:DDDDDDDD"]


async def test_wherever_it_is_cut_off_the_logs_before_are_whole_and_the_rest_is_not_there(
    store: SqliteStore, other: SqliteStore, lines: list[bytes]
) -> None:
    known = {name: await read_all(store, name) for name in await store.list_logs("")}
    text = b"".join(lines)
    for length in range(len(text)):
        cut = text[:length]
        with pytest.raises(BadInput) as refused:
            await imported(other, [cut])
        at_line = cut.count(b"\n") + 1
        assert str(refused.value) == f"line {at_line}: the export ends here, before its last line"
        for name in await other.list_logs(""):
            assert await read_all(other, name) == known[name]
    await imported(other, lines)
    assert await contents(other) == await contents(store)


def replace(number: int, old: bytes, new: bytes) -> Change:
    """Change a line; the first has number 1."""

    def change(lines: list[bytes]) -> list[bytes]:
        assert old in lines[number - 1]
        return [*lines[: number - 1], lines[number - 1].replace(old, new), *lines[number:]]

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: [b"hello\n"], "line 1: this is no JSON"),
        (lambda lines: lines[1:], "line 1: this is not the first line of an export"),
        (replace(1, b"cellrace", b"other"), "line 1: this is not the first line of an export"),
        (
            replace(1, b'"form":1', b'"form":2'),
            "line 1: the export has form 2, and this program",
        ),
        (replace(2, b'"seq":1', b'"seq":2'), "line 2: this should be event 1 of player:ann"),
        (
            replace(2, b"registered", b"resistered"),
            "line 3: the events of player:ann are not those",
        ),
        (replace(2, b'"tag":"', b'"tag":"x'), "line 2: the tag is not in hexadecimal"),
        (
            replace(3, b"player:ann", b"player:bob"),
            "line 3: this should say that player:ann ends",
        ),
        (
            replace(3, b'"events":1', b'"events":2'),
            "line 3: this should say that player:ann ends",
        ),
        (lambda lines: [lines[0], *lines[2:]], "line 2: a log should begin here"),
        (lambda lines: [*lines[:2], *lines[3:]], "line 3: this should be event 2 of player:ann"),
        (lambda lines: [*lines[:4], *lines[5:]], "line 5: this should be event 2 of race:AAAAAAAA"),
        (lambda lines: [*lines[:6], *lines[7:]], "line 7: this should be event 4 of race:AAAAAAAA"),
        (lambda lines: [*lines[:3], lines[0], *lines[3:]], "line 4: a log should begin here"),
        (
            lambda lines: [*lines[:3], *lines[7:]],
            "line 9: there should be 4 logs with 7 events, and 0 results, before",
        ),
        (lambda lines: [*lines, lines[-1]], "line 14: this follows the last line of the export"),
        (lambda lines: [*lines, b"\n"], "line 14: this follows the last line of the export"),
        (lambda lines: [*lines[:3], b"\n", *lines[3:]], "line 4: this is no JSON"),
    ],
)
async def test_what_is_damaged_is_refused_with_its_line(
    other: SqliteStore, lines: list[bytes], change: Change, words: str
) -> None:
    with pytest.raises(BadInput, match=f"^{re.escape(words)}"):
        await imported(other, change(lines))


def sealed(*rows: str, due: str = "null") -> list[bytes]:
    """An export of one log with these events, as somebody might make it who can compute a digest."""
    events = [row.encode() + b"\n" for row in rows]
    digest = hashlib.sha256(b"".join(events)).hexdigest()
    name = json.loads(rows[0])["log"]
    end = f'{{"log":{json.dumps(name)},"events":{len(rows)},"due_ms":{due},"sha256":"{digest}"}}\n'.encode()
    return [write(Head("cellrace", 1)), *events, end, write(End(1, len(rows)))]


ROW = '{"log":"a","seq":1,"at_ms":5,"tag":"0000000000000000","data":"x"}'


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (sealed(ROW.replace('"a"', '"a b"')), "line 3: a b: the name of a log is printable ASCII"),
        (sealed(ROW.replace('"a"', '""')), "line 3: : the name of a log has 1 to 200"),
        (sealed(ROW.replace("0000000000000000", "00")), "line 3: a: a tag has 8 bytes, not 1"),
        (
            sealed(ROW, ROW.replace('"seq":1,"at_ms":5', '"seq":2,"at_ms":4')),
            "line 4: a: the stamp of",
        ),
        (sealed(ROW, due="-1"), "line 3: a: a deadline is a number from 0"),
    ],
)
async def test_what_no_store_can_have_is_refused(other: SqliteStore, lines: list[bytes], words: str) -> None:
    with pytest.raises(BadInput, match=f"^{re.escape(words)}"):
        await imported(other, lines)
    assert await other.list_logs("") == []


async def test_a_line_without_an_end_is_not_read_for_ever(
    other: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MAX_LINE", 100)
    with pytest.raises(BadInput, match=r"^line 1: this is too long"):
        await imported(other, [b"x" * 101])
