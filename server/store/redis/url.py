"""Where Redis is, as an operator writes it, and nothing that could show his password.

    redis://[:PASSWORD@]HOST[:PORT][/DB]
    rediss://[USER[:PASSWORD]@]HOST[:PORT][/DB]
    redis+sentinel://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]...]/SERVICE[/DB]
    redis+cluster://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]...]

`?` brings options: `tls=yes` (Sentinel and cluster), `ca=FILE` (who signed the certificates, if not one of
those the machine trusts), `sentinel_user=`, `sentinel_password=`, and `keep_days=N` (finished races are
forgotten after N days).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from server.store.base import CannotOpen

_PORT: Final = 6379
_SENTINEL_PORT: Final = 26379
_DAY_MS: Final = 86_400_000
_OPTIONS: Final = frozenset({"tls", "ca", "sentinel_user", "sentinel_password", "keep_days"})


class Kind(Enum):
    """How the servers are arranged."""

    SINGLE = "redis"
    SENTINEL = "redis+sentinel"
    CLUSTER = "redis+cluster"


class _Nonsense(ValueError):
    """What is wrong with a URL, in words of ours."""


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """The parts of a Redis URL. `str` and `repr` show no secret.

    Attributes:
        kind: how the servers are arranged.
        hosts: the server; or the Sentinels; or some nodes of the cluster.
        tls: whether connections are encrypted.
        user: the ACL user, if not the default one.
        password: of that user.
        db: the number of the database.
        service: the name by which Sentinels know the servers.
        ca: the file with the certificates to trust, if not the machine's.
        sentinel_user: the ACL user of the Sentinels.
        sentinel_password: of that user.
        keep_ms: how long finished logs stay; for ever if this is None.
    """

    kind: Kind
    hosts: tuple[tuple[str, int], ...]
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    db: int = 0
    service: str = ""
    ca: str | None = None
    sentinel_user: str | None = None
    sentinel_password: str | None = field(default=None, repr=False)
    keep_ms: int | None = None

    def __str__(self) -> str:
        scheme = "rediss" if self.kind is Kind.SINGLE and self.tls else self.kind.value
        hosts = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.hosts)
        path = "".join(f"/{part}" for part in (self.service, self.db or "") if part)
        return f"{scheme}://{hosts}{path}"


def read_url(text: str) -> RedisUrl:
    """The parts of a Redis URL.

    Raises:
        CannotOpen: it makes no sense. The message does not quote it, for there may be a password in it.
    """
    try:
        return _read(text)
    except _Nonsense as error:
        why = str(error)
    except ValueError:  # of the standard library, which does quote
        why = "it is no URL"
    raise CannotOpen(f"the address of the Redis store makes no sense: {why}")


def _read(text: str) -> RedisUrl:
    parts = urlsplit(text)
    kind = Kind.SINGLE if parts.scheme == "rediss" else Kind(parts.scheme)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if parts.fragment or not options.keys() <= _OPTIONS:
        raise _Nonsense(
            f"after ? come {', '.join(sorted(_OPTIONS))}; in a password, characters such as / # ? @ : "
            "are written as %2F %23 %3F %40 %3A"
        )
    credentials, _, places = parts.netloc.rpartition("@")
    user, _, password = credentials.partition(":")
    hosts = tuple(
        _host(place, _SENTINEL_PORT if kind is Kind.SENTINEL else _PORT) for place in places.split(",")
    )
    if kind is Kind.SINGLE and len(hosts) > 1:
        raise _Nonsense("only redis+sentinel:// and redis+cluster:// take several hosts")
    service, db = _path(kind, parts.path)
    return RedisUrl(
        kind,
        hosts,
        parts.scheme == "rediss" or _yes("tls", options),
        unquote(user) or None,
        unquote(password) or None,
        db,
        service,
        options.get("ca") or None,
        options.get("sentinel_user") or None,
        options.get("sentinel_password") or None,
        _number("keep_days", options["keep_days"]) * _DAY_MS if "keep_days" in options else None,
    )


def _host(place: str, port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{place}")
    if not parts.hostname:
        raise _Nonsense("a host is missing")
    try:
        return parts.hostname, parts.port or port
    except ValueError:
        raise _Nonsense("a port is a number from 1 to 65535") from None


def _path(kind: Kind, path: str) -> tuple[str, int]:
    """The service and the database."""
    parts = [unquote(part) for part in path.split("/") if part]
    service = ""
    if kind is Kind.SENTINEL:
        if not parts:
            raise _Nonsense("redis+sentinel:// needs the name of the service: redis+sentinel://HOST/SERVICE")
        service = parts.pop(0)
    if kind is Kind.CLUSTER and parts:
        raise _Nonsense("a cluster has one database only, so nothing follows its hosts")
    if len(parts) > 1:
        raise _Nonsense("the path is the number of a database")
    return service, _number("a database", parts[0]) if parts else 0


def _number(what: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise _Nonsense(f"{what} is a number")
    return int(text)


def _yes(what: str, options: Mapping[str, str]) -> bool:
    if options.get(what, "no") not in ("yes", "no"):
        raise _Nonsense(f"{what} is yes or no")
    return options.get(what) == "yes"
