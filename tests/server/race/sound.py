"""What must hold of any race, whatever led to it."""

from collections import Counter
from collections.abc import Sequence

from server.freecell.cards import DECK
from server.race.events import (
    AutoFinished,
    Finished,
    Moved,
    Redone,
    Resigned,
    Restarted,
    Stamped,
    Started,
    TimeUp,
    Undone,
)
from server.race.standings import standings
from server.race.state import Phase, Race, Standing
from tests.server.freecell.boards import all_cards


def assert_sound(race: Race) -> None:
    """Seats, names, ranks, times and cards of one state."""
    racers, life = race.racers, race.life
    assert len(racers) <= life.setup.max_racers
    assert life.robots == tuple(racer.player for racer in racers if racer.robot is not None)
    assert life.host not in life.robots
    assert len({racer.name.casefold() for racer in racers}) == len(racers)
    ranked = sorted((racer for racer in racers if racer.rank), key=lambda racer: racer.rank or 0)
    assert [racer.rank for racer in ranked] == list(range(1, life.finishers + 1))
    assert [racer.ended_at for racer in ranked] == sorted(racer.ended_at or 0 for racer in ranked)
    for racer in racers:
        assert racer.game is None or sorted(all_cards(racer.game.position)) == list(DECK)
        assert (racer.game is not None) == life.has_started
        assert (racer.rank is not None) == (racer.standing is Standing.FINISHED)
        assert racer.standing is not Standing.RACING or racer.ended_at is None
        is_won = racer.game is not None and racer.game.position.is_won
        # `Finished` follows the winning move in the same append, so in between a won board may still race.
        assert not is_won or racer.standing in (Standing.FINISHED, Standing.RACING)
    if life.phase is Phase.LOBBY:
        assert life.host in race.members or race.seq == 1
    placed = standings(race)
    assert sorted(placed) == sorted(racers)
    assert [racer.rank for racer in placed[: len(ranked)]] == list(range(1, len(ranked) + 1))


def assert_sound_log(log: Sequence[Stamped], states: Sequence[Race]) -> None:
    """Numbers, order and times of what a log holds."""
    assert [stamped.seq for stamped in log] == list(range(1, len(log) + 1))
    assert [stamped.at_ms for stamped in log] == sorted(stamped.at_ms for stamped in log)
    taken = Counter(
        (player, c)
        for stamped in log
        if (c := getattr(stamped.event, "c", 0)) and (player := getattr(stamped.event, "player", ""))
    )
    assert not [command for command, times in taken.items() if times > 1], "each c has one effect at most"
    finished = [stamped.event.player for stamped in log if isinstance(stamped.event, Finished)]
    ranks = {racer.rank: racer.player for racer in states[-1].racers if racer.rank}
    assert finished == [ranks[place] for place in range(1, len(finished) + 1)], "finish order is log order"
    for (_, at_ms, event), before in zip(log[1:], states, strict=False):
        match event:
            case Moved() | Undone() | Redone() | Restarted() | AutoFinished() | Resigned():
                assert before.life.started_at <= at_ms < before.life.ends_at
            case Started():
                assert at_ms >= before.life.starts_at
            case TimeUp():
                assert at_ms >= before.life.ends_at
            case _:
                pass
