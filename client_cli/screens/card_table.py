"""The board on the screen: draws a view, and tells what was clicked, dragged and double-clicked."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from client_cli.screens.board_columns import Lines, board_columns, joined
from client_cli.screens.board_view import (
    SMALLEST,
    Shape,
    Spot,
    View,
    longest_of,
    shape_for,
    spot_at,
)
from client_cli.screens.canvas import Span
from client_cli.screens.frames import frames
from client_cli.screens.look import Look
from protocol.picture import Hole
from protocol.views import Board, CardMove

FRAME_S: Final = 0.03
ANIMATION_S: Final = 0.5
"""No animation takes longer, however many cards go."""
MOST_FRAMES: Final = round(ANIMATION_S / FRAME_S)

ROOM_FOR: Final = 12
"""Cards in a column there is room for from the start, so that the drawing does not jump as columns grow."""


class CardTable(Widget):
    """A board. It fills the height it is given and takes the width it needs."""

    DEFAULT_CSS = "CardTable { width: auto; height: 1fr; }"

    class Clicked(Message):
        """One click on a spot."""

        def __init__(self, table: "CardTable", spot: Spot) -> None:
            super().__init__()
            self.table, self.spot = table, spot

    class DoubleClicked(Clicked):
        """Two clicks on a spot."""

    class Drawn(Clicked):
        """Cards are being drawn away from a spot."""

    class Dragged(Clicked):
        """From a spot to another pile; back to its own where they were let go elsewhere."""

        def __init__(self, table: "CardTable", spot: Spot, dest: str) -> None:
            super().__init__(table, spot)
            self.dest = dest

    def __init__(self, look: Look, *, share: float = 0.68, id: str | None = None) -> None:  # noqa: A002 - Textual's
        super().__init__(id=id)
        self.look = look
        self.view: View | None = None
        self._share = share
        self._shape: Shape = SMALLEST
        self._strips: dict[int, Strip] = {}
        self._columns: tuple[Lines, ...] = ()
        self._drawn_look: Look | None = None
        self._frames: list[Board] = []
        self._timer: Timer | None = None
        self._pressed: Spot | None = None
        self._released: Spot | None = None
        self._was_drag = False

    @property
    def shown(self) -> Board | None:
        """The board that the last view was of."""
        return self.view.board if self.view else None

    def show(self, view: View, moves: tuple[CardMove, ...] = ()) -> None:
        """Draw this from now on; by way of the moves that led there, if they are told."""
        film: list[Board] = []
        if self.shown is not None and self.look.animated:
            with suppress(Hole):  # the moves are about a board that was never shown
                film = frames(self.shown, moves, MOST_FRAMES)
        self.play(film, view)

    def play(self, film: Sequence[Board], view: View) -> None:
        """Draw these boards, each for a moment, and then this from now on.

        Whatever is asked about the board meanwhile is asked about the last one: nobody waits for the film.
        """
        self._stop()
        self.view = view
        if film:
            self._frames = list(film)
            self._timer = self.set_interval(FRAME_S, self._next_frame)
            self._next_frame()
        else:
            self._draw(view)

    @property
    def rest(self) -> Sequence[Board]:
        """What is still to come of the film."""
        return tuple(self._frames)

    def settle(self) -> None:
        """Draw at once what a film would have led to."""
        if self._timer is not None:
            self._stop()
            self._reshape()

    def mark(self, **changes: object) -> None:
        """Change marks on the board that is shown: `picked`, `cursor`, `reach`, `waiting`, `hint`."""
        if self.view is not None:
            before = self.view
            self.view = replace(before, **changes)  # type: ignore[arg-type]  # names and types of `View`
            if not self._frames and self.view != before:
                self._draw(self.view)

    def change_look(self, look: Look) -> None:
        """Draw with another look from now on."""
        self.look = look
        self._reshape()

    # How Textual draws it.

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the drawing that fits."""
        return self._fitting(round(viewport.width * self._share), container.height).width

    def render_line(self, y: int) -> Strip:
        """A line of the drawing."""
        return self._strips.get(y) or Strip.blank(self.size.width, self.rich_style)

    def on_resize(self) -> None:
        """Another size, another drawing."""
        self._reshape()

    def _reshape(self) -> None:
        if self.view is not None:
            self._draw(self.view)

    def _fitting(self, width: int, height: int) -> Shape:
        longest = max(ROOM_FOR, longest_of(self.view.board)) if self.view else ROOM_FOR
        return shape_for(width, height, longest)

    def _draw(self, view: View) -> None:
        shape = self._fitting(max(self.size.width, 1), self.size.height)
        columns = board_columns(view, shape, self.look)
        is_new = shape != self._shape or self.look is not self._drawn_look or not self._columns
        before = columns if is_new else self._columns
        self._shape, self._drawn_look, self._columns = shape, self.look, columns
        # Only what differs is drawn anew: a move changes a few cells of a few lines.
        changed = [
            (place, y)
            for place, (new, old) in enumerate(zip(columns, before, strict=True))
            if new is not old
            for y in range(shape.height)
            if new[y] != old[y]
        ]
        base = self.rich_style
        for y in range(shape.height) if is_new else {y for _, y in changed}:
            self._strips[y] = self._strip(joined(columns, y), base, shape.width)
        if is_new:
            self.refresh()
        elif changed:
            self.refresh(*(Region(place * shape.stride, y, shape.card, 1) for place, y in changed))

    def _strip(self, line: list[Span], base: Style, width: int) -> Strip:
        style = self.look.style
        return Strip([Segment(span.text, base + style(span.kind)) for span in line], width)

    def _next_frame(self) -> None:
        if self._frames and self.view is not None:
            self._draw(replace(self.view, board=self._frames.pop(0)))
        else:
            self._stop()
            self._reshape()

    def _stop(self) -> None:
        self._frames = []
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # The mouse.

    def _spot(self, event: events.MouseEvent) -> Spot | None:
        return spot_at(self.view.board, self._shape, event.x, event.y) if self.view else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """It may become a click or a drag, of what lies there really."""
        self.settle()
        self._pressed, self._was_drag = self._spot(event), False

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Off the pile with the button down, it is a drag."""
        pressed, spot = self._pressed, self._spot(event)
        if not event.button or pressed is None or self._was_drag:
            return
        if spot is None or spot.pile != pressed.pile:
            self._was_drag = True
            self.capture_mouse()
            self.post_message(self.Drawn(self, pressed))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """On another pile than it went down it was a drag."""
        spot, pressed = self._spot(event), self._pressed
        self._pressed = None
        self.release_mouse()
        if pressed is None:
            return
        self._released = pressed
        if self._was_drag or (spot is not None and spot.pile != pressed.pile):
            self._was_drag = True
            self.post_message(self.Dragged(self, pressed, (spot or pressed).pile))

    def on_click(self, event: events.Click) -> None:
        """Once picks up or puts down, twice sends."""
        spot = self._spot(event)
        if spot is None or self._was_drag:
            return
        twice = event.chain == 2 and self._released == spot
        self.post_message((self.DoubleClicked if twice else self.Clicked)(self, spot))
