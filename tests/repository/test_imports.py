"""Whatever is imported is the standard library's, ours, or asked for by the part that imports it."""

import ast
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repository.files import ROOT, read

PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
BASE: list[str] = PROJECT["dependencies"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
OURS = {"protocol", "server", "client_cli", "tests"}

ALLOWED = {
    "protocol": BASE,
    "client_cli": BASE,
    "server": BASE + EXTRAS["server"] + EXTRAS["solver"],
    "tests": BASE + EXTRAS["server"] + EXTRAS["solver"] + EXTRAS["dev"],
}


def imported(path: Path) -> set[str]:
    """The top-level modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


@cache
def distributions() -> dict[str, set[str]]:
    """Module to the distributions that bring it."""
    found = packages_distributions().items()
    return {module: {canonicalize_name(name) for name in names} for module, names in found}


@pytest.mark.parametrize("package", ALLOWED)
def test_every_import_is_asked_for(package: str) -> None:
    allowed = {canonicalize_name(Requirement(text).name) for text in ALLOWED[package]}
    others = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / package).rglob("*.py")
        for module in imported(path) - OURS - sys.stdlib_module_names
        if not distributions().get(module, set()) & allowed
    }
    assert others == set()


def test_an_import_inside_a_function_counts(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("import a.b, c\ndef f():\n    from d.e import g\n", encoding="utf-8")
    assert imported(module) == {"a", "c", "d"}
