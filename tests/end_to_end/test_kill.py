"""The server is killed a hundred times while races are on, and nothing that counts is lost or doubled."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.exceptions import WebSocketException

from protocol import commands, events
from server.race.evolve import fold
from tests.end_to_end.account import check_board, check_effects, read_races
from tests.end_to_end.player import Gone, Player
from tests.end_to_end.process import ServerProcess, server_process
from tests.solutions import moves_of

KILLS: Final = 100
DEALS: Final = (1, 617, 31465)
RACERS: Final = 3
AHEAD: Final = 6
"""Commands a racer sends without waiting for answers."""

Step = tuple[type[commands.Numbered], dict[str, Any]]


def script(deal: int, dice: random.Random, *, endless: bool) -> Iterator[Step]:
    """All that a racer does, up to the winning move, or without end: then he never makes that one.

    It is legal only if each step counts exactly once.
    """
    moves = moves_of(deal)
    while True:
        for move in moves[:-1]:
            yield commands.Move, {"move": move}
            match dice.randrange(12):
                case 0:
                    yield commands.Undo, {}
                    yield commands.Redo, {}
                case 1:
                    yield commands.Undo, {}
                    yield commands.Move, {"move": move}
                case 2:
                    yield commands.Say, {"text": f"{move}, said {dice.randrange(10**9)}"}
                case _:
                    pass
        if not endless:
            yield commands.Move, {"move": moves[-1]}
            return
        yield commands.Restart, {}


class Story:
    """The server's lives, and how many answers there have been: it is killed after a few of them."""

    def __init__(self, server: ServerProcess, seed: int) -> None:
        self.server = server
        self.dice = random.Random(seed)
        self.answers = 0
        self.kills = 0
        self.is_over = False
        self._news = asyncio.Event()

    def answered(self) -> None:
        self.answers += 1
        self._news.set()

    async def kill_again_and_again(self, guests: Sequence[Player]) -> None:
        while self.kills < KILLS:
            target = self.answers + self.dice.choice([0, 1, 2, 3, 5, 8, 13, 21])
            while self.answers < target:
                self._news.clear()
                await self._news.wait()
            await self.server.kill()
            self.kills += 1
            if self.dice.random() < 0.1:
                await self.server.spawn()
                await self.server.kill()
                self.kills += 1
            await self.server.start()
        self.is_over = True
        for guest in guests:
            guest.nudge()


async def persist(guest: Player, story: Story, life: Callable[[], Awaitable[None]]) -> None:
    """Live through a connection, and through another whenever it breaks, until `life` is done."""
    while True:
        await guest.drop()
        await story.server.listening.wait()
        try:
            await guest.connect()
            await life()
        except (Gone, OSError, EOFError, WebSocketException):
            continue
        return


async def race(guest: Player, story: Story, code: str, steps: Iterator[Step]) -> None:
    """Play a script over however many connections it takes, to its end or that of the story."""
    chair = guest.chair(code)
    answered: set[int] = set()

    def count() -> None:
        for c in sorted(set(chair.answers) - answered):
            assert isinstance(chair.answers[c], events.Ack), chair.answers[c]
            answered.add(c)
            story.answered()

    async def life() -> None:
        guest.is_doubtful = story.dice.random() < 0.5
        await guest.sit(code)
        while not story.is_over and (step := next(steps, None)):
            kind, fields = step
            await guest.start(kind, code, **fields)
            await guest.until(lambda: len(chair.unanswered) < AHEAD, "answers")
            count()
        await guest.until(lambda: not chair.unanswered, "the last answers")
        count()

    await persist(guest, story, life)


async def found(guest: Player, story: Story) -> list[str]:
    """Make a race in each of the server's lives, sent again until it is there, and leave it; their codes."""
    codes: list[str] = []

    async def life() -> None:
        code = await guest.create(create_id=f"founded-{len(codes)}")
        await leave(guest, code)
        codes.append(code)
        story.answered()
        await guest.until(lambda: story.is_over, "the end of this life")

    await persist(guest, story, life)
    return codes


async def leave(guest: Player, code: str) -> None:
    """Leave a lobby, unless that took effect before the connection broke."""
    chair = guest.chair(code)
    if not chair.acks:
        for command in [*chair.unanswered.values()] or [guest.number(commands.Leave, code)]:
            await guest.send(command)  # type: ignore[arg-type]  # every numbered one is a command
        await guest.until(lambda: chair.answers, "the answer")


async def open_tables(url: str) -> dict[str, list[Player]]:
    """A race on each deal, running, by code."""
    tables: dict[str, list[Player]] = {}
    for deal in DEALS:
        players = [Player(url, f"Racer {number}") for number in range(RACERS)]
        for player in players:
            await player.connect()
        code = await players[0].create(commands.Settings(deal=deal, countdown_s=0, time_limit_s=3600))
        for player in players[1:]:
            await player.sit(code)
        await players[0].did(commands.Start, code)
        tables[code] = players
    return tables


@pytest.mark.timeout(240)
async def test_a_hundred_kills_lose_nothing_that_was_acknowledged_and_double_nothing(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        await server.start()
        story = Story(server, seed=20_260)
        tables = await open_tables(server.url)
        everyone = [founder := Player(server.url, "Founder")]
        everyone += [player for players in tables.values() for player in players]
        async with asyncio.TaskGroup() as group:
            group.create_task(story.kill_again_and_again(everyone))
            founding = group.create_task(found(founder, story))
            for (code, players), deal in zip(tables.items(), DEALS, strict=True):
                for place, player in enumerate(players):
                    steps = script(deal, random.Random(f"{deal}/{place}"), endless=deal != DEALS[0])
                    group.create_task(race(player, story, code, steps))
        codes = founding.result()
        for player in everyone:
            await player.close()
        assert (await server.stop())[1] == 0

    assert story.kills >= KILLS
    logs = await read_races(server.store)
    assert set(logs) == {*tables, *codes}
    assert len(codes) == len(set(codes)) > KILLS // 10
    untold = 0
    for code, players in tables.items():
        folded = fold(logs[code])
        for player in players:
            untold += check_effects(player, code, logs[code])
            check_board(player, code, folded)
        finished = folded.life.setup.deal == DEALS[0]
        assert [racer.rank is not None for racer in folded.racers] == [finished] * RACERS
    for code in codes:
        check_effects(founder, code, logs[code])
        assert fold(logs[code]).life.ending == "abandoned"
    assert untold > 0, "no kill came between a commit and its answer"
