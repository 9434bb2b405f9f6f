"""A conversation knows when there is no point in another connection, and says why."""

import asyncio

import pytest
from websockets.asyncio.server import ServerConnection, serve

from client_cli import language
from client_cli.closing import WORDS
from client_cli.connection import PATIENCE_S, Conversation, Lost, News, Over, Surroundings
from client_cli.session import Session
from client_cli.waits import growing_waits
from protocol.commands import Hello, Join
from protocol.errors import CloseCode, ErrorCode
from protocol.events import Bye, RaceLost, Refused
from protocol.version import PROTOCOL
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.listener import Listener, closing, listening, seated, staying
from tests.client_cli.samples import LAYOUT, RACE, seat, snapshot, update


class TestTheEnd:
    @pytest.mark.parametrize(
        ("code", "bye", "why"),
        [
            (CloseCode.SUPERSEDED, Bye("superseded", "taken over"), "taken over"),
            (CloseCode.SUPERSEDED, None, "this seat is played from another connection now"),
            (1000, Bye("superseded", "taken over"), "taken over"),
            (CloseCode.RACE_LOST, None, "the server has lost this race"),
            (CloseCode.POLICY, Bye("bad_message", "ten bad messages"), "ten bad messages"),
            (CloseCode.TOO_BIG, None, "the server was sent a message that is too long for it"),
        ],
    )
    async def test_closed_for_good(self, code: int, bye: Bye | None, why: str) -> None:
        async with listening(closing(code, bye)) as listener:
            over = await listener.until(Over)
            assert isinstance(over, Over)
            assert over.why == why

    async def test_a_lost_race(self) -> None:
        async def script(peer: Peer) -> None:
            await seated(peer)
            await peer.tell(RaceLost(RACE))
            await peer.stay()

        async with listening(script) as listener:
            over = await listener.until(Over)
            assert over == Over("the server has lost this race")

    async def test_a_refused_entrance(self) -> None:
        full = Refused(ErrorCode.RACE_FULL, "all 8 seats are taken", RACE, q=0)

        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(full)
            await peer.stay()

        async with listening(script) as listener:
            assert await listener.until(Over) == Over("all 8 seats are taken", full)

    async def test_an_entrance_that_would_take_long_says_how_long(self) -> None:
        slower = Refused(ErrorCode.TOO_FAST, "slower", RACE, q=0, retry_ms=250_000)

        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(slower)
            await peer.stay()

        async with listening(script) as listener:
            assert await listener.until(Over) == Over("slower; possible again in 250 s", slower)

    @pytest.mark.parametrize("moment", ["before a word", "instead of a welcome", "after one", "later"])
    @pytest.mark.parametrize("language_of_reader", ["en", "pt"])
    @pytest.mark.parametrize("code", list(CloseCode))
    async def test_every_end_is_told_in_a_sentence_at_every_moment(
        self, code: CloseCode, language_of_reader: str, moment: str
    ) -> None:
        async def script(peer: Peer) -> None:
            if moment == "later":
                await seated(peer)
            elif moment == "after one":
                await peer.greet()
                await peer.expect(Join)
            elif moment == "instead of a welcome":
                await peer.expect(Hello)
            await peer.close(code)

        language.use(language_of_reader)
        async with serving(script) as url:
            listener = Listener(url)
            task = asyncio.create_task(listener.conversation.run())
            while not isinstance(news := await listener.news.get(), Over | Lost):
                pass
            task.cancel()
        at_once = language.tr("{url} ended the conversation at once").format(url=url)
        said = language.tr(WORDS.get(code, "the connection is lost"))
        assert news.why in {said, f"{at_once}: {said}", at_once}
        assert said in news.why or code is CloseCode.NORMAL
        is_for_good = code not in {CloseCode.NORMAL, CloseCode.INTERNAL, CloseCode.RESTARTING}
        is_new = moment in {"before a word", "instead of a welcome"}
        assert isinstance(news, Over) == (is_for_good or (is_new and code is not CloseCode.RESTARTING))

    @pytest.mark.parametrize(("code", "why"), [(1011, "your record cannot be read"), (1008, "no room")])
    async def test_the_servers_own_words_are_told_before_a_welcome_too(self, code: int, why: str) -> None:
        async def script(peer: Peer) -> None:
            await peer.tell(Bye("internal" if code == 1011 else "too_many", why))
            await peer.close(code)

        async with listening(script) as listener:
            over = await listener.until(Over)
            assert isinstance(over, Over)
            assert over.why.endswith(f"ended the conversation at once: {why}")

    async def test_who_finds_no_room_when_coming_back_tries_again(self) -> None:
        async def full(peer: Peer) -> None:
            await peer.tell(Bye("too_many", "no room"))
            await peer.close(CloseCode.POLICY)

        async with listening(closing(1000), full, staying) as listener:
            assert await listener.until(Lost) == Lost("the connection is lost", 0.2)
            assert await listener.until(Lost) == Lost("no room", 0.4)
            await listener.until_settled()

    @pytest.mark.parametrize("retry_ms", [0, -5000])
    async def test_who_is_welcome_and_sent_away_at_once_comes_back_ever_later(self, retry_ms: int) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(Bye("restarting", "come back", retry_ms))
            await peer.close(CloseCode.RESTARTING)

        async with listening(script, script, script, staying) as listener:
            await listener.until_settled()
            assert listener.slept == [0.2, 0.4, 0.8]

    async def test_nobody_waits_longer_than_he_has_patience(self) -> None:
        async with listening(closing(1012, Bye("restarting", "later", 2**60)), staying) as listener:
            assert await listener.until(Lost) == Lost("later", PATIENCE_S)
            await listener.until_settled()

    @pytest.mark.parametrize("never", ["joins", "is not rewound"])
    async def test_a_picture_that_never_fits_is_not_asked_for_without_a_pause(self, never: str) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            for _ in range(8):
                assert isinstance(await peer.hear(), Join)
                await peer.tell(seat(board=LAYOUT), snapshot("running", rewound=never != "joins"))
                if never == "joins":
                    await peer.tell(update(7, 8))
            await peer.expect(Join)
            await peer.tell(seat(board=LAYOUT), snapshot("running", to=9))
            await peer.stay()

        async with listening(script) as listener:
            following = None
            while following is None or following.to != 9:
                await listener.news.get()
                following = listener.conversation.session.following
            assert listener.slept == [2.0, 2.0, 2.0]

    async def test_what_is_no_message_ends_it(self) -> None:
        async def script(peer: Peer) -> None:
            await seated(peer)
            await peer.socket.send("[\x1b]")
            await peer.stay()

        async with listening(script) as listener:
            over = await listener.until(Over)
            assert isinstance(over, Over)
            assert "no message of this protocol" in over.why
            assert "\x1b" not in over.why

    async def test_a_message_that_is_too_long_ends_it(self) -> None:
        async def script(peer: Peer) -> None:
            await seated(peer)
            await peer.socket.send("a" * (1 << 20 | 1))
            await peer.stay()

        async with listening(script) as listener:
            over = await listener.until(Over)
            assert isinstance(over, Over)
            assert over.why.endswith(" sent what no server of this protocol sends")

    async def test_an_error_of_ones_own_ends_it_in_words(self) -> None:
        told: list[News] = []

        def report(news: News) -> None:
            told.append(news)
            if len(told) == 1:
                raise RuntimeError("no\x1b room")

        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.stay()

        async with serving(script) as url:
            around = Surroundings(lambda: 0, lambda: growing_waits(lambda: 0.0))
            await Conversation(url, Hello(PROTOCOL, "ann"), Session(Join(RACE)), report, around).run()
        assert told[-1] == Over("something went wrong in this program: RuntimeError: no  room")

    async def test_who_merely_leaves_says_so(self) -> None:
        sockets: list[ServerConnection] = []

        async def script(peer: Peer) -> None:
            sockets.append(peer.socket)
            await staying(peer)

        async with listening(script) as listener:
            await listener.until_settled()
        assert sockets[0].close_code == CloseCode.NORMAL

    async def test_nobody_there(self) -> None:
        listener = Listener("ws://127.0.0.1:1")
        await listener.conversation.run()
        assert await listener.until(Over) == Over("cannot reach ws://127.0.0.1:1: nothing listens there")

    async def test_no_address(self) -> None:
        listener = Listener("http://127.0.0.1:1")
        await listener.conversation.run()
        over = await listener.until(Over)
        assert isinstance(over, Over)
        assert over.why.startswith("cannot reach http://127.0.0.1:1: ")

    async def test_another_kind_of_server(self) -> None:
        async with serve(lambda _: asyncio.sleep(0), "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            listener = Listener(f"ws://127.0.0.1:{port}")
            await listener.conversation.run()
        over = await listener.until(Over)
        assert isinstance(over, Over)
        assert "cellrace.v1" in over.why

    async def test_a_page_instead_of_a_server(self) -> None:
        async with serve(
            lambda _: asyncio.sleep(0),
            "127.0.0.1",
            0,
            process_request=lambda connection, _: connection.respond(404, "not here\n"),
        ) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            listener = Listener(f"ws://127.0.0.1:{port}")
            await listener.conversation.run()
        over = await listener.until(Over)
        assert isinstance(over, Over)
        assert "HTTP 404" in over.why

    @pytest.mark.parametrize(
        ("said", "why"),
        [
            (b"220 mail.example ready\r\n\r\n", "it does not speak WebSocket"),
            (b"", "it hung up without a word"),
        ],
    )
    async def test_no_websocket_at_all(self, said: bytes, why: str) -> None:
        async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(said)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        async with server:
            listener = Listener(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}")
            await listener.conversation.run()
        over = await listener.until(Over)
        assert isinstance(over, Over)
        assert over.why.endswith(f": {why}")
