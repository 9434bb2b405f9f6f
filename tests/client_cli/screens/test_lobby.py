"""Before the start: who is here, the host's controls, the invitation, the countdown."""

from collections.abc import AsyncIterator
from dataclasses import replace as with_fields
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.widgets import Input

from client_cli import language
from client_cli.screens.after import AfterScreen
from client_cli.screens.dialogs import Reading
from client_cli.screens.forms import KickWindow, RobotWindow, SettingsWindow
from client_cli.screens.home import HomeScreen
from client_cli.screens.links import Pasted, read_link
from client_cli.screens.lobby import CountdownScreen, LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.settings import CHOICES, LABELS
from protocol import commands
from server.gateway.coach import Coach
from server.race.commands import PassHost
from server.race.state import PlayerId
from tests.client_cli.screens.house import DEAL_1, Person, hosting, joining, person, sits_with
from tests.server.gateway.house import House, house


@pytest.fixture
async def ann(tmp_path: Path, server: House) -> AsyncIterator[Person]:
    """The host."""
    async with person(
        tmp_path, "ann", seating=hosting(server.url, replace(DEAL_1, countdown_s=5))
    ) as somebody:
        await somebody.reaches(LobbyScreen)
        await somebody.reads("ann (you, host)")
        yield somebody


async def test_who_is_here_and_by_which_rules(ann: Person, server: House) -> None:
    bob = await server.guest("bob")
    await bob.sit(ann.session.race)
    await ann.reads("2 of 8 seats taken")
    await bob.did(commands.Ready, ann.session.race)
    await ann.reads("* bob")
    assert "ruleset race" in ann.text
    assert "you have named the deal: 1; it can be won" in ann.text
    assert "time limit 30:00; countdown 5 s; watchers see the boards live" in ann.text
    await bob.did(commands.Say, ann.session.race, text="hi")
    await ann.reads("bob: hi")
    await bob.did(commands.Leave, ann.session.race)
    await ann.reads("bob has left")
    cleo = await server.guest("cleo")
    await cleo.sit(ann.session.race)
    await ann.reads("cleo has a seat")
    await ann.app.link.ask(commands.Kick("", 0, cleo.id))
    await ann.reads("the host has sent cleo out")


async def test_the_invitation_is_copied_as_it_reads(ann: Person, server: House) -> None:
    await ann.press("c")
    await ann.reads("copied")
    assert read_link(ann.app.clipboard) == Pasted(ann.session.race, server.url)
    assert read_link(ann.app.clipboard.splitlines()[1]) == Pasted(ann.session.race, server.url)


async def test_ready_and_not_after_all(ann: Person) -> None:
    await ann.press("y")
    await ann.reads("* ann")
    await ann.press("y")
    await ann.reads("not ready")


async def test_a_countdown_that_everybody_sees(ann: Person, server: House) -> None:
    await ann.press("s")
    await ann.reaches(CountdownScreen)
    await ann.reads("5")
    assert "Esc" not in ann.text
    await server.clock.advance(5000)
    await ann.reaches(RaceScreen)


async def test_the_host_changes_the_settings(ann: Person) -> None:
    await ann.press("e")
    await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
    ann.app.screen.query_one("#cells", Input).value = "3"
    ann.app.screen.query_one("#time_limit_s", Input).value = "600"
    ann.app.screen.query_one("#watch", Input).value = "none"
    ann.app.screen.query_one("#countdown_s", Input).value = "7"
    ann.app.screen.query_one("#returns", Input).value = "yes"
    ann.app.screen.query_one("#undo_limit", Input).value = "3"
    await ann.press("enter")
    await ann.reaches(LobbyScreen)
    await ann.reads("time limit 10:00; countdown 7 s; nobody may watch")
    await ann.reads("undo of the last 3 actions")
    assert ann.session.picture is not None
    assert ann.session.picture.life.settings.returns
    await ann.reads("you have named the deal: 1")


async def test_settings_are_words_of_the_hosts_language(tmp_path: Path, server: House) -> None:
    seating = hosting(server.url, replace(DEAL_1, deal="random", watch="delayed"))
    async with person(tmp_path, "ann", "--lang", "pt", seating=seating) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("uma distribuição aleatória")
        await ann.press("e")
        await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
        fields = {name: ann.app.screen.query_one(f"#{name}", Input).value for name in ("deal", "watch")}
        assert fields == {"deal": "aleatória", "watch": "com atraso"}
        ann.app.screen.query_one("#watch", Input).value = "ao vivo"
        await ann.press("enter")
        await ann.reaches(LobbyScreen)
        await ann.reads("quem assiste vê os tabuleiros ao vivo")
        await ann.reads("uma distribuição aleatória")


async def test_the_number_of_a_named_deal_is_the_hosts_alone(
    tmp_path: Path, ann: Person, server: House
) -> None:
    async with person(tmp_path, "eve", seating=joining(server.url, ann.session.race)) as eve:
        await eve.reads("the host has named the deal; it can be won")
        await ann.press("e")
        await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
        ann.app.screen.query_one("#deal", Input).value = "FC1-C4-AAAAATJ"
        await ann.press("enter")
        await ann.reads("you have named the deal: FC1-C4-AAAAATJ; it can be won")
        await eve.reads("the host has changed the settings (another deal); everybody must be ready anew")
        assert "the host has named the deal; it can be won" in eve.text
        await ann.press("e")
        await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
        ann.app.screen.query_one("#deal", Input).value = "random"
        await ann.press("enter")
        await ann.reads("a random deal; it can be won")
        await eve.reads("a random deal; it can be won")


@pytest.mark.parametrize(
    ("deal", "changes"), [("1", "time limit (s): 600"), ("11982", "time limit (s): 600, another deal")]
)
async def test_that_a_named_deal_is_another_is_told_beside_what_else_has_changed(
    tmp_path: Path, ann: Person, server: House, deal: str, changes: str
) -> None:
    async with person(tmp_path, "eve", seating=joining(server.url, ann.session.race)) as eve:
        await eve.reads("the host has named the deal; it can be won")
        await ann.press("e")
        await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
        ann.app.screen.query_one("#deal", Input).value = deal
        ann.app.screen.query_one("#time_limit_s", Input).value = "600"
        await ann.press("enter")
        for reader in (ann, eve):
            await reader.reads(f"the host has changed the settings ({changes}); everybody must be ready anew")
        assert "11982" not in eve.text


async def test_the_deal_that_another_has_named_meanwhile_is_not_ones_own(ann: Person, server: House) -> None:
    bob = await server.guest("bob")
    race = await sits_with(bob, ann)
    hub = await server.hub(race)
    await hub.run(PassHost(frozenset({PlayerId(bob.id)})))
    await bob.did(commands.Configure, race, settings=replace(DEAL_1, deal=8, cells=2))
    await ann.reads("2 free cells")
    await hub.run(PassHost(frozenset({PlayerId(ann.session.player)})))
    await ann.reads("the host has named the deal; ")
    await ann.until(lambda: ann.session.is_host)
    await ann.press("e")
    await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
    fields = {name: ann.app.screen.query_one(f"#{name}", Input).value for name in ("deal", "cells")}
    assert fields == {"deal": "random", "cells": "2"}
    ann.app.screen.query_one("#hints", Input).value = "yes"
    await ann.press("enter")
    await ann.reads("hints")
    await ann.reads("a random deal")
    assert ann.session.picture is not None
    assert ann.session.picture.life.settings.cells == 2


async def test_a_setting_that_cannot_be(ann: Person) -> None:
    await ann.press("e")
    await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
    ann.app.screen.query_one("#cells", Input).value = "9"
    await ann.press("enter")
    await ann.reads("free cells is 1 to 4; not '9'")
    await ann.press("escape")
    await ann.reaches(LobbyScreen)


async def test_settings_that_stay_as_they_are_are_no_news(ann: Person) -> None:
    await ann.press("e")
    await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
    for name in LABELS:
        ann.app.screen.query_one(f"#{name}", Input).value = ""
    before = ann.session.speech
    await ann.press("enter")
    await ann.reaches(LobbyScreen)
    assert ann.session.speech == before


async def test_arrows_lead_from_setting_to_setting(ann: Person) -> None:
    await ann.press("e")
    await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
    await ann.press("down", "down", "down", "up")
    assert ann.app.focused is ann.app.screen.query_one("#deal", Input)


@pytest.mark.parametrize("lang", ["en", "pt"])
async def test_every_setting_says_what_it_may_be(tmp_path: Path, server: House, lang: str) -> None:
    seating = hosting(server.url)
    async with person(tmp_path, "ann", "--lang", lang, seating=seating, size=(80, 24)) as ann:
        await ann.reaches(LobbyScreen)
        await ann.until(lambda: ann.session.phase == "lobby")
        await ann.press("e")
        await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
        for name, label in LABELS.items():
            ann.app.screen.query_one(f"#{name}", Input).focus()
            await ann.reads_wrapped(CHOICES[name].values)
            assert language.tr(label) in ann.text
            assert f"{language.tr('close')} (Esc)" in ann.text


async def test_the_host_gives_a_seat_to_a_robot(ann: Person) -> None:
    await ann.press("o")
    await ann.until(lambda: isinstance(ann.app.screen, RobotWindow))
    await ann.reads("eight minutes (easy)")
    window = ann.app.screen.query_one(".window").region
    assert (window.x, window.right) == (24, 120 - 24), "in the middle"
    await ann.press("down", "down", "enter")
    await ann.reads("* Robot (fast robot)")
    await ann.reads("2 of 8 seats taken")
    await ann.press("o")
    await ann.until(lambda: isinstance(ann.app.screen, RobotWindow))
    await ann.press("escape")
    await ann.reaches(LobbyScreen)
    await ann.reads("2 of 8 seats taken")


async def test_where_there_is_no_robot_none_is_chosen(tmp_path: Path) -> None:
    async with (
        house(tmp_path, coach=Coach()) as server,
        person(tmp_path, "ann", seating=hosting(server.url)) as ann,
    ):
        await ann.reads("ann (you, host)")
        await ann.press("o")
        await ann.reads("the server has no solver, without which no robot can play")
        assert isinstance(ann.app.screen, LobbyScreen)


async def test_who_has_come_is_no_news_once_the_race_begins(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
        await ann.reads("ann (you, host)")
        await ann.press("o")
        await ann.until(lambda: isinstance(ann.app.screen, RobotWindow))
        await ann.press("enter")
        await ann.reads("Robot has a seat")
        await ann.press("s")
        await ann.reaches(RaceScreen)
        assert "has a seat" not in ann.text


async def test_an_undo_limit_that_is_not_set_reads_as_what_it_means(ann: Person) -> None:
    await ann.press("e")
    await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
    limit = ann.app.screen.query_one("#undo_limit", Input)
    assert limit.value == "as the rules have it"
    limit.value = "3"
    await ann.press("enter")
    await ann.reads("undo of the last 3 actions")
    await ann.press("e")
    await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
    ann.app.screen.query_one("#undo_limit", Input).value = "rules"
    await ann.press("enter")
    await ann.until(lambda: "undo of the last 3 actions" not in ann.text)


async def test_a_robot_cannot_play_a_deal_that_cannot_be_won(tmp_path: Path, server: House) -> None:
    seating = hosting(server.url, replace(DEAL_1, deal=11982, countdown_s=5))
    async with person(tmp_path, "ann", seating=seating) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you, host)")
        await ann.press("o")
        await ann.until(lambda: isinstance(ann.app.screen, RobotWindow))
        await ann.press("enter")
        await ann.reads("no way to win this deal is known")


async def test_without_the_robot_that_was_asked_for_no_race_begins(tmp_path: Path, server: House) -> None:
    lost = hosting(server.url, replace(DEAL_1, deal=11982), starts=True)
    async with person(tmp_path, "ann", seating=with_fields(lost, robots=("even",))) as ann:
        await ann.until(lambda: ann.app.failure)
        assert ann.app.failure.startswith("No race without the robot: no way to win this deal is known")


async def test_robots_sit_down_before_one_starts_at_once(tmp_path: Path, server: House) -> None:
    seating = with_fields(hosting(server.url, starts=True), robots=("even", "fast"))
    async with person(tmp_path, "ann", seating=seating) as ann:
        await ann.reaches(RaceScreen)
        await ann.reads("Robot (even robot)")
        await ann.reads("Robot 2 (fast robot)")
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("p")
        await ann.reads("step 0 of 0")
        await ann.press("n")
        await ann.reads("Robot (even)")


async def test_the_host_sends_somebody_out(ann: Person, server: House) -> None:
    bob = await server.guest("bob")
    await sits_with(bob, ann)
    await ann.press("k")
    await ann.until(lambda: isinstance(ann.app.screen, KickWindow))
    await ann.press("enter")
    await ann.reads("1 of 8 seats taken")


async def test_names_are_text_and_nothing_else(ann: Person, server: House) -> None:
    for name in ("[red]x[/red]", "太郎", "x[/]"):
        guest = await server.guest(name)
        await guest.sit(ann.session.race)
        await ann.reads(f"  {name}")
    await ann.press("k")
    await ann.until(lambda: isinstance(ann.app.screen, KickWindow))
    await ann.reads("[red]x[/red]")
    await ann.press("escape")
    await ann.press("f2")
    await ann.reads("Foundations:")


async def test_to_be_sent_out(tmp_path: Path, server: House) -> None:
    host = await server.guest("host")
    race = await host.create(DEAL_1)
    async with person(tmp_path, "ann", seating=joining(server.url, race)) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you)")
        assert "settings (e)" not in ann.text
        assert "e settings" not in ann.text
        assert "k send out" not in ann.text
        await host.did(commands.Kick, race, player=ann.session.player)
        await ann.until(lambda: isinstance(ann.app.screen, Reading))
        await ann.reads("the host sent you out of this race")
        await ann.press("escape")
        await ann.reaches(HomeScreen)


async def test_only_the_host_starts_says_the_server(tmp_path: Path, server: House) -> None:
    host = await server.guest("host")
    race = await host.create(DEAL_1)
    async with person(tmp_path, "ann", seating=joining(server.url, race)) as ann:
        await ann.reads("ann (you)")
        await ann.press("s")
        await ann.reads("start: ")


async def test_giving_the_seat_up_that_one_came_for_ends_the_program(ann: Person) -> None:
    await ann.press("q")
    await ann.until(lambda: not ann.app.is_running)
    assert ann.app.return_value == "You have left the race."


async def test_giving_a_seat_up_leads_back_to_the_first_screen(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await ann.press("o")
        await ann.reaches(LobbyScreen)
        await ann.until(lambda: ann.session.phase == "lobby")
        await ann.press("q")
        await ann.reaches(HomeScreen)


async def test_a_race_that_one_came_for_and_that_lets_nobody_in_ends_the_program(
    tmp_path: Path, server: House
) -> None:
    async with person(tmp_path, "ann", seating=joining(server.url, "BBBBBBBB")) as ann:
        await ann.until(lambda: not ann.app.is_running)
        assert ann.app.failure == "there is no race with this code"
