import errno
import io
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from client_cli.cli import build_parser
from client_cli.ghosts import Haunt
from client_cli.screens.likes import Likes
from client_cli.screens.preferences import MAX_RECENT, Preferences, Recent, load, save
from client_cli.screens.recent_view import recent_text
from client_cli.wiring import Server
from client_cli.world import World
from tests.client_cli.samples import in_lobby


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    kept = Preferences(four_colours=True, name="ann", server="ws://x:1").with_race(Recent("ABCDEFGH", ""))
    assert save(tmp_path / "new", kept) == ""
    assert load(tmp_path / "new") == kept
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["screen.json"]


def test_nothing_was_kept(tmp_path: Path) -> None:
    assert load(tmp_path) == Preferences()


@pytest.mark.parametrize("text", ["", "{", '{"name": 3}', "[]", '{"x":' + "[" * 60_000, "{}" + " " * 65_536])
def test_what_cannot_be_read_is_let_go(tmp_path: Path, text: str) -> None:
    (tmp_path / "screen.json").write_text(text)
    assert load(tmp_path) == Preferences()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "screen.json")
    assert load(tmp_path) == Preferences()


@pytest.mark.parametrize(
    ("kept", "name"), [("   ", ""), ("a" * 201, ""), (" ann\x1b[31m ", "ann [31m"), ("a" * 200, "a" * 200)]
)
def test_a_name_that_cannot_be_one_is_let_go(tmp_path: Path, kept: str, name: str) -> None:
    assert save(tmp_path, Preferences(name=kept)) == ""
    assert load(tmp_path).name == name


@pytest.mark.parametrize("race", ["", "daily:x", "ABCDEFGH\n", "ABCDEFG\x1b"])
def test_a_race_that_cannot_be_one_is_let_go(tmp_path: Path, race: str) -> None:
    kept = Preferences().with_race(Recent("ABCDEFGH", ""))
    assert save(tmp_path, kept.with_race(Recent(race, "")).with_race(Recent("BBBBBBBB", "ws://\x1bx"))) == ""
    assert load(tmp_path) == kept


def test_the_server_is_kept_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    assert save(tmp_path, Preferences(server="ws://\x1b[2Jx")) == ""
    assert load(tmp_path).server == "ws:// [2Jx"


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


def test_a_name_costs_neither_its_race_nor_the_rest(tmp_path: Path) -> None:
    odd = "a" + "\u0301" * 4 + "\u200d" + "\u0301"
    assert save(tmp_path, Preferences(name="ann").with_race(Recent("ABCDEFGH", "", others=(odd,)))) == ""
    (recent,) = load(tmp_path).recent
    assert recent.race == "ABCDEFGH"
    assert recent.others[0].startswith("a\u0301")


@pytest.mark.parametrize(
    "told",
    [
        {"others": ("b" * 70_000,)},
        {"others": ("b",) * 70_000},
        {"daily": "b" * 70_000},
        {"day": "b" * 70_000},
        {"end": "b" * 70_000},
        {"against": Haunt("ABCDEFGH", "b" * 70_000)},
        {"against": Haunt("b" * 70_000)},
    ],
)
def test_whatever_a_server_tells_of_a_race_costs_no_other(tmp_path: Path, told: dict[str, Any]) -> None:
    kept = Preferences(name="ann").with_race(Recent("ABCDEFGH", "wss://friends.example"))
    assert save(tmp_path, kept.with_race(Recent("BBBBBBBB", "wss://evil.example", **told))) == ""
    found = load(tmp_path)
    assert [recent.race for recent in found.recent] == ["BBBBBBBB", "ABCDEFGH"]
    assert len(repr(found.recent[0])) < 500


def test_more_than_can_be_read_again_is_not_kept(tmp_path: Path) -> None:
    kept = Preferences(name="ann", contrast=True).with_race(Recent("ABCDEFGH", ""))
    assert save(tmp_path, kept.with_race(Recent("BBBBBBBB", "ws://" + "b" * 70_000))) == ""
    assert load(tmp_path) == kept


@pytest.mark.parametrize("odd", ['{"race": 7}', "7", '{"race": "BBBBBBBB", "server": "", "against": "x"}'])
def test_a_race_that_cannot_be_read_costs_neither_the_others_nor_the_rest(tmp_path: Path, odd: str) -> None:
    (tmp_path / "screen.json").write_text(
        f'{{"name": "ann", "recent": [{odd}, {{"race": "ABCDEFGH", "server": ""}}]}}'
    )
    assert load(tmp_path) == Preferences(name="ann", recent=(Recent("ABCDEFGH", ""),))


@pytest.mark.parametrize("recent", ["7", '"x"', "{}", "null"])
def test_races_that_are_no_list_cost_nothing_else(tmp_path: Path, recent: str) -> None:
    (tmp_path / "screen.json").write_text(f'{{"name": "ann", "recent": {recent}}}')
    assert load(tmp_path) == Preferences(name="ann")


def test_news_of_a_race_leave_it_where_it_is() -> None:
    kept = Preferences().with_race(Recent("RACE1", "", deal=7)).with_race(Recent("RACE2", ""))
    assert kept.with_news("RACE1", is_over=True).recent == (
        Recent("RACE2", ""),
        Recent("RACE1", "", is_over=True, deal=7),
    )
    assert kept.with_news("RACE3", is_over=True) == kept


def test_what_is_shown_of_a_race_is_read_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    assert save(tmp_path, Preferences().with_race(Recent("ABCDEFGH", "", daily="\x1b[2J", end="\x1b"))) == ""
    (recent,) = load(tmp_path).recent
    assert recent.daily == " [2J"
    assert "\x1b" not in recent_text(recent)


def test_a_race_that_is_looked_at_again_keeps_its_day() -> None:
    kept = Preferences().with_race(Recent("RACE1", "", day="2026-11-30"))
    assert kept.with_race(Recent("RACE1", "", day="2026-12-01")).recent[0].day == "2026-11-30"


def test_a_race_that_is_gone_back_to_keeps_its_ghost() -> None:
    haunted = Recent("RACE1", "", against=Haunt("BBBBBBBB", "bob"))
    kept = Preferences().with_race(haunted).with_race(Recent("RACE3", "")).with_race(Recent("RACE1", ""))
    assert kept.recent == (haunted, Recent("RACE3", ""))
    other = Recent("RACE1", "", against=Haunt("DDDDDDDD"))
    assert kept.with_race(other).recent[0] == other
    assert [kept.ghost_in(race) for race in ("RACE1", "RACE3", "RACE4")] == [
        Haunt("BBBBBBBB", "bob"),
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("haunt", "against"),
    [(Haunt("BBBBBBBB", "c" * 16), Haunt("BBBBBBBB", "c" * 16)), (Haunt("B\x1b"), None), (Haunt(""), None)],
)
def test_a_ghost_that_cannot_be_is_let_go_and_its_race_is_not(
    tmp_path: Path, haunt: Haunt, against: Haunt | None
) -> None:
    assert save(tmp_path, Preferences().with_race(Recent("ABCDEFGH", "", against=haunt))) == ""
    assert load(tmp_path).recent == (Recent("ABCDEFGH", "", against=against),)


def test_what_could_not_be_kept_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fails)
    assert save(tmp_path, Preferences()) == "No space left on device"
    assert list(tmp_path.iterdir()) == []


def likes(folder: Path) -> Likes:
    args = build_parser().parse_args(["home", "--ascii"])
    return Likes(args, World({"CELLRACE_HOME": str(folder)}, 0, io.StringIO(), is_interactive=True), print)


def test_two_programs_do_not_overwrite_each_others_races(tmp_path: Path) -> None:
    one, other = likes(tmp_path), likes(tmp_path)
    server = Server("ws://x:1", "x_1")
    one.keep_race(replace(in_lobby(), race="AAAAAAAA"), server)
    other.keep_race(replace(in_lobby(), race="BBBBBBBB"), server)
    one.choose("contrast", value=True)
    kept = load(tmp_path)
    assert [recent.race for recent in kept.recent] == ["BBBBBBBB", "AAAAAAAA"]
    assert kept.contrast


def test_what_is_heard_of_a_race_that_another_program_has_kept_is_kept(tmp_path: Path) -> None:
    one, other = likes(tmp_path), likes(tmp_path)
    one.keep_race(replace(in_lobby(), race="AAAAAAAA"), Server("ws://x:1", "x_1"))
    other.keep_news("AAAAAAAA", is_over=True)
    (recent,) = load(tmp_path).recent
    assert recent.is_over


def test_what_cannot_be_kept_is_known_as_long_as_the_program_runs(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    mine = likes(tmp_path / "x")
    mine.choose("contrast", value=True)
    mine.keep(name="ann")
    assert (mine.preferences.contrast, mine.preferences.name) == (True, "ann")


def test_why_it_cannot_be_kept_where_a_file_stands_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    assert save(tmp_path / "x", Preferences()) != ""
