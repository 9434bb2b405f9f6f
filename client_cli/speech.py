r"""What a client has said in a race, and what it still has to say.

Pure. How numbered commands survive a lost connection:

    typed --> line ----> unanswered ---ack-----> accepted
                ^            |  \--refused--> (forgotten; what was typed after it in the same line too)
                |            |
                +- postponed-+--too_fast, unavailable, restarting

Moves of one line go out one by one, each on the board that the one before left, so that a refused one stops
the rest. After a reconnect all that was not answered goes out again, in order and with its old number: what
took effect is answered once more (`repeated`), what was refused is refused again or `stale_command`, and what
never arrived is decided now. The same holds after `unavailable`: nobody knows whether the command was stored,
so it goes out unchanged. Accepted commands are kept until the race is over, because a store that lost its
newest events (`rewound`) needs them once more.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import msgspec

from client_cli.lines import BoardDraft, QuestionDraft, RaceDraft
from protocol.commands import (
    Commitments,
    Configure,
    Daily,
    Kick,
    Ranking,
    Record,
    Rematch,
    Replay,
    Report,
    Trace,
)

MAX_UNANSWERED: Final = 32
"""More than these a server need not remember the answers of."""

FIRST_Q: Final = 1

Numbered = BoardDraft | RaceDraft | Kick | Configure
RaceQuestion = QuestionDraft | Replay | Report | Trace
DailyQuestion = Daily | Ranking | Record | Commitments
Question = RaceQuestion | DailyQuestion
Draft = Numbered | Question

Named = TypeVar("Named", bound=Draft)


@dataclass(frozen=True, slots=True)
class Speech:
    """All that was and will be said in one race.

    Attributes:
        next_c: the number of the next command.
        next_q: the number of the next question.
        line: moves that have no number yet; they wait for the ones before them.
        is_mid_line: whether the last move that was taken is not the last of its line.
        outbox: numbered commands to be sent as soon as they may.
        unanswered: numbered commands that were sent.
        postponed: numbered commands that the server asked to send a little later.
        uncertain: numbers of those that may have taken effect although no answer said so.
        accepted: commands that took effect, in order of their numbers.
        held: questions about the board that wait for moves before them to be sent.
        questions: questions that were not answered.
    """

    next_c: int = 1
    next_q: int = FIRST_Q
    line: tuple[BoardDraft, ...] = ()
    is_mid_line: bool = False
    outbox: tuple[Numbered, ...] = ()
    unanswered: tuple[Numbered, ...] = ()
    postponed: tuple[Numbered, ...] = ()
    uncertain: frozenset[int] = frozenset()
    accepted: tuple[Numbered, ...] = ()
    held: tuple[QuestionDraft, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether everything was said and answered."""
        return not (self.is_busy or self.held or self.questions)

    @property
    def is_busy(self) -> bool:
        """Whether something that changes the race, moves above all, has no answer yet."""
        return bool(self.line or self.outbox or self.unanswered or self.postponed)

    @property
    def pending(self) -> tuple[Numbered, ...]:
        """Numbered commands that were not decided: sent or not, they may still take effect."""
        return (*self.outbox, *self.unanswered, *self.postponed)

    def command(self, c: int | None) -> Numbered | None:
        """The unanswered command of that number."""
        return next((command for command in self.unanswered if command.c == c), None)

    def with_drafts(self, race: str, drafts: Iterable[Draft]) -> "Speech":
        """Drafts are added; all but moves get their number here. A question may name another race."""
        line, outbox, held, questions = self.line, self.outbox, self.held, self.questions
        next_c, next_q = self.next_c, self.next_q
        for draft in drafts:
            if isinstance(draft, BoardDraft):
                line = (*line, draft)
            elif isinstance(draft, QuestionDraft):
                held, next_q = (*held, msgspec.structs.replace(draft, race=race, q=next_q)), next_q + 1
            elif isinstance(draft, RaceQuestion):
                asked = msgspec.structs.replace(draft, race=draft.race or race, q=next_q)
                questions, next_q = (*questions, asked), next_q + 1
            elif isinstance(draft, DailyQuestion):
                questions = (*questions, msgspec.structs.replace(draft, q=next_q))
                next_q += 1
            else:
                outbox = (*outbox, msgspec.structs.replace(draft, race=race, c=next_c))
                next_c += 1
        return replace(
            self,
            line=line,
            outbox=outbox,
            held=held,
            questions=questions,
            next_c=next_c,
            next_q=next_q,
        )

    def about(self, race: str) -> "Speech":
        """The same once the race's code is known: what was said before that is about this race."""
        return replace(
            self,
            outbox=_named(race, self.outbox),
            held=_named(race, self.held),
            questions=_named(race, self.questions),
        )

    def sent(self, race: str, n: int) -> tuple["Speech", tuple[Numbered, ...]]:
        """What may be sent now is sent: at most `MAX_UNANSWERED` in all, and one move of a line at a time.

        Args:
            race: the race's code.
            n: the version of the board, for the move.
        """
        if self.postponed:
            return self, ()
        room = MAX_UNANSWERED - len(self.unanswered)
        sending, outbox = self.outbox[:room], self.outbox[room:]
        unanswered = (*self.unanswered, *sending)
        speech = replace(self, outbox=outbox, unanswered=unanswered)
        if not self.line or outbox or any(isinstance(command, BoardDraft) for command in unanswered):
            return speech, sending
        move = msgspec.structs.replace(self.line[0], race=race, c=self.next_c, n=n)
        speech = replace(speech, line=self.line[1:], unanswered=(*unanswered, move), next_c=self.next_c + 1)
        return speech, (*sending, move)

    def asked(self) -> tuple["Speech", tuple[QuestionDraft, ...]]:
        """Questions about the board are asked, unless a move before them is still to be sent."""
        unsent = (*self.line, *self.outbox, *self.postponed)
        if any(isinstance(command, BoardDraft) for command in unsent):
            return self, ()
        return replace(self, held=(), questions=(*self.questions, *self.held)), self.held

    # Answers.

    def with_accepted(self, command: Numbered) -> "Speech":
        """A command took effect."""
        is_mid_line = bool(self.line) if isinstance(command, BoardDraft) else self.is_mid_line
        accepted = (*self.accepted, command)
        return replace(self._decided(command), accepted=accepted, is_mid_line=is_mid_line)

    def with_refused(self, command: Numbered) -> "Speech":
        """A command had no effect; a refused move takes the rest of its line with it."""
        speech = self._decided(command)
        return replace(speech, line=(), is_mid_line=False) if isinstance(command, BoardDraft) else speech

    def with_postponed(self, command: Numbered, *, is_uncertain: bool = False) -> "Speech":
        """A command is to be sent a little later; nothing else is, before it.

        Args:
            command: one that was sent.
            is_uncertain: whether it may have taken effect all the same.
        """
        uncertain = self.uncertain | {command.c} if is_uncertain else self.uncertain
        postponed = (*self.postponed, command)
        return replace(self, unanswered=self._without(command), postponed=postponed, uncertain=uncertain)

    def has_asked(self, race: str | None, q: int | None, after: int | None = None) -> bool:
        """Whether a question of that number about that race was asked, and not answered yet.

        Args:
            race: the race.
            q: the number.
            after: for which page of the answer, where it has pages.
        """
        for question in self.questions:
            if isinstance(question, RaceQuestion) and (question.race, question.q) == (race, q):
                return after is None or (isinstance(question, Replay | Trace) and question.after == after)
        return False

    def with_answered(self, q: int) -> "Speech":
        """A question was answered."""
        return replace(self, questions=tuple(question for question in self.questions if question.q != q))

    # Saying it again.

    def resumed(self) -> "Speech":
        """What was postponed is to be sent now, before all else.

        What may have taken effect keeps its number, by which the server knows it again. Anything else left no
        trace and gets a new number: its old one may be below another's by now.
        """
        again = tuple(command for command in self.postponed if command.c in self.uncertain)
        anew = tuple(command for command in self.postponed if command.c not in self.uncertain)
        moves = tuple(command for command in anew if isinstance(command, BoardDraft))
        others = tuple(command for command in anew if not isinstance(command, BoardDraft))
        numbered = (
            msgspec.structs.replace(command, c=self.next_c + place) for place, command in enumerate(others)
        )
        return replace(
            self,
            postponed=(),
            line=(*moves, *self.line),
            outbox=_in_order(*again, *self.outbox, *numbered),
            next_c=self.next_c + len(others),
        )

    def repeated(self, last_c: int | None = None) -> "Speech":
        """All that was not answered is to be sent again; so is what was accepted above `last_c`, and lost."""
        kept = tuple(command for command in self.accepted if last_c is None or command.c <= last_c)
        lost = tuple(command for command in self.accepted if last_c is not None and command.c > last_c)
        return replace(
            self,
            next_c=max(self.next_c, (last_c or 0) + 1),
            accepted=kept,
            unanswered=(),
            outbox=_in_order(*lost, *self.unanswered, *self.outbox),
            uncertain=self.uncertain | {command.c for command in self.unanswered},
        )

    def at_the_end(self) -> "Speech":
        """The race is over: no move can be taken any more, and none that was taken can be lost."""
        rematch = tuple(command for command in self.accepted if isinstance(command, Rematch))
        return replace(self, line=(), held=(), accepted=rematch)

    def _decided(self, command: Numbered) -> "Speech":
        """A command was answered for good."""
        return replace(self, unanswered=self._without(command), uncertain=self.uncertain - {command.c})

    def _without(self, command: Numbered) -> tuple[Numbered, ...]:
        return tuple(other for other in self.unanswered if other is not command)


def _named(race: str, commands: tuple[Named, ...]) -> tuple[Named, ...]:
    return tuple(
        command
        if isinstance(command, DailyQuestion) or command.race
        else msgspec.structs.replace(command, race=race)
        for command in commands
    )


def _in_order(*commands: Numbered) -> tuple[Numbered, ...]:
    """By their numbers: one that comes after a higher one is too late, unless it was decided before."""
    return tuple(sorted(commands, key=lambda command: command.c))
