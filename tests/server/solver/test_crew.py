import asyncio
import sys
from collections.abc import AsyncIterator, Callable

import pytest

from server.freecell.deal import UNWINNABLE_WITH_4, deal
from server.freecell.movement import carry_all
from server.solver import crew as crew_module
from server.solver.crew import COMMAND, Crew
from server.solver.engine import SolverMissing
from server.solver.memory import steps_of
from server.solver.search import USUAL, Line, NoLine, Undecided
from tests.server.solver.needs import needs_solver

NOTHING = (Undecided(), ())

Make = Callable[..., Crew]


@pytest.fixture
async def make() -> AsyncIterator[Make]:
    made: list[Crew] = []

    def crew(size: int = 1, code: str = "") -> Crew:
        made.append(Crew(size, (sys.executable, "-c", code) if code else COMMAND))
        return made[-1]

    yield crew
    for one in made:
        await one.close()


def speaking(*lines: str) -> str:
    """A process that says `lines`, one for each request, and then ends."""
    return f"for line in {lines!r}: print(line, flush=True); input()"


@needs_solver
async def test_it_finds_lines_and_proofs(make: Make) -> None:
    crew = make()
    result, steps = await crew.search(deal(1), USUAL)
    assert isinstance(result, Line)
    assert carry_all(deal(1), result.moves).is_won
    assert steps == steps_of(deal(1), result.moves)
    assert await crew.search(deal(min(UNWINNABLE_WITH_4)), USUAL) == (NoLine(), ())
    assert await crew.search(deal(min(UNWINNABLE_WITH_4)), 1) == NOTHING


@needs_solver
async def test_its_processes_search_side_by_side(make: Make) -> None:
    crew = make(2)
    found = await asyncio.gather(crew.search(deal(1), USUAL), crew.search(deal(2), USUAL))
    assert all(isinstance(result, Line) for result, _ in found)
    assert len(crew._all) == 2


async def test_a_missing_solver_is_noticed_once(make: Make, tmp_path: object) -> None:
    crew = make(code=speaking('["missing","there is none"]'))
    assert await crew.search(deal(1), USUAL) == NOTHING
    assert crew.missing == "there is none"
    assert await crew.search(deal(1), USUAL) == NOTHING
    assert not crew._all


@pytest.mark.parametrize("why", ["it is not installed", ""])
async def test_whether_there_is_a_solver_is_found_out_without_a_search(
    make: Make, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check() -> None:
        if why:
            raise SolverMissing(why)

    monkeypatch.setattr(crew_module, "check_installed", check)
    crew = make()
    crew.find_out()
    assert crew.missing == why
    assert not crew._all


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(1)",
        "print('nonsense', flush=True); input()",
        speaking('["ready"]'),
        speaking('["ready"]', "nonsense"),
    ],
    ids=["does not start", "says what nobody understands", "ends while it searches", "answers nonsense"],
)
async def test_a_process_that_fails_has_found_nothing(make: Make, code: str) -> None:
    crew = make(code=code)
    assert await crew.search(deal(1), USUAL) == NOTHING
    assert await crew.search(deal(1), USUAL) == NOTHING
    assert not crew._all


@needs_solver
async def test_a_search_whose_process_is_killed_is_done_by_another(make: Make) -> None:
    crew = make()
    await crew.search(deal(1), USUAL)
    [idle] = crew._all
    idle.kill()
    await idle.wait()
    assert isinstance((await crew.search(deal(1), USUAL))[0], Line)


async def test_a_command_that_is_not_there_has_found_nothing() -> None:
    crew = Crew(1, ("/nowhere/python",))
    assert await crew.search(deal(1), USUAL) == NOTHING


async def test_a_search_that_does_not_end_is_ended(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew_module, "SEARCH_S", 0.05)
    crew = make(code="print('[\"ready\"]', flush=True)\nwhile True: input()")
    assert await crew.search(deal(1), USUAL) == NOTHING
    assert not crew._all


async def test_who_no_longer_waits_leaves_no_process_with_half_an_answer(make: Make) -> None:
    crew = make(code="print('[\"ready\"]', flush=True)\nwhile True: input()")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(crew.search(deal(1), USUAL), 0.2)
    assert not crew._all
