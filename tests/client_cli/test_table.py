"""At the table: what is typed, what the server says, and what becomes of both."""

import asyncio
from dataclasses import replace

import msgspec
import pytest

from client_cli import language
from client_cli.story import Boards
from client_cli.table import Habits
from protocol.commands import AddRobot, Hello, Hint, Join, Leave, Move, Rematch, Resign
from protocol.errors import ErrorCode
from protocol.events import Presence, RematchReady, Seat
from protocol.views import BoardMoved, LifeChanged, RacerChanged, RacerLeft
from tests.client_cli.at_table import JOINING, in_lobby, playing, racing, table
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.rig import Rig, running
from tests.client_cli.samples import (
    BOB,
    LAYOUT,
    ME,
    OTHER_RACE,
    RACE,
    ack,
    life,
    racer,
    refused,
    seat,
    snapshot,
    update,
)


class TestInATerminal:
    async def test_leaving_a_race_is_asked_about(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING)
            async with running(table(rig).run()) as task:
                await rig.screen.shows("> ")
                await rig.screen.shows("bob")
                rig.type("q")
                await rig.screen.shows("Leave all the same? [y/N] ")
                rig.type("n")
                await rig.screen.shows("> ")
                assert not task.done()
                rig.type("q", "Y")
            assert rig.shown.endswith("come back to ABCDEFGH\n")

    async def test_questions_are_answered_in_the_readers_language(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.stay()

        language.use("pt")
        async with serving(script) as url:
            rig = Rig(url, JOINING)
            async with running(table(rig).run()) as task:
                await rig.screen.shows("bob")
                rig.type("q")
                await rig.screen.shows("Sair mesmo assim? [s/N] ")
                rig.type("n")
                await rig.screen.shows("> ")
                assert not task.done()
                rig.type("q", "Sim")

    async def test_the_board_is_shown_or_read_when_asked_for(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            for c in (1, 2):
                await peer.expect(Move)
                await peer.tell(ack(c, c, ("5", "ab"[c - 1], 1), seq=3 + c), update(2 + c, 3 + c))
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("bob")
            rig.type("boards")
            await rig.screen.shows("From now on the board is shown when you ask for it: b, or l.")
            before = rig.shown.count("\t")
            rig.type("5a")
            await rig.screen.shows("(0 of 52 home, 1 action, 0:00)")
            rig.type("l a", "l", "l x")
            await rig.screen.shows("cell a: 6C\n")
            await rig.screen.shows("column 5: 5D AD JS 4H 8H\n")
            await rig.screen.shows("l reads the whole board, or one pile")
            assert rig.shown.count("\t") == before
            rig.type("boards")
            await rig.screen.shows("6C\t-\t-")
            rig.type("5b")
            await rig.screen.shows("6C\t8H\t-")
            rig.type("q", "y")

    async def test_what_is_asked_after_moves_is_shown_as_they_left_it(self) -> None:
        may_answer = asyncio.Event()

        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.expect(Move)
            await may_answer.wait()
            await peer.tell(ack(1, 1, ("5", "a", 1), seq=4))
            assert (await peer.expect(Move)).move == "5b"
            await peer.tell(ack(2, 2, ("5", "b", 1), seq=5))
            home = racer(state="racing", home=7, actions=2)
            await peer.tell(update(3, 5, RacerChanged(home)))
            assert await peer.expect(Hint) == Hint(RACE, 1)
            await peer.stay()

        async with serving(script) as url:
            rig = Rig(url, JOINING)
            rig.storyteller = replace(rig.storyteller, boards=Boards.NEVER)
            async with running(table(rig).run()):
                await rig.screen.shows("bob")
                rig.type("5a 5b", "b", "l a", "p", "h", "?")
                await rig.screen.shows("this list")
                may_answer.set()
                await rig.screen.shows("8H from column 5 to cell b (0 of 52 home, 2 actions, 0:00)\n")
                await rig.screen.shows("6C\t8H\t-")
                await rig.screen.shows("cell a: 6C\n")
                await rig.screen.shows("ann (you): 7 of 52 home")
                rig.type("q", "y")
        assert rig.shown.count("6C\t8H\t-") == 1
        assert "> a\t" not in rig.shown

    async def test_a_person_gives_up_only_after_the_moves_before(self) -> None:
        may_answer, has_resigned = asyncio.Event(), asyncio.Event()

        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.expect(Move)
            await may_answer.wait()
            await peer.tell(ack(1, 1, ("5", "a", 1), seq=4))
            await peer.expect(Move)
            await peer.tell(ack(2, 2, ("5", "b", 1), seq=5), update(3, 5))
            assert await peer.expect(Resign) == Resign(RACE, 3)
            has_resigned.set()
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("bob")
            rig.type("5a 5b", "resign", "y")
            may_answer.set()
            await rig.screen.shows("2 actions")
            await has_resigned.wait()
            rig.type("q", "y")

    @pytest.mark.parametrize("way_out", ["q", "the end of input"])
    async def test_who_gets_no_answer_can_leave(self, way_out: str) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.expect(Move)
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("bob")
            rig.type("5a", "b", "5b")
            if way_out == "q":
                rig.type("q", "y")
            else:
                rig.end()
        assert rig.shown.endswith("come back to ABCDEFGH\n")

    async def test_without_a_connection_the_board_is_shown_as_it_is_known(self) -> None:
        may_go, is_back = asyncio.Event(), asyncio.Event()

        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.expect(Move)
            await may_go.wait()
            peer.abort()

        async def silent(peer: Peer) -> None:
            await peer.expect(Hello)
            is_back.set()
            await peer.stay()

        async with serving(script, silent) as url:
            rig = Rig(url, JOINING)
            rig.storyteller = replace(rig.storyteller, boards=Boards.NEVER)
            async with running(table(rig).run()):
                await rig.screen.shows("bob")
                rig.type("5a", "b")
                may_go.set()
                await rig.screen.shows("trying again")
                await rig.screen.shows("There is no connection: so it stood when it was lost.\n\n")
                await rig.screen.shows("JD\t2D")
                await is_back.wait()
                rig.type("q", "y")

    async def test_what_is_typed_without_a_connection_is_said_to_wait_for_one(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            peer.abort()

        async def again(peer: Peer) -> None:
            await racing(peer)
            await peer.expect(Move)
            await peer.tell(ack(1, 1, ("5", "a", 1), seq=4), update(3, 4))
            await peer.expect(Move)
            await peer.stay()

        async with serving(script, again) as url:
            rig = Rig(url, JOINING, time_runs=False)
            async with running(table(rig).run()):
                await rig.screen.shows("trying again in 0.2 s, or now with Enter")
                rig.type("5a", "?")
                await rig.screen.shows("There is no connection: it is sent once there is one again.")
                rig.type("")
                await rig.screen.shows("6C from column 5 to cell a")
                rig.type("5b", "q", "y")
        assert rig.shown.count("There is no connection") == 1

    async def test_enter_tries_again_at_once(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            peer.abort()

        async with serving(script, racing) as url:
            rig = Rig(url, JOINING, time_runs=False)
            async with running(table(rig).run()):
                await rig.screen.shows("trying again in 0.2 s, or now with Enter")
                rig.type("")
                await rig.screen.shows("Back in race ABCDEFGH.")
                rig.type("q", "y")

    async def test_that_enter_tries_again_is_not_told_beside_a_question(self) -> None:
        may_go = asyncio.Event()

        async def script(peer: Peer) -> None:
            await racing(peer)
            await may_go.wait()
            peer.abort()

        async with serving(script, racing) as url:
            rig = Rig(url, JOINING)
            async with running(table(rig).run()):
                await rig.screen.shows("bob")
                rig.type("q")
                await rig.screen.shows("Leave all the same? [y/N] ")
                may_go.set()
                await rig.screen.shows("trying again in 0.2 s\n")
                await rig.screen.shows("Back in race ABCDEFGH.")
                rig.type("y")

    async def test_boards_are_asked_for_before_there_is_one(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("what else can be typed.")
            rig.type("boards", "boards", "l")
            await rig.screen.shows("From now on the board is shown when you ask for it")
            await rig.screen.shows("From now on the board is shown after each move.")
            await rig.screen.shows("There is no board before the start.")
            rig.type("q")

    async def test_resigning_is_asked_about(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            assert await peer.expect(Resign) == Resign(RACE, 1)
            over = snapshot("over", to=5, racers=(racer(state="resigned"),))
            await peer.tell(ack(1, 0, seq=4), over)
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("bob")
            rig.type("resign")
            await rig.screen.shows("Stop racing, for good? [y/N] ")
            rig.type("no", "resign", "yes")
            await rig.screen.shows("\n  cellrace deal 1, 4 free cells, not won, 0 of 52 home, 0 actions")
            await rig.screen.shows(
                "Type rematch for another race, q to leave. The replay: cellrace replay ABCDEFGH"
            )
            rig.type("q")

    async def test_robots_do_not_need_a_server_that_one_leaves(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(seat(), snapshot(racers=(racer(), racer(BOB, "Robot", robot="even"))))
            await peer.stay()

        async with playing(script, Habits(invitation="join {race}!", serves=True)) as rig:
            await rig.screen.shows("join ABCDEFGH!")
            rig.type("q")
        assert "The server ends with you" not in rig.shown

    async def test_a_robot_that_comes_too_late_does_not_end_the_race(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            assert await peer.expect(AddRobot) == AddRobot(RACE, 1, "even")
            await peer.tell(refused(1, ErrorCode.NOT_LOBBY, "too late"))
            await peer.stay()

        async with playing(script, Habits(starts=True)) as rig:
            await rig.screen.shows("> ")
            rig.type("/robot even")
            await rig.screen.shows("Refused: robot: too late")
            rig.end()

    async def test_a_server_of_ones_own_is_not_left_lightly(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            await peer.stay()

        async with playing(script, Habits(invitation="join {race}!", serves=True)) as rig:
            await rig.screen.shows("join ABCDEFGH!")
            rig.type("q")
            await rig.screen.shows("The server ends with you, for the others too.")
            rig.type("y")

    async def test_nor_by_giving_up_the_seat(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            gone = await peer.expect(Leave)
            await peer.tell(ack(gone.c, 0))
            await peer.stay()

        async with playing(script, Habits(invitation="join {race}!", serves=True)) as rig:
            await rig.screen.shows("join ABCDEFGH!")
            rig.type("leave")
            await rig.screen.shows("The server ends with you, for the others too.")
            rig.type("y")
            await rig.screen.shows("You have left the race.")

    async def test_those_who_are_there_still_after_the_race_need_it_too(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            racers = (racer(state="resigned"), racer(BOB, "bob", state="finished"))
            await peer.tell(snapshot("over", racers=racers, to=9), Presence(RACE, (ME, BOB)))
            await peer.stay()

        async with playing(script, Habits(serves=True)) as rig:
            await rig.screen.shows("Type rematch")
            rig.type("p")
            await rig.screen.shows("bob")
            rig.type("q")
            await rig.screen.shows("The server ends with you, for the others too.")
            rig.type("y")

    async def test_the_end_of_input_leaves_at_once(self) -> None:
        async def script(peer: Peer) -> None:
            await racing(peer)
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("bob")
            rig.end()

    async def test_the_last_seconds_are_counted(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            await peer.tell(update(3, 4, LifeChanged(life("countdown", countdown_ms=7000)), clock=-6500))
            await peer.stay()

        async with playing(script) as rig:
            for text in ("The race starts in 7 s.", "5 ...", "4 ...", "3 ...", "2 ...", "1 ..."):
                await rig.screen.shows(text)
            rig.type("q")
        assert "6 ..." not in rig.shown
        assert rig.time.ms == 6500

    async def test_a_countdown_that_is_over_is_not_counted(self) -> None:
        async def script(peer: Peer) -> None:
            await in_lobby(peer)
            await peer.tell(update(3, 4, LifeChanged(life("countdown")), clock=0))
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("The race starts in")
            rig.type("q")
        assert "..." not in rig.shown

    async def test_a_rematch_is_entered(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(seat(), snapshot("over"))
            assert await peer.expect(Rematch) == Rematch(RACE, 1)
            await peer.tell(ack(1, 0, seq=4), RematchReady(RACE, OTHER_RACE))
            assert await peer.expect(Join) == Join(OTHER_RACE, 0)
            await peer.tell(Seat(OTHER_RACE, 3, 3, 0))
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("Type rematch")
            rig.type("rematch")
            await rig.screen.shows("You have a seat in race BBBBBBBB.")
            rig.type("q")

    async def test_what_still_comes_of_the_race_before_is_not_for_this_one(self) -> None:
        moved = BoardMoved(BOB, 1, (("5", "a", 1),))

        async def script(peer: Peer) -> None:
            await peer.greet()
            await peer.expect(Join)
            await peer.tell(seat(), snapshot("over"))
            await peer.expect(Rematch)
            await peer.tell(ack(1, 0, seq=4), RematchReady(RACE, OTHER_RACE))
            await peer.expect(Join)
            there = msgspec.structs.replace(snapshot("running", clock=0), race=OTHER_RACE)
            await peer.tell(Seat(OTHER_RACE, 3, 3, 0, board=LAYOUT), there)
            assert await peer.expect(Move) == Move(OTHER_RACE, 1, 0, "5a")
            await peer.tell(update(3, 4, moved, RacerLeft(BOB)), ack(1, 1, ("5", "a", 1)), refused(1))
            await peer.tell(msgspec.structs.replace(refused(1, detail="not yet"), race=OTHER_RACE))
            await peer.stay()

        async with playing(script) as rig:
            await rig.screen.shows("Type rematch")
            rig.type("rematch")
            await rig.screen.shows("Race BBBBBBBB: deal 1")
            rig.type("5a")
            await rig.screen.shows("Refused: 5a: not yet")
            rig.type("q", "y")
        assert "has left" not in rig.shown
        assert rig.shown.count("5a") == 1
