"""Every test begins in English, whatever the language of the machine, and of the test before it."""

from collections.abc import Iterator

import pytest

from client_cli import language


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No locale, and no language left over."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    language.use("en")
    yield
    language.use("en")
