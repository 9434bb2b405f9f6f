"""What is built for installing holds every module and nothing else, and its commands lead somewhere."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from protocol.version import RELEASE
from tests.repository.files import ROOT

PACKAGES = ("protocol", "server", "client_cli")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The built distribution, from a copy, for building leaves files behind."""
    copy = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in (*PACKAGES, "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(out), str(copy)], check=True, timeout=110)
    (built,) = out.glob("cellrace-*-py3-none-any.whl")
    return zipfile.ZipFile(built)


def test_it_holds_every_module_and_no_tests(wheel: zipfile.ZipFile) -> None:
    modules = {name for name in wheel.namelist() if name.endswith(".py")}
    written = {str(path.relative_to(ROOT)) for top in PACKAGES for path in (ROOT / top).rglob("*.py")}
    assert modules == written


def test_it_holds_what_the_modules_read(wheel: zipfile.ZipFile) -> None:
    data = {"server/deals/winnable.bin", "client_cli/locale/pt/LC_MESSAGES/cellrace.po"}
    assert data <= set(wheel.namelist())


def test_it_holds_the_licence(wheel: zipfile.ZipFile) -> None:
    assert any(Path(name).name == "LICENSE" for name in wheel.namelist())


@pytest.mark.parametrize("command", ["cellrace", "cellrace-server"])
def test_its_commands_lead_somewhere(command: str) -> None:
    (entry,) = entry_points(group="console_scripts", name=command)
    assert callable(entry.load())


def test_the_programs_tell_the_version_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == RELEASE
