"""Draw the pictures of `docs/screens`: `python -m tests.client_cli.screens.pictures`."""

import asyncio
import re
import tempfile
from pathlib import Path
from types import ModuleType

from tests.client_cli.screens import scenes, watching_scenes
from tests.client_cli.screens.scenes import LOOKS, SIZES, told_apart

FOLDER = Path(__file__).parents[3] / "docs" / "screens"
DOTS = "DejaVu Sans, Apple Braille, Segoe UI Symbol, monospace"


async def main() -> None:
    """All of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        for look, options in LOOKS.items():
            if size == (120, 40) or look == "colour":
                await picture(f"race-{size[0]}x{size[1]}-{look}", "race", size, *options)
    await picture("lobby", "lobby", (80, 24))
    await picture("after", "after", (80, 24))
    for scene in ("wall", "replay", "lines"):
        await picture(f"{scene}-120x40", scene, (120, 40), of=watching_scenes)
    await picture("wall-80x24", "wall", (80, 24), of=watching_scenes)
    await picture("wall-200x60", "eight", (200, 60), of=watching_scenes)
    await picture("decided-120x40", "after", (120, 40), of=watching_scenes)


async def picture(
    name: str, scene: str, size: tuple[int, int], *options: str, of: ModuleType = scenes
) -> None:
    """One of them."""
    with tempfile.TemporaryDirectory() as folder:
        async with getattr(of, scene)(Path(folder), size, *options) as (ann, _):
            svg = told_apart(ann, ann.app.export_screenshot(title="cellrace"))
    # Fonts from elsewhere are not fetched by whoever only looks at a picture.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal-0", svg).replace("Fira Code", "DejaVu Sans Mono")
    # The dots of a chart are in fonts of their own.
    svg = re.sub(r"<text (?=[^>]*>[^<]*[\u2801-\u28ff])", f'<text style="font-family: {DOTS}" ', svg)
    (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
