"""Links to a race: what the player copies for friends, and what he pastes. Pure."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from protocol.commands import CODE_LETTERS

_URL: Final = re.compile(r"\b(?:wss?|https?)://[^\s'\"<>]+", re.IGNORECASE)
_CODE: Final = re.compile(rf"(?<![A-Z0-9])[{CODE_LETTERS}]{{8}}(?![A-Z0-9])")
_WEB: Final = {"http": "ws", "https": "wss"}


@dataclass(frozen=True, slots=True)
class Pasted:
    """A race, and the server it is on; "" where the text names none."""

    race: str
    server: str = ""


def link_to(server: str, race: str) -> str:
    """An address that names server and race."""
    return f"{server.rstrip('/')}/{race}"


def read_link(text: str) -> Pasted | None:
    """The race in what was pasted: a code, a link, or a line such as `cellrace join CODE --server URL`."""
    found = _URL.search(text)
    url = found[0] if found else ""
    rest = text.replace(url, " ") if url else text
    codes = _CODE.findall(rest.upper())
    if not url:
        return Pasted(codes[-1]) if codes else None
    parts = urlsplit(url)
    in_url = _CODE.findall(f"{parts.path} {parts.query} {parts.fragment}".upper())
    race = (codes or in_url or [""])[-1]
    if not race or not parts.netloc:
        return None
    scheme = _WEB.get(parts.scheme.lower(), parts.scheme.lower())
    return Pasted(race, f"{scheme}://{parts.netloc}")
