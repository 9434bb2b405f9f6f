"""At the table without a terminal: every line waits for the answers to those before it."""

import msgspec

from client_cli.going_on import Intent
from client_cli.session import Session
from client_cli.table import Habits
from protocol.commands import Create, Hello, Hint, Join, Move, Ready, Start
from protocol.errors import ErrorCode
from protocol.events import Created, Hinted, Refused, Seat
from protocol.views import LifeChanged, RacerChanged
from tests.client_cli.at_table import JOINING, in_lobby, racing, table
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.rig import Rig
from tests.client_cli.samples import (
    LAYOUT,
    OTHER_RACE,
    RACE,
    ack,
    alone,
    life,
    racer,
    refused,
    seat,
    snapshot,
    start_of_race,
    update,
    welcome,
)


class TestInAPipe:
    async def test_the_end_of_input_comes_after_the_last_answer(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            assert await peer.expect(Move) == Move(RACE, 1, 0, "5a")
            await peer.tell(ack(1, 1, ("5", "a", 1), seq=4), update(3, 4))
            assert await peer.expect(Move) == Move(RACE, 2, 1, "5h")
            await peer.tell(refused(2, detail="not yet"))
            assert await peer.expect(Hint) == Hint(RACE, 1)
            await peer.tell(Hinted(RACE, 1, 1, "5b"))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING, is_interactive=False)
            rig.type("5a", "5h 3a", "h", "b", "nonsense!", "p")
            rig.end()
            await table(rig).run()
        lines = rig.shown.splitlines()
        told = [line for line in lines if line.startswith(("6C from", "Refused", "Not tried", "Hint", "'"))]
        assert told == [
            "6C from column 5 to cell a (0 of 52 home, 1 action, 0:00)",
            "Refused: 5h: not yet",
            "Not tried: 3a",
            "Hint: 5b",
            "'nonsense!' is neither a move nor a word known here; ? shows what can be typed",
        ]
        assert lines[-1] == "come back to ABCDEFGH"
        assert "> " not in rig.shown
        assert "\x1b" not in rig.shown

    async def test_moves_wait_for_the_cards(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            assert await peer.expect(Ready) == Ready(RACE, 1)
            await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerChanged(racer(ready=True))))
            await peer.tell(update(4, 5, LifeChanged(life("countdown")), clock=-5000), start_of_race(5))
            assert await peer.expect(Move) == Move(RACE, 2, 0, "5a")
            await peer.tell(ack(2, 1, ("5", "a", 1), seq=7), update(6, 7))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING, is_interactive=False)
            rig.type("ready", "5a")
            rig.end()
            await table(rig).run()
        assert "The race starts in 5 s." in rig.shown

    async def test_no_input_at_all_in_a_lobby(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING, is_interactive=False)
            rig.end()
            await table(rig).run()
        assert rig.shown.endswith("what else can be typed.\ncome back to ABCDEFGH\n")
        assert rig.shown.count("bob: not ready") == 1

    async def test_the_end_of_the_race_is_the_end(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.tell(snapshot("over", to=9))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING, is_interactive=False)
            await table(rig).run()
        assert "The race is over." in rig.shown
        assert "rematch" not in rig.shown

    async def test_a_lone_race_starts_by_itself_and_shows_board_and_standings(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            assert (await peer.expect(Create)).id == "create-id-1"
            alone = snapshot(racers=(racer(),))
            await peer.tell(Created("create-id-1", RACE), seat(), alone)
            assert await peer.expect(Start) == Start(RACE, 1)
            await peer.tell(ack(1, 0, seq=4), start_of_race())
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, Session(Create("create-id-1")), is_interactive=False, is_alone=True)
            rig.end()
            await table(rig, Habits(starts=True)).run()
        lines = rig.shown.splitlines()
        assert lines[0] == "Race code: ABCDEFGH"
        assert any(line.startswith("JD\t2D") for line in lines)
        assert lines.count("Standings:") == 1
        assert sum(line.startswith("JD\t2D") for line in lines) == 1

    async def test_a_race_that_goes_on_is_told(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.expect(Hello)
            await peer.tell(welcome(RACE, seats=(alone(RACE),)))
            await peer.expect(Join)
            await peer.tell(Seat(RACE, 9, 9, 4, 2, LAYOUT), snapshot("running", to=9))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, Session(Create("create-id-1"), intent=Intent("alone")), is_interactive=False)
            rig.end()
            await table(rig).run()
        assert rig.shown.startswith("You have a seat in a race already; going on with it")

    async def test_a_race_that_cannot_be_gone_on_with_is_told_and_another_one_made(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.expect(Hello)
            await peer.tell(welcome(RACE, seats=(alone(),)))
            await peer.expect(Join)
            await peer.tell(Refused(ErrorCode.NO_SUCH_RACE, "it cannot be read", RACE, q=0))
            await peer.expect(Create)
            await peer.tell(Created("create-id-1", OTHER_RACE))
            await peer.tell(Seat(OTHER_RACE, 3, 3, 0), msgspec.structs.replace(snapshot(), race=OTHER_RACE))
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, Session(Create("create-id-1"), intent=Intent("alone")), is_interactive=False)
            rig.end()
            await table(rig).run()
        assert rig.shown.splitlines()[1:3] == [
            "Race ABCDEFGH, which you left, cannot be gone on with (it cannot be read); this is a new one.",
            "Race code: BBBBBBBB",
        ]
