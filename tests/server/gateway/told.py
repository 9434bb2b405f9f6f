"""What tests of a conversation look for in what was told."""

from collections.abc import Callable
from typing import Final

from protocol import events
from protocol.views import Life
from tests.end_to_end.player import Player
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)


def refused(answer: object, code: str) -> events.Refused:
    assert isinstance(answer, events.Refused), answer
    assert answer.code == code, answer
    assert answer.detail
    return answer


async def shown(guest: Player, race: str, fits: Callable[[Life], object]) -> None:
    """Wait until the race is shown as it is to be."""

    def is_shown() -> bool:
        following = guest.pictures.get((race, "seat"))
        return following is not None and bool(fits(following.picture.life))

    await guest.until(is_shown, "a change in the race's life")
