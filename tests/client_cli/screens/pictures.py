"""Draw the pictures of `docs/screens`: `python -m tests.client_cli.screens.pictures`."""

import asyncio
import re
import tempfile
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from tests.client_cli.screens import daily_scenes, scenes, watching_scenes
from tests.client_cli.screens.house import Person
from tests.client_cli.screens.scenes import LOOKS, SIZES, told_apart

Scene = Callable[..., AbstractAsyncContextManager[tuple[Person, object]]]

FOLDER = Path(__file__).parents[3] / "docs" / "screens"
DOTS = "DejaVu Sans, Apple Braille, Segoe UI Symbol, monospace"


async def main() -> None:
    """All of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        for look, options in LOOKS.items():
            if size == (120, 40) or look == "colour":
                await picture(f"race-{size[0]}x{size[1]}-{look}", scenes.race, size, *options)
    await picture("lobby", scenes.lobby, (80, 24))
    await picture("after", scenes.after, (80, 24))
    await picture("wall-80x24", watching_scenes.wall, (80, 24))
    await picture("wall-120x40", watching_scenes.wall, (120, 40))
    await picture("wall-200x60", watching_scenes.eight, (200, 60))
    await picture("lines-120x40", watching_scenes.lines, (120, 40))
    await picture("decided-120x40", watching_scenes.after, (120, 40))
    await picture("replay-120x40", watching_scenes.replay, (120, 40))
    await picture("daily", daily_scenes.daily, (80, 24))
    await picture("leaderboard", daily_scenes.boards, (80, 24))


async def picture(name: str, scene: Scene, size: tuple[int, int], *options: str) -> None:
    """One of them."""
    with tempfile.TemporaryDirectory() as folder:
        async with scene(Path(folder), size, *options) as (ann, _):
            svg = told_apart(ann, ann.app.export_screenshot(title="cellrace"))
    # Fonts from elsewhere are not fetched by whoever only looks at a picture.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal-0", svg).replace("Fira Code", "DejaVu Sans Mono")
    # The dots of a chart are in fonts of their own.
    svg = re.sub(r"<text (?=[^>]*>[^<]*[\u2801-\u28ff])", f'<text style="font-family: {DOTS}" ', svg)
    (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
