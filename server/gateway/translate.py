"""From messages to the core's commands and questions."""

from typing import assert_never

from protocol import commands as wire
from server.gateway.names import clean_text
from server.race import commands as core
from server.race import questions
from server.race.decision import Refusal
from server.race.state import PlayerId

Board = wire.Move | wire.Send | wire.Undo | wire.Redo | wire.Restart | wire.AutoFinish
Simple = Board | wire.Ready | wire.Start | wire.Kick | wire.Leave | wire.Resign | wire.Say
"""Numbered commands that need nothing but what they carry."""


def command_of(message: Simple, player: PlayerId, session: int, name: str) -> core.NumberedCommand | Refusal:
    """The command a message stands for, from `player` in `session`; or what is wrong with its contents."""
    who = (player, session, message.c)
    match message:
        case wire.Move() | wire.Send() | wire.Undo() | wire.Redo() | wire.Restart() | wire.AutoFinish():
            return _board_command(message, player, session)
        case wire.Resign():
            return core.Resign(*who)
        case wire.Ready():
            return core.Ready(*who, message.ready)
        case wire.Start():
            return core.Start(*who)
        case wire.Kick():
            return core.Kick(*who, PlayerId(message.player))
        case wire.Leave():
            return core.Leave(*who)
        case wire.Say():
            text = clean_text(message.text)
            return (
                core.Say(*who, name, text)
                if text
                else Refusal("bad_message", "there is nothing to read in it")
            )
        case _:  # pragma: no cover - mypy proves that no message is left
            assert_never(message)


def _board_command(message: Board, player: PlayerId, session: int) -> core.BoardCommand:
    who = (player, session, message.c, message.n)
    match message:
        case wire.Move():
            return core.Move(*who, message.move)
        case wire.Send():
            return core.Send(*who, message.pile, message.count)
        case wire.Undo():
            return core.Undo(*who)
        case wire.Redo():
            return core.Redo(*who)
        case wire.Restart():
            return core.Restart(*who)
        case wire.AutoFinish():
            return core.AutoFinish(*who)
        case _:  # pragma: no cover - mypy proves that no message is left
            assert_never(message)


def question_of(message: wire.Hint | wire.Calc, player: PlayerId) -> questions.Question:
    """The question a message stands for."""
    if isinstance(message, wire.Hint):
        return questions.AskHint(player)
    return questions.Calculate(player, message.pile)
