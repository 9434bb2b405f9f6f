"""What the server is told from outside: options of the command, else the environment, else defaults."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from server.gateway.addresses import Network, read_networks
from server.gateway.limits import Limits

_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")

_SPEED: Final = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,6})?")


class ConfigError(ValueError):
    """A setting that cannot be. The text is one line for whoever started the server."""


@dataclass(frozen=True, slots=True)
class Config:
    """A server's settings.

    Attributes:
        trusted_proxies: those whose `X-Forwarded-For` is believed.
        robot_speed: how many times as fast as people robots play, 0.1 to 20.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    store: str = "sqlite:cellrace.sqlite"
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[Network, ...] = ()
    limits: Limits = field(default_factory=Limits)
    robot_speed: float = 1.0


def port_number(text: str) -> int:
    """A TCP port, 0 for a free one.

    Raises:
        ConfigError: not a number from 0 to 65535.
    """
    # The length first: Python refuses to read thousands of digits, and none of the long ones is a port.
    if len(text) > 5 or not text.isascii() or not text.isdigit() or int(text) > 65_535:
        raise ConfigError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def robot_speed(text: str) -> float:
    """How many times as fast as people robots play.

    Raises:
        ConfigError: not a number from 0.1 to 20.
    """
    if not _SPEED.fullmatch(text) or not 0.1 <= float(text) <= 20:
        raise ConfigError(f"how fast robots play is a number from 0.1 to 20, such as 0.5, not {text[:20]!r}")
    return float(text)


def proxies(text: str) -> tuple[Network, ...]:
    """IP addresses and networks, separated by commas.

    Raises:
        ConfigError: one of them is neither.
    """
    try:
        return read_networks(part for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ConfigError(f"a proxy to trust: {error}") from None


def web_origins(texts: Iterable[str]) -> tuple[str, ...]:
    """Origins of web pages, as browsers send them: in lower case, and nothing after the port.

    Raises:
        ConfigError: one of them is none, and so would never let anybody in.
    """
    origins = tuple(text.strip().lower() for text in texts)
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise ConfigError(
                f"an origin is scheme://host[:port], such as https://race.example, not {origin!r}"
            )
    return origins


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
        web_origins(origin for origin in origins if origin.strip()),
        proxies(environment.get("CELLRACE_TRUST_PROXY", "")),
        default.limits,
        robot_speed(environment.get("CELLRACE_ROBOT_SPEED") or str(default.robot_speed)),
    )
