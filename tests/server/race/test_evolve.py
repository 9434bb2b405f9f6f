import pytest

from server.freecell.deal import deal
from server.freecell.game import new_game
from server.freecell.rulesets import customise
from server.race.events import (
    Attached,
    AutoFinished,
    Configured,
    CountdownBegun,
    Created,
    Ended,
    Event,
    Finished,
    HostPassed,
    Joined,
    Kicked,
    Left,
    Moved,
    Readied,
    Redone,
    RematchAsked,
    Rematched,
    RematchMade,
    Resigned,
    Restarted,
    Said,
    Stamped,
    Started,
    TimeUp,
    Undone,
)
from server.race.evolve import NotTheBeginning, begin, evolve, fold
from server.race.state import (
    KEPT_ANSWERS,
    Answer,
    ChatLine,
    Ending,
    Life,
    Member,
    Phase,
    PlayerId,
    Race,
    Rematch,
    Standing,
)
from tests.server.freecell.boards import move
from tests.server.race.races import ANN, BEN, CEC, CODE, NEXT_CODE, SETUP, T0, setup

NOBODY = PlayerId("")


def after(*events: Event, since: Race | None = None) -> Race:
    """The race after these events, each a millisecond after the one before; the first is at `T0` + 1."""
    race = since
    for event in events:
        seq = race.seq + 1 if race else 1
        stamped = Stamped(seq, T0 + seq, event)
        race = evolve(race, stamped) if race else begin(stamped)
    assert race is not None
    return race


CREATED = Created(CODE, "first", ANN, SETUP)
LOBBY = after(CREATED, Joined(ANN, "Ann"), Attached(ANN), Joined(BEN, "Ben"), Attached(BEN))
RUNNING = after(CountdownBegun(NOBODY, 0), Started(), since=LOBBY)
OVER = after(Resigned(ANN, 1), Resigned(BEN, 1), Ended(Ending.FINISHED), since=RUNNING)


def test_created() -> None:
    life = Life(CODE, "first", ANN, ANN, SETUP, T0 + 1)
    assert after(CREATED) == Race(1, life, {})


@pytest.mark.parametrize("event", [Started(), Joined(ANN, "Ann")])
def test_a_log_begins_with_created_and_with_nothing_else(event: Event) -> None:
    with pytest.raises(NotTheBeginning, match=type(event).__name__):
        begin(Stamped(1, T0, event))


def test_a_race_is_created_once() -> None:
    with pytest.raises(NotTheBeginning, match="Created in the middle"):
        after(CREATED, since=LOBBY)


def test_joined_and_attached() -> None:
    assert LOBBY.members[ANN] == Member(ANN, "Ann", Standing.WAITING, session=3, sessions=1)
    assert LOBBY.members[BEN].session == 5
    race = after(Attached(ANN), since=LOBBY)
    assert (race.members[ANN].session, race.members[ANN].sessions) == (6, 2)


def test_readied() -> None:
    race = after(Readied(ANN, 4, ready=True), since=LOBBY)
    ann = race.members[ANN]
    assert (ann.ready, ann.last_c, ann.answers, ann.others) == (True, 4, (Answer(4, 0, 6),), 1)
    assert not after(Readied(ANN, 5, ready=False), since=race).members[ANN].ready


def test_configured_clears_ready() -> None:
    ready = after(Readied(ANN, 1, ready=True), Readied(BEN, 1, ready=True), since=LOBBY)
    again = setup(deal=2)
    race = after(Configured(ANN, 2, again), since=ready)
    assert race.life.setup == again
    assert [member.ready for member in race.members.values()] == [False, False]
    assert (race.members[ANN].last_c, race.members[BEN].last_c) == (2, 1)


def test_kicked() -> None:
    race = after(Kicked(ANN, 1, BEN), since=LOBBY)
    ben = race.members[BEN]
    assert (ben.standing, ben.session, ben.ready) == (Standing.KICKED, 0, False)
    assert race.members[ANN].answers == (Answer(1, 0, 6),)


def test_left_and_joined_again_at_the_end_of_the_row_with_the_count_of_his_commands() -> None:
    race = after(Readied(ANN, 1, ready=True), Left(ANN, 2), HostPassed(BEN), since=LOBBY)
    assert race.life.host == BEN
    assert (race.members[ANN].standing, race.members[ANN].ready) == (Standing.GONE, False)
    race = after(Joined(ANN, "Anna"), Attached(ANN), since=race)
    assert list(race.members) == [BEN, ANN]
    answers = (Answer(1, 0, 6), Answer(2, 0, 7))
    joined = Member(ANN, "Anna", Standing.WAITING, False, 10, 2, 2, answers, others=2)
    assert race.members[ANN] == joined


def test_the_countdown() -> None:
    race = after(CountdownBegun(ANN, 3), since=LOBBY)
    assert (race.life.phase, race.life.countdown_at, race.life.starts_at) == (
        Phase.COUNTDOWN,
        T0 + 6,
        T0 + 5_006,
    )
    assert race.members[ANN].last_c == 3
    by_itself = after(CountdownBegun(NOBODY, 0), since=LOBBY)
    assert by_itself.members == LOBBY.members


def test_started_deals_to_those_who_have_a_seat() -> None:
    race = after(Joined(CEC, "Cec"), Left(CEC, 1), CountdownBegun(NOBODY, 0), Started(), since=LOBBY)
    assert (race.life.phase, race.life.started_at, race.life.layout) == (
        Phase.RUNNING,
        T0 + 9,
        deal(617),
    )
    assert [race.members[player].game for player in (ANN, BEN)] == [new_game(deal(617), SETUP.rules)] * 2
    assert race.members[ANN].standing is Standing.RACING
    assert (race.members[CEC].game, race.members[CEC].standing) == (None, Standing.GONE)


def test_the_deal_has_the_free_cells_of_the_rules() -> None:
    two_cells = setup(rules=customise("app", 2))
    race = after(Configured(ANN, 1, two_cells), CountdownBegun(NOBODY, 0), Started(), since=LOBBY)
    assert race.life.layout == deal(617, 2)


def test_board_events_count_the_version_up_and_are_answered() -> None:
    events = (Moved(ANN, 3, move("3", "a")), Undone(ANN, 4), Redone(ANN, 9), Restarted(ANN, 10))
    race = after(*events, since=RUNNING)
    ann = race.members[ANN]
    assert (ann.n, ann.last_c) == (4, 10)
    assert ann.answers == (Answer(3, 1, 8), Answer(4, 2, 9), Answer(9, 3, 10), Answer(10, 4, 11))
    assert ann.game is not None
    assert (ann.game.position, ann.game.actions) == (deal(617), 2)
    assert race.members[BEN] == RUNNING.members[BEN]
    assert ann.others == 0


def test_auto_finished_makes_all_its_moves_as_one_action() -> None:
    race = after(AutoFinished(ANN, 1, (move("3", "a"), move("3", "b"))), since=RUNNING)
    game = race.members[ANN].game
    assert game is not None
    assert (game.actions, game.position.cells.count(None)) == (1, 2)


def test_the_last_32_answers_are_kept() -> None:
    events = [Moved(ANN, c, move(*("3a" if c % 2 else "a3"))) for c in range(1, 41)]
    answers = after(*events, since=RUNNING).members[ANN].answers
    assert [answer.c for answer in answers] == list(range(9, 41))
    assert [answer.n for answer in answers] == list(range(9, 41))
    said = after(*(Said(BEN, c, "Ben", "hi") for c in range(1, 41)), since=RUNNING).members[BEN].answers
    assert [answer.c for answer in said] == list(range(9, 41))
    assert len(said) == KEPT_ANSWERS


def test_finished_in_the_order_of_the_log() -> None:
    race = after(Finished(BEN), Finished(ANN), since=RUNNING)
    assert (race.members[BEN].rank, race.members[ANN].rank) == (1, 2)
    assert (race.members[BEN].ended_at, race.members[ANN].ended_at) == (T0 + 8, T0 + 9)
    assert race.life.finishers == 2
    assert race.members[ANN].standing is Standing.FINISHED


def test_time_up_ends_it_for_those_who_race() -> None:
    race = after(Finished(ANN), TimeUp(), Ended(Ending.FINISHED), since=RUNNING)
    assert race.members[ANN].standing is Standing.FINISHED
    assert (race.members[BEN].standing, race.members[BEN].ended_at) == (Standing.OUT_OF_TIME, T0 + 9)
    assert (race.life.phase, race.life.over_at, race.life.ending) == (Phase.OVER, T0 + 10, Ending.FINISHED)


def test_said_by_a_racer_and_by_a_watcher() -> None:
    race = after(Said(ANN, 1, "Ann", "hello"), Said(CEC, 1, "Cec", "hi"), since=LOBBY)
    assert race.chat == (
        ChatLine(6, ANN, "Ann", "hello", watcher=False),
        ChatLine(7, CEC, "Cec", "hi", watcher=True),
    )
    watching = Member(CEC, "Cec", Standing.WATCHING, last_c=1, answers=(Answer(1, 0, 7),), others=1)
    assert race.members[CEC] == watching
    assert len(race.racers) == 2


def test_the_rematch() -> None:
    again = setup(deal=3)
    race = after(Rematched(BEN, 2, NEXT_CODE, "Ben", again), RematchAsked(ANN, 2), since=OVER)
    assert race.life.rematch == Rematch(NEXT_CODE, again, BEN, "Ben")
    assert (race.members[BEN].last_c, race.members[ANN].last_c) == (2, 2)
    made = after(RematchMade(), since=race).life.rematch
    assert made == Rematch(NEXT_CODE, again, BEN, "Ben", made=True)


@pytest.mark.parametrize(
    "event",
    [
        Joined(CEC, "Cec"),
        Attached(ANN),
        Readied(ANN, 1, ready=True),
        Configured(ANN, 1, SETUP),
        Kicked(ANN, 1, BEN),
        Left(ANN, 1),
        HostPassed(BEN),
        CountdownBegun(ANN, 1),
        CountdownBegun(NOBODY, 0),
        Started(),
        TimeUp(),
        Ended(Ending.EXPIRED),
        Said(CEC, 1, "Cec", "hi"),
        Rematched(ANN, 1, NEXT_CODE, "Ann", SETUP),
        RematchAsked(ANN, 1),
        Moved(ANN, 1, move("3", "a")),
        Restarted(ANN, 1),
        Finished(ANN),
        Resigned(ANN, 1),
    ],
)
def test_every_event_counts_the_log_up_and_leaves_the_state_before_as_it_was(event: Event) -> None:
    before, twin = (after(CountdownBegun(NOBODY, 0), Started(), since=LOBBY) for _ in range(2))
    race = evolve(before, Stamped(before.seq + 1, T0 + 99, event))
    assert race.seq == before.seq + 1
    assert before == twin
    assert race != before


def test_a_fold_is_the_events_one_after_another() -> None:
    events: list[Event] = [CREATED, Joined(ANN, "Ann"), CountdownBegun(ANN, 1), Started(), Restarted(ANN, 2)]
    log = [Stamped(seq, T0 + seq, event) for seq, event in enumerate(events, start=1)]
    assert fold(log) == after(*events)
