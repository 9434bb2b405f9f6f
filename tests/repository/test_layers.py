"""The import contracts have teeth: each is broken here once, on a copy of the layout, and seen to be."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.repository.files import ROOT, read

LAYERS = "The server is built in layers, and every module has its place in them"
MEETING = "Server and client meet only in the protocol"
PROTOCOL = "The protocol imports nothing of ours"
PURE = "The rules and the race are pure: no clock, no I/O, no randomness, no wire"
DAILY = "The deal of the day is worked out without I/O, clock or randomness"

BREACHES = [
    (LAYERS, "server/store/sqlite.py", "import server.race_log"),
    (LAYERS, "server/race_log.py", "import server.gateway.hub"),
    (LAYERS, "server/gateway/hub.py", "import server.app"),
    (LAYERS, "server/tools.py", "import server.race.decide"),
    (LAYERS, "server/freecell/moves.py", "import server.race"),
    (LAYERS, "server/race/decide.py", "import server.clock"),
    (LAYERS, "server/homeless.py", "import server.freecell"),
    (MEETING, "client_cli/line.py", "import server.freecell"),
    (MEETING, "server/gateway/hub.py", "import client_cli"),
    (PROTOCOL, "protocol/views.py", "import server.freecell.moves"),
    (PURE, "server/race/decide.py", "import protocol"),
    (PURE, "server/race/decide.py", "import time"),
    (PURE, "server/race/decide.py", "from random import randrange"),
    (PURE, "server/freecell/moves.py", "import json"),
    (PURE, "server/freecell/moves.py", "from pathlib import Path"),
    (PURE, "server/freecell/moves.py", "def late() -> None:\n    import asyncio"),
    (DAILY, "server/daily/drawing.py", "import secrets"),
    (DAILY, "server/daily/referee.py", "import server.store"),
]


@pytest.fixture
def layout(tmp_path: Path) -> Path:
    """The packages as they are laid out, every module empty."""
    for top in ("protocol", "server", "client_cli"):
        for module in [*(ROOT / top).rglob("*.py"), ROOT / top / "__init__.py"]:
            copy = tmp_path / module.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.touch()
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def broken_contracts(layout: Path) -> list[str]:
    """The names of the contracts that do not hold there."""
    lint_imports = Path(sys.executable).with_name("lint-imports")
    command = [str(lint_imports), "--no-cache", "--no-logo"]
    result = subprocess.run(command, cwd=layout, text=True, capture_output=True, check=False, timeout=60)
    lines = result.stdout.splitlines()
    broken = [line.removesuffix(" BROKEN") for line in lines if line.endswith(" BROKEN")]
    assert (result.returncode == 0) == (not broken), result.stdout + result.stderr
    return broken


def test_the_bare_layout_keeps_all_contracts(layout: Path) -> None:
    assert broken_contracts(layout) == []


@pytest.mark.parametrize(("contract", "module", "source"), BREACHES)
def test_a_breach_is_seen(layout: Path, contract: str, module: str, source: str) -> None:
    path = layout / module
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source + "\n", encoding="utf-8")
    assert contract in broken_contracts(layout)


def test_every_contract_is_broken_once_here() -> None:
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    assert {contract["name"] for contract in contracts} == {contract for contract, _, _ in BREACHES}
