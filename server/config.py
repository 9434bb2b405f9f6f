"""What the server is told from outside: options of the command, else the environment, else defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from server.gateway.addresses import Network, read_networks
from server.gateway.limits import Limits


class ConfigError(ValueError):
    """A setting that cannot be. The text is one line for whoever started the server."""


@dataclass(frozen=True, slots=True)
class Config:
    """A server's settings; `trusted_proxies` are those whose `X-Forwarded-For` is believed."""

    host: str = "127.0.0.1"
    port: int = 8765
    store: str = "sqlite:cellrace.sqlite"
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[Network, ...] = ()
    limits: Limits = field(default_factory=Limits)


def port_number(text: str) -> int:
    """A TCP port, 0 for a free one.

    Raises:
        ConfigError: not a number from 0 to 65535.
    """
    # The length first: Python refuses to read thousands of digits, and none of the long ones is a port.
    if len(text) > 5 or not text.isascii() or not text.isdigit() or int(text) > 65_535:
        raise ConfigError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def proxies(text: str) -> tuple[Network, ...]:
    """IP addresses and networks, separated by commas.

    Raises:
        ConfigError: one of them is neither.
    """
    try:
        return read_networks(part for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ConfigError(f"a proxy to trust: {error}") from None


def from_environment(environment: Mapping[str, str]) -> Config:
    """The settings that the environment gives. A variable that is empty is as good as not set.

    Raises:
        ConfigError: one of them cannot be.
    """
    default = Config()
    origins = environment.get("CELLRACE_ORIGINS", "").split(",")
    return Config(
        environment.get("CELLRACE_HOST") or default.host,
        port_number(environment.get("CELLRACE_PORT") or str(default.port)),
        environment.get("CELLRACE_STORE") or default.store,
        tuple(origin.strip() for origin in origins if origin.strip()),
        proxies(environment.get("CELLRACE_TRUST_PROXY", "")),
        default.limits,
    )
