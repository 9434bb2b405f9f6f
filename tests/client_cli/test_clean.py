"""Names and chat of others cannot do anything to a terminal."""

import unicodedata

import hypothesis.strategies as st
import pytest
from hypothesis import given

from client_cli.clean import MAX_MARKS, clean, clean_event
from protocol.events import Presence, Snapshot, Welcome
from protocol.views import ChatLine, ChatSaid, Life, Racer, Terms
from tests.client_cli.samples import BOB, LAYOUT, RACE, TOKEN, ack, racer, snapshot, start_of_race, update


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", " [31mred [0m"),
        ("two\nlines\r\ttab", "two lines  tab"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("right\u202eto\u2066left", "righttoleft"),
        ("private\ue000 lone\ud800", "private lone"),
        ("line\u2028break", "line break"),
        ("Jürgen Ærø", "Jürgen Ærø"),
        ("頑張って Иван", "頑張って Иван"),
        ("\x9b31m", " 31m"),
    ],
)
def test_what_is_left_of_a_text(raw: str, safe: str) -> None:
    assert clean(raw) == safe


def test_a_letter_keeps_only_a_few_marks() -> None:
    assert clean("a" + "\u0301" * 300 + "b") == "a" + "\u0301" * MAX_MARKS + "b"


@given(st.text())
def test_nothing_invisible_is_ever_left(text: str) -> None:
    safe = clean(text)
    assert not any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for char in safe)
    assert clean(safe) == safe


def test_every_text_of_an_event_is_cleaned() -> None:
    dirty = "\x1b]0;title\x07"
    life = Life("lobby", BOB, Terms(), (dirty,), dirty, deal_code=dirty)
    event = Snapshot(RACE, "seat", "racer", 3, "", life, racers=(Racer(BOB, dirty),), boards={dirty: LAYOUT})
    assert "\x1b" not in str(clean_event(event))
    said = update(3, 4, ChatSaid(ChatLine(4, BOB, dirty, dirty)))
    assert "\x1b" not in str(clean_event(said))


@pytest.mark.parametrize(
    "event",
    [
        start_of_race(),
        snapshot("running", boards={BOB: LAYOUT}),
        update(3, 4),
        ack(1, 1, ("5", "a", 1)),
        Presence(RACE, (BOB,)),
        Welcome(1, 0, BOB, "bob", TOKEN, (RACE,)),
        snapshot(racers=(racer(name="Ærø 頑"),)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_clean_event_stays_as_it_is(event: Snapshot | Welcome) -> None:
    assert clean_event(event) == event
