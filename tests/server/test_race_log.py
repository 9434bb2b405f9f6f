"""Events as bytes and back, and logs of every version that must be read for ever."""

from typing import get_args

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server import race_log
from server.freecell.moves import Move
from server.freecell.piles import Pile
from server.freecell.rulesets import RULESETS, Rules, Scoring, Send
from server.race.events import (
    Attached,
    AutoFinished,
    Configured,
    CountdownBegun,
    Created,
    Ended,
    Event,
    Finished,
    HintTaken,
    HostPassed,
    Joined,
    Kicked,
    Left,
    Moved,
    Readied,
    Redone,
    RematchAsked,
    Rematched,
    RematchMade,
    Resigned,
    Restarted,
    RobotJoined,
    RobotPlanned,
    Said,
    Stamped,
    Started,
    TailLost,
    TimeUp,
    Undone,
)
from server.race.evolve import fold
from server.race.robot import Level
from server.race.state import Ending, PlayerId, Policy, RaceCode, Setup
from server.store.base import Stored
from tests.golden.logs import FOLDER, read_result, read_rows
from tests.golden.results import race_result
from tests.server.race.races import ANN, CODE, SETUP, T0

TAG = b"\x07" * 8
GOLDEN = sorted(path.stem for path in FOLDER.glob("race-*.jsonl"))
OF_THIS_FORMAT = [name for name in GOLDEN if name.split("-")[1] == str(race_log.FORMAT)]

players = st.text(max_size=20).map(PlayerId)
codes = st.text(max_size=8).map(RaceCode)
whole = st.integers(0, 2**53)
moves = st.builds(Move, st.integers(0, 15).map(Pile), st.integers(0, 15).map(Pile), st.integers(1, 13))
rules = st.builds(
    Rules,
    name=st.text(max_size=12),
    cells=st.integers(0, 4),
    allowed_cells=st.lists(st.integers(0, 4), max_size=4).map(tuple),
    returns=st.booleans(),
    send=st.sampled_from(Send),
    auto_finish=st.booleans(),
    undo_limit=st.none() | whole,
    redo=st.booleans(),
    hints=st.booleans(),
    scoring=st.sampled_from(Scoring),
)
setups = st.builds(
    Setup,
    rules | st.sampled_from(sorted(RULESETS.values(), key=lambda one: one.name)),
    st.integers(1, 2**33 - 1),
    st.text(max_size=32),
    st.booleans(),
    st.booleans(),
    whole,
    whole,
    whole,
    st.sampled_from(Policy),
    whole,
    st.text(max_size=12),
    st.booleans(),
)
every_event: dict[type[Event], st.SearchStrategy[Event]] = {
    Created: st.builds(Created, codes, st.text(max_size=40), players, setups),
    Joined: st.builds(Joined, players, st.text()),
    Attached: st.builds(Attached, players),
    Readied: st.builds(Readied, players, whole, st.booleans()),
    Configured: st.builds(Configured, players, whole, setups),
    Kicked: st.builds(Kicked, players, whole, players),
    RobotJoined: st.builds(RobotJoined, players, whole, players, st.text(), st.sampled_from(Level)),
    RobotPlanned: st.builds(
        RobotPlanned, players, st.lists(moves, max_size=9).map(tuple), st.lists(whole, max_size=9).map(tuple)
    ),
    Left: st.builds(Left, players, whole),
    HostPassed: st.builds(HostPassed, players),
    CountdownBegun: st.builds(CountdownBegun, players, whole),
    Started: st.builds(Started),
    Moved: st.builds(Moved, players, whole, moves, st.booleans()),
    Undone: st.builds(Undone, players, whole),
    Redone: st.builds(Redone, players, whole),
    Restarted: st.builds(Restarted, players, whole),
    AutoFinished: st.builds(AutoFinished, players, whole, st.lists(moves, max_size=52).map(tuple)),
    HintTaken: st.builds(HintTaken, players),
    Finished: st.builds(Finished, players),
    Resigned: st.builds(Resigned, players, whole),
    TimeUp: st.builds(TimeUp),
    Ended: st.builds(Ended, st.sampled_from(Ending)),
    Said: st.builds(Said, players, whole, st.text(), st.text()),
    Rematched: st.builds(Rematched, players, whole, codes, st.text(), setups),
    RematchAsked: st.builds(RematchAsked, players, whole),
    RematchMade: st.builds(RematchMade),
    TailLost: st.builds(TailLost),
}


def stored(data: bytes) -> Stored:
    return Stored(7, T0, TAG, data)


def test_there_is_a_strategy_for_every_kind_of_event() -> None:
    assert set(every_event) == set(get_args(Event))


@pytest.mark.parametrize("kind", get_args(Event))
@given(data=st.data())
def test_an_event_comes_back_from_its_bytes_as_it_was(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(every_event[kind])
    back = race_log.read(stored(race_log.write(event)))
    assert back == Stamped(7, T0, event)
    assert type(back.event) is kind


def test_many_rows_come_back_in_their_order() -> None:
    events: list[Event] = [Created(CODE, "first", ANN, SETUP), Joined(ANN, "Ann"), Started()]
    rows = [Stored(seq, T0 + seq, TAG, race_log.write(event)) for seq, event in enumerate(events, start=1)]
    assert race_log.read_all(rows) == [Stamped(seq, T0 + seq, e) for seq, e in enumerate(events, start=1)]


# Versions.


def created_with(*versions: object) -> bytes:
    kind, fields, *_ = orjson.loads(race_log.write(Created(CODE, "first", ANN, SETUP)))
    return orjson.dumps([kind, fields, *versions])


def test_created_says_by_which_format_and_rules_the_log_is_written() -> None:
    parts = orjson.loads(race_log.write(Created(CODE, "first", ANN, SETUP)))
    assert parts[2:] == [race_log.FORMAT, race_log.RULES]
    assert len(orjson.loads(race_log.write(Joined(ANN, "Ann")))) == 2


@pytest.mark.parametrize(
    "versions",
    [
        (race_log.FORMAT + 1, race_log.RULES),
        (race_log.FORMAT, race_log.RULES + 1),
        (race_log.FORMAT + 7, race_log.RULES + 7),
    ],
)
def test_a_log_of_a_newer_version_is_left_alone(versions: tuple[int, int]) -> None:
    with pytest.raises(race_log.NewerLog, match="this program knows"):
        race_log.read(stored(created_with(*versions)))


def test_a_newer_log_is_known_as_such_whatever_else_is_in_it() -> None:
    newer = orjson.dumps(["created", {"what": "nobody knows yet"}, race_log.FORMAT + 1, race_log.RULES])
    with pytest.raises(race_log.NewerLog):
        race_log.read(stored(newer))


# Bytes that are no event.


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"7",
        b'"started"',
        b"[]",
        b'["started"]',
        b'{"started": {}}',
        b'["no such thing", {}]',
        b'[["started"], {}]',
        b'["joined", {}]',
        b'["joined", {"player": 7, "name": "Ann"}]',
        b'["joined", ["ann", "Ann"]]',
        b'["ended", {"ending": "well"}]',
        b'["moved", {"player": "ann", "c": 1, "move": [0]}]',
        b'["moved", {"player": "ann", "c": "1", "move": [0, 8, 1]}]',
        b'["moved", {"player": "ann", "c": 1, "move": [0, 8, 1]}',
        b"[" * 5000,
        created_with(),
        created_with(1),
        created_with("1", 1),
        created_with(None, None),
    ],
)
def test_bytes_that_are_no_event_are_told_with_their_place(data: bytes) -> None:
    with pytest.raises(race_log.BrokenLog, match="event 7"):
        race_log.read(stored(data))


@given(st.binary(max_size=60))
def test_any_bytes_are_an_event_or_broken(data: bytes) -> None:
    assert_read_or_broken(data)


@given(st.sampled_from(sorted(every_event, key=str)).flatmap(every_event.__getitem__), st.data())
def test_a_damaged_event_is_another_event_or_broken(event: Event, data: st.DataObject) -> None:
    whole = bytearray(race_log.write(event))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    assert_read_or_broken(bytes(whole))


def assert_read_or_broken(data: bytes) -> None:
    try:
        event = race_log.read(stored(data)).event
    except (race_log.BrokenLog, race_log.NewerLog):
        return
    assert isinstance(event, get_args(Event))


# Golden logs.


def test_there_is_a_golden_log_of_this_format() -> None:
    assert OF_THIS_FORMAT


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_log_folds_to_what_it_always_did(name: str) -> None:
    race = fold(race_log.read_all(read_rows(name)))
    assert race_result(race) == read_result(name)


@pytest.mark.parametrize("name", OF_THIS_FORMAT)
def test_what_is_written_today_is_what_the_golden_logs_of_this_format_hold(name: str) -> None:
    """Bytes that changed would be another format, and need another number."""
    for row in read_rows(name):
        assert race_log.write(race_log.read(row).event) == row.data


def test_the_golden_logs_of_this_format_hold_every_kind_of_event() -> None:
    logs = (race_log.read_all(read_rows(name)) for name in OF_THIS_FORMAT)
    assert {type(stamped.event) for log in logs for stamped in log} == set(get_args(Event))


def test_every_golden_log_has_its_result() -> None:
    results = {path.name.removesuffix(".result.json") for path in FOLDER.glob("*.result.json")}
    assert results == set(GOLDEN)
