from pathlib import Path

import pytest

from client_cli.screens.preferences import MAX_RECENT, Preferences, Recent, load, save


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    kept = Preferences(four_colours=True, name="ann", server="ws://x:1").with_race(Recent("ABCDEFGH", ""))
    assert save(tmp_path / "new", kept) == ""
    assert load(tmp_path / "new") == kept
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["screen.json"]


def test_nothing_was_kept(tmp_path: Path) -> None:
    assert load(tmp_path) == Preferences()


@pytest.mark.parametrize("text", ["", "{", '{"name": 3}', "[]"])
def test_what_cannot_be_read_is_let_go(tmp_path: Path, text: str) -> None:
    (tmp_path / "screen.json").write_text(text)
    assert load(tmp_path) == Preferences()


def test_what_a_newer_version_has_written(tmp_path: Path) -> None:
    (tmp_path / "screen.json").write_text('{"contrast": true, "sound": "loud"}')
    assert load(tmp_path) == Preferences(contrast=True)


def test_the_newest_race_comes_first_and_once() -> None:
    kept = Preferences()
    for place in range(MAX_RECENT + 3):
        kept = kept.with_race(Recent(f"RACE{place}", ""))
    kept = kept.with_race(Recent("RACE9", "ws://x:1"))
    assert kept.recent[0] == Recent("RACE9", "ws://x:1")
    assert len(kept.recent) == MAX_RECENT
    assert len({recent.race for recent in kept.recent}) == MAX_RECENT


def test_who_raced_in_a_race_and_looks_at_it_later_is_no_mere_watcher() -> None:
    kept = Preferences().with_race(Recent("RACE1", "")).with_race(Recent("RACE1", "", watched=True, deal=7))
    assert kept.recent == (Recent("RACE1", "", deal=7),)
    kept = Preferences().with_race(Recent("RACE1", "", watched=True))
    assert kept.with_race(Recent("RACE1", "", watched=True)).recent[0].watched
    assert not kept.with_race(Recent("RACE1", "")).recent[0].watched


def test_why_it_cannot_be_kept_where_a_file_stands_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    assert save(tmp_path / "x", Preferences()) != ""
