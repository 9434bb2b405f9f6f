"""Questions about the deal of the day: the day itself, the boards, one's own record, the commitments."""

from protocol import commands, events
from protocol.codec import Reference
from server.daily.boards import Place
from server.daily.calendar import ends_ms, is_month
from server.daily.naming import Daily, attempt_of
from server.daily.record import record_of
from server.daily.referee import Result
from server.daily.rows import By, day_table, month_table
from server.gateway import daily_wire
from server.gateway.daily_setups import known_day
from server.gateway.entitlement import has_played
from server.gateway.keeper import NoSuchRace
from server.gateway.peer import Peer
from server.gateway.players import Identity
from server.race.state import PlayerId

LATEST_DAYS = 14
"""Days of a record that are told one by one."""

Question = commands.Daily | commands.Ranking | commands.Record | commands.Commitments


class Desk:
    """Answers one connection's questions."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._node = peer.node
        self._store = peer.node.store

    async def answer(self, message: Question, identity: Identity, at: Reference) -> None:
        """Answer one question.

        Raises:
            Unavailable: the store cannot tell.
        """
        if not isinstance(message, commands.Commitments):
            # Whoever asks has often just finished.
            await self._node.projector.caught_up()
        match message:
            case commands.Daily():
                await self._day(message, identity.player, at)
            case commands.Ranking():
                await self._ranking(message, identity.player, at)
            case commands.Record():
                await self._record(message, identity.player)
            case commands.Commitments(q, cells):
                proofs = await self._node.almanac.commitments(cells)
                self._peer.connection.send(daily_wire.committed(q, cells, proofs))

    async def _day(self, message: commands.Daily, player: PlayerId, at: Reference) -> None:
        almanac = self._node.almanac
        daily = daily_wire.daily_named(message, almanac.today)
        refusal = await known_day(self._node, daily.day)
        if refusal is not None:
            self._peer.answers.refuse(refusal, at)
            return
        mine = await self._mine(daily, player)
        proof = await almanac.proof(daily)
        is_known = proof.value is not None or (mine is not None and mine.state != "racing")
        deal = await almanac.deal(daily) if is_known else None
        won = await self._store.results.size(day_table(daily, By.TIME))
        left_ms = ends_ms(daily.day) - self._store.now_ms()
        since = await almanac.since()
        told = daily_wire.day(message.q, almanac.today, since, proof, left_ms, won, deal, mine)
        self._peer.connection.send(told)

    async def _mine(self, daily: Daily, player: PlayerId) -> events.Mine | None:
        code = attempt_of(daily, player)
        try:
            is_over = await has_played(self._node, player, daily)
            hub = await self._node.hubs.open(code)
        except NoSuchRace:
            return None
        if not is_over:
            return events.Mine(code, "racing", self._store.now_ms() - hub.race.life.started_at)
        # Where it ended on another node, that may not have come to writing it yet.
        result = await self._node.projector.result_of(daily, player)
        return None if result is None else daily_wire.mine(code, result, await self._place(result))

    async def _place(self, result: Result) -> Place | None:
        if not result.won:
            return None
        return await self._node.boards.place_of(day_table(result.daily, By.TIME), result.ms)

    async def _ranking(self, message: commands.Ranking, player: PlayerId, at: Reference) -> None:
        by = daily_wire.BY[message.by]
        daily = daily_wire.daily_named(message, self._node.almanac.today)
        if is_month(daily.day):
            table, mine = month_table(daily.day, daily.cells, by), None
        else:
            refusal = await known_day(self._node, daily.day)
            if refusal is not None:
                self._peer.answers.refuse(refusal, at)
                return
            table, mine = day_table(daily, by), await self._node.boards.own_line(daily, by, player)
        found = await self._node.boards.page(table, message.start)
        self._peer.connection.send(
            events.Ranks(
                message.q,
                daily.day,
                daily.cells,
                message.by,
                found.of,
                message.start,
                tuple(map(daily_wire.ranked, found.lines)),
                None if mine is None else daily_wire.ranked(mine),
                found.more,
                found.unreadable,
            )
        )

    async def _record(self, message: commands.Record, player: PlayerId) -> None:
        results = await self._node.boards.results_of(player, message.cells)
        record = record_of(results, self._store.now_ms(), self._node.almanac.today)
        latest = results[: -LATEST_DAYS - 1 : -1]
        days = [(result, await self._place(result)) for result in latest]
        self._peer.connection.send(daily_wire.recorded(message.q, message.cells, record, days))
