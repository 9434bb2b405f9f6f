"""A conversation outlives its connections, and knows when there is no point in another one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection, serve

from client_cli import language
from client_cli.closing import WORDS
from client_cli.connection import (
    LEAST_WAIT_S,
    PATIENCE_S,
    Conversation,
    Heard,
    Lost,
    NewPlayer,
    News,
    Over,
    Surroundings,
)
from client_cli.session import Session
from client_cli.waits import growing_waits
from protocol.commands import Hello, Join, Move, Say
from protocol.errors import CloseCode, ErrorCode
from protocol.events import Bye, Presence, RaceLost, Refused, Welcome
from protocol.version import PROTOCOL
from tests.client_cli.fake_server import Peer, Script, serving
from tests.client_cli.samples import (
    LAYOUT,
    ME,
    OTHER_RACE,
    RACE,
    TOKEN,
    ack,
    racer,
    refused,
    seat,
    snapshot,
    update,
    welcome,
)


class Listener:
    """Takes what a conversation reports, and the time that it wants to wait."""

    def __init__(self, url: str, *, token: str | None = None) -> None:
        self.news: asyncio.Queue[News] = asyncio.Queue()
        self.slept: list[float] = []
        self.asleep = asyncio.Event()
        around = Surroundings(lambda: 0, lambda: growing_waits(lambda: 0.0), self._sleep)
        hello = Hello(PROTOCOL, "ann", token)
        self.conversation = Conversation(url, hello, Session(Join(RACE)), self.news.put_nowait, around)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    async def until(self, kind: type[News]) -> News:
        """The next news of that kind."""
        while not isinstance(news := await self.news.get(), kind):
            pass
        return news

    async def until_settled(self) -> None:
        while not self.conversation.session.is_settled:
            await self.news.get()


@asynccontextmanager
async def listening(*scripts: Script, token: str | None = None) -> AsyncIterator[Listener]:
    async with serving(*scripts) as url:
        listener = Listener(url, token=token)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(listener.conversation.run())
            yield listener
            task.cancel()


async def seated(peer: Peer) -> None:
    """Let somebody in whose race is running."""
    await peer.greet()
    await peer.expect(Join)
    await peer.tell(seat(board=LAYOUT), snapshot("running"))


def closing(code: int, bye: Bye | None = None) -> Script:
    async def script(peer: Peer) -> None:
        await seated(peer)
        if bye is not None:
            await peer.tell(bye)
        await peer.close(code)

    return script


async def staying(peer: Peer) -> None:
    await seated(peer)
    await peer.stay()


async def forever(listener: Listener, _seconds: float) -> None:
    """A wait that does not end by itself."""
    listener.asleep.set()
    await asyncio.Event().wait()


async def tries_now(listener: Listener) -> None:
    """Lose the connection, and do not wait for the next attempt."""
    news = await listener.news.get()
    while not isinstance(news, Lost):
        assert not isinstance(news, Over), news
        news = await listener.news.get()
    await listener.asleep.wait()
    listener.asleep.clear()
    assert listener.conversation.is_waiting
    listener.conversation.try_now()
    assert not listener.conversation.is_waiting


class TestGreeting:
    async def test_the_token_given_is_said_the_next_time(self) -> None:
        async def first(peer: Peer) -> None:
            hello = await peer.expect(Hello)
            assert hello.token is None
            await peer.tell(welcome(token=TOKEN))
            peer.abort()

        async def second(peer: Peer) -> None:
            assert (await peer.expect(Hello)).token == TOKEN
            await peer.tell(welcome())
            await peer.expect(Join)
            await peer.stay()

        async with listening(first, second) as listener:
            assert isinstance(await listener.until(Lost), Lost)
            heard = await listener.until(Heard)
            assert isinstance(heard, Heard)
            assert isinstance(heard.event, Welcome)

    async def test_a_token_that_is_not_known_makes_a_new_player(self) -> None:
        async def first(peer: Peer) -> None:
            assert (await peer.expect(Hello)).token == TOKEN
            await peer.tell(Refused(ErrorCode.BAD_TOKEN, "nobody has this token"))
            await peer.stay()

        async def second(peer: Peer) -> None:
            assert (await peer.greet()).token is None
            await peer.expect(Join)

        async with listening(first, second, token=TOKEN) as listener:
            await listener.until(NewPlayer)
            await listener.until(Heard)
            assert listener.slept == []

    async def test_a_token_that_is_known_no_longer_is_the_end(self) -> None:
        async def second(peer: Peer) -> None:
            await peer.expect(Hello)
            await peer.tell(Refused(ErrorCode.BAD_TOKEN, "nobody has this token"))
            await peer.stay()

        async with listening(closing(1011), second, token=TOKEN) as listener:
            over = await listener.until(Over)
            assert isinstance(over, Over)
            assert over.why == "nobody has this token"

    @pytest.mark.parametrize("code", [ErrorCode.BAD_NAME, ErrorCode.WRONG_VERSION])
    async def test_a_greeting_that_will_never_do_is_the_end(self, code: ErrorCode) -> None:
        async def script(peer: Peer) -> None:
            await peer.expect(Hello)
            await peer.tell(Refused(code, "not like this"))
            await peer.stay()

        async with listening(script) as listener:
            over = await listener.until(Over)
            assert isinstance(over, Over)
            assert over.why == "not like this"

    async def test_a_busy_server_is_asked_again(self) -> None:
        async def busy(peer: Peer) -> None:
            await peer.expect(Hello)
            await peer.tell(Refused(ErrorCode.UNAVAILABLE, "the disk is full", retry_ms=700))
            await peer.stay()

        async with listening(busy, staying) as listener:
            lost = await listener.until(Lost)
            assert lost == Lost("the disk is full", 0.7)
            await listener.until_settled()


class TestComingBack:
    async def test_waits_grow_while_nobody_is_there(self) -> None:
        async with listening(closing(1011)) as listener:
            await listener.until(Lost)
        task = asyncio.create_task(listener.conversation.run())
        for _ in range(8):
            lost = await listener.until(Lost)
            assert isinstance(lost, Lost)
            assert lost.why.endswith("nothing listens there")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert listener.slept[1:8] == [0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]

    async def test_patience_has_an_end(self) -> None:
        async with listening(closing(1011)) as listener:
            await listener.until(Lost)
        await listener.conversation.run()
        over = await listener.until(Over)
        assert isinstance(over, Over)
        assert over.why.endswith("given up after 30 minutes")
        assert sum(listener.slept) == pytest.approx(PATIENCE_S, abs=20)

    async def test_who_does_not_want_to_wait_need_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Listener, "_sleep", forever)
        async with listening(closing(1000), closing(1000), staying) as listener:
            listener.conversation.try_now()  # nothing is waited for yet
            assert not listener.conversation.is_waiting
            await tries_now(listener)
            await tries_now(listener)
            await listener.until_settled()
            assert not listener.conversation.is_waiting

    async def test_patience_is_of_time_that_was_waited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Listener, "_sleep", forever)
        async with listening(closing(1011)) as listener:
            await listener.until(Lost)
        task = asyncio.create_task(listener.conversation.run())
        for _ in range(PATIENCE_S // 10 + 20):  # from some time on, 10 s would have been waited
            await tries_now(listener)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def test_waits_begin_anew_after_a_welcome(self) -> None:
        async with listening(closing(1000), closing(1000), staying) as listener:
            for _ in range(2):
                assert await listener.until(Lost) == Lost("the connection is lost", 0.2)
            await listener.until_settled()

    async def test_waits_grow_while_a_server_fails_at_the_same_thing(self) -> None:
        async def failing(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(Bye("internal", "something went wrong"))
            await peer.close(CloseCode.INTERNAL)

        async with listening(failing, failing, failing, closing(1000), staying) as listener:
            for wait_s in (0.2, 0.4, 0.8):
                assert await listener.until(Lost) == Lost("something went wrong", wait_s)
            assert await listener.until(Lost) == Lost("the connection is lost", 1.6)
            await listener.until_settled()

    async def test_what_was_not_answered_is_said_again_once_and_in_order(self) -> None:
        async def first(peer: Peer) -> None:
            await seated(peer)
            assert await peer.expect(Say) == Say(RACE, 1, "hi")
            assert await peer.expect(Move) == Move(RACE, 2, 0, "5a")
            peer.abort()

        async def second(peer: Peer) -> None:
            await peer.greet()
            assert await peer.expect(Join) == Join(RACE, 0, 3, f"{3:016x}")
            await peer.tell(seat(board=LAYOUT))
            assert await peer.expect(Say) == Say(RACE, 1, "hi")
            assert await peer.expect(Move) == Move(RACE, 2, 0, "5a")
            await peer.tell(ack(1, 0, seq=4), ack(2, 1, ("5", "a", 1), seq=5), update(3, 5))
            await peer.stay()

        async with listening(first, second) as listener:
            await listener.until_settled()
            await listener.conversation.ask(Move("", 0, 0, "5a"), Say("", 0, "hi"))
            await listener.until(Lost)
            await listener.until_settled()
            board = listener.conversation.session.board
            assert board is not None
            assert board.n == 1

    async def test_a_connection_dropped_by_ourselves_comes_back_too(self) -> None:
        async with listening(staying, staying) as listener:
            listener.conversation.drop()  # there is none yet
            await listener.until_settled()
            listener.conversation.drop()
            await listener.until(Lost)
            await listener.until_settled()

    async def test_a_restarting_server_says_when_to_come_back(self) -> None:
        bye = Bye("restarting", "back soon", 1500)
        async with listening(closing(CloseCode.RESTARTING, bye), staying) as listener:
            assert await listener.until(Lost) == Lost("back soon", 1.5)
            await listener.until_settled()

    async def test_who_was_too_fast_may_come_back_later(self) -> None:
        bye = Bye("too_fast", "slower, please", 900)
        async with listening(closing(CloseCode.POLICY, bye), staying) as listener:
            assert await listener.until(Lost) == Lost("slower, please", 0.9)
            await listener.until_settled()


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

    async def test_no_websocket_at_all(self) -> None:
        async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail.example ready\r\n\r\n")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        async with server:
            listener = Listener(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}")
            await listener.conversation.run()
        over = await listener.until(Over)
        assert isinstance(over, Over)
        assert "does not speak WebSocket" in over.why


class TestTalking:
    async def test_texts_of_others_are_cleaned(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(seat(), snapshot(racers=(racer(ME, "a\x1b[2Jnn\u202e"),)))
            await peer.stay()

        async with listening(script) as listener:
            await listener.until_settled()
            me = listener.conversation.session.me
            assert me is not None
            assert me.name == "a [2Jnn"

    async def test_messages_of_a_newer_server_are_passed_over(self) -> None:
        async def script(peer: Peer) -> None:
            await seated(peer)
            await peer.socket.send('{"t":"fireworks","race":"ABCDEFGH"}')
            await peer.tell(Presence(RACE, (ME,)))
            await peer.stay()

        async with listening(script) as listener:
            while listener.conversation.session.here is None:
                await listener.news.get()

    async def test_a_postponed_command_is_said_again_in_time(self) -> None:
        async def script(peer: Peer) -> None:
            await seated(peer)
            assert await peer.expect(Move) == Move(RACE, 1, 0, "5a")
            await peer.tell(refused(1, ErrorCode.TOO_FAST, retry_ms=250))
            assert await peer.expect(Move) == Move(RACE, 2, 0, "5a")
            await peer.tell(ack(2, 1, ("5", "a", 1), seq=4), update(3, 4))
            await peer.stay()

        async with listening(script) as listener:
            await listener.until_settled()
            await listener.conversation.ask(Move("", 0, 0, "5a"))
            await listener.until_settled()
            assert listener.slept == [0.25]

    async def test_a_command_is_not_said_again_without_a_pause(self) -> None:
        async def script(peer: Peer) -> None:
            await seated(peer)
            await peer.expect(Move)
            await peer.tell(refused(1, ErrorCode.TOO_FAST, retry_ms=-7))
            await peer.expect(Move)
            await peer.tell(ack(2, 1, ("5", "a", 1), seq=4), update(3, 4))
            await peer.stay()

        async with listening(script) as listener:
            await listener.until_settled()
            await listener.conversation.ask(Move("", 0, 0, "5a"))
            await listener.until_settled()
            assert listener.slept == [LEAST_WAIT_S]

    async def test_a_postponed_command_outlives_the_connection_too(self) -> None:
        async def first(peer: Peer) -> None:
            await seated(peer)
            await peer.expect(Move)
            await peer.tell(refused(1, ErrorCode.TOO_FAST, retry_ms=250))
            peer.abort()

        async def second(peer: Peer) -> None:
            await seated(peer)
            assert await peer.expect(Move) == Move(RACE, 2, 0, "5a")
            await peer.tell(ack(2, 1, ("5", "a", 1), seq=4), update(3, 4))
            await peer.stay()

        async with listening(first, second) as listener:
            await listener.until_settled()
            listener.conversation._around = Surroundings(
                lambda: 0,
                lambda: growing_waits(lambda: 0.0),
                lambda seconds: asyncio.sleep(0 if seconds == 0.2 else 60),
            )
            await listener.conversation.ask(Move("", 0, 0, "5a"))
            await listener.until(Lost)
            await listener.until_settled()

    async def test_another_race_on_the_same_connection(self) -> None:
        async def script(peer: Peer) -> None:
            await seated(peer)
            assert await peer.expect(Join) == Join(OTHER_RACE, 0)
            await peer.stay()

        async with listening(script) as listener:
            await listener.until_settled()
            await listener.conversation.enter(Session(Join(OTHER_RACE), player=ME))
            await asyncio.sleep(0)
