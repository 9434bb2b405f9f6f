import pytest

from server.freecell.cards import parse_card
from server.freecell.piles import parse_pile
from server.freecell.wording import Phrase, counted, phrases_of, say, words_of


def test_a_sentence_is_its_text_and_knows_what_fills_its_gaps() -> None:
    said = say("{cell:pile} holds {held:card}", cell=parse_pile("a"), held=parse_card("JH"))
    assert said == "cell a holds JH"
    assert said.phrases == (Phrase("{cell:pile} holds {held:card}", {"cell": "a", "held": "JH"}),)


@pytest.mark.parametrize(
    ("pile", "words"), [("3", "cascade 3"), ("b", "cell b"), ("hs", "the foundation of spades")]
)
def test_a_pile_is_told_in_words_and_kept_by_its_name(pile: str, words: str) -> None:
    said = say("{pile:pile}", pile=parse_pile(pile))
    assert said == words
    assert said.phrases[0].values == {"pile": pile}


def test_what_fills_a_gap_is_not_filled_itself() -> None:
    assert say("{name} is here", name="{name} {x:card}") == "{name} {x:card} is here"


@pytest.mark.parametrize(("n", "text"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells")])
def test_a_number_chooses_the_text(n: int, text: str) -> None:
    assert counted("{n} cell", "{n} cells", n) == text


def test_sentences_are_joined_part_by_part() -> None:
    said = counted("{n} card", "{n} cards", 2) + say(" at most") + "."
    assert said == "2 cards at most."
    assert said.phrases == (Phrase("{n} cards", {"n": 2}), Phrase(" at most", {}), Phrase(".", {}))


def test_a_plain_text_is_a_part_without_gaps() -> None:
    assert phrases_of("the race is over") == (Phrase("the race is over", {}),)


def test_an_error_keeps_the_words_it_was_raised_with() -> None:
    said = say("not {n}", n=1)
    assert words_of(ValueError(said)) is said
    assert words_of(ValueError()) == ""
