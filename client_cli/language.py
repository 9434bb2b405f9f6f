"""Every text of the client in the reader's language.

Texts are written in English where they are used, as `tr("...")`, and translated by gettext catalogues. These
are read as `.po`, the form people edit: a compiled `.mo` beside it would have to be made anew at each change,
and nobody could see in a review whether it had been. The one that is needed is read once, in milliseconds.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("en", "pt")

_LINE: Final = re.compile(r'(?:(msgid|msgid_plural|msgstr|msgstr\[0\]|msgstr\[1\])\s+)?(".*")')


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Texts of one language, by their English: singular and plural, the same where there is only one.

    `ones` has the English for one thing by the English for several.
    """

    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    ones: Mapping[str, str] = field(default_factory=dict)

    def text(self, english: str) -> str:
        """The text in this language; itself where there is no translation."""
        return self.texts.get(english, (english, english))[0]

    def counted(self, one: str, many: str, n: int) -> str:
        """The text that goes with a number: English and Portuguese both tell one from all others."""
        forms = self.texts.get(one, (one, many))
        return forms[0] if n == 1 else forms[1]

    def phrase(self, english: str, n: object = None) -> str | None:
        """A text of somebody else's, given as the English that goes with `n`; None if it is not known."""
        forms = self.texts.get(self.ones.get(english, english))
        return None if forms is None else forms[n not in (None, 1)]


class _Current:
    """The language of this process: chosen once, before anything is drawn."""

    catalogue = Catalogue()
    name = "en"


def use(language: str) -> None:
    """Speak this language from now on; one of `LANGUAGES`."""
    _Current.catalogue = catalogue(language)
    _Current.name = language


def current() -> str:
    """The language that is spoken."""
    return _Current.name


def known_phrase(english: str, n: object = None) -> str | None:
    """What somebody else says in English, in the reader's language; None if it is not in the catalogue."""
    return english if _Current.name == "en" else _Current.catalogue.phrase(english, n)


def tr(english: str) -> str:
    """A text in the reader's language."""
    return _Current.catalogue.text(english)


def trn(one: str, many: str, n: int) -> str:
    """A text that goes with a number, its `{n}` filled in."""
    return counted(one, many, n).format(n=n)


def counted(one: str, many: str, n: int) -> str:
    """A text that goes with a number; what it has for the number is not filled in."""
    return _Current.catalogue.counted(one, many, n)


def mark(english: str) -> str:
    """The text itself: it is translated later, where it is shown."""
    return english


def language_of(option: str | None, environment: Mapping[str, str]) -> str:
    """The language somebody asked for, else that of the locale, else English."""
    if option:
        return option
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            language = environment[name][:2].lower()
            return language if language in LANGUAGES else "en"
    return "en"


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language; English needs none."""
    if language == "en":
        return Catalogue()
    path = files("client_cli") / "locale" / language / "LC_MESSAGES" / "cellrace.po"
    return read_po(path.read_text(encoding="utf-8"))


def read_po(text: str) -> Catalogue:
    """A catalogue out of the text of a `.po` file.

    Raises:
        ValueError: a line that is neither a comment nor a string.
    """
    texts: dict[str, tuple[str, str]] = {}
    ones: dict[str, str] = {}
    for block in re.split(r"\n\s*\n", text):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            found = _LINE.fullmatch(line.strip())
            if found is None:
                raise ValueError(f"no line of a catalogue: {line!r}")
            name = found[1] or name
            fields[name] = fields.get(name, "") + json.loads(found[2])
        if fields.get("msgid"):
            one = fields.get("msgstr", fields.get("msgstr[0]", ""))
            texts[fields["msgid"]] = (one, fields.get("msgstr[1]", one))
            ones[fields.get("msgid_plural", fields["msgid"])] = fields["msgid"]
    return Catalogue(texts, ones)
