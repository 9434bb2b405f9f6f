from dataclasses import replace

import pytest

from server.race.commands import (
    AskRematch,
    Create,
    Join,
    Kick,
    Leave,
    LinkRematch,
    Move,
    Ready,
    Resign,
    Say,
    Start,
    Tick,
    Undo,
)
from server.race.decide import create, decide, rematch_of
from server.race.decision import NOT_DUE, Decision, Wake
from server.race.events import (
    Attached,
    Created,
    Ended,
    Joined,
    RematchAsked,
    Rematched,
    RematchMade,
    Said,
    Started,
    TimeUp,
)
from server.race.state import (
    LOBBY_LIFE_MS,
    MAX_CHAT_LINES,
    MAX_COMMANDS_BESIDES,
    MAX_MEMBERS,
    MAX_OTHER_COMMANDS,
    MAX_SESSIONS,
    Answer,
    ChatLine,
    Ending,
    Member,
    Phase,
    PlayerId,
    Standing,
)
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    CODE,
    DAN,
    NEXT_CODE,
    SETUP,
    T0,
    Table,
    accepted,
    lobby,
    refused,
    repeated,
    running,
    setup,
)


def over(*players: PlayerId) -> Table:
    """A race that all have given up."""
    table = running(*players)
    for player in players:
        accepted(table.run(Resign(*table.who(player))))
    return table


# Creating, joining, coming back.


def test_creating_a_race_seats_its_host_and_gives_the_lobby_an_hour() -> None:
    decision = create(Create(CODE, "first", ANN, "Ann", SETUP))
    assert decision.events == (Created(CODE, "first", ANN, SETUP), Joined(ANN, "Ann"))
    assert decision.wake == LOBBY_LIFE_MS


def test_joining_takes_a_seat_and_begins_a_session() -> None:
    table = lobby(ANN)
    assert accepted(table.run(Join(BEN, "Ben"))) == (Joined(BEN, "Ben"), Attached(BEN))
    assert table.member(BEN).session == table.race.seq


def test_joining_again_gives_the_same_seat_to_a_new_session() -> None:
    table = lobby(ANN, BEN)
    assert accepted(table.run(Join(BEN, "Somebody else"))) == (Attached(BEN),)
    assert table.member(BEN).name == "Ben"


@pytest.mark.parametrize("table", [running(ANN, BEN), over(ANN, BEN)])
def test_whoever_has_a_seat_can_come_back_to_it_until_the_end_and_after(table: Table) -> None:
    assert accepted(table.run(Join(BEN, "Ben"))) == (Attached(BEN),)


def test_a_seat_can_be_taken_in_the_countdown_too() -> None:
    table = lobby(ANN)
    accepted(table.run(Start(*table.who(ANN))))
    assert accepted(table.run(Join(BEN, "Ben"))) == (Joined(BEN, "Ben"), Attached(BEN))
    table.now_ms = table.race.life.starts_at
    accepted(table.run(Tick()))
    assert table.member(BEN).standing is Standing.RACING


def test_a_running_race_takes_nobody_in() -> None:
    assert refused(running(ANN, BEN).run(Join(CEC, "Cec"))) == "race_started"


def test_a_race_that_is_over_takes_nobody_in() -> None:
    assert refused(over(ANN, BEN).run(Join(CEC, "Cec"))) == "race_over"


def test_a_full_race_takes_nobody_in_but_those_who_sit_there() -> None:
    table = lobby(ANN, BEN, max_racers=2)
    assert refused(table.run(Join(CEC, "Cec"))) == "race_full"
    accepted(table.run(Join(BEN, "Ben")))
    accepted(table.run(Leave(*table.who(BEN))))
    accepted(table.run(Join(CEC, "Cec")))


def test_a_name_is_taken_whatever_its_case() -> None:
    table = lobby(ANN, BEN)
    assert refused(table.run(Join(CEC, "bEN"))) == "name_taken"
    assert refused(lobby(PlayerId("straße")).run(Join(CEC, "STRASSE"))) == "name_taken"


def test_the_name_of_one_who_left_is_free_again() -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Leave(*table.who(BEN))))
    accepted(table.run(Join(CEC, "Ben")))
    assert refused(table.run(Join(BEN, "Ben"))) == "name_taken"
    accepted(table.run(Join(BEN, "Benjamin")))


def test_who_was_kicked_stays_out() -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Kick(*table.who(ANN), BEN)))
    assert refused(table.run(Join(BEN, "Ben"))) == "kicked"
    assert refused(table.run(Say(*table.who(BEN), "Ben", "let me in"))) == "kicked"


def test_who_left_may_come_back_to_another_seat() -> None:
    table = lobby(ANN, BEN, CEC)
    accepted(table.run(Leave(*table.who(BEN))))
    accepted(table.run(Join(BEN, "Ben")))
    assert [racer.player for racer in table.race.racers] == [ANN, CEC, BEN]


def test_so_many_people_may_come_and_go_and_no_more() -> None:
    table = lobby(ANN)
    gone = {PlayerId(f"p{i}"): Member(PlayerId(f"p{i}"), f"p{i}", Standing.GONE) for i in range(MAX_MEMBERS)}
    members = {**table.race.members, **gone}
    table.race = table.race._replace(members=dict(list(members.items())[:MAX_MEMBERS]))
    assert refused(table.run(Join(BEN, "Ben"))) == "too_many"
    assert refused(table.run(Say(*table.who(BEN), "Ben", "hello"))) == "too_many"
    accepted(table.run(Join(PlayerId("p7"), "p7")))
    accepted(table.run(Say(*table.who(PlayerId("p8")), "p8", "hello")))


def test_a_seat_changes_connections_so_often_and_no_more() -> None:
    table = lobby(ANN, BEN)
    for _ in range(MAX_SESSIONS - 1):
        accepted(table.run(Join(BEN, "Ben")))
    assert refused(table.run(Join(BEN, "Ben"))) == "too_many"
    assert table.member(BEN).sessions == MAX_SESSIONS


def test_leaving_and_coming_back_does_not_make_the_sessions_fewer() -> None:
    table = lobby(ANN, BEN)
    for _ in range(MAX_SESSIONS - 1):
        accepted(table.run(Leave(*table.who(BEN))))
        accepted(table.run(Join(BEN, "Ben")))
    accepted(table.run(Leave(*table.who(BEN))))
    assert refused(table.run(Join(BEN, "Ben"))) == "too_many"


# The order of a seat's commands.


def test_a_command_of_an_older_session_is_refused() -> None:
    table = lobby(ANN, BEN)
    old = table.who(BEN)
    accepted(table.run(Join(BEN, "Ben")))
    assert refused(table.run(Ready(*old, ready=True))) == "superseded"
    accepted(table.run(Ready(*table.who(BEN), ready=True)))


def test_a_session_is_judged_before_anything_else() -> None:
    table = lobby(ANN, BEN)
    old = table.who(BEN)
    accepted(table.run(Ready(*old, ready=True)))
    accepted(table.run(Join(BEN, "Ben")))
    assert refused(table.run(Ready(*old, ready=True))) == "superseded"


def test_a_repeated_command_gets_its_old_answer_and_has_no_effect() -> None:
    table = running(ANN, BEN)
    move = Move(*table.at(ANN), "3a")
    accepted(table.run(move))
    seq = table.race.seq
    accepted(table.run(Undo(*table.at(ANN))))
    assert repeated(table.run(move)) == Answer(move.c, 1, seq)
    assert table.member(ANN).n == 2


def test_a_number_behind_the_newest_that_was_never_taken_is_stale() -> None:
    table = running(ANN, BEN)
    player, session, c, n = table.at(ANN)
    accepted(table.run(Move(player, session, c + 5, n, "3a")))
    assert refused(table.run(Move(player, session, c + 4, n + 1, "3b"))) == "stale_command"
    assert refused(table.run(Move(player, session, 0, n + 1, "3b"))) == "stale_command"


@pytest.mark.parametrize("player", [CEC, BEN])
def test_one_without_a_seat_can_do_nothing_but_talk(player: PlayerId) -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Leave(*table.who(BEN))))
    assert refused(table.run(Ready(*table.who(player), ready=True))) == "not_seated"
    assert refused(table.run(Leave(*table.who(player)))) == "not_seated"
    accepted(table.run(Say(*table.who(player), "Anybody", "hello")))


# What happens by itself.


def test_an_unstarted_lobby_expires_after_an_hour() -> None:
    table = lobby(ANN, BEN)
    deadline = T0 + LOBBY_LIFE_MS
    assert decide(table.race, Tick(), deadline - 1) is NOT_DUE
    verdict = decide(table.race, Tick(), deadline)
    assert verdict == Decision((Ended(Ending.EXPIRED),), not_before=deadline, wake=Wake.CLEAR)
    table.now_ms = deadline
    accepted(table.run(Tick()))
    assert (table.race.life.phase, table.race.life.ending) == (Phase.OVER, Ending.EXPIRED)


def test_the_race_starts_when_the_countdown_is_over() -> None:
    table = lobby(ANN, BEN, time_limit_ms=60_000)
    table.now_ms += 100
    accepted(table.run(Start(*table.who(ANN))))
    assert decide(table.race, Tick(), T0 + 5_099) is NOT_DUE
    assert decide(table.race, Tick(), T0 + 5_100) == Decision((Started(),), T0 + 5_100, wake=60_000)


def test_whoever_races_when_the_time_is_up_is_out_of_time() -> None:
    table = running(ANN, BEN, CEC)
    accepted(table.run(Resign(*table.who(BEN))))
    deadline = table.race.life.ends_at
    assert decide(table.race, Tick(), deadline - 1) is NOT_DUE
    verdict = decide(table.race, Tick(), deadline)
    assert verdict == Decision((TimeUp(), Ended(Ending.FINISHED)), not_before=deadline, wake=Wake.CLEAR)
    table.now_ms = deadline + 3
    accepted(table.run(Tick()))
    standings = [racer.standing for racer in table.race.racers]
    assert standings == [Standing.OUT_OF_TIME, Standing.RESIGNED, Standing.OUT_OF_TIME]
    assert table.member(ANN).ended_at == deadline + 3


def test_nothing_is_due_when_it_is_over() -> None:
    table = over(ANN, BEN)
    assert table.run(Tick()) is NOT_DUE
    accepted(table.run(AskRematch(*table.who(ANN), NEXT_CODE, SETUP)))
    assert table.run(Tick()) is NOT_DUE


# Talking.


def test_what_is_said_is_kept_with_its_place_in_the_log() -> None:
    table = lobby(ANN, BEN)
    say = Say(*table.who(BEN), "Ben", "good luck")
    assert accepted(table.run(say)) == (Said(BEN, say.c, "Ben", "good luck"),)
    assert table.race.chat == (ChatLine(table.race.seq, BEN, "Ben", "good luck", watcher=False),)


def test_a_racer_talks_by_the_name_of_his_seat_whatever_he_calls_himself_now() -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Say(*table.who(BEN), "Ann", "I resign")))
    assert table.race.chat[-1].name == "Ben"
    accepted(table.run(Leave(*table.who(BEN))))
    accepted(table.run(Say(*table.who(BEN), "Benjamin", "good luck")))
    assert (table.race.chat[-1].name, table.race.chat[-1].watcher) == ("Benjamin", True)


def test_a_watcher_talks_without_a_seat_and_keeps_his_numbers_when_he_takes_one() -> None:
    table = lobby(ANN)
    say = Say(CEC, 0, 1, "Cec", "hello")
    accepted(table.run(say))
    assert table.race.chat[-1].watcher
    assert table.member(CEC).standing is Standing.WATCHING
    assert repeated(table.run(say)).c == 1
    accepted(table.run(Join(CEC, "Cec")))
    assert table.member(CEC).last_c == 1
    player, session, _ = table.who(CEC)
    assert repeated(table.run(Say(player, session, 1, "Cec", "hello"))).c == 1
    assert len(table.race.chat) == 1


def test_a_race_has_room_for_so_many_lines_and_no_more() -> None:
    table = lobby(ANN)
    for number in range(MAX_CHAT_LINES):
        accepted(table.run(Say(*table.who(ANN), "Ann", f"line {number}")))
    assert refused(table.run(Say(*table.who(ANN), "Ann", "one more"))) == "chat_full"
    assert refused(table.run(Say(*table.who(CEC), "Cec", "one more"))) == "chat_full"
    assert len(table.race.chat) == MAX_CHAT_LINES


# The rematch.


@pytest.mark.parametrize("table", [lobby(ANN, BEN), running(ANN, BEN)])
def test_a_rematch_can_be_asked_for_only_when_it_is_over(table: Table) -> None:
    assert refused(table.run(AskRematch(*table.who(ANN), NEXT_CODE, SETUP))) == "not_over"


def test_the_first_who_asks_makes_the_rematch_and_is_its_host() -> None:
    table, again = over(ANN, BEN), setup(deal=618)
    assert rematch_of(table.race) is None
    ask = AskRematch(*table.who(BEN), NEXT_CODE, again)
    verdict = table.run(ask)
    assert verdict == Decision((Rematched(BEN, ask.c, NEXT_CODE, "Ben", again),), wake=0)
    following = rematch_of(table.race)
    created = Created(NEXT_CODE, f"rematch-{CODE}", BEN, again)
    assert following == Decision((created, Joined(BEN, "Ben")), wake=LOBBY_LIFE_MS)


def test_those_who_ask_later_ask_for_the_same_one() -> None:
    table = over(ANN, BEN, CEC)
    accepted(table.run(AskRematch(*table.who(BEN), NEXT_CODE, SETUP)))
    ask = AskRematch(*table.who(ANN), CODE, setup(deal=2))
    assert accepted(table.run(ask)) == (RematchAsked(ANN, ask.c),)
    assert table.member(ANN).last_c == ask.c
    rematch = table.race.life.rematch
    assert rematch is not None
    assert (rematch.code, rematch.host, rematch.setup) == (NEXT_CODE, BEN, SETUP)


def test_a_rematch_can_be_asked_for_often_but_not_for_ever() -> None:
    table = over(ANN, BEN)
    accepted(table.run(AskRematch(*table.who(ANN), NEXT_CODE, SETUP)))
    while table.member(BEN).others < MAX_COMMANDS_BESIDES:
        accepted(table.run(AskRematch(*table.who(BEN), NEXT_CODE, SETUP)))
    assert refused(table.run(AskRematch(*table.who(BEN), NEXT_CODE, SETUP))) == "too_many"
    accepted(table.run(AskRematch(*table.who(ANN), NEXT_CODE, SETUP)))
    assert MAX_COMMANDS_BESIDES > MAX_OTHER_COMMANDS + MAX_CHAT_LINES


def test_those_who_only_watched_cannot_ask() -> None:
    table = over(ANN, BEN)
    assert refused(table.run(AskRematch(*table.who(DAN), NEXT_CODE, SETUP))) == "not_seated"


def test_the_rematch_is_linked_once() -> None:
    table = over(ANN, BEN)
    assert table.run(LinkRematch()) is NOT_DUE
    accepted(table.run(AskRematch(*table.who(ANN), NEXT_CODE, SETUP)))
    assert table.run(LinkRematch()) == Decision((RematchMade(),), wake=Wake.CLEAR)
    assert table.run(LinkRematch()) is NOT_DUE
    rematch = table.race.life.rematch
    assert rematch is not None
    assert rematch.made
    assert rematch_of(table.race) is not None


def test_a_rematch_of_a_lobby_that_expired() -> None:
    table = lobby(ANN, BEN)
    table.now_ms += LOBBY_LIFE_MS
    accepted(table.run(Tick()))
    accepted(table.run(AskRematch(*table.who(BEN), NEXT_CODE, replace(SETUP, deal=5))))
