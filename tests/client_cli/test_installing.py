"""How the solver comes onto this machine."""

from pathlib import Path

import pytest

from client_cli.installing import no_solver_here


def test_in_a_clone_its_pins_are_installed_into_what_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "solver.txt").touch()
    python = tmp_path / ".venv" / "bin" / "python"
    monkeypatch.chdir(tmp_path)
    assert no_solver_here(tmp_path, python).endswith(
        "\n  .venv/bin/python -m pip install --require-hashes -r requirements/solver.txt"
    )
    monkeypatch.chdir("/")
    assert no_solver_here(tmp_path / "a b", python).endswith(
        f"\n  {str(python).removeprefix('/')} -m pip install 'cellrace[solver]'"
    )


def test_elsewhere_paths_are_whole_and_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone, here = tmp_path / "a clone", tmp_path / "here"
    (clone / "requirements").mkdir(parents=True)
    (clone / "requirements" / "solver.txt").touch()
    here.mkdir()
    monkeypatch.chdir(here)
    assert no_solver_here(clone, Path("/opt/bin/python")).endswith(
        f"\n  /opt/bin/python -m pip install --require-hashes -r '{clone}/requirements/solver.txt'"
    )


def test_where_the_folder_one_is_in_is_gone_paths_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    assert no_solver_here(tmp_path, Path("/opt/bin/python")).endswith(
        "\n  /opt/bin/python -m pip install 'cellrace[solver]'"
    )
