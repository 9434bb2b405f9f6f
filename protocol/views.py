"""A race as a viewer may draw it, and the changes that keep such a picture up to date.

Cards are two characters (`TH` is the ten of hearts). Piles are `1`-`8` (cascades), `a`-`d` (free cells) and
`hc`, `hd`, `hh`, `hs` (foundations). Times are milliseconds since the start of the race.
"""

from typing import Literal

from msgspec import Struct, field

from protocol.commands import RobotLevel, Settings

Phase = Literal["lobby", "countdown", "running", "over"]
RacerState = Literal["waiting", "racing", "finished", "resigned", "out_of_time"]
ViewName = Literal["racer", "progress", "boards"]
"""`progress` has no boards but one's own; `racer` lacks the watchers' chat too; `boards` has everything."""

Feed = Literal["seat", "watch"]
"""A connection may follow a race twice: from its seat, and, once its own board is done, as a watcher."""

CardMove = tuple[str, str, int]
"""From pile, to pile, how many cards."""


class _Value(Struct, frozen=True, omit_defaults=True):
    """A frozen part of a picture; fields at their default are left out on the wire."""


class Phrase(_Value, frozen=True):
    """A piece of a sentence, to be translated as a whole.

    `text` is English with gaps: `{name}`, or `{name:card}` and `{name:pile}` for a card and a pile. `values`
    fill them. Where the text depends on a number, that is `n`.
    """

    text: str
    values: dict[str, str | int] = field(default_factory=dict)


class Racer(_Value, frozen=True):
    """One seat: who sits there and how far he is; a robot tells its pace, and whether it knows no way."""

    player: str
    name: str
    ready: bool = False
    state: RacerState = "waiting"
    home: int = 0
    actions: int = 0
    ended_ms: int | None = None
    rank: int | None = None
    robot: RobotLevel | None = None
    no_way: bool = False


class Board(_Value, frozen=True):
    """A board: eight cascades ("7D TD TH", available card last), the cells, and how far home each suit is.

    `home` is the top rank, 0 to 13, of clubs, diamonds, hearts and spades.
    """

    cascades: tuple[str, ...]
    cells: tuple[str | None, ...]
    home: tuple[int, int, int, int]
    n: int = 0
    score: int = 0
    actions: int = 0


class Terms(Settings, frozen=True, forbid_unknown_fields=False):
    """The settings a race is raced by, without the deal; a newer server may tell more of them."""


class HeldSeat(_Value, frozen=True):
    """A race in which a player has a seat, as far as he needs to know it to go on with it or not.

    `host` is whether he is its host, `people` how many have a seat, robots not counted; `done` is whether his
    own board takes no moves any more. The deal is there once dealt.
    """

    race: str
    phase: Phase
    settings: Terms
    host: bool = False
    people: int = 1
    robots: tuple[RobotLevel, ...] = ()
    done: bool = False
    deal: int | None = None
    deal_code: str | None = None


class Life(_Value, frozen=True):
    """What is true of the race as a whole. `deal` and `nonce` are there from the start on, not before.

    `daily` is the day that the deal is the daily of; a `ranked` race is somebody's only attempt that counts.
    `lost` is what is proved of a deal that cannot be won. `deals` grows when settings bring another deal.
    """

    phase: Phase
    host: str
    settings: Terms
    rules: tuple[str, ...]
    commitment: str
    deal_named: bool = False
    certified: bool = False
    deal: int | None = None
    nonce: str | None = None
    deal_code: str | None = None
    countdown_ms: int | None = None
    over: Literal["", "finished", "abandoned", "expired"] = ""
    rematch: str | None = None
    rule_phrases: tuple[Phrase, ...] = ()
    daily: str | None = None
    ranked: bool = False
    lost: Literal["", "unwinnable", "lost_without_return"] = ""
    deals: int = 1


class ChatLine(_Value, frozen=True):
    """A line somebody said; `seq` is its place in the race's log."""

    seq: int
    player: str
    name: str
    text: str
    watcher: bool = False


class Picture(_Value, frozen=True):
    """All a viewer sees of a race. `layout` is the deal as dealt, once the race has started."""

    life: Life
    racers: tuple[Racer, ...] = ()
    layout: Board | None = None
    boards: dict[str, Board] = field(default_factory=dict)
    chat: tuple[ChatLine, ...] = ()


# Changes: what an update is made of.


class _Change(Struct, frozen=True, omit_defaults=True, tag_field="k"):
    """What all changes share: the tag `k`."""


class LifeChanged(_Change, frozen=True, tag="life"):
    """The race's life, whole."""

    life: Life


class RacerChanged(_Change, frozen=True, tag="racer"):
    """A racer's seat, whole; a new player is added at the end."""

    racer: Racer


class RacerLeft(_Change, frozen=True, tag="left"):
    """A seat is free again; `kicked` where the host has sent away who had it."""

    player: str
    kicked: bool = False


class Dealt(_Change, frozen=True, tag="dealt"):
    """The layout everyone got. Where `shown` (in the `boards` view) every racer's board is now this."""

    board: Board
    shown: bool = False


class BoardMoved(_Change, frozen=True, tag="moved"):
    """Cards moved on a racer's board, in this order (only in the `boards` view).

    `singles` are the same card by card, absent where `moves` are that already.
    """

    player: str
    n: int
    moves: tuple[CardMove, ...]
    score: int = 0
    actions: int = 0
    singles: tuple[CardMove, ...] = ()


class BoardReset(_Change, frozen=True, tag="board"):
    """A racer's board, whole (only in the `boards` view)."""

    player: str
    board: Board


class ChatSaid(_Change, frozen=True, tag="said"):
    """Somebody said something."""

    line: ChatLine


Change = LifeChanged | RacerChanged | RacerLeft | Dealt | BoardMoved | BoardReset | ChatSaid
