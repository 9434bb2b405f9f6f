"""The files of the repository, found from here, so that the tests run from a clone anywhere."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

_DERIVED = {"__pycache__", "build", "dist"}


def read(name: str) -> str:
    """The text of a file, named from the root of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def written_files() -> Iterator[Path]:
    """Every file that people wrote: all but what make and the tools leave behind."""
    yield from (ROOT / ".ci").iterdir()
    for name in (".gitignore", ".dockerignore"):
        yield ROOT / name
    for top in ROOT.iterdir():
        if top.name.startswith(".") or top.name in _DERIVED or top.suffix == ".egg-info":
            continue
        for path in [top] if top.is_file() else top.rglob("*"):
            if path.is_file() and not _DERIVED.intersection(path.parts):
                yield path
