import re
import string

import pytest

from client_cli import language
from client_cli.language import Catalogue, catalogue, language_of, read_po
from tests.client_cli.texts import server_texts, texts, untranslatable, untranslated, untranslated_in

TEXTS = {*texts(), *server_texts()}
PORTUGUESE = catalogue("pt").texts


def fields(text: str) -> set[str]:
    """What is filled in, and how."""
    parsed = string.Formatter().parse(text)
    return {f"{name}:{spec}" if spec else name for _, name, spec, _ in parsed if name}


def test_there_are_texts() -> None:
    assert {"play now", "undo", "{n} action", "Refused: {what}"} <= set(texts())
    sentences = set(server_texts())
    assert {"the race is over", "{n} free cell", "you see every board"} <= sentences
    assert "{cell:pile} holds {held:card}, and a cell holds one card" in sentences


def test_every_sentence_of_the_server_can_be_looked_up() -> None:
    assert list(untranslatable()) == []


def test_every_text_of_the_client_is_looked_up() -> None:
    assert list(untranslated()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise ClientError("no such thing")', ["'no such thing'"]),
        ('terminal.say(f"{name} is here")', ["f'{name} is here'"]),
        ('parser.add_argument("--x", help="what it does")', ["'what it does'"]),
        ('terminal.say(tr("hello"), f"{seconds} ...", text)', []),
    ],
)
def test_what_is_not_looked_up_is_found(source: str, found: list[str]) -> None:
    assert list(untranslated_in(source)) == found


def test_no_text_is_missing() -> None:
    assert sorted(TEXTS - set(PORTUGUESE)) == []


def test_no_translation_is_unused() -> None:
    assert sorted(set(PORTUGUESE) - TEXTS) == []


def test_no_translation_is_empty() -> None:
    assert [english for english, forms in PORTUGUESE.items() if not all(forms)] == []


@pytest.mark.parametrize(
    ("english", "portuguese"),
    [
        (r"before the start\b", "antes do começo"),
        (r"\bthe same deal|another deal\b", "distribuição"),
        (r"^winnable", "dá para ganhar"),
    ],
)
def test_one_thing_has_one_word(english: str, portuguese: str) -> None:
    told = [forms for text, forms in PORTUGUESE.items() if re.search(english, text)]
    assert told
    assert [form for forms in told for form in forms if portuguese not in form] == []


def test_portuguese_is_that_of_brazil_throughout() -> None:
    of_portugal = re.compile(r"correu mal|ficheiro|ecrã|utilizador|palavra-passe|está a \w+r\b")
    assert [form for forms in PORTUGUESE.values() for form in forms if of_portugal.search(form)] == []


@pytest.mark.parametrize("english", [text for text in sorted(TEXTS) if "{" in text])
def test_what_is_filled_in_is_the_same(english: str) -> None:
    known = fields(english) | {"n"}  # a number may be said in one form and left out in the other
    assert all(fields(form) <= known for form in PORTUGUESE[english])
    assert fields(english) - {"n", "ordinal"} <= fields(PORTUGUESE[english][1])


def test_a_catalogue_is_read() -> None:
    read = read_po(
        '# a comment\nmsgid "one"\n"and a half"\nmsgstr "um\\n"\n"e meio"\n\nmsgid "x"\nmsgstr ""\n'
    )
    assert read.text("oneand a half") == "um\ne meio"
    assert read.text("unknown") == "unknown"


def test_numbers_choose_the_form() -> None:
    read = read_po(
        'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "{n} carta"\nmsgstr[1] "{n} cartas"\n'
    )
    assert [read.counted("{n} card", "{n} cards", n) for n in (0, 1, 2)] == [
        "{n} cartas",
        "{n} carta",
        "{n} cartas",
    ]
    assert Catalogue().counted("{n} card", "{n} cards", 2) == "{n} cards"


def test_a_phrase_of_somebody_elses_is_found_by_the_english_for_its_number() -> None:
    read = read_po(
        'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "{n} carta"\nmsgstr[1] "{n} cartas"\n\n'
        'msgid "the end"\nmsgstr "o fim"\n'
    )
    assert [read.phrase("{n} card", 1), read.phrase("{n} cards", 2)] == ["{n} carta", "{n} cartas"]
    assert [read.phrase("the end"), read.phrase("the beginning")] == ["o fim", None]


def test_what_is_no_catalogue_is_refused() -> None:
    with pytest.raises(ValueError, match="no line of a catalogue"):
        read_po('msgid "x"\nmsgstr x\n')


@pytest.mark.parametrize(
    ("option", "environment", "chosen"),
    [
        (None, {}, "en"),
        (None, {"LANG": "pt_BR.UTF-8"}, "pt"),
        (None, {"LANG": "pt_PT", "LC_ALL": "en_GB"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {"LANG": "C"}, "en"),
        ("pt", {"LANG": "en_US.UTF-8"}, "pt"),
    ],
)
def test_the_language_is_asked_for_or_the_locales(
    option: str | None, environment: dict[str, str], chosen: str
) -> None:
    assert language_of(option, environment) == chosen


def test_the_language_in_use() -> None:
    language.use("pt")
    try:
        assert (language.current(), language.tr("undo")) == ("pt", "desfazer")
        assert language.trn("{n} action", "{n} actions", 3) == "3 ações"
    finally:
        language.use("en")
    assert language.tr("undo") == "undo"
