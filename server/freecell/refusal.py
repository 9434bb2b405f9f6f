"""Why something cannot be done: values a person can act on, never exceptions."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

IllegalCode = Literal[
    "already_won",
    "bad_count",
    "bad_notation",
    "cell_taken",
    "empty_source",
    "home_to_home",
    "no_auto_finish",
    "no_returns",
    "no_send",
    "no_such_cell",
    "no_such_pile",
    "not_a_run",
    "not_next",
    "nothing_to_send",
    "same_pile",
    "too_many_cards",
    "wrong_order",
    "wrong_suit",
]

ILLEGAL_CODES: Final[frozenset[str]] = frozenset(get_args(IllegalCode))


@dataclass(frozen=True, slots=True)
class Illegal:
    """A refusal.

    Attributes:
        code: one of ``ILLEGAL_CODES``; these do not change.
        detail: a sentence that says what would have to be different.
    """

    code: IllegalCode
    detail: str
