"""What a server and its searching processes say to each other: one JSON array a line."""

import json
from collections.abc import Iterable
from typing import Any, Final

from server.freecell.cards import Card
from server.freecell.movement import Move
from server.freecell.piles import Pile
from server.freecell.position import Position
from server.solver.memory import Step, steps_of
from server.solver.search import Line, NoLine, Result, Undecided

MAX_LINE: Final = 1 << 20
"""Bytes; a line of some hundred moves takes a tenth of it."""

READY: Final = ["ready"]
"""The first thing that a process says, unless it is `missing` and why."""

Found = tuple[Result, tuple[Step, ...]]
"""What a search came to, and its line as it is remembered."""


def write(message: object) -> bytes:
    """A message as bytes."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def read(line: bytes) -> Any:  # noqa: ANN401 - an array of what the other side wrote
    """A message from its bytes."""
    return json.loads(line)


def request(position: Position, states: int) -> bytes:
    """A request to search."""
    return write([states, *position])


def read_request(line: bytes) -> tuple[Position, int]:
    """The position and the states of a request."""
    states, cascades, cells, foundations = read(line)
    return Position(
        tuple(tuple(map(Card, cascade)) for cascade in cascades), tuple(cells), tuple(foundations)
    ), states


def reply(position: Position, result: Result) -> bytes:
    """What a search came to."""
    match result:
        case Line(moves):
            steps = [(step.key.hex(), step.move) for step in steps_of(position, moves)]
            return write(["line", moves, steps])
        case NoLine():
            return write(["lost"])
        case Undecided():
            return write(["undecided"])


def read_reply(line: bytes) -> Found:
    """The same, on the other side."""
    match read(line):
        case ["line", moves, steps]:
            return Line(tuple(map(_move, moves))), tuple(
                Step(bytes.fromhex(key), _move(one)) for key, one in steps
            )
        case ["lost"]:
            return NoLine(), ()
        case _:
            return Undecided(), ()


def _move(numbers: Iterable[int]) -> Move:
    source, dest, count = numbers
    return Move(Pile(source), Pile(dest), count)
