"""How fast one connection may ask for what."""

from protocol import commands
from server.gateway.limits import Bucket
from server.gateway.node import Node
from server.gateway.setups import RANDOM, names_daily


class Throttle:
    """The token buckets of one connection, and those it shares with others of its address."""

    def __init__(self, node: Node, address: str) -> None:
        now_ms, limits = node.clock.now_ms(), node.limits
        self._node = node
        self._address = address
        self._moves = Bucket(limits.moves, now_ms)
        self._chat = Bucket(limits.chat, now_ms)
        self._joins = Bucket(limits.joins, now_ms)
        self._questions = Bucket(limits.questions, now_ms)
        self._creates = Bucket(limits.creates, now_ms)

    def wait_ms(self, message: commands.Command) -> int:
        """0 if the message may be taken now, else after how many ms it may."""
        now_ms = self._node.clock.now_ms()
        match message:
            case commands.Attempt():
                # It may make a log, and identities cost nothing.
                wait_ms = self._joins.take(now_ms)
                return wait_ms or self._node.creates.take(self._address, now_ms)
            case commands.Create():
                return self._creates.take(now_ms) or self._node.creates.take(self._address, now_ms)
            case (
                commands.Join()
                | commands.Watch()
                | commands.Unwatch()
                | commands.Rematch()
                | commands.AddRobot()
            ):
                return self._joins.take(now_ms)
            case commands.Say():
                return self._chat.take(now_ms)
            case (
                commands.Hint()
                | commands.Calc()
                | commands.Replay()
                | commands.Report()
                | commands.Trace()
                | commands.Daily()
                | commands.Ranking()
                | commands.Record()
                | commands.Commitments()
            ):
                return self._questions.take(now_ms)
            case _:
                return self._moves.take(now_ms)

    def naming_ms(self, settings: commands.Settings) -> int:
        """0 if these settings name no deal by its number, or may do so now, else after how many ms they may.

        To be asked only about settings that would be taken, or others would use up what a host may name.
        """
        deal = settings.deal
        if names_daily(deal) or deal == RANDOM:
            return 0
        return self._node.namings.take(self._address, deal, self._node.clock.now_ms())

    def next_miss_ms(self) -> int:
        """0 if a race may be asked for that may not exist, else after how many ms it may."""
        return self._node.misses.wait_ms(self._address, self._node.clock.now_ms())

    def miss(self) -> None:
        """There was no such race."""
        self._node.misses.take(self._address, self._node.clock.now_ms())
