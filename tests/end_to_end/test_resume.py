"""Coming back to the real server over lines that are slow, break in the middle of a frame, or fall silent."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest
from websockets.exceptions import WebSocketException

from protocol import commands, events
from protocol.commands import Settings
from server.race.evolve import fold
from tests.end_to_end.account import check_board, check_effects, read_races
from tests.end_to_end.bad_line import bad_line
from tests.end_to_end.player import Gone, Player
from tests.end_to_end.process import ServerProcess, server_process
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)
RACE: Final = Settings(deal=1, countdown_s=0, watch="live", time_limit_s=3600)
AHEAD: Final = 8


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    async with server_process(tmp_path) as server:
        await server.start()
        yield server


async def running_race(url: str, *names: str, settings: Settings = RACE) -> tuple[str, list[Player]]:
    """A race that runs, and its racers, over a good line."""
    players = [Player(url, name) for name in names]
    for player in players:
        await player.connect()
    race = await players[0].create(settings)
    for player in players[1:]:
        await player.sit(race)
    await players[0].did(commands.Start, race)
    for player in players:
        await player.reach(race, "running")
    return race, players


async def persist(guest: Player, life: Callable[[], Awaitable[None]]) -> int:
    """Live through one connection after another until `life` is done; how many it took."""
    lives = 0
    while True:
        lives += 1
        await guest.drop()
        try:
            await guest.connect()
            await life()
        except (Gone, OSError, EOFError, WebSocketException):
            continue
        return lives


async def play(guest: Player, race: str, moves: list[str]) -> int:
    """Make these moves, some sent ahead, however often the line breaks."""
    chair = guest.chair(race)
    waiting = iter(moves)

    async def life() -> None:
        await guest.sit(race)
        for move in waiting:
            await guest.start(commands.Move, race, move=move)
            await guest.until(lambda: len(chair.unanswered) < AHEAD, "answers")
            assert not any(isinstance(answer, events.Refused) for answer in chair.answers.values())
        await guest.until(lambda: not chair.unanswered, "the last answers")

    return await persist(guest, life)


async def watch_to_the_end(guest: Player, race: str) -> int:
    """Watch a race until it is over, however often the line breaks."""

    async def life() -> None:
        assert isinstance(await guest.watch(race), events.Watching)
        await guest.reach(race, "over", "watch")

    return await persist(guest, life)


async def test_a_whole_race_over_a_line_that_breaks_again_and_again(server: ServerProcess) -> None:
    race, players = await running_race(server.url, "Ana", "Ben", "Cid")
    watchers = [Player(server.url, name) for name in ("Eve", "Fay")]
    async with bad_line(server.url) as line, bad_line(server.url) as other:
        # What a watcher misses while his line is bad comes at once, and must get through some time.
        line.breaks_after, other.breaks_after = (1_500, 9_000), (4_000, 60_000)
        for guest in players:
            guest.url = line.url
        for guest in watchers:
            guest.url = other.url
        lives = await asyncio.gather(
            *(play(player, race, SOLUTION) for player in players),
            *(watch_to_the_end(watcher, race) for watcher in watchers),
        )
        assert min(lives[:3]) > 3, "the line was not that bad"
        assert min(lives[3:]) > 1, "nor that of the watchers"
        line.breaks_after = other.breaks_after = None
        for player in players:
            await see_the_end(player, race)
        pictures = [guest.pictures[race, "watch"].picture for guest in watchers]
        assert pictures[0] == pictures[1]
        for player in players:
            assert pictures[0].boards[player.id] == player.chair(race).board
        for guest in (*players, *watchers):
            await guest.close()
    assert (await server.stop())[1] == 0
    log = (await read_races(server.store))[race]
    folded = fold(log)
    for player in players:
        check_effects(player, race, log)
        check_board(player, race, folded)
    assert sorted(racer.rank or 0 for racer in folded.racers) == [1, 2, 3]


async def see_the_end(guest: Player, race: str) -> None:
    """Come back and see how it ended."""
    await guest.drop()
    await guest.connect()
    await guest.sit(race)
    await guest.reach(race, "over")


async def test_after_a_while_without_network_what_was_missed_comes_before_anything_live(
    server: ServerProcess,
) -> None:
    race, (ana, ben) = await running_race(server.url, "Ana", "Ben")
    async with bad_line(server.url) as line:
        ana.url = line.url
        await ana.drop()
        await ana.connect()
        await ana.sit(race)
        line.carrying.clear()
        for move in SOLUTION[:20]:
            await ben.did(commands.Move, race, move=move)
        lost = await ana.start(commands.Move, race, move=SOLUTION[0])
        line.cut_all()
        await ana.until(lambda: ana.closed, "the end of the line", alive=False)
        line.carrying.set()
        known = ana.pictures[race, "seat"].to
        mark = len(ana.heard)
        await ana.connect()
        await ana.sit(race)
        first = await ana.hear(events.Update, mark)
        assert first.from_ == known
        assert isinstance(await ana.answer_to(race, lost), events.Ack)
        assert ana.racer(race, ben.id).actions == 20
        for player in (ana, ben):
            await player.close()


async def test_one_whose_line_is_dead_but_not_cut_takes_his_seat_over_another(server: ServerProcess) -> None:
    two = Settings(deal=1, countdown_s=0, max_racers=2)
    race, (ana, ben) = await running_race(server.url, "Ana", "Ben", settings=two)
    async with bad_line(server.url) as line:
        stuck = Player(line.url, "Ana", token=ana.token)
        await stuck.connect()
        await stuck.sit(race)
        assert await ana.ended() == (4000, "superseded")
        line.carrying.clear()
        # The server does not know yet that this line is dead; the race is full, and the seat is his own.
        await ana.connect()
        await ana.sit(race)
        await ana.did(commands.Move, race, move=SOLUTION[0])
        # What the dead line still holds comes too late to have an effect.
        await stuck.send(commands.Move(race, ana.chair(race).used_c + 1, 1, SOLUTION[1]))
        line.carrying.set()
        assert await stuck.ended() == (4000, "superseded")
        assert (await ana.did(commands.Move, race, move=SOLUTION[1])).n == 2
        for player in (ana, ben):
            await player.close()


async def test_near_and_far_racers_start_at_the_same_time_within_the_delay(server: ServerProcess) -> None:
    loop = asyncio.get_running_loop()
    async with bad_line(server.url) as near, bad_line(server.url) as far:
        near.delay_s, far.delay_s = 0.005, 0.250
        ana, ben = Player(near.url, "Ana"), Player(far.url, "Ben")
        for player in (ana, ben):
            await player.connect()
        race = await ana.create(Settings(deal=1, countdown_s=1))
        await ben.sit(race)
        starts: dict[str, float] = {}

        async def see_the_start(player: Player) -> None:
            await player.reach(race, "running")
            update = player.last(events.Update)
            assert update is not None
            assert update.clock is not None
            starts[player.name] = loop.time() - update.clock / 1000

        await asyncio.gather(see_the_start(ana), see_the_start(ben), ana.did(commands.Start, race))
        assert 0 < starts["Ben"] - starts["Ana"] < 0.5
        for player in (ana, ben):
            await player.close()


@pytest.mark.parametrize("seed", range(3))
async def test_a_client_that_is_started_again_and_again_has_the_same_board(
    server: ServerProcess, seed: int
) -> None:
    dice = random.Random(seed)
    race, (ana,) = await running_race(server.url, "Ana")
    moves = iter(SOLUTION[:60])
    board, n = ana.chair(race).board, 0
    for _ in range(10):
        await ana.drop()
        ana = Player(server.url, "Ana", token=ana.token)
        welcome = await ana.connect()
        assert welcome.races == (race,)
        seat = await ana.sit(race)
        assert (seat.board, seat.n) == (board, n)
        for _ in range(dice.randrange(8)):
            if (move := next(moves, None)) is not None:
                await ana.did(commands.Move, race, move=move)
        board, n = ana.chair(race).board, ana.chair(race).n
    await ana.close()
