"""Waits grow, up to a bound, with chance in them."""

from itertools import islice

from client_cli.waits import growing_waits


def test_they_double_up_to_ten_seconds() -> None:
    waits = list(islice(growing_waits(lambda: 0.0), 8))
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]


def test_chance_takes_up_to_a_half_off() -> None:
    assert list(islice(growing_waits(lambda: 1.0), 3)) == [0.1, 0.2, 0.4]
