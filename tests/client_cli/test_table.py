"""At the table: what is typed, what the server says, and what becomes of both."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

import msgspec
import pytest

from client_cli import language
from client_cli.errors import ClientError
from client_cli.going_on import Intent
from client_cli.session import Session
from client_cli.story import Boards
from client_cli.table import Habits, Table
from protocol.commands import (
    Configure,
    Create,
    Hello,
    Hint,
    Join,
    Kick,
    Leave,
    Move,
    Ready,
    Rematch,
    Resign,
    Say,
    Settings,
    Start,
    Undo,
)
from protocol.errors import CloseCode, ErrorCode
from protocol.events import Bye, Created, Hinted, Presence, Refused, RematchReady, Seat
from protocol.views import BoardMoved, LifeChanged, RacerChanged, RacerLeft, Terms
from tests.client_cli.fake_server import Peer, Script, serving
from tests.client_cli.rig import Rig, running
from tests.client_cli.samples import (
    BOB,
    LAYOUT,
    ME,
    OTHER_RACE,
    RACE,
    TOKEN,
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

JOINING = Session(Join(RACE))


def table(rig: Rig, habits: Habits | None = None) -> Table:
    chosen = habits or Habits(return_hint="come back to {race}", replay="cellrace replay {race}")
    return Table(rig.conversation, rig.inbox, rig.terminal, rig.storyteller, rig.around, chosen)


@asynccontextmanager
async def playing(script: Script, habits: Habits | None = None) -> AsyncIterator[Rig]:
    """Somebody at a table in a terminal, and a server that follows a script."""
    async with serving(script) as url:
        rig = Rig(url, JOINING)
        async with running(table(rig, habits).run()):
            yield rig


@contextmanager
def ending_with(text: str) -> Iterator[None]:
    """The table ends with an error of that text, alone in its group of tasks."""
    with pytest.raises(ExceptionGroup) as caught:
        yield
    error: BaseException = caught.value
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, ClientError), error
    assert text in str(error)


async def in_lobby(peer: Peer) -> None:
    await peer.greet()
    await peer.expect(Join)
    await peer.tell(seat(), snapshot())


async def racing(peer: Peer) -> None:
    await peer.greet()
    await peer.expect(Join)
    await peer.tell(seat(board=LAYOUT), snapshot("running", clock=0))


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
                await rig.screen.shows("JD\t2D")
                await is_back.wait()
                rig.type("q", "y")

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
            await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerLeft(BOB)))
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
            await peer.tell(update(3, 4, RacerLeft(ME)))
            await peer.stay()

        with ending_with("the host has sent you out of this race"):
            async with serving(script) as url:
                await table(Rig(url, JOINING)).run()


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
