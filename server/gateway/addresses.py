"""Whose address counts: the peer's, or what a trusted proxy says of whom it speaks for.

A proxy writes the address of its own peer at the end of `X-Forwarded-For`. All before that came from outside,
where anybody may write anything, so the entries are read from the end, and only as far as they were written
by somebody who is trusted.
"""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network
_Address: TypeAlias = IPv4Address | IPv6Address


def read_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """IP addresses and networks (`10.0.0.0/8`) as a person writes them.

    Raises:
        ValueError: one of them is neither. The text says which.
    """
    networks: list[Network] = []
    for text in texts:
        try:
            networks.append(ip_network(text.strip()))
        except ValueError:
            raise ValueError(_why_no_network(text.strip())) from None
    return tuple(networks)


def client_address(peer: str, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """The address that caps and rates go by.

    Args:
        peer: who the connection comes from.
        forwarded_for: the values of all `X-Forwarded-For` headers, in their order.
        trusted: the proxies whose word is taken.

    Returns:
        The last entry that is not a trusted proxy; of IPv6 its /64 network. If all are, the first of them;
        and where an entry is no address, the proxy that wrote it.
    """
    address = _read(peer)
    if address is None:
        return peer
    entries = [entry for value in forwarded_for for entry in value.split(",")]
    while entries and _is_in(address, trusted):
        entry = _read(entries.pop())
        if entry is None:
            break
        address = entry
    return _line_of(address)


def _line_of(address: _Address) -> str:
    """What one customer of a provider has at the least: an IPv4 address, or an IPv6 network (RFC 6177)."""
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address, 64), strict=False))


def _is_in(address: _Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _read(text: str) -> _Address | None:
    """An address; some proxies write the port behind it."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    # What listens for both kinds sees IPv4 in this form.
    return getattr(address, "ipv4_mapped", None) or address


def _why_no_network(text: str) -> str:
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return f"{text!r} is neither an IP address nor a network such as 10.0.0.0/8"
    return f"{text!r} has more bits than its prefix; the network is {network}"
