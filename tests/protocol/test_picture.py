"""Snapshots and updates make the picture; whatever does not join is a hole."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.events import Snapshot, Update
from protocol.picture import MAX_CHAT, Following, Hole, apply, carry, follow, start
from protocol.views import (
    Board,
    BoardMoved,
    BoardReset,
    CardMove,
    Change,
    ChatLine,
    ChatSaid,
    Dealt,
    Life,
    LifeChanged,
    Picture,
    Racer,
    RacerChanged,
    RacerLeft,
    Terms,
)

RACE = "KMNPQRST"
ANA, BEN, EVE = Racer("ana", "Ana"), Racer("ben", "Ben"), Racer("eve", "Eve")
LOBBY = Life("lobby", "ana", Terms(), ("Race rules, 4 free cells",), "c0ffee")
RUNNING = msgspec.structs.replace(LOBBY, phase="running", deal=1, nonce="00")

DEAL_1 = Board(
    (
        "JD 2D 9H JC 5D 7H 7C",
        "5H KD KC 9S 5S AD QC",
        "KH 3H 2S KS 9D QD JS",
        "AS AH TH 5C TS 4C QH",
        "8D 6S AC 6C 4H 8C",
        "7D TC 3C 8H 4D JH",
        "6D 4S TD 7S 9C 6H",
        "QS 2C 2H 8S 3S 3D",
    ),
    (None, None, None, None),
    (0, 0, 0, 0),
)
HALFWAY = Board(("KS QH", "JC", "", "", "", "", "", ""), ("2C", None, None), (1, 0, 2, 13), 40, 7, 39)


def page(number: int = 1, pages: int = 1, **parts: object) -> Snapshot:
    fields: dict[str, Any] = {
        "race": RACE,
        "feed": "watch",
        "view": "boards",
        "to": 7,
        "tag": "aa",
        "life": RUNNING,
    }
    fields.update(parts)
    return Snapshot(**fields, page=number, pages=pages)


def update(*changes: Change, from_: int = 7, to: int = 9, **parts: object) -> Update:
    fields: dict[str, Any] = {"race": RACE, "feed": "watch", "view": "boards", "tag": "bb"}
    fields.update(parts)
    return Update(**fields, from_=from_, to=to, changes=changes)


def line(seq: int, text: str = "hi") -> ChatLine:
    return ChatLine(seq, "ana", "Ana", text)


# Snapshots.


def test_a_snapshot_is_the_whole_picture() -> None:
    said = line(3)
    following = start(page(racers=(ANA, BEN), layout=DEAL_1, boards={"ana": HALFWAY}, chat=(said,)))
    picture = Picture(RUNNING, (ANA, BEN), DEAL_1, {"ana": HALFWAY}, (said,))
    assert following == Following(RACE, "watch", "boards", 7, "aa", picture)


def test_a_snapshot_takes_the_place_of_whatever_was_there() -> None:
    before = start(page(racers=(ANA,), chat=(line(1),)))
    after = start(page(to=3, tag="cc", view="racer", life=LOBBY, racers=(BEN,)), before)
    assert after == Following(RACE, "watch", "racer", 3, "cc", Picture(LOBBY, (BEN,)))


def test_later_pages_add_racers_boards_and_chat() -> None:
    first = start(page(1, 3, racers=(ANA,), layout=DEAL_1, boards={"ana": HALFWAY}, chat=(line(1),)))
    second = start(page(2, 3, racers=(BEN,), boards={"ben": DEAL_1}), first)
    third = start(page(3, 3, racers=(EVE,), chat=(line(2), line(3))), second)
    assert (first.pages_left, second.pages_left, third.pages_left) == (2, 1, 0)
    assert third.picture == Picture(
        RUNNING, (ANA, BEN, EVE), DEAL_1, {"ana": HALFWAY, "ben": DEAL_1}, (line(1), line(2), line(3))
    )


@given(
    racers=st.lists(st.just(ANA) | st.just(BEN), max_size=6),
    seqs=st.lists(st.integers(1, 99), max_size=6),
    pages=st.integers(1, 5),
    data=st.data(),
)
def test_it_does_not_matter_how_a_snapshot_is_cut_into_pages(
    racers: list[Racer], seqs: list[int], pages: int, data: st.DataObject
) -> None:
    whole = start(page(racers=tuple(racers), chat=tuple(map(line, seqs))))
    racer_cuts = sorted(data.draw(st.integers(0, len(racers))) for _ in range(pages - 1))
    chat_cuts = sorted(data.draw(st.integers(0, len(seqs))) for _ in range(pages - 1))
    following: Following | None = None
    for number, (a, b, c, d) in enumerate(
        zip([0, *racer_cuts], [*racer_cuts, None], [0, *chat_cuts], [*chat_cuts, None], strict=True), 1
    ):
        part = page(number, pages, racers=tuple(racers[a:b]), chat=tuple(map(line, seqs[c:d])))
        following = start(part, following)
    assert following == whole


def test_a_later_page_without_the_earlier_ones_is_a_hole() -> None:
    with pytest.raises(Hole, match="page 2"):
        start(page(2, 3))
    first = start(page(1, 3))
    with pytest.raises(Hole, match="page 3"):
        start(page(3, 3), first)
    with pytest.raises(Hole, match="page 2"):
        start(page(2, 3), start(page(2, 3), first))


@pytest.mark.parametrize(
    "other",
    [{"to": 8}, {"tag": "bb"}, {"race": "ABCDEFGH"}, {"feed": "seat"}, {"view": "progress"}],
)
def test_a_page_of_another_snapshot_is_a_hole(other: dict[str, Any]) -> None:
    with pytest.raises(Hole, match="page 2"):
        start(page(2, 2, **other), start(page(1, 2)))


def test_a_page_after_the_last_is_a_hole() -> None:
    with pytest.raises(Hole, match="page 2"):
        start(page(2, 2), start(page()))


# Updates.


def test_an_update_joins_where_the_picture_ends() -> None:
    after = follow(start(page()), update(RacerChanged(ANA), ChatSaid(line(9))))
    assert after == Following(RACE, "watch", "boards", 9, "bb", Picture(RUNNING, (ANA,), chat=(line(9),)))


def test_an_update_may_change_nothing_but_how_far_the_picture_goes() -> None:
    before = start(page())
    assert follow(before, update()) == replace(before, to=9, tag="bb")


@pytest.mark.parametrize(
    "other",
    [{"from_": 6}, {"from_": 8}, {"race": "ABCDEFGH"}, {"feed": "seat"}, {"view": "racer"}],
)
def test_an_update_that_does_not_join_is_a_hole(other: dict[str, Any]) -> None:
    with pytest.raises(Hole, match="update from"):
        follow(start(page()), update(**other))


def test_an_update_between_two_pages_is_a_hole() -> None:
    with pytest.raises(Hole, match="update from 7"):
        follow(start(page(1, 2)), update())


def test_the_picture_before_is_left_as_it_was() -> None:
    before = start(page(racers=(ANA,), boards={"ana": HALFWAY}))
    kept = msgspec.to_builtins(before.picture)
    follow(before, update(RacerLeft("ana"), BoardMoved("ana", 41, (("a", "hc", 1),)), LifeChanged(LOBBY)))
    assert msgspec.to_builtins(before.picture) == kept


# Each change.


def test_life_is_replaced_whole() -> None:
    assert apply(Picture(LOBBY, (ANA,)), LifeChanged(RUNNING)) == Picture(RUNNING, (ANA,))


def test_a_racer_is_replaced_in_place_and_a_new_one_comes_last() -> None:
    ready = msgspec.structs.replace(BEN, ready=True)
    picture = apply(Picture(LOBBY, (ANA, BEN, EVE)), RacerChanged(ready))
    assert picture.racers == (ANA, ready, EVE)
    assert apply(Picture(LOBBY, (ANA,)), RacerChanged(BEN)).racers == (ANA, BEN)


def test_a_racer_who_leaves_is_taken_out() -> None:
    assert apply(Picture(LOBBY, (ANA, BEN, EVE)), RacerLeft("ben")).racers == (ANA, EVE)
    assert apply(Picture(LOBBY, (ANA,)), RacerLeft("nobody")).racers == (ANA,)


def test_dealt_shows_the_layout_and_where_allowed_every_board() -> None:
    before = Picture(RUNNING, (ANA, BEN))
    hidden, shown = apply(before, Dealt(DEAL_1)), apply(before, Dealt(DEAL_1, shown=True))
    assert (hidden.layout, hidden.boards) == (DEAL_1, {})
    assert (shown.layout, shown.boards) == (DEAL_1, {"ana": DEAL_1, "ben": DEAL_1})


def test_moved_carries_cards_on_one_board_only() -> None:
    picture = Picture(RUNNING, (ANA, BEN), DEAL_1, {"ana": DEAL_1, "ben": HALFWAY})
    after = apply(picture, BoardMoved("ana", 1, (("5", "a", 1),), score=5, actions=1)).boards
    assert after["ana"].cascades[4] == "8D 6S AC 6C 4H"
    assert after["ana"].cells == ("8C", None, None, None)
    assert (after["ana"].n, after["ana"].score, after["ana"].actions) == (1, 5, 1)
    assert after["ben"] == HALFWAY


def test_board_replaces_a_board_or_adds_it() -> None:
    picture = Picture(RUNNING, (ANA, BEN), boards={"ana": DEAL_1})
    assert apply(picture, BoardReset("ana", HALFWAY)).boards == {"ana": HALFWAY}
    assert apply(picture, BoardReset("ben", HALFWAY)).boards == {"ana": DEAL_1, "ben": HALFWAY}


def test_chat_keeps_the_latest_lines() -> None:
    picture = Picture(LOBBY, chat=tuple(line(seq) for seq in range(MAX_CHAT)))
    after = apply(picture, ChatSaid(line(MAX_CHAT))).chat
    assert (len(after), after[0].seq, after[-1].seq) == (MAX_CHAT, 1, MAX_CHAT)


def test_a_move_on_a_board_never_shown_is_a_hole() -> None:
    with pytest.raises(Hole, match="board of ana"):
        follow(start(page(racers=(ANA,))), update(BoardMoved("ana", 1, (("5", "a", 1),))))


# Carrying cards.


@pytest.mark.parametrize(
    ("move", "cascades", "cells", "home"),
    [
        (("1", "3", 2), ("", "JC", "KS QH"), ("2C", None, None), (1, 0, 2, 13)),
        (("2", "1", 1), ("KS QH JC", "", ""), ("2C", None, None), (1, 0, 2, 13)),
        (("1", "b", 1), ("KS", "JC", ""), ("2C", "QH", None), (1, 0, 2, 13)),
        (("a", "c", 1), ("KS QH", "JC", ""), (None, None, "2C"), (1, 0, 2, 13)),
        (("a", "3", 1), ("KS QH", "JC", "2C"), (None, None, None), (1, 0, 2, 13)),
        (("a", "hc", 1), ("KS QH", "JC", ""), (None, None, None), (2, 0, 2, 13)),
        (("hh", "2", 1), ("KS QH", "JC 2H", ""), ("2C", None, None), (1, 0, 1, 13)),
        (("hc", "b", 1), ("KS QH", "JC", ""), ("2C", "AC", None), (0, 0, 2, 13)),
        (("hs", "3", 1), ("KS QH", "JC", "KS"), ("2C", None, None), (1, 0, 2, 12)),
    ],
)
def test_cards_go_from_every_kind_of_pile_to_every_kind(
    move: CardMove, cascades: tuple[str, ...], cells: tuple[str | None, ...], home: tuple[int, int, int, int]
) -> None:
    expected = Board((*cascades, "", "", "", "", ""), cells, home, 41, 8, 40)
    assert carry(HALFWAY, (move,), n=41, score=8, actions=40) == expected


def test_moves_are_carried_out_in_their_order() -> None:
    moves: tuple[CardMove, ...] = (("1", "b", 1), ("1", "c", 1), ("b", "1", 1), ("a", "hc", 1))
    after = carry(HALFWAY, moves, n=41, score=0, actions=40)
    assert after.cascades[:2] == ("QH", "JC")
    assert (after.cells, after.home) == ((None, None, "KS"), (2, 0, 2, 13))


def test_no_moves_change_only_the_figures() -> None:
    assert carry(HALFWAY, (), n=41, score=8, actions=40) == msgspec.structs.replace(
        HALFWAY, n=41, score=8, actions=40
    )


@pytest.mark.parametrize(
    "move",
    [
        *[
            ("3", "1", 1),
            ("1", "3", 3),
            ("1", "3", 0),
            ("1", "3", -1),
            ("0", "1", 1),
            ("9", "1", 1),
            ("12", "3", 1),
        ],
        *[
            ("b", "1", 1),
            ("a", "1", 2),
            ("d", "1", 1),
            ("2", "a", 1),
            ("1", "b", 2),
            ("2", "d", 1),
            ("ab", "1", 1),
        ],
        *[
            ("hd", "1", 1),
            ("hh", "1", 2),
            ("h", "1", 1),
            ("hx", "1", 1),
            ("1", "h", 1),
            ("", "1", 1),
            ("1", "", 1),
        ],
    ],
)
def test_cards_that_are_not_where_a_move_says_are_a_hole(move: CardMove) -> None:
    with pytest.raises(Hole, match="to carry from"):
        carry(HALFWAY, (move,), n=41, score=8, actions=40)


def cards(board: Board) -> list[str]:
    home = [
        rank + suit for suit, top in zip("CDHS", board.home, strict=True) for rank in "A23456789TJQK"[:top]
    ]
    return sorted([*" ".join(board.cascades).split(), *filter(None, board.cells), *home])


PILES = (*"12345678", *"abcd", "hc", "hd", "hh", "hs")


@given(
    st.lists(
        st.tuples(st.sampled_from(PILES[:12]), st.sampled_from(PILES[:12]), st.integers(1, 3)), max_size=60
    )
)
def test_no_card_is_lost_or_doubled_and_every_movement_can_be_reversed(moves: list[CardMove]) -> None:
    board, back = DEAL_1, []
    for source, dest, count in moves:
        try:
            board = carry(board, ((source, dest, count),), n=0, score=0, actions=0)
        except Hole:
            continue
        back.append((dest, source, count))
    assert cards(board) == cards(DEAL_1)
    assert carry(board, tuple(reversed(back)), n=0, score=0, actions=0) == DEAL_1


def test_no_foundation_is_built_beyond_its_king() -> None:
    with pytest.raises(Hole, match="no 1 cards"):
        carry(HALFWAY, (("1", "hs", 1),), n=1, score=0, actions=0)
