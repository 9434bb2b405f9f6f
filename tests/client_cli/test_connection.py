"""A conversation outlives its connections."""

import asyncio

import pytest

from client_cli.connection import (
    LEAST_BY_HAND_MS,
    LEAST_WAIT_S,
    PATIENCE_S,
    Heard,
    Lost,
    NewPlayer,
    Over,
    Surroundings,
)
from client_cli.session import Session
from client_cli.waits import growing_waits
from protocol.commands import Hello, Join, Move, Say
from protocol.errors import CloseCode, ErrorCode
from protocol.events import Bye, Presence, Refused, Welcome
from tests.client_cli.fake_server import Peer
from tests.client_cli.listener import Listener, closing, listening, seated, staying
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
    listener.now_ms += LEAST_BY_HAND_MS
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

    async def test_a_key_that_is_held_down_asks_no_more_often_than_once_a_second(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Listener, "_sleep", forever)
        async with listening(closing(1000), closing(1000), staying) as listener:
            await tries_now(listener)
            await listener.until(Lost)
            await listener.asleep.wait()
            for listener.now_ms in (LEAST_BY_HAND_MS, 2 * LEAST_BY_HAND_MS - 1):
                listener.conversation.try_now()
                assert listener.conversation.is_waiting
            listener.now_ms += 1
            listener.conversation.try_now()
            await listener.until_settled()

    async def test_whoever_leaves_leaves_no_wait_behind(self, monkeypatch: pytest.MonkeyPatch) -> None:
        has_ended = asyncio.Event()

        async def until_cancelled(listener: Listener, seconds: float) -> None:
            try:
                await forever(listener, seconds)
            finally:
                has_ended.set()

        monkeypatch.setattr(Listener, "_sleep", until_cancelled)
        async with listening(closing(1000)) as listener:
            await listener.asleep.wait()
        async with asyncio.timeout(5):
            await has_ended.wait()

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
