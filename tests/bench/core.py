"""The pure core: a move decided and folded, against the bare rules of the game."""

from server.freecell.deal import deal
from server.freecell.moves import apply
from server.freecell.notation import read_move
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from server.race.commands import Move
from server.race.decide import decide
from server.race.decision import Decision
from server.race.events import Attached, CountdownBegun, Created, Event, Joined, Stamped, Started
from server.race.evolve import begin, evolve
from server.race.state import PlayerId, Race, RaceCode, Setup
from tests.bench.measure import Figure, against_floor, best_s
from tests.solutions import moves_of

RACERS = 8
REPETITIONS = 50


def figures() -> list[Figure]:
    """Microseconds for one move of a racer, from its text to the next state of the race."""
    moves, race = moves_of(1), _running_race()
    player = next(iter(race.members))
    session = race.members[player].session
    start = deal(1)

    def raced() -> None:
        now = race
        for n, text in enumerate(moves):
            verdict = decide(now, Move(player, session, n + 1, n, text), now_ms=0)
            assert isinstance(verdict, Decision), verdict
            for event in verdict.events:
                now = evolve(now, Stamped(now.seq + 1, 0, event))
        assert now.members[player].rank == 1

    def played() -> None:
        position = start
        for text in moves:
            move = read_move(text, position, RULESETS["race"])
            after = apply(position, move, RULESETS["race"]) if isinstance(move, tuple) else move
            assert isinstance(after, Position), after
            position = after
        assert position.is_won

    scale = 1e6 / len(moves)
    return against_floor(
        "move_decided_and_folded",
        best_s(raced, REPETITIONS) * scale,
        "us",
        "move_by_the_bare_rules",
        best_s(played, REPETITIONS) * scale,
    )


def _running_race() -> Race:
    players = [PlayerId(f"p{place}") for place in range(RACERS)]
    setup = Setup(RULESETS["race"], deal=1, nonce="00" * 16, max_racers=RACERS)
    events: list[Event] = []
    for player in players:
        events += [Joined(player, player), Attached(player)]
    events += [CountdownBegun(PlayerId(""), 0), Started()]
    race = begin(Stamped(1, 0, Created(RaceCode("ABCDEFGH"), "bench", players[0], setup)))
    for event in events:
        race = evolve(race, Stamped(race.seq + 1, 0, event))
    return race
