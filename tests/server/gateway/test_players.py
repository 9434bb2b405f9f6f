import asyncio

import pytest

from server.gateway.players import Identity, Players, bearer, newcomer
from server.player_log import MAX_OPEN_RACES, hash_of
from server.race.decision import Refusal
from server.race.state import PlayerId, RaceCode
from server.store.base import Unavailable
from server.store.sqlite import SqliteStore
from tests.server.gateway.scripted import ScriptedStore, Trouble


@pytest.fixture
def scripted(store: SqliteStore) -> ScriptedStore:
    return ScriptedStore(store)


@pytest.fixture
def players(scripted: ScriptedStore) -> Players:
    return Players(scripted)


def code(number: int) -> RaceCode:
    return RaceCode(f"ABCDEF{chr(ord('A') + number // 8)}{'ABCDEFGH'[number % 8]}")


async def log_of(store: ScriptedStore, player: PlayerId) -> list[bytes]:
    return [row.data for row in await store.inner.read(f"player:{player}")]


def test_a_token_is_a_player_id_and_128_random_bits() -> None:
    tokens = [newcomer("Ana").token or "" for _ in range(100)]
    assert len({token.partition(".")[0] for token in tokens}) == 100
    assert len({token.partition(".")[2] for token in tokens}) == 100
    assert {len(token) for token in tokens} == {16 + 1 + 26}


def test_whoever_has_the_token_is_the_player_whatever_his_name() -> None:
    ana = newcomer("Ana")
    assert ana.token is not None
    again = bearer(ana.token, "Anna")
    assert again == Identity(ana.player, ana.secret_hash, "Anna")


@pytest.mark.parametrize("change", [0, 5, 15, 17, 30, 42])
def test_a_token_whose_halves_do_not_belong_together_is_nobodys(change: int) -> None:
    token = newcomer("Ana").token
    assert token is not None
    other = "b" if token[change] == "a" else "a"
    assert bearer(token[:change] + other + token[change + 1 :], "Ana") is None


async def test_a_new_player_costs_the_store_nothing_until_he_takes_part(
    players: Players, scripted: ScriptedStore
) -> None:
    ana = newcomer("Ana")
    assert await players.open_races(ana.player) == ()
    assert scripted.appends == []
    await players.enter(ana, code(0))
    assert await players.open_races(ana.player) == (code(0),)


async def test_only_the_hash_of_the_secret_is_stored(players: Players, scripted: ScriptedStore) -> None:
    ana = newcomer("Ana")
    assert ana.token is not None
    await players.enter(ana, code(0))
    secret = ana.token.partition(".")[2]
    stored = b"".join(await log_of(scripted, ana.player)).decode()
    assert secret not in stored
    assert hash_of(secret) in stored


async def test_entering_twice_is_written_once(players: Players, scripted: ScriptedStore) -> None:
    ana = newcomer("Ana")
    for _ in range(3):
        assert await players.enter(ana, code(0)) is None
    assert len(await log_of(scripted, ana.player)) == 2


async def test_one_who_enters_on_two_nodes_at_once_is_entered_in_both_races(
    players: Players, scripted: ScriptedStore
) -> None:
    ana = newcomer("Ana")
    other = Players(scripted)
    await asyncio.gather(*((players, other)[i % 2].enter(ana, code(i)) for i in range(10)))
    assert set(await players.open_races(ana.player)) == {code(i) for i in range(10)}
    assert len(await log_of(scripted, ana.player)) == 11


async def test_a_race_that_is_over_is_written_off_once(players: Players, scripted: ScriptedStore) -> None:
    ana = newcomer("Ana")
    await players.enter(ana, code(0))
    await players.enter(ana, code(1))
    for _ in range(3):
        await players.close(ana.player, code(0))
    assert await players.open_races(ana.player) == (code(1),)
    assert len(await log_of(scripted, ana.player)) == 4


async def test_a_player_has_a_part_in_so_many_races_at_most(players: Players) -> None:
    ana = newcomer("Ana")
    for number in range(MAX_OPEN_RACES):
        assert await players.enter(ana, code(number)) is None
    refused = await players.enter(ana, code(MAX_OPEN_RACES))
    assert isinstance(refused, Refusal)
    assert refused.code == "too_many"
    assert await players.enter(ana, code(3)) is None, "he has a part in that already"
    await players.close(ana.player, code(3))
    assert await players.enter(ana, code(MAX_OPEN_RACES)) is None


async def test_entering_again_after_a_lost_reply_is_harmless(
    players: Players, scripted: ScriptedStore
) -> None:
    ana = newcomer("Ana")
    scripted.fates = [Trouble.REPLY_LOST]
    with pytest.raises(Unavailable):
        await players.enter(ana, code(0))
    assert await players.enter(ana, code(0)) is None
    assert len(await log_of(scripted, ana.player)) == 2


async def test_a_long_log_is_read_in_pages(players: Players, scripted: ScriptedStore) -> None:
    ana = newcomer("Ana")
    for number in range(260):
        await players.enter(ana, code(number % 8))
        await players.close(ana.player, code(number % 8))
    await players.enter(ana, code(9))
    assert await players.open_races(ana.player) == (code(9),)
    assert len(await scripted.inner.read(f"player:{ana.player}", 500)) == 22
