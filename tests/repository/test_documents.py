"""What the documents say of the repository is true, and no file speaks of the machine it was written on."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.repository.files import ROOT, read, written_files

CONTRIBUTING = read("CONTRIBUTING.md")
PROJECT = tomllib.loads(read("pyproject.toml"))["project"]

# Written apart, so that this file does not contain what it looks for.
FOREIGN = {
    "a path of somebody's machine": r"(?<![\w.~$-])/" + r"(root|home|work|tmp)/",
    "the address of a package registry": r"pypi\." + r"org|pythonhosted\." + r"org|npmjs\." + r"(org|com)",
    "something left for later": r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b",
    "a merge that was not finished": r"^(<{7}|>{7}) ",
}


@pytest.mark.parametrize("what", FOREIGN)
def test_no_file_contains(what: str) -> None:
    pattern = re.compile(FOREIGN[what], flags=re.MULTILINE)
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in written_files()
        for match in pattern.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


def test_the_search_reaches_every_kind_of_file() -> None:
    names = {str(path.relative_to(ROOT)) for path in written_files()}
    assert {".ci/run", ".gitignore", "Makefile", "pyproject.toml", "server/__init__.py"} <= names
    assert not any(".venv" in name for name in names)


def reasons() -> dict[str, str]:
    """The rows of the tables in CONTRIBUTING that explain a dependency: name to reason."""
    rows = re.findall(r"^\| `([\w.-]+)` \| (.+?) \|$", CONTRIBUTING, flags=re.MULTILINE)
    return dict(rows)


def test_every_dependency_has_its_reason() -> None:
    extras: dict[str, list[str]] = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(name for extra in extras.values() for name in extra)]
    names = {Requirement(text).name for text in wanted} | {"setuptools"}
    assert set(reasons()) == names
    assert all(len(reason.split()) > 3 for reason in reasons().values())


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", read("Makefile"), flags=re.MULTILINE))
    named = {
        target
        for document in ("CONTRIBUTING.md", "README.md", ".ci/run")
        for target in re.findall(r"`make ([a-z]+)|^ *(?:exec )?make ([a-z]+)", read(document), re.MULTILINE)
        for target in target
        if target
    }
    assert {"test", "lint", "format", "bench", "demo", "play"} <= named
    assert named <= targets


def paths_named(document: str) -> list[str]:
    """The paths inside the repository that a document names in back quotes or links to."""
    text = read(document)
    quoted = re.findall(r"`((?:protocol|server|client_cli|tests|docs|requirements)/[\w./-]*)`", text)
    linked = [link for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) if "://" not in link]
    return quoted + linked


@pytest.mark.parametrize("document", sorted(path.name for path in ROOT.glob("*.md")))
def test_the_paths_that_a_document_names_exist(document: str) -> None:
    missing = [path for path in paths_named(document) if not (ROOT / path).exists()]
    assert missing == []


def test_the_licence_is_the_one_that_is_declared() -> None:
    assert PROJECT["license"] == "MIT"
    assert read("LICENSE").startswith("MIT License\n")
    assert "cellrace contributors" in read("LICENSE")


def test_the_changelog_has_this_version_or_is_ahead_of_it() -> None:
    headings = re.findall(r"^## \[(.+?)\]", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1:2] in ([], [PROJECT["version"]])


@pytest.mark.parametrize("package", ["protocol", "server", "client_cli", "tests"])
def test_every_folder_of_code_is_a_package(package: str) -> None:
    folders = {path.parent for path in (ROOT / package).rglob("*.py")}
    assert folders
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_tests_mirror_the_code() -> None:
    """A folder of tests under the name of a package belongs to a package that exists."""
    mirrored = [
        path.parent.relative_to(ROOT / "tests")
        for top in ("protocol", "server", "client_cli")
        for path in (ROOT / "tests" / top).rglob("__init__.py")
    ]
    assert Path("protocol") in mirrored
    assert [str(folder) for folder in mirrored if not (ROOT / folder / "__init__.py").exists()] == []
