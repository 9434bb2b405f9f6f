"""What is asked of a race by one who has a seat in it, or talks from beside."""

from collections.abc import Callable
from dataclasses import replace

from protocol import commands, events
from protocol.codec import Reference
from server.gateway import wire
from server.gateway.coach import new_robot
from server.gateway.daily_setups import setup_again_for
from server.gateway.hinting import hint_question
from server.gateway.hub import Hub
from server.gateway.hubs import Full
from server.gateway.keeper import REWOUND_MS
from server.gateway.peer import NO_ROOM, RETRY_MS, Peer
from server.gateway.plan import Busy, Done, DoneBefore, Outcome, Refused
from server.gateway.players import Identity
from server.gateway.seat import Seat
from server.gateway.seating import Seating, enter, foreseen, setup_asked_for
from server.gateway.translate import Simple, command_of, question_of
from server.gateway.verdicts import Assessor
from server.gateway.watching import Watching
from server.race.commands import (
    AddRobot,
    AskRematch,
    Configure,
    Join,
    NoteHint,
    NumberedCommand,
    Tick,
)
from server.race.decision import NOT_DUE, Decision, Refusal
from server.race.questions import Question
from server.race.robot import Level
from server.race.state import PlayerId, RaceCode
from server.store.base import Unavailable

_NOT_SEATED = Refusal("not_seated", "you have no seat in this race on this connection")


class Playing:
    """The commands and questions of one connection about the races it takes part in."""

    def __init__(self, peer: Peer, seating: Seating, watching: Watching) -> None:
        self._peer = peer
        self._seating = seating
        self._watching = watching

    def numbered(self, message: Simple, identity: Identity, at: Reference) -> None:
        """Have a numbered command decided; it is answered once that is done."""
        found = self._place_of(message, at)
        if found is None:
            return
        hub, seat = found
        command = command_of(message, identity.player, _session(seat), identity.name)
        if isinstance(command, Refusal):
            member = hub.race.members.get(identity.player)
            self._peer.answers.refuse(command, at, n=member.n if member else None)
            return
        self._submit(hub, seat, command, at, lambda outcome: self._after(message, hub, outcome))

    async def configure(self, message: commands.Configure, identity: Identity, at: Reference) -> None:
        """Have the settings changed, if they can be; only of one who may change them they are looked at."""
        found = self._place_of(message, at)
        if found is None:
            return
        hub, seat = found
        command = Configure(identity.player, _session(seat), message.c, hub.race.life.setup)
        verdict = await foreseen(self._peer.node, hub, command)
        if isinstance(verdict, Refusal):
            self._peer.answers.outcome(command, Refused(verdict, hub.race), at)
            return
        if isinstance(verdict, Decision):
            n = hub.race.members[identity.player].n
            setup = await setup_asked_for(self._peer, message.settings, identity, at, n)
            if setup is None:
                return
            command = replace(command, setup=setup)
        self._submit(hub, seat, command, at, lambda _: None)

    async def rematch(self, message: commands.Rematch, identity: Identity, at: Reference) -> None:
        """Ask for the rematch, and have a seat in it."""
        found = self._place_of(message, at)
        if found is None:
            return
        hub, seat = found
        code = await self._peer.node.hubs.code_for_rematch(hub.code)
        setup = await setup_again_for(self._peer.node, hub.race.life.setup)
        command = AskRematch(identity.player, _session(seat), message.c, code, setup)
        self._submit(hub, seat, command, at, lambda outcome: self._after_rematch(hub, identity, at, outcome))

    def add_robot(self, message: commands.AddRobot, identity: Identity, at: Reference) -> None:
        """Seat a robot at once, as what the host says next may be about it; it gets its game later."""
        found = self._place_of(message, at)
        if found is None:
            return
        hub, seat = found
        who = (identity.player, _session(seat), message.c)
        command = AddRobot(*who, new_robot(), Level(message.level), self._peer.node.coach.why_not)
        self._submit(hub, seat, command, at, lambda _: None)

    def ask(self, message: commands.Hint | commands.Calc, player: PlayerId, at: Reference) -> None:
        """Have a question about one's own board answered."""
        seat = self._seating.in_race(message.race)
        if seat is None:
            self._peer.answers.refuse(_NOT_SEATED, at)
            return
        if isinstance(message, commands.Hint) and seat.hub.race.life.setup.ranked:
            # In the same batch or an earlier one, so no hint is given before it is written down.
            seat.hub.submit(NoteHint(player, seat.follower.session), lambda _: None)
        assessor = self._peer.node.assessor
        if isinstance(message, commands.Hint) and assessor is not None:
            self._peer.tasks.spawn(self._ask_for_hint(seat, player, assessor, at))
        else:
            self._ask(seat, question_of(message, player), at)

    async def _ask_for_hint(self, seat: Seat, player: PlayerId, assessor: Assessor, at: Reference) -> None:
        """Have a hint given that somebody has thought about: on the board after all that was sent before."""
        if seat.unanswered:
            # Settled behind all that; what becomes of it does not matter.
            await seat.hub.run(Tick())
        self._ask(seat, await hint_question(seat.hub.race, player, assessor), at)

    def _ask(self, seat: Seat, question: Question, at: Reference) -> None:
        def reply(outcome: Outcome) -> None:
            self._peer.answers.answer(outcome, at, question.player)

        if not seat.submit(question, reply):
            self._peer.answers.too_fast(at, RETRY_MS)

    def _place_of(self, message: commands.Numbered, at: Reference) -> tuple[Hub, Seat | None] | None:
        """The race a numbered command is for, and the seat it comes from. A watcher can only talk."""
        code = RaceCode(message.race)
        if self._seating.joining == code:
            self._peer.answers.unavailable(at, REWOUND_MS)
            return None
        seat = self._seating.in_race(code)
        if seat is not None:
            return seat.hub, seat
        watched = self._watching.hub(code)
        if isinstance(message, commands.Say) and watched is not None:
            return watched, None
        self._peer.answers.refuse(_NOT_SEATED, at)
        return None

    def _submit(
        self,
        hub: Hub,
        seat: Seat | None,
        command: NumberedCommand,
        at: Reference,
        after: Callable[[Outcome], None],
    ) -> None:
        """Have a command decided, unless too many are unanswered."""
        node, answers = self._peer.node, self._peer.answers
        arrived = node.clock.now_ms()

        def reply(outcome: Outcome) -> None:
            node.metrics.answer_s.observe((node.clock.now_ms() - arrived) / 1000)
            if seat:
                self._tell_effect(seat, command, outcome)
            answers.outcome(command, outcome, at)
            after(outcome)

        if seat is None:
            hub.submit(command, reply)
        elif not seat.submit(command, reply):
            answers.too_fast(at, RETRY_MS)

    def _tell_effect(self, seat: Seat, command: NumberedCommand, outcome: Outcome) -> None:
        """Send the seat anew where an answer is repeated that this client never got.

        The store had not told in time that the command took effect, so he was told to send it again.
        """
        match outcome:
            case DoneBefore(_, race) if command.c > seat.told_c:
                self._peer.connection.send(wire.seat(race, race.members[command.player], None))
                seat.told_c = command.c
            case Done():
                seat.told_c = command.c
            case _:
                pass

    def _after(self, message: commands.Numbered, hub: Hub, outcome: Outcome) -> None:
        """A seat that was left is shown nothing more."""
        left = isinstance(message, commands.Leave) and isinstance(outcome, Done)
        seat = self._seating.in_race(hub.code)
        if left and seat:
            member = hub.race.members.get(seat.follower.player)
            if member is None or not member.seated:
                self._seating.leave()

    def _after_rematch(self, hub: Hub, identity: Identity, at: Reference, outcome: Outcome) -> None:
        # One who uses the number of another command is answered as that was, and there may be no rematch.
        if isinstance(outcome, Done | DoneBefore) and hub.race.life.rematch is not None:
            self._peer.tasks.spawn(self._seat_in_rematch(hub, identity, at))

    async def _seat_in_rematch(self, hub: Hub, identity: Identity, at: Reference) -> None:
        """Seat one who asked for the rematch in it, and tell him where it is."""
        # Without `c`: that command took effect, and has been answered.
        at = Reference(at.race)
        try:
            await self._peer.node.hubs.link_rematch(hub)
            rematch = hub.race.life.rematch
            assert rematch is not None  # it was asked for
            refusal = await enter(self._peer.node, identity, rematch.code)
            following = await self._peer.node.hubs.open(rematch.code)
            seated = following.race.members.get(identity.player)
            # One who is seated there already would only take the seat from himself.
            joining = Tick() if seated and seated.seated else Join(identity.player, identity.name)
            outcome = Refused(refusal, following.race) if refusal else await following.run(joining)
        except Unavailable as error:
            self._peer.answers.unavailable(at, error.retry_ms)
        except Full:
            self._peer.answers.refuse(NO_ROOM, at)
        else:
            match outcome:
                case Refused(refusal) if refusal is not NOT_DUE:
                    self._peer.answers.refuse(refusal, at)
                case Busy(retry_ms):
                    self._peer.answers.unavailable(at, retry_ms)
                case _:
                    self._peer.connection.send(events.RematchReady(hub.code, rematch.code))


def _session(seat: Seat | None) -> int:
    """What fences the commands of a seat; who only watches has none."""
    return seat.follower.session if seat else 0
