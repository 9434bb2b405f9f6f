"""Colours of everything but the cards, and where things stand."""

from typing import Final

from textual.theme import Theme

FELT: Final = Theme(
    name="felt",
    primary="#8fe388",
    secondary="#ffd75f",
    accent="#8fe388",
    foreground="#e8efe9",
    background="#0d241a",
    surface="#12301f",
    panel="#1b4630",
    error="#8c1d2c",
    dark=True,
)
CONTRAST: Final = Theme(
    name="contrast",
    primary="#ffffff",
    secondary="#ffff00",
    accent="#ffff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    error="#aa0000",
    dark=True,
)

CSS: Final = """
#frame { height: 1fr; layers: base over; }
#too-small { display: none; width: 100%; height: 100%; content-align: center middle; }
.-small #too-small { display: block; }
.-small #frame { display: none; }
#notice { layer: over; height: auto; max-height: 6; padding: 0 1; dock: bottom; margin-bottom: 1; }
#notice.-long { background: $panel; }
#notice.-two-rows { margin-bottom: 2; }
ChatInput { dock: bottom; margin-bottom: 2; }
ChatInput.-two-rows { margin-bottom: 3; }
.title { height: 1; text-style: bold; padding: 0 1; color: $primary; }
.hint { color: $text-muted; margin-top: 1; }
#fields { grid-size: 2; grid-columns: 14 1fr; grid-rows: 1; grid-gutter: 1 1; height: 5; margin: 1; }
#fields Input { max-width: 60; }
Buttons { margin: 1; }
#recent { height: auto; margin: 1; }
#races { height: auto; max-height: 8; text-wrap: nowrap; text-overflow: ellipsis; }
#top { height: 1; padding: 0 1; }
#top #clock { width: 30; text-align: right; text-style: bold; }
#top #what { width: 1fr; }
#middle { height: 1fr; padding-left: 1; margin-bottom: 1; }
#panel { margin-left: 2; width: 1fr; max-width: 64; }
#wall { width: 1fr; }
#deals { height: 1fr; width: 100%; max-width: 126; margin-top: 1; padding: 0 1; }
#deals { grid-size: 2; grid-gutter: 0 1; }
#deals Lines { height: 1fr; background: $surface; }
#kinds { height: 1; padding: 0 1; margin: 1 0; color: $text-muted; }
#side { width: 1fr; max-width: 64; margin-left: 2; }
#lines { width: 1fr; }
#side #panel { margin-left: 0; height: 1fr; }
#side #chart { height: 1fr; }
#boards { height: 1fr; margin: 0 1; }
#curves { height: 10; margin: 0 1; }
#timeline { height: 1; margin: 0 1; }
#step { height: 1; margin: 0 1 1 1; }
#seats { margin: 0 1; height: 1fr; }
#words { height: auto; margin: 1; }
#invitation { height: auto; margin: 0 1; }
#count { height: 1fr; content-align: center middle; text-style: bold; }
Window { align: center middle; }
.window { width: 72; height: auto; max-height: 22; border: round $primary; padding: 0 1; }
.window { background: $surface; max-width: 100%; }
.-ascii .window { border: ascii $primary; }
.window Static { width: 1fr; }
.window.reading { width: 80; max-height: 100%; }
.reading VerticalScroll { height: auto; scrollbar-size-vertical: 1; }
.window Checkbox { border: none; }
.settings { height: auto; grid-size: 2; grid-columns: 20 1fr; grid-rows: 1; }
#about { height: auto; min-height: 2; color: $text-muted; }
#wrong { height: auto; color: $secondary; }
"""
