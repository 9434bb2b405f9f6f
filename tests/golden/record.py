"""Record the golden logs of a new version: `python -m tests.golden.record`. What is there is left alone.

The races here do everything there is; a version that brings another kind of event adds it to them.
"""

from server import player_log, race_log
from server.freecell.rulesets import RULESETS, customise
from server.player_log import Closed, Entered, Registered
from server.race.commands import (
    AskRematch,
    AutoFinish,
    Configure,
    Join,
    Kick,
    Leave,
    LinkRematch,
    NoteHint,
    NoteTailLoss,
    PlanRobot,
    Ready,
    Redo,
    Resign,
    Restart,
    Say,
    Send,
    Start,
    Tick,
    Undo,
)
from server.race.robot import Level
from server.race.state import PlayerId, Policy, RaceCode
from server.store.base import Stored
from tests.golden.logs import FOLDER, write_result, write_rows
from tests.golden.results import race_result
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    DAN,
    NEXT_CODE,
    NONCE,
    ROSIE,
    SOLVED,
    T0,
    Table,
    accepted,
    lobby,
    setup,
)

EVE = PlayerId("eve")


def everything() -> Table:
    """A race in which every kind of event happens, with moves of every kind."""
    table = lobby(ANN, BEN, CEC, DAN, max_racers=4)
    accepted(table.run(Say(EVE, 0, 1, "Ève 🂡", "Glück auf! 頑張って")))
    accepted(table.run(Kick(*table.who(ANN), DAN)))
    accepted(table.run(Leave(*table.who(ANN))))
    accepted(table.run(Join(ANN, "Ann")))
    rules = customise("race", returns=True, undo_limit=50, hints=True)
    named = setup(
        rules=rules, nonce=NONCE[::-1], deal_named=True, certified=True, policy=Policy.LIVE, delay_ms=1000
    )
    accepted(table.run(Configure(*table.who(BEN), named)))
    for player, ready in ((CEC, False), (CEC, True), (ANN, True), (BEN, True)):
        table.now_ms += 321
        accepted(table.run(Ready(*table.who(player), ready)))
    table.now_ms = table.race.life.starts_at + 7
    accepted(table.run(Tick()))
    _race(table)
    table.now_ms = table.race.life.ends_at
    accepted(table.run(Tick()))
    again = setup(deal=6_000_000_000, nonce="0" * 32)
    accepted(table.run(AskRematch(*table.who(ANN), NEXT_CODE, again)))
    accepted(table.run(AskRematch(*table.who(BEN), RaceCode("ZZZZZZZZ"), setup())))
    accepted(table.run(LinkRematch()))
    return table


def _race(table: Table) -> None:
    table.now_ms += 4_567
    table.play(BEN, "3a")
    accepted(table.run(Send(*table.at(BEN), "3", 1)))
    for kind in (Undo, Undo, Redo, Restart, Undo):
        table.now_ms += 89
        accepted(table.run(kind(*table.at(BEN))))
    accepted(table.run(NoteTailLoss()))
    accepted(table.run(Say(*table.who(CEC), "Cec", "too hard")))
    accepted(table.run(Resign(*table.who(CEC))))
    table.solve(ANN, but=12)
    table.now_ms += 100_000
    accepted(table.run(AutoFinish(*table.at(ANN))))
    accepted(table.run(Join(BEN, "Ben")))


def scores() -> Table:
    """A race whose scores go up and down, to the floor and back."""
    table = lobby(ANN, BEN, rules=RULESETS["cardems"], countdown_ms=0, time_limit_ms=60_000)
    for player in (ANN, BEN):
        accepted(table.run(Ready(*table.who(player), ready=True)))
    table.play(ANN, *SOLVED[617, 4][:7], "hsd", "dh", "hsd")
    for _ in range(2):
        accepted(table.run(Undo(*table.at(ANN))))
    table.solve(BEN, but=40)
    return table


def robots() -> Table:
    """A race with robots: one races, one finds no way, one is sent out, and one is never told how to play."""
    table = lobby(ANN, BEN, max_racers=6)
    table.add_robot()
    table.plan_robot()
    accepted(table.run(Configure(*table.who(ANN), setup(deal=1, nonce=NONCE[::-1], max_racers=6))))
    table.add_robot(ROSIE, Level.FAST)
    for robot in ("rob", "rod"):
        table.add_robot(PlayerId(robot), Level.EASY)
    accepted(table.run(Kick(*table.who(ANN), PlayerId("rob"))))
    table.plan_robot(every_ms=2_500)
    accepted(table.run(PlanRobot(ROSIE, table.race.life.setup.nonce, (), ())))
    accepted(table.run(Start(*table.who(ANN))))
    for _ in range(12):
        table.tick()
    table.solve(ANN)
    accepted(table.run(Resign(*table.who(BEN))))
    accepted(table.run(AskRematch(*table.who(ANN), NEXT_CODE, setup(max_racers=6))))
    return table


def attempt() -> Table:
    """A ranked attempt at the deal of a day, with a hint."""
    rules = customise("race", hints=True)
    table = lobby(ANN, rules=rules, daily="2026-11-30:4", ranked=True, countdown_ms=0)
    accepted(table.run(Start(*table.who(ANN))))
    accepted(table.run(NoteHint(ANN, table.member(ANN).session)))
    table.play(ANN, "3a")
    return table


def player() -> list[player_log.Event]:
    """A player's log with every kind of event."""
    registered = Registered(player_log.hash_of("a" * 26), "Ève 🂡")
    return [registered, Entered(RaceCode("KMNPQRST")), Entered(NEXT_CODE), Closed(RaceCode("KMNPQRST"))]


def main() -> None:
    """Write the files of the present formats that are not there yet."""
    tables = (("", everything()), ("-scores", scores()), ("-robots", robots()), ("-daily", attempt()))
    for name, table in tables:
        if (FOLDER / f"race-{race_log.FORMAT}{name}.jsonl").exists():
            continue
        rows = [Stored(seq, at_ms, b"", race_log.write(event)) for seq, at_ms, event in table.log]
        write_rows(f"race-{race_log.FORMAT}{name}", rows)
        write_result(f"race-{race_log.FORMAT}{name}", race_result(table.race))
    rows = [Stored(seq, T0 + seq, b"", player_log.write(one)) for seq, one in enumerate(player(), start=1)]
    if not (FOLDER / f"player-{player_log.FORMAT}.jsonl").exists():
        write_rows(f"player-{player_log.FORMAT}", rows)


if __name__ == "__main__":
    main()
