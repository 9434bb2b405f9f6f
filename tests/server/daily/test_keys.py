import asyncio
from pathlib import Path

import orjson
import pytest

from server.daily.almanac import Almanac
from server.daily.calendar import day_at, shifted
from server.daily.keys import LOG, BrokenKey, NewerKey, find_key, make_key
from server.daily.naming import CELLS, Daily
from server.deals.certified import VERSION
from server.store.base import START, Store
from server.store.sqlite import open_sqlite
from tests.clock import FakeClock
from tests.contract.conftest import OpenStore, open_store, store
from tests.contract.helpers import put, read_all

__all__ = ["open_store", "store"]


async def test_the_key_is_made_once_and_stays(open_store: OpenStore) -> None:
    one, other = await open_store(), await open_store()
    assert await find_key(one) is None
    keys = await asyncio.gather(*(make_key(client) for client in (one, other) for _ in range(5)))
    assert len({key.secret for key in keys}) == 1
    assert len(keys[0].secret) == 32
    assert await find_key(other) == keys[0]
    assert keys[0].since == day_at((await read_all(one, LOG))[0].at_ms)
    assert len(await read_all(one, LOG)) == 1


async def test_two_nodes_give_the_same_deal_for_each_of_400_days(open_store: OpenStore) -> None:
    one, other = Almanac(await open_store()), Almanac(await open_store())
    dailies = [Daily(shifted(one.today, ahead), cells) for ahead in range(400) for cells in CELLS]
    seen = [await one.deal(daily) for daily in dailies]
    assert seen == [await other.deal(daily) for daily in reversed(dailies)][::-1]
    assert len(set(seen)) > 780


async def test_another_stores_dailies_are_others(tmp_path: Path) -> None:
    clock = FakeClock()
    values = set()
    for name in "ab":
        other = await open_sqlite(tmp_path / name, clock)
        values.add((await Almanac(other).key()).secret)
        await other.close()
    assert len(values) == 2


async def test_what_else_is_in_the_log_is_passed_over(store: Store) -> None:
    tip = await put(store, LOG, START, b"\xff no text", b"5", b"[]", b'["something",{},1]')
    key = await make_key(store)
    assert await find_key(store) == key
    assert len(await store.read(LOG, tip.seq)) == 1


@pytest.mark.parametrize(
    ("fields", "version", "why"),
    [
        ({"key": "00" * 32, "table": VERSION}, 2, "format 2"),
        ({"keys": {}}, 2, "format 2"),
        ({"key": "00" * 32, "table": VERSION + 1}, 1, f"table {VERSION + 1}"),
    ],
)
async def test_a_key_of_a_newer_program_is_not_drawn_by(
    store: Store, fields: dict[str, object], version: int, why: str
) -> None:
    await put(store, LOG, START, orjson.dumps(["daily_key", fields, version]))
    with pytest.raises(NewerKey, match=why):
        await make_key(store)


@pytest.mark.parametrize(
    ("fields", "version"),
    [
        ({"key": "00" * 31, "table": VERSION}, 1),
        ({"key": "0g" * 32, "table": VERSION}, 1),
        ({"key": 5, "table": VERSION}, 1),
        ({"table": VERSION}, 1),
        ([], 1),
        ({"key": "00" * 32, "table": VERSION}, "1"),
        ({"key": "00" * 32, "table": VERSION}, None),
    ],
)
async def test_a_key_that_makes_no_sense_is_not_drawn_by_nor_made_anew(
    store: Store, fields: object, version: object
) -> None:
    await put(store, LOG, START, orjson.dumps(["daily_key", fields, version]))
    with pytest.raises(BrokenKey, match="the key of the dailies cannot be read: "):
        await make_key(store)
    assert await Almanac(store).still_open(1) is None
