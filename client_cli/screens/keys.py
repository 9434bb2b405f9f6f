"""The one table of keys: bindings, the bar at the foot of a screen, buttons and help are made from it.

Where one screen follows another by itself, as when a race ends, a key that is pressed a moment too late must
not do something else there; a test sees to that.
"""

from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final, Literal

from textual.binding import Binding

from client_cli.language import mark

Where = Literal[
    "all",
    "home",
    "lobby",
    "race",
    "after",
    "watch",
    "replay",
    "daily",
    "boards",
    "me",
    "dialog",
    "reading",
    "looks",
    "question",
]

WINDOWS: Final = frozenset({"dialog", "reading", "looks", "question"})
"""Above a screen: they have none of the keys that all screens have."""


TOLD: Final = frozenset(
    {
        "pile",
        "walk",
        "more",
        "point",
        "step",
        "jump",
        "part",
        "choose",
        "turn",
        "sort",
        "scroll",
        "answer",
        "page",
        "return",
    }
)
"""The actions that are told which key it was."""


PLACES: Final[dict[Where, str]] = {
    "home": mark("home"),
    "daily": mark("daily"),
    "boards": mark("leaders"),
    "me": mark("me"),
}
"""Labels of a key that leads back to one of these, called as the key is that leads there."""


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that a key does.

    Attributes:
        where: the screen on which it does that.
        keys: the keys, as Textual names them.
        shown: the key as a person reads it.
        action: what is called: `action_...` of the screen.
        label: one or two words for the bar; none keeps it out of the bar.
        meaning: a line for the help.
    """

    where: Where
    keys: str
    shown: str
    action: str
    label: str
    meaning: str


KEYS: Final = (
    Key("all", "question_mark", "?", "help", mark("help"), mark("what can be done on this screen")),
    Key("all", "f5", "F5", "try_now", mark("try now"), mark("without a connection: try again at once")),
    Key("all", "f2", "F2", "rules", "", mark("the rules, to read")),
    Key("all", "f3", "F3", "look", "", mark("the look: deck of four colours, contrast, letters, animation")),
    Key(
        "all",
        "ctrl+q,ctrl+c",
        "Ctrl+Q",
        "leave",
        mark("quit"),
        mark("leave the program; a race keeps your seat"),
    ),
    Key("home", "p", "p", "play", mark("play now"), mark("race at once and alone")),
    Key("home", "o", "o", "host", mark("host a race"), mark("open a race that others can join")),
    Key("home", "j", "j", "join", mark("join"), mark("join the race whose code or link stands there")),
    Key("home", "d", "d", "daily", mark("daily"), mark("the deal of the day: leaderboards, your record")),
    Key("home", "w", "w", "look_on", mark("watch"), mark("watch that race, or look at it if it is over")),
    Key(
        "home",
        "1,2,3,4,5,6,7,8",
        "1-8",
        "return",
        mark("recent"),
        mark("back into one of the races you were in"),
    ),
    Key("daily", "4,2", "4 2", "choose", mark("cells"), mark("choose one of the day's two deals")),
    Key("daily", "left,right", mark("arrows"), "turn", mark("day"), mark("the day before, or after")),
    Key("daily", "q,escape", "q", "home", mark("home"), mark("back to the first screen")),
    Key(
        "daily", "k", "k", "copy", mark("copy result"), mark("copy a line that tells the result and no card")
    ),
    Key(
        "daily", "o", "o", "challenge", mark("challenge"), mark("copy what a friend needs to race this deal")
    ),
    Key("daily", "s", "s", "begin", mark("start"), mark("your ranked attempt: begin it, or go on with it")),
    Key("daily", "p", "p", "practise", mark("unranked"), mark("play the deal again, as often as you like")),
    Key("daily", "g", "g", "ghost", mark("ghost"), mark("race against somebody's attempt that is over")),
    Key("daily", "b", "b", "boards", mark("leaders"), mark("the leaderboards of this day")),
    Key("daily", "m", "m", "me", mark("me"), mark("your streaks, times and percentiles")),
    Key("daily", "a", "a", "archive", mark("past days"), mark("a list of past days")),
    Key(
        "boards",
        "1,2,3,4",
        "1-4",
        "sort",
        mark("kind"),
        mark("by time, by actions, without undo, without hints"),
    ),
    Key("boards", "up,down,pageup,pagedown", mark("up down"), "scroll", "", mark("go up and down the board")),
    Key(
        "boards",
        "left,right",
        mark("arrows"),
        "turn",
        mark("day"),
        mark("the day before, or after; or the month"),
    ),
    Key("boards", "enter", "Enter", "replay", mark("replay"), mark("what whoever stands there did")),
    Key("boards", "g", "g", "ghost", mark("ghost"), mark("race against whoever stands there, as a ghost")),
    Key("boards", "m", "m", "month", mark("month"), mark("the board of the whole month, or of a day again")),
    Key("boards", "c", "c", "cells", mark("cells"), mark("the other one of the day's two deals")),
    Key("boards", "escape", "Esc", "back", mark("back"), mark("back to the day")),
    Key("me", "b", "b", "boards", mark("leaders"), mark("the leaderboards")),
    Key("me", "escape", "Esc", "back", mark("back"), mark("back to the day")),
    Key("lobby", "y", "y", "ready", mark("ready"), mark("say that you are ready, or not after all")),
    Key("lobby", "s", "s", "start", mark("start"), mark("the host starts without waiting for the rest")),
    Key(
        "lobby",
        "e",
        "e",
        "settings",
        mark("settings"),
        mark("the host changes rules, time limit, who may watch"),
    ),
    Key("lobby", "o", "o", "robot", mark("robot"), mark("the host gives a seat to a robot")),
    Key("lobby", "k", "k", "kick", mark("send out"), mark("the host sends somebody out")),
    Key("lobby", "c", "c", "copy", mark("copy invitation"), mark("copy the code and the link for friends")),
    Key("lobby", "t", "t", "chat", mark("talk"), mark("a line to the others")),
    Key("lobby", "pageup,pagedown", "PgUp PgDn", "page", "", mark("go through the racers")),
    Key("lobby", "q", "q", "give_up", mark("leave race"), mark("give the seat up")),
    Key(
        "race",
        "1,2,3,4,5,6,7,8,a,b,c,d,h",
        "3 a",
        "pile",
        mark("move"),
        mark("from, to: 1-8 the columns, a-d the cells, h home"),
    ),
    Key("race", "v", "v", "count", "", mark("after the first key: how many cards, as in 1 v 2 3")),
    Key("race", "plus,minus", "+ -", "more", "", mark("pick up one card more of the column, or one fewer")),
    Key("race", "up,down,left,right", mark("arrows"), "walk", "", mark("walk over the cards")),
    Key(
        "race", "enter,space", "Enter", "take", "", mark("pick up the cards from there on, or put them down")
    ),
    Key(
        "race",
        "s",
        "s",
        "send",
        mark("send"),
        mark("send the picked card where it fits (so does a double click)"),
    ),
    Key("race", "escape", "Esc", "drop", "", mark("put back what was picked up")),
    Key("race", "u,ctrl+z", "u", "undo", mark("undo"), mark("take the last action back; the clock runs on")),
    Key("race", "r,ctrl+y,ctrl+shift+z", "r", "redo", mark("redo"), mark("do again what was undone")),
    Key("race", "R,shift+r", "R", "restart", "", mark("back to the deal; the clock runs on")),
    Key("race", "i", "i", "hint", mark("hint"), mark("a hint, where the race allows it")),
    Key("race", "f", "f", "finish", mark("finish"), mark("send all the rest home, once that is offered")),
    Key("race", "t", "t", "chat", mark("talk"), mark("a line to the others")),
    Key("race", "pageup,pagedown", "PgUp PgDn", "page", "", mark("go through the racers")),
    Key("race", "x", "x", "resign", mark("resign"), mark("stop racing, for good")),
    Key("race", "w", "w", "look_on", mark("watch"), mark("watch the others, once your own board is done")),
    Key(
        "race",
        "q",
        "q",
        "home",
        mark("home"),
        mark("back to where you came from, once your own board is done; your result stands"),
    ),
    Key("watch", "tab", "Tab", "next", mark("next board"), mark("the next board (or click on one)")),
    Key("watch", "shift+tab", "Shift+Tab", "previous", "", mark("the board before")),
    Key("watch", "l", "l", "lines", mark("lines"), mark("the race so far as lines, and back to the boards")),
    Key(
        "watch",
        "left,right",
        mark("arrows"),
        "point",
        "",
        mark("look at a moment of the lines, or at another board"),
    ),
    Key("watch", "m", "m", "rematch", mark("rematch"), mark("watch the next race like the one that is over")),
    Key("watch", "pageup,pagedown", "PgUp PgDn", "page", "", mark("go through the racers")),
    Key("watch", "t", "t", "chat", mark("talk"), mark("a line to the others who watch")),
    Key("watch", "escape", "Esc", "back", mark("back"), mark("back to where you came from")),
    Key(
        "replay",
        "space,k",
        mark("Space"),
        "play",
        mark("play"),
        mark("play, or pause"),
    ),
    Key(
        "replay",
        "right,left,full_stop,comma",
        mark("arrows"),
        "step",
        mark("step"),
        mark("a step on, or back"),
    ),
    Key("replay", "plus,equals_sign,up", "+", "faster", mark("faster"), mark("twice as fast, up to 16")),
    Key("replay", "minus,down", "-", "slower", mark("slower"), mark("half as fast, down to half")),
    Key("replay", "home,end", "Home End", "jump", "", mark("to the beginning, or the end")),
    Key("replay", "pageup,pagedown", "PgUp PgDn", "jump", "", mark("10 s back, or on")),
    Key(
        "replay",
        "0,1,2,3,4,5,6,7,8,9",
        "0-9",
        "part",
        "",
        mark("to so many tenths of it; so does a click"),
    ),
    Key("replay", "n", "n", "racer", mark("racer"), mark("another racer")),
    Key("replay", "v", "v", "beside", mark("two"), mark("two racers beside each other, or one")),
    Key(
        "replay",
        "tab",
        "Tab",
        "side",
        mark("side"),
        mark("the other of two racers: whose steps are gone through"),
    ),
    Key("replay", "escape", "Esc", "back", mark("back"), mark("back to where you came from")),
    Key("after", "p", "p", "replay", mark("replay"), mark("the replay of the racer whose board is shown")),
    Key("after", "e", "e", "report", mark("report"), mark("until when the game could be won that is shown")),
    Key("after", "l", "l", "lines", mark("lines"), mark("the race as lines, and back to the boards")),
    Key(
        "after",
        "left,right",
        mark("arrows"),
        "point",
        "",
        mark("look at a moment of the lines"),
    ),
    Key("after", "tab", "Tab", "board", mark("next board"), mark("look at the next board")),
    Key("after", "m", "m", "rematch", mark("rematch"), mark("another race like this one")),
    Key("after", "g", "g", "again", mark("ghost"), mark("the same deal again, against your own ghost")),
    Key(
        "after", "o", "o", "challenge", mark("challenge"), mark("copy what a friend needs to race this deal")
    ),
    Key("after", "k", "k", "copy", mark("copy result"), mark("copy a line that tells the result")),
    Key("after", "pageup,pagedown", "PgUp PgDn", "page", "", mark("go through the racers")),
    Key("after", "t", "t", "chat", mark("talk"), mark("a line to the others")),
    Key("after", "q,escape", "q", "home", mark("home"), mark("back to where you came from")),
    Key("dialog", "escape", "Esc", "close", mark("close"), mark("close this window")),
    # What opens them closes them, too.
    Key("reading", "escape,q,question_mark,f2", "Esc", "close", mark("close"), mark("close this window")),
    Key("looks", "escape,q,f3", "Esc", "close", mark("close"), mark("close this window")),
    # All letters, as the language of the screen is not known here.
    Key("question", ",".join(ascii_lowercase), mark("y n"), "answer", "", mark("yes, or no")),
    Key("question", "escape", "Esc", "no", "", mark("no")),
)


def keys_of(where: Where) -> tuple[Key, ...]:
    """What can be done on a screen: its own keys, then those of all screens."""
    return tuple(key for key in KEYS if key.where == where) + (
        () if where in {*WINDOWS, "all"} else tuple(key for key in KEYS if key.where == "all")
    )


def shown(action: str) -> str:
    """The key for an action of all screens, as a person reads it."""
    return next(key.shown for key in keys_of("all") if key.action == action)


def bindings(where: Where) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """The bindings of a screen but `leave`, the app's."""
    made: list[Binding | tuple[str, str] | tuple[str, str, str]] = []
    for key in keys_of(where):
        for name in key.keys.split(",") if key.action != "leave" else ():
            action = f"{key.action}('{name}')" if key.action in TOLD else key.action
            made.append(Binding(name, action, key.meaning, show=False))
    return made


def over_fields() -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """Up and down lead from field to field, as Tab does."""
    return [("up", "app.focus_previous"), ("down", "app.focus_next")]


def leaving() -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """The binding by which the program is left: of the app, and before any field or window."""
    return [
        Binding(key.keys, key.action, key.meaning, show=False, priority=True)
        for key in KEYS
        if key.action == "leave"
    ]
