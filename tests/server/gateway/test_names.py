import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.gateway.names import MAX_NAME, MAX_TEXT, BadName, clean_name, clean_text

ESCAPE = "\x1b[31mred\x1b[0m"
INVISIBLE = {
    "an escape code": "\x1b",
    "a bell": "\x07",
    "a backspace": "\x08",
    "a delete": "\x7f",
    "a C1 control, which some terminals obey": "\x9b",
    "a zero width space": "\u200b",
    "a zero width joiner": "\u200d",
    "a byte order mark": "\ufeff",
    "a right-to-left mark": "\u200f",
    "a right-to-left override": "\u202e",
    "an isolate": "\u2066",
    "a soft hyphen": "\u00ad",
    "a private character": "\ue000",
    "an unassigned one": "\u0378",
    "a tag": "\U000e0041",
    "a Hangul filler": "\u3164",
    "a Braille blank": "\u2800",
    "a variation selector": "\ufe0f",
    "a variation selector of the supplement": "\U000e0100",
    "a grapheme joiner": "\u034f",
    "a Mongolian selector": "\u180b",
    "a Khmer vowel that is not drawn": "\u17b4",
}

NASTY = st.text(
    st.one_of(st.characters(), st.sampled_from(["a", " ", "\u0301", "\u20dd", *INVISIBLE.values()]))
)


@pytest.mark.parametrize(
    "name",
    [
        "Ana",
        "さくら",
        "田中太郎",
        "Jürgen Groß",
        "Екатерина",
        "אברהם",
        "محمد",
        "กิตติ",
        "Nguyễn Thị Hằng",
        "देवनागरी",
        "한국어",
        "O'Brien-Smith",
        "R2D2",
        "x" * MAX_NAME,
    ],
)
def test_letters_of_every_script_are_kept(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("  Ana  ", "Ana"),
        ("Ana \t Maria", "Ana Maria"),
        ("\uff21\uff4e\uff41", "Ana"),
        ("ﬁona", "fiona"),
        ("Jose\u0301", "José"),
        ("Ana\u3000Maria", "Ana Maria"),
        ("Ana\u2028Maria", "Ana Maria"),
    ],
)
def test_a_name_is_normalised(raw: str, clean: str) -> None:
    assert clean_name(raw) == clean


@pytest.mark.parametrize("character", INVISIBLE.values(), ids=INVISIBLE.keys())
def test_a_name_with_something_invisible_is_refused_and_the_refusal_does_not_repeat_it(
    character: str,
) -> None:
    with pytest.raises(BadName) as refusal:
        clean_name(f"An{character}a")
    assert character not in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("name", ["", " ", "\u00a0", "...", "!?", "\u0301", "👍"])
def test_a_name_needs_something_to_call_it_by(name: str) -> None:
    with pytest.raises(BadName):
        clean_name(name)


def test_a_name_takes_24_columns_at_most_and_marks_take_none() -> None:
    assert len(clean_name("q\u0323" * MAX_NAME)) == 2 * MAX_NAME
    with pytest.raises(BadName, match="this one takes 25"):
        clean_name("x" * (MAX_NAME + 1))
    with pytest.raises(BadName, match="this one takes"):
        clean_name("\ufdfa" * 2)  # one character that NFKC makes eighteen of


def test_a_letter_that_is_two_columns_wide_counts_as_two() -> None:
    wide = "\N{HIRAGANA LETTER A}"
    assert clean_name(wide * (MAX_NAME // 2)) == wide * (MAX_NAME // 2)
    with pytest.raises(BadName, match="this one takes 25"):
        clean_name(wide * (MAX_NAME // 2) + "x")


@pytest.mark.parametrize("mark", ["\u0301", "\u0489", "\u20dd"])
def test_marks_cannot_be_piled_on_a_letter(mark: str) -> None:
    assert clean_name("q" + mark * 2)
    for many in (3, 300):
        with pytest.raises(BadName, match="pile marks"):
            clean_name("q" + mark * many)


@given(NASTY)
def test_whatever_name_is_accepted_is_printable_short_and_stays_as_it_is(raw: str) -> None:
    try:
        name = clean_name(raw)
    except BadName:
        return
    assert clean_name(name) == name
    assert name.isprintable()
    assert name == name.strip()
    assert len(name) <= 3 * MAX_NAME


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("hello", "hello"),
        ("  two\nlines\t", "two lines"),
        (f"{ESCAPE}!", "[31mred[0m!"),
        ("a\u202eb", "ab"),
        ("Z" + "\u0335" * 300, "Z" + "\u0335" * 2),
        ("Z" + "\u20dd" * 300, "Z" + "\u20dd" * 2),
        ("👍🏽 さくら", "👍🏽 さくら"),
        ("\u200b\u200b", ""),
        ("x" * 400, "x" * MAX_TEXT),
    ],
)
def test_what_a_chat_line_cannot_hold_is_taken_out(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize("character", INVISIBLE.values(), ids=INVISIBLE.keys())
def test_nothing_invisible_is_left_of_a_chat_line(character: str) -> None:
    assert clean_text(f"a{character}b") == "ab"


@given(NASTY)
def test_a_chat_line_is_printable_bounded_and_stays_as_it_is(raw: str) -> None:
    text = clean_text(raw * 20)
    assert clean_text(text) == text
    assert text.isprintable()
    assert len(text) <= MAX_TEXT
