"""What a race looks like afterwards: until when a game could be won, and where two boards parted.

Whether a position can be won is for the caller to say: `search` is a generator that yields positions to ask
about. It asks few, since what can be won after a move could be won before it, and what is lost stays lost.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from server.freecell.movement import carry_all
from server.freecell.piles import is_foundation
from server.freecell.position import Position
from server.race.replays import Step

Asking = Generator[Position, bool | None, "Finding"]
"""Yields positions, and is to be sent whether they can be won without taking cards back off a foundation.

None where that is not known.
"""


@dataclass(frozen=True, slots=True)
class Trail:
    """Where a racer's board has been.

    Attributes:
        steps: what he did, in order.
        positions: the board as dealt, and then after each step.
    """

    steps: tuple[Step, ...]
    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Until when a game could be won, in numbers of steps; 0 is the deal.

    Attributes:
        winnable_to: after so many steps a win was last known to be possible; None if it never was.
        lost_from: from this step on there was none, to the end; None if that is not so, or not known.
    """

    winnable_to: int | None
    lost_from: int | None


def trail(layout: Position, steps: Iterable[Step]) -> Trail:
    """The boards that these steps lead over, from the deal on."""
    done, positions = tuple(steps), [layout]
    for step in done:
        came = step.board.position if step.board else carry_all(positions[-1], step.moves)
        positions.append(came)
    return Trail(done, tuple(positions))


def parting(one: Trail, other: Trail) -> int | None:
    """The first step after which two boards differed, or that only one racer took; None if there is none."""
    pairs = zip(one.positions, other.positions, strict=False)
    for number, (mine, his) in enumerate(pairs):
        if mine != his:
            return number
    lengths = (len(one.positions), len(other.positions))
    return None if lengths[0] == lengths[1] else min(lengths)


def search(walked: Trail, most: int) -> Asking:
    """Find out until when a game could be won, asking about `most` positions at most."""
    ways = _Ways(walked, most)
    lost_from: int | None = None
    is_lost_since = True
    for number in range(len(walked.positions) - 1, -1, -1):
        can_be_won = yield from ways.look(walked.positions[number])
        if can_be_won:
            return Finding(number, lost_from)
        is_lost_since = is_lost_since and can_be_won is False
        lost_from = number if is_lost_since else lost_from
    return Finding(None, lost_from)


class _Ways:
    """The positions of a trail, each with the one that a move led from, and what is known of them.

    An undo or a restart leads to where the board was before, and so to no new position.
    """

    def __init__(self, walked: Trail, most: int) -> None:
        self._left = most
        self._known: dict[Position, bool | None] = {}
        self._before: dict[Position, Position | None] = {walked.positions[0]: None}
        self._taken_back: set[Position] = set()
        for place, step in enumerate(walked.steps):
            came = walked.positions[place + 1]
            if came not in self._before:
                self._before[came] = walked.positions[place]
                if any(is_foundation(source) for source, _, _ in step.moves):
                    self._taken_back.add(came)

    def look(self, position: Position) -> Generator[Position, bool | None, bool | None]:
        """What can be found out of a position, and with it of all on the way to it."""
        if position in self._known:
            return self._known[position]
        way = self._new_on_the_way(position)
        before = self._before[way[0]]
        # A card taken back may turn what was lost without that, so nothing follows across such a move.
        for stretch in reversed(list(self._stretches(way))):
            if stretch[0] is way[0] and before is not None and self._is_lost_after(before, stretch[0]):
                self._known.update(dict.fromkeys(stretch, False))
            elif (yield from self._decide(stretch)):
                break
        for passed in way:
            self._known.setdefault(passed, None)
        return self._known[position]

    def _is_lost_after(self, before: Position, after: Position) -> bool:
        return self._known[before] is False and after not in self._taken_back

    def _new_on_the_way(self, position: Position) -> list[Position]:
        way: list[Position] = []
        at: Position | None = position
        while at is not None and at not in self._known:
            way.append(at)
            at = self._before[at]
        return way[::-1]

    def _stretches(self, way: list[Position]) -> Iterator[list[Position]]:
        start = 0
        for place in range(1, len(way)):
            if way[place] in self._taken_back:
                yield way[start:place]
                start = place
        yield way[start:]

    def _decide(self, stretch: list[Position]) -> Generator[Position, bool | None, bool]:
        """Find where it was lost; whether some of it could be won, and so all that comes before could."""
        if (yield from self._ask(stretch[-1])):
            self._mark_winnable(stretch[-1])
            return True
        winnable = yield from self._count(stretch, lambda known: known is True)
        if winnable:
            self._mark_winnable(stretch[winnable - 1])
        rest = stretch[winnable:]
        lost = next((place for place, one in enumerate(rest) if self._known.get(one) is False), len(rest))
        undecided = yield from self._count(rest[:lost], lambda known: known is not False)
        self._known.update(dict.fromkeys(rest[undecided:], False))
        return winnable > 0

    def _count(
        self, stretch: Sequence[Position], holds: Callable[[bool | None], bool]
    ) -> Generator[Position, bool | None, int]:
        """How many positions from the first on it holds for, where it holds for none after those."""
        low, high = 0, len(stretch)
        while low < high:
            middle = (low + high) // 2
            if holds((yield from self._ask(stretch[middle]))):
                low = middle + 1
            else:
                high = middle
        return low

    def _ask(self, position: Position) -> Generator[Position, bool | None, bool | None]:
        if position not in self._known:
            known = True if position.is_won else None
            if known is None and self._left:
                self._left -= 1
                known = yield position
            self._known[position] = known
        return self._known[position]

    def _mark_winnable(self, position: Position | None) -> None:
        while position is not None:
            self._known[position] = True
            position = self._before[position]
