import asyncio
from collections.abc import Sequence

import pytest

from server.store.redis import ear as ear_module
from server.store.redis.driver import Away, OnMessage
from server.store.redis.ear import Ear
from server.store.redis.timing import Timing
from tests.server.store.redis.helpers import until

QUICK = Timing(pause_s=0.005, heartbeat_s=0.05, deaf_s=0.1, connect_s=0.1)


class FakeRedis:
    """Channels, and the connections that listen to them.

    Attributes:
        hears: whether subscriptions have an effect.
        failure: raised instead of connecting, while it is set.
        silent_calls: calls to oneself that are to come before the subscription.
    """

    def __init__(self) -> None:
        self.links: list[FakeLink] = []
        self.hears = True
        self.failure: Exception | None = None
        self.cannot_call = False
        self.silent_calls = 0
        self.calls = 0

    async def connect(self, on_message: OnMessage) -> "FakeLink":
        if self.failure:
            raise self.failure
        self.links.append(FakeLink(self, on_message))
        return self.links[-1]

    async def call_out(self, channel: bytes, message: bytes) -> None:
        self.calls += 1
        if self.cannot_call:
            raise Away("no")
        if self.silent_calls:
            self.silent_calls -= 1
            return
        self.publish(channel, message)

    def publish(self, channel: bytes, message: bytes) -> None:
        for link in self.links:
            if channel in link.channels and self.hears and not link.lost.done():
                link.on_message(channel, message)


class FakeLink:
    def __init__(self, redis: FakeRedis, on_message: OnMessage) -> None:
        self.on_message = on_message
        self.channels: set[bytes] = set()
        self.commands: list[int] = []
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def subscribe(self, channels: Sequence[bytes]) -> None:
        self.channels |= set(channels)
        self.commands.append(len(channels))

    async def unsubscribe(self, channels: Sequence[bytes]) -> None:
        self.channels -= set(channels)

    def close(self) -> None:
        if not self.lost.done():
            self.lost.set_result(None)


class Listener:
    def __init__(self) -> None:
        self.messages: list[tuple[bytes, bytes]] = []
        self.hearing: list[list[bytes]] = []
        self._changed = asyncio.Event()

    def on_message(self, channel: bytes, message: bytes) -> None:
        self.messages.append((channel, message))
        if message == b"bad":
            raise ValueError("what is that?")

    def on_hearing(self, channels: Sequence[bytes]) -> None:
        self.hearing.append([*channels])
        self._changed.set()

    async def hear(self, times: int) -> None:
        async with asyncio.timeout(10):
            while len(self.hearing) < times:
                self._changed.clear()
                await self._changed.wait()


class Setting:
    """An ear on a fake Redis."""

    def __init__(self, timing: Timing) -> None:
        self.redis = FakeRedis()
        self.listener = Listener()
        self.ear = Ear(self.redis.connect, self.redis.call_out, timing)
        self.ear.listen(self.listener.on_message, self.listener.on_hearing)


async def use(setting: Setting, *channels: bytes) -> None:
    for channel in channels:
        setting.ear.subscribe(channel)
    await setting.listener.hear(1)


async def test_it_connects_when_there_is_something_to_hear() -> None:
    setting = Setting(QUICK)
    await asyncio.sleep(QUICK.heartbeat_s)
    assert not setting.redis.links
    await use(setting, b"a", b"b")
    assert setting.listener.hearing == [[b"a", b"b"]]
    setting.redis.publish(b"a", b"1")
    setting.redis.publish(b"c", b"2")
    assert setting.listener.messages == [(b"a", b"1")]
    await setting.ear.close()


async def test_it_calls_to_itself_until_it_hears_that() -> None:
    setting = Setting(QUICK)
    setting.redis.silent_calls = 3
    await use(setting, b"a")
    assert setting.redis.calls == 4
    assert len(setting.redis.links) == 1
    await setting.ear.close()


async def test_a_channel_that_comes_later_is_told_of_by_itself() -> None:
    setting = Setting(QUICK)
    await use(setting, b"a")
    setting.ear.subscribe(b"b")
    setting.ear.subscribe(b"c")
    await setting.listener.hear(2)
    assert setting.listener.hearing == [[b"a"], [b"b", b"c"]]
    await setting.ear.close()


async def test_a_channel_that_is_wanted_no_more_is_not_heard() -> None:
    setting = Setting(QUICK)
    await use(setting, b"a", b"b")
    setting.ear.unsubscribe(b"a")
    setting.ear.subscribe(b"c")
    await setting.listener.hear(2)
    setting.redis.publish(b"a", b"1")
    assert setting.listener.messages == []
    # Nor after a new connection.
    setting.redis.links[0].close()
    await setting.listener.hear(3)
    assert setting.listener.hearing[2] == [b"b", b"c"]
    await setting.ear.close()


async def test_a_channel_that_goes_and_comes_in_one_moment_is_heard() -> None:
    setting = Setting(QUICK)
    await use(setting, b"a")
    setting.ear.unsubscribe(b"a")
    setting.ear.subscribe(b"a")
    await setting.listener.hear(2)
    setting.redis.publish(b"a", b"1")
    assert setting.listener.messages == [(b"a", b"1")]
    await setting.ear.close()


async def test_after_a_loss_it_is_told_that_all_may_have_been_missed() -> None:
    setting = Setting(QUICK)
    await use(setting, b"a", b"b")
    for times in (2, 3):
        setting.redis.links[-1].close()
        await setting.listener.hear(times)
        assert setting.listener.hearing[-1] == [b"a", b"b"]
    assert len(setting.redis.links) == 3
    await setting.ear.close()


async def test_one_that_does_not_hear_itself_connects_anew() -> None:
    setting = Setting(QUICK)
    await use(setting, b"a")
    setting.redis.hears = False
    await until(lambda: len(setting.redis.links) >= 3)
    assert len(setting.listener.hearing) == 1
    setting.redis.hears = True
    await setting.listener.hear(2)
    assert all(link.lost.done() for link in setting.redis.links[:-1])
    await setting.ear.close()


async def test_one_that_cannot_call_counts_as_deaf() -> None:
    setting = Setting(QUICK)
    await use(setting, b"a")
    setting.redis.cannot_call = True
    await until(lambda: len(setting.redis.links) >= 2)
    setting.redis.cannot_call = False
    await setting.listener.hear(2)
    await setting.ear.close()


@pytest.mark.parametrize("failure", [OSError("refused"), Away("no Sentinel"), TimeoutError()])
async def test_it_tries_again_until_it_can_connect(failure: Exception) -> None:
    setting = Setting(QUICK)
    setting.redis.failure = failure
    setting.ear.subscribe(b"a")
    await asyncio.sleep(3 * QUICK.pause_s)
    setting.redis.failure = None
    await setting.listener.hear(1)
    await setting.ear.close()


async def test_one_who_fails_to_understand_a_message_does_not_end_the_listening(
    caplog: pytest.LogCaptureFixture,
) -> None:
    setting = Setting(QUICK)
    await use(setting, b"a")
    setting.redis.publish(b"a", b"bad")
    setting.redis.publish(b"a", b"good")
    assert [message for _, message in setting.listener.messages] == [b"bad", b"good"]
    assert "was not understood" in caplog.text
    assert len(setting.redis.links) == 1
    await setting.ear.close()


async def test_very_many_channels_are_subscribed_in_several_commands() -> None:
    setting = Setting(QUICK)
    many = [b"%d" % number for number in range(2 * ear_module._CHUNK + 1)]
    await use(setting, *many)
    assert setting.listener.hearing == [many]
    assert setting.redis.links[0].commands == [1, ear_module._CHUNK, ear_module._CHUNK, 1]
    await setting.ear.close()


async def test_that_nothing_is_heard_is_said_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    setting = Setting(QUICK)
    await use(setting, b"a")
    assert caplog.text == ""
    setting.redis.failure = OSError("refused")
    setting.redis.links[0].close()
    await asyncio.sleep(10 * QUICK.pause_s)
    assert caplog.text.count("nothing is heard of Redis: the connection was lost") == 1
    assert "refused" not in caplog.text
    setting.redis.failure = None
    await setting.listener.hear(2)
    assert caplog.text.count("Redis is heard again") == 1
    await setting.ear.close()


async def test_closing_ends_the_connection_and_may_come_first() -> None:
    setting = Setting(QUICK)
    await setting.ear.close()
    await use(setting, b"a")
    await setting.ear.close()
    assert setting.redis.links[0].lost.done()
