"""What a measurement is, and how it is printed: one JSON object a line."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import orjson


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value. A figure whose unit is `x` is a ratio to a floor measured in the same run."""

    name: str
    value: float
    unit: str

    def line(self) -> str:
        """The figure as JSON."""
        return orjson.dumps({"name": self.name, "value": round(self.value, 3), "unit": self.unit}).decode()


def best_s(run: Callable[[], object], times: int) -> float:
    """The shortest time `run` takes, in seconds: the one that other work disturbed least."""
    best = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return best


def against_floor(name: str, value: float, unit: str, floor_name: str, floor: float) -> list[Figure]:
    """A figure, its floor, and how far apart they are (1 would be as good as it can be)."""
    ratio = value / floor if unit in ("us", "s", "%") else floor / value
    return [Figure(name, value, unit), Figure(floor_name, floor, unit), Figure(f"{name}:ratio", ratio, "x")]
