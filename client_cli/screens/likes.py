"""What the player likes and where he was: for as long as the program runs, and kept for the next time."""

import argparse
from collections.abc import Callable, Mapping

import msgspec

from client_cli.ghosts import Haunt
from client_cli.language import tr
from client_cli.screens.look import Look
from client_cli.screens.preferences import load, save
from client_cli.screens.recent_view import recent_of
from client_cli.session import Session
from client_cli.wiring import Server, local_server_at, style_of
from client_cli.world import World


class Likes:
    """Preferences, and the look that follows from them and from what the terminal can show.

    Attributes:
        preferences: what is kept between two runs.
        look: how cards look.
    """

    def __init__(self, args: argparse.Namespace, world: World, complain: Callable[[str], None]) -> None:
        style = style_of(args, world)
        self.preferences = load(world.config_folder)
        self._folder = world.config_folder
        self._today = world.today
        self._is_kept = True
        self._complain = complain
        self._symbols, self._colour = style.symbols, style.colour
        self._choices = {
            "four_colours": args.four_colors or self.preferences.four_colours,
            "contrast": args.high_contrast or self.preferences.contrast,
            "letters": not style.symbols or self.preferences.letters,
            "animated": self.preferences.animated,
        }
        self.look = self._made_look()

    @property
    def choices(self) -> Mapping[str, bool]:
        """The choices of the look, by name."""
        return self._choices

    def choose(self, name: str, *, value: bool) -> None:
        """One choice of the look is another from now on."""
        self._choices[name] = value
        self.look = self._made_look()
        self.keep(**{**self._choices, "letters": self._choices["letters"] and self._symbols})

    def keep_race(self, session: Session, server: Server, against: Haunt | None = None) -> None:
        """Remember a race, how it stands, and what it is raced against as a ghost."""
        is_local = server.key == local_server_at("").key
        recent = recent_of(session, "" if is_local else server.url, self._today(), against)
        if self.preferences.with_race(recent).recent != self.preferences.recent:
            self._look_again()
            self.keep(recent=self.preferences.with_race(recent).recent)

    def keep_news(self, race: str, **changes: object) -> None:
        """Remember what was heard of a race, if it is one of those that one was in."""
        self._look_again()
        if self.preferences.with_news(race, **changes) != self.preferences:
            self.keep(recent=self.preferences.with_news(race, **changes).recent)

    def keep(self, **changes: object) -> None:
        """Keep these fields of the preferences, and what other programs have kept in the others."""
        self._look_again()
        self.preferences = msgspec.structs.replace(self.preferences, **changes)
        why = save(self._folder, self.preferences)
        self._is_kept = not why
        if why:
            self._complain(tr("cannot keep your settings: {why}").format(why=why))

    def _look_again(self) -> None:
        """See what is kept now, unless what is known here could not be."""
        if self._is_kept:
            self.preferences = load(self._folder)

    def _made_look(self) -> Look:
        return Look(
            symbols=self._symbols and not self._choices["letters"],
            colour=self._colour,
            four_colours=self._choices["four_colours"],
            contrast=self._choices["contrast"],
            animated=self._choices["animated"],
        )
