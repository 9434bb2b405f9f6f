"""Whose address counts, and that nobody can choose his own."""

from ipaddress import ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.commands import Hello
from protocol.version import PROTOCOL
from server.app import running
from server.config import Config, ConfigError, from_environment, proxies
from server.gateway.addresses import client_address, read_networks
from server.gateway.limits import Limits
from tests.end_to_end.player import Player

PROXIES = read_networks(["10.0.0.0/8", "192.0.2.1", "fd00::/8"])
STRANGER = "203.0.113.9"


def test_without_trusted_proxies_only_the_peer_counts() -> None:
    assert client_address("10.0.0.1", ["198.51.100.7"], ()) == "10.0.0.1"


def test_who_is_no_trusted_proxy_is_not_believed() -> None:
    assert client_address(STRANGER, ["198.51.100.7"], PROXIES) == STRANGER


@pytest.mark.parametrize(
    ("forwarded_for", "address"),
    [
        ([], "10.0.0.1"),
        (["198.51.100.7"], "198.51.100.7"),
        # Whoever connects may write what he likes before what the proxy adds.
        (["1.1.1.1, 198.51.100.7"], "198.51.100.7"),
        (["1.1.1.1", "198.51.100.7"], "198.51.100.7"),
        (["10.9.9.9, 198.51.100.7"], "198.51.100.7"),
        # Two proxies, one behind the other.
        (["1.1.1.1, 198.51.100.7, 10.2.3.4,192.0.2.1"], "198.51.100.7"),
        # Somebody inside.
        (["10.5.5.5"], "10.5.5.5"),
        (["10.5.5.5, 10.2.3.4"], "10.5.5.5"),
        # No addresses: the last that is certain is the proxy that wrote it.
        (["unknown"], "10.0.0.1"),
        (["198.51.100.7, unknown, 10.2.3.4"], "10.2.3.4"),
        ([""], "10.0.0.1"),
        (["198.51.100.7,"], "10.0.0.1"),
        # Forms.
        (["198.51.100.7:4711"], "198.51.100.7"),
        (["2001:db8::7"], "2001:db8::/64"),
        (["[2001:db8::7]:4711"], "2001:db8::/64"),
        (["::ffff:198.51.100.7"], "198.51.100.7"),
    ],
)
def test_the_last_entry_that_is_no_trusted_proxy_counts(forwarded_for: list[str], address: str) -> None:
    assert client_address("10.0.0.1", forwarded_for, PROXIES) == address
    assert client_address("::ffff:10.0.0.1", forwarded_for, PROXIES) == address


def test_one_address_is_one_however_it_is_written() -> None:
    forms = ["2001:db8:0:0::7", "2001:DB8::7", "[2001:db8::7]:1", "2001:db8::ffff:0:0:1"]
    assert {client_address("fd00::1", [form], PROXIES) for form in forms} == {"2001:db8::/64"}
    assert client_address("2001:db8:0:1::7", [], PROXIES) == "2001:db8:0:1::/64"


def test_a_peer_without_an_ip_address_is_taken_as_it_is() -> None:
    assert client_address("somewhere", ["198.51.100.7"], PROXIES) == "somewhere"


@given(st.lists(st.text(max_size=40), max_size=4))
def test_what_a_client_writes_before_the_proxy_s_entry_changes_nothing(written: list[str]) -> None:
    assert client_address("10.0.0.1", [*written, STRANGER], PROXIES) == STRANGER
    assert client_address("10.0.0.1", [", ".join([*written, STRANGER])], PROXIES) == STRANGER


# As settings.


def test_proxies_are_given_by_commas() -> None:
    assert proxies(" 10.0.0.0/8, ::1 ,") == (ip_network("10.0.0.0/8"), ip_network("::1"))
    assert from_environment({"CELLRACE_TRUST_PROXY": "10.0.0.0/8"}).trusted_proxies == proxies("10.0.0.0/8")
    assert from_environment({}).trusted_proxies == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("caddy", "'caddy' is neither an IP address nor a network such as 10.0.0.0/8"),
        ("10.0.0.0/33", "'10.0.0.0/33' is neither an IP address nor a network such as 10.0.0.0/8"),
        ("10.0.0.1/8", "'10.0.0.1/8' has more bits than its prefix; the network is 10.0.0.0/8"),
    ],
)
def test_what_is_no_network_is_refused(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match="a proxy to trust") as refused:
        proxies(f"::1,{text}")
    assert str(refused.value) == f"a proxy to trust: {words}"


# On a server.


async def enter(url: str, forwarded_for: str) -> Player | str:
    """Say hello; the player, or why he was not let in."""
    player = Player(url, "Ann")
    await player.open(additional_headers={"X-Forwarded-For": forwarded_for})
    await player.send(Hello(PROTOCOL, player.name))
    await player.until(lambda: player.welcome or player.closed, "an answer", alive=False)
    return player if player.welcome else (await player.ended())[1]


@pytest.mark.parametrize(("trusted", "second"), [("127.0.0.0/8", "welcome"), ("10.0.0.0/8", "too_many")])
async def test_caps_go_by_the_address_that_a_trusted_proxy_tells(
    tmp_path: Path, trusted: str, second: str
) -> None:
    config = Config(
        port=0,
        store=f"sqlite:{tmp_path / 'races.sqlite'}",
        trusted_proxies=proxies(trusted),
        limits=Limits(connections_per_address=1),
    )
    async with running(config) as server:
        ann = await enter(server.url, "198.51.100.1")
        bob = await enter(server.url, "198.51.100.2")
        assert isinstance(ann, Player)
        assert (bob if isinstance(bob, str) else "welcome") == second
        # Each address has its own cap, whatever is written before it.
        assert await enter(server.url, "198.51.100.9, 198.51.100.1") == "too_many"
        for player in (ann, bob):
            if isinstance(player, Player):
                await player.close()
