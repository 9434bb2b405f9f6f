"""`docs/protocol.md` tells of every message and field as the types have them, and its examples are real."""

import hashlib
import json
import re
from typing import Any, Final, get_args

import jsonschema  # type: ignore[import-untyped]  # it ships no types, and its stubs are not among our dependencies
import msgspec
import pytest

from protocol import codec
from protocol.commands import Command
from protocol.errors import CloseCode, ErrorCode
from protocol.events import Event, Snapshot, Update
from protocol.picture import Following, carry, follow, start
from protocol.schema import make_schema
from protocol.version import MAX_COMMAND_BYTES, MINOR, PROTOCOL, SUBPROTOCOL
from protocol.views import Board, Change
from server.freecell.deal import MAX_DEAL, MIN_DEAL
from server.gateway.conversation import MAX_ASKED, MAX_STRIKES
from server.gateway.limits import Limits, Rate
from server.gateway.names import MAX_NAME
from server.gateway.watching import MAX_WATCHED
from server.gateway.wire import PAGE_CURVES, PAGE_STEPS
from server.player_log import MAX_OPEN_RACES
from server.race.curves import MAX_POINTS
from server.race.robot import MAX_ROBOTS
from server.race.state import (
    KEPT_ANSWERS,
    LOBBY_LIFE_MS,
    MAX_BOARD_COMMANDS,
    MAX_CHAT_LINES,
    MAX_MEMBERS,
    MAX_OTHER_COMMANDS,
    MAX_SESSIONS,
)
from tests.protocol.document import TEXT, anchor, fences, rows, sections, transcript, type_words

SCHEMA: Final = make_schema()
DEFS: Final[dict[str, dict[str, Any]]] = SCHEMA["$defs"]
SECTIONS: Final = sections()

COMMANDS: Final = {kind.__struct_config__.tag: kind for kind in get_args(Command)}
EVENTS: Final = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
CHANGES: Final = {kind.__struct_config__.tag: kind for kind in get_args(Change)}

HEADINGS: Final[dict[str, str]] = (
    {kind.__name__: f"`{tag}`" for tag, kind in (COMMANDS | EVENTS).items()}
    | {kind.__name__: f"Change `{tag}`" for tag, kind in CHANGES.items()}
    | {
        name: name
        for name in (
            "Settings",
            "Terms",
            "HeldSeat",
            "Life",
            "Racer",
            "Board",
            "ChatLine",
            "Commitment",
            "Mine",
            "PlayedDay",
            "Ranked",
            "Destination",
            "Step",
            "Phrase",
            "Curve",
            "Mark",
            "Parting",
        )
    }
)
"""Under which heading each type is described."""

EXAMPLES: Final = [json.loads(block) for block in fences("json")]
TRANSCRIPT: Final = transcript()


def type_of(example: dict[str, Any]) -> type[Command | Event | Change]:
    """Of which type a message or a change is."""
    kinds: dict[str, type[Command | Event | Change]] = (
        {**COMMANDS, **EVENTS} if "t" in example else {**CHANGES}
    )
    return kinds[example["t" if "t" in example else "k"]]


def name_of(example: dict[str, Any]) -> str:
    return type_of(example).__name__


def validate(example: dict[str, Any]) -> None:
    schema = {"$ref": f"#/$defs/{name_of(example)}", "$defs": DEFS}
    jsonschema.Draft202012Validator(schema).validate(example)


# Every type, every field, every code.


def test_every_type_of_the_schema_has_its_place() -> None:
    assert set(DEFS) == {*HEADINGS, "Command", "Event", "ErrorCode"}


@pytest.mark.parametrize("name", HEADINGS)
def test_the_fields_of_each_type_are_told_with_their_bounds(name: str) -> None:
    schema = DEFS[name]
    told = {field: words for field, (words, _) in rows(SECTIONS[HEADINGS[name]]).items()}
    assert told == {
        field: type_words(kind, required=field in schema["required"])
        for field, kind in schema["properties"].items()
        if field not in ("t", "k")
    }


@pytest.mark.parametrize("name", HEADINGS)
def test_every_field_has_a_meaning(name: str) -> None:
    assert all(meaning.strip() for _, meaning in rows(SECTIONS[HEADINGS[name]]).values())


def test_every_error_code_is_told_and_no_other() -> None:
    told = {row.split("`")[1] for row in SECTIONS["Error codes"].splitlines() if row.startswith("| `")}
    assert told == {code.value for code in ErrorCode}


def test_every_close_code_is_told_and_no_other() -> None:
    cells = [
        row.split(" | ")[0].strip("| ") for row in SECTIONS["Close codes"].splitlines() if row.startswith("|")
    ]
    assert {int(cell) for cell in cells if cell.isdigit()} == {code.value for code in CloseCode}


def test_the_versions_and_the_frame_limit_are_those_of_the_code() -> None:
    assert f"Version {PROTOCOL}.{MINOR}." in TEXT
    assert f"subprotocol `{SUBPROTOCOL}`" in TEXT
    assert f"| A message from a client | {MAX_COMMAND_BYTES} bytes" in SECTIONS["Limits"]


def table(width: int) -> list[list[str]]:
    """The rows of the table of this width under Limits, without its heading."""
    lines = [
        line.strip("| ").split(" | ") for line in SECTIONS["Limits"].splitlines() if line.startswith("| ")
    ]
    return [cells for cells in lines if len(cells) == width][1:]


def test_the_limits_told_are_the_servers() -> None:
    told = dict(table(2))
    figures = {
        what: int(figure.group()) for what, text in told.items() if (figure := re.search(r"\d+", text))
    }
    assert figures == {
        "A message from a client": MAX_COMMAND_BYTES,
        "Time until `hello`": Limits().hello_s,
        "Bad messages in a row": MAX_STRIKES,
        "Unanswered numbered commands": KEPT_ANSWERS,
        "Unanswered questions about the deal of the day": MAX_ASKED,
        "Answers kept for repeating": KEPT_ANSWERS,
        "Commands for one board": MAX_BOARD_COMMANDS,
        "Other commands of one player before a lobby takes no more of them": MAX_OTHER_COMMANDS,
        "Races a player has a part in, not yet over": MAX_OPEN_RACES,
        "Races a connection watches at once": MAX_WATCHED,
        "Racers in a race": 2,
        "Robots in a race": MAX_ROBOTS,
        "People who ever sat or spoke in a race": MAX_MEMBERS,
        "Times a seat can change connections": MAX_SESSIONS,
        "Chat lines in a race": MAX_CHAT_LINES,
        "A name": MAX_NAME,
        "A lobby that is not started": LOBBY_LIFE_MS // 3_600_000,
        "Steps in a page of a replay": PAGE_STEPS,
        "Curves in a page": PAGE_CURVES,
        "Deal numbers": MIN_DEAL,
    }
    assert told["Deal numbers"].endswith(f" {MAX_DEAL}")
    assert told["Curves in a page"].endswith(f" {MAX_POINTS} points")


def test_the_pace_told_is_the_servers() -> None:
    told = {what: Rate(float(per_s), int(burst)) for what, per_s, burst in table(3)}
    limits = Limits()
    assert list(told.values()) == [
        *(limits.moves, limits.chat, limits.joins, limits.questions, limits.creates, limits.misses),
        limits.namings,
    ]


def test_every_link_within_the_document_leads_somewhere() -> None:
    anchors = {anchor(heading) for heading in SECTIONS}
    links = {part.partition(")")[0] for part in TEXT.split("](#")[1:]}
    assert links <= anchors


# Examples.


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.get("t", example.get("k")))
def test_an_example_is_a_message_as_the_server_would_write_it(example: dict[str, Any]) -> None:
    frame = json.dumps(example)
    message: Command | Event | Change | None
    if "k" in example:
        message = msgspec.convert(example, type_of(example))
    elif example["t"] in COMMANDS:
        message = codec.read_command(frame)
    else:
        message = codec.read_event(frame)
    assert json.loads(msgspec.json.encode(message)) == example
    validate(example)


def test_every_kind_of_message_and_change_has_an_example() -> None:
    shown = {name_of(example) for example in EXAMPLES}
    assert shown == {kind.__name__ for kind in (COMMANDS | EVENTS | CHANGES).values()}


def fields_shown(value: object, schema: dict[str, Any], shown: set[tuple[str, str]]) -> None:
    """Note every (type, field) that occurs in `value`, which is of this schema."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in HEADINGS and isinstance(value, dict):
        for field, inner in value.items():
            shown.add((name, field))
            fields_shown(inner, DEFS[name]["properties"][field], shown)
    for kind in schema.get("anyOf", ()):
        if name_matches(value, kind):
            fields_shown(value, kind, shown)
    if isinstance(value, list):
        for item in value:
            fields_shown(item, schema.get("items") or {}, shown)
    if isinstance(value, dict) and not name:
        for item in value.values():
            fields_shown(item, schema.get("additionalProperties") or {}, shown)


def name_matches(value: object, kind: dict[str, Any]) -> bool:
    ref = str(kind.get("$ref", "")).rpartition("/")[2]
    return ref == name_of(value) if isinstance(value, dict) and "k" in value else True


def test_every_field_of_every_type_occurs_in_an_example() -> None:
    shown: set[tuple[str, str]] = set()
    for example in EXAMPLES:
        fields_shown(example, {"$ref": f"#/$defs/{name_of(example)}"}, shown)
    never_told = {("Terms", "deal")}
    assert shown == {(name, field) for name in HEADINGS for field in DEFS[name]["properties"]} - never_told


def test_every_example_command_fits_into_a_frame() -> None:
    frames = [
        codec.encode(msgspec.convert(example, COMMANDS[tag]))
        for example in EXAMPLES
        if (tag := example.get("t")) in COMMANDS
    ]
    assert max(map(len, frames)) <= MAX_COMMAND_BYTES


# The transcript.


def test_every_line_of_the_transcript_is_a_message_as_it_goes_over_the_wire() -> None:
    for line in TRANSCRIPT:
        message = codec.read_command(line.frame) if line.sent else codec.read_event(line.frame)
        assert message is not None
        assert codec.encode(message).decode() == line.frame
        validate(json.loads(line.frame))


def heard(who: str) -> list[dict[str, Any]]:
    return [json.loads(line.frame) for line in TRANSCRIPT if line.who == who and not line.sent]


@pytest.mark.parametrize("who", ["ana", "ben"])
def test_the_updates_of_the_transcript_join(who: str) -> None:
    following: Following | None = None
    for line in TRANSCRIPT:
        message = codec.read_event(line.frame) if line.who == who and not line.sent else None
        match message:
            case Snapshot():
                following = start(message, following)
            case Update():
                assert following is not None
                following = follow(following, message)
            case _:
                pass
    assert following is not None
    assert following.picture.life.phase == "running"
    assert [racer.name for racer in following.picture.racers] == ["Ana", "Ben"]


def test_both_hear_the_same_in_public() -> None:
    ana, ben = ([message for message in heard(who) if message["t"] == "update"] for who in ("ana", "ben"))
    assert [update for update in ana if update["from"] >= ben[0]["from"]] == ben


@pytest.mark.parametrize("who", ["ana", "ben"])
def test_private_comes_before_public_in_the_transcript(who: str) -> None:
    reached = 0
    for message in heard(who):
        match message["t"]:
            case "snapshot" | "update":
                reached = message["to"]
            case "ack" | "seat":
                assert message["seq"] > reached
            case _:
                pass


@pytest.mark.parametrize("who", ["ana", "ben"])
def test_every_command_of_the_transcript_is_answered_once(who: str) -> None:
    asked = [json.loads(line.frame) for line in TRANSCRIPT if line.who == who and line.sent]
    numbers = [command["c"] for command in asked if "c" in command]
    answered = [message["c"] for message in heard(who) if message["t"] in ("ack", "refused")]
    assert numbers == answered == sorted(set(numbers))


def test_the_secret_stays_a_secret_until_the_start() -> None:
    for line in TRANSCRIPT:
        if '"phase":"running"' in line.frame:
            return
        assert not {"617", "nonce", "cascades"} & set(line.frame.replace('"', ",").split(","))
    pytest.fail("the race of the transcript never starts")


def test_the_move_of_the_transcript_can_be_carried_out() -> None:
    dealt = next(c["board"] for m in heard("ana") for c in m.get("changes", ()) if c["k"] == "dealt")
    ack = next(message for message in heard("ana") if message.get("moves"))
    board = carry(msgspec.convert(dealt, Board), ack["moves"], n=1, score=0, actions=1)
    assert board.cells[0] == "JH"


# What else it claims.


def commitments(value: object) -> list[dict[str, Any]]:
    """All lives within a message that reveal what was committed to."""
    if isinstance(value, dict):
        own = [value] if "nonce" in value else []
        return own + [life for inner in value.values() for life in commitments(inner)]
    return [life for inner in value for life in commitments(inner)] if isinstance(value, list) else []


def test_every_commitment_shown_holds() -> None:
    lives = commitments([*EXAMPLES, *heard("ana"), *heard("ben")])
    assert len(lives) > 4
    for life in lives:
        digest = hashlib.sha256(f"{life['nonce']}:{life['deal']}".encode("ascii")).hexdigest()
        assert digest == life["commitment"]


@pytest.mark.parametrize("program", fences("python"))
def test_a_program_in_the_document_runs(program: str) -> None:
    exec(compile(program, "docs/protocol.md", "exec"), {})
