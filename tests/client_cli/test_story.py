"""What is told of what was heard."""

from dataclasses import replace

import pytest

from client_cli.connection import Heard, Lost, NewPlayer
from client_cli.mind import ask, disconnected, receive
from client_cli.session import Options, Session
from client_cli.story import Boards, Storyteller, command_text, link_text
from client_cli.style import Style
from protocol.commands import (
    AutoFinish,
    Calc,
    Configure,
    Create,
    Hint,
    Join,
    Kick,
    Leave,
    Move,
    Ready,
    Redo,
    Rematch,
    Resign,
    Restart,
    Say,
    Send,
    Settings,
    Start,
    Undo,
    Watch,
)
from protocol.errors import ErrorCode
from protocol.events import (
    Calculated,
    Created,
    Destination,
    Event,
    Hinted,
    Presence,
    RaceLost,
    Refused,
    Watching,
)
from protocol.views import (
    BoardMoved,
    BoardReset,
    ChatLine,
    ChatSaid,
    LifeChanged,
    RacerChanged,
    RacerLeft,
    Terms,
)
from tests.client_cli.samples import (
    BOB,
    COMMITMENT,
    LAYOUT,
    ME,
    OTHER_RACE,
    RACE,
    ack,
    hear,
    in_lobby,
    life,
    racer,
    racing,
    refused,
    seat,
    snapshot,
    start_of_race,
    update,
    welcome,
)

TELLER = Storyteller(Style(symbols=False), Boards.AT_THE_START)
FOR_PEOPLE = Storyteller(Style(symbols=False), Boards.NEVER)
WITH_BOARDS = Storyteller(Style(symbols=False), Boards.AFTER_MOVES)
ALONE = Storyteller(Style(symbols=False), Boards.AT_THE_START, is_alone=True)
FRESH = Session(Join(RACE))


def told(session: Session, *events: Event, teller: Storyteller = TELLER, now_ms: int = 0) -> list[str]:
    """All lines told of these events."""
    lines: list[str] = []
    for event in events:
        step = receive(session, event, 0)
        for text in teller.tell(Heard(session, event, step), now_ms):
            lines += text.splitlines()
        session = step.session
    return lines


class TestEntering:
    def test_a_race_of_ones_own(self) -> None:
        session = hear(Session(Create("create-id-1")), welcome())
        lines = told(session, Created("create-id-1", RACE), seat(), snapshot(), teller=ALONE)
        assert lines == ["Race code: ABCDEFGH"]

    def test_a_seat_in_the_lobby(self) -> None:
        lines = told(FRESH, welcome(), seat(), snapshot())
        assert lines[:2] == [
            "You have a seat in race ABCDEFGH.",
            "Race ABCDEFGH, in the lobby: 2 of 8 seats taken",
        ]

    def test_a_running_race(self) -> None:
        lines = told(FRESH, welcome(), seat(board=LAYOUT), snapshot("running", clock=5000))
        assert lines[1] == "Race ABCDEFGH: deal 1 (FC1-C4-AAAAAAB)", "who comes now saw no promise"
        standings = lines.index("Standings:")
        assert lines[standings + 1 : standings + 3] == ["ann (you): 0 of 52 home", "bob: 0 of 52 home"]
        assert any(line.startswith("JD\t2D\t9H") for line in lines[standings:])

    def test_people_ask_for_the_board(self) -> None:
        events = welcome(), seat(board=LAYOUT), snapshot("running", clock=5000)
        lines = told(FRESH, *events, teller=FOR_PEOPLE)
        assert lines[-1] == "Your cards are dealt: b shows the board, l reads it pile by pile."
        assert not any("\t" in line for line in lines)
        boards = Watching(RACE, "boards"), snapshot("running", feed="watch", boards={BOB: LAYOUT})
        watching = told(Session(Watch(RACE)), welcome(), *boards, teller=FOR_PEOPLE)
        assert watching[-1] == "b shows the boards."
        blind = Watching(RACE, "progress"), snapshot("running", feed="watch")
        assert told(Session(Watch(RACE)), welcome(), *blind, teller=FOR_PEOPLE)[-1] == "bob: 0 of 52 home"

    def test_another_deal_than_promised_is_told(self) -> None:
        forged = life("running", deal=2)
        lines = told(FRESH, welcome(), seat(board=LAYOUT), snapshot("running", life=forged))
        assert "NOT the one promised before the start!" in lines[1]

    def test_a_countdown(self) -> None:
        lines = told(FRESH, welcome(), seat(), snapshot("countdown", clock=-2900))
        assert lines[-1] == "The race starts in 3 s."

    def test_a_race_that_is_over(self) -> None:
        assert told(FRESH, welcome(), seat(), snapshot("over"))[1] == "The race is over."

    def test_only_the_last_page_tells(self) -> None:
        assert len(told(FRESH, welcome(), seat(), snapshot(pages=2))) == 1

    def test_watching(self) -> None:
        session = hear(Session(Watch(RACE)), welcome())
        allowed = Watching(RACE, "boards", why="you see every board")
        lines = told(session, allowed, snapshot("running", feed="watch", boards={BOB: LAYOUT}))
        assert lines[0] == "Watching race ABCDEFGH: you see every board"
        assert "bob:" in lines

    def test_what_one_who_watches_is_shown_from_now_on(self) -> None:
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards", why="all, live"))
        assert told(session, Watching(RACE, "boards", delay_ms=5, why="all, late")) == [
            "From now on: all, late"
        ]
        assert told(session, Watching(RACE, "boards")) == []

    def test_back_in_a_race(self) -> None:
        session = hear(disconnected(racing()), welcome())
        assert told(session, seat(board=LAYOUT)) == ["Back in race ABCDEFGH."]
        assert any("JD\t2D" in line for line in told(session, seat(board=LAYOUT), teller=WITH_BOARDS))

    def test_a_mended_picture_is_told_whole(self) -> None:
        broken = hear(racing(), update(7, 8))
        lines = told(broken, seat(board=LAYOUT), snapshot("running", to=9))
        assert lines[0].startswith("Race ABCDEFGH: deal 1")

    def test_a_rewound_log(self) -> None:
        lines = told(racing(), snapshot("running", to=4, rewound=True))
        assert lines[0].startswith("The server has lost the newest moves")


class TestTheRace:
    def test_who_comes_and_goes(self) -> None:
        events = (
            update(3, 4, RacerLeft(BOB)),
            update(4, 5, RacerChanged(racer(BOB, "bob"))),
            update(5, 6, RacerChanged(racer(BOB, "bob", ready=True))),
            update(6, 7, RacerChanged(racer(ready=True))),
            update(7, 8, RacerChanged(racer())),
            update(8, 9, LifeChanged(life(host=BOB))),
        )
        assert told(in_lobby(), *events) == [
            "bob has left.",
            "bob has a seat.",
            "bob is ready.",
            "You are ready.",
            "You are not ready.",
            "bob is the host now.",
        ]

    def test_who_is_sent_out_has_not_left(self) -> None:
        assert told(in_lobby(), update(3, 4, RacerLeft(BOB, kicked=True))) == ["The host has sent bob out."]

    def test_who_is_away(self) -> None:
        here = Presence(RACE, (ME, BOB))
        assert told(racing(), here, Presence(RACE, (ME,)), Presence(RACE, (ME,)), here) == [
            "bob is away.",
            "bob is back.",
        ]

    def test_new_settings_and_nobody_ready(self) -> None:
        session = hear(in_lobby(), update(3, 4, RacerChanged(racer(BOB, "bob", ready=True))))
        new = life(settings=Terms(cells=3, watch="live"), commitment="other", deals=2)
        lines = told(session, update(4, 5, LifeChanged(new), RacerChanged(racer(BOB, "bob"))))
        changes = "free cells: 3, watchers see: live, another deal"
        assert lines[0] == f"The host has changed the settings ({changes}); everybody must be ready anew."
        assert "bob is not ready." not in lines

    def test_the_host_reads_the_deal_that_he_has_named_anew(self) -> None:
        hers = hear(
            Session(Create("create-id-1")), welcome(), Created("create-id-1", RACE), seat(), snapshot()
        )
        named = hear(ask(hers, Configure("", 0, Settings(deal=8))).session, ack(1, 0, seq=4))
        new = LifeChanged(life(deal_named=True, commitment="other"))
        assert told(named, update(3, 4, new))[:3] == [
            "The host has changed the settings (the host has named the deal); everybody must be ready anew.",
            "ruleset race",
            "you have named the deal: 8; nobody knows whether it can be won",
        ]

    def test_the_countdown(self) -> None:
        assert told(in_lobby(), update(3, 4, LifeChanged(life("countdown")))) == ["The race starts in 5 s."]
        assert told(in_lobby(), update(3, 4, LifeChanged(life("countdown", countdown_ms=0)))) == []

    def test_the_start(self) -> None:
        lines = told(in_lobby(), start_of_race())
        assert lines[0] == "Race ABCDEFGH: deal 1 (FC1-C4-AAAAAAB), as promised before the start"
        assert "Standings:" in lines

    def test_others_progress_when_a_card_goes_home_or_they_end(self) -> None:
        events = (
            update(4, 5, RacerChanged(racer(BOB, "bob", state="racing", actions=1))),
            update(5, 6, RacerChanged(racer(BOB, "bob", state="racing", actions=2, home=2))),
            update(6, 7, RacerChanged(racer(state="racing", actions=2, home=2))),
            update(7, 8, RacerChanged(racer(BOB, "bob", state="resigned", actions=2, home=2))),
        )
        assert told(racing(), *events) == [
            "bob: 2 of 52 home",
            "bob: resigned, 2 of 52 home",
        ]

    def test_the_end_is_told_once(self) -> None:
        ended = racer(BOB, "bob", state="finished", home=52, rank=1, ended_ms=9000)
        events = (
            update(4, 6, RacerChanged(ended), LifeChanged(life("over", over="finished"))),
            snapshot("over", to=6, racers=(racer(), ended)),
        )
        lines = told(racing(), *events)
        assert lines.count("The race is over.") == 1
        assert sum("bob" in line for line in lines) == 1

    def test_a_rematch_is_news_for_those_who_did_not_ask(self) -> None:
        over = hear(racing(), snapshot("over", to=6))
        offered = update(6, 7, LifeChanged(life("over", rematch=OTHER_RACE)))
        assert told(over, offered) == ["There is a rematch, race BBBBBBBB: type rematch to be in it."]
        asked = hear(ask(over, Rematch("", 0)).session, ack(1, 0, seq=7))
        assert told(asked, offered) == []

    def test_chat(self) -> None:
        said = ChatSaid(ChatLine(5, BOB, "bob", "hi"))
        seen = ChatSaid(ChatLine(6, "w" * 16, "eve", "go", watcher=True))
        assert told(racing(), update(4, 6, said, seen)) == ["bob says: hi", "eve, watching, says: go"]

    def test_what_watchers_said_is_told_at_the_end(self) -> None:
        session = hear(racing(), update(4, 5, ChatSaid(ChatLine(5, BOB, "bob", "hi"))))
        chat = (ChatLine(5, BOB, "bob", "hi"), ChatLine(6, "w" * 16, "eve", "go", watcher=True))
        lines = told(session, snapshot("over", to=9, chat=chat))
        assert lines[0] == "eve, watching, says: go"
        assert "bob says: hi" not in lines

    def test_boards_of_others_for_watchers_only(self) -> None:
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
        session = hear(session, snapshot("running", feed="watch", boards={BOB: LAYOUT}))
        moved, reset = BoardMoved(BOB, 1, (("5", "a", 1),)), BoardReset(BOB, LAYOUT)
        assert told(session, update(3, 4, moved, reset, feed="watch")) == [
            "bob: 6C from column 5 to cell a",
            "bob is back at the deal.",
        ]
        watcher = replace(TELLER, boards=Boards.AFTER_MOVES)
        lines = told(session, update(3, 4, moved, feed="watch"), teller=watcher)
        assert lines[:2] == ["bob: 6C from column 5 to cell a", "bob:"]
        assert lines[3].startswith("6C\t-\t-")
        over = hear(racing(), snapshot("over", to=6, boards={BOB: LAYOUT}))
        assert told(over, update(6, 7, moved, reset)) == []

    def test_moves_told_at_once_are_each_on_the_board_that_the_one_before_left(self) -> None:
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
        session = hear(session, snapshot("running", feed="watch", boards={BOB: LAYOUT}))
        moves = (BoardMoved(BOB, n, (("5", "abc"[n - 1], 1),)) for n in (1, 2, 3))
        assert told(session, update(3, 6, *moves, feed="watch")) == [
            "bob: 6C from column 5 to cell a",
            "bob: 8H from column 5 to cell b",
            "bob: 4H from column 5 to cell c",
        ]

    def test_there_is_nothing_to_say_of_the_rest(self) -> None:
        assert told(racing(), RaceLost(OTHER_RACE), update(4, 5, feed="watch"), welcome()) == []


class TestOnesOwnBoard:
    def test_what_changed_and_how_it_stands(self) -> None:
        session = ask(racing(), Move("", 0, 0, "5a")).session
        lines = told(session, ack(1, 1, ("5", "a", 1)), now_ms=61_000)
        assert lines == ["6C from column 5 to cell a (0 of 52 home, 1 action, 1:01)"]

    def test_the_board_comes_after_it_for_those_who_want_that(self) -> None:
        session = ask(racing(), Move("", 0, 0, "5a")).session
        assert len(told(session, ack(1, 1, ("5", "a", 1)), teller=FOR_PEOPLE)) == 1
        lines = told(session, ack(1, 1, ("5", "a", 1)), teller=WITH_BOARDS)
        assert lines[3] == "6C\t-\t-\t-\t-\t-\t-\t-"

    def test_moves_of_one_line_lead_to_one_board(self) -> None:
        session = ask(racing(), Move("", 0, 0, "5a"), Move("", 0, 0, "5b"), Move("", 0, 0, "5h")).session
        first = (ack(1, 1, ("5", "a", 1)), ack(2, 2, ("5", "b", 1)))
        assert not any("\t" in line for line in told(session, *first, teller=WITH_BOARDS))
        lines = told(hear(session, *first), refused(3), teller=WITH_BOARDS)
        assert lines[0] == "Refused: 5h: no"
        assert lines[3] == "6C\t8H\t-\t-\t-\t-\t-\t-"
        assert told(racing(), refused(3), teller=WITH_BOARDS) == ["Refused: no"]

    @pytest.mark.parametrize(
        ("draft", "answer", "text"),
        [
            (Undo("", 0, 0), ack(1, 2, ("5", "a", 1)), "Undone: 6C from column 5 to cell a"),
            (Redo("", 0, 0), ack(1, 2, ("5", "a", 1)), "Redone: 6C from column 5 to cell a"),
            (Restart("", 0, 0), ack(1, 2, board=LAYOUT), "Back to the deal"),
            (Undo("", 0, 0), ack(1, 2, board=LAYOUT), "The board has changed as a whole"),
            (Send("", 0, 0, "5"), ack(1, 2, repeated=True), "s 5 had been taken"),
        ],
    )
    def test_other_ways_to_change_it(self, draft: Undo, answer: Event, text: str) -> None:
        assert text in told(ask(racing(), draft).session, answer)[0]

    def test_what_is_possible_next(self) -> None:
        session = ask(racing(), Move("", 0, 0, "5a")).session
        offered = told(session, ack(1, 1, ("5", "a", 1), finish=True))
        assert offered[-1] == "The rest can go home by itself: type f."
        blocked = told(session, ack(1, 1, ("5", "a", 1), blocked=True))
        assert blocked[-1] == "No move is left: undo (u), restart (R) or resign."
        stuck = told(session, ack(1, 1, ("5", "a", 1), stuck=True))
        assert stuck[-1].startswith("Every move left leads only to where you have been: undo (u)")
        session = replace(session, options=Options(stuck=True))
        assert told(session, ack(1, 1, ("5", "a", 1), stuck=True)) == stuck[:-1]
        won = told(session, ack(1, 1, ("5", "a", 1), won=True))
        assert won[-1] == "All 52 cards are home: you have finished!"

    def test_answers_to_other_commands_are_no_news(self) -> None:
        assert told(ask(in_lobby(), Ready("", 0)).session, ack(1, 0)) == []

    def test_refusals_are_told_in_the_servers_words(self) -> None:
        session = ask(racing(), Move("", 0, 0, "5h"), Move("", 0, 0, "3a"), Undo("", 0, 0)).session
        assert told(session, refused(1, detail="6C cannot go home yet")) == [
            "Refused: 5h: 6C cannot go home yet",
            "Not tried: 3a undo",
        ]

    def test_a_refusal_of_no_command(self) -> None:
        assert told(racing(), Refused(ErrorCode.BAD_MESSAGE, "not JSON")) == ["Refused: not JSON"]

    def test_a_refusal_that_was_lost_on_the_way(self) -> None:
        session = ask(racing(), Move("", 0, 0, "5h")).session
        stale = refused(1, ErrorCode.STALE_COMMAND, "command 1 is behind your newest one, 2")
        assert told(session, stale) == ["Refused before the connection was lost: 5h"]

    def test_only_a_long_wait_is_worth_a_word(self) -> None:
        session = ask(racing(), Move("", 0, 0, "5a")).session
        assert told(session, refused(1, ErrorCode.TOO_FAST, "slower", retry_ms=30)) == []
        assert told(session, refused(1, ErrorCode.TOO_FAST, "slower", retry_ms=250_000)) == [
            "Refused: 5a: slower; possible again in 250 s"
        ]
        assert told(session, refused(1, ErrorCode.UNAVAILABLE, "the disk is full", retry_ms=4000)) == [
            "5a: the disk is full; again in 4 s"
        ]

    def test_the_end_of_a_conversation_speaks_for_itself(self) -> None:
        assert told(hear(FRESH, welcome()), Refused(ErrorCode.NO_SUCH_RACE, "no race", RACE, q=0)) == []

    def test_questions(self) -> None:
        session = ask(racing(), Hint("", 0), Hint("", 0), Calc("", 0, "3")).session
        calculated = Calculated(RACE, 3, 0, "3", (Destination("a", 1),))
        assert told(session, Hinted(RACE, 1, 0, "5a"), Hinted(RACE, 2, 0), calculated) == [
            "Hint: 5a",
            "There is no hint here.",
            "From column 3:",
            "  to cell a: 1 card",
        ]

    def test_boards_on_request(self) -> None:
        assert TELLER.board(in_lobby()) == "There is no board before the start."
        assert "JD\t2D" in TELLER.board(racing())
        nothing = hear(Session(Watch(RACE)), welcome())
        assert TELLER.all_boards(nothing) == TELLER.read_all(nothing, "") == ["No board is shown to you."]

    def test_boards_read_out(self) -> None:
        assert TELLER.read_out(in_lobby(), "") == "There is no board before the start."
        assert TELLER.read_out(racing(), "3") == "column 3: 9H 9S 9D 10S 4S 8D 2H"
        watching = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
        watching = hear(watching, snapshot("running", feed="watch", boards={BOB: LAYOUT}))
        assert TELLER.read_all(watching, "a") == ["bob:\ncell a: empty"]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (Move(RACE, 1, 0, "5a"), "5a"),
        (Move(RACE, 1, 0, "\x1b[2J5a"), " [2J5a"),
        (Send(RACE, 1, 0, "5"), "s 5"),
        (Send(RACE, 1, 0, "\x9b5"), "s  5"),
        (AutoFinish(RACE, 1, 0), "finish"),
        (Configure(RACE, 1, Settings()), "set"),
        (Kick(RACE, 1, BOB), "kick"),
        (Leave(RACE, 1), "leave"),
        (Resign(RACE, 1), "resign"),
        (Say(RACE, 1, "hi"), "say"),
        (Start(RACE, 1), "start"),
    ],
)
def test_commands_as_typed(command: Move, text: str) -> None:
    assert command_text(command) == text


def test_the_connection() -> None:
    assert link_text(Lost("the connection is lost", 0.2)) == "the connection is lost; trying again in 0.2 s"
    text = link_text(Lost("the connection is lost", 0.2), can_type=True)
    assert text == "the connection is lost; trying again in 0.2 s, or now with Enter"
    assert "a new player" in link_text(NewPlayer())


def test_the_sample_promise_is_kept() -> None:
    assert life("running").commitment == COMMITMENT


def test_what_is_shown_late_is_what_was_before_and_no_news() -> None:
    def shown(to: int, commitment: str) -> Event:
        return snapshot("lobby", feed="watch", to=to, life=life("lobby", commitment=commitment))

    live = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"), shown(9, "new"))
    late = hear(live, Watching(RACE, "boards", delay_ms=30_000))
    assert "promised" not in " ".join(told(late, shown(3, "old")))
    assert "Meanwhile another deal was promised" in " ".join(told(live, shown(12, "newer")))
