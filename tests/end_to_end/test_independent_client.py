"""A client that knows nothing but docs/protocol.md plays a whole race against the real server process."""

import ast
import asyncio
import hashlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]  # it ships no types, and its stubs are not among our dependencies
import pytest

from tests.end_to_end.independent_client import Client
from tests.end_to_end.independent_picture import Board, Message
from tests.end_to_end.server_process import ROOT, running_server
from tests.solutions import moves_of

HERE: Final = Path(__file__).parent
SETTINGS: Final = {"deal": 1, "max_racers": 2, "countdown_s": 1, "watch": "live"}


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """Where a server of its own listens."""
    async with running_server(tmp_path) as address:
        yield address


def strict_schema() -> dict[str, Any]:
    """The document's schema, under which no field is allowed that it does not name."""
    schema: dict[str, Any] = json.loads((ROOT / "docs" / "protocol.schema.json").read_text())
    for part in schema["$defs"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    return {"$ref": "#/$defs/Event", "$defs": schema["$defs"]}


def check_form(*clients: Client) -> None:
    """Every message has the form that the document says, and no field beside it."""
    validator = jsonschema.Draft202012Validator(strict_schema())
    for client in clients:
        for message in client.heard:
            validator.validate(message)


async def open_race(url: str, settings: Message) -> tuple[Client, Client, str]:
    """A race with two racers who are both ready, and running."""
    ana, ben = Client(url, "Ana"), Client(url, "Ben")
    await ana.connect()
    await ben.connect()
    race = await ana.create("an-independent-race", settings)
    assert (await ben.join(race))["t"] == "seat"
    for client in (ana, ben):
        assert (await client.do(race, "ready"))["t"] == "ack"
    for client in (ana, ben):
        await client.reach(race, "running")
    return ana, ben, race


async def try_everything(ana: Client, race: str, move: str) -> None:
    """Make the first move by way of every command a board takes, and meet a few refusals."""
    seat = ana.seats[race]
    made = await ana.act(race, "move", move=move)
    assert seat.may == {"undo"}
    await ana.act(race, "undo")
    assert seat.may == {"redo"}
    await ana.act(race, "redo")
    assert "board" in await ana.act(race, "restart")
    assert "board" in await ana.act(race, "undo")
    assert (seat.next_n, seat.may) == (5, {"undo", "redo"})

    before = seat.board.state() if seat.board else ()
    once_more = await ana.again(race, {"t": "move", "race": race, "c": made["c"], "n": 0, "move": move})
    assert once_more == {key: made[key] for key in ("t", "race", "c", "n", "seq")} | {"repeated": True}
    assert (await ana.do(race, "move", n=5, move=move))["code"] == "illegal_move"
    assert (await ana.do(race, "undo", n=4))["code"] == "stale_board"
    assert (await ana.do(race, "rematch"))["code"] == "not_over"
    assert (await ana.do(race, "ready"))["code"] == "not_lobby"
    assert (await ana.ask({"t": "hint", "race": race}))["code"] == "not_in_rules"
    assert (await ana.ask({"t": "replay", "race": race, "player": ana.player}))["code"] == "not_over"
    places = (await ana.ask({"t": "calc", "race": race, "pile": move[0]}))["destinations"]
    assert all((place["most"] == 0) == bool(place.get("why")) for place in places)
    assert seat.board is not None
    assert seat.board.state() == before


async def play_on_after_a_drop(ben: Client, race: str, moves: list[str]) -> None:
    """Lose the connection with five moves under way; come back, and nothing is lost or doubled."""
    half = len(moves) // 2
    await ben.play(race, moves[:half])
    sent = [await ben.send_act(race, "move", move=move) for move in moves[half : half + 5]]
    await ben.drop()
    await ben.connect()
    assert race in ben.welcome["races"]
    heard = len(ben.heard)
    assert (await ben.join(race))["t"] == "seat"
    await ben.settle(race, sent)
    assert "snapshot" not in {message["t"] for message in ben.heard[heard:]}, (
        "what was missing comes as updates"
    )
    await ben.play(race, moves[half + 5 :])


def carry_out(layout: Message, steps: list[Message]) -> Board:
    """The board at the end of a replay."""
    board = Board(layout)
    for step in steps:
        if "board" in step:
            board = Board(step["board"])
        board.carry(step.get("moves", []))
    return board


def shown(board: Board) -> tuple[object, ...]:
    return board.cascades, board.cells, board.home


@pytest.mark.parametrize("name", ["independent_client.py", "independent_picture.py"])
def test_it_imports_nothing_of_ours(name: str) -> None:
    tree = ast.parse((HERE / name).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    imported |= {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    foreign = {module for module in imported if module.partition(".")[0] not in sys.stdlib_module_names}
    assert {module.partition(".")[0] for module in foreign - {"tests.end_to_end.independent_picture"}} <= {
        "websockets"
    }


@pytest.mark.timeout(90)
async def test_a_client_written_from_the_document_plays_a_whole_race(url: str) -> None:
    ana, ben, race = await open_race(url, SETTINGS)
    eve = Client(url, "Eve")
    await eve.connect()
    assert (await eve.watch(race))["view"] == "boards"
    assert (await eve.do(race, "say", text="Go, Ana!"))["t"] == "ack"
    assert (await ben.do(race, "say", text="good luck"))["t"] == "ack"

    moves = moves_of()
    await try_everything(ana, race, moves[0])
    await asyncio.gather(ana.play(race, moves[1:], ahead=8), play_on_after_a_drop(ben, race, moves))

    over = [await client.reach(race, "over") for client in (ana, ben)] + [
        await eve.reach(race, "over", "watch")
    ]
    assert over[0].view == over[1].view == over[2].view == "boards"
    assert over[0].racers == over[1].racers == over[2].racers
    assert sorted((racer["ended_ms"], racer["rank"]) for racer in over[0].racers) == sorted(
        ((racer["ended_ms"], racer["rank"]) for racer in over[0].racers), key=lambda pair: pair[1]
    )
    assert [[line["text"] for line in picture.chat] for picture in over] == [["Go, Ana!", "good luck"]] * 3

    for client, count in ((ana, len(moves) + 4), (ben, len(moves))):
        own = client.seats[race].board
        assert own is not None
        assert own.home == [13, 13, 13, 13]
        assert all(picture.boards[client.player].state() == own.state() for picture in over)
        first, steps = await eve.replay(race, client.player)
        assert (first["deal"], first["cells"], len(steps)) == (1, 4, count)
        assert shown(carry_out(first["layout"], steps)) == shown(own)
        assert steps[-1]["ms"] == over[0].racer(client.player)["ended_ms"]
        assert [step["ms"] for step in steps] == sorted(step["ms"] for step in steps)

    for client in (ana, ben):
        assert (await client.do(race, "rematch"))["t"] == "ack"
        await client.until(lambda: race in client.next_race, "the rematch")  # noqa: B023 - awaited in this round
    again = ana.next_race[race]
    assert ben.next_race[race] == again
    await eve.until(lambda: over[2].life.get("rematch") == again, "news of the rematch")
    assert (await ana.join(again))["t"] == (await ben.join(again))["t"] == "seat"

    check_form(ana, ben, eve)
    for client in (ana, ben, eve):
        await client.close()


async def test_a_client_written_from_the_document_plays_the_deal_of_the_day(url: str) -> None:
    ana, ben = Client(url, "Ana"), Client(url, "Ben")
    await ana.connect()
    await ben.connect()
    day = await ana.ask({"t": "daily"})
    promised = await ana.ask({"t": "commitments"})
    assert promised["days"][0] == {"day": day["today"], "commitment": day["commitment"]}
    assert len(promised["days"]) == 31
    race = await ana.attempt(day["today"])
    life = (await ana.reach(race, "running")).life
    assert (life["daily"], life["ranked"]) == (day["today"], True)
    text = f"{life['nonce']}:{life['deal']}".encode("ascii")
    assert hashlib.sha256(text).hexdigest() == life["commitment"]

    for _ in range(5):
        await ana.act(race, "move", move=(await ana.ask({"t": "hint", "race": race}))["move"])
    await ana.act(race, "undo")
    assert (await ana.do(race, "leave"))["code"] == "not_in_rules"
    for question in ({"t": "watch", "race": race}, {"t": "replay", "race": race, "player": ana.player}):
        assert (await ben.ask(question))["code"] == "daily_first"
    daily = {"t": "create", "id": "a-race-of-ben", "settings": {"deal": "daily"}}
    assert (await ben.ask(daily))["code"] == "daily_first"

    assert (await ana.do(race, "resign"))["t"] == "ack"
    told = await ana.ask({"t": "daily"})
    mine = told["mine"]
    assert (mine["state"], mine["actions"], mine["taken_back"], mine["hinted"]) == ("lost", 5, 1, True)
    assert (told["deal"], len(mine["curve"])) == (life["deal"], 12)
    assert (await ana.ask({"t": "ranking"}))["of"] == 0
    record = await ana.ask({"t": "record"})
    assert (record["played"], record.get("won", 0)) == (1, 0)
    assert await ana.attempt(day["today"]) == race
    assert (await ana.do(race, "rematch"))["code"] == "not_in_rules"
    again = await ana.create("the-daily-again", {"deal": "daily", "countdown_s": 0})
    assert (await ben.join(again))["code"] == "daily_first"
    assert (await ana.do(again, "start"))["t"] == "ack"
    assert (await ana.reach(again, "running")).life["deal"] == life["deal"]

    check_form(ana, ben)
    for client in (ana, ben):
        await client.close()


async def test_a_newer_connection_takes_the_seat_and_the_older_is_told(url: str) -> None:
    ana, ben, race = await open_race(url, SETTINGS)
    await ana.act(race, "move", move=moves_of()[0])
    other = Client(url, "Ana")
    other.token, other.player = ana.token, ana.player
    await other.connect()
    assert other.welcome["races"] == [race]
    seat = await other.ask({"t": "join", "race": race})
    assert (seat["n"], seat["last_c"]) == (1, 2)
    await ana.until(lambda: ana.farewell, "a farewell")
    assert ana.farewell is not None
    assert ana.farewell["code"] == "superseded"
    await ana.close()
    assert ana.close_code == 4000
    check_form(ana, ben, other)
    for client in (ben, other):
        await client.close()


async def test_one_who_broke_no_rule_of_the_document_yet_hears_what_is_wrong(url: str) -> None:
    ana = Client(url, "Ana")
    await ana.connect()
    assert (await ana.ask({"t": "join", "race": "ABCDEFGH"}))["code"] == "no_such_race"
    assert (await ana.ask({"t": "watch", "race": "ABCDEFGH"}))["code"] == "no_such_race"
    settings = {"cells": 3, "ruleset": "classic"}
    assert (await ana.ask({"t": "create", "id": "no-such-rules", "settings": settings}))[
        "code"
    ] == "bad_settings"
    settings = {"deal": "FC1-C4-00000000"}
    assert (await ana.ask({"t": "create", "id": "no-such-deal", "settings": settings}))["code"] == "bad_deal"
    assert (await ana.ask({"t": "create", "id": "x"}))["code"] == "bad_message"
    check_form(ana)
    await ana.close()
