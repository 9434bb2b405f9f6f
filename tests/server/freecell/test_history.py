import gc

from hypothesis import given
from hypothesis import strategies as st

from server.freecell.deal import deal
from server.freecell.history import History, pack, unpack, unpack_reversed
from server.freecell.moves import Move, reverse
from server.freecell.piles import PILES
from tests.server.freecell.boards import move

DEPTH = 30_000

moves = st.lists(
    st.builds(Move, st.sampled_from(PILES), st.sampled_from(PILES), st.integers(1, 13)), max_size=60
)


def stack(depth: int, bottom: int = 1) -> History:
    """A stack far deeper than Python recurses."""
    top = History(bottom, 0, None)
    for score in range(1, depth):
        top = History(pack([move("1", "2", score % 13 + 1)]), score, top)
    return top


@given(moves)
def test_moves_are_unpacked_as_they_were_packed_forwards_and_back(made: list[Move]) -> None:
    packed = pack(made)
    assert unpack(packed) == tuple(made)
    assert unpack_reversed(packed) == tuple(reverse(step) for step in reversed(made))


def test_a_single_move_packs_into_a_small_integer() -> None:
    assert pack([]) == 1
    assert pack([move("hs", "8", 13)]) < 1 << 13


def test_equality_does_not_recurse() -> None:
    assert stack(DEPTH) == stack(DEPTH)
    assert stack(DEPTH) != stack(DEPTH, bottom=2)
    assert stack(DEPTH) != stack(DEPTH - 1)
    assert not stack(DEPTH) != stack(DEPTH)  # noqa: SIM202 - it is != that is tested


def test_stacks_of_other_depths_or_scores_differ() -> None:
    one = History(5, 1, None)
    assert one != History(5, 2, None)
    assert one != History(6, 1, None)
    assert one != History(5, 1, one)
    assert History(5, 1, one) != one
    assert History(5, 1, one) == History(5, 1, History(5, 1, None))


def test_a_stack_equals_no_tuple_and_no_other_thing() -> None:
    assert History(5, 1, None) != (5, 1, None)
    assert History(5, 1, None) != 5


def test_equal_stacks_hash_alike_without_recursion() -> None:
    assert hash(stack(DEPTH)) == hash(stack(DEPTH))
    assert len({History(5, 1, None), History(5, 1, None), History(deal(1), 1, None)}) == 2


def test_what_is_shown_of_a_stack_is_short() -> None:
    assert (
        repr(stack(DEPTH)) == f"<History: {pack([move('1', '2', (DEPTH - 1) % 13 + 1)])}, {DEPTH - 1}, ...>"
    )


def test_a_deep_stack_can_be_dropped() -> None:
    deep = [stack(DEPTH)]
    deep.clear()
    gc.collect()
