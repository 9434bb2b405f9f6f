"""How the server process ends: told to, told twice, when its parent ends, when it cannot even begin."""

import asyncio
import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from protocol import commands, events
from protocol.commands import Settings
from tests.end_to_end.player import Player
from tests.end_to_end.process import PATIENCE_S, ROOT, ServerProcess, server_process
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)
RACE: Final = Settings(deal=1, countdown_s=0, watch="live")


async def running_race(url: str, *names: str) -> tuple[str, list[Player]]:
    """A race that runs, and its racers."""
    players = [Player(url, name) for name in names]
    for player in players:
        await player.connect()
    race = await players[0].create(RACE)
    for player in players[1:]:
        await player.sit(race)
    await players[0].did(commands.Start, race)
    for player in players:
        await player.reach(race, "running")
    return race, players


async def refused_to_start(*options: str) -> str:
    """Run a server that cannot start; the one line it says why, with status 1."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server.cli", "serve", *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        output, errors = await process.communicate()
    assert (process.returncode, output) == (1, b"")
    assert errors.count(b"\n") == 1
    assert errors.startswith(b"cellrace-server: ")
    return errors.decode().rstrip("\n")


# Told to go.


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_sends_everyone_away_with_a_time_to_come_back_and_keeps_what_was_acknowledged(
    tmp_path: Path, signum: signal.Signals
) -> None:
    async with server_process(tmp_path) as server:
        race, players = await running_race(await server.start(), "Ana", "Ben", "Cid")
        sent = {
            player.id: [await player.start(commands.Move, race, move=move) for move in SOLUTION[:20]]
            for player in players
        }
        await players[0].answer_to(race, sent[players[0].id][4])
        began = asyncio.get_running_loop().time()
        server.process.send_signal(signum)
        for player in players:
            assert await player.ended() == (1012, "restarting")
            bye = player.last(events.Bye)
            assert bye is not None
            assert bye.retry_ms is not None
            assert 0 < bye.retry_ms < 10_000
        output, status = await server.end()
        assert (output, status) == ("", 0)
        assert asyncio.get_running_loop().time() - began < 20

        await server.start()
        for player in players:
            acked = max(player.chair(race).acks, default=0)
            await player.connect()
            seat = await player.sit(race)
            assert seat.last_c >= acked
            await player.until(lambda who=player: not who.chair(race).unanswered, "the rest")  # type: ignore[misc]
            assert player.chair(race).n == 20
            await player.close()
        assert (await server.stop())[1] == 0


async def test_a_server_without_guests_ends_at_once(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        await server.start()
        began = asyncio.get_running_loop().time()
        assert await server.stop() == ("", 0)
        assert asyncio.get_running_loop().time() - began < 5


async def test_told_twice_it_ends_at_once(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        race, (ana, deaf) = await running_race(await server.start(), "Ana", "Deaf")
        # Somebody is there who does not read, and for whom the first signal would wait.
        deaf.socket.transport.pause_reading()
        ack = await ana.did(commands.Move, race, move=SOLUTION[0])
        server.process.send_signal(signal.SIGTERM)
        assert await ana.ended() == (1012, "restarting")
        assert server.process.returncode is None
        server.process.send_signal(signal.SIGTERM)
        assert (await server.end())[1] == 128 + signal.SIGTERM
        await deaf.drop()
        await server.start()
        await ana.connect()
        assert (await ana.sit(race)).last_c == ack.c
        await ana.close()
        await server.stop()


async def test_a_server_told_to_go_takes_nobody_new_and_is_not_ready(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        url = await server.start()
        _, (ana,) = await running_race(url, "Ana")
        ana.socket.transport.pause_reading()  # so that it takes some time to go
        server.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_S):
            while await reachable(url):
                pass
        await ana.drop()
        assert (await server.end())[1] == 0


async def reachable(url: str) -> bool:
    """Whether anything listens there."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", int(url.rsplit(":", 1)[1]))
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


async def test_it_ends_when_its_standard_input_does(tmp_path: Path) -> None:
    async with server_process(tmp_path, "--until-stdin-closes") as server:
        _, (ana,) = await running_race(await server.start(), "Ana")
        assert server.process.stdin is not None
        server.process.stdin.write(b"what is typed does not matter\n")
        await server.process.stdin.drain()
        assert isinstance(await ana.ask(commands.Join("ABCDEFGH")), events.Refused)
        server.process.stdin.close()
        assert await ana.ended() == (1012, "restarting")
        assert await server.end() == ("", 0)


def test_it_ends_when_there_is_no_standard_input_at_all(tmp_path: Path) -> None:
    command = 'exec "$0" -m server.cli serve --port 0 --store "sqlite:$1/races" --until-stdin-closes <&-'
    ended = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("cellrace-server listening on ws://127.0.0.1:")
    assert "Traceback" not in ended.stderr


async def test_without_that_option_the_end_of_standard_input_means_nothing(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        _, (ana,) = await running_race(await server.start(), "Ana")
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert isinstance(await ana.ask(commands.Join("ABCDEFGH")), events.Refused)
        await ana.close()
        assert (await server.stop())[1] == 0


async def test_a_signal_before_it_listens_ends_it_as_well(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        for _ in range(5):
            await server.spawn()
            server.process.send_signal(signal.SIGTERM)
            _, status = await server.end()
            assert status in (0, -signal.SIGTERM)


# Cannot begin.


async def test_a_second_server_on_the_same_file_is_refused_in_one_line(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        race, (ana,) = await running_race(await server.start(), "Ana")
        line = await refused_to_start("--port", "0", "--store", f"sqlite:{server.store}")
        assert str(server.store) in line
        assert "in use by another process" in line
        await ana.did(commands.Move, race, move=SOLUTION[0])
        await ana.close()


async def test_a_port_that_is_taken_is_said_to_be_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = await refused_to_start("--port", str(port), "--store", f"sqlite:{tmp_path}/races")
    assert f"127.0.0.1 port {port}" in line
    assert "in use" in line


async def test_an_address_that_is_not_ours_is_said_to_be_in_one_line(tmp_path: Path) -> None:
    for host in ("192.0.2.1", "no.such.host.invalid"):
        line = await refused_to_start("--host", host, "--port", "0", "--store", f"sqlite:{tmp_path}/races")
        assert host in line


async def test_a_store_that_is_no_store_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear Ben, " * 100)
    (tmp_path / "newer").touch()
    for name in ("letter", ".", "no/folder/races"):
        line = await refused_to_start("--port", "0", "--store", f"sqlite:{tmp_path}/{name}")
        assert "cannot open the store" in line


async def test_it_says_where_it_listens_whatever_the_address(tmp_path: Path) -> None:
    for number, (host, shown) in enumerate([("localhost", "ws://"), ("::1", "ws://[::1]:")]):
        if host == "::1" and not has_ipv6():
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server.cli", "serve", "--host", host, "--port", "0"),
            cwd=ROOT,
            env={**os.environ, "CELLRACE_STORE": f"sqlite:{folder}/races"},
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        assert line.startswith(f"cellrace-server listening on {shown}")
        player = Player(line.split()[-1], "Ana")
        await player.connect()
        await player.close()
        process.terminate()
        assert (await process.communicate())[0] == b""
        assert process.returncode == 0


def has_ipv6() -> bool:
    """Whether this machine has an IPv6 loopback."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


# No room.


async def test_while_the_disk_is_full_all_is_unavailable_and_then_all_is_well(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        url = await server.start()
        race, (ana, ben) = await running_race(url, "Ana", "Ben")
        await ana.did(commands.Move, race, move=SOLUTION[0])
        before = ana.chair(race).board
        limit_files(server, server.store.with_name("races.sqlite-wal").stat().st_size)
        refused = await ana.do(commands.Move, race, move=SOLUTION[1])
        c = ana.chair(race).used_c
        for _ in range(3):
            assert isinstance(refused, events.Refused)
            assert (refused.code, refused.c) == ("unavailable", c)
            assert refused.retry_ms
            assert ana.chair(race).board == before
            mark = len(ana.heard)
            await ana.send(commands.Move(race, c, 1, SOLUTION[1]))
            refused = await ana.hear_that(lambda event: getattr(event, "c", 0) == c, "an answer", mark)  # type: ignore[assignment]
        assert await status_of(url, "/readyz") == 503
        assert await status_of(url, "/healthz") == 200
        late = Player(url, "Late")
        await late.connect()
        answer = await late.ask(commands.Create("a-race-too-many"))
        assert isinstance(answer, events.Refused)
        assert answer.code == "unavailable"
        assert isinstance(await ben.ask(commands.Calc(race, 0, "5")), events.Calculated)

        limit_files(server, -1)
        mark = len(ana.heard)
        await ana.send(commands.Move(race, c, 1, SOLUTION[1]))
        ack = await ana.hear(events.Ack, mark)
        assert (ack.c, ack.n, ack.repeated) == (c, 2, False)
        assert await status_of(url, "/readyz") == 200
        assert isinstance(await late.ask(commands.Create("a-race-too-many")), events.Created)
        await ben.until(lambda: ben.racer(race, ana.id).actions == 2, "the move")
        for player in (ana, ben, late):
            await player.close()
        assert (await server.stop())[1] == 0


def limit_files(server: ServerProcess, size: int) -> None:
    """Let no file of the server grow beyond so many bytes (-1: as before)."""
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, -1))


async def status_of(url: str, path: str) -> int:
    """The status of a plain page."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rsplit(":", 1)[1]))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    status = (await reader.read()).split(b" ")[1]
    writer.close()
    await writer.wait_closed()
    return int(status)
