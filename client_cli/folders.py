"""Where the client keeps things on this machine."""

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs


def config_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the tokens; `CELLRACE_HOME`, where set, holds everything."""
    home = environment.get("CELLRACE_HOME")
    return Path(home) if home else platformdirs.user_config_path("cellrace", appauthor=False)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, for its owner only; one that is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    for folder in (*reversed(path.parents), path):
        folder.mkdir(mode=0o700, exist_ok=True)


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the races played on this machine's own server."""
    home = environment.get("CELLRACE_HOME")
    return Path(home) if home else platformdirs.user_data_path("cellrace", appauthor=False)
