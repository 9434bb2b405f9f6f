"""Who one is, and how to be the same on another machine."""

import getpass
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from client_cli import language
from client_cli.errors import ClientError
from client_cli.identity import Identity, token_file
from client_cli.screens.preferences import Preferences, save
from tests.client_cli.commands.running import Running, command
from tests.client_cli.samples import TOKEN as BROKEN

TOKEN = "lrrx2sgngsmisjdl.cccccccccccccccccccccccccc"
ME = TOKEN[:16]
URL = "wss://race.example"
SECRET = f"{TOKEN}@{URL}"


async def shown(running: Running, *arguments: str) -> str:
    """What `whoami` prints."""
    assert await running.run("whoami", *arguments) == 0
    return running.shown


async def test_it_tells_all_but_the_secret(tmp_path: Path) -> None:
    tokens = token_file(tmp_path, "race.example_443")
    tokens.write(Identity(TOKEN, "ann"))
    async with command(tmp_path) as running:
        text = await shown(running, "--server", URL)
    assert text == f"server: {URL}\nplayer: {ME}\nname: ann\ntoken: {tokens.path}\n"
    assert TOKEN not in text


async def test_the_name_is_the_one_that_goes_with_the_token(tmp_path: Path) -> None:
    save(tmp_path, Preferences(name="zoe"))
    (tmp_path / "token").write_text(f"{TOKEN}\nrobot\n")
    async with command(tmp_path) as running:
        assert "name: robot" in await shown(running, "--token-file", str(tmp_path / "token"))
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    async with command(tmp_path) as running:
        assert "name: zoe" in await shown(running, "--token-file", str(tmp_path / "token"))


async def test_in_portuguese(tmp_path: Path) -> None:
    token_file(tmp_path, "this-machine").write(Identity(TOKEN))
    async with command(tmp_path) as running:
        assert "servidor: esta máquina\njogador: " in await shown(running, "--local", "--lang", "pt")
    language.use("en")


async def test_the_secret_goes_from_one_machine_to_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token_file(tmp_path / "here", "race.example_443").write(Identity(TOKEN, "ann"))
    async with command(tmp_path / "here") as here:
        secret = await shown(here, "--server", URL, "--export")
    assert secret == f"{SECRET}\n"
    assert "show it to nobody" in capsys.readouterr().err
    async with command(tmp_path / "there") as there:
        there.type(secret)
        there.end()
        text = await shown(there, "--import")
    kept = token_file(tmp_path / "there", "race.example_443")
    assert text == f"You are player {ME} on {URL} now; that is kept in {kept.path}\n"
    assert kept.read() == Identity(TOKEN)
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600


async def test_the_server_may_have_another_address_from_there(tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        running.type(SECRET)
        running.end()
        assert "on ws://10.0.0.1:8765 now" in await shown(
            running, "--import", "--server", "ws://10.0.0.1:8765"
        )
    assert token_file(tmp_path, "10.0.0.1_8765").read() == Identity(TOKEN)


async def test_the_usual_server_is_not_taken_for_that_of_the_secret(tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        named = {**running.world.environment, "CELLRACE_SERVER": "ws://10.0.0.1:8765"}
        running.world = replace(running.world, environment=named)
        running.type(SECRET)
        running.end()
        assert f"on {URL} now" in await shown(running, "--import")
    assert not token_file(tmp_path, "10.0.0.1_8765").path.exists()


async def test_a_person_pastes_it_without_an_echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getpass", lambda _: f" {SECRET} ")
    async with command(tmp_path, is_interactive=True) as running:
        assert ME in await shown(running, "--import")


async def test_who_one_is_already_is_not_overwritten(tmp_path: Path) -> None:
    tokens = token_file(tmp_path, "race.example_443")
    for before, may in ((Identity(TOKEN, "ann"), True), (Identity(BROKEN, "bob"), False)):
        tokens.write(before)
        async with command(tmp_path) as running:
            running.type(SECRET)
            running.end()
            if may:
                await shown(running, "--import")
            else:
                with pytest.raises(ClientError, match=f"already, player {BROKEN[:16]}; move it away first"):
                    await running.run("whoami", "--import")
        assert tokens.read() == before


@pytest.mark.parametrize("text", ["", TOKEN, f"{TOKEN}@", "x@ws://here:1", f"{SECRET}\n{SECRET}", "é" * 3000])
async def test_what_is_no_secret(tmp_path: Path, text: str) -> None:
    async with command(tmp_path) as running:
        running.type(text)
        running.end()
        with pytest.raises(ClientError, match=r"no secret|not a server"):
            await running.run("whoami", "--import")
    assert not (tmp_path / "tokens").exists()


async def test_a_secret_whose_halves_do_not_belong_together(tmp_path: Path) -> None:
    tokens = token_file(tmp_path, "race.example_443")
    for before in (None, Identity(TOKEN, "ann")):
        if before:
            tokens.write(before)
        async with command(tmp_path) as running:
            running.type(f"{BROKEN}@{URL}")
            running.end()
            with pytest.raises(ClientError, match="do not belong together"):
                await running.run("whoami", "--import")
        assert tokens.read() == before


async def test_nothing_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_: str) -> str:
        raise EOFError

    monkeypatch.setattr(getpass, "getpass", end)
    async with command(tmp_path, is_interactive=True) as running:
        with pytest.raises(ClientError, match="no secret"):
            await running.run("whoami", "--import")
