"""The race: all three ways to move, and everything else one does at a board."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import MouseMove

from client_cli.screens import card_table
from client_cli.screens.after import AfterScreen
from client_cli.screens.board_columns import board_lines, joined
from client_cli.screens.board_view import Spot, View
from client_cli.screens.card_table import CardTable
from client_cli.screens.dialogs import Question, Reading
from client_cli.screens.race import RaceScreen, waiting_piles
from protocol import commands
from protocol.commands import Move, Send, Settings
from protocol.views import Board
from tests.client_cli.samples import racing
from tests.client_cli.screens.house import DEAL_1, Person, hosting, person, place_of, races_with
from tests.server.gateway.house import House
from tests.solutions import moves_of

RUN = 12
"""The first move of the solution that carries several cards."""


@asynccontextmanager
async def at_a_board(
    tmp_path: Path,
    server: House,
    *options: str,
    settings: Settings = DEAL_1,
    size: tuple[int, int] = (120, 40),
) -> AsyncIterator[Person]:
    """Ann, alone in a race that has begun."""
    seating = hosting(server.url, settings, starts=True)
    async with person(tmp_path, "ann", *options, seating=seating, size=size) as ann:
        await ann.reaches(RaceScreen)
        await ann.settled()
        yield ann


@pytest.fixture
async def ann(tmp_path: Path, server: House) -> AsyncIterator[Person]:
    async with at_a_board(tmp_path, server) as somebody:
        yield somebody


class TestMoving:
    async def test_by_two_keys(self, ann: Person) -> None:
        await ann.press("5", "a")
        await ann.settled()
        assert ann.board.cells[0] == "6C"
        assert "1 action" in ann.text

    async def test_by_two_clicks(self, ann: Person) -> None:
        await ann.click(Spot("5"))
        await ann.reads("▸ 6♣")
        await ann.click(Spot("b", 0))
        await ann.settled()
        assert ann.board.cells[1] == "6C"

    async def test_by_drawing_a_card(self, ann: Person) -> None:
        await ann.drag(Spot("5"), Spot("c", 0))
        await ann.settled()
        assert ann.board.cells[2] == "6C"
        assert "▸" not in ann.text

    async def test_what_is_being_drawn_is_seen_and_may_be_let_go_anywhere(self, ann: Person) -> None:
        pilot, start = ann.pilot, place_of(ann.table, Spot("5"))
        over = place_of(ann.table, Spot("4"))
        assert await pilot.mouse_down(CardTable, offset=start)
        await pilot._post_mouse_events([MouseMove], CardTable, offset=over, button=1)
        await ann.reads("▸ 6♣")
        await ann.reads("c+1")
        await pilot._post_mouse_events([MouseMove], "#panel", offset=(3, 3), button=1)
        assert await pilot.mouse_up("#panel", offset=(3, 3))
        await ann.until(lambda: "▸" not in ann.text)
        await ann.settled()
        assert ann.board.actions == 0
        await ann.click(Spot("5"))
        await ann.reads("▸ 6♣")

    async def test_one_card_more_by_a_key(self, ann: Person) -> None:
        await ann.press("5", "plus", "plus")
        await ann.reads("▸ 4♥")
        await ann.press("minus")
        await ann.until(lambda: "▸ 4♥" not in ann.text)
        assert "▸ 8♥" in ann.text

    async def test_by_a_double_click(self, ann: Person) -> None:
        await ann.click(Spot("5"), twice=True)
        await ann.settled()
        assert ann.board.actions == 1
        assert "6C" in ann.board.cells

    async def test_by_arrows_and_enter(self, ann: Person) -> None:
        await ann.press("down", "right", "right", "right", "right")
        await ann.reads("[ 6♣")
        await ann.press("enter", "up", "up", "up", "up", "up", "up", "left")
        await ann.press("enter")
        await ann.settled()
        assert ann.board.cells[3] == "6C"

    async def test_several_keys_at_once_lose_nothing(self, ann: Person) -> None:
        await ann.press(*"5a5b5c5d5h")
        await ann.settled()
        assert ann.board.cells == ("6C", "8H", "4H", "JS")
        assert ann.board.home == (0, 1, 0, 0)

    async def test_cards_that_go_together_are_shown_going_one_by_one(
        self, ann: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await ann.plays(moves_of()[:RUN])
        before = ann.board
        drawn: list[Board] = []
        draw = ann.table._draw

        def record(view: View) -> None:
            drawn.append(view.board)
            draw(view)

        monkeypatch.setattr(ann.table, "_draw", record)
        await ann.plays([moves_of()[RUN]])
        await ann.until(lambda: drawn[-1] == ann.board)
        boards = [before, *(board for board, _ in groupby(drawn))]
        cards = [Counter(" ".join(board.cascades).split()) for board in boards]
        assert len(boards) == 6
        # A card at a time, to a cell and from there.
        assert all(sum(((one - other) + (other - one)).values()) <= 1 for one, other in pairwise(cards))

    async def test_nobody_waits_for_an_animation(self, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(card_table, "FRAME_S", 3600)
        for key in ("1", "down"):
            await ann.plays(moves_of()[:RUN])
            await ann.plays([moves_of()[RUN]])
            assert ann.table.rest
            await ann.press(key)
            assert not ann.table.rest
            assert [joined(ann.table._columns, y) for y in range(ann.table._shape.height)] == board_lines(
                ann.table.view or View(ann.board), ann.table._shape, ann.app.look
            )
            await ann.press("escape", "R")
            await ann.settled()
        await ann.plays(moves_of()[: RUN + 1])
        assert ann.table.rest
        await ann.click(Spot("3"))
        assert not ann.table.rest
        assert ann.table.view is not None
        assert ann.table.view.picked == Spot("3")

    async def test_without_animation_they_go_at_once(
        self, ann: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ann.app.change_look("animated", False)
        await ann.plays(moves_of()[: RUN + 1])
        assert not ann.table._frames
        assert ann.table.shown == ann.board

    async def test_a_number_of_cards_to_an_empty_column(self, ann: Person) -> None:
        moves = moves_of()
        place = next(place for place, move in enumerate(moves) if "v" in move)
        source, dest, _, number = list(moves[place])
        await ann.plays(moves[:place])
        await ann.press(source, "v", number, dest)
        await ann.settled()
        assert ann.board.actions == place + 1

    async def test_a_number_of_cards_after_both_piles_is_explained(self, ann: Person) -> None:
        await ann.press("v")
        await ann.reads("v comes after the first key")

    async def test_sending_with_empty_hands_is_explained(self, ann: Person) -> None:
        await ann.press("s")
        await ann.reads("s comes after the first key")
        assert ann.board.actions == 0

    async def test_sending_the_picked_card(self, ann: Person) -> None:
        await ann.press("5", "s")
        await ann.settled()
        assert ann.board.actions == 1

    async def test_putting_back(self, ann: Person) -> None:
        await ann.press("5")
        await ann.reads("▸ 6♣")
        await ann.press("escape")
        await ann.pilot.pause()
        assert "▸" not in ann.text
        assert ann.board.actions == 0


class TestWhatTheServerSays:
    async def test_where_a_picked_card_may_go(self, ann: Person) -> None:
        await ann.press("5")
        await ann.reads("a+1")
        assert "d+1" in ann.text
        await ann.press("escape")
        await ann.until(lambda: "a+1" not in ann.text)

    async def test_why_a_move_is_refused(self, ann: Person) -> None:
        await ann.press("5", "h")
        await ann.reads("5h: 6♣ cannot go home yet: the foundation of clubs waits for A♣")
        assert ann.board.actions == 0

    async def test_a_long_answer_is_shown_whole_and_moves_nothing(self, ann: Person) -> None:
        await ann.pilot.resize_terminal(80, 24)
        await ann.reads("Ctrl+Q quit")
        before = ann.table.region
        ann.app.complain("a long answer " * 15 + "and its end")
        await ann.reads("and its end")
        assert ann.table.region == before
        ann.app.complain("short")
        await ann.reads("short")
        await ann.until(lambda: "long answer" not in ann.text)

    async def test_a_hint_that_the_race_does_not_allow(self, ann: Person) -> None:
        assert "i hint" not in ann.text
        await ann.press("i")
        await ann.reads("hints")

    async def test_a_hint(self, tmp_path: Path, server: House) -> None:
        async with at_a_board(tmp_path, server, settings=replace(DEAL_1, hints=True)) as ann:
            assert "i hint" in ann.text.splitlines()[-1]
            await ann.press("i")
            await ann.reads("hint: ")
            await ann.until(lambda: "!" in ann.text)

    async def test_undo_redo_and_restart(self, ann: Person) -> None:
        await ann.press("5", "a", "u")
        await ann.settled()
        assert ann.board.cells.count(None) == 4
        await ann.press("r")
        await ann.settled()
        assert "6C" in ann.board.cells
        await ann.press("ctrl+z")
        await ann.settled()
        await ann.press("5", "b", "R")
        await ann.settled()
        assert ann.board.cells == (None,) * 4
        assert ann.board.actions == 3

    async def test_nothing_to_undo(self, ann: Person) -> None:
        await ann.press("u")
        await ann.reads("undo: ")

    async def test_what_is_not_answered_is_marked(self) -> None:
        session = racing()
        move, sent = Move("", 4, 0, "5a"), Send("", 5, 0, "3")
        speech = type(session.speech)(
            unanswered=(move,), line=(sent, Move("", 0, 0, "hs4"), Move("", 0, 0, "7h"))
        )
        assert waiting_piles(type(session)(session.entrance, speech=speech)) == {
            "5",
            "a",
            "3",
            "hs",
            "4",
            "7",
        }


class TestTheEnd:
    async def test_auto_finish_when_offered(
        self, tmp_path: Path, server: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with at_a_board(tmp_path, server) as ann:
            await ann.plays(moves_of()[:-30])
            for move in moves_of()[-30:]:
                if ann.session.options.finish:
                    break
                await ann.plays([move])
            await ann.reads("press f")
            monkeypatch.setattr(card_table, "FRAME_S", 3600)
            await ann.press("f")
            await ann.reaches(AfterScreen)
            assert ann.table.rest
            await ann.reads("won in 0:00.000")
            assert "52/52" in ann.text

    async def test_resigning_asks_first(self, ann: Person) -> None:
        await ann.press("x")
        await ann.until(lambda: isinstance(ann.app.screen, Question))
        await ann.press("n")
        await ann.reaches(RaceScreen)
        assert ann.session.is_racing
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.reads("resigned")

    @pytest.mark.parametrize("key", ["s", "y"])
    async def test_a_question_is_answered_in_the_language_of_the_rest(
        self, tmp_path: Path, server: House, key: str
    ) -> None:
        seating = hosting(server.url, starts=True)
        async with person(tmp_path, "ann", "--lang", "pt", seating=seating) as ann:
            await ann.reaches(RaceScreen)
            await ann.settled()
            await ann.press("x")
            await ann.reads("desistir (s)")
            assert "não (n)" in ann.text
            await ann.press("n")
            await ann.reaches(RaceScreen)
            assert ann.session.is_racing
            await ann.press("x", key)
            await ann.reaches(AfterScreen)

    async def test_in_english_s_is_no_answer(self, ann: Person) -> None:
        await ann.press("x", "s")
        await ann.pilot.pause()
        assert isinstance(ann.app.screen, Question)
        await ann.reads("resign (y)")

    async def test_what_can_be_done_is_offered_and_nothing_else(self, tmp_path: Path, server: House) -> None:
        bob = await server.guest("bob")
        async with person(tmp_path, "ann", seating=hosting(server.url), size=(80, 24)) as ann:
            await races_with(bob, ann)
            await ann.reads("? help  3 a move  s send  t talk  x resign  Ctrl+Q quit")
            await ann.press("5", "a")
            await ann.reads("u undo")
            assert "r redo" not in ann.text
            await ann.press("u")
            await ann.reads("r redo")
            await ann.press("x", "y")
            await ann.reads("? help  t talk  w watch  q home  Ctrl+Q quit")

    async def test_keys_of_the_lobby_that_come_late_do_nothing(self, ann: Person) -> None:
        await ann.press("s")
        await ann.reads("s comes after the first key")
        await ann.press("c")
        await ann.press("q")
        await ann.reads("you are racing: x stops racing")
        await ann.settled()
        assert isinstance(ann.app.screen, RaceScreen)
        assert ann.table.view is not None
        assert ann.table.view.picked is None
        assert ann.session.is_racing

    async def test_the_bar_takes_a_second_row_where_it_needs_one(self, tmp_path: Path, server: House) -> None:
        settings = replace(DEAL_1, hints=True)
        seating = hosting(server.url, settings, starts=True)
        async with person(tmp_path, "ann", "--lang", "pt", seating=seating, size=(80, 24)) as ann:
            await ann.reaches(RaceScreen)
            await ann.settled()
            assert ann.text.splitlines()[-1].endswith("Ctrl+Q sair")
            await ann.press("5", "a", "5", "b", "u")
            await ann.reads("r refazer")
            first, second = ann.text.splitlines()[-2:]
            assert first.startswith(" ? ajuda")
            assert second.endswith("Ctrl+Q sair")
            ann.app.complain("dito acima")
            await ann.reads("dito acima")
            assert "dito acima" in ann.text.splitlines()[-3]

    async def test_after_resigning_keys_move_nothing(self, tmp_path: Path, server: House) -> None:
        bob = await server.guest("bob")
        async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
            await races_with(bob, ann)
            await ann.press("x", "y")
            await ann.until(lambda: not ann.session.is_racing)
            await ann.press("5", "a", "u")
            await ann.pilot.pause()
            assert ann.board.actions == 0

    async def test_leaving_the_program_asks_first(self, ann: Person) -> None:
        await ann.press("ctrl+q")
        await ann.until(lambda: isinstance(ann.app.screen, Question))
        await ann.press("enter")
        await ann.reaches(RaceScreen)
        await ann.press("ctrl+q", "y")
        await ann.until(lambda: not ann.app.is_running)


class TestOthers:
    async def test_how_far_they_are_and_what_they_say(self, tmp_path: Path, server: House) -> None:
        bob = await server.guest("bob")
        async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
            race = await races_with(bob, ann)
            for move in ("5a", "5b", "5c", "5d", "5h"):
                await bob.did(commands.Move, race, move=move)
            await ann.reads(" 1/52     5 actions")
            await ann.reads("0/52 -1  0 actions")
            await bob.did(commands.Say, race, text="hello ann")
            await ann.reads("bob: hello ann")
            await ann.press("t", *"hello", "enter")
            await ann.reads("ann: hello")
            await bob.drop()
            await ann.reads("bob is away")
            assert ann.board.actions == 0

    async def test_esc_writes_nothing(self, ann: Person) -> None:
        await ann.press("t", "h", "i", "escape")
        await ann.press("5", "a")
        await ann.settled()
        assert ann.board.cells[0] == "6C"
        assert ann.session.picture is not None
        assert ann.session.picture.chat == ()


class TestWindows:
    @pytest.mark.parametrize(("key", "text"), [("question_mark", "from, to:"), ("f2", "Foundations:")])
    async def test_help_and_rules(self, ann: Person, key: str, text: str) -> None:
        await ann.press(key)
        await ann.until(lambda: isinstance(ann.app.screen, Reading))
        await ann.reads(text)
        await ann.press("escape")
        await ann.reaches(RaceScreen)

    async def test_another_look_is_seen_at_once_and_kept(self, tmp_path: Path, server: House) -> None:
        async with at_a_board(tmp_path, server) as ann:
            await ann.press("f3", "tab", "tab", "space", "escape")
            await ann.reads("10H")
            assert ann.app.preferences.letters
        async with person(tmp_path, "ann") as ann:
            assert not ann.app.look.symbols

    async def test_in_portuguese(self, tmp_path: Path, server: House) -> None:
        async with at_a_board(tmp_path, server, "--lang", "pt") as ann:
            await ann.reads("correndo")
            assert "desistir" in ann.text
            await ann.press("question_mark")
            await ann.reads("as colunas")

    async def test_other_sizes_at_any_time(self, ann: Person) -> None:
        for width, height in ((80, 24), (200, 60), (79, 24), (100, 30), (80, 23), (20, 5), (120, 40)):
            await ann.pilot.resize_terminal(width, height)
            await ann.pilot.pause()
            if width < 80 or height < 24:
                assert ann.app.screen.has_class("-small")
            else:
                await ann.reads("10♥")
        await ann.pilot.resize_terminal(60, 10)
        await ann.reads("60 x 10")
