import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.freecell.moves import Illegal, check, legal_moves
from server.freecell.notation import Dialect, read_move, read_pile, split_moves, write_move
from server.freecell.position import Position
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions


def code(text: str, position: Position, dialect: Dialect = Dialect.STANDARD) -> str | None:
    """The code of the refusal of a written move, whether it cannot be read or is not legal."""
    made = read_move(text, position, WITH_RETURNS, dialect)
    refused = made if isinstance(made, Illegal) else check(position, made, WITH_RETURNS)
    return refused.code if refused else None


def test_a_pile_is_read_or_refused() -> None:
    assert [read_pile(text) for text in ("3", "B", "hs")] == [2, 9, 15]
    for text in ("", "9", "e", "h", "3a", "\N{WHITE HEART SUIT}"):
        refused = read_pile(text)
        assert isinstance(refused, Illegal)
        assert refused.code == "bad_notation"
        assert refused.detail.startswith(f"{text!a} is not a pile: cascades are 1-8,")


@given(positions)
def test_every_legal_move_is_written_and_read_back(position: Position) -> None:
    for made in legal_moves(position, WITH_RETURNS):
        text = write_move(made, position)
        for dialect in Dialect:
            assert read_move(text, position, WITH_RETURNS, dialect) == made
            assert read_move(text.upper(), position, WITH_RETURNS, dialect) == made


@given(positions, st.text("12345678abcdhsvABCDHV0 9x", max_size=6) | st.text(max_size=4))
def test_any_text_is_a_move_or_a_refusal(position: Position, text: str) -> None:
    made = read_move(text, position, RACE)
    if isinstance(made, Illegal):
        assert made.detail.isprintable()
    else:
        check(position, made, RACE)


def test_moves_are_separated_by_any_white_space() -> None:
    assert split_moves(" 3a  a5\n26\t7h\r\n13v2 ") == ["3a", "a5", "26", "7h", "13v2"]
    assert split_moves(" \n") == []


def test_each_kind_of_move_is_read() -> None:
    position = board("9S 8D 7S", "9C", "3S", "", cells="8H - - -", home="2S")
    found = {
        text: read_move(text, position, WITH_RETURNS)
        for text in ("1a", "a2", "12", "3h", "ah", "14v2", "hs4", "ab")
    }
    assert found == {
        "1a": move("1", "a"),
        "a2": move("a", "2"),
        "12": move("1", "2", 2),
        "3h": move("3", "hs"),
        "ah": move("a", "hh"),
        "14v2": move("1", "4", 2),
        "hs4": move("hs", "4"),
        "ab": move("a", "b"),
    }


def test_fc_solve_onto_an_empty_cascade_the_count_is_as_written_or_the_largest_allowed() -> None:
    position = board("JD TS 9D 8S 7D 6S 5D", *["KC"] * 6, cells="- - - -")
    assert read_move("18v2", position, RACE) == move("1", "8", 2)
    assert read_move("18", position, RACE) == move("1", "8", 5)
    assert read_move("18", position, RACE, Dialect.EXTENDED) == move("1", "8", 1)
    assert read_move("18v2", position, RACE, Dialect.EXTENDED) == move("1", "8", 2)


def test_the_largest_allowed_is_no_more_than_the_run() -> None:
    assert read_move("18", board("KD TS 9D"), RACE) == move("1", "8", 2)


def test_onto_an_occupied_cascade_both_dialects_take_what_lands() -> None:
    position = board("JD TS 9D 8S", "TC")
    for dialect in Dialect:
        assert read_move("12", position, RACE, dialect) == move("1", "2", 2)


@pytest.mark.parametrize(
    "text",
    [
        "", "1", "h", "h4", "hh", "hx4", "hs", "hs44", "hsh", "hs9", "9a", "0a", "1e", "e1", "1v", "1ah",
        "12x2", "12v", "12v0", "12v02", "12v10", "12ve", "12vf", "12vg", "12v2 ", " 12", "3h1", "1hv1",
        "\u00e91", "1\u0661", "12v\u0662",
    ],
)  # fmt: skip
def test_what_is_no_notation(text: str) -> None:
    refused = read_move(text, board("5H 4S", "KC", home="2S"), WITH_RETURNS)
    assert isinstance(refused, Illegal)
    assert refused.code == "bad_notation"
    assert refused.detail.startswith(f"{text!a} is not a move")


def test_long_and_strange_text_is_shown_cut_and_escaped() -> None:
    refused = read_move("\x1b[31m" + "9" * 10_000, board("5H"), RACE)
    assert isinstance(refused, Illegal)
    assert refused.detail.startswith(r"'\x1b[31m9999999...' is not a move")


@pytest.mark.parametrize("text", ["1av1", "a2v1", "abv1"])
def test_a_count_goes_with_cascades_only(text: str) -> None:
    assert code(text, board("5H", "6S", cells="5D -")) == "bad_notation"


def test_a_count_onto_an_occupied_cascade_must_be_the_needed_one() -> None:
    position = board("9S 8D 7S", "9C")
    assert read_move("12v2", position, RACE) == move("1", "2", 2)
    assert read_move("12v3", position, RACE) == Illegal(
        "bad_count", "landing on 9C takes 2 from cascade 1, not 3"
    )


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("12", "wrong_order"),  # 9S would have to come along, and is no part of the run
        ("13", "wrong_order"),  # a red card on a red one
        ("12v2", "wrong_order"),
        ("14", "wrong_order"),  # the last card is too high
        ("81", "empty_source"),
        ("87", "empty_source"),
        ("81v1", "empty_source"),
        ("87v2", "empty_source"),
        ("8h", "empty_source"),
        ("bh", "empty_source"),
        ("b1", "empty_source"),
        ("ch", "no_such_cell"),
        ("c1", "no_such_cell"),
        ("1c", "no_such_cell"),
        ("11", "same_pile"),
        ("11v1", "same_pile"),
        ("aa", "same_pile"),
        ("1h", "not_next"),
        ("15v2", "not_a_run"),
        ("hd5", "empty_source"),
        ("hs1", "wrong_order"),
    ],
)
def test_what_is_read_but_cannot_be_done(text: str, refused: str) -> None:
    assert code(text, board("9S 7D", "TD", "8H", "6C", cells="KC -", home="2S")) == refused


def test_kpat_396882_without_returns_a_withdrawal_is_refused_before_anything_else() -> None:
    for text in ("hs1", "hsa", "hd5"):
        refused = read_move(text, board("3H", home="2S"), RACE)
        assert isinstance(refused, Illegal)
        assert refused.code == "no_returns"


def test_what_is_written_always_carries_the_count_onto_an_empty_cascade() -> None:
    position = board("QS JD TS 9D 8S 7D 6S 5D 4S 3D", "KD", cells="2C")
    written = [write_move(move("1", "3", count), position) for count in (1, 9, 10)]
    assert written == ["13v1", "13v9", "13va"]
    assert write_move(move("a", "3"), position) == "a3"
    assert write_move(move("1", "2", 10), position) == "12"
    assert write_move(move("1", "hd"), position) == "1h"
    assert write_move(move("hs", "3"), position) == "hs3"
