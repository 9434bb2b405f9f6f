import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.screens.links import Pasted, link_to, read_link

WSS = "wss://race.example.org"


@pytest.mark.parametrize(
    ("text", "pasted"),
    [
        ("ABCDEFGH", Pasted("ABCDEFGH")),
        ("  abcdefgh\n", Pasted("ABCDEFGH")),
        ("come to FESKMPJB!", Pasted("FESKMPJB")),
        (f"cellrace join FESKMPJB --server {WSS}", Pasted("FESKMPJB", WSS)),
        (f"cellrace join FESKMPJB --server {WSS}:8765", Pasted("FESKMPJB", f"{WSS}:8765")),
        (f"{WSS}/FESKMPJB", Pasted("FESKMPJB", WSS)),
        ("https://race.example.org/FESKMPJB", Pasted("FESKMPJB", WSS)),
        ("http://192.0.2.2:8765/#feskmpjb", Pasted("FESKMPJB", "ws://192.0.2.2:8765")),
        ("ws://[2001:db8::1]:8765/FESKMPJB", Pasted("FESKMPJB", "ws://[2001:db8::1]:8765")),
        ("", None),
        ("ABCDEFG", None),
        ("ABCDEFGI", None),
        ("ABCDEFGHJ", None),
        (WSS, None),
        ("ws:///FESKMPJB", None),
    ],
)
def test_what_is_pasted(text: str, pasted: Pasted | None) -> None:
    assert read_link(text) == pasted


@pytest.mark.parametrize("server", [WSS, "ws://192.0.2.2:8765", f"{WSS}/"])
def test_a_link_reads_as_what_it_names(server: str) -> None:
    assert read_link(link_to(server, "FESKMPJB")) == Pasted("FESKMPJB", server.rstrip("/"))


@given(st.text(max_size=60))
def test_whatever_is_pasted_gives_an_answer(text: str) -> None:
    pasted = read_link(text)
    assert pasted is None or len(pasted.race) == 8
