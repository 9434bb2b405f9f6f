"""Watching a race."""

from client_cli.gallery import HELP, Gallery
from client_cli.session import Session
from client_cli.speech import Speech
from protocol.commands import Say, Unwatch, Watch
from protocol.events import Watching
from protocol.views import BoardMoved, LifeChanged, RacerChanged
from tests.client_cli.at_table import ending_with
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.rig import Rig, running
from tests.client_cli.samples import BOB, LAYOUT, OTHER_RACE, RACE, ack, life, racer, snapshot, update

WATCHING = Session(Watch(RACE), speech=Speech(next_c=7))


def gallery(rig: Rig) -> Gallery:
    return Gallery(rig.conversation, rig.inbox, rig.terminal, rig.storyteller, rig.around)


async def let_in(peer: Peer) -> None:
    await peer.greet()
    await peer.expect(Watch)
    boards = {BOB: LAYOUT}
    await peer.tell(Watching(RACE, "boards", why="live"), snapshot("running", feed="watch", boards=boards))


async def stays(peer: Peer) -> None:
    await let_in(peer)
    await peer.stay()


async def test_boards_and_progress_until_the_end() -> None:
    async def script(peer: Peer) -> None:
        await let_in(peer)
        home = RacerChanged(racer(BOB, "bob", state="racing", home=1))
        await peer.tell(update(3, 4, BoardMoved(BOB, 1, (("5", "a", 1),)), home, feed="watch"))
        await peer.tell(snapshot("over", to=5, feed="watch"))
        await peer.stay()

    async with serving(script) as url:
        rig = Rig(url, WATCHING, is_interactive=False)
        await gallery(rig).run()
    assert "bob: 6C from column 5 to cell a" in rig.shown
    assert "bob: 1 of 52 home" in rig.shown
    assert "The race is over." in rig.shown


async def test_what_a_watcher_may_type() -> None:
    async def script(peer: Peer) -> None:
        await let_in(peer)
        assert await peer.expect(Say) == Say(RACE, 7, "hi")
        await peer.tell(ack(7, 0, seq=4), update(3, 4, feed="watch"))
        await peer.stay()

    async with serving(script) as url:
        rig = Rig(url, WATCHING)
        async with running(gallery(rig).run()):
            await rig.screen.shows("Standings:")
            rig.type("b")
            await rig.screen.shows("bob:")
            rig.type("p")
            await rig.screen.shows("Standings:")
            rig.type("rules")
            await rig.screen.shows("Foundations:")
            rig.type("", "5a")
            await rig.screen.shows(HELP)
            rig.type("nonsense!", "say hi")
            await rig.screen.shows("neither a move nor a word")
            rig.type("q")


async def test_what_only_racers_can_do_is_said_to_be_so_once() -> None:
    async with serving(stays) as url:
        rig = Rig(url, WATCHING)
        async with running(gallery(rig).run()):
            await rig.screen.shows("Standings:")
            rig.type("hello racers", "?")
            await rig.screen.shows("'hello racers' is nothing that one who watches can do.")
            rig.type("q")
    assert rig.shown.count("Watching: b the boards") == 2, "once with it, and once for the asking"


async def test_the_end_of_input_is_the_end() -> None:
    async with serving(stays) as url:
        rig = Rig(url, WATCHING)
        async with running(gallery(rig).run()):
            await rig.screen.shows("Standings:")
            rig.end()


async def test_it_comes_back() -> None:
    async def first(peer: Peer) -> None:
        await let_in(peer)
        peer.abort()

    async def second(peer: Peer) -> None:
        await peer.greet()
        assert await peer.expect(Watch) == Watch(RACE, 0, 3, f"{3:016x}")
        await peer.tell(Watching(RACE, "boards"), snapshot("over", to=9, feed="watch"))
        await peer.stay()

    async with serving(first, second) as url:
        rig = Rig(url, WATCHING, is_interactive=False)
        await gallery(rig).run()
    assert "trying again" in rig.shown


async def test_enter_tries_again_at_once() -> None:
    async def lost(peer: Peer) -> None:
        await let_in(peer)
        peer.abort()

    async def over(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(Watching(RACE, "boards"), snapshot("over", to=9, feed="watch"))
        await peer.stay()

    async with serving(lost, over) as url:
        rig = Rig(url, WATCHING, time_runs=False)
        async with running(gallery(rig).run()):
            await rig.screen.shows("trying again in 0.2 s, or now with Enter")
            rig.type("")
            await rig.screen.shows("The race is over.")
            rig.type("q")


def over(rematch: str | None = None, **changes: bool) -> LifeChanged:
    return LifeChanged(life("over", rematch=rematch, **changes))


async def test_a_rematch_is_told_and_watched() -> None:
    async def script(peer: Peer) -> None:
        await let_in(peer)
        await peer.tell(update(3, 5, over(), feed="watch"))
        assert await peer.expect(Say) == Say(RACE, 7, "again?")
        await peer.tell(ack(7, 0, seq=6), update(5, 8, over(OTHER_RACE), feed="watch"))
        assert await peer.expect(Unwatch) == Unwatch(RACE)
        assert await peer.expect(Watch) == Watch(OTHER_RACE, 0)
        await peer.tell(Watching(OTHER_RACE, "boards", why="live"), snapshot(feed="watch", race=OTHER_RACE))
        await peer.stay()

    async with serving(script) as url:
        rig = Rig(url, WATCHING)
        async with running(gallery(rig).run()):
            await rig.screen.shows("If they race again, that is told here; q to leave.")
            rig.type("rematch")
            await rig.screen.shows("There is no rematch yet.")
            rig.type("say again?")
            await rig.screen.shows("There is a rematch, race BBBBBBBB: type rematch to watch it.")
            rig.type("rematch")
            await rig.screen.shows("Watching race BBBBBBBB: live")
            rig.type("q")


async def test_who_comes_after_a_race_is_told_of_its_rematch() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(
            Watching(RACE, "boards"), snapshot("over", feed="watch", life=life("over", rematch=OTHER_RACE))
        )
        await peer.stay()

    async with serving(script) as url:
        rig = Rig(url, WATCHING)
        async with running(gallery(rig).run()):
            await rig.screen.shows("There is a rematch, race BBBBBBBB: type rematch to watch it.")
            rig.type("q")


async def test_where_none_is_to_come_the_end_of_the_race_is_the_end() -> None:
    async def old(peer: Peer) -> None:
        await peer.greet()
        await peer.expect(Watch)
        await peer.tell(Watching(RACE, "boards"), snapshot("over", feed="watch"))
        await peer.stay()

    async def ranked(peer: Peer) -> None:
        await let_in(peer)
        await peer.tell(update(3, 5, over(ranked=True), feed="watch"))
        await peer.stay()

    for script in (old, ranked):
        async with serving(script) as url:
            rig = Rig(url, WATCHING)
            await gallery(rig).run()
            assert rig.shown.count("The race is over.") == 1
            assert "race again" not in rig.shown


async def test_empty_lines_of_a_file_hurry_nobody() -> None:
    async def lost(peer: Peer) -> None:
        await let_in(peer)
        peer.abort()

    async with serving(lost) as url:
        rig = Rig(url, WATCHING, is_interactive=False, time_runs=False)
        async with running(gallery(rig).run()):
            await rig.screen.shows("trying again in 0.2 s")
            rig.type("", "p")
            await rig.screen.shows("Standings:")
            assert rig.conversation.is_waiting
            rig.end()


async def test_nobody_there() -> None:
    rig = Rig("ws://127.0.0.1:1", WATCHING)
    with ending_with("nothing listens there"):
        await gallery(rig).run()
