import pytest

from server.deals.table import CELLS, DEALS, FORM, TableError, pack, read


def test_what_is_packed_is_read_again() -> None:
    winnable = {3: range(1, DEALS + 1), 2: (1, 8, 9, DEALS), 1: ()}
    bits = read(pack(winnable))
    for cells in CELLS:
        number = int.from_bytes(bits[cells], "little")
        assert [deal for deal in range(1, DEALS + 1) if number >> deal - 1 & 1] == list(winnable[cells])


@pytest.mark.parametrize("wrong", [b"", FORM, FORM + b"\xff", pack(dict.fromkeys(CELLS, ())) + b"\0"])
def test_other_bytes_are_no_table(wrong: bytes) -> None:
    with pytest.raises(TableError):
        read(wrong)
