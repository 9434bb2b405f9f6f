"""One server of one's own at a time, as long as it is needed."""

import asyncio
import io
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from client_cli.errors import ClientError
from client_cli.hosting import ALONE_AT
from client_cli.own_server import OwnServer
from client_cli.screens import upkeep as module
from client_cli.screens.link import Link
from client_cli.screens.upkeep import Upkeep
from client_cli.session import Session
from client_cli.wiring import Server
from client_cli.world import World, monotonic_ms
from protocol.commands import Watch
from protocol.events import Event, Presence, Watching
from tests.client_cli.samples import BOB, ME, OTHER_RACE, RACE, hear, in_lobby, racer, snapshot, welcome
from tests.client_cli.screens.lent import Lent

EVERYWHERE = ("0.0.0.0", 8765)
TUNNEL = ("127.0.0.1", 8765)

ALONE = (snapshot("over", to=9), Presence(RACE, (ME,)))
WITH_BOB = (snapshot("over", to=9), Presence(RACE, (ME, BOB)))
RACING_ALONE = (
    snapshot("running", racers=(racer(state="racing"), racer(BOB, "bob", state="resigned")), to=9),
    Presence(RACE, (ME,)),
)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Lent]:
    """The servers that were started, in order."""
    servers: list[Lent] = []

    async def start(_: World, listen: tuple[str, int]) -> OwnServer:
        assert not any(server.is_up for server in servers), "they would fight for the store"
        servers.append(Lent(f"ws://127.0.0.1:{len(servers)}", listen))
        return servers[-1].own

    monkeypatch.setattr(module, "start_own", start)
    return servers


@pytest.fixture
async def told() -> asyncio.Queue[tuple[OwnServer, str]]:
    """What was reported."""
    return asyncio.Queue()


@pytest.fixture
async def upkeep(started: list[Lent], told: asyncio.Queue[tuple[OwnServer, str]]) -> AsyncIterator[Upkeep]:
    """No server yet."""
    del started
    kept = Upkeep(
        World({}, 0, io.StringIO(), False, monotonic_ms), lambda own, why: told.put_nowait((own, why))
    )
    yield kept
    kept.end()
    await kept.ended()


class Known(Link):
    """A link that knows so much of a race."""

    def __init__(self, server: Server, session: Session) -> None:
        self.server = server
        self._known = session

    @property
    def session(self) -> Session:
        return self._known


def link(own: OwnServer, *events: Event) -> Known:
    """To a race there, in which one has a seat."""
    return Known(own.server, hear(in_lobby(), *events))


def watched(own: OwnServer, *, by: int, race: str = RACE) -> Known:
    """To a race that is over, which one watches."""
    over = replace(snapshot("over", feed="watch", to=9), race=race)
    watching = (welcome(), Watching(race, "boards"), over, Presence(race, (), watchers=by))
    return Known(own.server, hear(Session(Watch(race)), *watching))


class TestStarting:
    @pytest.mark.parametrize("listen", [EVERYWHERE, TUNNEL])
    async def test_one_that_others_may_reach_is_kept_for_whatever_comes(
        self, upkeep: Upkeep, started: list[Lent], listen: tuple[str, int]
    ) -> None:
        own = await upkeep.start(listen)
        assert await upkeep.start(EVERYWHERE) is own
        assert await upkeep.start(ALONE_AT) is own
        assert len(started) == 1

    async def test_one_for_oneself_alone_makes_way(self, upkeep: Upkeep, started: list[Lent]) -> None:
        alone = await upkeep.start(ALONE_AT)
        assert await upkeep.start(ALONE_AT) is alone
        assert await upkeep.start(EVERYWHERE) is not alone
        assert [server.is_up for server in started] == [False, True]

    async def test_but_not_under_others(self, upkeep: Upkeep, started: list[Lent]) -> None:
        own = await upkeep.start(ALONE_AT)
        upkeep.leave([link(own, *WITH_BOB)])
        with pytest.raises(ClientError, match=RACE):
            await upkeep.start(EVERYWHERE)
        assert [server.is_up for server in started] == [True]

    async def test_the_next_one_is_needed_for_what_goes_on_too(
        self, upkeep: Upkeep, started: list[Lent]
    ) -> None:
        own = await upkeep.start(ALONE_AT)
        upkeep.leave([link(own, *RACING_ALONE)])
        await upkeep.start(EVERYWHERE)
        assert RACE in upkeep.end_unless_needed()
        assert [server.is_up for server in started] == [False, True]

    async def test_one_that_is_to_end_ends_before_the_next(self, upkeep: Upkeep, started: list[Lent]) -> None:
        await upkeep.start(ALONE_AT)
        upkeep.end()
        assert not upkeep.is_up
        await upkeep.start(ALONE_AT)
        assert [server.is_up for server in started] == [False, True]

    async def test_one_that_is_handed_over_is_kept_and_ended_like_any(
        self, upkeep: Upkeep, started: list[Lent]
    ) -> None:
        lent = Lent("ws://127.0.0.1:9", EVERYWHERE)
        upkeep.take_over(lent.own)
        assert await upkeep.start(EVERYWHERE) is lent.own
        assert upkeep.end_unless_needed() == ""
        await upkeep.ended()
        assert not upkeep.is_up
        assert not lent.is_up
        assert started == []


class TestNeeded:
    async def test_by_a_race_that_goes_on_or_in_which_others_are(self, upkeep: Upkeep) -> None:
        own = await upkeep.start(EVERYWHERE)
        for events, others in ((RACING_ALONE, False), (WITH_BOB, True)):
            here = [link(own, *events)]
            assert upkeep.serves_others(here) == others
            upkeep.leave(here)
            assert upkeep.serves_others(()) == others
            assert RACE in upkeep.end_unless_needed()
            assert upkeep.is_up

    async def test_no_longer_once_one_has_seen_that_the_others_have_gone(
        self, upkeep: Upkeep, started: list[Lent]
    ) -> None:
        own = await upkeep.start(EVERYWHERE)
        upkeep.leave([link(own, *WITH_BOB)])
        assert not upkeep.serves_others([link(own, *ALONE)])
        upkeep.leave([link(own, *ALONE)])
        assert upkeep.end_unless_needed() == ""
        await upkeep.ended()
        assert [server.is_up for server in started] == [False]

    async def test_not_before_anything_is_known_of_a_race_one_is_back_in(self, upkeep: Upkeep) -> None:
        own = await upkeep.start(EVERYWHERE)
        upkeep.leave([link(own, *WITH_BOB)])
        nothing = Known(own.server, hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards")))
        assert upkeep.serves_others([nothing])
        upkeep.leave([nothing])
        assert RACE in upkeep.end_unless_needed()

    async def test_not_by_those_who_are_in_a_race_elsewhere(self, upkeep: Upkeep) -> None:
        await upkeep.start(EVERYWHERE)
        elsewhere = link(Lent("ws://192.0.2.2:8765").own, *WITH_BOB)
        assert not upkeep.serves_others([elsewhere])
        upkeep.leave([elsewhere])
        assert upkeep.end_unless_needed() == ""

    async def test_not_by_oneself_who_looks_on(self, upkeep: Upkeep) -> None:
        own = await upkeep.start(EVERYWHERE)
        assert not upkeep.serves_others([watched(own, by=1)])
        assert upkeep.serves_others([watched(own, by=2)])
        # From the seat, and once more from beside it.
        seat = link(own, snapshot("over", to=9), Presence(RACE, (ME,), watchers=1))
        assert upkeep.serves_others([seat])
        assert not upkeep.serves_others([seat, watched(own, by=1)])

    async def test_by_any_of_several_races(self, upkeep: Upkeep) -> None:
        own = await upkeep.start(EVERYWHERE)
        first, second = watched(own, by=1), watched(own, by=2, race=OTHER_RACE)
        upkeep.leave([first, second])
        assert OTHER_RACE in upkeep.end_unless_needed()
        assert RACE not in upkeep.end_unless_needed()


class TestEndingByItself:
    async def test_it_is_told_and_nothing_needs_it_any_more(
        self,
        upkeep: Upkeep,
        started: list[Lent],
        told: asyncio.Queue[tuple[OwnServer, str]],
    ) -> None:
        own = await upkeep.start(EVERYWHERE)
        upkeep.leave([link(own, *WITH_BOB)])
        started[0].crash()
        assert await told.get() == (own, "it has ended")
        assert not upkeep.is_up
        assert not upkeep.serves_others(())
        assert await upkeep.start(ALONE_AT) is not own
        assert upkeep.end_unless_needed() == ""

    async def test_one_that_was_to_end_is_not_told_of(
        self, upkeep: Upkeep, started: list[Lent], told: asyncio.Queue[tuple[OwnServer, str]]
    ) -> None:
        await upkeep.start(EVERYWHERE)
        upkeep.end()
        started[0].crash()
        await upkeep.start(EVERYWHERE)
        started[1].crash()
        assert (await told.get())[0] is started[1].own
