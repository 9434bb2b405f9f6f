"""The deals of a day, boards and records as lines of text. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from client_cli.daily_words import cells_text, sparkline
from client_cli.language import tr, trn
from client_cli.screens.answers import ATTEMPT_MS, Day
from client_cli.screens.canvas import Span
from client_cli.screens.look import Look
from client_cli.screens.panel_view import Line
from client_cli.screens.racer_rows import ordinal_text
from client_cli.standings import clock_text, time_text
from client_cli.style import Style
from client_cli.text_width import cut
from protocol.commands import BoardBy
from protocol.events import Mine, PlayedDay, Ranked, Ranks, Recorded

SIGN_CELLS = 2
"""The room before a line for the sign of what is chosen."""

LONGEST_NAME = 32
"""A name, and that it is one's own: on a wide screen times need not stand far from names."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One of a day's deals, as far as it is known.

    Attributes:
        cells: its free cells.
        day: how it stands; None while that is not known.
        board: who leads, by time.
        record: what one has done with so many cells.
        ghost: the name of whose attempt one races against; "" for nobody.
    """

    cells: int
    day: Day | None
    board: Ranks | None
    record: Recorded | None
    ghost: str = ""


def deal_lines(
    deal: Deal, look: Look, width: int, height: int, *, now_ms: int, is_chosen: bool, player: str
) -> list[Line]:
    """How a deal stands: its name, one's own attempt, one's streak, who leads."""
    sign = f"{look.signs.picked} " if is_chosen else "  "
    title = tr("{cells}, the hard one") if deal.cells == 2 else "{cells}"
    name = title.format(cells=cells_text(deal.cells))
    lines: list[Line] = [[Span(cut(f"{sign}{name}", width).text, "own" if is_chosen else "label")], []]
    lines += [_indented(text, kind, width) for text, kind in _state_lines(deal, look, now_ms)]
    lines.append([])
    if deal.board is not None:
        room = max(0, height - len(lines))
        lines += _leaders(deal.board, look, width, room, player)
    return lines


def board_rows(board: Ranks, look: Look, width: int, height: int, *, cursor: int, player: str) -> list[Line]:
    """The lines of a board around the one under the cursor, below a line that names the columns."""
    is_month = len(board.period) == len("2026-11")
    heading = _row("", tr("place"), tr("name"), _figures(None, is_month=is_month), width)
    room = max(1, height - 1)
    first = first_shown(len(board.lines), room, cursor)
    lines: list[Line] = [[Span(heading, "label")]]
    for place, line in enumerate(board.lines[first : first + room], first):
        sign = look.signs.picked if place == cursor else ""
        is_own = line.player == player
        name = tr("{name} (you)").format(name=line.name) if is_own else line.name
        text = _row(sign, ordinal_text(line.rank), name, _figures(line, is_month=is_month), width)
        lines.append([Span(text, "own" if is_own or place == cursor else "text")])
    return lines


def first_shown(count: int, room: int, cursor: int) -> int:
    """The first line to show of so many, for the cursor to stand near the middle."""
    return max(0, min(cursor - room // 2, count - room))


def record_lines(
    record: Recorded | None, look: Look, width: int, height: int, running: str = ""
) -> list[Line]:
    """What one has done with so many cells: what runs, if anything does; the sums; then the latest days."""
    if record is None:
        return [[Span(tr("asking the server ..."), "label")]]
    texts = [
        (cells_text(record.cells), "own"),
        *([(running, "text")] if running else []),
        ("", "text"),
        (tr("days played: {n}").format(n=record.played), "text"),
        (tr("days won: {n}").format(n=record.won), "text"),
        (tr("days in a row: {n}").format(n=record.streak), "text"),
        (tr("most in a row: {n}").format(n=record.best_streak), "text"),
    ]
    if record.median_ms is not None:
        texts.append((tr("median time: {time}").format(time=time_text(record.median_ms)), "text"))
    texts.append(("", "text"))
    lines: list[Line] = [[Span(cut(text, width).text, kind)] for text, kind in texts]
    if record.days:
        heading = f"{tr('day'):10} {tr('time'):>11}  {tr('place'):5} {tr('beaten'):>6}"
        lines.append([Span(cut(heading, width).text, "label")])
    return [*lines, *(_played(day, look, width) for day in record.days)][:height]


def by_text(by: BoardBy) -> str:
    """What a board goes by, in a word or two."""
    return {
        "time": tr("by time"),
        "actions": tr("by actions"),
        "no-undo": tr("without undo"),
        "no-hints": tr("without hints"),
    }[by]


# One's own attempt.


def running_text(day: Day, now_ms: int) -> str:
    """How long one's attempt has run, and what is left of it; nothing where none runs."""
    run_ms = day.run_ms(now_ms)
    if run_ms is None:
        return ""
    left = clock_text(ATTEMPT_MS - run_ms)
    return tr("running: {clock}, {left} left").format(clock=clock_text(run_ms), left=left)


def _state_lines(deal: Deal, look: Look, now_ms: int) -> list[tuple[str, str]]:
    day = deal.day
    if day is None:
        return [(tr("asking the server ..."), "label")]
    lines = [*_own_lines(day, look, now_ms)]
    if deal.ghost:
        lines.append((tr("against the ghost of {name}").format(name=deal.ghost), "text"))
    record = deal.record
    if record is not None and record.played:
        streak = tr("days in a row: {n} (most: {most})")
        lines.append((streak.format(n=record.streak, most=record.best_streak), "label"))
    return lines


def _own_lines(day: Day, look: Look, now_ms: int) -> list[tuple[str, str]]:
    mine = day.told.mine
    if running := running_text(day, now_ms):
        return [(running, "own")]
    if mine is None:
        return [(tr("not started") if day.left_ms(now_ms) is not None else tr("not played"), "text")]
    return result_lines(mine, look)


def result_lines(mine: Mine, look: Look) -> list[tuple[str, str]]:
    """An attempt that is over, each line with its kind: time, place, and how the cards went home."""
    time = time_text(mine.ms or 0)
    actions = trn("{n} action", "{n} actions", mine.actions)
    spark = (sparkline(mine.curve, Style(symbols=look.symbols)), "bar")
    if mine.state != "won":
        return [(tr("not won, after {time}").format(time=time), "own"), spark]
    lines = [(tr("won in {time}, {actions}").format(time=time, actions=actions), "own")]
    if mine.rank is not None:
        place = tr("{place} of {n}").format(place=ordinal_text(mine.rank), n=mine.of)
        than = tr("faster than {percent} %").format(percent=mine.percentile)
        lines.append((f"{place}, {than}" if mine.percentile else place, "text"))
    return [*lines, spark]


# Who leads.


def _leaders(board: Ranks, look: Look, width: int, room: int, player: str) -> list[Line]:
    if not board.lines:
        return [_indented(tr("nobody has won it yet"), "label", width)]
    title = trn("one player has won it:", "{n} players have won it:", board.of)
    shown: Sequence[Ranked] = board.lines[: max(1, room - 2)]
    if board.mine is not None and board.mine.player not in {line.player for line in shown}:
        shown = [*shown[:-1], board.mine]
    lines = [_indented(title, "label", width)]
    for line in shown:
        is_own = line.player == player
        sign = look.signs.picked if is_own else ""
        name = tr("{name} (you)").format(name=line.name) if is_own else line.name
        text = _row(sign, ordinal_text(line.rank), name, f" {time_text(line.ms):>11}", width)
        lines.append([Span(text, "own" if is_own else "text")])
    return lines


def _played(day: PlayedDay, look: Look, width: int) -> Line:
    if not day.won:
        return [Span(cut(f"{day.day}  {tr('not won')}", width).text, "label")]
    place = f"{day.rank}/{day.of}" if day.rank else ""
    text = f"{day.day} {time_text(day.ms):>11}  {place}"
    if day.percentile is None:
        return [Span(cut(text, width).text, "text")]
    text = cut(f"{text:29} {day.percentile:3} %", width).text
    cells = min(20, width - len(text) - 2)
    if cells <= 0:
        return [Span(text, "text")]
    full = day.percentile * cells // 100
    bar = look.signs.full * full + look.signs.empty * (cells - full)
    return [Span(f"{text}  ", "text"), Span(bar, "bar")]


# Rows.


def _figures(line: Ranked | None, *, is_month: bool) -> str:
    """Time, actions, what was taken back, hints, and the day; or what these are called."""
    if line is None:
        texts = (tr("time"), tr("actions"), tr("undone"), tr("hints"), tr("day") if is_month else "")
    else:
        texts = (
            time_text(line.ms),
            str(line.actions),
            str(line.taken_back or "-"),
            tr("yes") if line.hinted else "-",
            line.day if is_month else "",
        )
    time, actions, undone, hints, day = texts
    return f" {time:>11} {actions:>8} {undone:>9} {hints:>6}{f' {day:>10}' if is_month else ''}"


def _row(sign: str, place: str, name: str, figures: str, width: int) -> str:
    room = max(4, min(LONGEST_NAME, width - SIGN_CELLS - 6 - len(figures)))
    fitted = cut(name, room)
    return f"{sign:{SIGN_CELLS}}{place:<6}{fitted.text}{' ' * (room - fitted.cells)}{figures}"


def _indented(text: str, kind: str, width: int) -> Line:
    return [Span(cut(f"  {text}", width).text, kind)]
