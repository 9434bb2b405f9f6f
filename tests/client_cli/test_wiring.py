"""A command's pieces, from its options and what is around it."""

import argparse
import io
from pathlib import Path

import pytest

from client_cli.cli import build_parser
from client_cli.connection import Lost, Over
from client_cli.errors import ClientError
from client_cli.identity import Identity
from client_cli.inbox import Inbox
from client_cli.options import settings_of
from client_cli.session import Session
from client_cli.story import Boards
from client_cli.style import Style
from client_cli.wiring import (
    DEFAULT_SERVER,
    any_server,
    converse,
    named_server,
    new_create_id,
    race_named,
    read_code,
    storyteller_of,
    style_of,
    terminal_of,
    who,
    with_advice,
)
from client_cli.world import World, monotonic_ms, this_world
from protocol.codec import encode, read_command
from protocol.commands import Create, Join, Settings
from protocol.errors import ErrorCode
from protocol.events import Refused
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.samples import RACE, TOKEN


def world(
    tmp_path: Path, *, is_interactive: bool = False, encoding: str = "utf-8", **environment: str
) -> World:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    return World({"CELLRACE_HOME": str(tmp_path), **environment}, 0, out, is_interactive)


def options(line: str) -> argparse.Namespace:
    return build_parser().parse_args(line.split())


class TestServer:
    def test_the_option_wins_over_the_environment(self, tmp_path: Path) -> None:
        around = world(tmp_path, CELLRACE_SERVER="ws://there:1")
        server = named_server(options("play --server wss://here"), around)
        assert server is not None
        assert (server.url, server.key) == ("wss://here", "here_443")
        server = named_server(options("play"), around)
        assert server is not None
        assert server.url == "ws://there:1"

    def test_host_and_port_are_an_address_too(self, tmp_path: Path) -> None:
        for given in ("127.0.0.1:18911", "localhost:8765", "[::1]:8765"):
            server = named_server(options(f"play --server {given}"), world(tmp_path))
            assert server is not None
            assert server.url == f"ws://{given}"
        with pytest.raises(ClientError, match="is not a server's address"):
            named_server(options("play --server example.org"), world(tmp_path))

    def test_an_address_for_the_web_is_that_of_the_same_server(self, tmp_path: Path) -> None:
        server = named_server(options("play --server https://race.example"), world(tmp_path))
        assert server is not None
        assert (server.url, server.key) == ("wss://race.example", "race.example_443")

    def test_without_either_there_is_the_usual_one(self, tmp_path: Path) -> None:
        assert named_server(options("play"), world(tmp_path)) is None
        assert any_server(options("whoami"), world(tmp_path)).url == DEFAULT_SERVER


class TestRace:
    @pytest.mark.parametrize("command", ["join", "watch", "replay", "bot --moves -"])
    def test_a_link_names_race_and_server(self, tmp_path: Path, command: str) -> None:
        around = world(tmp_path, CELLRACE_SERVER="ws://there:1")
        server, code = race_named(options(f"{command} ws://192.0.2.7:8765/abcdefgh"), around)
        assert (server.url, server.key, code) == ("ws://192.0.2.7:8765", "192.0.2.7_8765", RACE)

    def test_a_code_is_on_the_named_server(self, tmp_path: Path) -> None:
        server, code = race_named(options("join abcdefgh --server wss://here"), world(tmp_path))
        assert (server.url, code) == ("wss://here", RACE)
        assert race_named(options("join abcdefgh"), world(tmp_path))[0].url == DEFAULT_SERVER

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("join ws://here:8765", "is no link to a race; one looks like ws://HOST:PORT/CODE"),
            ("join ws://here:8765/ABC", "is no link to a race"),
            ("join ftp://here/ABCDEFGH", "is no link to a race"),
            ("join ws://here:x/ABCDEFGH", "is not a server's address"),
            ("join ws://here/ABCDEFGH --server ws://there", "a link names its server"),
        ],
    )
    def test_what_is_no_link(self, tmp_path: Path, line: str, why: str) -> None:
        with pytest.raises(ClientError, match=why):
            race_named(options(line), world(tmp_path))


class TestWho:
    def test_the_name(self, tmp_path: Path) -> None:
        around = world(tmp_path, CELLRACE_NAME="eve")
        server = any_server(options("whoami"), around)
        assert who(options("whoami --name ann"), around, server).name == "ann"
        assert who(options("whoami"), around, server).name == "eve"
        assert who(options("whoami"), world(tmp_path), server).name

    @pytest.mark.parametrize("name", [" ", "x" * 201])
    def test_a_name_that_cannot_be(self, tmp_path: Path, name: str) -> None:
        args = build_parser().parse_args(["whoami", "--name", name])
        with pytest.raises(ClientError, match="1 to 24"):
            who(args, world(tmp_path), any_server(args, world(tmp_path)))

    def test_the_token_file(self, tmp_path: Path) -> None:
        around = world(tmp_path)
        server = any_server(options("whoami"), around)
        assert who(options("whoami"), around, server).tokens.path == tmp_path / "tokens" / "127.0.0.1_8765"
        assert who(options("whoami --token-file x"), around, server).tokens.path == Path("x")


class TestStyle:
    def test_a_person_sees_symbols_in_colour(self, tmp_path: Path) -> None:
        assert style_of(options("play"), world(tmp_path, is_interactive=True)) == Style(
            symbols=True, colour=True
        )

    @pytest.mark.parametrize("line", ["play --ascii", "play --ascii --no-color"])
    def test_letters_on_request(self, tmp_path: Path, line: str) -> None:
        assert not style_of(options(line), world(tmp_path, is_interactive=True)).symbols

    @pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
    def test_letters_where_symbols_cannot_be_written(self, tmp_path: Path, encoding: str) -> None:
        assert not style_of(options("play"), world(tmp_path, encoding=encoding)).symbols

    def test_no_colour_for_a_pipe_nor_where_it_is_not_wanted(self, tmp_path: Path) -> None:
        assert not style_of(options("play"), world(tmp_path)).colour
        assert not style_of(options("play --no-color"), world(tmp_path, is_interactive=True)).colour
        for variable in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert not style_of(options("play"), world(tmp_path, is_interactive=True, **variable)).colour

    def test_boards_after_each_move_are_for_people(self, tmp_path: Path) -> None:
        at_a_terminal = world(tmp_path, is_interactive=True)
        assert storyteller_of(options("play"), at_a_terminal).boards is Boards.NEVER
        assert storyteller_of(options("play --boards"), at_a_terminal).boards is Boards.AFTER_MOVES
        assert storyteller_of(options("play"), world(tmp_path)).boards is Boards.AT_THE_START


class TestConversing:
    async def test_the_token_is_kept(self, tmp_path: Path) -> None:
        async def script(peer: Peer) -> None:
            assert (await peer.greet(token=TOKEN)).token is None
            await peer.expect(Join)

        async with serving(script) as url:
            around = world(tmp_path)
            args = options(f"join {RACE} --server {url}")
            server = any_server(args, around)
            player = who(args, around, server)
            inbox = Inbox()
            terminal = terminal_of(around)
            await converse(player, server, Session(Join(RACE)), inbox, terminal, around)._connected_once()
        assert player.tokens.read() == Identity(TOKEN, "ann")

    async def test_another_name_is_kept_with_the_token_one_has(self, tmp_path: Path) -> None:
        async def script(peer: Peer) -> None:
            assert (await peer.greet()).token == TOKEN
            await peer.expect(Join)

        async with serving(script) as url:
            around = world(tmp_path)
            args = options(f"join {RACE} --server {url}")
            player = who(args, around, any_server(args, around))
            player.tokens.write(Identity(TOKEN, "zoe"))
            server, terminal = any_server(args, around), terminal_of(around)
            await converse(player, server, Session(Join(RACE)), Inbox(), terminal, around)._connected_once()
        assert player.tokens.read() == Identity(TOKEN, "ann")
        assert who(args, around, server).name == "ann"

    async def test_a_token_that_cannot_be_kept_is_told(self, tmp_path: Path) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet(token=TOKEN)
            await peer.expect(Join)

        (tmp_path / "tokens").mkdir()
        async with serving(script) as url:
            around = world(tmp_path)
            args = options(f"join {RACE} --server {url}")
            server = any_server(args, around)
            conversation = converse(
                who(args, around, server), server, Session(Join(RACE)), Inbox(), terminal_of(around), around
            )
            (tmp_path / "tokens").rmdir()
            (tmp_path / "tokens").write_text("in the way")
            await conversation._connected_once()
        around.stdout.seek(0)
        assert "cannot keep the token" in around.stdout.read()


def test_create_ids_are_new_and_taken_by_the_server() -> None:
    ids = {new_create_id() for _ in range(100)}
    assert len(ids) == 100
    for create_id in ids:
        assert read_command(encode(Create(create_id))) == Create(create_id)


@pytest.mark.parametrize("text", ["ABCDEFGH", " abcdefgh\n"])
def test_race_codes_as_typed(text: str) -> None:
    assert read_code(text) == "ABCDEFGH"


@pytest.mark.parametrize("text", ["", "ABCDEFG", "ABCDEFGHJ", "ABCDEFGI", "ABCDEFG1", "ÄBCDEFGH"])
def test_what_is_no_race_code(text: str) -> None:
    with pytest.raises(ClientError, match="no race code"):
        read_code(text)


def test_settings_on_the_command_line() -> None:
    line = "play --rules app --cells 2 --deal 617 --time-limit 60 --max-racers 3 --countdown 0 --watch live"
    args = options(f"{line} --delay 5 --returns no --undo-limit 7 --hints yes")
    assert settings_of(args, Settings(countdown_s=3)) == Settings(
        "app", 2, 617, 3, 60, 0, "live", 5, returns=False, undo_limit=7, hints=True
    )
    assert settings_of(options("play"), Settings(countdown_s=3)) == Settings(countdown_s=3)


def test_a_setting_that_cannot_be() -> None:
    with pytest.raises(ClientError, match="cells is 1 to 4; not '5'"):
        settings_of(options("play --cells 5"), Settings())


def test_the_world_of_this_process() -> None:
    assert this_world().now_ms is monotonic_ms
    assert monotonic_ms() <= monotonic_ms()


@pytest.mark.parametrize(
    ("refusal", "has_advice"),
    [(None, True), (ErrorCode.NO_SUCH_RACE, True), (ErrorCode.RACE_FULL, False)],
)
def test_where_no_server_was_named_that_is_said_with_what_went_wrong(
    refusal: ErrorCode | None, has_advice: bool
) -> None:
    over = Over("why", Refused(refusal, "why") if refusal else None)
    news = with_advice(over, is_assumed=True)
    assert isinstance(news, Over)
    assert news.why.startswith("why; no server was named") == has_advice
    assert with_advice(over, is_assumed=False) == over


@pytest.mark.parametrize("is_assumed", [False, True])
def test_who_cannot_join_what_is_over_is_told_how_to_look_at_it(is_assumed: bool) -> None:
    news = with_advice(Over("over", Refused(ErrorCode.RACE_OVER, "over")), is_assumed=is_assumed)
    assert isinstance(news, Over)
    assert news.why == "over: watch it to see how it went"


def test_the_server_that_is_assumed_is_the_one_that_was_not_named(tmp_path: Path) -> None:
    assert any_server(options("join x"), world(tmp_path)).is_assumed
    assert not any_server(options("join x --server ws://h"), world(tmp_path)).is_assumed
    assert with_advice(Lost("why", 1.0), is_assumed=True) == Lost("why", 1.0)
