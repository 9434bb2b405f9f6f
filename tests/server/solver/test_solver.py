import asyncio
from collections.abc import AsyncIterator

import pytest

from server.freecell.deal import deal
from server.freecell.movement import Move, carry, carry_all
from server.freecell.position import Position
from server.solver import solver as solver_module
from server.solver import wire
from server.solver.crew import Crew
from server.solver.memory import steps_of
from server.solver.search import PATIENT, USUAL, Line, NoLine, Undecided
from server.solver.solver import Solver, usual_size
from server.solver.verdict import Lost, Unknown, Winnable
from tests.server.solver.needs import needs_solver
from tests.server.solver.test_memory import HOME, KINGS


class FakeCrew(Crew):
    """Searches when it is told to, and finds what it is told."""

    def __init__(self, size: int = 1) -> None:
        super().__init__(size)
        self.asked: list[tuple[Position, int]] = []
        self.finds: dict[Position, wire.Found] = {}
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.under_way = 0
        self.most_under_way = 0

    async def search(self, position: Position, states: int) -> wire.Found:
        self.asked.append((position, states))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await self.may_go_on.wait()
        finally:
            self.under_way -= 1
        return self.finds.get(position, (Undecided(), ()))

    def knows(self, position: Position, moves: tuple[Move, ...]) -> None:
        self.finds[position] = (Line(moves), steps_of(position, moves))

    @property
    def positions(self) -> list[Position]:
        return [position for position, _ in self.asked]


@pytest.fixture
def crew() -> FakeCrew:
    return FakeCrew()


@pytest.fixture
async def solver(crew: FakeCrew) -> AsyncIterator[Solver]:
    made = Solver(crew)
    yield made
    await made.close()


async def turn() -> None:
    """Let everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_line_answers_for_every_position_on_it(solver: Solver, crew: FakeCrew) -> None:
    crew.knows(KINGS, HOME)
    assert solver.look(KINGS) == Unknown()
    assert await solver.ask(KINGS, "board") == Winnable(HOME[0], 4)
    assert await solver.ask(carry(KINGS, HOME[0]), "board") == Winnable(HOME[1], 3)
    assert solver.look(carry_all(KINGS, HOME)) == Winnable(None, 0)
    assert crew.asked == [(KINGS, USUAL)]


async def test_what_nobody_waits_for_any_more_is_not_searched(solver: Solver, crew: FakeCrew) -> None:
    crew.may_go_on.clear()
    asking = [asyncio.create_task(solver.ask(deal(number), number)) for number in (1, 2, 3)]
    await turn()
    asking[1].cancel()
    await turn()
    crew.may_go_on.set()
    await asyncio.wait(asking)
    assert crew.positions == [deal(1), deal(3)]


async def test_what_is_lost_or_was_not_decided_is_not_searched_again(solver: Solver, crew: FakeCrew) -> None:
    crew.finds[deal(1)] = (NoLine(), ())
    for _ in range(2):
        assert await solver.ask(deal(1), "a") == Lost()
        assert await solver.ask(deal(2), "a") == Unknown()
    assert crew.positions == [deal(1), deal(2)]


async def test_a_line_that_several_wait_for_in_vain_is_sought_once(solver: Solver, crew: FakeCrew) -> None:
    crew.finds[deal(1)] = (NoLine(), ())
    assert await asyncio.gather(*(solver.line(deal(number)) for number in (1, 2) * 4)) == [None] * 8
    assert crew.positions == [deal(1), deal(2)]


async def test_boards_and_lines_are_searched_in_turn(solver: Solver, crew: FakeCrew) -> None:
    crew.may_go_on.clear()
    asking = [asyncio.ensure_future(solver.line(deal(number))) for number in range(1, 5)]
    await turn()
    judging = [asyncio.ensure_future(solver.ask(deal(number), number)) for number in range(11, 15)]
    await turn()
    crew.may_go_on.set()
    await asyncio.wait([*asking, *judging])
    assert crew.positions == [deal(number) for number in (1, 11, 2, 12, 3, 13, 4, 14)]


async def test_one_process_of_several_is_kept_for_boards() -> None:
    crew = FakeCrew(3)
    crew.may_go_on.clear()
    solver = Solver(crew)
    asking = [asyncio.ensure_future(solver.line(deal(number))) for number in range(1, 6)]
    await turn()
    assert crew.positions == [deal(1), deal(2)]
    asking.append(asyncio.ensure_future(solver.line(deal(6))))
    judging = asyncio.ensure_future(solver.ask(deal(11), "a"))
    await turn()
    assert crew.positions == [deal(1), deal(2), deal(11)]
    crew.may_go_on.set()
    await asyncio.wait([*asking, judging])
    assert sorted(states for _, states in crew.asked) == [USUAL, *[PATIENT] * 6]
    await solver.close()


async def test_the_newest_request_of_a_board_takes_the_place_of_older_ones(
    solver: Solver, crew: FakeCrew
) -> None:
    crew.may_go_on.clear()
    first = asyncio.ensure_future(solver.ask(deal(1), "a"))
    await turn()
    older = asyncio.ensure_future(solver.ask(deal(2), "b"))
    other = asyncio.ensure_future(solver.ask(deal(3), "c"))
    await turn()
    newer = asyncio.ensure_future(solver.ask(deal(4), "b"))
    assert await older == Unknown()
    crew.may_go_on.set()
    await asyncio.gather(first, newer, other)
    assert crew.positions == [deal(1), deal(4), deal(3)]


async def test_what_is_known_at_once_takes_the_place_of_an_older_request_too(
    solver: Solver, crew: FakeCrew
) -> None:
    crew.may_go_on.clear()
    first = asyncio.ensure_future(solver.ask(deal(1), "a"))
    await turn()
    older = asyncio.ensure_future(solver.ask(deal(2), "b"))
    await turn()
    await solver.ask(carry_all(KINGS, HOME), "b")
    assert await older == Unknown()
    crew.may_go_on.set()
    await first
    await turn()
    assert crew.positions == [deal(1)]


async def test_what_is_urgent_goes_first(solver: Solver, crew: FakeCrew) -> None:
    crew.may_go_on.clear()
    asked = [asyncio.ensure_future(solver.ask(deal(number), number)) for number in (1, 2, 3)]
    await turn()
    asked.append(asyncio.ensure_future(solver.ask(deal(4), 4, urgent=True)))
    asked.append(asyncio.ensure_future(solver.ask(deal(3), 3, urgent=True)))
    await turn()
    crew.may_go_on.set()
    await asyncio.gather(*asked)
    assert crew.positions == [deal(1), deal(4), deal(3), deal(2)]


async def test_boards_with_the_same_cards_share_a_search(solver: Solver, crew: FakeCrew) -> None:
    crew.knows(KINGS, HOME)
    crew.may_go_on.clear()
    asked = [asyncio.ensure_future(solver.ask(KINGS, board)) for board in range(200)]
    await turn()
    crew.may_go_on.set()
    assert set(await asyncio.gather(*asked)) == {Winnable(HOME[0], 4)}
    assert crew.asked == [(KINGS, USUAL)]


async def test_no_more_are_under_way_than_there_are_processes() -> None:
    crew = FakeCrew(2)
    solver = Solver(crew)
    crew.may_go_on.clear()
    asked = [asyncio.ensure_future(solver.ask(deal(number), number)) for number in range(1, 20)]
    await turn()
    assert crew.under_way == 2
    crew.may_go_on.set()
    await asyncio.gather(*asked)
    await solver.close()
    assert crew.most_under_way == 2
    assert len(crew.asked) == 19


async def test_no_more_wait_than_may(solver: Solver, crew: FakeCrew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "MAX_WAITING", 2)
    crew.may_go_on.clear()
    asked = [asyncio.ensure_future(solver.ask(deal(1), 1))]
    await turn()
    asked += [asyncio.ensure_future(solver.ask(deal(number), number)) for number in (2, 3)]
    await turn()
    assert await solver.ask(deal(4), 4) == Unknown()
    # A newer position of a board that waits already takes no more room.
    asked.append(asyncio.ensure_future(solver.ask(deal(5), 3)))
    await turn()
    crew.may_go_on.set()
    await asyncio.gather(*asked)
    assert crew.positions == [deal(1), deal(2), deal(5)]


async def test_who_no_longer_waits_harms_nobody(solver: Solver, crew: FakeCrew) -> None:
    crew.knows(KINGS, HOME)
    crew.may_go_on.clear()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(solver.ask(KINGS, "a"), 0.01)
    crew.may_go_on.set()
    await turn()
    # What was found late is there for the next time.
    assert solver.look(KINGS) == Winnable(HOME[0], 4)


async def test_a_whole_line_may_be_asked_for(solver: Solver, crew: FakeCrew) -> None:
    crew.knows(KINGS, HOME)
    crew.finds[deal(3)] = (NoLine(), ())
    assert await solver.line(KINGS) == HOME
    assert await solver.line(deal(2)) is None
    assert await solver.line(deal(2)) is None
    assert await solver.line(deal(3)) is None
    assert await solver.line(deal(3)) is None
    assert crew.asked == [(KINGS, PATIENT), (deal(2), PATIENT), (deal(3), PATIENT)]


async def test_a_missing_solver_makes_everything_unknown(solver: Solver, crew: FakeCrew) -> None:
    crew.missing = "there is none"
    assert solver.missing == "there is none"
    assert await solver.ask(deal(1), "a") == Unknown()
    assert await solver.line(deal(1)) is None
    assert not crew.asked


async def test_what_a_missing_solver_did_not_decide_is_not_remembered(crew: FakeCrew) -> None:
    class Leaving(FakeCrew):
        async def search(self, position: Position, states: int) -> wire.Found:
            self.missing = "there is none"
            return await super().search(position, states)

    solver = Solver(Leaving())
    assert await solver.ask(deal(1), "a") == Unknown()
    assert len(solver._memory) == 0
    await solver.close()


async def test_closing_leaves_nobody_waiting(solver: Solver, crew: FakeCrew) -> None:
    crew.may_go_on.clear()
    asked = [asyncio.ensure_future(solver.ask(deal(number), number)) for number in (1, 2, 3)]
    asked.append(asyncio.ensure_future(solver.ask(deal(4), 4, urgent=True)))
    await turn()
    await solver.close()
    assert await asyncio.gather(*asked) == [Unknown()] * 4
    assert await solver.ask(deal(5), 5) == Unknown()


@needs_solver
async def test_following_it_wins_and_never_goes_round_in_circles() -> None:
    solver = Solver(Crew(usual_size()))
    for number, cells in ((1, 4), (7, 2), (9, 3), (33, 1)):
        position, before = deal(number, cells), 10**9
        while not position.is_won:
            verdict = await solver.ask(position, "board")
            assert isinstance(verdict, Winnable)
            assert verdict.move is not None
            assert verdict.left < before
            before = verdict.left
            position = carry(position, verdict.move)
    await solver.close()
