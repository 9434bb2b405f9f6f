import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store.base import PAGE, START, Conflict, Diverged, Stored, Tip, Unavailable
from server.store.redis.packing import missed, pack, tip_of, unpack
from server.store.redis.replies import read_message, read_names, read_reply, read_rows, token_of, write_rows

logs = st.lists(
    st.tuples(st.integers(0, 2**53), st.binary(min_size=8, max_size=8), st.binary(max_size=300)), min_size=1
).map(lambda rows: [Stored(seq, *row) for seq, row in enumerate(rows, 1)])


@given(logs)
def test_rows_come_back_as_they_were_written(log: list[Stored]) -> None:
    assert read_rows(write_rows(log)) == log
    assert read_rows(write_rows(log[-1:])) == log[-1:]
    assert read_rows(b"before" + write_rows(log), 6) == log


@given(logs)
def test_a_log_comes_back_as_it_was_packed(log: list[Stored]) -> None:
    assert unpack(pack(log)) == log


def test_a_log_of_a_race_is_packed_to_a_fraction() -> None:
    move = b'{"t":"moved","player":"abcdefghijklmnop","c":%d,"n":%d,"from":3,"to":7,"count":2}'
    log = [Stored(seq, 10**12 + seq * 1234, b"%08d" % seq, move % (seq, seq)) for seq in range(1, 2000)]
    assert len(pack(log)) * 4 < len(write_rows(log))


@pytest.mark.parametrize("packed", [b"", b"\x02abc", b"\x01", b"\x01garbage"])
def test_what_cannot_be_unpacked_is_said_to_be_so(packed: bytes) -> None:
    with pytest.raises(Unavailable, match="a packed log cannot be read"):
        unpack(packed)


LOG = [Stored(seq, 5, b"tag%05d" % ((seq + 1) // 2), b"x") for seq in range(1, PAGE + 6)]


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        (START, Conflict(tuple(LOG[:PAGE]))),
        (Tip(0, b"tag00001"), Diverged()),
        (Tip(3, b"tag00002"), Conflict(tuple(LOG[3 : PAGE + 3]))),
        (Tip(3, b"tag00001"), Diverged()),
        (Tip(PAGE, b"tag%05d" % (PAGE // 2)), Conflict(tuple(LOG[PAGE:]))),
        (Tip(PAGE + 6, b"tag00001"), Diverged()),
    ],
)
def test_what_was_missed_of_a_packed_log_is_what_was_missed_of_any(
    after: Tip, outcome: Conflict | Diverged
) -> None:
    assert missed(LOG, after) == outcome


def test_the_tip_of_nothing_is_the_start() -> None:
    assert tip_of([]) == START


def test_a_reply_is_taken_apart() -> None:
    bytes_ = b"A" + b"token123" + (1234567).to_bytes(8, "big") + b"rest"
    reply = read_reply(bytes_)
    assert (reply.kind, reply.now_us, reply.body) == ("A", 1234567, b"rest")
    assert token_of(bytes_) == b"token123"


def test_a_message_tells_where_the_log_ended_before() -> None:
    rows = write_rows(LOG[2:4])
    assert read_message((2).to_bytes(8, "big") + b"tag00001" + rows) == (Tip(2, b"tag00001"), LOG[2:4])
    rows = write_rows(LOG[:2])
    assert read_message(bytes(16) + rows) == (START, LOG[:2])


def test_no_names_are_none() -> None:
    assert read_names(b"") == []
    assert read_names(b"a:1 b:2") == ["a:1", "b:2"]
