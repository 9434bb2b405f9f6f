"""What a typed line means.

One table, `WORDS`, is the source of both the reading and the help. Whatever is not a word of it is taken for
a move and sent as it is: the server knows the notation and says what is wrong with it.

A *draft* is a command of the protocol whose race, `c`, `n` and `q` are still blank; the session fills them
in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from protocol.commands import (
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
    Say,
    Send,
    Start,
    Undo,
)

BoardDraft = Move | Send | Undo | Redo | Restart | AutoFinish
RaceDraft = Ready | Start | Leave | Resign | Say | Rematch
QuestionDraft = Hint | Calc

MAX_NOTATION: Final = 8
MAX_CHAT: Final = 300


class Local(Enum):
    """What the client does by itself."""

    NOTHING = auto()
    HELP = auto()
    BOARD = auto()
    PROGRESS = auto()
    QUIT = auto()


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
class Unclear:
    """A line that means nothing; `why` says what would."""

    why: str


Wish = BoardDraft | RaceDraft | QuestionDraft | Local | KickByName | Change

Reading = tuple[Wish, ...] | Unclear


@dataclass(frozen=True, slots=True)
class Word:
    """A word that can be typed: `names` that mean it, and how help shows it."""

    names: tuple[str, ...]
    usage: str
    meaning: str
    read: Callable[[str], Wish | Unclear]
    argument: bool = False


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
    width = max(len(word.usage) for word in WORDS)
    words = "\n".join(f"  {word.usage:{width}}  {word.meaning}" for word in WORDS)
    return f"{_NOTATION}\n\nOther things to type:\n{words}"


def _find(text: str) -> Word | None:
    """The word of that name. Single letters keep their case: `r` is redo, `R` restart."""
    name = text.removeprefix("/")
    return _BY_NAME.get(name if len(name) == 1 else name.lower())


def _in_a_row(text: str) -> Wish | Unclear:
    word = _find(text)
    if word is not None:
        wish = Unclear(f"{text} wants more than stands in a row of moves") if word.argument else word.read("")
        return (
            wish
            if isinstance(wish, BoardDraft | Unclear)
            else Unclear(f"{text} must stand alone on its line")
        )
    if not 2 <= len(text) <= MAX_NOTATION or text.startswith("/"):
        return Unclear(f"{text!r} is neither a move nor a word known here; ? shows what can be typed")
    return Move("", 0, 0, text)


def _just(wish: Wish) -> Callable[[str], Wish]:
    return lambda _: wish


def _send(rest: str) -> Wish | Unclear:
    match rest.split():
        case [pile]:
            return Send("", 0, 0, pile)
        case [pile, count] if count.isascii() and count.isdecimal() and 1 <= int(count) <= 13:
            return Send("", 0, 0, pile, int(count))
        case _:
            return Unclear("s needs a pile, and may have a count of cards: s 3, s b, s 3 2")


def _calc(rest: str) -> Wish | Unclear:
    match rest.split():
        case [pile]:
            return Calc("", 0, pile)
        case _:
            return Unclear("c needs a pile: c 3 says how many cards of column 3 could move where")


def _say(rest: str) -> Wish | Unclear:
    if not rest or len(rest) > MAX_CHAT:
        return Unclear(f"say needs a text, of {MAX_CHAT} characters at most: say good luck")
    return Say("", 0, rest)


def _kick(rest: str) -> Wish | Unclear:
    return KickByName(rest) if rest else Unclear("/kick needs a racer's name: /kick bob")


def _set(rest: str) -> Wish | Unclear:
    match rest.replace("=", " ", 1).split():
        case [setting, value]:
            return Change(setting, value)
        case _:
            return Unclear("/set needs a setting and its value: /set cells 3")


WORDS: Final = (
    Word(("u", "undo"), "u", "undo the last action", _just(Undo("", 0, 0))),
    Word(("r", "redo"), "r", "redo what was undone", _just(Redo("", 0, 0))),
    Word(("R", "restart"), "R or restart", "back to the deal; the clock runs on", _just(Restart("", 0, 0))),
    Word(
        ("s", "send"),
        "s PILE [COUNT]",
        "send a card, or the run it heads, where the rules say",
        _send,
        argument=True,
    ),
    Word(("f", "finish"), "f", "send all the rest home, when offered", _just(AutoFinish("", 0, 0))),
    Word(("h", "hint"), "h", "a legal move, where the race allows hints", _just(Hint("", 0))),
    Word(
        ("c", "calc"),
        "c PILE",
        "how many cards of a pile could move where, and why not",
        _calc,
        argument=True,
    ),
    Word(("b", "board"), "b", "the board again", _just(Local.BOARD)),
    Word(("p", "progress"), "p", "how far everybody is", _just(Local.PROGRESS)),
    Word(("say",), "say TEXT", "a line to the others", _say, argument=True),
    Word(("ready",), "ready", "in the lobby: you are ready", _just(Ready("", 0))),
    Word(("unready",), "unready", "in the lobby: you are not, after all", _just(Ready("", 0, ready=False))),
    Word(("start",), "/start", "the host starts without waiting for the rest", _just(Start("", 0))),
    Word(("kick",), "/kick NAME", "the host sends somebody out of the lobby", _kick, argument=True),
    Word(
        ("set",),
        "/set NAME VALUE",
        "the host changes a setting: cells, ruleset, deal, watch, ...",
        _set,
        argument=True,
    ),
    Word(("resign",), "resign", "stop racing", _just(Resign("", 0))),
    Word(("leave",), "leave", "give the seat up; in a running race this is resigning", _just(Leave("", 0))),
    Word(("rematch",), "rematch", "after the end: another race like this one", _just(Rematch("", 0))),
    Word(("q", "quit", "exit"), "q", "leave this program; a running race keeps your seat", _just(Local.QUIT)),
    Word(("?", "help"), "?", "this list", _just(Local.HELP)),
)

_BY_NAME: Final[Mapping[str, Word]] = {name: word for word in WORDS for name in word.names}

_NOTATION: Final = """\
A move is where from, then where to:
  1 to 8  the columns, left to right      a to d  the free cells      h  home (the foundations)
  3a   the last card of column 3 into cell a        7h   the last card of column 7 home
  26   from column 2 to column 6: as many cards as it takes, or, to an empty column, as many as may go
  26v3 exactly three cards (v1 for one)             hs4  the top spade off its foundation to column 4
Several moves may stand in one line: 3a 26 7h"""
