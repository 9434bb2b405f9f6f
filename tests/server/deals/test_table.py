import pytest

from server.deals.table import CELLS, DEALS, FORM, TableError, pack, read

NONE: dict[int, tuple[int, ...]] = dict.fromkeys(CELLS, ())


def deals_of(bits: bytes) -> list[int]:
    number = int.from_bytes(bits, "little")
    return [deal for deal in range(1, DEALS + 1) if number >> deal - 1 & 1]


def test_what_is_packed_is_read_again() -> None:
    winnable = {3: range(1, DEALS + 1), 2: (1, 8, 9, DEALS), 1: ()}
    lost = {3: (), 2: (2, 16, DEALS - 1), 1: (17,)}
    table = read(pack(winnable, lost))
    for cells in CELLS:
        assert deals_of(table[cells].winnable) == list(winnable[cells])
        assert deals_of(table[cells].lost) == list(lost[cells])


@pytest.mark.parametrize("wrong", [b"", FORM, FORM + b"\xff", pack(NONE, NONE) + b"\0"])
def test_other_bytes_are_no_table(wrong: bytes) -> None:
    with pytest.raises(TableError):
        read(wrong)
