"""The pins install the same thing everywhere: exact versions, hashes, no addresses."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repository.files import read

PYPROJECT = tomllib.loads(read("pyproject.toml"))
BASE: list[str] = PYPROJECT["project"]["dependencies"]
EXTRAS: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]
BUILD: list[str] = PYPROJECT["build-system"]["requires"]
TO_PLAY = BASE + EXTRAS["server"] + BUILD

BROUGHT_BY_TEXTUAL = {
    "linkify-it-py",
    "markdown-it-py",
    "mdit-py-plugins",
    "mdurl",
    "pygments",
    "typing-extensions",
}

LISTS = {
    "requirements/play.txt": TO_PLAY,
    "requirements/solver.txt": TO_PLAY + EXTRAS["solver"],
    "requirements/dev.txt": TO_PLAY + EXTRAS["solver"] + EXTRAS["dev"],
}


def entries(name: str) -> list[str]:
    """Each requirement of the file with its hashes, on one line; comments left out."""
    uncommented = re.sub(r"^\s*#.*$", "", read(name), flags=re.MULTILINE)
    return [line for line in uncommented.replace("\\\n", " ").splitlines() if line.strip()]


def pins(name: str) -> dict[str, str]:
    """Package to version."""
    found: dict[str, str] = {}
    for entry in entries(name):
        requirement = Requirement(entry.split(" --hash")[0])
        found[canonicalize_name(requirement.name)] = str(requirement.specifier).removeprefix("==")
    return found


@pytest.mark.parametrize("name", LISTS)
def test_every_pin_is_one_version_with_hashes(name: str) -> None:
    assert entries(name)
    for entry in entries(name):
        assert re.fullmatch(r"[\w.-]+==[\w.]+( ; [^@]+?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*", entry), entry


@pytest.mark.parametrize("name", LISTS)
def test_no_pin_names_an_address_or_a_path(name: str) -> None:
    assert not re.search(r"://|--index-url|--extra-index-url|--find-links|--trusted-host| @ |^-", read(name))


@pytest.mark.parametrize(("name", "wanted"), LISTS.items(), ids=LISTS.keys())
def test_everything_asked_for_is_pinned_within_its_bounds(name: str, wanted: list[str]) -> None:
    pinned = pins(name)
    for requirement in map(Requirement, wanted):
        version = pinned[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}"


def test_the_lists_agree() -> None:
    play, solver, dev = map(pins, LISTS)
    assert play.items() <= solver.items() <= dev.items()


def test_playing_needs_only_what_is_asked_for() -> None:
    # What these need in turn would show up here: the first use of `make play` is to stay light.
    asked_for = {canonicalize_name(Requirement(r).name) for r in TO_PLAY}
    assert set(pins("requirements/play.txt")) == asked_for | BROUGHT_BY_TEXTUAL
