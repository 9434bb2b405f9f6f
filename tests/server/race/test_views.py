from dataclasses import replace
from itertools import pairwise

import pytest

from server.freecell.deal import deal
from server.freecell.game import new_game
from server.freecell.rulesets import RULESETS
from server.race.commands import (
    AskRematch,
    AutoFinish,
    Command,
    Configure,
    Join,
    Kick,
    Leave,
    LinkRematch,
    Move,
    PassHost,
    Ready,
    Redo,
    Resign,
    Restart,
    Say,
    Send,
    Start,
    Tick,
    Undo,
)
from server.race.commitment import commitment
from server.race.events import CountdownBegun, Finished, Moved, Redone, Undone
from server.race.state import ChatLine, Ending, Member, Phase, PlayerId, Policy, Standing
from server.race.views import (
    Access,
    BoardChange,
    BoardMoves,
    BoardView,
    Change,
    ChatChange,
    Deal,
    LifeChange,
    LifeView,
    RacerChange,
    RacerGone,
    RacerView,
    SeatView,
    View,
    board_of,
    card_moves,
    merge,
    seat_access,
    seat_of,
    snapshot,
    update,
    watch_access,
)
from tests.server.freecell.boards import board, move
from tests.server.race.pictures import changed, picture_of, shown
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    NEXT_CODE,
    NONCE,
    SETUP,
    T0,
    Table,
    accepted,
    lobby,
    running,
    setup,
)

NEARLY = board("KS", "KH", home="QS QH KD KC")


def over() -> Table:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    accepted(table.run(Resign(*table.who(ANN))))
    accepted(table.run(Resign(*table.who(BEN))))
    return table


def changes(table: Table, command: Command, view: View) -> list[Change]:
    """The changes a command makes, which must lead from the picture before it to the picture after it."""
    before = table.race
    seq = before.seq
    accepted(table.run(command))
    found: list[Change] = []
    states = [before, *table.states[seq:]]
    for event, (earlier, later) in zip(table.log[seq:], pairwise(states), strict=True):
        found += update(earlier, event, later, view)
    assert changed(picture_of(before, view), found) == picture_of(table.race, view)
    return found


# Who gets which view.


@pytest.mark.parametrize(
    ("policy", "access"),
    [
        (Policy.NONE, None),
        (Policy.PROGRESS, Access(View.PROGRESS)),
        (Policy.DELAYED, Access(View.BOARDS, 30_000)),
        (Policy.LIVE, Access(View.BOARDS)),
    ],
)
@pytest.mark.parametrize("standing", [None, *Standing])
def test_watchers_get_what_the_host_allows_and_racers_no_more_than_at_their_seat(
    policy: Policy, access: Access | None, standing: Standing | None
) -> None:
    race = running(ANN, BEN, policy=policy).race
    if standing is not None:
        race = race._replace(members={**race.members, CEC: Member(CEC, "Cec", standing)})
    is_to_play = standing in (Standing.WAITING, Standing.RACING)
    assert watch_access(race, CEC) == (Access(View.RACER) if is_to_play else access)


@pytest.mark.parametrize("policy", Policy)
def test_when_it_is_over_everyone_gets_the_boards(policy: Policy) -> None:
    race = over().race
    race = race._replace(life=replace(race.life, setup=setup(policy=policy)))
    delay_ms = 30_000 if policy is Policy.DELAYED else 0
    for player in (ANN, CEC):
        assert watch_access(race, player) == Access(View.BOARDS, delay_ms)
    assert seat_access(race) == Access(View.BOARDS)


@pytest.mark.parametrize("table", [lobby(ANN, BEN), running(ANN, BEN)])
def test_at_his_seat_a_racer_gets_progress_until_it_is_over(table: Table) -> None:
    assert seat_access(table.race) == Access(View.RACER)


def test_who_has_finished_or_resigned_still_gets_progress_at_his_seat() -> None:
    table = running(ANN, BEN)
    accepted(table.run(Resign(*table.who(ANN))))
    assert seat_access(table.race) == Access(View.RACER)
    assert watch_access(table.race, ANN) == Access(View.BOARDS, 30_000)


# Snapshots.


def test_a_lobby_as_seen() -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Ready(*table.who(BEN), ready=True)))
    seen = snapshot(table.race, View.BOARDS)
    promise = commitment(NONCE, 617)
    assert seen.life == LifeView(Phase.LOBBY, ANN, seen.life.setup, promise, None, None, None, None)
    waiting = Standing.WAITING
    assert seen.racers == (
        RacerView(ANN, "Ann", False, waiting, 0, 0, None, None),
        RacerView(BEN, "Ben", True, waiting, 0, 0, None, None),
    )
    assert (seen.layout, seen.boards, seen.chat) == (None, {}, ())


@pytest.mark.parametrize("view", View)
def test_before_the_start_no_view_tells_the_deal(view: View) -> None:
    table = lobby(ANN, BEN, deal=6_000_000_000)
    accepted(table.run(Start(*table.who(ANN))))
    text = shown(table.race, view)
    assert "6000000000" not in text
    assert NONCE not in text
    assert "FC1-" not in text
    assert "KS" not in text
    for seen in (snapshot(table.race, view), *update_of_last(table, view)):
        assert "6000000000" not in repr(seen)
        assert NONCE not in repr(seen)


def update_of_last(table: Table, view: View) -> tuple[Change, ...]:
    return update(table.states[-2], table.log[-1], table.race, view)


def test_a_lobby_that_nobody_started_never_tells_its_deal() -> None:
    table = lobby(ANN)
    accepted(table.run(Leave(*table.who(ANN))))
    life = snapshot(table.race, View.BOARDS).life
    assert (life.phase, life.ending, life.deal, life.nonce) == (Phase.OVER, Ending.ABANDONED, None, None)


def test_from_the_start_on_deal_and_nonce_keep_the_promise() -> None:
    table = lobby(ANN, BEN)
    promise = snapshot(table.race, View.RACER).life.commitment
    accepted(table.run(Start(*table.who(ANN))))
    table.now_ms = table.race.life.starts_at
    accepted(table.run(Tick()))
    life = snapshot(table.race, View.RACER).life
    assert life.deal is not None
    assert life.nonce is not None
    assert commitment(life.nonce, life.deal) == promise == life.commitment


def test_a_running_race_as_seen() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    table.put(BEN, NEARLY)
    accepted(table.run(AutoFinish(*table.at(BEN))))
    racers = (
        RacerView(ANN, "Ann", False, Standing.RACING, 0, 1, None, None),
        RacerView(BEN, "Ben", False, Standing.FINISHED, 52, 1, 1000, 1),
    )
    for view in View:
        seen = snapshot(table.race, view)
        assert seen.racers == racers
        assert seen.layout == deal(617)
    boards = snapshot(table.race, View.BOARDS).boards
    assert boards[ANN] == BoardView(table.position(ANN), 1, 0, 1)
    assert boards[BEN].position.is_won
    assert snapshot(table.race, View.RACER).boards == {}
    assert snapshot(table.race, View.PROGRESS).boards == {}


def test_racers_read_what_watchers_said_when_the_race_is_over() -> None:
    table = running(ANN, BEN)
    said = changes(table, Say(CEC, 0, 1, "Cec", "the ace is in cascade two"), View.RACER)
    assert said == []
    accepted(table.run(Say(*table.who(ANN), "Ann", "hello")))
    assert [line.text for line in snapshot(table.race, View.RACER).chat] == ["hello"]
    assert len(snapshot(table.race, View.PROGRESS).chat) == 2
    accepted(table.run(Resign(*table.who(ANN))))
    accepted(table.run(Resign(*table.who(BEN))))
    assert len(snapshot(table.race, seat_access(table.race).view).chat) == 2


def test_the_rematch_is_shown_once_it_can_be_joined() -> None:
    table = over()
    secret = setup(deal=8_000_000_000, nonce=NONCE[::-1])
    asked = changes(table, AskRematch(*table.who(ANN), NEXT_CODE, secret), View.BOARDS)
    assert asked == []
    assert changes(table, AskRematch(*table.who(BEN), NEXT_CODE, secret), View.BOARDS) == []
    assert snapshot(table.race, View.BOARDS).life.rematch is None
    (made,) = changes(table, LinkRematch(), View.BOARDS)
    assert isinstance(made, LifeChange)
    assert made.life.rematch == NEXT_CODE
    assert "8000000000" not in shown(table.race, View.BOARDS)


# Updates, of every kind of event.


def lives(found: list[Change]) -> list[Change]:
    return [change for change in found if isinstance(change, LifeChange)]


@pytest.mark.parametrize("view", View)
def test_seats_are_taken_and_left(view: View) -> None:
    table = lobby(ANN, BEN)
    waiting = RacerView(CEC, "Cec", False, Standing.WAITING, 0, 0, None, None)
    assert changes(table, Join(CEC, "Cec"), view) == [RacerChange(waiting)]
    assert changes(table, Join(CEC, "Cec"), view) == []
    ready = changes(table, Ready(*table.who(CEC), ready=True), view)
    assert ready == [RacerChange(replace(waiting, ready=True))]
    assert changes(table, Leave(*table.who(CEC)), view) == [RacerGone(CEC)]
    assert changes(table, Kick(*table.who(ANN), BEN), view) == [RacerGone(BEN, kicked=True)]


@pytest.mark.parametrize("view", View)
def test_the_host_and_the_settings_change(view: View) -> None:
    table = lobby(ANN, BEN)
    passed = changes(table, PassHost(frozenset({BEN})), view)
    assert lives(passed) == passed
    assert len(passed) == 1
    accepted(table.run(Ready(*table.who(ANN), ready=True)))
    before = snapshot(table.race, view).life.commitment
    configured = changes(table, Configure(*table.who(BEN), setup(deal=7)), view)
    assert isinstance(configured[0], LifeChange)
    assert configured[0].life.commitment == commitment(NONCE, 7) != before
    assert [change.racer.ready for change in configured if isinstance(change, RacerChange)] == [False, False]


@pytest.mark.parametrize("view", View)
def test_the_cards_are_dealt(view: View) -> None:
    table = lobby(ANN, BEN)
    (begun,) = changes(table, Start(*table.who(ANN)), view)
    assert isinstance(begun, LifeChange)
    assert begun.life.phase is Phase.COUNTDOWN
    table.now_ms = table.race.life.starts_at
    life, ann, ben, dealt = changes(table, Tick(), view)
    assert isinstance(life, LifeChange)
    assert (life.life.deal, life.life.nonce) == (617, NONCE)
    assert isinstance(ann, RacerChange)
    assert isinstance(ben, RacerChange)
    assert dealt == Deal(deal(617), shown=view is View.BOARDS)


def test_a_move_is_progress_and_on_boards_the_cards_that_moved() -> None:
    table = running(ANN, BEN)
    progress = RacerChange(RacerView(ANN, "Ann", False, Standing.RACING, 0, 1, None, None))
    for view in (View.RACER, View.PROGRESS):
        again = running(ANN, BEN)
        assert changes(again, Move(*again.at(ANN), "3a"), view) == [progress]
    moved = BoardMoves(ANN, (move("3", "a"),), 1, 0, 1)
    assert changes(table, Move(*table.at(ANN), "3a"), View.BOARDS) == [moved, progress]
    undone = BoardMoves(ANN, (move("a", "3"),), 2, 0, 1)
    assert changes(table, Undo(*table.at(ANN)), View.BOARDS) == [undone, progress]
    redone = BoardMoves(ANN, (move("3", "a"),), 3, 0, 1)
    assert changes(table, Redo(*table.at(ANN)), View.BOARDS) == [redone, progress]


def test_cards_that_move_together_are_told_card_by_card_too() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("8S 7H 6C", "9D", cells="- - KS -"))
    together, apart = move("1", "2", 3), tuple(move(*step) for step in ("1a", "1b", "12", "b2", "a2"))
    back = tuple(move(*step) for step in ("2a", "2b", "21", "b1", "a1"))
    assert changes(table, Move(*table.at(ANN), "12"), View.BOARDS)[0] == BoardMoves(
        ANN, (together,), 1, 0, 1, apart
    )
    assert changes(table, Undo(*table.at(ANN)), View.BOARDS)[0] == BoardMoves(
        ANN, (move("2", "1", 3),), 2, 0, 1, back
    )


def test_a_restart_and_its_undo_are_whole_boards() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    played = table.position(ANN)
    (restarted, _) = changes(table, Restart(*table.at(ANN)), View.BOARDS)
    assert restarted == BoardChange(ANN, BoardView(deal(617), 2, 0, 2))
    (undone, _) = changes(table, Undo(*table.at(ANN)), View.BOARDS)
    assert undone == BoardChange(ANN, BoardView(played, 3, 0, 2))
    (redone, _) = changes(table, Redo(*table.at(ANN)), View.BOARDS)
    assert redone == BoardChange(ANN, BoardView(deal(617), 4, 0, 2))


@pytest.mark.parametrize("view", View)
def test_a_card_sent_home_and_a_win(view: View) -> None:
    table = running(ANN, BEN)
    table.put(ANN, NEARLY)
    sent = changes(table, Send(*table.at(ANN), "1", 1), view)
    assert isinstance(sent[-1], RacerChange)
    assert sent[-1].racer.home == 51
    won = changes(table, AutoFinish(*table.at(ANN)), view)
    assert won[-1] == RacerChange(RacerView(ANN, "Ann", False, Standing.FINISHED, 52, 2, 1000, 1))
    assert len([change for change in won if isinstance(change, BoardMoves)]) == (view is View.BOARDS)


@pytest.mark.parametrize("view", View)
def test_resigning_and_the_end(view: View) -> None:
    table = running(ANN, BEN)
    (resigned,) = changes(table, Resign(*table.who(ANN)), view)
    assert resigned == RacerChange(RacerView(ANN, "Ann", False, Standing.RESIGNED, 0, 0, 1000, None))
    table.now_ms = table.race.life.ends_at
    found = changes(table, Tick(), view)
    assert [type(change) for change in found] == [LifeChange, RacerChange, RacerChange, LifeChange]
    assert isinstance(found[-1], LifeChange)
    assert (found[-1].life.phase, found[-1].life.ending) == (Phase.OVER, Ending.FINISHED)
    assert snapshot(table.race, view).racers[1].standing is Standing.OUT_OF_TIME


@pytest.mark.parametrize("view", View)
def test_a_racers_line_reaches_everyone(view: View) -> None:
    table = lobby(ANN, BEN)
    (said,) = changes(table, Say(*table.who(BEN), "Ben", "hello"), view)
    assert said == ChatChange(table.race.chat[0])


def test_the_first_event_makes_the_race_and_its_life() -> None:
    table = lobby(ANN)
    made = update(table.states[0], table.log[0], table.states[0], View.RACER)
    assert made == (LifeChange(snapshot(table.states[0], View.RACER).life),)


# Merging.


def racer(player: PlayerId, home: int) -> RacerChange:
    return RacerChange(RacerView(player, player, False, Standing.RACING, home, home, None, None))


def test_merged_each_racers_progress_is_told_once_where_it_was_first_told() -> None:
    line = ChatChange(ChatLine(7, CEC, "Cec", "hello", watcher=True))
    moved = BoardMoves(ANN, (move("3", "a"),), 1, 0, 1)
    found = merge([racer(ANN, 1), moved, racer(BEN, 1), line, moved, racer(ANN, 2), racer(BEN, 3)])
    assert found == (racer(ANN, 2), moved, racer(BEN, 3), line, moved)


def test_merged_a_seat_left_and_taken_again_goes_to_the_end_of_the_row() -> None:
    gone = RacerGone(ANN)
    found = merge([racer(ANN, 1), racer(BEN, 1), gone, racer(BEN, 2), racer(ANN, 0), racer(ANN, 4)])
    assert found == (racer(ANN, 1), racer(BEN, 2), gone, racer(ANN, 4))


def test_merged_moves_and_the_races_life_stay_each_for_itself() -> None:
    life = LifeChange(snapshot(lobby(ANN).race, View.RACER).life)
    moved = BoardMoves(ANN, (move("3", "a"),), 1, 0, 1)
    blank = BoardChange(ANN, BoardView(deal(617), 2, 0, 2))
    dealt = Deal(deal(617), shown=True)
    everything: list[Change] = [life, life, dealt, moved, moved, blank, blank, RacerGone(BEN)]
    assert merge(everything) == tuple(everything)
    assert merge([]) == ()


# One's own seat.


def test_a_seat_before_the_deal() -> None:
    table = lobby(ANN, BEN)
    session = table.member(BEN).session
    assert seat_of(table.member(BEN)) == SeatView(session, 0, 0, None, False, False, False, False)


def test_a_seat_tells_what_is_possible_next() -> None:
    table = running(ANN, BEN)
    session = table.member(BEN).session

    def seat(n: int, actions: int, *, undo: bool = False, redo: bool = False) -> SeatView:
        own = BoardView(table.position(BEN), n, 0, actions)
        return SeatView(session, n, n, own, undo, redo, False, False)

    assert seat_of(table.member(BEN)) == seat(0, 0)
    table.play(BEN, "3a")
    assert seat_of(table.member(BEN)) == seat(1, 1, undo=True)
    accepted(table.run(Undo(*table.at(BEN))))
    assert seat_of(table.member(BEN)) == seat(2, 1, redo=True)


def test_a_seat_tells_of_auto_finish_where_the_rules_have_it() -> None:
    for name, finish in (("race", True), ("classic", False)):
        table = running(ANN, BEN, rules=RULESETS[name])
        table.put(ANN, NEARLY)
        assert seat_of(table.member(ANN)).finish is finish


def test_a_seat_tells_of_a_board_without_a_move_left() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("KS", "KC", "KD", "KH", *["JS"] * 4, cells="9S 9S 9S 9S"))
    assert seat_of(table.member(ANN)).blocked


def test_a_seat_tells_when_every_move_leads_back() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("5H", "6S", "6C", "KC", "KD", "KH", "KS", "9D", cells=""))
    told = []
    for typed in ("12", "23"):
        table.play(ANN, typed)
        told.append(seat_of(table.member(ANN)).stuck)
    assert told == [False, True]
    assert not seat_of(table.member(BEN)).stuck


def test_a_closed_board_is_shown_with_nothing_possible() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    accepted(table.run(Resign(*table.who(ANN))))
    own = BoardView(table.position(ANN), 1, 0, 1)
    session = table.member(ANN).session
    assert seat_of(table.member(ANN)) == SeatView(session, 3, 1, own, False, False, False, False)


def test_cards_move_only_by_events_of_a_board() -> None:
    member = Member(ANN, "Ann", Standing.WAITING)
    assert board_of(member) is None
    assert card_moves(member, CountdownBegun(ANN, 1)) == ()
    assert card_moves(member, Undone(ANN, 1)) == card_moves(member, Redone(ANN, 1)) == ()
    racing = member._replace(game=new_game(deal(617), SETUP.rules))
    assert card_moves(racing, Finished(ANN)) == ()
    assert card_moves(racing, Moved(ANN, 1, move("3", "a"))) == (move("3", "a"),)


def test_times_are_relative_to_the_start() -> None:
    table = running(ANN, BEN)
    table.now_ms = table.race.life.started_at + 61_234
    accepted(table.run(Resign(*table.who(ANN))))
    assert snapshot(table.race, View.RACER).racers[0].ended_ms == 61_234
    assert str(T0)[:6] not in shown(table.race, View.BOARDS)
