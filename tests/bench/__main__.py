"""Print all figures, or those of the parts named: `python -m tests.bench core tools`."""

import sys
from collections.abc import Callable

from tests.bench import core, durable, gateway, redis, screen, tools, verdicts
from tests.bench.measure import Figure

PARTS: dict[str, Callable[[], list[Figure]]] = {
    "core": core.figures,
    "tools": tools.figures,
    "durable": durable.figures,
    "gateway": gateway.figures,
    "redis": redis.figures,
    "screen": screen.figures,
    "verdicts": verdicts.figures,
}


def main(names: list[str]) -> int:
    """Measure; the exit status."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"bench: no part {unknown[0]}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    for name in names or list(PARTS):
        for figure in PARTS[name]():
            print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
