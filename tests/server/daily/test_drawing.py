import hashlib
import hmac
import os

import pytest

from server.daily.calendar import shifted
from server.daily.drawing import KEY_BYTES, commitment_of, deal_of, value_of
from server.daily.naming import CELLS, Daily
from server.deals.certified import VERSION, is_certified

KEY = bytes(range(KEY_BYTES))
DAYS = [shifted("2027-12-01", number) for number in range(400)]


def test_a_value_is_the_hmac_of_the_daily() -> None:
    expected = hmac.new(KEY, b"2026-11-30:4", hashlib.sha256).digest()
    assert value_of(KEY, Daily("2026-11-30", 4)) == expected


def test_a_commitment_is_as_the_protocol_says() -> None:
    value = value_of(KEY, Daily("2026-11-30", 2))
    text = f"2026-11-30:2:{VERSION}:{value.hex()}"
    assert commitment_of(Daily("2026-11-30", 2), value) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("cells", CELLS)
def test_every_daily_of_400_days_is_certified_and_they_hardly_repeat(cells: int) -> None:
    deals = [deal_of(value_of(KEY, Daily(day, cells)), cells) for day in DAYS]
    assert all(is_certified(deal, cells) for deal in deals)
    assert len(set(deals)) > 390
    # Never the date taken as the number, as another program had it.
    assert not {int(day.replace("-", "")) for day in DAYS} & set(deals)


def test_the_two_deals_of_a_day_are_different_secrets() -> None:
    for day in DAYS:
        assert value_of(KEY, Daily(day, 4)) != value_of(KEY, Daily(day, 2))


def test_the_table_of_deals_is_part_of_the_promise() -> None:
    daily = Daily("2026-11-30", 4)
    value = value_of(KEY, daily)
    assert commitment_of(daily, value, VERSION) != commitment_of(daily, value, VERSION + 1)


def test_who_knows_yesterday_and_today_knows_nothing_of_tomorrow() -> None:
    """Another key may have led to the very same days up to now: nothing that was told binds what comes.

    What can be shown is that the values look like what an HMAC gives: each bit of the next is a coin.
    """
    ones = 0
    for day in DAYS:
        before, after = value_of(KEY, Daily(day, 4)), value_of(KEY, Daily(shifted(day, 1), 4))
        ones += (int.from_bytes(before, "big") ^ int.from_bytes(after, "big")).bit_count()
    assert abs(ones / len(DAYS) - 128) < 3
    other = os.urandom(KEY_BYTES)
    assert all(value_of(KEY, Daily(day, 4)) != value_of(other, Daily(day, 4)) for day in DAYS)
