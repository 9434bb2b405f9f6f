"""What a server says, in the reader's language."""

import pytest
from msgspec.structs import replace

from client_cli import language
from client_cli.phrases import in_words, reason, sentence
from client_cli.style import Style
from protocol.errors import ErrorCode
from protocol.events import Bye, Calculated, Destination, Event, Refused, Watching
from protocol.views import LifeChanged, Phrase
from tests.client_cli.samples import RACE, ack, life, racing, snapshot, update

HOLDS = "{cell:pile} holds {held:card}, and a cell holds one card"


@pytest.fixture(autouse=True)
def in_portuguese(in_english: None) -> None:
    language.use("pt")


@pytest.mark.parametrize(
    ("english", "phrases", "portuguese"),
    [
        ("this race is over", (), "esta corrida acabou"),
        (
            "cell a holds 10H, and a cell holds one card",
            (Phrase(HOLDS, {"cell": "a", "held": "TH"}),),
            "na célula a está 10H, e numa célula cabe uma carta",
        ),
        (
            "5D cannot go home yet: the foundation of diamonds waits for 2D",
            (
                Phrase(
                    "{card:card} cannot go home yet: {home:pile} waits for {wanted:card}",
                    {"card": "5D", "home": "hd", "wanted": "2D"},
                ),
            ),
            "5D ainda não pode ir: a fundação de ouros espera 2D",
        ),
        (
            "there is nothing to take back; undo reaches back 2 actions at most",
            (
                Phrase("there is nothing to take back"),
                Phrase("; undo reaches back {n} actions at most", {"n": 2}),
            ),
            "não há nada para desfazer; desfazem-se no máximo 2 ações",
        ),
        (
            "there is nothing to take back; undo reaches back 1 action at most",
            (
                Phrase("there is nothing to take back"),
                Phrase("; undo reaches back {n} action at most", {"n": 1}),
            ),
            "não há nada para desfazer; desfaz-se no máximo 1 ação",
        ),
    ],
)
def test_a_sentence(english: str, phrases: tuple[Phrase, ...], portuguese: str) -> None:
    assert sentence(english, phrases) == portuguese
    language.use("en")
    assert sentence(english, phrases) == english


@pytest.mark.parametrize(
    "phrases",
    [
        (Phrase("the moon is {shape}", {"shape": "full"}),),
        (Phrase("there is nothing to take back"), Phrase("; the moon is full")),
        (Phrase(HOLDS, {"cell": "a"}),),
        (Phrase("{0.__class__}", {}),),
        (),
    ],
)
def test_what_is_not_known_stays_in_english(phrases: tuple[Phrase, ...]) -> None:
    assert sentence("something quite new", phrases) == "something quite new"


def test_cards_and_piles_look_as_they_do_elsewhere() -> None:
    phrases = (Phrase("there is no card on {pile:pile}", {"pile": "3"}),)
    held = (Phrase(HOLDS, {"cell": "a", "held": "TH"}),)
    assert sentence("...", held, Style()) == "na célula a está 10♥, e numa célula cabe uma carta"
    language.use("en")
    assert sentence("there is no card on cascade 3", phrases) == "there is no card on column 3"
    assert sentence("...", held, Style()) == "cell a holds 10♥, and a cell holds one card"


def test_what_fills_a_gap_is_shown_as_it_is() -> None:
    name = "{home:pile} {0.__class__}"
    taken = Phrase("somebody in this race is called {name} already", {"name": name})
    assert sentence("...", (taken,)) == f"alguém nesta corrida já se chama {name}"


def test_the_sentences_of_an_event() -> None:
    late = Phrase("you see every board"), Phrase(", {late} s late", {"late": 30})
    watching = in_words(Watching(RACE, "boards", why="you see every board, 30 s late", phrases=late))
    assert isinstance(watching, Watching)
    assert watching.why == "você vê todos os tabuleiros, com 30 s de atraso"

    ended = in_words(Bye("restarting", "this server is going down"))
    assert isinstance(ended, Bye)
    assert ended.detail == "este servidor vai parar"

    refused = in_words(Refused(ErrorCode.RACE_OVER, "this race is over"))
    assert isinstance(refused, Refused)
    assert refused.detail == "esta corrida acabou"

    why = Phrase(HOLDS, {"cell": "a", "held": "JH"})
    places = Destination("a", 0, "cell a holds JH, and a cell holds one card", (why,)), Destination("2", 1)
    calculated = in_words(Calculated(RACE, 1, 0, "3", places))
    assert isinstance(calculated, Calculated)
    assert [place.why for place in calculated.destinations] == [
        "na célula a está JH, e numa célula cabe uma carta",
        "",
    ]


def test_the_rules_of_a_race() -> None:
    rules = ("ruleset race", "2 free cells", "hints", "a rule of tomorrow")
    phrases = (
        Phrase("ruleset {ruleset}", {"ruleset": "race"}),
        Phrase("{n} free cells", {"n": 2}),
        Phrase("hints"),
        Phrase("a rule of tomorrow"),
    )
    told = life(rules=rules, rule_phrases=phrases)
    said = ("regras race", "2 células livres", "dicas", "a rule of tomorrow")
    assert in_words(snapshot(life=told)) == snapshot(life=replace(told, rules=said))
    news = in_words(update(3, 4, LifeChanged(told)))
    assert news == update(3, 4, LifeChanged(replace(told, rules=said)))
    older = in_words(snapshot(life=life(rules=("hints", "no undo"))))
    assert older == snapshot(life=life(rules=("dicas", "sem desfazer")))


@pytest.mark.parametrize("event", [ack(1, 1), update(3, 4)])
def test_there_is_nothing_to_say_in_other_events(event: Event) -> None:
    assert racing().board is not None
    assert in_words(event) == event


def test_when_it_can_be_is_told_once() -> None:
    slower = Refused(ErrorCode.TOO_FAST, "slower, please", retry_ms=250_000)
    assert reason(slower) == "mais devagar, por favor; possível de novo em 250 s"
    said = replace(slower, detail="wait 250 s", phrases=(Phrase("wait {seconds} s", {"seconds": 250}),))
    assert reason(said) == "wait 250 s"
