"""The container files fit each other and the repository; no engine is needed to see that."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.repository.files import ROOT, read

DOCKERFILE = read("Dockerfile").replace("\\\n", " ")
COMPOSE = YAML(typ="safe").load(read("docker-compose.yml"))


def compose_check(path: Path) -> int:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode


def test_the_compose_file_is_one() -> None:
    assert compose_check(ROOT / "docker-compose.yml") == 0


def test_the_check_of_the_compose_file_sees_a_mistake(tmp_path: Path) -> None:
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text(read("docker-compose.yml").replace("restart:", "restarts:"), encoding="utf-8")
    assert compose_check(wrong) == 1


def test_the_volume_is_where_the_server_keeps_its_races() -> None:
    (server,) = COMPOSE["services"].values()
    volume, target = server["volumes"][0].split(":")
    assert volume in COMPOSE["volumes"]
    assert f"VOLUME {target}\n" in DOCKERFILE
    assert f"CELLRACE_STORE=sqlite:{target}/" in DOCKERFILE


def test_the_published_port_is_the_server_s() -> None:
    (server,) = COMPOSE["services"].values()
    port = server["ports"][0].rsplit(":", 1)[1]
    assert f"EXPOSE {port}\n" in DOCKERFILE
    assert f"CELLRACE_PORT={port}" in DOCKERFILE


def test_what_the_image_is_built_from_is_there_and_not_ignored() -> None:
    allowed = [line.removeprefix("!") for line in read(".dockerignore").splitlines() if line.startswith("!")]
    copies = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, flags=re.MULTILINE)
    sources = [source for copy in copies for source in copy.split()]
    assert {"protocol", "server", "client_cli", "pyproject.toml"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(fnmatch(source.split("/")[0], pattern) for pattern in allowed), source


def test_the_server_does_not_run_as_root() -> None:
    users = re.findall(r"^USER (\w+)$", DOCKERFILE, flags=re.MULTILINE)
    assert users
    assert users[-1] != "root"


class TestHealthCheck:
    """The command of the image's health check, run against a server that is ready or not."""

    STATUS: int

    @pytest.fixture
    def port(self) -> Iterator[int]:
        test = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(test.STATUS if self.path == "/readyz" else 404)
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                """Say nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            yield server.server_port
            server.shutdown()
            thread.join()

    def check(self, port: int) -> int:
        found = re.search(r"^HEALTHCHECK .* CMD (\[.*\])$", DOCKERFILE, flags=re.MULTILINE)
        assert found
        python, *args = json.loads(found[1])
        assert python == "python"
        command = [sys.executable, *args]
        environment = {"CELLRACE_PORT": str(port)}
        return subprocess.run(
            command, env=environment, stderr=subprocess.DEVNULL, check=False, timeout=30
        ).returncode

    @pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
    def test_it_is_what_readyz_says(self, port: int, status: int, healthy: bool) -> None:
        self.STATUS = status
        assert (self.check(port) == 0) is healthy

    def test_nobody_there_is_not_healthy(self) -> None:
        assert self.check(1) != 0
