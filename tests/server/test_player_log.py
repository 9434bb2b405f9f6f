"""Who a player is: his secret, his id, and the log of the races he has a part in."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import encode, read_command
from protocol.commands import Hello
from server import player_log
from server.player_log import Closed, Entered, Event, Player, Registered
from server.race.state import RaceCode
from server.store.base import Stored
from tests.golden.logs import FOLDER, read_rows
from tests.server.race.races import CODE, NEXT_CODE, T0

SECRET = "a" * 26
HASH = player_log.hash_of(SECRET)
GOLDEN = sorted(path.stem for path in FOLDER.glob("player-*.jsonl"))

codes = st.sampled_from([CODE, NEXT_CODE, RaceCode("ZYXWVTSR")])
events = (
    st.builds(Registered, st.text(min_size=1), st.text())
    | st.builds(Entered, codes)
    | st.builds(Closed, codes)
)


def rows(*written: Event) -> list[Stored]:
    return [Stored(seq, T0, b"", player_log.write(event)) for seq, event in enumerate(written, start=1)]


# Secrets and ids.


def test_the_log_holds_a_hash_and_never_the_secret() -> None:
    assert hashlib.sha256(SECRET.encode()).hexdigest() == HASH
    assert SECRET.encode() not in b"".join(row.data for row in rows(Registered(HASH, "Ann")))


def test_the_id_is_made_from_the_secret() -> None:
    digest = hashlib.sha256(SECRET.encode()).digest()
    player = player_log.player_of(SECRET)
    assert re.fullmatch("[a-z2-7]{16}", player)
    # RFC 4648: five bits a letter, most significant first.
    number = int.from_bytes(digest[:10], "big")
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    assert player == "".join(letters[number >> 5 * place & 31] for place in reversed(range(16)))


def test_an_id_that_may_never_change() -> None:
    # Tokens are kept on people's machines; the id of a secret must be the same for ever.
    assert player_log.player_of("a" * 26) == "tf3nksnckek5vnhd"


@given(st.binary(min_size=16, max_size=16))
def test_a_secret_from_16_random_bytes_fits_the_form_of_a_token(randomness: bytes) -> None:
    secret = player_log.secret_from(randomness)
    token = f"{player_log.player_of(secret)}.{secret}"
    hello = Hello(v=1, name="Ann", token=token)
    assert read_command(encode(hello)) == hello


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_other_randomness_is_another_secret_and_another_id(one: bytes, other: bytes) -> None:
    secrets = player_log.secret_from(one), player_log.secret_from(other)
    assert (secrets[0] == secrets[1]) == (one == other)
    assert (player_log.player_of(secrets[0]) == player_log.player_of(secrets[1])) == (one == other)


# The fold.


def test_without_a_log_nobody_exists() -> None:
    assert player_log.fold([]) == Player()
    assert not Player().exists


def test_registered_exists() -> None:
    player = player_log.fold(rows(Registered(HASH, "Ann")))
    assert player == Player(HASH)
    assert player.exists


def test_races_are_open_from_entering_to_closing_in_the_order_of_entering() -> None:
    entered: list[Event] = [Registered(HASH, "Ann"), Entered(CODE), Entered(NEXT_CODE)]
    assert player_log.fold(rows(*entered)).open_races == (CODE, NEXT_CODE)
    assert player_log.fold(rows(*entered, Closed(CODE))).open_races == (NEXT_CODE,)
    assert player_log.fold(rows(*entered, Entered(CODE))).open_races == (NEXT_CODE, CODE)


def test_closing_what_is_not_open_changes_nothing() -> None:
    assert player_log.fold(rows(Registered(HASH, "Ann"), Closed(CODE))).open_races == ()


@given(st.lists(events))
def test_the_open_races_are_those_last_entered_and_not_closed(written: list[Event]) -> None:
    player = player_log.fold(rows(*written))
    last = {event.race: event for event in written if not isinstance(event, Registered)}
    assert set(player.open_races) == {race for race, event in last.items() if isinstance(event, Entered)}
    assert len(set(player.open_races)) == len(player.open_races)
    hashes = [event.secret_hash for event in written if isinstance(event, Registered)]
    assert player.secret_hash == (hashes[-1] if hashes else "")


# Bytes.


@given(events)
def test_an_event_comes_back_from_its_bytes_as_it_was(event: Event) -> None:
    (row,) = rows(event)
    assert player_log._read(row) == event


def test_a_log_of_a_newer_format_is_left_alone() -> None:
    newer = b'["registered", {"what": "nobody knows yet"}, %d]' % (player_log.FORMAT + 1)
    with pytest.raises(player_log.NewerLog, match="this program knows"):
        player_log.fold([Stored(1, T0, b"", newer)])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"7",
        b"[]",
        b'["entered"]',
        b'["left", {}]',
        b"[[], {}]",
        b'["entered", {"race": 7}]',
        b'["registered", {"secret_hash": "0", "name": "Ann"}]',
        b'["registered", {"secret_hash": "0", "name": "Ann"}, "1"]',
        b"[" * 5000,
    ],
)
def test_bytes_that_are_no_event_are_told_with_their_place(data: bytes) -> None:
    with pytest.raises(player_log.BrokenLog, match="event 2"):
        player_log.fold([*rows(Registered(HASH, "Ann")), Stored(2, T0, b"", data)])


@given(st.binary(max_size=60))
def test_any_bytes_are_an_event_or_broken(data: bytes) -> None:
    try:
        player_log.fold([Stored(1, T0, b"", data)])
    except (player_log.BrokenLog, player_log.NewerLog):
        return


# Golden logs.


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_log_folds_to_what_it_always_did(name: str) -> None:
    player = player_log.fold(read_rows(name))
    assert player == Player(HASH, (NEXT_CODE,))


def test_what_is_written_today_is_what_the_golden_log_of_this_format_holds() -> None:
    golden = read_rows(f"player-{player_log.FORMAT}")
    assert [player_log.write(player_log._read(row)) for row in golden] == [row.data for row in golden]
    assert {type(player_log._read(row)) for row in golden} == {Registered, Entered, Closed}
