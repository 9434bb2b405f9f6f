"""The texts of the interface, read out of its source."""

import ast
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "client_cli"


def texts() -> Iterator[str]:
    """Every text given to `tr`, `trn` (its singular) or `mark`."""
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKING:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


_ASKING = {"tr", "trn", "mark"}
