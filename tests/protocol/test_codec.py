"""Frames that are messages, and the many that are not."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import BadMessage, Reference, encode, read_command, read_event
from protocol.commands import Calc, Create, Hello, Join, Say, Settings, Undo
from protocol.errors import ErrorCode
from protocol.events import Ack, RaceLost, Ranked, Ranks, Refused, Snapshot, Update
from protocol.views import RacerLeft, Terms

RACE = "KMNPQRST"
UNDO: dict[str, Any] = {"t": "undo", "race": RACE, "c": 1, "n": 0}


def frame_with(**fields: object) -> str:
    return json.dumps(UNDO | fields)


def text_with(field: str, literal: str) -> str:
    """An undo whose `field` is written exactly so; JSON libraries would not write it."""
    fields = {key: json.dumps(value) for key, value in UNDO.items()} | {field: literal}
    return "{" + ",".join(f'"{key}":{value}' for key, value in fields.items()) + "}"


# There and back.


def test_a_command_comes_back_as_it_was() -> None:
    command = Create("my-race-1", Settings(cells=2, deal=617), q=3)
    assert read_command(encode(command)) == command


def test_an_event_comes_back_as_it_was() -> None:
    event = Ack(RACE, c=1, n=1, seq=9, moves=(("3", "a", 1),), actions=1)
    assert read_event(encode(event)) == event


def test_fields_at_their_default_stay_off_the_wire() -> None:
    assert encode(Create("my-race-1")) == b'{"t":"create","id":"my-race-1"}'
    assert encode(Refused(ErrorCode.KICKED, "no")) == b'{"t":"refused","code":"kicked","detail":"no"}'


@pytest.mark.parametrize("text", ["Ünïcödé", "日本語", "Ёж", "🂡", '"\\/\b\f\n\r\t', "\x7f\x00", " "])
def test_text_is_kept_in_every_script_and_with_every_escape(text: str) -> None:
    command = Say(RACE, 1, text)
    assert read_command(encode(command)) == command
    assert read_command(json.dumps({"t": "say", "race": RACE, "c": 1, "text": text})) == command


@given(st.text(min_size=1, max_size=300), st.integers(1, 2**31 - 1), st.booleans())
def test_any_chat_line_is_read_whether_written_with_spaces_and_escapes_or_without(
    text: str, c: int, plain: bool
) -> None:
    fields = {"t": "say", "race": RACE, "c": c, "text": text}
    spaced = json.dumps(fields, ensure_ascii=not plain, indent=1)
    assert read_command(spaced) == read_command(spaced.encode()) == Say(RACE, c, text)


def test_a_frame_may_be_text_or_bytes() -> None:
    assert read_command(frame_with()) == read_command(frame_with().encode()) == Undo(RACE, 1, 0)


def test_fields_may_come_in_any_order() -> None:
    assert read_command(json.dumps(dict(reversed(UNDO.items())))) == Undo(RACE, 1, 0)


# What is not a message at all.


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        ("", "not JSON"),
        (" ", "not JSON"),
        ("{", "not JSON"),
        ("{} {}", "not JSON"),
        ("{'t':'undo'}", "not JSON"),
        ('{"t":"undo",}', "not JSON"),
        ("\ufeff{}", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        ("null", "not a JSON object"),
        ("1", "not a JSON object"),
        ('"undo"', "not a JSON object"),
        ('[{"t":"undo"}]', "not a JSON object"),
        ("{}", "no message type"),
        ('{"t":null}', "no message type"),
        ('{"t":1}', "no message type"),
        ('{"t":["undo"]}', "no message type"),
        ('{"T":"undo"}', "no message type"),
        ('{"t":"Undo"}', "unknown message type"),
        ('{"t":""}', "unknown message type"),
        ('{"t":"ack","race":"KMNPQRST","c":1,"n":1,"seq":1}', "unknown message type"),
        ('{"t":"settings"}', "unknown message type"),
    ],
)
def test_what_is_no_command_is_refused_with_the_reason(frame: str | bytes, why: str) -> None:
    with pytest.raises(BadMessage, match=why):
        read_command(frame)


# orjson #458: 100 000 brackets.


@pytest.mark.parametrize("bracket", ["[", '{"a":', '{"t":'])
def test_a_hundred_thousand_brackets_are_an_error(bracket: str) -> None:
    with pytest.raises(BadMessage, match="not JSON"):
        read_command(bracket * 100_000)
    with pytest.raises(BadMessage, match="not JSON"):
        read_event(bracket * 100_000)


@pytest.mark.parametrize("depth", [2, 100, 254, 255, 500, 900, 1000, 1020])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("shape", ["%s", '%s,"n":0', '%s, "n":0', '0,"x":%s', '0, "t":%s'])
def test_a_value_nested_ever_so_deep_is_an_error(depth: int, opening: str, closing: str, shape: str) -> None:
    nested = opening * depth + ("1" if closing == "}" else "") + closing * depth
    with pytest.raises(BadMessage):
        read_command(text_with("n", shape % nested))


def test_a_python_whose_reader_runs_out_of_stack_calls_it_an_error_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def out_of_stack(*_: object, **__: object) -> object:
        raise RecursionError

    monkeypatch.setattr("protocol.codec.json.loads", out_of_stack)
    with pytest.raises(BadMessage, match="given twice"):
        read_command(text_with("n", '[[]],"n":0'))


# orjson #308 and its neighbours: numbers.


@pytest.mark.parametrize("field", ["c", "n"])
@pytest.mark.parametrize(
    "literal",
    [
        *("1e2", "1E2", "1e0", "1.0", "0.5", "-0.0", "true", "false", "null", '"1"', '""', "[1]", "{}"),
        *("18446744073709551615", "18446744073709551616", "-9223372036854775809", "2147483648", "-1"),
        *("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "01", "+1", "0x1", "1.", ".5", "1_0", "٣"),
        "1" * 4000,
    ],
)
def test_what_is_no_number_or_out_of_bounds_is_an_error(field: str, literal: str) -> None:
    with pytest.raises(BadMessage):
        read_command(text_with(field, literal))


def test_numbers_are_taken_up_to_their_bounds_and_not_beyond() -> None:
    assert read_command(frame_with(c=2**31 - 1, n=0)) == Undo(RACE, 2**31 - 1, 0)
    assert read_command(frame_with(c=1, n=2**31 - 1)) == Undo(RACE, 1, 2**31 - 1)
    with pytest.raises(BadMessage, match=r"\$\.c"):
        read_command(frame_with(c=0))


@pytest.mark.parametrize("deal", [1, 2**31, 2**32, 2**33 - 1, "random", "FC1-C4-AAAAAKH"])
def test_a_deal_is_a_number_in_range_or_a_short_text(deal: int | str) -> None:
    command = read_command(json.dumps({"t": "create", "id": "my-race-1", "settings": {"deal": deal}}))
    assert command == Create("my-race-1", Settings(deal=deal))


@pytest.mark.parametrize(
    "day", ["2026-11-30", "\u0662\u0660\u0662\u0666-11-30", "\uff12026-11-30", "2026-11-30\n"]
)
def test_days_are_written_in_ascii_digits(day: str) -> None:
    """As logs are named by them."""
    frames = [
        {"t": "replay", "race": f"daily:{day}:4:{'a' * 16}", "q": 1, "player": "a" * 16},
        {"t": "attempt", "day": day},
        {"t": "ranking", "period": day, "q": 1},
    ]
    for frame in frames:
        if day == "2026-11-30":
            read_command(json.dumps(frame))
            continue
        with pytest.raises(BadMessage):
            read_command(json.dumps(frame))


@pytest.mark.parametrize("deal", [0, -1, 2**33, 2**64, 1.5, 1.0, True, None, [1], {}, "1" * 33])
def test_any_other_deal_is_an_error_and_never_a_random_one(deal: object) -> None:
    with pytest.raises(BadMessage, match=r"\$\.settings\.deal"):
        read_command(json.dumps({"t": "create", "id": "my-race-1", "settings": {"deal": deal}}))


# Doubled keys.


@pytest.mark.parametrize(
    "frame",
    [
        '{"t":"undo","race":"KMNPQRST","c":1,"n":0,"n":0}',
        '{"t":"undo","race":"KMNPQRST","c":1,"n":0,"n":1}',
        '{"t":"undo","t":"undo","race":"KMNPQRST","c":1,"n":0}',
        '{"t":"redo","t":"undo","race":"KMNPQRST","c":1,"n":0}',
        '{"t": "undo", "race": "KMNPQRST", "c": 1, "n": 0, "n": 0}',
        '{"t":"undo","race":"KMNPQRST","c":1,"n":0,"\\u006e":0}',
        '{"\\u0074":"undo","t":"undo","race":"KMNPQRST","c":1,"n":0}',
        '{"t":"undo","race":"KMNPQRST","c":1e100,"c":1,"n":0}',
        '{"t":"undo","race":"KMNPQRST","c":1,"c":1e2,"n":0}',
        '{"t":"undo","race":"KMNPQRST","x":{},"x":1,"c":1,"n":0}',
        '{"t":"create","id":"my-race-1","settings":{"cells":4,"cells":4}}',
        '{"t":"create","id":"my-race-1","settings":{"cells":4,"cells":3}}',
        '{"t":"create", "id":"my-race-1", "settings":{"cells":4, "cells":3}}',
        '{"t":"create","id":"my-race-1","settings":{"cells":4,"c\\u0065lls":3}}',
        '{"t":"create","id":"my-race-1","settings":{},"settings":{"cells":3}}',
        '{"t":"create","id":"my-race-1","settings":{"deal":{"a":1,"a":2},"deal":617}}',
    ],
)
def test_a_key_given_twice_is_an_error_however_it_is_written(frame: str) -> None:
    with pytest.raises(BadMessage):
        read_command(frame)


@given(
    key=st.sampled_from(["t", "race", "c", "n"]),
    lost=st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    ),
    first=st.booleans(),
    compact=st.booleans(),
)
def test_no_value_can_hide_behind_a_doubled_key(key: str, lost: object, first: bool, compact: bool) -> None:
    separators = (",", ":") if compact else (", ", ": ")
    body = json.dumps(UNDO, separators=separators)[1:-1]
    extra = json.dumps({key: lost}, separators=separators)[1:-1]
    pairs = (extra, body) if first else (body, extra)
    with pytest.raises(BadMessage):
        read_command("{" + separators[0].join(pairs) + "}")


# What an answer to a bad message can refer to.


@pytest.mark.parametrize(
    ("fields", "reference"),
    [
        ({"n": -1}, Reference(RACE, c=1)),
        ({"c": 0}, Reference(RACE, c=0)),
        ({"c": True}, Reference(RACE)),
        ({"c": 1.0, "q": 4}, Reference(RACE, q=4)),
        ({"c": "1", "q": None}, Reference(RACE)),
        ({"race": "kmnpqrst", "q": False}, Reference("kmnpqrst", c=1)),
        ({"race": "x" * 4000, "n": []}, Reference(c=1)),
        ({"race": 1}, Reference(c=1)),
    ],
)
def test_a_bad_message_tells_what_it_was_about_as_far_as_that_can_be_read(
    fields: dict[str, object], reference: Reference
) -> None:
    with pytest.raises(BadMessage) as caught:
        read_command(frame_with(**fields))
    assert caught.value.reference == reference
    assert type(caught.value.reference.c) in (int, type(None))


def test_what_is_no_message_refers_to_nothing() -> None:
    for frame in ("", "[]", "{}", '{"t":"fireworks","q":1}'):
        with pytest.raises(BadMessage) as caught:
            read_command(frame)
        assert caught.value.reference == Reference()


# Unknown fields and wrong types.


def test_an_unknown_field_in_a_command_is_an_error() -> None:
    with pytest.raises(BadMessage, match="unknown field `won`"):
        read_command(frame_with(won=True))
    with pytest.raises(BadMessage, match=r"unknown field `seed` - at `\$\.settings`"):
        read_command('{"t":"create","id":"my-race-1","settings":{"seed":1}}')


def test_a_missing_field_is_an_error() -> None:
    with pytest.raises(BadMessage, match="missing required field `n`"):
        read_command(f'{{"t":"undo","race":"{RACE}","c":1}}')


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"t": "hello", "v": "1", "name": "Ana"}, "v"),
        ({"t": "hello", "v": 1, "name": ""}, "name"),
        ({"t": "hello", "v": 1, "name": "a" * 201}, "name"),
        ({"t": "hello", "v": 1, "name": None}, "name"),
        ({"t": "hello", "v": 1, "name": "Ana", "token": "secret"}, "token"),
        ({"t": "hello", "v": 1, "name": "Ana", "token": ""}, "token"),
        ({"t": "create", "id": "short"}, "id"),
        ({"t": "create", "id": "a" * 33}, "id"),
        ({"t": "create", "id": "my race 1"}, "id"),
        ({"t": "create", "id": "my-race-1", "settings": None}, "settings"),
        ({"t": "create", "id": "my-race-1", "settings": {"ruleset": "spider"}}, "settings.ruleset"),
        ({"t": "create", "id": "my-race-1", "settings": {"cells": 0}}, "settings.cells"),
        ({"t": "create", "id": "my-race-1", "settings": {"cells": 5}}, "settings.cells"),
        ({"t": "create", "id": "my-race-1", "settings": {"max_racers": 1}}, "settings.max_racers"),
        ({"t": "create", "id": "my-race-1", "settings": {"max_racers": 101}}, "settings.max_racers"),
        ({"t": "create", "id": "my-race-1", "settings": {"time_limit_s": 9}}, "settings.time_limit_s"),
        ({"t": "create", "id": "my-race-1", "settings": {"watch": "all"}}, "settings.watch"),
        ({"t": "create", "id": "my-race-1", "settings": {"hints": 1}}, "settings.hints"),
        ({"t": "join", "race": "kmnpqrst"}, "race"),
        ({"t": "join", "race": "KMNPQRSI"}, "race"),
        ({"t": "join", "race": "KMNPQRS"}, "race"),
        ({"t": "join", "race": "KMNPQRSTU"}, "race"),
        ({"t": "join", "race": RACE, "to": -1}, "to"),
        ({"t": "join", "race": RACE, "to": 2**53}, "to"),
        ({"t": "join", "race": RACE, "tag": "xyz"}, "tag"),
        ({"t": "join", "race": RACE, "q": -1}, "q"),
        ({"t": "ready", "race": RACE, "c": 1, "ready": "yes"}, "ready"),
        ({"t": "kick", "race": RACE, "c": 1, "player": "Ana"}, "player"),
        ({"t": "move", "race": RACE, "c": 1, "n": 0, "move": "3"}, "move"),
        ({"t": "move", "race": RACE, "c": 1, "n": 0, "move": "3a" * 5}, "move"),
        ({"t": "send", "race": RACE, "c": 1, "n": 0, "pile": "", "count": 1}, "pile"),
        ({"t": "send", "race": RACE, "c": 1, "n": 0, "pile": "3", "count": 14}, "count"),
        ({"t": "say", "race": RACE, "c": 1, "text": ""}, "text"),
        ({"t": "say", "race": RACE, "c": 1, "text": "a" * 301}, "text"),
        ({"t": "replay", "race": RACE, "q": 1, "player": "a" * 16, "after": 100_001}, "after"),
    ],
)
def test_a_value_of_the_wrong_kind_or_size_is_an_error_that_says_where(
    fields: dict[str, Any], where: str
) -> None:
    with pytest.raises(BadMessage) as caught:
        read_command(json.dumps(fields))
    assert str(caught.value).endswith(f"at `$.{where}`")


def test_texts_are_measured_in_characters() -> None:
    assert read_command(json.dumps({"t": "hello", "v": 1, "name": "🂡" * 200})) == Hello(1, "🂡" * 200)


@pytest.mark.parametrize(
    "literal", ['"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"a\\ud83c"', '"\\ud83cx"']
)
def test_half_a_surrogate_pair_is_an_error(literal: str) -> None:
    with pytest.raises(BadMessage, match="not JSON"):
        read_command(f'{{"t":"say","race":"{RACE}","c":1,"text":{literal}}}')


@pytest.mark.parametrize("text", ["\ud800", "a\udfff"])
def test_a_text_that_cannot_be_utf_8_is_an_error(text: str) -> None:
    with pytest.raises(BadMessage, match="not JSON"):
        read_command(f'{{"t":"say","race":"{RACE}","c":1,"text":"{text}"}}')


@pytest.mark.parametrize(
    "octets", [b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\x80", b"\xe2\x82"]
)
def test_octets_that_are_not_utf_8_are_an_error(octets: bytes) -> None:
    with pytest.raises(BadMessage, match="not JSON"):
        read_command(b'{"t":"say","race":"KMNPQRST","c":1,"text":"' + octets + b'"}')


@given(st.binary(max_size=200))
def test_noise_is_an_error_and_nothing_else(noise: bytes) -> None:
    with pytest.raises(BadMessage):
        read_command(noise)
    with pytest.raises(BadMessage):
        read_event(noise)


# The client's side: lenient to what is newer, strict to what is wrong.


def test_an_event_of_an_unknown_type_is_none() -> None:
    assert read_event('{"t":"fireworks","colour":"red"}') is None


def test_unknown_fields_of_an_event_are_passed_over() -> None:
    assert read_event(f'{{"t":"race_lost","race":"{RACE}","why":{{"deep":[1]}}}}') == RaceLost(RACE)


def test_unknown_changes_of_an_update_are_passed_over() -> None:
    frame = json.dumps(
        {
            "t": "update",
            "race": RACE,
            "feed": "seat",
            "view": "racer",
            "from": 1,
            "to": 3,
            "tag": "",
            "changes": [{"k": "weather", "sun": True}, {"k": "left", "player": "ana"}],
        }
    )
    assert read_event(frame) == Update(RACE, "seat", "racer", 1, 3, "", (RacerLeft("ana"),))


@pytest.mark.parametrize("changes", ["{}", "1", "[1]", "[{}]", '[{"k":1}]', '[{"k":"left"}]', "null"])
def test_a_change_that_cannot_be_is_an_error(changes: str) -> None:
    frame = f'"race":"{RACE}","feed":"seat","view":"racer","from":1,"to":3,"tag":"","changes":{changes}'
    with pytest.raises(BadMessage, match="changes"):
        read_event(f'{{"t":"update",{frame}}}')


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        ("", "not JSON"),
        ("[]", "not a JSON object"),
        ("{}", "no message type"),
        ('{"t":"race_lost"}', "missing required field `race`"),
        ('{"t":"race_lost","race":1}', r"\$\.race"),
        ('{"t":"refused","code":["because"],"detail":""}', r"\$\.code"),
    ],
)
def test_an_event_that_cannot_be_is_an_error(frame: str, why: str) -> None:
    with pytest.raises(BadMessage, match=why):
        read_event(frame)


def test_a_command_is_no_event() -> None:
    assert read_event(encode(Join(RACE))) is None
    assert read_event(encode(Calc(RACE, 1, "3"))) is None


@pytest.mark.parametrize("field", ["race", "tag"])
def test_a_line_break_at_the_end_of_a_code_is_an_error(field: str) -> None:
    fields = {"t": "join", "race": "KMNPQRST", "to": 3, "tag": "0123456789abcdef"}
    assert read_command(json.dumps(fields)) is not None
    with pytest.raises(BadMessage, match=field):
        read_command(json.dumps(fields | {field: f"{fields[field]}\n"}))


def test_a_client_passes_over_settings_that_it_does_not_know() -> None:
    settings = {"cells": 2, "jokers": 1}
    life = {"phase": "lobby", "host": "ana", "settings": settings, "rules": [], "commitment": ""}
    page = {"t": "snapshot", "race": RACE, "feed": "seat", "view": "racer", "to": 1, "tag": "", "life": life}
    snapshot = read_event(json.dumps(page))
    assert isinstance(snapshot, Snapshot)
    assert snapshot.life.settings == Terms(cells=2)


def test_a_client_reads_an_error_code_that_it_does_not_know_as_a_bad_message() -> None:
    refused = read_event('{"t":"refused","code":"too_late_at_night","detail":"go to bed"}')
    assert refused == Refused(ErrorCode.BAD_MESSAGE, "go to bed")


def test_the_next_page_of_a_leaderboard_begins_behind_all_of_this_one() -> None:
    line = Ranked(51, "a" * 16, "Ana", "2026-11-30", "daily:2026-11-30:4:" + "a" * 16, 1000, 90)
    assert Ranks(1, "2026-11-30", 4, "time", 60, 50, (line, line), more=True, unreadable=3).next == 55
