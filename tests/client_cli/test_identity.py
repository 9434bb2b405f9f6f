"""Tokens are kept safely, one for each server."""

import getpass
import os
import stat
from pathlib import Path

import pytest

from client_cli.errors import ClientError
from client_cli.folders import config_folder, data_folder
from client_cli.identity import (
    Identity,
    TokenFile,
    is_of_one_piece,
    login_name,
    player_of,
    server_key,
    token_file,
)
from server.gateway.players import newcomer
from tests.client_cli.samples import ME, TOKEN


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("ws://127.0.0.1:8765", "127.0.0.1_8765"),
        ("wss://Race.Example", "race.example_443"),
        ("ws://race.example/path", "race.example_80"),
        ("ws://[::1]:9000", "__1_9000"),
    ],
)
def test_servers_differ_by_host_and_port(url: str, key: str) -> None:
    assert server_key(url) == key


class TestTokenFile:
    def test_there_is_none_at_first(self, tmp_path: Path) -> None:
        assert TokenFile(tmp_path / "none").read() is None

    def test_it_is_read_back_and_nobody_else_may(self, tmp_path: Path) -> None:
        kept = token_file(tmp_path / "new" / "folder", "key")
        kept.write(Identity(TOKEN, "Анна"))
        assert kept.read() == Identity(TOKEN, "Анна")
        assert kept.name() == "Анна"
        assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(kept.path.parent.stat().st_mode) == 0o700
        assert [path.name for path in kept.path.parent.iterdir()] == ["key"]

    def test_another_token_takes_its_place(self, tmp_path: Path) -> None:
        kept = token_file(tmp_path, "key")
        kept.write(Identity(TOKEN, "ann"))
        kept.write(Identity(TOKEN.replace("c", "d")))
        assert kept.read() == Identity(TOKEN.replace("c", "d"))
        assert kept.name() == ""

    def test_a_write_that_fails_leaves_the_old_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kept = token_file(tmp_path, "key")
        kept.write(Identity(TOKEN))

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(ClientError, match="No space left"):
            kept.write(Identity(TOKEN.replace("c", "d")))
        assert kept.read() == Identity(TOKEN)
        assert [path.name for path in kept.path.parent.iterdir()] == ["key"]

    def test_something_else_in_its_place_is_not_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / "notes").write_text("my notes\n")
        with pytest.raises(ClientError, match="holds no token"):
            TokenFile(tmp_path / "notes").read()
        assert TokenFile(tmp_path / "notes").name() == ""

    def test_a_name_from_a_file_is_clean(self, tmp_path: Path) -> None:
        (tmp_path / "token").write_text(f"{TOKEN}\n\x1b[31mann\n")
        assert TokenFile(tmp_path / "token").read() == Identity(TOKEN, "[31mann")

    def test_what_cannot_be_read_or_written_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ClientError, match="cannot read the token"):
            TokenFile(tmp_path / "file" / "below").read()
        with pytest.raises(ClientError, match="cannot keep the token"):
            TokenFile(tmp_path / "file" / "below").write(Identity(TOKEN))


def test_the_player_is_the_first_part() -> None:
    assert player_of(TOKEN) == ME


def test_a_system_without_users_has_players(monkeypatch: pytest.MonkeyPatch) -> None:
    assert login_name()

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert login_name() == "player"


def test_one_variable_moves_everything(tmp_path: Path) -> None:
    environment = {"CELLRACE_HOME": str(tmp_path)}
    assert config_folder(environment) == data_folder(environment) == tmp_path
    assert config_folder({}).name == data_folder({}).name == "cellrace"


def test_an_id_is_made_from_its_secret_as_the_server_makes_it() -> None:
    token = newcomer("ann").token
    assert token is not None
    assert is_of_one_piece(token)
    assert not is_of_one_piece(TOKEN)
    assert not is_of_one_piece(token[:-1] + ("a" if token[-1] != "a" else "b"))
