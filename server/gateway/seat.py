"""A seat that is played on a connection."""

from collections.abc import Callable
from dataclasses import dataclass

from server.gateway.hub import Follower, Hub
from server.gateway.plan import Outcome
from server.race.commands import NumberedCommand
from server.race.questions import Question
from server.race.state import KEPT_ANSWERS


@dataclass(slots=True)
class Seat:
    """The race, how far its racer has been shown it, and how much he has asked for without an answer.

    `told_c` is the highest command whose effect the client has been told of, by its answer or by `seat`.
    """

    hub: Hub
    follower: Follower
    told_c: int
    unanswered: int = 0

    def submit(self, command: NumberedCommand | Question, reply: Callable[[Outcome], None]) -> bool:
        """Have a command decided or a question answered; False where too much is unanswered already."""
        if self.unanswered >= KEPT_ANSWERS:
            return False
        self.unanswered += 1

        def answered(outcome: Outcome) -> None:
            self.unanswered -= 1
            reply(outcome)

        self.hub.submit(command, answered)
        return True
