"""Boards for the tests: small ones by hand, whole ones at random, the solutions in ``tests/vectors``."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from server.freecell.cards import DECK, Card, fits, make_card, parse_card, rank, suit
from server.freecell.deal import MAX_DEAL, MIN_DEAL, deal
from server.freecell.moves import Move, carry, legal_moves
from server.freecell.piles import Pile, parse_pile
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS, customise

VECTORS: Final = Path(__file__).parents[2] / "vectors"
LAYOUTS: Final[dict[str, list[str]]] = json.loads((VECTORS / "layouts.json").read_text())
SOLUTIONS: Final[list[dict[str, Any]]] = json.loads((VECTORS / "solutions.json").read_text())

RACE: Final = RULESETS["race"]
WITH_RETURNS: Final = customise("race", returns=True)


def cards(text: str) -> tuple[Card, ...]:
    """The cards of ``"5H 4S"``."""
    return tuple(map(parse_card, text.split()))


def board(*cascades: str, cells: str = "- - - -", home: str = "") -> Position:
    """A board of a few cards, such as ``board("5H 4S", "6C", cells="KD - -", home="2C AD")``.

    The other cards are left out, and cascades not given are empty.
    """
    columns = [cards(text) for text in cascades] + [()] * (8 - len(cascades))
    held = tuple(None if word == "-" else parse_card(word) for word in cells.split())
    tops = {suit(top): rank(top) for top in cards(home)}
    return Position(tuple(columns), held, (tops.get(0, 0), tops.get(1, 0), tops.get(2, 0), tops.get(3, 0)))


def piles(*names: str) -> tuple[Pile, ...]:
    """The piles of ``"3", "a", "hs"``."""
    return tuple(map(parse_pile, names))


def move(source: str, dest: str, count: int = 1) -> Move:
    """A move between named piles."""
    return Move(parse_pile(source), parse_pile(dest), count)


def all_cards(position: Position) -> list[Card]:
    """Every card of a position, the buried ones on the foundations included."""
    lying = [card for cascade in position.cascades for card in cascade]
    held = [card for card in position.cells if card is not None]
    tops = enumerate(position.foundations)
    home = [make_card(height, index) for index, top in tops for height in range(1, top + 1)]
    return lying + held + home


def walk(start: Position, random: Random, steps: int, *, returns: bool) -> Iterator[tuple[Move, Position]]:
    """Random legal moves, each with the position after it; large moves and moves home rather often."""
    rules = WITH_RETURNS if returns else RACE
    position = start
    for _ in range(steps):
        moves = legal_moves(position, rules)
        if not moves:
            return
        made = max(random.choices(moves, k=2), key=lambda move: (move.count, move.dest))
        position = carry(position, made)
        yield made, position


def _scattered(random: Random, cells: int) -> Position:
    """52 cards anywhere: no play need lead here."""
    tops = [max(0, random.randint(-6, 13)) for _ in range(4)]
    lying = [card for card in DECK if rank(card) > tops[suit(card)]]
    random.shuffle(lying)
    held = tuple(lying.pop() if lying and random.random() < 0.5 else None for _ in range(cells))
    open_cascades = random.sample(range(8), random.randint(1, 8))
    columns: list[list[Card]] = [[] for _ in range(8)]
    while lying:
        column = columns[random.choice(open_cascades)]
        column.append(lying.pop())
        while random.random() < 0.7 and (following := [card for card in lying if fits(card, column[-1])]):
            lying.remove(following[0])
            column.append(following[0])
    return Position(tuple(map(tuple, columns)), held, (tops[0], tops[1], tops[2], tops[3]))


def _played(random: Random, cells: int) -> Position:
    """A deal after some moves."""
    position = deal(random.randint(MIN_DEAL, MAX_DEAL), cells)
    for _, after in walk(position, random, random.randint(0, 60), returns=random.random() < 0.3):
        position = after
    return position


def make_position(seed: int, cells: int) -> Position:
    """A whole board of 52 cards, scattered or played to."""
    random = Random(seed)
    return _scattered(random, cells) if random.random() < 0.5 else _played(random, cells)


positions: Final = st.builds(make_position, st.integers(0, 2**32), st.integers(0, 4))
