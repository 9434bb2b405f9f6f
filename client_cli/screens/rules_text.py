"""The rules, to read in the client. For reading only: whether a move is allowed, the server decides."""

from collections.abc import Mapping
from typing import Final

from client_cli.language import mark, tr

RULES: Final = (
    mark(
        "All 52 cards lie open in eight columns. Whoever brings all of them home to the four "
        "foundations has won; in a race, whoever does so first."
    ),
    mark("Foundations: one for each suit, built up from the ace to the king, one card at a time."),
    mark(
        "Columns: the last card may go onto a card of the other colour that is exactly one rank "
        "higher. An empty column takes anything."
    ),
    mark("Free cells: each holds one card. There are four, or fewer where the race says so."),
    mark(
        "Several cards: a descending run of alternating colours at the end of a column may go at "
        "once, if it could go card by card: (empty cells + 1), doubled for every empty column other"
        " than the one it goes to."
    ),
    mark(
        "Undo and restart are allowed while the clock runs on, unless the race limits them. Whether"
        " cards may come back off the foundations, and whether there are hints, the lobby says."
    ),
    mark(
        "Send finds a place for a card: home, else onto a column, else into an empty column, else "
        "into a cell, as far as the rules of the race have it."
    ),
    mark(
        "When every column goes down in rank, the rest can be sent home with one key; the time "
        "counts from when it was asked for."
    ),
    mark(
        "Everybody gets the same cards at the same moment. Nobody knows the deal before the start; "
        "a commitment shown before it proves that it was not changed. You see how far the others "
        "are, but not their boards while you race."
    ),
    mark(
        "The race ends when all have finished, resigned or run out of time. A lost connection loses"
        " nothing: your seat is kept, and the clock runs on."
    ),
)


RULESETS: Final[Mapping[str, str]] = {
    "race": mark(
        "race: 1 to 4 free cells; no card comes back off the foundations; send and auto-finish; undo of all"
        " actions, and redo; no hints."
    ),
    "classic": mark(
        "classic: 4 free cells; no card comes back off the foundations; neither send nor auto-finish; undo of"
        " all actions, no redo; no hints."
    ),
    "app": mark(
        "app: 1, 2 or 4 free cells; cards may come back off the foundations; send goes home only, no"
        " auto-finish; undo of the last 100 actions, no redo; no hints."
    ),
    "solitarium": mark(
        "solitarium: 4 free cells; cards may come back off the foundations; send and auto-finish; undo of the"
        " last 200 actions, and redo; hints."
    ),
    "cardems": mark(
        "cardems: 4 free cells; cards may come back off the foundations; neither send nor auto-finish; undo"
        " of all actions, no redo; no hints."
    ),
}


def rules_text(ruleset: str = "") -> str:
    """All rules, a paragraph each; at the end one ruleset, or all there are."""
    chosen = [RULESETS[ruleset]] if ruleset else RULESETS.values()
    return "\n\n".join([*(tr(rule) for rule in RULES), *(tr(text) for text in chosen)])
