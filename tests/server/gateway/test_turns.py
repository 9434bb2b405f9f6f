import asyncio

from server.gateway.turns import Turns


async def test_one_begins_in_each_turn_and_in_order() -> None:
    turns, begun, turn = Turns(), list[tuple[int, int]](), 0

    async def begin(number: int) -> None:
        await turns.mine()
        begun.append((turn, number))

    beginning = asyncio.gather(*map(begin, range(20)))
    while not beginning.done():
        turn += 1
        await asyncio.sleep(0)
    at, numbers = zip(*begun, strict=True)
    assert numbers == tuple(range(20))
    assert len(set(at)) == 20
