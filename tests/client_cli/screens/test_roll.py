"""Lists of racers that are longer than the screen: keys and the wheel go through them."""

from pathlib import Path

from msgspec.structs import replace
from textual.events import MouseScrollDown, MouseScrollUp

from tests.client_cli.screens.house import DEAL_1, joining, person, watching
from tests.server.gateway.house import House


async def test_a_panel_with_more_racers_than_rows_is_gone_through(tmp_path: Path, server: House) -> None:
    guests = [await server.guest(f"racer {number}") for number in range(14)]
    race = await server.race(*guests, settings=replace(DEAL_1, max_racers=20))
    async with person(tmp_path, "walt", seating=watching(server.url, race), size=(80, 24)) as walt:
        await walt.reads("and 5 more: Page Down")
        await walt.reads("board 1 of 14")
        assert "N racer 13" not in walt.text
        await walt.press("pagedown")
        await walt.reads("N racer 13")
        await walt.press("pageup", "pageup")
        await walt.until(lambda: "N racer 13" not in walt.text)
        for _ in range(5):
            await walt.pilot._post_mouse_events([MouseScrollDown], "#panel", button=0)
        await walt.reads("N racer 13")
        await walt.pilot._post_mouse_events([MouseScrollUp], "#panel", button=0)
        await walt.until(lambda: "N racer 13" not in walt.text)


async def test_more_names_than_rows_are_gone_through_and_ones_own_stays(
    tmp_path: Path, server: House
) -> None:
    host = await server.guest("host")
    race = await host.create(replace(DEAL_1, max_racers=20))
    for number in range(13):
        await (await server.guest(f"racer {number}")).sit(race)
    async with person(tmp_path, "ann", seating=joining(server.url, race), size=(80, 24)) as ann:
        await ann.reads("15 of 20 seats taken")
        await ann.reads("ann (you)")
        await ann.reads("more: Page Down")
        assert "racer 12" not in ann.text
        await ann.press("pagedown")
        await ann.reads("racer 12")
        await ann.reads("ann (you)")
