"""What a typed line means.

One table, `WORDS`, is the source of both the reading and the help. Whatever is not a word of it is taken for
a move and sent as it is: the server knows the notation and says what is wrong with it.

A *draft* is a command of the protocol whose race, `c`, `n` and `q` are still blank; the session fills them
in.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from client_cli.language import mark, tr
from client_cli.piles import PILES
from protocol.commands import (
    AddRobot,
    AutoFinish,
    Calc,
    Hint,
    Leave,
    Move,
    Ready,
    Redo,
    Rematch,
    Resign,
    Restart,
    RobotLevel,
    Say,
    Send,
    Start,
    Undo,
)

BoardDraft = Move | Send | Undo | Redo | Restart | AutoFinish
RaceDraft = Ready | Start | AddRobot | Leave | Resign | Say | Rematch
QuestionDraft = Hint | Calc

MAX_NOTATION: Final = 8
_COUNT_INSIDE: Final = re.compile(r"([1-8])v([1-9a-d])([1-8])", re.IGNORECASE)
MAX_CHAT: Final = 300
LEVELS: Final[Mapping[str, RobotLevel]] = {"easy": "easy", "even": "even", "fast": "fast"}
"""How fast robots play, by what is typed."""


class Local(Enum):
    """What the client does by itself."""

    NOTHING = auto()
    HELP = auto()
    BOARD = auto()
    BOARDS = auto()
    PROGRESS = auto()
    RULES = auto()
    QUIT = auto()


@dataclass(frozen=True, slots=True)
class ReadOut:
    """Read the board pile by pile, or one pile of it."""

    pile: str = ""


@dataclass(frozen=True, slots=True)
class KickByName:
    """Send the racer of this name out of the lobby."""

    name: str


@dataclass(frozen=True, slots=True)
class Change:
    """Change one of the race's settings; `value` is as typed."""

    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class ReportOn:
    """How a racer's game went, beside another's: one's own beside the best other's, where nobody is named."""

    name: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that means nothing; `why` says what would."""

    why: str


Wish = BoardDraft | RaceDraft | QuestionDraft | Local | ReadOut | KickByName | ReportOn | Change

Reading = tuple[Wish, ...] | Unclear


@dataclass(frozen=True, slots=True)
class Word:
    """A word that can be typed.

    Attributes:
        names: all that mean it.
        usage: how help shows it.
        meaning: what it does, in English.
        read: what it means, given what stands behind it.
        argument: what stands behind it, in English; nothing if the word is all.
    """

    names: tuple[str, ...]
    usage: str
    meaning: str
    read: Callable[[str], Wish | Unclear]
    argument: str = ""


def read_line(line: str) -> Reading:
    """The wishes in a line, in order; several moves, undos and redos may stand in one."""
    words = line.split()
    if not words:
        return (Local.NOTHING,)
    word = _find(words[0])
    if word is not None and (word.argument or len(words) == 1):
        wish = word.read(line.split(maxsplit=1)[1].strip() if len(words) > 1 else "")
        return wish if isinstance(wish, Unclear) else (wish,)
    wishes: list[Wish] = []
    for text in words:
        wish = _in_a_row(text)
        if isinstance(wish, Unclear):
            return wish
        wishes.append(wish)
    return tuple(wishes)


def help_text() -> str:
    """What can be typed."""
    rows = [(f"{word.usage} {tr(word.argument)}".strip(), tr(word.meaning)) for word in WORDS]
    width = max(len(usage) for usage, _ in rows)
    words = "\n".join(f"  {usage:{width}}  {meaning}" for usage, meaning in rows)
    return f"{tr(_NOTATION)}\n\n{tr('Other things to type:')}\n{words}"


def _find(text: str) -> Word | None:
    """The word of that name. Single letters keep their case: `r` is redo, `R` restart."""
    name = text.removeprefix("/")
    return _BY_NAME.get(name if len(name) == 1 else name.lower())


def _in_a_row(text: str) -> Wish | Unclear:
    word = _find(text)
    if word is not None:
        if word.argument:
            return _unclear(tr("{text} wants more than stands in a row of moves"), text)
        wish = word.read("")
        alone = tr("{text} must stand alone on its line")
        return wish if isinstance(wish, BoardDraft | Unclear) else _unclear(alone, text)
    if not 2 <= len(text) <= MAX_NOTATION or text.startswith("/"):
        unknown = tr("{text} is neither a move nor a word known here; ? shows what can be typed")
        return _unclear(unknown, repr(text))
    return Move("", 0, 0, _count_last(text))


def _count_last(text: str) -> str:
    """A move with its number of cards where notation has it: at the end, not where the full screen has it."""
    counted = _COUNT_INSIDE.fullmatch(text)
    return f"{counted[1]}{counted[3]}v{counted[2]}" if counted else text


def _unclear(why: str, text: str) -> Unclear:
    return Unclear(why.format(text=text))


def _just(wish: Wish) -> Callable[[str], Wish]:
    return lambda _: wish


def _send(rest: str) -> Wish | Unclear:
    match rest.split():
        case [pile]:
            return Send("", 0, 0, pile)
        case [pile, count] if count.isascii() and count.isdecimal() and 1 <= int(count) <= 13:
            return Send("", 0, 0, pile, int(count))
        case _:
            return Unclear(tr("s needs a pile, and may have a count of cards: s 3, s b, s 3 2"))


def _calc(rest: str) -> Wish | Unclear:
    match rest.split():
        case [pile]:
            return Calc("", 0, pile)
        case _:
            return Unclear(tr("c needs a pile: c 3 says how many cards of column 3 could move where"))


def _read_out(rest: str) -> Wish | Unclear:
    pile = rest.lower()
    if pile in {"", *PILES}:
        return ReadOut(pile)
    return Unclear(tr("l reads the whole board, or one pile: l, l 3, l b, l h"))


def _say(rest: str) -> Wish | Unclear:
    if not rest or len(rest) > MAX_CHAT:
        why = tr("say needs a text, of {most} characters at most: say good luck")
        return Unclear(why.format(most=MAX_CHAT))
    return Say("", 0, rest)


def _kick(rest: str) -> Wish | Unclear:
    return KickByName(rest) if rest else Unclear(tr("/kick needs a racer's name: /kick bob"))


def _report(rest: str) -> Wish:
    name, _, other = rest.partition(" / ")
    return ReportOn(name.strip(), other.strip())


def _robot(rest: str) -> Wish | Unclear:
    level = LEVELS.get(rest.lower() or "even")
    if level is None:
        return Unclear(tr("/robot may say how fast it is to play: /robot easy, /robot even, /robot fast"))
    return AddRobot("", 0, level)


def _set(rest: str) -> Wish | Unclear:
    match rest.replace("=", " ", 1).split():
        case [setting, *value] if value:
            return Change(setting, " ".join(value))
        case _:
            return Unclear(tr("/set needs a setting and its value: /set cells 3"))


WORDS: Final = (
    Word(("u", "undo"), "u", mark("undo the last action"), _just(Undo("", 0, 0))),
    Word(("r", "redo"), "r", mark("redo what was undone"), _just(Redo("", 0, 0))),
    Word(
        ("R", "restart"),
        "R, restart",
        mark("back to the deal; the clock runs on"),
        _just(Restart("", 0, 0)),
    ),
    Word(
        ("s", "send"),
        "s",
        mark("send a card, or the run it heads, where the rules say"),
        _send,
        argument=mark("PILE [COUNT]"),
    ),
    Word(("f", "finish"), "f", mark("send all the rest home, when offered"), _just(AutoFinish("", 0, 0))),
    Word(("h", "hint"), "h", mark("a legal move, where the race allows hints"), _just(Hint("", 0))),
    Word(
        ("c", "calc"),
        "c",
        mark("how many cards of a pile could move where, and why not"),
        _calc,
        argument=mark("PILE"),
    ),
    Word(("b", "board"), "b", mark("the board as a table"), _just(Local.BOARD)),
    Word(
        ("l", "look"),
        "l",
        mark("the board pile by pile, or one pile: l 3, l b, l h"),
        _read_out,
        argument=mark("[PILE]"),
    ),
    Word(
        ("boards",),
        "boards",
        mark("the board after each move, or no longer"),
        _just(Local.BOARDS),
    ),
    Word(("p", "progress"), "p", mark("how far everybody is"), _just(Local.PROGRESS)),
    Word(("say",), "say", mark("a line to the others"), _say, argument=mark("TEXT")),
    Word(("ready",), "ready", mark("in the lobby: you are ready"), _just(Ready("", 0))),
    Word(
        ("unready",),
        "unready",
        mark("in the lobby: you are not, after all"),
        _just(Ready("", 0, ready=False)),
    ),
    Word(("start",), "/start", mark("the host starts without waiting for the rest"), _just(Start("", 0))),
    Word(("kick",), "/kick", mark("the host sends somebody out of the lobby"), _kick, argument=mark("NAME")),
    Word(
        ("robot",),
        "/robot",
        mark("the host gives a seat to a robot: easy, even or fast"),
        _robot,
        argument=mark("LEVEL"),
    ),
    Word(
        ("set",),
        "/set",
        mark("the host changes a setting: cells, rules, deal, ..."),
        _set,
        argument=mark("NAME VALUE"),
    ),
    Word(("resign",), "resign", mark("stop racing"), _just(Resign("", 0))),
    Word(
        ("leave",),
        "leave",
        mark("give the seat up; in a running race this is resigning"),
        _just(Leave("", 0)),
    ),
    Word(("rematch",), "rematch", mark("after the end: another race like this one"), _just(Rematch("", 0))),
    Word(
        ("report",),
        "report",
        mark("after the end: until when a game could be won, and where two boards first differed"),
        _report,
        argument=mark("[NAME [/ NAME]]"),
    ),
    Word(
        ("q", "quit", "exit"),
        "q",
        mark("leave this program; a running race keeps your seat"),
        _just(Local.QUIT),
    ),
    Word(("rules",), "rules", mark("the rules of the game and of a race"), _just(Local.RULES)),
    Word(("?", "help"), "?", mark("this list"), _just(Local.HELP)),
)

_BY_NAME: Final[Mapping[str, Word]] = {name: word for word in WORDS for name in word.names}

_NOTATION: Final = mark("""\
A move is where from, then where to:
  1 to 8  the columns, left to right
  a to d  the free cells
  h       home (the foundations)
  3a      the last card of column 3 into cell a
  7h      the last card of column 7 home
  26      from column 2 to column 6: as many cards as it takes, or, to an empty column, as many as may go
  26v3    exactly three cards (v1 for one)
  hs4     the top spade off its foundation to column 4
Several moves may stand in one line: 3a 26 7h""")
