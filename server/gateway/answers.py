"""The private answers one connection gets."""

from dataclasses import dataclass

from protocol import commands
from protocol.codec import Reference
from server.gateway import wire
from server.gateway.connection import Connection
from server.gateway.metrics import Metrics
from server.gateway.plan import Answered, Busy, Done, DoneBefore, Outcome, Refused
from server.race.commands import NumberedCommand
from server.race.decision import Refusal
from server.race.questions import Destinations, HintGiven
from server.race.state import PlayerId


@dataclass(frozen=True, slots=True)
class Answers:
    """Writes answers to a connection."""

    connection: Connection
    metrics: Metrics

    def refuse(
        self,
        refusal: Refusal,
        at: Reference,
        *,
        n: int | None = None,
        retry_ms: int | None = None,
        seq: int | None = None,
    ) -> None:
        """A message had no effect."""
        self.metrics.refusals.labels(refusal.code).inc()
        self.connection.send(wire.refused(refusal, at, n, retry_ms, seq))

    def too_fast(self, at: Reference, retry_ms: int) -> None:
        """It came too fast after others."""
        self.refuse(Refusal("too_fast", "slower, please"), at, retry_ms=retry_ms)

    def unavailable(self, at: Reference, retry_ms: int) -> None:
        """Whether it had an effect cannot be told; sending it again is safe."""
        refusal = Refusal(
            "unavailable", "the server cannot store anything just now; send it again in a moment"
        )
        self.refuse(refusal, at, retry_ms=retry_ms)

    def outcome(self, command: NumberedCommand, outcome: Outcome, at: Reference) -> None:
        """What became of a numbered command."""
        match outcome:
            case Done(before, done, after):
                self.connection.send(wire.ack(before, command, done, after))
            case DoneBefore(answer, race):
                self.connection.send(wire.repeated(race, answer))
            case Refused(refusal, race):
                member = race.members.get(command.player)
                self.refuse(refusal, at, n=member.n if member else None, seq=race.seq)
            case Busy(retry_ms):
                self.unavailable(at, retry_ms)
            case Answered():
                raise AssertionError("a command is not answered like a question")

    def answer(self, outcome: Outcome, at: Reference, player: PlayerId) -> None:
        """What became of a question."""
        assert at.race is not None  # a question names its race
        assert at.q is not None  # and bears a number
        match outcome:
            case Answered(Destinations() as found):
                self.connection.send(wire.calculated(at.race, at.q, found))
            case Answered(HintGiven() as found):
                self.connection.send(wire.hinted(at.race, at.q, found))
            case Refused(refusal, race):
                member = race.members.get(player)
                self.refuse(refusal, at, n=member.n if member else None, seq=race.seq)
            case Busy(retry_ms):
                self.unavailable(at, retry_ms)
            case Done() | DoneBefore():
                raise AssertionError("a question changes nothing")


def reference_of(message: commands.Command) -> Reference:
    """What an answer to this message refers to."""
    return Reference(getattr(message, "race", None), getattr(message, "c", None), getattr(message, "q", None))
