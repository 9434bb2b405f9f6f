import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.freecell.code import CodeError, deal_code, parse_code
from server.freecell.deal import MAX_DEAL, DealError


@pytest.mark.parametrize(
    ("number", "cells", "code"),
    [
        (327, 4, "FC1-C4-AAAAAKH"),
        (1, 1, "FC1-C1-AAAAAAB"),
        (MAX_DEAL, 2, "FC1-C2-H777777"),
        (31, 3, "FC1-C3-AAAAAA7"),
    ],
)
def test_a_code_is_written_and_read(number: int, cells: int, code: str) -> None:
    assert deal_code(number, cells) == code
    assert parse_code(code) == (number, cells)


@given(st.integers(1, MAX_DEAL), st.integers(1, 4))
def test_every_code_is_read_back(number: int, cells: int) -> None:
    assert parse_code(deal_code(number, cells)) == (number, cells)


@pytest.mark.parametrize("text", ["fc1-c4-aaaaakh", "  FC1-C4-AAAAAKH\n", "Fc1-c4-aaaaAKH"])
def test_solitairecity_lower_case_and_spaces_around_are_read(text: str) -> None:
    assert parse_code(text) == (327, 4)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "begins with FC1-, not ''"),
        ("FC2-C4-AAAAAKH", "begins with FC1-, not 'FC2'"),
        ("AAAAAKH", "begins with FC1-"),
        ("FC1-C5-AAAAAKH", "C1, C2, C3 or C4, not 'C5'"),
        ("FC1-C0-AAAAAKH", "not 'C0'"),
        ("FC1-D4-AAAAAKH", "not 'D4'"),
        ("FC1-C44-AAAAAKH", "not 'C44'"),
        ("FC1", "C1, C2, C3 or C4, not ''"),
        ("FC1-C4-AAAAAK0", r"0 1 8 9 are never used\), not 0"),
        ("FC1-C4-A1AA8K9", "not 1 8 9"),
        ("FC1-C4-!#$%&*+,:", "not ! # [$] % & [*] [+] ,$"),
        ("FC1-C4-AAA AKH", "has only A-Z and 2-7"),
        ("FC1-C4-AAAAAKH-", "has only A-Z and 2-7"),
        ("FC1-C4-AAAA\x1bKH", r"not \\x1b"),
        ("FC1-C4-AAAAKH", "has 7 characters, not 6"),
        ("FC1-C4-AAAAAAKH", "has 7 characters, not 8"),
        ("FC1-C4", "has 7 characters, not 0"),
        ("FC1-C4-AAAAAAA", "deal 0; deals go from 1 to 8589934591"),
        ("FC1-C4-IAAAAAA", "deal 8589934592; deals go from 1"),
        ("FC1-C4-AAAAAK\u0131", "only letters A-Z"),
    ],
)
def test_solitairecity_a_wrong_code_is_refused_saying_what_is_wrong(text: str, wrong: str) -> None:
    with pytest.raises(CodeError, match=wrong):
        parse_code(text)


@pytest.mark.parametrize("text", ["FC1-C4-OOOOOOO", "FC1-C4-0000000"])
def test_solitairecity_the_letter_o_and_zero_are_not_the_same(text: str) -> None:
    with pytest.raises(CodeError):
        parse_code(text)


@pytest.mark.parametrize("cells", [0, 5])
def test_there_is_no_code_for_other_numbers_of_cells(cells: int) -> None:
    with pytest.raises(CodeError, match="1 to 4 free cells"):
        deal_code(1, cells)


def test_there_is_no_code_for_what_is_no_deal() -> None:
    with pytest.raises(DealError):
        deal_code(0, 4)
