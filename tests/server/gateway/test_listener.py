"""The port: who gets in, the three plain pages, and frames that no well-behaved client sends."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.typing import Origin, Subprotocol

from protocol import commands, events, version
from server.app import running
from server.config import Config
from server.gateway.hub import Follower
from server.gateway.listener import Listener
from server.gateway.node import make_node
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import AMPLE, House, eventually, house
from tests.server.gateway.scripted import ScriptedStore

SUBPROTOCOL: Final = Subprotocol(version.SUBPROTOCOL)


async def get(url: str, path: str, *, method: str = "GET", headers: str = "") -> tuple[int, str]:
    """What plain HTTP answers: status and body."""
    host, port = url.removeprefix("ws://").rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\n{headers}\r\n".encode())
    answer = (await asyncio.wait_for(reader.read(), 20)).decode()
    writer.close()
    await writer.wait_closed()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split()[1]), body


# Plain pages.


async def test_healthz_says_that_the_process_is_alive(home: House) -> None:
    assert await get(home.url, "/healthz") == (200, "alive\n")
    assert await get(home.url, "/healthz?deep=1") == (200, "alive\n")


async def test_readyz_says_whether_the_store_takes_anything(store: SqliteStore, clock: FakeClock) -> None:
    scripted = ScriptedStore(store)
    node = make_node(scripted, clock, AMPLE)
    listener = Listener(node)
    url = f"ws://127.0.0.1:{await listener.open('127.0.0.1', 0)}"
    assert await get(url, "/readyz") == (200, "ready\n")
    scripted.down = True
    assert await get(url, "/readyz") == (503, "the store cannot take anything\n")
    assert (await get(url, "/healthz"))[0] == 200
    scripted.down = False
    assert await get(url, "/readyz") == (200, "ready\n")
    node.draining = True
    assert await get(url, "/readyz") == (503, "going down\n")
    await listener.close()
    await node.hubs.close()


async def test_metrics_count_what_goes_on(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    await ana.do(commands.Move, race, move="1h")
    status, body = await get(home.url, "/metrics")
    assert status == 200
    found = dict(re.findall(r"^(cellrace_[^ ]+) (.+)$", body, re.MULTILINE))
    assert found["cellrace_connections"] == "1.0"
    assert found["cellrace_live_races"] == "1.0"
    assert found['cellrace_messages_total{type="move"}'] == "2.0"
    assert found['cellrace_refusals_total{code="illegal_move"}'] == "1.0"
    assert float(found['cellrace_appends_total{outcome="appended"}']) >= 3
    assert float(found["cellrace_answer_seconds_count"]) == 3
    await ana.close()
    await eventually(lambda: home.node.metrics.connections._value.get() == 0, "the end of the connection")


async def test_two_servers_in_one_process_count_for_themselves(home: House, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with house(tmp_path / "other") as other:
        await other.guest("Ana")
        assert "cellrace_connections 1.0" in (await get(other.url, "/metrics"))[1]
        assert "cellrace_connections 0.0" in (await get(home.url, "/metrics"))[1]


@pytest.mark.parametrize("path", ["/", "/nothing", "/healthz/x"])
async def test_other_pages_are_for_websockets_only(home: House, path: str) -> None:
    status, body = await get(home.url, path)
    assert status in (400, 426)
    assert "Traceback" not in body


# Who gets in.


async def open_as(url: str, origin: str | None, subprotocols: list[Subprotocol] | None) -> str | int:
    """The subprotocol that was agreed on, or the HTTP status of the refusal."""
    try:
        asked = None if origin is None else Origin(origin)
        async with connect(url, subprotocols=subprotocols, origin=asked, compression=None) as socket:
            return socket.subprotocol or ""
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.fixture
async def allowing(tmp_path: Path) -> AsyncIterator[str]:
    """A server that lets in one foreign page."""
    store = f"sqlite:{tmp_path / 'allowing.sqlite'}"
    config = Config(port=0, store=store, origins=("https://race.example",), limits=AMPLE)
    async with running(config) as server:
        yield server.url


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "https://race.example.evil.example",
        "http://race.example",
        "null",
        "",
        "nonsense",
    ],
)
async def test_a_foreign_origin_is_refused_with_403(allowing: str, origin: str) -> None:
    assert await open_as(allowing, origin, [SUBPROTOCOL]) == 403


async def test_an_origin_that_is_absent_or_our_own_or_allowed_gets_in(allowing: str) -> None:
    own = allowing.replace("ws://", "http://")
    for origin in (None, own, "https://race.example"):
        assert await open_as(allowing, origin, [SUBPROTOCOL]) == version.SUBPROTOCOL


@pytest.mark.parametrize("offered", [None, ["chat"], ["cellrace.v2", "cellrace"]])
async def test_without_the_subprotocol_the_handshake_is_refused_with_400(
    home: House, offered: list[str] | None
) -> None:
    subprotocols = None if offered is None else [Subprotocol(name) for name in offered]
    assert await open_as(home.url, None, subprotocols) == 400


async def test_the_subprotocol_may_be_one_of_several(home: House) -> None:
    assert await open_as(home.url, None, [Subprotocol("other"), SUBPROTOCOL]) == version.SUBPROTOCOL


async def test_no_compression_is_agreed_on(home: House) -> None:
    async with connect(home.url, subprotocols=[SUBPROTOCOL]) as socket:
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers


# Caps.


async def test_so_many_connections_from_one_address_and_no_more(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, connections_per_address=3)) as home:
        guests = [await home.guest(f"Guest {i}") for i in range(3)]
        late = home.stranger("Late")
        await late.open()
        assert await late.ended() == (1008, "too_many")
        assert "address" in (await late.hear(events.Bye, 0)).detail
        await guests[0].close()
        await eventually(lambda: home.node.metrics.connections._value.get() == 2, "room")
        await home.guest("Later")


async def test_a_server_that_is_full_says_so(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, connections=2)) as home:
        for number in range(2):
            await home.guest(f"Guest {number}")
        late = home.stranger("Late")
        await late.open()
        assert await late.ended() == (1008, "too_many")
        assert "full" in (await late.hear(events.Bye, 0)).detail
        assert (await get(home.url, "/healthz"))[0] == 200


# Hello.


async def test_one_who_says_no_hello_is_sent_away(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, hello_s=0.1)) as home:
        mute = home.stranger("Mute")
        await mute.open()
        assert await mute.ended() == (1008, "hello_first")


async def test_one_who_says_hello_in_time_may_be_silent_after_it(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, hello_s=0.1)) as home:
        ana, mute = await home.guest("Ana"), home.stranger("Mute")
        await mute.open()
        await mute.ended()  # Longer after her hello than anyone has to say one.
        assert isinstance(await ana.ask(commands.Join("ABCDEFGH")), events.Refused)


async def test_nonsense_is_no_hello(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, hello_s=0.2)) as home:
        babbler = home.stranger("Babbler")
        await babbler.open()
        for _ in range(3):
            await babbler.say("nonsense")
        assert await babbler.ended() == (1008, "hello_first")


# Frames.


async def ended_by(home: House, frames: list[bytes | Frame]) -> int | None:
    """Send raw frames after a hello; the code with which the server ended the connection."""
    guest = await home.guest("Eve")
    for frame in frames:
        raw = frame if isinstance(frame, bytes) else frame.serialize(mask=True)
        guest.socket.transport.write(raw)
    code, _ = await guest.ended()
    return code


def text(data: bytes, *, fin: bool = True, first: bool = True) -> Frame:
    return Frame(Opcode.TEXT if first else Opcode.CONT, data, fin=fin)


async def test_a_binary_frame_ends_the_connection_with_1003(home: House) -> None:
    assert await ended_by(home, [Frame(Opcode.BINARY, b'{"t":"join","race":"ABCDEFGH"}')]) == 1003


@pytest.mark.parametrize(
    "frames",
    [
        [text(b"\xff\xfe")],
        [text(b'{"t":"say","text":"\xc3\x28"}')],
        [text(b"\xed\xa0\x80")],
        [text(b"\xff", fin=False), text(b"\xfe", first=False)],
        [text(b"\xe2\x82", fin=False), text(b"", first=False)],
    ],
    ids=["ff fe", "a broken pair", "a surrogate", "in fragments", "cut short"],
)
async def test_text_that_is_not_utf_8_ends_the_connection_with_1007(home: House, frames: list[Frame]) -> None:
    assert await ended_by(home, [*frames]) == 1007


async def test_a_letter_in_two_fragments_is_a_letter(home: House) -> None:
    ana = await home.guest("Ana")
    letter = b'{"t":"unwatch","race":"ABCDEFGH","q":77}'
    for frame in (text(letter[:10], fin=False), text(letter[10:], first=False)):
        ana.socket.transport.write(frame.serialize(mask=True))
    assert (await ana.hear(events.Unwatched)).q == 77


@pytest.mark.parametrize(
    "frames",
    [
        [text(b"x" * 5 * 1024)],
        [text(b"x" * 10_486, fin=False), *[text(b"x" * 10_486, fin=i == 98, first=False) for i in range(99)]],
        [text(b"x" * 100, fin=False), *[text(b"x" * 100, fin=i == 98, first=False) for i in range(99)]],
        [text(b"x" * (version.MAX_COMMAND_BYTES + 1))],
    ],
    ids=["5 KiB", "1 MiB in 100 fragments", "10 kB in 100 fragments", "one byte too many"],
)
async def test_a_message_that_is_too_big_ends_the_connection_with_1009(
    home: House, frames: list[Frame]
) -> None:
    assert await ended_by(home, [*frames]) == 1009


async def test_the_largest_message_allowed_is_read(home: House) -> None:
    ana = await home.guest("Ana")
    frame = '{"t":"unwatch","race":"ABCDEFGH","q":1}'
    await ana.say(frame + " " * (version.MAX_COMMAND_BYTES - len(frame)))
    assert (await ana.hear(events.Unwatched)).q == 1


async def test_frames_that_break_the_protocol_end_one_connection_and_no_other(home: House) -> None:
    ana = await home.guest("Ana")
    unmasked = text(b"{}").serialize(mask=False)
    reserved = bytes([0xF1]) + text(b"{}").serialize(mask=True)[1:]
    assert await ended_by(home, [unmasked]) == 1002
    assert await ended_by(home, [reserved]) == 1002
    assert isinstance(await ana.ask(commands.Join("ABCDEFGH")), events.Refused)


async def test_one_who_is_not_even_speaking_http_is_sent_away(home: House) -> None:
    host, port = home.url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
    assert b"Traceback" not in await asyncio.wait_for(reader.read(), 20)
    writer.close()
    await writer.wait_closed()
    assert (await get(home.url, "/healthz"))[0] == 200


# Going down.


def quiet(tmp_path: Path) -> Config:
    """A server whose guests are still there when it goes down."""
    return Config(port=0, store=f"sqlite:{tmp_path / 'races.sqlite'}", limits=AMPLE)


async def test_everyone_is_told_when_to_come_back_and_not_all_at_once(tmp_path: Path) -> None:
    async with running(quiet(tmp_path)) as server:
        guests = [Player(server.url, f"Guest {i}") for i in range(30)]
        for guest in guests:
            await guest.connect()
    assert [await guest.ended() for guest in guests] == [(1012, "restarting")] * 30
    waits = [(await guest.hear(events.Bye, 0)).retry_ms or 0 for guest in guests]
    assert all(500 <= wait < 5_000 for wait in waits)
    assert len(set(waits)) > 20


async def test_a_server_that_goes_down_takes_nobody_new(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        ana = await home.guest("Ana")
        home.node.draining = True
        for command in (commands.Create("create-1"), commands.Join("ABCDEFGH")):
            refused = await ana.ask(command)
            assert isinstance(refused, events.Refused)
            assert refused.code == "restarting"
            assert refused.retry_ms
    with pytest.raises((OSError, ConnectionClosed)):
        await home.stranger("Late").open()


async def test_one_who_does_not_read_does_not_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.gateway.listener.GOODBYE_S", 0.3)
    async with running(quiet(tmp_path)) as server:
        ana, deaf = Player(server.url, "Ana"), Player(server.url, "Deaf")
        for guest in (ana, deaf):
            await guest.connect()
        race = await ana.create(commands.Settings(watch="live"))
        await deaf.watch(race)
        deaf.socket.transport.pause_reading()
        (hub,) = server.node.hubs._hubs.values()
        (watcher,) = hub._watchers
        pull = hub.pull

        def flood(follower: Follower) -> tuple[list[bytes], bool]:
            return ([b"x" * 1_000_000] * 10, False) if follower is watcher else pull(follower)

        monkeypatch.setattr(hub, "pull", flood)
        watcher.wake()
        await ana.did(commands.Say, race, text="to see that the flood is under way")
        began = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - began < 5
    assert await ana.ended() == (1012, "restarting")
    assert server.node.metrics.cut.labels("restarting")._value.get() == 1
    await deaf.drop()
