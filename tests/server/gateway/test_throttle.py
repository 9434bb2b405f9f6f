from typing import Final

import pytest

from protocol import commands
from server.gateway.limits import Limits, Namings, Rate
from server.gateway.node import Node, make_node
from server.gateway.throttle import Throttle
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock

RACE: Final = "KMNPQRST"
ONE: Final = Rate(1, 1)
KINDS: Final[dict[str, list[commands.Command]]] = {
    "moves": [
        commands.Move(RACE, 1, 0, "5a"),
        commands.Send(RACE, 1, 0, "5"),
        commands.Undo(RACE, 1, 0),
        commands.Redo(RACE, 1, 0),
        commands.Restart(RACE, 1, 0),
        commands.AutoFinish(RACE, 1, 0),
        commands.Ready(RACE, 1),
        commands.Start(RACE, 1),
        commands.Kick(RACE, 1, "a" * 16),
        commands.Leave(RACE, 1),
        commands.Resign(RACE, 1),
        commands.Configure(RACE, 1, commands.Settings()),
        commands.Hello(1, "Ana"),
    ],
    "chat": [commands.Say(RACE, 1, "hello")],
    "joins": [
        commands.Join(RACE),
        commands.Watch(RACE),
        commands.Unwatch(RACE),
        commands.Rematch(RACE, 1),
        commands.AddRobot(RACE, 1),
        commands.Attempt("2026-11-30"),
    ],
    "questions": [
        commands.Hint(RACE, 1),
        commands.Calc(RACE, 1, "1"),
        commands.Replay(RACE, 1, "a" * 16),
        commands.Report(RACE, 1, "a" * 16),
        commands.Trace(RACE, 1),
        commands.Daily(1),
        commands.Ranking(1),
        commands.Record(1),
        commands.Commitments(1),
    ],
    "creates": [commands.Create("create-1")],
}


@pytest.fixture
def node(store: SqliteStore, clock: FakeClock) -> Node:
    limits = Limits(
        ONE, ONE, ONE, ONE, ONE, creates_per_address=Rate(1, 3), misses=Rate(1, 2), namings=Rate(0.01, 3)
    )
    return make_node(store, clock, limits)


def test_every_message_has_its_bucket(node: Node) -> None:
    listed = {type(message) for messages in KINDS.values() for message in messages}
    assert listed == set(commands.Command.__args__)
    for kind, messages in KINDS.items():
        for message in messages:
            throttle = Throttle(node, f"{kind}/{type(message).__name__}")
            assert throttle.wait_ms(message) == 0
            for other, others in KINDS.items():
                if other != kind:
                    assert throttle.wait_ms(others[0]) == 0, "buckets are apart"
            assert throttle.wait_ms(messages[0]) > 0, f"{type(message).__name__} takes from {kind}"


def test_what_is_refused_may_come_when_it_was_said(node: Node, clock: FakeClock) -> None:
    throttle = Throttle(node, "10.0.0.1")
    assert throttle.wait_ms(KINDS["moves"][0]) == 0
    wait_ms = throttle.wait_ms(KINDS["moves"][0])
    clock.set_back(-wait_ms)
    assert throttle.wait_ms(KINDS["moves"][0]) == 0


def test_connections_of_one_address_make_so_many_races_together(node: Node) -> None:
    create = KINDS["creates"][0]
    waits = [Throttle(node, "10.0.0.1").wait_ms(create) for _ in range(5)]
    assert [wait > 0 for wait in waits] == [False, False, False, True, True]
    assert Throttle(node, "10.0.0.2").wait_ms(create) == 0


def test_codes_cannot_be_found_by_trying_from_many_connections(node: Node) -> None:
    waits = []
    for _ in range(4):
        throttle = Throttle(node, "10.0.0.1")
        waits.append(throttle.next_miss_ms())
        if not waits[-1]:
            throttle.miss()
    assert [wait > 0 for wait in waits] == [False, False, True, True]
    assert Throttle(node, "10.0.0.2").next_miss_ms() == 0


def test_a_days_deal_cannot_be_found_by_trying_from_many_connections(node: Node, clock: FakeClock) -> None:
    def wait(deal: int | str, address: str = "10.0.0.1") -> int:
        clock.set_back(-1000)
        return Throttle(node, address).naming_ms(commands.Settings(deal=deal))

    assert [wait(deal) for deal in (1, 2, "FC1-C2-AAAAAAB")] == [0] * 3
    refused = wait(4)
    assert 90_000 < refused <= 100_000
    assert [wait(deal) for deal in (1, 2, "random", "daily", "daily:2026-11-29")] == [0] * 5
    assert wait(4, "10.0.0.2") == 0
    clock.set_back(-refused)
    assert [wait(4), wait(4)] == [0, 0], "as soon as it was said, and then it is known"
    assert wait(5) > 0


def test_what_was_named_long_ago_is_forgotten() -> None:
    namings = Namings(Rate(1, 3), most=2)
    assert [namings.take("10.0.0.1", deal, 0) for deal in (1, 2, 3, 2, 3)] == [0] * 5
    assert namings.take("10.0.0.1", 1, 0) > 0
