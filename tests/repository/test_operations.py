"""What docs/operations.md says of settings, pages and numbers is so."""

import re
import shlex
import subprocess
import sys

import pytest
from ruamel.yaml import YAML

from server.gateway.limits import Limits
from server.gateway.listener import SPREAD_MS
from server.gateway.metrics import Metrics
from server.serving import EXIT_S
from server.store.opening import REDIS_SCHEMES
from server.store.redis.url import _OPTIONS, read_url
from tests.repository.files import ROOT, read

DOCUMENT = read("docs/operations.md")
COMPOSE = YAML(typ="safe").load(read("docker-compose.yml"))


def table(heading: str) -> list[list[str]]:
    """The rows of the table whose head begins with this, without the head; cells without back quotes."""
    found = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", DOCUMENT, flags=re.MULTILINE)
    assert found, heading
    rows = [row.strip("|").split(" | ") for row in found[1].splitlines()]
    return [[cell.strip().replace("`", "") for cell in row] for row in rows]


def help_of(command: str) -> str:
    """What `cellrace-server COMMAND --help` says, on one line."""
    asked = [sys.executable, "-m", "server.cli", command, "--help"]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    return " ".join(told.split())


def test_every_setting_is_there_with_its_option_and_its_default() -> None:
    read_by_server = set(re.findall(r'"(CELLRACE_\w+)"', read("server/config.py")))
    rows = table("environment")
    assert {row[0] for row in rows} == read_by_server
    told = help_of("serve")
    for name, option, default, _ in rows:
        assert option.partition(",")[0] in told, option
        said = re.search(rf"{name}[;,]? ?(?:default )?([\w.:]*)", told)
        assert said, name
        assert default == "none" or said[1] == default, (name, said[1])


def test_every_kind_of_store_is_there_and_can_be_written_so() -> None:
    written = [row[0] for row in table("store") if not row[0].startswith("sqlite:")]
    assert [store.partition(":")[0] for store in written] == list(REDIS_SCHEMES)
    for store in written:
        example = store.replace("[,...]", ",other.example")
        example = re.sub(r"[][]", "", example).replace("PORT", "6379").replace("/DB", "/1")
        assert str(read_url(example)).startswith(store.partition("[")[0])


def test_the_options_of_a_store_are_told() -> None:
    assert set(re.findall(r"\?(\w+)=", DOCUMENT)) == _OPTIONS


def test_every_number_at_metrics_is_told() -> None:
    served = set(re.findall(r"^# TYPE (\w+) ", Metrics().text().decode(), flags=re.MULTILINE))
    told = set(re.findall(r"cellrace_\w+", " ".join(row[0] for row in table("metric"))))
    assert {name for name in served if not name.endswith("_created")} == told


def test_the_limits_are_those_of_a_node() -> None:
    text = " ".join(DOCUMENT.split())
    in_all, of_one = (
        f"{limit:,}".replace(",", " ") for limit in (Limits().connections, Limits().connections_per_address)
    )
    assert f"A node takes {in_all} connections, {of_one} of one address" in text
    assert f"come back in up to {SPREAD_MS // 1000} seconds" in text
    assert f"status 0 within {EXIT_S:.0f}." in text


def commands() -> list[str]:
    """The lines of all blocks of shell commands."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines()]


def test_what_the_commands_name_is_there() -> None:
    words = [word for line in commands() for word in shlex.split(line, comments=True)]
    for word in words:
        if word.startswith(("deploy/", "docs/")):
            assert (ROOT / word).exists(), word
    named = {word.strip(";") for word in words if re.fullmatch(r"server\d;?|caddy", word)}
    assert {"server1", "server2", "server3", "caddy"} == named
    assert named <= set(COMPOSE["services"])


@pytest.mark.parametrize("line", [line for line in commands() if "cellrace-server" in line])
def test_the_options_of_the_commands_are_there(line: str) -> None:
    words = shlex.split(line, comments=True)
    place = words.index("cellrace-server")
    told = help_of(words[place + 1])
    options = [word for word in words[place:] if word.startswith("--")]
    assert [option for option in options if option not in told] == []
