"""Robots in a race: their seats, their games, their turns, and that people decide when all is over."""

from dataclasses import replace

import pytest

from server.freecell.moves import Move as CardMove
from server.race.commands import (
    AddRobot,
    AskRematch,
    AutoFinish,
    Configure,
    Join,
    Kick,
    Leave,
    LinkRematch,
    Move,
    NoteTailLoss,
    PassHost,
    Ready,
    Resign,
    Say,
    Start,
    Tick,
)
from server.race.decide import rematch_of
from server.race.decision import NOT_DUE, Decision, Refusal, Wake
from server.race.events import (
    CountdownBegun,
    Created,
    Ended,
    Finished,
    HostPassed,
    Joined,
    Kicked,
    Left,
    Moved,
    Readied,
    Resigned,
    RobotJoined,
    RobotPlanned,
    Stamped,
    Started,
    TimeUp,
)
from server.race.evolve import fold
from server.race.robot import MAX_ROBOTS, PLAN_WITHIN_MS, Level, Robot
from server.race.robots import NO_LINE
from server.race.state import (
    LOBBY_LIFE_MS,
    MAX_MEMBERS,
    Ending,
    Member,
    Phase,
    PlayerId,
    Standing,
    Turn,
)
from server.race.views import RacerChange, RacerGone, View, snapshot, update
from tests.server.race.pictures import shown
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    NEXT_CODE,
    NONCE,
    ROBBY,
    ROSIE,
    SOLVED,
    Table,
    accepted,
    line_of,
    lobby,
    planned,
    refused,
    repeated,
    running,
    setup,
)

NOBODY = PlayerId("")


def with_robots(*robots: PlayerId, people: tuple[PlayerId, ...] = (ANN,), every_ms: int = 1000) -> Table:
    """A race just started, with robots whose games are settled."""
    table = lobby(*people)
    for robot in robots:
        table.add_robot(robot)
        table.plan_robot(robot, every_ms=every_ms)
    accepted(table.run(Start(*table.who(ANN))))
    table.tick()
    return table


def robot_of(table: Table, player: PlayerId = ROBBY) -> Robot:
    robot = table.member(player).robot
    assert robot is not None
    return robot


# Seats.


def test_the_host_seats_a_robot_which_is_ready_at_once() -> None:
    table = lobby(ANN, BEN)
    command = AddRobot(*table.who(ANN), ROBBY, Level.FAST)
    joined = RobotJoined(ANN, command.c, ROBBY, "Robot", Level.FAST)
    assert table.run(command) == Decision((joined,))
    member = table.member(ROBBY)
    assert (member.ready, member.standing, member.session) == (True, Standing.WAITING, 0)
    assert member.robot == Robot(Level.FAST)
    assert [racer.player for racer in table.race.racers] == [ANN, BEN, ROBBY]
    assert table.race.life.robots == (ROBBY,)
    assert repeated(table.run(command)).c == command.c


def test_every_robot_has_a_name_of_its_own() -> None:
    table = lobby(ANN)
    accepted(table.run(Join(BEN, "ROBOT 2")))
    for place in range(3):
        table.add_robot(PlayerId(f"robot{place}"))
    names = [table.member(player).name for player in table.race.life.robots]
    assert names == ["Robot", "Robot 3", "Robot 4"]
    assert refused(table.run(Join(CEC, "robot 3"))) == "name_taken"
    accepted(table.run(Kick(*table.who(ANN), PlayerId("robot0"))))
    table.add_robot(ROSIE)
    assert table.member(ROSIE).name == "Robot"


@pytest.mark.parametrize("player", [BEN, CEC])
def test_only_the_host_adds_robots(player: PlayerId) -> None:
    table = lobby(ANN, BEN)
    code = "not_host" if player == BEN else "not_seated"
    assert refused(table.run(AddRobot(*table.who(player), ROBBY, Level.EVEN))) == code


def test_robots_are_added_in_the_lobby_only() -> None:
    table = running(ANN)
    assert refused(table.run(AddRobot(*table.who(ANN), ROBBY, Level.EVEN))) == "not_lobby"


def test_robots_take_seats() -> None:
    table = lobby(ANN, max_racers=2)
    table.add_robot()
    assert refused(table.run(AddRobot(*table.who(ANN), ROSIE, Level.EVEN))) == "race_full"
    assert refused(table.run(Join(BEN, "Ben"))) == "race_full"


def test_there_are_only_so_many_robots_in_a_race() -> None:
    table = lobby(ANN, max_racers=100)
    for place in range(MAX_ROBOTS):
        table.add_robot(PlayerId(f"robot{place}"))
    assert refused(table.run(AddRobot(*table.who(ANN), ROBBY, Level.EVEN))) == "too_many"
    accepted(table.run(Kick(*table.who(ANN), PlayerId("robot3"))))
    table.add_robot()
    assert len(table.race.life.robots) == MAX_ROBOTS


def test_a_race_that_too_many_have_come_to_takes_no_robot_either() -> None:
    table = lobby(ANN)
    crowd = {
        PlayerId(f"p{place}"): Member(PlayerId(f"p{place}"), f"P{place}", Standing.GONE)
        for place in range(MAX_MEMBERS)
    }
    table.race = table.race._replace(members={**table.race.members, **crowd})
    assert refused(table.run(AddRobot(*table.who(ANN), ROBBY, Level.EVEN))) == "too_many"


def test_where_there_is_no_robot_to_be_had_the_reason_is_told() -> None:
    table = lobby(ANN)
    command = AddRobot(*table.who(ANN), ROBBY, Level.EVEN, "there is no solver")
    assert table.run(command) == Refusal("no_robot", "there is no solver")


@pytest.mark.parametrize("lost", ["unwinnable", "lost_without_return"])
def test_no_robot_takes_a_seat_where_the_deal_is_known_to_have_no_line(lost: str) -> None:
    table = lobby(ANN)
    accepted(table.run(Configure(*table.who(ANN), setup(lost=lost))))
    command = AddRobot(*table.who(ANN), ROBBY, Level.EVEN)
    assert table.run(command) == Refusal("no_robot", NO_LINE)
    accepted(table.run(Configure(*table.who(ANN), setup())))
    table.add_robot(ROBBY)


def test_a_robot_is_sent_out_like_anybody() -> None:
    table = lobby(ANN)
    table.add_robot()
    command = Kick(*table.who(ANN), ROBBY)
    assert accepted(table.run(command)) == (Kicked(ANN, command.c, ROBBY),)
    assert table.race.life.robots == ()
    assert table.run(planned(table.race.life.setup)) == NOT_DUE


@pytest.mark.parametrize("phase", ["lobby", "running"])
def test_nobody_can_play_for_a_robot(phase: str) -> None:
    table = lobby(ANN) if phase == "lobby" else with_robots(ROBBY)
    if phase == "lobby":
        table.add_robot()
    before = table.race
    assert refused(table.run(Join(ROBBY, "Robby"))) == "not_seated"
    assert refused(table.run(Say(ROBBY, 0, 1, "Robby", "hello"))) == "not_seated"
    assert refused(table.run(Ready(ROBBY, 0, 1, ready=False))) == "not_seated"
    assert refused(table.run(Move(ROBBY, 0, 1, 0, "3a"))) == "not_seated"
    assert table.race is before


# Hosts, and being ready.


def test_one_who_is_ready_need_not_wait_for_robots() -> None:
    table = lobby(ANN)
    table.add_robot()
    assert accepted(table.run(Ready(*table.who(ANN), ready=True))) == (
        Readied(ANN, 2, ready=True),
        CountdownBegun(NOBODY, 0),
    )


def test_a_robot_may_be_the_second_for_whom_a_ready_host_waits() -> None:
    table = lobby(ANN)
    accepted(table.run(Ready(*table.who(ANN), ready=True)))
    events = accepted(table.run(AddRobot(*table.who(ANN), ROBBY, Level.EVEN)))
    assert [type(event) for event in events] == [RobotJoined, CountdownBegun]


def test_robots_alone_do_not_begin_a_countdown() -> None:
    table = lobby(ANN)
    table.add_robot(ROBBY)
    table.add_robot(ROSIE)
    assert table.race.life.phase is Phase.LOBBY


def test_a_robot_never_is_the_host() -> None:
    table = lobby(ANN)
    table.add_robot()
    accepted(table.run(Join(BEN, "Ben")))
    command = Leave(*table.who(ANN))
    assert accepted(table.run(command)) == (Left(ANN, command.c), HostPassed(BEN))
    assert table.run(PassHost(frozenset({ANN}))) == NOT_DUE


def test_a_lobby_that_only_robots_are_left_in_is_over() -> None:
    table = lobby(ANN)
    table.add_robot()
    command = Leave(*table.who(ANN))
    decision = Decision((Left(ANN, command.c), Ended(Ending.ABANDONED)), wake=Wake.CLEAR)
    assert table.run(command) == decision
    assert table.run(planned(table.race.life.setup)) == NOT_DUE


# Games.


def test_a_robots_game_is_settled_once() -> None:
    table = lobby(ANN)
    table.add_robot()
    command = planned(table.race.life.setup)
    assert table.run(command) == Decision((RobotPlanned(ROBBY, command.line, command.at_ms),))
    assert robot_of(table) == Robot(Level.EVEN, command.line, command.at_ms)
    assert table.run(planned(table.race.life.setup, every_ms=1)) == NOT_DUE


def test_no_game_is_settled_for_another_deal_or_for_one_who_is_no_robot() -> None:
    table = lobby(ANN)
    table.add_robot()
    assert table.run(planned(setup(nonce="0" * 32))) == NOT_DUE
    assert table.run(planned(table.race.life.setup, ANN)) == NOT_DUE
    assert table.run(planned(table.race.life.setup, CEC)) == NOT_DUE


def test_new_settings_want_a_new_game_and_leave_a_robot_ready() -> None:
    table = lobby(ANN, BEN)
    table.add_robot()
    table.plan_robot()
    accepted(table.run(Configure(*table.who(ANN), setup(deal=1, nonce=NONCE[::-1]))))
    assert table.member(ROBBY).ready
    assert robot_of(table) == Robot(Level.EVEN)
    table.plan_robot()
    assert robot_of(table).line == line_of(table.race.life.setup)


@pytest.mark.parametrize("view", View)
def test_a_robot_that_knows_no_way_is_shown_as_such_and_resigns_at_the_start(view: View) -> None:
    table = lobby(ANN)
    table.add_robot()
    assert not snapshot(table.race, view).racers[1].no_way
    command = replace(planned(table.race.life.setup), line=(), at_ms=())
    before = table.race
    assert accepted(table.run(command)) == (RobotPlanned(ROBBY, (), ()),)
    seen = snapshot(table.race, view).racers[1]
    assert seen.no_way
    assert update(before, table.log[-1], table.race, view) == (RacerChange(seen),)
    accepted(table.run(Start(*table.who(ANN))))
    table.tick()
    assert table.race.next_deadline == table.now_ms
    assert table.tick() == (Resigned(ROBBY, 1),)
    assert snapshot(table.race, view).racers[1].no_way
    assert table.race.life.phase is Phase.RUNNING
    assert table.race.next_deadline == table.race.life.ends_at


def test_a_robot_nobody_finds_a_game_for_gives_up_after_a_while() -> None:
    table = lobby(ANN)
    table.add_robot()
    accepted(table.run(Start(*table.who(ANN))))
    assert table.tick() == (Started(),)
    assert table.race.next_deadline == table.now_ms + PLAN_WITHIN_MS
    assert not snapshot(table.race, View.RACER).racers[1].no_way
    assert table.tick() == (Resigned(ROBBY, 1),)
    assert snapshot(table.race, View.RACER).racers[1].no_way


def test_a_robot_that_resigns_because_the_people_did_before_it_had_a_game_may_know_a_way() -> None:
    table = lobby(ANN)
    table.add_robot()
    accepted(table.run(Start(*table.who(ANN))))
    table.tick()
    accepted(table.run(Resign(*table.who(ANN))))
    assert table.member(ROBBY).standing is Standing.RESIGNED
    assert not snapshot(table.race, View.RACER).racers[1].no_way


def test_a_game_may_be_settled_after_the_start() -> None:
    table = lobby(ANN)
    table.add_robot()
    accepted(table.run(Start(*table.who(ANN))))
    table.tick()
    table.now_ms += 2500
    verdict = table.run(planned(table.race.life.setup))
    assert isinstance(verdict, Decision)
    assert verdict.wake == 0, "its first moves are overdue"
    assert [type(event) for event in verdict.events] == [RobotPlanned]
    assert [type(event) for _ in range(2) for event in table.tick()] == [Moved, Moved]
    assert table.race.next_deadline == table.now_ms + 500
    again = lobby(ANN)
    again.add_robot()
    accepted(again.run(Start(*again.who(ANN))))
    again.tick()
    verdict = again.run(replace(planned(again.race.life.setup), line=(), at_ms=()))
    assert verdict == Decision((RobotPlanned(ROBBY, (), ()),), wake=0)


# Turns.


def test_a_turn_is_a_deadline_of_the_race() -> None:
    table = with_robots(ROBBY)
    start = table.race.life.started_at
    assert table.race.next_turn == Turn(start + 1000, ROBBY)
    assert table.race.next_deadline == start + 1000
    table.now_ms = start + 999
    assert table.run(Tick()) == NOT_DUE
    table.now_ms = start + 1003
    move = line_of(table.race.life.setup)[0]
    decision = Decision((Moved(ROBBY, 1, move),), start + 1000, table.race.life.ends_at - 1, 997)
    assert table.run(Tick()) == decision
    assert table.race.next_deadline == start + 2000
    assert table.member(ROBBY).n == 1


def test_a_start_wakes_the_race_for_its_first_turn() -> None:
    table = lobby(ANN)
    table.add_robot()
    table.plan_robot()
    accepted(table.run(Start(*table.who(ANN))))
    table.now_ms = table.race.life.starts_at + 7
    verdict = table.run(Tick())
    assert isinstance(verdict, Decision)
    assert verdict.wake == 1000


def test_a_start_without_countdown_does_too() -> None:
    table = lobby(ANN, countdown_ms=0)
    table.add_robot()
    table.plan_robot(every_ms=300)
    verdict = table.run(Start(*table.who(ANN)))
    assert isinstance(verdict, Decision)
    assert verdict.wake == 300
    assert lobby(ANN, countdown_ms=0).run(Start(ANN, 3, 1)) == Decision(
        (CountdownBegun(ANN, 1), Started()), wake=1_800_000
    )


def test_turns_of_several_robots_come_in_order_of_their_times() -> None:
    table = lobby(ANN)
    table.add_robot(ROBBY)
    table.add_robot(ROSIE)
    table.plan_robot(ROBBY, every_ms=1000)
    table.plan_robot(ROSIE, every_ms=600)
    accepted(table.run(Start(*table.who(ANN))))
    table.tick()
    moved = [(event, table.now_ms - table.race.life.started_at) for _ in range(5) for event in table.tick()]
    players = [(event.player, ms) for event, ms in moved if isinstance(event, Moved)]
    assert players == [(ROSIE, 600), (ROBBY, 1000), (ROSIE, 1200), (ROSIE, 1800), (ROBBY, 2000)]


def test_what_people_do_leaves_the_next_turn_as_it_is() -> None:
    table = with_robots(ROBBY, people=(ANN, BEN))
    for command in (Move(*table.at(ANN), "3a"), Say(*table.who(BEN), "Ben", "hello"), Join(ANN, "Ann")):
        verdict = table.run(command)
        assert isinstance(verdict, Decision)
        assert verdict.wake is Wake.KEEP
    verdict = table.run(Resign(*table.who(BEN)))
    assert isinstance(verdict, Decision)
    assert verdict.wake is Wake.KEEP


def test_a_note_of_a_lost_tail_wakes_the_race_for_the_turn_that_is_next_by_now() -> None:
    table = with_robots(ROBBY)
    table.tick()
    table.now_ms += 400
    verdict = table.run(NoteTailLoss())
    assert isinstance(verdict, Decision)
    assert verdict.wake == 600


def test_a_robot_plays_its_line_to_the_end_and_is_ranked_like_anybody() -> None:
    table = with_robots(ROBBY, ROSIE, people=(ANN, BEN))
    table.solve(BEN)
    events = table.tick()
    while table.member(ROBBY).standing is Standing.RACING:
        events = table.tick()
    assert isinstance(events[-1], Finished)
    assert not any(isinstance(event, Ended) for event in events), "ann still races"
    member = table.member(ROBBY)
    count = len(line_of(table.race.life.setup))
    assert (member.rank, member.ended_at) == (2, table.race.life.started_at + 1000 * count)
    table.tick()
    assert table.member(ROSIE).rank == 3
    assert table.race.next_deadline == table.race.life.ends_at
    assert fold(table.log) == table.race


@pytest.mark.parametrize("way", ["resigns", "wins", "wins at a stroke"])
def test_robots_resign_when_no_person_races_any_more(way: str) -> None:
    table = with_robots(ROBBY, ROSIE, people=(ANN, BEN))
    table.tick()
    accepted(table.run(Resign(*table.who(BEN))))
    assert table.race.life.phase is Phase.RUNNING
    if way == "resigns":
        verdict = table.run(Resign(*table.who(ANN)))
    elif way == "wins":
        table.solve(ANN, but=1)
        verdict = table.run(Move(*table.at(ANN), SOLVED[617, 4][-1]))
    else:
        table.solve(ANN, but=5)
        verdict = table.run(AutoFinish(*table.at(ANN)))
    assert isinstance(verdict, Decision)
    assert verdict.events[-3:] == (Resigned(ROBBY, 2), Resigned(ROSIE, 1), Ended(Ending.FINISHED))
    assert verdict.wake is Wake.CLEAR
    assert table.race.next_deadline is None
    assert table.run(Tick()) == NOT_DUE


def test_the_time_limit_is_for_robots_too() -> None:
    table = with_robots(ROBBY, every_ms=100_000)
    events = table.tick()
    while table.race.life.phase is Phase.RUNNING:
        events = table.tick()
    assert events == (TimeUp(), Ended(Ending.FINISHED))
    assert table.now_ms == table.race.life.ends_at
    assert table.member(ROBBY).standing is Standing.OUT_OF_TIME
    assert table.member(ROBBY).n == 17


def test_overdue_turns_give_way_to_the_end_of_the_race() -> None:
    table = with_robots(ROBBY)
    table.now_ms = table.race.life.ends_at + 5
    end = Decision((TimeUp(), Ended(Ending.FINISHED)), not_before=table.race.life.ends_at, wake=Wake.CLEAR)
    assert table.run(Tick()) == end


FIRST, SECOND, *_ = line_of(setup())


@pytest.mark.parametrize("line", [(FIRST, SECOND), (FIRST, SECOND, FIRST)], ids=["breaks off", "is illegal"])
def test_a_line_that_leads_nowhere_ends_with_giving_up(line: tuple[CardMove, ...]) -> None:
    table = lobby(ANN)
    table.add_robot()
    accepted(table.run(replace(planned(table.race.life.setup), line=line, at_ms=(10, 20, 30)[: len(line)])))
    accepted(table.run(Start(*table.who(ANN))))
    table.tick()
    assert [table.tick() for _ in range(2)] == [(Moved(ROBBY, 1, FIRST),), (Moved(ROBBY, 2, SECOND),)]
    assert table.tick() == (Resigned(ROBBY, 3),)


# Views.


@pytest.mark.parametrize("view", View)
def test_a_robot_is_shown_as_one_and_its_game_is_not_shown(view: View) -> None:
    table = lobby(ANN)
    table.add_robot()
    seen = snapshot(table.race, view).racers
    assert [racer.robot for racer in seen] == [None, Level.EVEN]
    before, stamped = table.race, Stamped(table.race.seq, table.now_ms, table.log[-1].event)
    assert update(table.states[-2], stamped, table.race, view) == (RacerChange(seen[1]),)
    picture = shown(table.race, view)
    table.plan_robot()
    assert update(before, table.log[-1], table.race, view) == (RacerChange(seen[1]),)
    assert shown(table.race, view) == picture.replace('"to":4', '"to":5')
    accepted(table.run(Kick(*table.who(ANN), ROBBY)))
    assert update(table.states[-2], table.log[-1], table.race, view) == (RacerGone(ROBBY, kicked=True),)


# The rematch.


def test_the_rematch_carries_the_robots_over() -> None:
    table = lobby(ANN, BEN)
    for robot, level in ((ROBBY, Level.FAST), (PlayerId("rob"), Level.EASY), (ROSIE, Level.EASY)):
        table.add_robot(robot, level)
    accepted(table.run(Kick(*table.who(ANN), PlayerId("rob"))))
    table.plan_robot(ROBBY)
    accepted(table.run(Start(*table.who(ANN))))
    table.tick()
    for player in (ANN, BEN):
        accepted(table.run(Resign(*table.who(player))))
    again = setup(deal=1, nonce=NONCE[::-1])
    accepted(table.run(AskRematch(*table.who(BEN), NEXT_CODE, again)))
    decision = rematch_of(table.race)
    assert decision == Decision(
        (
            Created(NEXT_CODE, "rematch-KMNPQRST", BEN, again),
            Joined(BEN, "Ben"),
            RobotJoined(NOBODY, 0, ROBBY, "Robot", Level.FAST),
            RobotJoined(NOBODY, 0, ROSIE, "Robot 3", Level.EASY),
        ),
        wake=LOBBY_LIFE_MS,
    )
    accepted(table.run(LinkRematch()))
    following = fold([Stamped(seq, table.now_ms, event) for seq, event in enumerate(decision.events, 1)])
    assert following.life.robots == (ROBBY, ROSIE)
    assert following.members[ROBBY].robot == Robot(Level.FAST)
