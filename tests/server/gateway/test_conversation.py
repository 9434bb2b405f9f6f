"""The whole conversation over real sockets."""

from protocol import commands, events
from server.race.state import Standing
from tests.end_to_end.player import moves_of
from tests.server.gateway.house import House


async def test_a_race_from_hello_to_rematch(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben, settings=commands.Settings(deal=1, countdown_s=3))
    await ana.did(commands.Ready, race)
    await ben.did(commands.Ready, race)
    await ana.reach(race, "countdown")
    await home.clock.advance(3000)
    for racer in (ana, ben):
        assert (await racer.reach(race, "running")).picture.layout is not None
    acks = [await ana.did(commands.Move, race, move=move) for move in moves_of(1)]
    assert (acks[-1].won, acks[-1].home) == (True, 52)
    await ben.did(commands.Resign, race)
    for racer in (ana, ben):
        over = await racer.reach(race, "over")
        assert over.view == "boards"
        assert [(one.name, one.state, one.rank) for one in over.picture.racers] == [
            ("Ana", "finished", 1),
            ("Ben", "resigned", None),
        ]
    folded = await home.fold(race)
    assert [member.standing for member in folded.racers] == [Standing.FINISHED, Standing.RESIGNED]
    for racer in (ana, ben):
        await racer.did(commands.Rematch, race)
    nexts = {(await racer.hear(events.RematchReady)).next for racer in (ana, ben)}
    assert len(nexts) == 1
