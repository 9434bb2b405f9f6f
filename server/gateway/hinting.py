"""Hints: the next move of a line that wins, where one is found in time, else one by the rule."""

import asyncio
from contextlib import suppress
from typing import Final

from server.gateway.verdicts import Assessor
from server.race.questions import AskHint
from server.race.state import PlayerId, Race
from server.solver.verdict import Verdict, Winnable

IN_TIME_S: Final = 0.3
"""How long a hint may take to be looked for. What is found later is there for the next one."""


async def hint_question(race: Race, player: PlayerId, assessor: Assessor) -> AskHint:
    """The question for a hint, with the advice of one who knows what can still be won, if he has any.

    One line is kept to for as long as the player follows it, so that following hints wins.
    """
    member = race.members.get(player)
    game = member.game if member else None
    if member is None or game is None or not game.rules.hints:
        return AskHint(player)
    verdict: Verdict | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(IN_TIME_S):
            verdict = await assessor.ask(game.position, (race.life.code, player), urgent=True)
    advice = verdict.move if isinstance(verdict, Winnable) else None
    return AskHint(player, member.n, advice)
