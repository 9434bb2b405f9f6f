"""A viewer is a cursor on the feed: updates that join without a hole, or a snapshot, encoded once for all."""

from dataclasses import replace
from random import Random
from typing import Final

import pytest

from protocol import codec, events, picture
from server.gateway import wire
from server.gateway.feed import CLOCK_SLACK_MS, RING, Cursor, Feed
from server.race import commands as core
from server.race.state import PlayerId
from server.race.views import View
from server.store.base import Tip
from tests.server.gateway.races import ANA, BEN, EVE, SETUP, Scribe, next_c, say, session

NOW: Final = 1_700_000_000_000


class Viewer:
    """Somebody at a cursor, and the picture he keeps from what he is sent."""

    def __init__(self, feed: Feed, view: View = View.RACER) -> None:
        self.feed = feed
        self.view = view
        self.cursor = Cursor("seat")
        self.following: picture.Following | None = None
        self.kinds: list[str] = []

    def pull(self, now_ms: int = NOW) -> list[bytes]:
        frames = self.feed.pull(self.cursor, self.view, now_ms)
        for frame in frames:
            event = codec.read_event(frame)
            match event:
                case events.Snapshot():
                    self.following = picture.start(event, self.following)
                case events.Update():
                    assert self.following is not None
                    self.following = picture.follow(self.following, event)
                case _:
                    raise AssertionError(frame)
            self.kinds.append(type(event).__name__)
        return frames

    def agrees(self) -> bool:
        """Whether the picture is that of a snapshot made now."""
        fresh = Viewer(self.feed, self.view)
        fresh.pull()
        assert self.following is not None
        assert fresh.following is not None
        return self.following.picture == fresh.following.picture and self.following.to == fresh.following.to


def feed_of(scribe: Scribe) -> Feed:
    return Feed(scribe.race, scribe.tag)


@pytest.fixture
def scribe() -> Scribe:
    return Scribe().start(BEN)


@pytest.fixture
def feed(scribe: Scribe) -> Feed:
    return feed_of(scribe)


def shuffle(scribe: Scribe, feed: Feed, turns: int) -> None:
    """Let Ben move a card up and down so many times."""
    for _ in range(turns):
        n = scribe.race.members[BEN].n
        who = (BEN, session(scribe.race, BEN), next_c(scribe.race, BEN), n)
        feed.extend(scribe.do(core.Undo(*who) if n % 2 else core.Move(*who, "5a")))


def test_the_first_pull_is_a_snapshot_and_the_next_are_updates_that_join(scribe: Scribe, feed: Feed) -> None:
    viewer = Viewer(feed)
    viewer.pull()
    for move in ("5a", "5b", "5c"):
        feed.extend(scribe.move(ANA, move))
        viewer.pull()
        assert viewer.agrees()
    assert viewer.kinds == ["Snapshot", "Update", "Update", "Update"]


def test_one_who_is_up_to_date_is_sent_nothing(scribe: Scribe, feed: Feed) -> None:
    viewer = Viewer(feed)
    viewer.pull()
    assert viewer.pull() == []
    feed.extend(scribe.move(ANA, "5a"))
    assert viewer.pull() != []
    assert viewer.pull() == []


def test_one_who_falls_behind_gets_one_update_over_all_he_missed(scribe: Scribe, feed: Feed) -> None:
    viewer = Viewer(feed)
    viewer.pull()
    shuffle(scribe, feed, 200)
    (frame,) = viewer.pull()
    update = codec.read_event(frame)
    assert isinstance(update, events.Update)
    assert len(update.changes) == 1, "his progress is told by its latest value"
    assert viewer.agrees()


def test_the_moves_that_a_board_view_shows_are_never_merged_away(scribe: Scribe, feed: Feed) -> None:
    viewer = Viewer(feed, View.BOARDS)
    viewer.pull()
    shuffle(scribe, feed, 50)
    (frame,) = viewer.pull()
    assert frame.count(b'"k":"moved"') == 50
    assert viewer.agrees()


@pytest.mark.parametrize(("missed", "kind"), [(RING - 1, "Update"), (RING, "Update"), (RING + 1, "Snapshot")])
def test_past_the_ring_there_is_a_snapshot(scribe: Scribe, feed: Feed, missed: int, kind: str) -> None:
    viewer = Viewer(feed)
    viewer.pull()
    shuffle(scribe, feed, missed)
    viewer.pull()
    assert viewer.kinds == ["Snapshot", kind]
    assert viewer.agrees()


def test_the_ring_stays_bounded(scribe: Scribe, feed: Feed) -> None:
    shuffle(scribe, feed, 2 * RING)
    assert len(feed._ring) == RING
    assert feed.tip == Tip(scribe.race.seq, scribe.tag)


def test_a_change_of_view_is_a_snapshot_that_names_the_view(scribe: Scribe, feed: Feed) -> None:
    viewer = Viewer(feed)
    viewer.pull()
    viewer.view = View.BOARDS
    (frame,) = viewer.pull()
    snapshot = codec.read_event(frame)
    assert isinstance(snapshot, events.Snapshot)
    assert snapshot.view == "boards"
    assert viewer.agrees()


# Resuming.


def resume(feed: Feed, to: int, tag: bytes, view: View = View.RACER) -> str:
    """What one gets who comes back with this much."""
    cursor = Cursor("seat", to, tag, view if feed.state_at(to, tag) else None)
    (frame,) = feed.pull(cursor, view, NOW)
    event = codec.read_event(frame)
    if isinstance(event, events.Update):
        assert (event.from_, event.to) == (to, feed.race.seq)
    return type(event).__name__


def test_one_who_comes_back_gets_exactly_what_is_missing(scribe: Scribe) -> None:
    feed = feed_of(scribe)
    to, tag = scribe.race.seq, scribe.tag
    feed.extend(scribe.move(ANA, "5a"))
    middle, middle_tag = scribe.race.seq, scribe.tag
    feed.extend(scribe.move(ANA, "5b"))
    assert resume(feed, to, tag) == "Update"
    assert resume(feed, middle, middle_tag) == "Update"


def test_a_tag_that_the_log_does_not_have_gives_a_snapshot(scribe: Scribe) -> None:
    feed = feed_of(scribe)
    to, tag = scribe.race.seq, scribe.tag
    feed.extend(scribe.move(ANA, "5a"))
    assert resume(feed, to, b"otherlog") == "Snapshot"
    assert resume(feed, to + 1, tag) == "Snapshot"
    assert resume(feed, to - 1, tag) == "Snapshot"
    assert resume(feed, to + 100, tag) == "Snapshot"
    assert resume(feed, 0, b"") == "Snapshot"


def test_a_snapshot_says_that_events_are_lost_to_whoever_has_seen_them_and_says_it_once(
    scribe: Scribe,
) -> None:
    feed = feed_of(scribe)
    cursor = Cursor("seat", scribe.race.seq + 3, b"otherlog", rewound=True)
    first = codec.read_event(feed.pull(cursor, View.RACER, 0)[0])
    assert isinstance(first, events.Snapshot)
    assert first.rewound
    shuffle(scribe, feed, 1)
    cursor.view = None
    second = codec.read_event(feed.pull(cursor, View.RACER, 0)[0])
    assert isinstance(second, events.Snapshot)
    assert not second.rewound


# Encoded once.


def test_a_message_for_many_is_encoded_once(
    scribe: Scribe, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[events.Event] = []
    encode = codec.encode

    def counting(message: events.Event) -> bytes:
        made.append(message)
        return encode(message)

    viewers = [Viewer(feed) for _ in range(500)] + [Viewer(feed, View.BOARDS) for _ in range(500)]
    monkeypatch.setattr(codec, "encode", counting)
    first = [viewer.pull() for viewer in viewers]
    assert len(made) == 2
    assert all(frames is first[0] for frames in first[:500])
    feed.extend(scribe.move(ANA, "5a"))
    for viewer in viewers[:400]:
        viewer.pull()
    feed.extend(scribe.move(ANA, "5b"))
    made.clear()
    for viewer in viewers:
        viewer.pull()
    # Racers who saw the first move, those who did not, and the same for nobody of the others.
    assert len(made) == 3


def test_the_clock_in_a_frame_is_that_of_the_moment_it_is_sent(scribe: Scribe, feed: Feed) -> None:
    started = scribe.race.life.started_at

    def clock_at(now_ms: int) -> int | None:
        (frame,) = feed.pull(Cursor("watch"), View.BOARDS, now_ms)
        event = codec.read_event(frame)
        assert isinstance(event, events.Snapshot)
        return event.clock

    assert clock_at(started + 1000) == 1000
    assert clock_at(started + 300_000) == 300_000, "nothing has happened since, but time has passed"
    assert clock_at(started + 300_000 + CLOCK_SLACK_MS) == 300_000


# Pages.


def test_a_long_snapshot_comes_in_pages_that_make_the_whole_picture() -> None:
    scribe = Scribe()
    scribe.do(*(core.Join(PlayerId(f"{i:a>16}"), f"Racer {i}") for i in range(7)))
    scribe.start()
    for i in range(120):
        scribe.do(say(scribe.race, EVE if i % 2 else ANA, f"line {i}"))
    feed = feed_of(scribe)
    viewer = Viewer(feed, View.BOARDS)
    frames = viewer.pull()
    assert len(frames) == 3
    assert viewer.following is not None
    assert viewer.following.pages_left == 0
    shown = viewer.following.picture
    assert [line.text for line in shown.chat] == [f"line {i}" for i in range(120)]
    assert len(shown.boards) == len(shown.racers) == 8


@pytest.mark.parametrize("racers", [2, 16, 17, 100])
def test_a_frame_never_outgrows_what_clients_take(racers: int) -> None:
    scribe = Scribe(replace(SETUP, max_racers=100))
    scribe.do(*(core.Join(PlayerId(f"{i:a>16}"), "\u4e00" * 20 + f"{i}") for i in range(racers - 1)))
    scribe.start()
    for i in range(500):
        scribe.do(say(scribe.race, EVE, f"{i} " + "\U0001f9ff" * 296))
    frames = Viewer(feed_of(scribe), View.BOARDS).pull()
    assert max(map(len, frames)) < 1 << 20
    assert len(frames) == max(-(-racers // wire.PAGE_BOARDS), -(-500 // wire.PAGE_CHAT))


def test_an_update_over_all_that_is_kept_never_outgrows_what_clients_take() -> None:
    scribe = Scribe().start(BEN)
    feed = feed_of(scribe)
    viewer = Viewer(feed, View.BOARDS)
    viewer.pull()
    for i in range(500):
        feed.extend(scribe.do(say(scribe.race, EVE, f"{i} " + "\U0001f9ff" * 296)))
    while scribe.race.seq < viewer.cursor.to + RING:
        feed.extend(scribe.do(core.Restart(BEN, *board_of(scribe))))
    (frame,) = viewer.pull()
    assert viewer.kinds == ["Snapshot", "Update"]
    assert len(frame) < 1 << 20


def board_of(scribe: Scribe) -> tuple[int, int, int]:
    """Ben's session, his next number, and the version of his board."""
    race = scribe.race
    return session(race, BEN), next_c(race, BEN), race.members[BEN].n


@pytest.mark.parametrize("seed", range(5))
def test_whoever_pulls_whenever_has_the_same_picture(scribe: Scribe, seed: int) -> None:
    dice = Random(seed)
    feed = feed_of(scribe)
    viewers = [Viewer(feed, dice.choice([View.RACER, View.PROGRESS, View.BOARDS])) for _ in range(12)]
    for _ in range(60):
        shuffle(scribe, feed, dice.randrange(4))
        if dice.random() < 0.3:
            feed.extend(scribe.do(say(scribe.race, dice.choice([ANA, EVE]), "hello")))
        for viewer in dice.sample(viewers, dice.randrange(len(viewers))):
            viewer.pull()
    for viewer in viewers:
        viewer.pull()
        assert viewer.agrees()
