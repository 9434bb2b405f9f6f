from typing import Final

import pytest

from protocol import commands as wire
from server.gateway.translate import Simple, command_of, question_of
from server.race import commands as core
from server.race.decision import Refusal
from server.race.questions import AskHint, Calculate
from tests.server.gateway.races import ANA, BEN

RACE: Final = "KMNPQRST"
WHO: Final = (ANA, 7, 3)


@pytest.mark.parametrize(
    ("message", "command"),
    [
        (wire.Move(RACE, 3, 5, "26"), core.Move(*WHO, 5, "26")),
        (wire.Send(RACE, 3, 5, "6", 2), core.Send(*WHO, 5, "6", 2)),
        (wire.Undo(RACE, 3, 5), core.Undo(*WHO, 5)),
        (wire.Redo(RACE, 3, 5), core.Redo(*WHO, 5)),
        (wire.Restart(RACE, 3, 5), core.Restart(*WHO, 5)),
        (wire.AutoFinish(RACE, 3, 5), core.AutoFinish(*WHO, 5)),
        (wire.Resign(RACE, 3), core.Resign(*WHO)),
        (wire.Ready(RACE, 3), core.Ready(*WHO, True)),
        (wire.Ready(RACE, 3, ready=False), core.Ready(*WHO, False)),
        (wire.Start(RACE, 3), core.Start(*WHO)),
        (wire.Kick(RACE, 3, BEN), core.Kick(*WHO, BEN)),
        (wire.Leave(RACE, 3), core.Leave(*WHO)),
        (wire.Say(RACE, 3, " two\nlines "), core.Say(*WHO, "Ana", "two lines")),
    ],
)
def test_a_message_is_the_command_of_its_name(message: Simple, command: core.NumberedCommand) -> None:
    assert command_of(message, ANA, 7, "Ana") == command


@pytest.mark.parametrize("text", [" ", "\n", "\u200b", "\x1b", "\u2800"])
def test_a_line_in_which_there_is_nothing_to_read_is_refused(text: str) -> None:
    refused = command_of(wire.Say(RACE, 3, text), ANA, 7, "Ana")
    assert isinstance(refused, Refusal)
    assert refused.code == "bad_message"


def test_questions() -> None:
    assert question_of(wire.Hint(RACE, 1), ANA) == AskHint(ANA)
    assert question_of(wire.Calc(RACE, 1, "hs"), ANA) == Calculate(ANA, "hs")
