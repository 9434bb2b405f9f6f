"""A racer that plays written moves."""

import pytest
from msgspec.structs import replace

from client_cli.connection import Heard, Lost, NewPlayer
from client_cli.errors import ClientError
from client_cli.robot import Robot, read_moves
from client_cli.session import Session
from protocol.commands import Join, Move, Ready, Resign, Undo
from protocol.errors import ErrorCode
from protocol.events import Seat
from protocol.views import RacerChanged
from tests.client_cli.at_table import ending_with
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.rig import Rig
from tests.client_cli.samples import LAYOUT, RACE, ack, racer, refused, seat, snapshot, start_of_race, update

JOINING = Session(Join(RACE))


def robot(rig: Rig, moves: str, *, pace_ms: int = 0, company: int = 1) -> Robot:
    return Robot(rig.conversation, rig.inbox, read_moves(moves), pace_ms, rig.around, company)


async def resigned(peer: Peer, c: int, to: int) -> None:
    assert await peer.expect(Resign) == Resign(RACE, c)
    gone = RacerChanged(racer(state="resigned"))
    await peer.tell(ack(c, 0, seq=to + 1), update(to, to + 1, gone))
    await peer.stay()


async def test_it_is_ready_plays_at_its_pace_and_waits_for_the_end() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(seat(), snapshot())
        assert await peer.expect(Ready) == Ready(RACE, 1)
        await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerChanged(racer(ready=True))), start_of_race(4))
        assert await peer.expect(Move) == Move(RACE, 2, 0, "5a")
        await peer.tell(ack(2, 1, ("5", "a", 1), seq=6), update(5, 6))
        assert await peer.expect(Undo) == Undo(RACE, 3, 1)
        won = RacerChanged(racer(state="finished", home=52))
        await peer.tell(ack(3, 2, ("a", "5", 1), seq=7), update(6, 7, won), snapshot("over", to=8))
        await peer.stay()

    heard: list[Heard | Lost | NewPlayer] = []
    async with serving(script) as url:
        rig = Rig(url, JOINING)
        await robot(rig, "5a u", pace_ms=500).run(heard.append)
    assert rig.time.ms == 1000
    assert all(isinstance(news, Heard) for news in heard)


async def test_it_is_ready_again_after_new_settings() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(seat(), snapshot())
        await peer.expect(Ready)
        await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerChanged(racer(ready=True))))
        await peer.tell(update(4, 5, RacerChanged(racer())))
        assert await peer.expect(Ready) == Ready(RACE, 2)
        await peer.tell(
            ack(2, 0, seq=6), update(5, 6, RacerChanged(racer(ready=True))), snapshot("over", to=7)
        )
        await peer.stay()

    async with serving(script) as url:
        await robot(Rig(url, JOINING), "5a").run(lambda _: None)


async def test_it_waits_for_company() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(seat(), snapshot(), update(3, 4, RacerChanged(racer("c" * 16, "cleo"))))
        assert await peer.expect(Ready) == Ready(RACE, 1)
        await peer.tell(ack(1, 0, seq=5), snapshot("over", to=6))
        await peer.stay()

    async with serving(script) as url:
        await robot(Rig(url, JOINING), "5a", company=3).run(lambda _: None)


async def test_it_goes_on_where_its_board_is() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(Seat(RACE, 9, 9, 4, 2, replace(LAYOUT, n=2)), snapshot("running", to=9))
        assert await peer.expect(Move) == Move(RACE, 5, 2, "5c")
        await peer.tell(snapshot("over", to=10))
        await peer.stay()

    async with serving(script) as url:
        await robot(Rig(url, JOINING), "5a 5b 5c").run(lambda _: None)


async def test_a_refused_move_ends_its_race() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(seat(board=LAYOUT), snapshot("running"))
        await peer.expect(Move)
        await peer.tell(refused(1, ErrorCode.TOO_FAST, retry_ms=5))
        assert await peer.expect(Move) == Move(RACE, 2, 0, "5h")
        await peer.tell(refused(2, detail="6C cannot go home yet"))
        await resigned(peer, 3, 3)

    with pytest.raises(ClientError, match="refused: 6C cannot go home yet"):
        async with serving(script) as url:
            await robot(Rig(url, JOINING), "5h").run(lambda _: None)


async def test_moves_that_do_not_win_end_its_race() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(seat(board=LAYOUT), snapshot("running"))
        await resigned(peer, 1, 3)

    with pytest.raises(ClientError, match="not won after all 0 moves"):
        async with serving(script) as url:
            await robot(Rig(url, JOINING), "").run(lambda _: None)


async def test_lost_connections_are_told() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet()
        peer.abort()

    async def second(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Join)
        await peer.tell(seat(), snapshot("over"))
        await peer.stay()

    heard: list[Heard | Lost | NewPlayer] = []
    async with serving(first, second) as url:
        await robot(Rig(url, JOINING), "5a").run(heard.append)
    assert any(isinstance(news, Lost) for news in heard)


async def test_nobody_there() -> None:
    with ending_with("nothing listens there"):
        await robot(Rig("ws://127.0.0.1:1", JOINING), "5a").run(lambda _: None)


@pytest.mark.parametrize("text", ["5a q", "resign", "toolongaword", "x"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(ClientError):
        read_moves(text)
