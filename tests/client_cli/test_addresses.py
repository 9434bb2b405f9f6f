"""Addresses as people give them: which server is meant, and that what is wrong is said in our words."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.uri import parse_uri

from client_cli.addresses import address
from client_cli.errors import ClientError

PIECES = (
    *(
        "ws",
        "wss",
        "http",
        "https",
        "ftp",
        "WS",
        ":",
        "//",
        "/",
        "@",
        "#",
        "?",
        "[",
        "]",
        ".",
        "..",
        "%",
        "%ff",
    ),
    *(
        "a",
        "race.example",
        "::1",
        "127.0.0.1",
        "8765",
        "0",
        "99999",
        "x" * 64,
        "é",
        "\u2105",
        "\ud800",
        "\x00",
        " ",
    ),
)
SAID = frozenset(
    {
        " is not a server's address; it looks like ws://HOST:PORT or wss://HOST",
        " names no host; an address looks like ws://HOST:PORT or wss://HOST",
        " is no address: no host can have such a name",
    }
)


@pytest.mark.parametrize(
    ("given_as", "meant"),
    [
        ("ws://127.0.0.1:8765", "ws://127.0.0.1:8765"),
        ("wss://Race.Example/path", "wss://Race.Example/path"),
        (" 127.0.0.1:8765\n", "ws://127.0.0.1:8765"),
        ("[::1]:8765", "ws://[::1]:8765"),
        ("http://race.example", "ws://race.example"),
        ("HTTPS://race.example/", "wss://race.example/"),
        ("http://192.0.2.2:8765/#FESKMPJB", "ws://192.0.2.2:8765/"),
        ("ws://192.0.2.2:8765/FESKMPJB", "ws://192.0.2.2:8765"),
        ("https://race.example/path/FESKMPJB/", "wss://race.example/path"),
        ("wss://race.example/gateways", "wss://race.example/gateways"),
        ("ws://ann:secret@race.example", "ws://ann:secret@race.example"),
        ("wss://r\u00e4ce.example", "wss://r\u00e4ce.example"),
    ],
)
def test_what_is_meant(given_as: str, meant: str) -> None:
    assert address(given_as) == meant


@pytest.mark.parametrize(
    ("given_as", "why"),
    [
        ("race.example", "is not a server's address"),
        ("ftp://race.example", "is not a server's address"),
        ("ws://host:port", "is not a server's address"),
        ("ws://host:99999", "is not a server's address"),
        ("ws://host:0", "is not a server's address"),
        ("host:99999", "is not a server's address"),
        ("ws://[::1", "is not a server's address"),
        ("ws://a b", "is not a server's address"),
        ("ws://a\x1b[2Jb", "is not a server's address"),
        ("ws://ann@race.example", "is not a server's address"),
        ("ws://ann:%ff@race.example", "is not a server's address"),
        ("ws://\udcff", "is not a server's address"),
        ("ws://", "names no host"),
        ("ws://:80", "names no host"),
        ("http:race.example", "names no host"),
        ("ws://a..b", "no host can have such a name"),
        (f"ws://{'a' * 64}.example", "no host can have such a name"),
    ],
)
def test_what_is_wrong_is_said(given_as: str, why: str) -> None:
    with pytest.raises(ClientError, match=why) as caught:
        address(given_as)
    assert str(caught.value).isprintable()


def read(given_as: str) -> tuple[str, str]:
    """The address, or what is said of it."""
    try:
        return address(given_as), ""
    except ClientError as error:
        return "", str(error)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join))
def test_nothing_is_left_for_the_library_to_complain_of(text: str) -> None:
    for given_as in (text, f"ws://{text}"):
        url, said = read(given_as)
        if said:
            assert said.startswith(repr(given_as))
            assert said.removeprefix(repr(given_as)) in SAID
        else:
            assert parse_uri(url).host
            assert (urlsplit(url).hostname or "").encode("idna")
            assert address(url) == url
