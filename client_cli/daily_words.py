"""The deal of the day in words: the day, the boards, one's own record, and the line to share. Pure."""

from collections.abc import Sequence
from typing import Final

from client_cli.language import mark, tr, trn
from client_cli.standings import clock_text, time_text
from client_cli.style import Style
from protocol.events import DayTold, Mine, PlayedDay, Ranked, Ranks, Recorded

CARDS: Final = 52

BOARDS: Final = {
    "time": mark("by time"),
    "actions": mark("fewest actions"),
    "no-undo": mark("by time, nothing taken back"),
    "no-hints": mark("by time, without hints"),
}
"""What the boards are called, by how they are asked for."""

_BARS: Final = "▁▂▃▄▅▆▇█"


def day_lines(told: DayTold) -> list[str]:
    """What there is to know of a day before one plays it."""
    lines = [tr("The deal of {day}, {cells}").format(day=told.day, cells=cells_text(told.cells))]
    if told.won:
        lines.append(trn("one player has won it", "{n} players have won it", told.won))
    if told.left_ms is not None and told.mine is None:
        left = clock_text(told.left_ms)
        lines.append(tr("{left} left to begin a ranked attempt").format(left=left))
    return lines


def private_text() -> str:
    """What is to be known of a deal on a server of one's own."""
    return tr("No server is named: this deal is drawn on this machine, and nobody else has it.")


def ghost_text(name: str, *, has_ranked: bool) -> str:
    """How to race against the ghost of this name that was chosen; `has_ranked`: in a ranked attempt, too."""
    if has_ranked:
        text = tr("the ghost of {name} will race you: s is the ranked attempt, p an unranked one")
    else:
        text = tr("the ghost of {name} will race you: p is an unranked race")
    return text.format(name=name)


def begin_question(told: DayTold) -> str:
    """What is asked before one's ranked attempt begins."""
    text = tr(
        "This is your ranked attempt at the deal of {day}, {cells}: the only one that counts."
        " It lasts 60 minutes from when the cards are shown, also while you are away,"
        " and cannot be taken back. Begin?"
    )
    return text.format(day=told.day, cells=cells_text(told.cells))


def cells_text(cells: int) -> str:
    """How many free cells."""
    return trn("{n} free cell", "{n} free cells", cells)


def race_text(race: str) -> str:
    """A race one was in, as a person reads it: its code, or which attempt it was."""
    if not race.startswith("daily:"):
        return race
    _, day, cells, _ = race.split(":")
    return tr("daily {day}, {cells}").format(day=day, cells=cells_text(int(cells)))


def result_lines(told: DayTold, mine: Mine) -> list[str]:
    """How one's ranked attempt ended."""
    if mine.state != "won":
        lost = tr("You have not won the deal of {day}, {cells}.")
        return [lost.format(day=told.day, cells=cells_text(told.cells))]
    text = tr("You have won the deal of {day}, {cells}: {result}.")
    result = ", ".join([*_place(mine.rank, mine.of, mine.percentile), *_effort(mine)])
    return [text.format(day=told.day, cells=cells_text(told.cells), result=result)]


def share_line(told: DayTold, mine: Mine, style: Style, *, is_private: bool = False) -> str:
    """A line to paste that shows no card: the day, place, time and actions, and how the cards went home.

    `is_private` is whether nobody else has that deal.
    """
    parts = [f"cellrace {told.day}", cells_text(told.cells)]
    if is_private:
        parts.append(tr("on a server of my own"))
    if mine.state == "won" and mine.rank is not None:
        parts.append(tr("{rank} of {of}").format(rank=f"#{mine.rank}", of=mine.of))
    parts += _effort(mine) if mine.state == "won" else [tr("not won")]
    return f"{', '.join(parts)} {sparkline(mine.curve, style)}".rstrip()


def challenge_lines(told: DayTold, server: str) -> list[str]:
    """How friends come to play the same cards; `server` is empty where nobody else can reach it."""
    at = f" --server {server}" if server else ""
    lines: list[str] = []
    if server and told.day == told.today:
        lines.append(f"{tr('A friend plays it with:')} {_daily_command(told, server)}")
    if told.deal_code:
        # Whoever hosts it is told by the server who may sit down there; elsewhere nobody could tell.
        is_open = server and told.day == told.today
        text = tr("Once both have played it, race each other on the same cards with:")
        text = text if is_open else tr("Race each other on the same cards with:")
        lines.append(f"{text} cellrace host --deal {told.deal_code}{at}")
    return lines


def running_lines(told: DayTold, server: str) -> list[str]:
    """That one's attempt runs, and how to go on with it, if it does; `server` as for `challenge_lines`."""
    if told.mine is None or told.mine.state != "racing":
        return []
    text = tr("Your ranked attempt of {day} with {cells} still runs; go on with it:")
    said = text.format(day=told.day, cells=cells_text(told.cells))
    return [f"{said} {_daily_command(told, server)}"]


def _daily_command(told: DayTold, server: str) -> str:
    cells = "" if told.cells == 4 else f" --cells {told.cells}"
    return f"cellrace daily{cells}" + (f" --server {server}" if server else "")


def sparkline(curve: Sequence[int], style: Style) -> str:
    """Cards home at even times as a row of small bars; as digits from 0 to 9 where there are none."""
    if style.symbols:
        return "".join(_BARS[min(home, CARDS - 1) * len(_BARS) // CARDS] for home in curve)
    return "".join(str(min(home, CARDS - 1) * 10 // CARDS) for home in curve)


def board_lines(told: Ranks, player: str, style: Style) -> list[str]:
    """A leaderboard, a line each; one's own, which is marked, at the end if it is not among them."""
    title = tr("{period}, {cells}, {by}")
    by = tr(BOARDS[told.by])
    lines = [style.strong(title.format(period=told.period, cells=cells_text(told.cells), by=by))]
    if not told.of:
        return [*lines, tr("Nobody is on this board yet.")]
    is_month = len(told.period) == len("2026-11")
    lines += [_ranked(line, player, style, is_month=is_month) for line in told.lines]
    if told.more:
        left = told.of - told.next
        lines.append(trn("and one more", "and {n} more", left))
    if told.mine is not None and told.mine not in told.lines:
        lines.append(_ranked(told.mine, player, style, is_month=is_month))
    return lines


def record_lines(told: Recorded, style: Style) -> list[str]:
    """What one has done with so many cells."""
    if not told.played:
        return [tr("{cells}: no ranked attempt is over yet").format(cells=cells_text(told.cells))]
    text = tr("{cells}: {won} of {played} won; streak {streak}, best {best}").format(
        cells=cells_text(told.cells),
        won=told.won,
        played=told.played,
        streak=told.streak,
        best=told.best_streak,
    )
    lines = [style.strong(text)]
    if told.median_ms is not None:
        lines.append(f"  {tr('median time {time}').format(time=time_text(told.median_ms))}")
    return [*lines, *(_played(day, style) for day in told.days)]


def _ranked(line: Ranked, player: str, style: Style, *, is_month: bool) -> str:
    is_own = line.player == player
    name = tr("{name} (you)").format(name=line.name) if is_own else line.name
    parts = [name, time_text(line.ms), trn("{n} action", "{n} actions", line.actions)]
    parts += [line.day] if is_month else []
    parts += _help(line.taken_back, hinted=line.hinted)
    if not is_own:
        return f"{line.rank:4}  {', '.join(parts)}"
    return style.strong(f"{style.sign('▸', '>')}{line.rank:3}  {', '.join(parts)}")


def _played(day: PlayedDay, style: Style) -> str:
    if not day.won:
        return f"{style.sign('✗', '-')} {day.day}  {tr('not won')}"
    how = ", ".join([time_text(day.ms), *_place(day.rank, day.of, day.percentile)])
    return f"{style.sign('✓', '+')} {day.day}  {how}"


def _place(rank: int | None, of: int, percentile: int | None) -> list[str]:
    parts: list[str] = []
    if rank is not None:
        parts.append(tr("{rank} of {of}").format(rank=f"#{rank}", of=of))
    if percentile:  # "faster than 0 %" is no praise
        parts.append(tr("faster than {percent} % of the others").format(percent=percentile))
    return parts


def _effort(mine: Mine) -> list[str]:
    parts = [time_text(mine.ms or 0), trn("{n} action", "{n} actions", mine.actions)]
    return [*parts, *_help(mine.taken_back, hinted=mine.hinted)]


def _help(taken_back: int, *, hinted: bool) -> list[str]:
    """What a result was helped by."""
    parts = [trn("one undo", "{n} undos", taken_back)] if taken_back else []
    return [*parts, tr("with hints")] if hinted else parts
