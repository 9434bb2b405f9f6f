import pytest

from client_cli import language
from client_cli.piles import PILES, pile_text


@pytest.mark.parametrize(
    ("pile", "english", "portuguese"),
    [
        ("3", "column 3", "coluna 3"),
        ("b", "cell b", "célula b"),
        ("hs", "the foundation of spades", "fundação de espadas"),
        ("h", "the foundations", "fundações"),
    ],
)
def test_piles_in_words(pile: str, english: str, portuguese: str) -> None:
    assert pile_text(pile) == english
    language.use("pt")
    assert pile_text(pile) == portuguese


def test_each_has_words_of_its_own() -> None:
    assert len({pile_text(pile) for pile in PILES}) == len(PILES) == 13


def test_one_that_is_not_known_is_shown_as_it_is() -> None:
    assert pile_text("z") == "z"
