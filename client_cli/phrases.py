"""What the server says in words, in the reader's language.

A server speaks English, and tells of what phrases each sentence was made (`docs/protocol.md`). The sentences
of an event are translated as it comes in, in one place. One that is not in the catalogue, as of a newer
server, stays as it is.
"""

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from client_cli.language import current, known_phrase, tr
from client_cli.piles import pile_text
from client_cli.style import Style
from protocol.events import Bye, Calculated, Destination, Event, Refused, Snapshot, Update, Watching
from protocol.views import Change, Life, LifeChanged, Phrase

_GAP: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
LETTERS: Final = Style(symbols=False)
"""Suits where it is not known how the reader wants them: letters can be shown anywhere."""


def in_words(event: Event) -> Event:
    """The event with its sentences in the reader's language."""
    if current() == "en":
        return event
    match event:
        case Refused(detail=detail) | Bye(detail=detail):
            return replace(event, detail=sentence(detail, event.phrases))
        case Watching(why=why):
            return replace(event, why=sentence(why, event.phrases))
        case Calculated(destinations=places):
            return replace(event, destinations=tuple(map(_destination, places)))
        case Snapshot(life=life):
            return replace(event, life=_life(life))
        case Update(changes=changes):
            return replace(event, changes=tuple(map(_change, changes)))
        case _:
            return event


def sentence(english: str, phrases: tuple[Phrase, ...], style: Style = LETTERS) -> str:
    """A sentence of the server's in the reader's language; as it is where one of its phrases is not known."""
    said = [_said(phrase, style) for phrase in phrases or (Phrase(english),)]
    known = [text for text in said if text is not None]
    return "".join(known) if len(known) == len(said) else english


def reason(refusal: Refused, style: Style = LETTERS) -> str:
    """Why something was refused that is not said again by itself, and when it may be, if that is told."""
    why = sentence(refusal.detail, refusal.phrases, style)
    says_itself = any("seconds" in phrase.values for phrase in refusal.phrases)
    if refusal.retry_ms is None or says_itself:
        return why
    return tr("{why}; possible again in {seconds:.0f} s").format(why=why, seconds=refusal.retry_ms / 1000)


def _said(phrase: Phrase, style: Style) -> str | None:
    text = known_phrase(phrase.text, phrase.values.get("n"))
    if text is None or not {gap[1] for gap in _GAP.finditer(text)} <= phrase.values.keys():
        return None
    return _GAP.sub(lambda gap: _shown(phrase.values, gap, style), text)


def _shown(values: Mapping[str, str | int], gap: re.Match[str], style: Style) -> str:
    value = str(values[gap[1]])
    match gap[2]:
        case "card":
            return style.card(value)
        case "pile":
            return pile_text(value)
        case _:
            return value


def _destination(place: Destination) -> Destination:
    return replace(place, why=sentence(place.why, place.phrases)) if place.why else place


def _change(change: Change) -> Change:
    return LifeChanged(_life(change.life)) if isinstance(change, LifeChanged) else change


def _life(life: Life) -> Life:
    """Each of the rules is one phrase."""
    phrases = life.rule_phrases or tuple(map(Phrase, life.rules))
    said = (sentence(rule, (phrase,)) for rule, phrase in zip(life.rules, phrases, strict=False))
    return replace(life, rules=tuple(said))
