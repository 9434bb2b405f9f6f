import asyncio
from pathlib import Path

import pytest

from server.cli import main
from server.daily.calendar import starts_ms
from server.daily.drawing import commitment_of, deal_of, value_of
from server.daily.keys import make_key
from server.daily.naming import Daily
from server.store.sqlite import open_sqlite
from tests.clock import FakeClock

DAY = "2026-11-29"
VALUE = value_of(b"k" * 32, Daily(DAY, 2))
COMMITMENT = commitment_of(Daily(DAY, 2), VALUE)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["daily-proof", *arguments])
    return (status, *capsys.readouterr())


def test_a_promise_that_was_kept(capsys: pytest.CaptureFixture[str]) -> None:
    given = (DAY, "--cells", "2", "--value", VALUE.hex(), "--commitment", COMMITMENT.upper())
    status, out, _ = told(capsys, *given)
    assert status == 0
    assert f"deal        {deal_of(VALUE, 2)} (FC1-C2-" in out
    assert out.endswith("kept: this value was committed to, and it draws this deal\n")


@pytest.mark.parametrize(
    "changed",
    [{"day": "2026-11-28"}, {"cells": "4"}, {"value": "00" * 32}, {"commitment": "00" * 32}],
)
def test_a_promise_that_was_not_kept(capsys: pytest.CaptureFixture[str], changed: dict[str, str]) -> None:
    given = {"day": DAY, "cells": "2", "value": VALUE.hex(), "commitment": COMMITMENT, **changed}
    options = [word for name in ("cells", "value", "commitment") for word in (f"--{name}", given[name])]
    status, out, _ = told(capsys, given["day"], *options)
    assert status == 1
    assert "NOT what was committed to" in out


def test_without_a_commitment_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, DAY, "--cells", "2", "--value", VALUE.hex())
    assert status == 0
    assert f"commitment  {COMMITMENT}\n" in out
    assert "compare" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("2026-02-30", "--value", "00" * 32), "a day looks like"),
        ((DAY, "--value", "00"), "--value is 64 hexadecimal digits"),
        ((DAY, "--value", "00" * 32, "--commitment", "x"), "--commitment is 64 hexadecimal digits"),
        ((DAY, "--commitment", "00" * 32), "--commitment goes with --value"),
        ((DAY, "--cells", "3"), "for 4 and for 2 free cells"),
        ((DAY, "--store", "sqlite:nowhere.db"), "there is no store nowhere.db"),
        ((DAY, "--store", "nonsense"), "a store is sqlite:PATH"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    status, out, error = told(capsys, *arguments)
    assert (status, out) == (2, "")
    assert error.count("\n") == 1
    assert words in error


def test_the_store_tells_of_a_day(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def fill(*, with_key: bool) -> None:
        store = await open_sqlite(path, FakeClock(starts_ms("2020-01-01")))
        if with_key:
            await make_key(store)
        await store.close()

    asyncio.run(fill(with_key=False))
    status, _, error = told(capsys, DAY, "--store", f"sqlite:{path}")
    assert status == 2
    assert "no deals of the day yet" in error
    asyncio.run(fill(with_key=True))
    status, out, _ = told(capsys, "2020-01-01", "--store", f"sqlite:{path}")
    assert status == 0
    assert out.count("value       ") == 2
    assert out.count(", certified") == 2
    status, out, _ = told(capsys, "9000-01-01", "--cells", "4", "--store", f"sqlite:{path}")
    assert status == 1
    assert "not told before the day is closed" in out


def test_a_day_that_is_none_is_told_before_any_store_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = told(capsys, "2026-02-30", "--store", "sqlite:/nowhere/at/all")
    assert (status, err) == (2, "cellrace-server: a day looks like 2026-11-30, not '2026-02-30'\n")
