"""Whether the deal is the one that was promised, as told in both interfaces."""

import hashlib

import pytest

from client_cli.connection import Heard
from client_cli.mind import disconnected, receive
from client_cli.promise import Promise, kept
from client_cli.screens.deal_view import deal_text
from client_cli.screens.notices import notice
from client_cli.session import Session
from client_cli.story import Boards, Storyteller
from client_cli.style import Style
from protocol.commands import Join
from protocol.events import Event
from protocol.views import Life, LifeChanged
from tests.client_cli.samples import COMMITMENT, hear, in_lobby, life, seat, snapshot, update, welcome

OTHER = "a" * 64
NOTHING = hashlib.sha256(b"None:None").hexdigest()


def said(session: Session, *events: Event) -> tuple[list[str], list[str]]:
    """What the lines and the full screen say of these events."""
    teller = Storyteller(Style(symbols=False), Boards.NEVER)
    lines: list[str] = []
    notices: list[str] = []
    for event in events:
        heard = Heard(session, event, receive(session, event, 0))
        lines += teller.tell(heard, 0)
        notices.append(notice(heard, Style(symbols=False)))
        session = heard.step.session
    return lines, [text for text in notices if text.strip()]


def in_lobby_with(commitment: str) -> Session:
    lobby = snapshot(life=life(commitment=commitment))
    return hear(Session(Join("ABCDEFGH")), welcome(), seat(), lobby)


def back(session: Session) -> Session:
    return hear(disconnected(session), welcome(), seat())


def test_the_deal_that_was_promised_in_the_lobby() -> None:
    lines, notices = said(in_lobby(), update(3, 4, LifeChanged(life("running"))))
    assert lines[0].endswith(", as promised before the start")
    assert notices == []


@pytest.mark.parametrize("by_way_of", ["countdown", "lobby", ""])
def test_another_one_is_told_though_it_fits_what_comes_with_it(by_way_of: str) -> None:
    steps = [life("countdown")] if by_way_of else []
    if by_way_of == "lobby":
        steps = [life("countdown", commitment=OTHER), life("lobby")]
    changes = (*map(LifeChanged, steps), LifeChanged(life("running")))
    lines, notices = said(in_lobby_with(OTHER), update(3, 4, *changes))
    assert any("NOT the one promised before the start!" in line for line in lines)
    assert notices == ["this is NOT the deal that was promised before the start!"]


def test_the_title_tells_as_long_as_the_race_is_looked_at() -> None:
    start = update(3, 4, LifeChanged(life("running")))
    assert deal_text(in_lobby()) == ""
    assert deal_text(hear(in_lobby(), start)) == "deal 1"
    for later in ((), (update(4, 5, LifeChanged(life("over"))),), (snapshot("over"),)):
        assert deal_text(hear(in_lobby_with(OTHER), start, *later)) == "NOT the deal you saw promised: 1"


def test_new_settings_bring_a_new_promise_and_are_told() -> None:
    changes = LifeChanged(life(deals=2)), LifeChanged(life("countdown", deals=2))
    lines, notices = said(in_lobby_with(OTHER), update(3, 4, *changes))
    assert lines[0] == "The host has changed the settings (another deal); everybody must be ready anew."
    assert notices == ["the host has changed the settings (another deal); everybody must be ready anew"]
    lines, _ = said(
        hear(in_lobby_with(OTHER), update(3, 4, *changes)), update(4, 5, LifeChanged(life("running")))
    )
    assert lines[0].endswith(", as promised before the start")


@pytest.mark.parametrize("phase", ["lobby", "countdown"])
def test_a_promise_that_changed_while_one_was_away_is_told(phase: str) -> None:
    event = snapshot("lobby" if phase == "lobby" else "countdown", to=9)
    lines, notices = said(back(in_lobby_with(OTHER)), event)
    assert "Meanwhile another deal was promised: the settings have changed." in lines
    assert notices == ["meanwhile another deal was promised: the settings have changed"]
    assert said(back(in_lobby()), event)[1] == []


def test_who_was_away_at_the_start_is_told_that_it_is_another_deal() -> None:
    lines, notices = said(back(in_lobby_with(OTHER)), snapshot("running", to=9))
    assert lines[0].endswith(", NOT the one promised when you last saw the lobby")
    assert notices == ["this is NOT the deal that was promised when you last saw the lobby"]


def test_who_comes_after_the_start_saw_no_promise() -> None:
    lines, notices = said(hear(Session(Join("ABCDEFGH")), welcome(), seat()), snapshot("running"))
    assert lines[0] == "Race ABCDEFGH: deal 1 (FC1-C4-AAAAAAB)"
    assert notices == []


def test_the_promise_is_seen_with_the_last_page_of_a_picture() -> None:
    pages = (snapshot(to=9, page=page, pages=2) for page in (1, 2))
    lines, _ = said(back(in_lobby_with(OTHER)), *pages)
    assert lines[:1] == ["Meanwhile another deal was promised: the settings have changed."]


@pytest.mark.parametrize(
    "shown",
    [
        life("running", deal=None, nonce=None, commitment=NOTHING),
        life("running", nonce=None, commitment=hashlib.sha256(b"None:1").hexdigest()),
        life("running", deal=2),
    ],
)
def test_what_does_not_fit_or_is_kept_back_is_no_promise_kept(shown: Life) -> None:
    for promise in (shown.commitment, COMMITMENT, ""):
        assert kept(promise, shown, whole=False) is Promise.BROKEN
