import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store.base import Stored
from server.transfer.lines import BadLine, End, EventLine, Head, Line, LogEnd, event_line, read, row_of, write

ROWS = st.builds(
    Stored,
    st.integers(1, 2**53),
    st.integers(0, 2**53),
    st.binary(min_size=8, max_size=8),
    st.binary() | st.text().map(str.encode),
)


@given(ROWS)
def test_an_event_comes_back_as_it_was(row: Stored) -> None:
    line = write(event_line("race:AAAAAAAA", row))
    assert line.count(b"\n") == 1
    back = read(line)
    assert isinstance(back, EventLine)
    assert (back.log, row_of(back)) == ("race:AAAAAAAA", row)


@pytest.mark.parametrize(
    "line", [Head("cellrace", 1), LogEnd("server", 3, None, "00"), LogEnd("server", 3, 7, "00"), End(2, 9)]
)
def test_every_other_line_comes_back_too(line: Line) -> None:
    assert read(write(line)) == line


def test_what_is_text_is_there_to_be_read() -> None:
    row = Stored(1, 1_700_000_000_000, b"\0\1\2\3\4\5\6\7", '["said",{"text":"schön"}]'.encode())
    assert json.loads(write(event_line("race:AAAAAAAA", row))) == {
        "log": "race:AAAAAAAA",
        "seq": 1,
        "at_ms": 1_700_000_000_000,
        "tag": "0001020304050607",
        "data": '["said",{"text":"schön"}]',
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "this is no JSON"),
        (b"{", "this is no JSON"),
        (b'{"a":"\xff"}', "this is no JSON"),
        (b"[" * 100_000, "this is no JSON"),
        (b"[]", "this is no line of an export"),
        (b"7", "this is no line of an export"),
        (b'{"log":"a"}', "this is no line of an export"),
        (b'{"logs":1}', "required field `events`"),
        (b'{"logs":1,"events":"1"}', "Expected `int`, got `str`"),
        (b'{"logs":true,"events":1}', "Expected `int`, got `bool`"),
        (b'{"logs":1,"events":1,"more":1}', "unknown field `more`"),
    ],
)
def test_what_is_no_line_is_refused(text: bytes, words: str) -> None:
    with pytest.raises(BadLine) as refused:
        read(text)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tag": "0", "data": ""}, "the tag is not in hexadecimal"),
        ({"tag": "00"}, "there should be data or data_base64"),
        ({"tag": "00", "data": "", "data_base64": ""}, "there should be data or data_base64"),
        ({"tag": "00", "data_base64": "###"}, "the data is not in base 64"),
        ({"tag": "00", "data_base64": "é"}, "the data is not in base 64"),
    ],
)
def test_what_is_no_event_is_refused(fields: dict[str, str], words: str) -> None:
    line = read(json.dumps({"log": "a", "seq": 1, "at_ms": 1, **fields}).encode())
    assert isinstance(line, EventLine)
    with pytest.raises(BadLine, match=words):
        row_of(line)
