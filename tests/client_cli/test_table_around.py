"""At the table before the race, and where the connection fails."""

from msgspec.structs import replace

from client_cli.session import Session
from client_cli.table import Habits
from protocol.commands import Configure, Create, Hello, Join, Kick, Leave, Move, Ready, Say, Settings, Undo
from protocol.errors import CloseCode, ErrorCode
from protocol.events import Bye, Created, Refused
from protocol.views import LifeChanged, RacerChanged, RacerLeft, Terms
from tests.client_cli.at_table import JOINING, ending_with, in_lobby, playing, racing, table
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.rig import Rig, running
from tests.client_cli.samples import (
    BOB,
    LAYOUT,
    RACE,
    TOKEN,
    ack,
    life,
    racer,
    refused,
    seat,
    snapshot,
    update,
)


class TestTheLobby:
    async def test_being_ready_at_once(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            assert await peer.expect(Ready) == Ready(RACE, 1)
            await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerChanged(racer(ready=True))))
            await peer.stay()

        async with playing(script, Habits(readies=True)) as rig:
            await rig.screen.shows("You are ready.")
            rig.type("q")

    async def test_the_hosts_commands(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            assert await peer.expect(Kick) == Kick(RACE, 1, BOB)
            await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerLeft(BOB, kicked=True)))
            changed = await peer.expect(Configure)
            assert changed == Configure(RACE, 2, Settings(cells=3))
            await peer.tell(ack(2, 0, seq=5), update(4, 5, LifeChanged(life(settings=Terms(cells=3)))))
            changed = await peer.expect(Configure)
            assert changed == Configure(RACE, 3, Settings(cells=3, watch="live"))
            await peer.tell(refused(3, ErrorCode.BAD_SETTINGS, "not with these"))
            changed = await peer.expect(Configure)
            assert changed == Configure(RACE, 4, Settings(cells=3, max_racers=4))
            await peer.tell(refused(4, ErrorCode.BAD_SETTINGS, "not these either"))
            assert await peer.expect(Say) == Say(RACE, 5, "hi")
            await peer.tell(ack(5, 0, seq=6), update(5, 6))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING, is_interactive=False)
            rig.type("/kick no\x1b[2Jbody", "/kick Bob", "/set cells 3", "/set cells 9", "/set watch live")
            rig.type("/set max_racers 4", "say hi", "?", "rules", "")
            rig.end()
            await table(rig).run()
        for text in (
            "Nobody here is called no [2Jbody.",
            "cells is 1 to 4; not '9'",
            "Refused: set: not with these",
        ):
            assert text in rig.shown
        assert "A move is where from, then where to" in rig.shown
        assert "Foundations: one for each suit" in rig.shown

    async def test_settings_build_on_what_was_asked_for(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Create)
            await peer.tell(Created("create-id-1", RACE), seat(), snapshot())
            changed = await peer.expect(Configure)
            assert changed == Configure(RACE, 1, Settings(deal=617, cells=2))
            await peer.tell(ack(1, 0, seq=4), update(3, 4))
            await peer.stay()

        async with serving(script) as url:
            asked = Session(Create("create-id-1", Settings(deal=617)))
            rig = Rig(url, asked, is_interactive=False)
            rig.type("/set cells 2")
            rig.end()
            await table(rig).run()

    async def test_settings_build_on_those_of_whoever_was_the_host_meanwhile(self) -> None:
        his = life(settings=Terms(cells=2, hints=False), commitment="his", deal_named=True)

        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Create)
            await peer.tell(Created("create-id-1", RACE), seat(), snapshot(life=life(deal_named=True)))
            await peer.tell(update(3, 4, LifeChanged(life(deal_named=True, host=BOB))))
            await peer.tell(update(4, 5, LifeChanged(replace(his, host=BOB))), update(5, 6, LifeChanged(his)))
            changed = await peer.expect(Configure)
            assert changed == Configure(RACE, 1, Settings(cells=2, hints=True))
            await peer.tell(ack(1, 0, seq=7), update(6, 7, LifeChanged(life(commitment="hers"))))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, Session(Create("create-id-1", Settings(deal=617))))
            async with running(table(rig).run()):
                await rig.screen.shows("ann is the host now.")
                rig.type("/set hints yes")
                await rig.screen.shows("The host has changed the settings")
                rig.type("q")

    async def test_leaving_for_good(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            assert await peer.expect(Leave) == Leave(RACE, 1)
            await peer.tell(ack(1, 0, seq=4))
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("bob")
            rig.type("leave")
        assert rig.shown.endswith("You have left the race.\n")

    async def test_leaving_for_good_without_hearing_the_answer(self) -> None:
        async def first(peer: Peer) -> None:
            await in_lobby(peer)
            await peer.expect(Leave)
            peer.abort()

        async def second(peer: Peer) -> None:
            await peer.greet()
            assert (await peer.expect(Join)).to > 0
            await peer.tell(Refused(ErrorCode.NOT_SEATED, "you have left this race", RACE, q=0))
            await peer.stay()

        async with serving(first, second) as url:
            rig = Rig(url, JOINING)
            async with running(table(rig).run()):
                await rig.screen.shows("bob")
                rig.type("leave")
        assert rig.shown.endswith("You have left the race.\n")
        assert "Refused" not in rig.shown

    async def test_being_sent_out(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            await peer.tell(Refused(ErrorCode.KICKED, "the host sent you out of this race", RACE))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING)
            with ending_with("the host sent you out of this race"):
                await table(rig).run()
        assert "Refused" not in rig.shown


class TestTheConnection:
    async def test_it_comes_back_and_goes_on_where_it_was(self) -> None:
        async def first(peer: Peer) -> None:
            await racing(peer)
            await peer.expect(Move)
            peer.abort()

        async def second(peer: Peer) -> None:
            await peer.greet()
            assert await peer.expect(Join) == Join(RACE, 0, 3, f"{3:016x}")
            await peer.tell(seat(board=LAYOUT))
            assert await peer.expect(Move) == Move(RACE, 1, 0, "5a")
            await peer.tell(ack(1, 1, ("5", "a", 1), seq=4), update(3, 4))
            assert await peer.expect(Undo) == Undo(RACE, 2, 1)
            await peer.tell(ack(2, 2, ("a", "5", 1), seq=5), update(4, 5))
            await peer.stay()

        async with serving(first, second) as url:
            rig = Rig(url, JOINING, is_interactive=False)
            rig.type("5a u")
            rig.end()
            await table(rig).run()
        assert "the connection is lost; trying again in 0.2 s" in rig.shown
        assert "Back in race ABCDEFGH." in rig.shown
        assert "Undone: 6C from cell a to column 5" in rig.shown

    async def test_superseded_does_not_fight(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.tell(Bye("superseded", "your seat was taken over"))
            await peer.close(CloseCode.SUPERSEDED)

        with ending_with("your seat was taken over"):
            async with serving(script) as url:
                await table(Rig(url, JOINING)).run()

    async def test_a_new_player_is_told(self) -> None:
        async def first(peer: Peer) -> None:
            assert (await peer.expect(Hello)).token == TOKEN
            await peer.tell(Refused(ErrorCode.BAD_TOKEN, "nobody has this token"))
            await peer.stay()

        async with serving(first, in_lobby_and_stay) as url:
            rig = Rig(url, JOINING, is_interactive=False, token=TOKEN)
            rig.end()
            await table(rig).run()
        assert "you are a new player here" in rig.shown


async def in_lobby_and_stay(peer: Peer) -> None:
    await in_lobby(peer)
    await peer.stay()
