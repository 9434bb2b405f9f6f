"""The container files fit each other and the repository; no engine is needed to see that."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from urllib.request import urlopen

import pytest
from ruamel.yaml import YAML

from server.config import proxies
from server.gateway.addresses import client_address
from server.serving import EXIT_S
from tests.end_to_end.topology import caddy_program
from tests.redis_server import free_port
from tests.repository.files import ROOT, read

DOCKERFILE = read("Dockerfile").replace("\\\n", " ")
CADDYFILE_PATH = ROOT / "deploy/Caddyfile"
CADDYFILE = read("deploy/Caddyfile")
TLS = read("deploy/tls.yml")
COMPOSE = YAML(typ="safe").load(read("docker-compose.yml"))
SERVICES = COMPOSE["services"]
CADDY, REDIS = SERVICES["caddy"], SERVICES["redis"]
NODES = {name: service for name, service in SERVICES.items() if service.get("image") == "cellrace"}


def compose_check(path: Path) -> int:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode


@pytest.mark.parametrize("name", ["docker-compose.yml", "deploy/tls.yml"])
def test_the_compose_file_is_one(name: str) -> None:
    assert compose_check(ROOT / name) == 0


def test_the_check_of_the_compose_file_sees_a_mistake(tmp_path: Path) -> None:
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text(read("docker-compose.yml").replace("restart:", "restarts:"), encoding="utf-8")
    assert compose_check(wrong) == 1


def test_there_are_three_nodes_which_are_all_the_same() -> None:
    first, *others = NODES.values()
    assert others == [first, first]


def test_a_server_alone_keeps_its_races_in_the_volume() -> None:
    (target,) = re.findall(r"^VOLUME (\S+)$", DOCKERFILE, flags=re.MULTILINE)
    assert f"CELLRACE_STORE=sqlite:{target}/" in DOCKERFILE


def test_a_node_on_redis_leaves_no_volume_behind() -> None:
    (volume,) = re.findall(r"^VOLUME (\S+)$", DOCKERFILE, flags=re.MULTILINE)
    for node in NODES.values():
        assert node["environment"]["CELLRACE_STORE"].startswith("redis://")
        assert volume in node["tmpfs"]


def test_the_nodes_know_no_setting_that_the_server_does_not() -> None:
    told = read("server/config.py")
    for node in NODES.values():
        assert all(f'"{name}"' in told for name in node["environment"])


def test_the_nodes_believe_caddy_wherever_it_is_in_a_private_network() -> None:
    for node in NODES.values():
        trusted = proxies(node["environment"]["CELLRACE_TRUST_PROXY"])
        for inside, outside in [("172.18.0.5", "203.0.113.9"), ("fd00::5", "2001:db8::9")]:
            counted = client_address(outside, [], ())
            assert client_address(inside, [outside], trusted) == counted
            assert client_address(outside, [inside], trusted) == counted
        assert "ports" not in node


def test_what_redis_acknowledges_is_on_its_disk_and_stays() -> None:
    options = dict(pairwise(REDIS["command"]))
    assert options["--appendonly"] == "yes"
    assert options["--appendfsync"] == "always"
    assert options["--maxmemory-policy"] == "noeviction"


def test_every_named_volume_is_declared_and_used() -> None:
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert {name for name in used if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert any(volume.startswith("redis:") for volume in REDIS["volumes"])


def test_every_part_has_a_health_check_and_comes_back_by_itself() -> None:
    for name, service in SERVICES.items():
        assert "healthcheck" in service or (name in NODES and "HEALTHCHECK" in DOCKERFILE), name
        assert service["restart"] == "unless-stopped", name


def test_a_node_has_the_time_that_it_may_take_to_end() -> None:
    for node in NODES.values():
        assert float(node["stop_grace_period"].removesuffix("s")) > EXIT_S


def test_the_ports_fit() -> None:
    (port,) = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, flags=re.MULTILINE)
    assert f"CELLRACE_PORT={port}" in DOCKERFILE
    assert set(CADDY["environment"]["CELLRACE_NODES"].split()) == {f"{name}:{port}" for name in NODES}
    assert CADDY["ports"][0].rsplit(":", 1)[1] == re.findall(r"\{\$CELLRACE_SITE::(\d+)\}", CADDYFILE)[0]


def test_caddy_is_given_the_folder_with_its_file() -> None:
    (folder,) = [volume.split(":")[0] for volume in CADDY["volumes"] if ":/etc/caddy:" in volume]
    assert (ROOT / folder / "Caddyfile").exists()


def test_the_caddyfile_is_one_and_written_as_caddy_writes_it(tmp_path: Path) -> None:
    environment = {"CELLRACE_NODES": CADDY["environment"]["CELLRACE_NODES"], "HOME": str(tmp_path)}
    adapt = [
        caddy_program(),
        "adapt",
        "--config",
        str(CADDYFILE_PATH),
        "--adapter",
        "caddyfile",
        "--validate",
    ]
    told = subprocess.run(adapt, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert told.returncode == 0, told.stderr
    assert all(node in told.stdout for node in environment["CELLRACE_NODES"].split())
    command = [caddy_program(), "fmt", str(CADDYFILE_PATH)]
    formatted = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert formatted.stdout == CADDYFILE


def test_the_health_check_of_caddy_finds_it_and_is_not_in_its_log(tmp_path: Path) -> None:
    admin, site = free_port(), free_port()
    environment = {
        "CELLRACE_NODES": f"127.0.0.1:{free_port()}",
        "CELLRACE_SITE": f":{site}",
        "CELLRACE_BIND": "127.0.0.1",
        "CELLRACE_ADMIN": f"localhost:{admin}",
        "HOME": str(tmp_path),
    }
    asked = CADDY["healthcheck"]["test"][-1].replace(":2019/", f":{admin}/")
    command = [caddy_program(), "run", "--config", str(CADDYFILE_PATH), "--adapter", "caddyfile"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as caddy:
        assert caddy.stderr is not None
        try:
            told = next(line for line in caddy.stderr if "serving initial configuration" in line)
            with urlopen(asked, timeout=20) as page:
                assert page.status == 200, told
        finally:
            caddy.terminate()
        assert "received request" not in caddy.stderr.read()


def test_the_settings_of_caddy_are_those_its_file_explains() -> None:
    used = set(re.findall(r"\{\$(\w+)", CADDYFILE))
    explained = set(re.findall(r"^#   (\w+) ", CADDYFILE, flags=re.MULTILINE))
    set_here = set(CADDY["environment"]) | set(YAML(typ="safe").load(TLS)["services"]["caddy"]["environment"])
    assert used == explained
    assert set_here <= used


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
