"""The commands from their first moment on."""

import importlib
import sys
from collections.abc import Sequence

import pytest

from protocol.version import RELEASE


class Interrupted:
    """Ctrl-C while a module is read."""

    def __init__(self, module: str) -> None:
        self._module = module

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> None:
        if name == self._module:
            raise KeyboardInterrupt


@pytest.mark.parametrize("package", ["client_cli", "server"])
def test_ctrl_c_while_its_modules_are_read_ends_it_quietly(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = importlib.import_module(f"{package}.entry")
    monkeypatch.delitem(sys.modules, f"{package}.cli", raising=False)
    monkeypatch.delattr(importlib.import_module(package), "cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted(f"{package}.cli"), *sys.meta_path])
    assert entry.main() == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("package", "name"), [("client_cli", "cellrace"), ("server", "cellrace-server")])
def test_it_runs_what_is_asked_for(
    package: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["somewhere", "--version"])
    with pytest.raises(SystemExit) as ended:
        importlib.import_module(f"{package}.entry").main()
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"{name} {RELEASE}\n"
