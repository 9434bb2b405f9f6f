"""Watching: the wall of boards, the focus, the lines, and how late it all is."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from client_cli.ghosts import Haunt
from client_cli.screens.after import AfterScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.wall import WallScreen
from client_cli.screens.wall_view import MOST
from protocol import commands
from tests.client_cli.screens.house import DEAL_1, Person, hosting, person, races_with, watching
from tests.client_cli.screens.watching_scenes import NAMES, wall
from tests.end_to_end.bad_line import bad_line
from tests.end_to_end.player import Player
from tests.server.gateway.house import House
from tests.server.gateway.judging import Oracle, by_cards_in_cells
from tests.solutions import moves_of


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[tuple[Person, list[Player]]]:
    """Walt, who watches a race of four live."""
    async with wall(tmp_path, (120, 40)) as scene:
        yield scene


def focus(somebody: Person) -> int:
    screen = somebody.app.screen
    assert isinstance(screen, WallScreen)
    return screen._focus


async def test_all_boards_are_shown_and_follow_the_race(watched: tuple[Person, list[Player]]) -> None:
    walt, guests = watched
    for letter, name in zip("ABCD", ("ann", "bob", "cleo", "dan"), strict=True):
        assert f"{letter} {name}" in walt.text
    assert "live" in walt.text.splitlines()[0]
    race = walt.session.race
    await guests[0].did(commands.Restart, race)
    await walt.reads(" 0/52 31 actions")
    await guests[3].did(commands.Resign, race)
    await walt.reads("resigned")


async def test_what_can_still_be_won_stands_below_each_board(tmp_path: Path) -> None:
    oracle = Oracle(by_cards_in_cells)
    async with wall(tmp_path, (120, 40), racers=2, actions=4, assessor=oracle) as (walt, guests):
        await walt.reads("0/52  lost")
        await walt.reads("0/52  winnable within 11 moves")
        await guests[0].did(commands.Undo, walt.session.race)
        await walt.reads("0/52  winnable within 13 moves")


async def test_on_a_wall_of_three_in_a_small_terminal_the_number_is_whole(tmp_path: Path) -> None:
    oracle = Oracle(by_cards_in_cells)
    async with wall(tmp_path, (80, 24), racers=3, actions=4, assessor=oracle) as (walt, guests):
        await walt.reads("0/52  <= 11 moves")
        await walt.reads("0/52  lost")
        await guests[0].did(commands.Undo, walt.session.race)
        await walt.reads("0/52  <= 13 moves")


async def test_the_focus_goes_on_and_back_by_key_and_by_click(watched: tuple[Person, list[Player]]) -> None:
    walt, _ = watched
    assert "▸ A ann" in walt.text
    await walt.press("tab")
    assert "▸ B bob" in walt.text
    await walt.press("right", "tab")
    assert "▸ D dan" in walt.text
    await walt.press("tab", "shift+tab", "left")
    assert "▸ C cleo" in walt.text
    for place, offset in enumerate([(2, 2), (60, 2), (2, 25), (60, 25)]):
        assert await walt.pilot.click("#wall", offset=offset)
        assert focus(walt) == place


async def test_where_there_is_little_room_the_board_in_focus_and_everybodys_bars(tmp_path: Path) -> None:
    async with wall(tmp_path, (80, 24), racers=8, actions=40) as (walt, _):
        assert walt.text.count("/52") == 1 + 8
        assert "  A ann" in walt.text
        await walt.reads("board 1 of 8")
        await walt.press("tab")
        await walt.reads("board 2 of 8")
        assert "  B bob" in walt.text
        await walt.pilot.resize_terminal(200, 60)
        await walt.until(lambda: walt.text.count("/52") == 2 * 8)
        assert "▸ B bob" in walt.text
        await walt.until(lambda: "of 8" not in walt.text.splitlines()[0], "all are seen")


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "watching {race}  deal 617  600 s late  board 1 of 8"),
        ("pt", "distribuição 617  600 s de atraso  tabuleiro 1 de 8"),
    ],
)
async def test_the_title_is_whole_where_there_is_little_room(
    tmp_path: Path, server: House, language: str, title: str
) -> None:
    guests = [await server.guest(name) for name in NAMES]
    settings = msgspec.structs.replace(DEAL_1, deal=617, watch="delayed", delay_s=600)
    race = await server.race(*guests, settings=settings)
    await server.clock.advance(661_000)
    seating, now_ms = watching(server.url, race), server.clock.now_ms
    size = (80, 24)
    async with person(
        tmp_path, "walt", "--lang", language, seating=seating, size=size, now_ms=now_ms
    ) as walt:
        await walt.reaches(WallScreen)
        await walt.ticks()
        await walt.reads("1:01, ")
        assert walt.text.splitlines()[0].split("   ")[0].strip() == title.format(race=race)


async def test_of_a_title_that_is_too_long_what_is_told_elsewhere_goes_first(tmp_path: Path) -> None:
    async with wall(tmp_path, (80, 24), racers=8, actions=40) as (walt, _):
        screen = walt.app.screen
        assert isinstance(screen, WallScreen)
        race = walt.session.race
        whole = f"watching {race}  deal 1  live  board 1 of 8"
        assert [screen._title(room) for room in (len(whole), len(whole) - 1, 26, 25, 12, 11)] == [
            whole,
            "deal 1  live  board 1 of 8",
            "deal 1  live  board 1 of 8",
            "deal 1  live",
            "deal 1  live",
            "deal 1  li~",
        ]


async def test_the_race_so_far_as_lines_and_a_moment_of_it(watched: tuple[Person, list[Player]]) -> None:
    walt, _ = watched
    await walt.press("l")
    await walt.reads("the arrows look at a moment")
    assert not walt.app.screen.query_one("#side").display
    ends = "".join(line.rstrip()[-2:] for line in walt.text.splitlines())
    assert set("ABCD") <= set(ends)
    await walt.press(*["left"] * 60)
    await walt.reads("0:00  A ann 0  ")
    await walt.press(*["right"] * 60)
    await walt.reads("A ann 10  B bob 7  ")
    assert await walt.pilot.click("#wall", offset=(40, 8))
    assert focus(walt) == 0
    await walt.press("l")
    await walt.reads("10/52 30 actions")


async def test_who_sees_no_boards_sees_lines_and_how_far_everybody_is(tmp_path: Path, server: House) -> None:
    settings = msgspec.structs.replace(DEAL_1, watch="progress")
    ann = await server.guest("ann")
    race = await server.race(ann, settings=settings)
    async with person(tmp_path, "walt", seating=watching(server.url, race)) as walt:
        await walt.reaches(WallScreen)
        await walt.reads("the host shows watchers progress only")
        await walt.reads("52│")
        await ann.did(commands.Move, race, move="5a")
        await walt.reads("0/52 1 action")


async def test_how_late_it_is_is_said_and_kept(tmp_path: Path, server: House) -> None:
    settings = msgspec.structs.replace(DEAL_1, watch="delayed", delay_s=20)
    ann = await server.guest("ann")
    race = await server.race(ann, settings=settings)
    await server.clock.advance(30_000)
    seating, now_ms = watching(server.url, race), server.clock.now_ms
    async with person(tmp_path, "walt", seating=seating, now_ms=now_ms) as walt:
        await walt.reads("20 s late")
        await walt.ticks()
        await walt.reads("0:10, 29:50 left")
        await ann.did(commands.Move, race, move="5a")
        await server.clock.advance(19_999)
        await walt.pilot.pause()
        assert "1 action" not in walt.text
        await server.clock.advance(1)
        await walt.reads("0/52 1 action")


async def test_how_late_it_is_is_said_as_the_host_has_it_now(tmp_path: Path, server: House) -> None:
    ann = await server.guest("ann")
    race = await server.lobby(ann, settings=DEAL_1)
    seating, now_ms = watching(server.url, race), server.clock.now_ms
    async with person(tmp_path, "walt", seating=seating, now_ms=now_ms) as walt:
        await walt.reads("waiting for the start")
        late = msgspec.structs.replace(DEAL_1, watch="delayed", delay_s=20)
        await ann.did(commands.Configure, race, settings=late)
        await walt.reads("20 s late; it had not started then")
        await ann.did(commands.Configure, race, settings=msgspec.structs.replace(DEAL_1, watch="none"))
        await walt.reads("the host lets nobody watch until it is over")
        assert "late" not in walt.text.splitlines()[0]
        await ann.did(commands.Configure, race, settings=late)
        await walt.reads("20 s late; it had not started then")
        await ann.did(commands.Configure, race, settings=DEAL_1)
        await walt.reads("waiting for the start")
        assert "late" not in walt.text.splitlines()[0]
        await ann.did(commands.Start, race)
        await walt.reads("deal 1  live")


async def test_from_the_lobby_to_the_end(tmp_path: Path, server: House) -> None:
    ann = await server.guest("ann")
    race = await server.lobby(ann)
    async with person(tmp_path, "walt", seating=watching(server.url, race)) as walt:
        await walt.reads("waiting for the start")
        await walt.reads("not ready")
        await walt.reads("watchers see the boards live")
        await ann.did(commands.Start, race)
        await walt.reads("deal 1  live")
        await walt.press("t")
        await walt.reads("to those who watch; racers read it after the race; Enter sends")
        await walt.press("h", "i", "enter")
        await walt.reads("walt: hi")
        await ann.did(commands.Resign, race)
        await walt.reaches(AfterScreen)


async def test_a_lost_connection_is_said_and_the_wall_goes_on(tmp_path: Path, server: House) -> None:
    ann = await server.guest("ann")
    race = await server.race(ann, settings=DEAL_1)
    async with (
        bad_line(server.url) as line,
        person(tmp_path, "walt", seating=watching(line.url, race)) as walt,
    ):
        await walt.reads("live")
        line.carrying.clear()
        line.cut_all()
        await walt.reads("trying again")
        line.carrying.set()
        await ann.did(commands.Move, race, move="5a")
        await walt.until(lambda: "trying again" not in walt.text)
        await walt.reads("0/52 1 action")


async def test_home(watched: tuple[Person, list[Player]]) -> None:
    walt, _ = watched
    await walt.press("escape")
    await walt.reaches(HomeScreen)


async def test_nobody_may_watch(tmp_path: Path, server: House) -> None:
    ann = await server.guest("ann")
    race = await server.race(ann, settings=msgspec.structs.replace(DEAL_1, watch="none"))
    async with person(tmp_path, "walt", seating=watching(server.url, race)) as walt:
        await walt.until(lambda: walt.app.failure == "the host lets nobody watch until it is over")


async def test_several_races_on_one_wall(tmp_path: Path, server: House) -> None:
    ann, bob = await server.guest("ann"), await server.guest("bob")
    first, second = [await server.race(one, settings=DEAL_1) for one in (ann, bob)]
    seating = watching(server.url, first, beside=(second,))
    async with person(tmp_path, "walt", seating=seating) as walt:
        await walt.reads(f"A ann - {first}")
        await walt.reads(f"A bob - {second}")
        await bob.did(commands.Move, second, move="5a")
        await walt.press("tab")
        await walt.reads(f"watching {second}")
        await walt.reads("0/52 1 action")
        await ann.did(commands.Resign, first)
        await walt.reads("resigned")
        await walt.press("tab")
        await walt.reads(f"watching {first}  deal 1  over")
        assert isinstance(walt.app.screen, WallScreen)
        await walt.press("escape")
        await walt.reaches(HomeScreen)
        assert walt.app.sidelines.links == []


@pytest.mark.parametrize("which", [0, 1])
async def test_a_rematch_of_one_of_them_is_told_and_watched_in_its_place(
    tmp_path: Path, server: House, which: int
) -> None:
    both = await server.guest("ann"), await server.guest("bob")
    races = [await server.race(one, settings=DEAL_1) for one in both]
    seating = watching(server.url, races[0], beside=(races[1],))
    async with person(tmp_path, "walt", seating=seating) as walt:
        await walt.reads("A ann - ")
        await walt.reads("A bob - ")
        await both[which].did(commands.Resign, races[which])
        await walt.reads("resigned")
        assert "m rematch" not in walt.text
        await both[which].did(commands.Rematch, races[which])
        await walt.reads(f"race {races[which]} has a rematch: press m to watch it")
        await walt.reads("m rematch")
        await walt.press("m")
        await walt.until(lambda: races[which] not in walt.text)
        codes = [link.session.race for link in walt.app.sidelines.watched if link.session]
        assert codes[1 - which] == races[1 - which]
        await walt.reads(f"A {both[which].name} - {codes[which]}")
        await walt.until(lambda: "m rematch" not in walt.text)
        await walt.press("m")
        assert [link.session.race for link in walt.app.sidelines.watched if link.session] == codes


async def test_a_race_beside_that_is_not_there_is_said(tmp_path: Path, server: House) -> None:
    ann = await server.guest("ann")
    race = await server.race(ann, settings=DEAL_1)
    async with person(tmp_path, "walt", seating=watching(server.url, race, beside=("ABCDEFGH",))) as walt:
        await walt.reads("there is no race with this code")
        await walt.reads("A ann")


async def test_one_who_is_done_watches_the_others_and_comes_back(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
        race = await races_with(bob, ann)
        await ann.press("w")
        assert isinstance(ann.app.screen, RaceScreen), "while one races there is nothing to watch"
        await ann.press("x", "y")
        await ann.reads("w watch")
        await ann.press("w")
        await ann.reaches(WallScreen)
        await bob.did(commands.Move, race, move="5a")
        await ann.reads("0/52 1 action")
        await ann.press("t")
        await ann.reads("a line to the others; Enter sends")
        await ann.press("h", "i", "enter")
        await ann.reads("ann: hi")
        await ann.press("escape")
        await ann.reaches(RaceScreen)
        assert ann.app.sidelines.links == []
        await ann.press("w")
        await ann.reaches(WallScreen)
        await bob.did(commands.Resign, race)
        await ann.reaches(AfterScreen)
        assert ann.app.sidelines.links == []


async def test_who_has_raced_is_told_live_how_far_the_others_are_and_from_when_on_boards_are_shown(
    tmp_path: Path, server: House
) -> None:
    bob = await server.guest("bob")
    settings = msgspec.structs.replace(DEAL_1, watch="delayed", delay_s=30)
    async with person(
        tmp_path, "ann", seating=hosting(server.url, settings), now_ms=server.clock.now_ms
    ) as ann:
        race = await races_with(bob, ann)
        await ann.press("x", "y")
        await ann.reads("w watch")
        await ann.press("w")
        await ann.reaches(WallScreen)
        await ann.reads("30 s late: shown from 0:30 on")
        await ann.reads("resigned")
        assert "not ready" not in ann.text
        for move in moves_of()[:30]:
            await bob.did(commands.Move, race, move=move)
        await ann.reads("10/52")


async def test_the_ghost_that_one_has_raced_against_is_on_the_wall_too(tmp_path: Path, server: House) -> None:
    bob, cleo = await server.guest("bob"), await server.guest("cleo")
    old = await server.race(cleo, settings=DEAL_1)
    await server.clock.advance(3_000)
    await cleo.did(commands.Move, old, move="5a")
    await cleo.did(commands.Resign, old)
    seating = hosting(server.url, haunt=Haunt(old))
    async with person(tmp_path, "ann", seating=seating, now_ms=server.clock.now_ms) as ann:
        await races_with(bob, ann)
        await ann.until(lambda: ann.app.link.ghost is not None)
        await ann.press("x", "y")
        await ann.reads("w watch")
        await ann.press("w")
        await ann.reaches(WallScreen)
        await ann.reads("@ ghost of cleo")
        await server.clock.advance(2_000)
        await ann.press("l", "left")
        await ann.reads("@ ghost of cleo 0")
        chart = "\n".join(ann.text.splitlines()[2:-3])
        assert set("AB@") <= set(chart)


async def test_that_ones_own_cards_are_home_is_no_news_of_those_who_are_watched(
    tmp_path: Path, server: House
) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
        await races_with(bob, ann)
        await ann.plays(moves_of())
        await ann.reads("all 52 cards are home")
        await ann.press("w")
        await ann.reaches(WallScreen)
        assert "all 52 cards are home" not in ann.text
        await ann.press("escape")
        await ann.reaches(RaceScreen)
        assert "all 52 cards are home" not in ann.text


async def test_the_clock_may_tick_while_one_goes_back_to_the_own_board(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
        await races_with(bob, ann)
        await ann.press("x", "y")
        await ann.reads("w watch")
        await ann.press("w")
        await ann.reaches(WallScreen)
        await ann.app.sidelines.look_away()
        await ann.ticks()
        await ann.press("escape")
        await ann.reaches(RaceScreen)


async def test_where_nobody_may_watch_one_who_is_done_is_told_so(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    settings = msgspec.structs.replace(DEAL_1, watch="none")
    async with person(tmp_path, "ann", seating=hosting(server.url, settings)) as ann:
        await races_with(bob, ann)
        await ann.press("x", "y")
        await ann.reads("w watch")
        await ann.press("w")
        await ann.reads("the host lets nobody watch")
        await ann.reaches(RaceScreen)


async def test_more_boards_than_a_wall_has_places_come_in_turn(tmp_path: Path, server: House) -> None:
    guests = [await server.guest(f"racer {number}") for number in range(MOST + 3)]
    race = await server.race(*guests, settings=msgspec.structs.replace(DEAL_1, max_racers=20))
    async with person(tmp_path, "walt", seating=watching(server.url, race), size=(200, 60)) as walt:
        await walt.reads("boards 1 to 8 of 11")
        await walt.press(*["tab"] * MOST)
        await walt.reads("boards 9 to 11 of 11")
        assert "▸ I racer 8" in walt.text
        assert await walt.pilot.click("#wall", offset=(80, 5))
        assert focus(walt) == MOST + 1
        await walt.press("tab", "tab")
        await walt.reads("boards 1 to 8 of 11")
