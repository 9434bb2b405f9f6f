"""Servers of one's own: where they listen, where others find them, and how races on them are set up."""

from typing import Final

from client_cli.errors import ClientError
from client_cli.language import tr
from client_cli.local_server import lan_address
from protocol.commands import Settings
from protocol.views import Life

ALONE: Final = Settings(countdown_s=0, watch="live")
"""Nobody is waited for, and there is nobody to whom boards could tell too much: replays are open at once."""

ALONE_AT: Final = ("127.0.0.1", 0)
EVERYWHERE: Final = "0.0.0.0:8765"

_ALL_NETWORKS: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - recognised, not bound to


def same_deal(life: Life) -> Settings:
    """How a race that is over is raced again, alone and at once: on the same deal, by the same rules."""
    terms = {name: getattr(life.settings, name) for name in Settings.__struct_fields__}
    alone = {"deal": life.deal, "countdown_s": ALONE.countdown_s, "watch": ALONE.watch}
    return Settings(**{**terms, **alone})


def host_and_port(listen: str) -> tuple[str, int]:
    """Where to listen, of `HOST:PORT`.

    Raises:
        ClientError: it is not that.
    """
    host, _, port = listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isascii() or not port.isdecimal() or int(port) > 65_535:
        text = tr("--listen wants HOST:PORT, such as {example}, not {given}")
        raise ClientError(text.format(example=EVERYWHERE, given=repr(listen)))
    return host, int(port)


def own_url(host: str, url: str) -> str:
    """How this machine reaches a server of its own that listens on `host`; `url` is what it said."""
    return _url("127.0.0.1" if host in _ALL_NETWORKS else host, url)


def public_url(host: str, url: str) -> str:
    """How others on the network probably reach it."""
    return _url((lan_address() or "127.0.0.1") if host in _ALL_NETWORKS else host, url)


def _url(host: str, url: str) -> str:
    port = url.rpartition(":")[2]
    return f"ws://{f'[{host}]' if ':' in host else host}:{port}"
