"""What can still be won, in words."""

from typing import Final, get_args

import msgspec
import pytest
from rich.cells import cell_len

from client_cli import language
from client_cli.chances import chance_of, heading, report_lines, report_on, short_verdict, verdict_lines
from client_cli.lines import ReportOn, read_line
from client_cli.mind import receive
from client_cli.screens.small_board import NARROW
from client_cli.screens.wall_view import chance_widths
from client_cli.session import Session
from client_cli.table import Habits
from protocol.commands import Report, Watch
from protocol.events import Known, Mark, Outcome, Parting, Reported, Update, Verdict, Watching
from protocol.views import BoardMoved, Feed
from tests.client_cli.at_table import JOINING, table
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.rig import Rig, running
from tests.client_cli.samples import BOB, LAYOUT, ME, RACE, hear, life, racer, seat, snapshot, update
from tests.client_cli.test_gallery import WATCHING, gallery, let_in

AT_3: Final = Mark(3, 65_000, "move", ("3a",))
AT_4: Final = Mark(4, 70_500, "undo")
BOARDS: Final = {BOB: LAYOUT}


def verdict(
    what: Known = "winnable", moves: int | None = None, *, n: int = 0, feed: Feed = "watch"
) -> Verdict:
    return Verdict(RACE, feed, BOB, n, what, moves)


def watching() -> Session:
    """One who watches and sees bob's board."""
    shown = snapshot("running", feed="watch", view="boards", boards=BOARDS)
    return hear(Session(Watch(RACE)), Watching(RACE, "boards"), shown)


def told(*verdicts: Verdict) -> list[str]:
    """All that is told of these verdicts, one after the other."""
    session, lines = watching(), []
    for one in verdicts:
        before, session = session, hear(session, one)
        lines += verdict_lines(before, one, session)
    return lines


# Verdicts.


def test_a_verdict_is_shown_while_the_board_is_the_one_it_is_about() -> None:
    session = hear(watching(), verdict(moves=40))
    assert heading(session, BOB) == "bob (winnable within 40 moves):"
    assert heading(session, ME) == "ann:"
    moved = update(3, 4, BoardMoved(BOB, 1, (("5", "a", 1),)), feed="watch")
    session = hear(session, replace_view(moved))
    assert session.verdict_on(BOB) is None
    session = hear(session, verdict("unwinnable", n=1))
    assert heading(session, BOB) == "bob (lost):"


def replace_view(event: object) -> Update:
    assert isinstance(event, Update)
    return msgspec.structs.replace(event, view="boards")


def test_what_was_told_of_moves_that_are_lost_is_forgotten() -> None:
    session = hear(watching(), verdict("unwinnable"))
    again = snapshot("running", feed="watch", view="boards", boards=BOARDS)
    assert hear(session, again).verdict_on(BOB) is not None
    rewound = hear(session, snapshot("running", feed="watch", view="boards", boards=BOARDS, rewound=True))
    assert rewound.verdict_on(BOB) is None
    assert verdict_lines(rewound, verdict("unwinnable"), rewound) != []


def test_verdicts_on_the_other_feed_change_nothing() -> None:
    session = watching()
    assert receive(session, verdict(feed="seat"), 0).session == session


def test_before_a_picture_there_is_nothing_to_judge() -> None:
    assert Session(Watch(RACE)).verdict_on(BOB) is None


@pytest.mark.parametrize(
    ("what", "moves", "text", "shortest"),
    [
        ("winnable", 1, "winnable within 1 move", "<= 1 move"),
        ("winnable", 220, "winnable within 220 moves", "<= 220 moves"),
        ("winnable", None, "winnable", "winnable"),
        ("unwinnable", None, "lost", "lost"),
        ("lost_without_return", None, "lost without a return", "lost w/o return"),
        ("unknown", None, "unknown if winnable", "unknown"),
    ],
)
def test_in_few_words_and_in_the_fewest(what: Known, moves: int | None, text: str, shortest: str) -> None:
    assert short_verdict(verdict(what, moves)) == text
    assert chance_of(verdict(what, moves)) == (text, shortest)
    assert short_verdict(None) == ""


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_room_is_kept_for_whatever_is_said_in_few_words(lang: str) -> None:
    language.use(lang)
    said = [chance_of(verdict(what)) for what in get_args(Known)]
    said += [chance_of(verdict("winnable", moves)) for moves in (1, 10, 999)]
    short, shortest = (max(map(cell_len, texts)) for texts in zip(*said, strict=True))
    assert (short, shortest) == chance_widths()
    assert short <= 33
    # Whole below the narrowest board, with any number of moves.
    assert cell_len("52/52  ") + shortest <= NARROW


def test_only_what_changes_is_told() -> None:
    assert told(verdict(moves=50), verdict(moves=49), verdict("unknown"), verdict(moves=47)) == []
    assert told(verdict("unwinnable"), verdict("unknown"), verdict("unwinnable"), verdict(moves=2)) == [
        "bob cannot win any more, short of undoing.",
        "bob can win again.",
    ]
    assert told(verdict("lost_without_return"), verdict("lost_without_return")) == [
        "bob cannot win any more without taking a card back off a foundation."
    ]


async def test_watching_by_lines() -> None:
    async def script(peer: Peer) -> None:
        await let_in(peer)
        await peer.tell(verdict("unwinnable"))
        await peer.stay()

    async with serving(script) as url:
        rig = Rig(url, WATCHING)
        async with running(gallery(rig).run()):
            await rig.screen.shows("bob cannot win any more")
            rig.type("b")
            await rig.screen.shows("bob (lost):")
            rig.type("l 5")
            await rig.screen.shows("bob (lost):")
            rig.type("q")


# Reports.


def over(*, certified: bool = False) -> Session:
    life_then = life("over", certified=certified)
    return hear(watching(), snapshot("over", to=5, feed="watch", life=life_then))


def report(
    what: Outcome, to: Mark | None = None, lost: Mark | None = None, *, certified: bool = False
) -> list[str]:
    told = Reported(RACE, 1, BOB, "bob", 104, what, to, lost)
    title, *lines = report_lines(told, over(certified=certified))
    assert title == "bob's game:"
    return lines


def test_how_a_game_went() -> None:
    assert report("won", Mark(104)) == ["won, in 104 steps"]
    assert report("winnable", Mark(104)) == ["could be won to the end"]
    lost = "could not be won any more from step 4 (undo, 1:10) on"
    assert report("unwinnable", AT_3, AT_4) == [lost]
    assert report("lost_without_return", AT_3, AT_4) == [
        lost,
        "that is, not without taking a card back off a foundation",
    ]
    assert report("unwinnable", None, Mark(0)) == ["the deal itself could not be won"]
    assert report("unwinnable", Mark(0), AT_4) == [
        lost,
        "could be won up to the deal; nobody knows of what came then",
    ]
    assert report("unwinnable", None, AT_4) == [lost]
    assert report("unknown") == ["nobody knows whether it could be won"]
    assert report("unknown", certified=True) == ["the deal can be won; nobody knows until when"]
    assert report("unknown", AT_3) == ["could be won up to step 3 (3a, 1:05); nobody knows of what came then"]


@pytest.mark.parametrize(
    ("parting", "text"),
    [
        (Parting(ME, "ann"), "the boards of bob and ann never differed"),
        (
            Parting(ME, "ann", AT_3, Mark(3, 9, "move", ("3b", "4c"))),
            "the boards of bob and ann first differed at step 3: bob did 3a, ann 3b 4c",
        ),
        (
            Parting(ME, "ann", None, AT_4),
            "the boards of bob and ann first differed at step 4: bob did nothing, ann undo",
        ),
        (
            Parting(ME, "ann", Mark(4, 1, "juggle"), None),
            "the boards of bob and ann first differed at step 4: bob did juggle, ann nothing",
        ),
    ],
)
def test_where_two_boards_parted(parting: Parting, text: str) -> None:
    lines = report_lines(Reported(RACE, 1, BOB, "bob", 4, "winnable", parting=parting), over())
    assert lines[-1] == text


def test_a_game_is_reported_beside_the_best_of_the_others() -> None:
    racers = (racer(), racer(BOB, "bob", home=3), racer("d" * 16, "dee", rank=1))
    session = hear(watching(), snapshot("over", to=5, feed="watch", racers=racers))
    assert report_on(session, ME) == Report("", 0, ME, "d" * 16)
    assert report_on(session, "d" * 16) == Report("", 0, "d" * 16, BOB)
    assert report_on(session, ME, BOB) == Report("", 0, ME, BOB)
    alone = hear(watching(), snapshot("over", to=5, feed="watch", racers=(racer(),)))
    assert report_on(alone, ME) == Report("", 0, ME)


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("report", ReportOn()),
        ("report bob", ReportOn("bob")),
        ("report mary ann / bob", ReportOn("mary ann", "bob")),
    ],
)
def test_what_is_typed(line: str, wish: ReportOn) -> None:
    assert read_line(line) == (wish,)


async def test_a_report_at_the_table() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.hear()
        await peer.tell(seat(n=3, board=LAYOUT), snapshot("over", view="boards", boards=BOARDS))
        assert await peer.expect(Report) == Report(RACE, 1, ME, BOB)
        await peer.tell(Reported(RACE, 1, ME, "ann", 4, "unwinnable", AT_3, AT_4))
        assert await peer.expect(Report) == Report(RACE, 2, BOB, ME)
        await peer.tell(Reported(RACE, 2, BOB, "bob", 9, "winnable", AT_3))
        await peer.stay()

    async with serving(script) as url:
        rig = Rig(url, JOINING)
        async with running(table(rig, Habits()).run()):
            await rig.screen.shows("report tells until when")
            rig.type("report")
            await rig.screen.shows("ann's game:")
            rig.type("report eve", "report bob / eve")
            await rig.screen.shows("Nobody here is called eve.")
            await rig.screen.shows("Nobody here is called eve.")
            rig.type("report bob / ann")
            await rig.screen.shows("could be won to the end")
            rig.type("q")
