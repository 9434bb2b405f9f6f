"""What a link asks by itself, so that the curves of its race are whole."""

import pytest

from client_cli.connection import Heard, Surroundings
from client_cli.curves import Curves
from client_cli.ghosts import Ghost, Haunt
from client_cli.mind import receive
from client_cli.screens.link import Link
from client_cli.session import Session
from client_cli.speech import Draft
from client_cli.waits import growing_waits
from protocol.commands import Trace, Watch
from protocol.events import Curve, Event, Traced, Watching
from tests.client_cli.rig import Time
from tests.client_cli.samples import BOB, ME, OTHER_RACE, RACE, hear, seat, welcome


class Asking(Link):
    """A link whose questions are kept."""

    def __init__(self) -> None:
        time = Time()
        around = Surroundings(time.now_ms, lambda: growing_waits(lambda: 0.5), time.sleep)
        super().__init__(lambda _: None, lambda _: None, around)
        self.asked: list[Draft] = []

    async def ask(self, *drafts: Draft) -> None:
        self.asked += drafts

    async def hear(self, event: Event) -> None:
        before = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
        await self.take(Heard(before, event, receive(before, event, 0)))


async def test_whoever_begins_to_watch_asks_how_far_everybody_was() -> None:
    link = Asking()
    await link.hear(Watching(RACE, "boards"))
    assert link.asked == [Trace("", 0)]


async def test_one_who_is_shown_nothing_just_now_asks_nothing() -> None:
    link = Asking()
    await link.hear(Watching(RACE, "boards", paused=True))
    assert link.asked == []


@pytest.mark.parametrize("event", [seat(), Watching(RACE, "boards")])
async def test_a_ghost_is_asked_for_as_one_gets_in_and_kept(event: Event) -> None:
    link = Asking()
    link.haunt = Haunt(OTHER_RACE, BOB)
    await link.hear(event)
    assert Trace(OTHER_RACE, 0) in link.asked
    link.asked.clear()
    await link.hear(Traced(OTHER_RACE, 1, 0, (Curve(BOB, "bob", ((0, 0), (5, 1))),), 9))
    assert link.ghost == Ghost("bob", ((0, 0), (5, 1)))
    await link.hear(event)
    assert Trace(OTHER_RACE, 0) not in link.asked


async def test_a_page_is_asked_for_after_another_until_there_is_none() -> None:
    link = Asking()
    first, second = Curve(ME, "ann", ((0, 0),)), Curve(BOB, "bob", ((0, 0), (5, 1)))
    await link.hear(Traced(RACE, 1, 0, (first,), 9, more=True))
    assert link.asked == [Trace("", 0, 1)]
    await link.hear(Traced(RACE, 2, 1, (second,), 9))
    assert link.asked == [Trace("", 0, 1)]
    assert link.curves == Curves({ME: ((0, 0),), BOB: ((0, 0), (5, 1))})
