import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.gateway.limits import AddressBook, Bucket, Doors, Rate


def takes(bucket: Bucket, now_ms: int) -> int:
    """How many tokens can be taken at once."""
    taken = 0
    while bucket.take(now_ms) == 0:
        taken += 1
    return taken


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(Rate(per_s=10, burst=5), 0)
    assert takes(bucket, 0) == 5
    assert takes(bucket, 1000) == 5
    assert takes(bucket, 1200) == 2
    assert takes(bucket, 3_600_000) == 5


def test_a_refusal_says_how_long_to_wait_and_that_is_enough_and_not_too_much() -> None:
    bucket = Bucket(Rate(per_s=0.5, burst=1), 0)
    assert bucket.take(0) == 0
    wait_ms = bucket.take(0)
    assert 2000 <= wait_ms <= 2001
    assert bucket.take(wait_ms - 5) > 0
    assert bucket.take(wait_ms) == 0


def test_time_that_runs_backwards_gives_nothing() -> None:
    bucket = Bucket(Rate(per_s=1000, burst=1), 1000)
    assert bucket.take(1000) == 0
    assert bucket.take(0) > 0


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=80))
def test_no_bucket_gives_more_than_its_burst_and_its_rate_allow(pauses: list[int]) -> None:
    bucket = Bucket(Rate(per_s=3, burst=4), 0)
    now_ms = taken = 0
    for pause in pauses:
        now_ms += pause
        taken += bucket.take(now_ms) == 0
    assert taken <= 4 + 3 * now_ms / 1000


def test_addresses_do_not_take_from_one_another() -> None:
    book = AddressBook(Rate(per_s=1, burst=2))
    assert [book.take("10.0.0.1", 0) > 0 for _ in range(3)] == [False, False, True]
    assert book.take("10.0.0.2", 0) == 0


def test_full_buckets_are_forgotten_and_the_book_stays_small() -> None:
    book = AddressBook(Rate(per_s=1, burst=1), most=10)
    for second in range(1000):
        assert book.take(f"10.0.0.{second}", second * 1000) == 0
    assert len(book._buckets) <= 10


def test_a_book_of_busy_addresses_forgets_the_oldest_rather_than_grow() -> None:
    book = AddressBook(Rate(per_s=0.001, burst=1), most=10)
    for number in range(1000):
        assert book.take(f"10.0.0.{number}", 0) == 0
    assert len(book._buckets) <= 10
    assert book.take("10.0.0.999", 0) > 0


def test_an_address_that_is_asking_too_much_is_not_forgotten_for_those_that_do_not() -> None:
    book = AddressBook(Rate(per_s=1, burst=1), most=10)
    for number in range(9):
        book.take(f"10.0.0.{number}", 0)
    book.take("busy", 4000)
    for number in range(100, 105):
        book.take(f"10.0.0.{number}", 4000)
    assert book.take("busy", 4000) > 0


def test_doors_count_in_all_and_by_address() -> None:
    doors = Doors(most=3, most_per_address=2)
    assert [bool(doors.enter("a")) for _ in range(3)] == [False, False, True]
    assert doors.enter("b") == ""
    assert "full" in doors.enter("c")
    doors.leave("a")
    assert doors.enter("c") == ""


@pytest.mark.parametrize("rounds", [1000])
def test_doors_remember_nobody_who_has_left(rounds: int) -> None:
    doors = Doors(most=1, most_per_address=1)
    for number in range(rounds):
        assert doors.enter(str(number)) == ""
        doors.leave(str(number))
    assert not doors._open
