"""The lobby over real sockets: being ready, what the host may do, and the promise of the deal."""

import hashlib

from protocol import commands, events
from protocol.commands import Settings
from server.race.events import Configured, HostPassed
from tests.server.gateway.house import House
from tests.server.gateway.told import refused, shown

# The lobby.


async def test_when_all_are_ready_the_countdown_runs_by_itself(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben, settings=Settings(deal=1, countdown_s=3))
    await ana.did(commands.Ready, race)
    await ana.did(commands.Ready, race, ready=False)
    await ben.did(commands.Ready, race)
    assert (await home.fold(race)).life.phase == "lobby"
    await ana.did(commands.Ready, race)
    for racer in (ana, ben):
        await racer.reach(race, "countdown")
    clock = next(event.clock for event in reversed(ana.heard) if isinstance(event, events.Update))
    assert clock == -3000
    refused(await ana.do(commands.Ready, race, ready=False), "not_lobby")
    refused(await ana.do(commands.Move, race, move="5a"), "not_running")
    await home.clock.advance(3000)
    for racer in (ana, ben):
        assert (await racer.reach(race, "running")).picture.layout is not None


async def test_one_alone_is_not_started_by_being_ready_but_may_start_himself(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    await ana.did(commands.Ready, race)
    assert (await home.fold(race)).life.phase == "lobby"
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")


async def test_only_the_host_configures_starts_and_kicks(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    for kind, fields in (
        (commands.Configure, {"settings": Settings()}),
        (commands.Start, {}),
        (commands.Kick, {"player": ana.id}),
    ):
        answer = refused(await ben.do(kind, race, **fields), "not_host")
        assert "Ana" in answer.detail


async def test_configuring_renews_the_commitment_and_nobody_is_ready_any_more(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben, settings=Settings(deal=617))
    await ben.did(commands.Ready, race)
    before = ben.pictures[race, "seat"].picture.life.commitment
    await ana.did(commands.Configure, race, settings=Settings(deal=617, max_racers=4))
    await shown(ben, race, lambda life: life.commitment != before)
    picture = ben.pictures[race, "seat"].picture
    assert picture.life.settings.max_racers == 4
    assert not any(racer.ready for racer in picture.racers)
    refused(await ana.do(commands.Configure, race, settings=Settings(deal="x")), "bad_deal")
    log = await home.log(race)
    assert sum(isinstance(one.event, Configured) for one in log) == 1


async def test_who_is_kicked_is_told_and_stays_out(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    await ana.did(commands.Kick, race, player=ben.id)
    told = await ben.hear(events.Refused)
    assert (told.code, told.race) == ("kicked", race)
    refused(await ben.do(commands.Ready, race), "not_seated")
    refused(await ben.join(race), "kicked")
    refused(await (await home.again(ben)).join(race), "kicked")
    refused(await ana.do(commands.Kick, race, player=ben.id), "no_such_racer")
    refused(await ana.do(commands.Kick, race, player=ana.id), "no_such_racer")
    # And is free to race elsewhere.
    await home.lobby(ben)


async def test_a_host_who_leaves_is_followed_by_the_earliest_of_the_rest(home: House) -> None:
    ana, ben, cid = [await home.guest(name) for name in ("Ana", "Ben", "Cid")]
    race = await home.lobby(ana, ben, cid)
    await ana.did(commands.Leave, race)
    await shown(cid, race, lambda life: life.host == ben.id)
    assert [racer.name for racer in cid.pictures[race, "seat"].picture.racers] == ["Ben", "Cid"]
    refused(await ana.do(commands.Ready, race), "not_seated")
    to = ana.pictures[race, "seat"].to
    await ben.did(commands.Start, race)
    await cid.reach(race, "running")
    assert ana.pictures[race, "seat"].to == to, "one who left is shown nothing more"


async def test_a_host_away_for_half_a_minute_is_replaced_by_one_who_is_there(home: House) -> None:
    ana, ben, cid = [await home.guest(name) for name in ("Ana", "Ben", "Cid")]
    race = await home.lobby(ana, ben, cid)
    await ben.close()
    await ana.close()
    await cid.until(lambda: cid.heard and isinstance(cid.heard[-1], events.Presence), "who is there")
    await home.clock.advance(30_000)
    await shown(cid, race, lambda life: life.host == cid.id)
    assert [one.event for one in await home.log(race) if isinstance(one.event, HostPassed)] == [
        HostPassed((await home.fold(race)).racers[2].player)
    ]


async def test_a_lobby_that_everyone_leaves_is_over(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    await ana.did(commands.Leave, race)
    await ben.did(commands.Leave, race)
    assert (await home.fold(race)).life.ending == "abandoned"
    refused(await ana.join(race), "race_over")


# The deal is a secret until the start.


async def test_the_commitment_is_kept(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana, settings=Settings(countdown_s=0))
    before = ana.pictures[race, "seat"].picture.life
    assert (before.deal, before.nonce) == (None, None)
    await ana.did(commands.Start, race)
    after = (await ana.reach(race, "running")).picture.life
    assert before.commitment == hashlib.sha256(f"{after.nonce}:{after.deal}".encode()).hexdigest()
    assert after.commitment == before.commitment
