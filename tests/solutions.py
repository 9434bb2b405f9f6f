"""Known solutions: the lines of `vectors/solutions.json` that any of our rulesets takes."""

import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "vectors" / "solutions.json"


def moves_of(deal: int = 1) -> list[str]:
    """Moves that win this deal with four cells and no autoplay."""
    lines: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    wanted = {"deal": deal, "free_cells": 4, "autoplay": "off"}
    moves: str = next(line["moves"] for line in lines if wanted.items() <= line.items())
    return moves.split()
