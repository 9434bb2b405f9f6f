"""Small widgets that several screens have."""

from collections.abc import Callable

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import MouseScrollDown, MouseScrollUp
from textual.geometry import Region
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Static

from client_cli.lines import MAX_CHAT
from client_cli.screens.canvas import Span
from client_cli.screens.key_texts import bar_rows
from client_cli.screens.keys import Key, Where
from client_cli.screens.look import Kind
from client_cli.screens.part import part_of

Line = list[Span]


class Lines(Widget):
    """Lines of spans, made anew for the size there is."""

    DEFAULT_CSS = "Lines { height: 1fr; }"

    def __init__(
        self,
        make: Callable[[int, int], list[Line]],
        style: Callable[[Kind], Style],
        *,
        id: str | None = None,  # noqa: A002 - Textual's
    ) -> None:
        super().__init__(id=id)
        self._make = make
        self._style = style
        self._strips: list[Strip] = []

    def update(self) -> None:
        """Make the lines anew; those that differ are drawn."""
        width, height = self.size
        base = self.rich_style
        lines = self._make(width, height) if width and height else []
        made = [self._strip(line, base, width) for line in lines]
        blank = self._strip([], base, width)
        before, self._strips = self._strips, [*made, *([blank] * (height - len(made)))]
        if len(before) != len(self._strips):
            self.refresh()
            return
        changed = [y for y, strip in enumerate(self._strips) if strip != before[y]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def _strip(self, line: Line, base: Style, width: int) -> Strip:
        segments = [Segment(span.text, base + self._style(span.kind)) for span in line]
        return Strip(segments).adjust_cell_length(width, base)

    def on_resize(self) -> None:
        """Another size, other lines."""
        self.update()

    def render_line(self, y: int) -> Strip:
        """One of them."""
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width, self.rich_style)


class Roll(Lines):
    """Lines of a list that may be longer than there is room for; keys of the screen and the wheel turn it."""

    def __init__(
        self,
        make: Callable[[int, int], list[Line]],
        style: Callable[[Kind], Style],
        *,
        id: str | None = None,  # noqa: A002 - Textual's
    ) -> None:
        super().__init__(make, style, id=id)
        self._first = 0
        self._page = 1

    def pick(self, count: int, room: int, own: int | None) -> list[int]:
        """The places that are shown now, one's own among them."""
        self._page = max(1, room - 1)
        part = part_of(count, room, own, self._first)
        self._first = part.first
        return part.places

    def turn(self, by: int) -> None:
        """Go so many entries down."""
        self._first += by
        self.update()

    def turn_page(self, by: int) -> None:
        """Go so many pages down."""
        self.turn(by * self._page)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel."""
        event.stop()
        self.turn(1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel."""
        event.stop()
        self.turn(-1)


class KeyBar(Static):
    """The keys of a screen, at its foot; in two rows where one does not take them."""

    # The row above it is for notices.
    DEFAULT_CSS = """
    KeyBar { height: 1; dock: bottom; margin-top: 1; padding: 0 1; background: $panel; color: $text; }
    """

    def __init__(self, where: Where, offers: Callable[[str], bool], label: Callable[[Key], str]) -> None:
        super().__init__(markup=False)
        self._where: Where = where
        self._offers = offers
        self._label = label

    def on_resize(self) -> None:
        """Another size, another number of keys."""
        self.look_again()

    def look_again(self) -> None:
        """Show what can be done now."""
        rows = bar_rows(self._where, self.size.width, self._offers, self._label)
        text, height = "\n".join(rows), len(rows)
        if text != self.content:
            self.styles.height = height
            # Not the screen, which would look for the styles of all that is on it.
            for above in self.screen.query("#notice, ChatInput"):
                above.set_class(height > 1, "-two-rows")
            self.update(text, layout=False)


class Notice(Static):
    """What was said last. A long one grows upwards, over what is there; nothing moves for it."""

    def say(self, text: str) -> None:
        """Say this from now on."""
        is_long = cell_len(text) > self.app.size.width - 2  # the padding; its own size it has only once drawn
        # A line in the place of a line leaves all else where it is.
        self.update(text, layout=is_long or self.has_class("-long"))
        self.set_class(is_long, "-long")


class Banner(Static):
    """Something that cannot be overlooked, while it is so."""

    DEFAULT_CSS = """
    Banner { height: auto; display: none; padding: 0 1; background: $error; color: $text; text-style: bold; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)

    def say(self, text: str) -> None:
        """Show this; nothing hides the banner."""
        self.update(f"! {text}")
        self.display = bool(text)


class ChatInput(Input):
    """A line to the others: there while it is written."""

    # Compact, or a field that has the focus gets a frame, which leaves one row no room for letters.
    DEFAULT_CSS = "ChatInput.-textual-compact { display: none; padding: 0 1; }"

    class Said(Message):
        """A line is to go out."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__(max_length=MAX_CHAT, compact=True)

    def open(self, whom: str) -> None:
        """Let it be written; before that it says to whom it goes, and how."""
        self.placeholder = whom
        self.display = True
        self.focus()

    def close(self) -> None:
        """Away with it."""
        self.value = ""
        self.display = False
        self.screen.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter sends."""
        event.stop()
        text = event.value.strip()
        self.close()
        if text:
            self.post_message(self.Said(text))

    def key_escape(self) -> None:
        """Esc does not."""
        self.close()


class Tick(Checkbox):
    """A box to tick that tells without colour whether it is."""

    @property
    def _button(self) -> Content:
        return Content("[x]" if self.value else "[ ]")


class Buttons(Horizontal):
    """Buttons in a row, each for an action of the screen; the same as its key.

    Where there is no room for all, those before the last one left are left out: the last one leads out.
    """

    DEFAULT_CSS = """
    Buttons { height: auto; }
    Buttons Button { margin-right: 1; min-width: 10; }
    """

    def __init__(self, *entries: tuple[str, str], id: str | None = None) -> None:  # noqa: A002 - Textual's
        super().__init__(id=id)
        self._entries = entries
        self._withheld: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """One button an entry: its text, and the action."""
        for text, action in self._entries:
            yield Button(text, id=f"do-{action}", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """What its key does, and as a key does it: by the app.

        A button may lead to another screen, which comes once all that is on this one has ended: if the button
        itself waited for that, nothing ever would.
        """
        event.stop()
        self.app.call_later(self._act, self.screen, str(event.button.id).removeprefix("do-"))

    async def _act(self, screen: Screen[object], action: str) -> None:
        if self.app.screen is screen:  # else it was pressed twice
            await self.app.run_action(f"screen.{action}")

    def offer(self, offers: Callable[[str], bool]) -> None:
        """Show only those whose action can be done just now."""
        self._withheld = frozenset(f"do-{action}" for _, action in self._entries if not offers(action))
        self._fit()

    def rename(self, text: str, action: str) -> None:
        """From now on this is the text of the button for that action."""
        renamed = self.query_one(f"#do-{action}", Button)
        if str(renamed.label) != text:
            renamed.label = text

    def on_resize(self) -> None:
        """As many as fit."""
        self._fit()

    def _fit(self) -> None:
        buttons = [button for button in self.query(Button) if button.id not in self._withheld]
        left = self.size.width or self.app.size.width  # its own width it has only once it was drawn
        fitting = set[Button]()
        for button in [*buttons[-1:], *buttons[:-1]]:
            needed = max(10, cell_len(str(button.label)) + 2)
            if needed <= left:
                fitting.add(button)
            left -= needed + 1
        for button in self.query(Button):
            button.display = button in fitting
