"""What a client shows of a race, kept by docs/protocol.md alone, and checked against it at every step."""

import hashlib
from collections import Counter
from typing import Any, Final

Message = dict[str, Any]

CASCADES: Final = "12345678"
CELLS: Final = "abcd"
HOMES: Final = ("hc", "hd", "hh", "hs")
RANKS: Final = "A23456789TJQK"
PHASES: Final = ("lobby", "countdown", "running", "over")
DECK: Final = Counter(rank + suit for suit in "CDHS" for rank in RANKS)


class Violation(AssertionError):
    """The server did something else than docs/protocol.md says."""


def demand(condition: object, what: str, *seen: object) -> None:
    """Raise unless the document is kept.

    Raises:
        Violation: it is not.
    """
    if not condition:
        raise Violation(f"{what}: {', '.join(map(repr, seen))}")


class Board:
    """A board of cards, moved as told; it knows no rule of the game."""

    def __init__(self, data: Message) -> None:
        self.cascades: list[list[str]] = [text.split() for text in data["cascades"]]
        self.cells: list[str | None] = list(data["cells"])
        self.home: list[int] = list(data["home"])
        self.n: int = data.get("n", 0)
        self.score: int = data.get("score", 0)
        self.actions: int = data.get("actions", 0)
        demand(
            len(self.cascades) == 8 and len(self.home) == 4, "a board has 8 cascades and 4 foundations", data
        )
        self.check()

    def check(self) -> None:
        """A board is always the 52 cards of a deck."""
        home = [
            RANKS[rank] + suit for suit, top in zip("CDHS", self.home, strict=True) for rank in range(top)
        ]
        cards = [*(card for cascade in self.cascades for card in cascade), *filter(None, self.cells), *home]
        demand(Counter(cards) == DECK, "a board holds other cards than a deck's", cards)

    def carry(self, moves: list[list[Any]]) -> None:
        """Carry out card movements, in their order."""
        for source, dest, count in moves:
            demand(isinstance(count, int) and count > 0, "a card movement of no cards", source, dest, count)
            self._put(dest, self._take(source, count))
        self.check()

    def state(self) -> tuple[object, ...]:
        """All of it, to be compared."""
        cards = (tuple(map(tuple, self.cascades)), tuple(self.cells), tuple(self.home))
        return (*cards, self.n, self.score, self.actions)

    def _take(self, pile: str, count: int) -> list[str]:
        if pile in CASCADES:
            cascade = self.cascades[int(pile) - 1]
            demand(count <= len(cascade), "more cards leave a cascade than it has", pile, count, cascade)
            self.cascades[int(pile) - 1], taken = cascade[:-count], cascade[-count:]
            return taken
        demand(count == 1, "only cascades give more than one card", pile, count)
        if pile in CELLS:
            card = self.cells[CELLS.index(pile)]
            demand(card, "a card leaves an empty cell", pile)
            self.cells[CELLS.index(pile)] = None
            return [str(card)]
        demand(pile in HOMES and self.home[HOMES.index(pile)], "a card leaves no pile", pile)
        self.home[HOMES.index(pile)] -= 1
        return [RANKS[self.home[HOMES.index(pile)]] + pile[1].upper()]

    def _put(self, pile: str, cards: list[str]) -> None:
        if pile in CASCADES:
            self.cascades[int(pile) - 1] += cards
        elif pile in CELLS:
            demand(
                len(cards) == 1 and not self.cells[CELLS.index(pile)], "a cell takes one card", pile, cards
            )
            self.cells[CELLS.index(pile)] = cards[0]
        else:
            top = self.home[HOMES.index(pile)] if pile in HOMES else -1
            demand(
                cards == [RANKS[top] + pile[1].upper()],
                "a foundation gets another card than its next",
                pile,
                cards,
            )
            self.home[HOMES.index(pile)] += 1


class Picture:
    """A race as one feed shows it."""

    def __init__(self, page: Message) -> None:
        self.feed: str = page["feed"]
        self.view: str = page["view"]
        self.to: int = page["to"]
        self.tag: str = page["tag"]
        self.life: Message = page["life"]
        self.layout: Message | None = page.get("layout")
        self.racers: list[Message] = []
        self.boards: dict[str, Board] = {}
        self.chat: list[Message] = []
        self.clock: int | None = None
        self.page = 0
        self.pages: int = page.get("pages", 1)
        self.add(page)

    def add(self, page: Message) -> None:
        """Take in a page of the snapshot."""
        demand(page.get("page", 1) == self.page + 1, "pages come one right after the other", page)
        mine = (self.feed, self.view, self.to, self.tag, self.pages)
        theirs = (page["feed"], page["view"], page["to"], page["tag"], page.get("pages", 1))
        demand(mine == theirs, "pages belong to one snapshot", mine, theirs)
        self.page += 1
        self.racers += page.get("racers", [])
        self.boards |= {player: Board(board) for player, board in page.get("boards", {}).items()}
        self.chat += page.get("chat", [])
        if self.whole:
            self._tick(page.get("clock"))
            self.check()

    @property
    def whole(self) -> bool:
        """Whether all pages are there."""
        return self.page >= self.pages

    def follow(self, update: Message) -> None:
        """Take in an update, which must join."""
        demand(self.whole, "no update comes between the pages of a snapshot", update)
        demand(update["from"] == self.to, "updates join without a hole", self.to, update)
        demand(update["to"] > update["from"], "an update goes forward", update)
        demand(update["view"] == self.view, "a change of view is a snapshot", self.view, update)
        for change in update.get("changes", []):
            self._apply(change)
        self.to, self.tag = update["to"], update["tag"]
        self._tick(update.get("clock"))
        self.check()

    def racer(self, player: str) -> Message:
        """The racer of this id."""
        return next(racer for racer in self.racers if racer["player"] == player)

    def check(self) -> None:
        """What holds of every picture."""
        started = self.life["phase"] == "running" or "deal" in self.life
        demand(
            ("nonce" in self.life) == ("deal" in self.life) == started,
            "the deal is told too soon or not",
            self.life,
        )
        demand(
            (self.layout is not None) == started,
            "the layout is there from the start on",
            self.life,
            self.layout,
        )
        demand("deal" not in self.life["settings"], "the settings tell no deal", self.life)
        if started:
            text = f"{self.life['nonce']}:{self.life['deal']}"
            digest = hashlib.sha256(text.encode("ascii")).hexdigest()
            demand(digest == self.life["commitment"], "the commitment does not hold", self.life)
        seated = {racer["player"] for racer in self.racers}
        demand(len(seated) == len(self.racers), "a racer has one seat", self.racers)
        demand(
            set(self.boards) == (seated if started and self.view == "boards" else set()),
            "boards",
            self.boards,
        )
        ranks = sorted(racer["rank"] for racer in self.racers if "rank" in racer)
        demand(ranks == list(range(1, len(ranks) + 1)), "ranks are 1, 2, 3, ...", self.racers)
        for racer in self.racers:
            done = racer.get("state") in ("finished", "resigned", "out_of_time")
            demand(("ended_ms" in racer) == done, "who is done has a time, and nobody else", racer)
            demand(("rank" in racer) == (racer.get("state") == "finished"), "who finished has a rank", racer)
            demand((racer.get("home") == 52) == ("rank" in racer), "52 cards home is finished", racer)
        for player, board in self.boards.items():
            shown = self.racer(player)
            told = (shown.get("home", 0), shown.get("actions", 0))
            demand((sum(board.home), board.actions) == told, "a board and its racer's progress differ", shown)

    def _apply(self, change: Message) -> None:
        match change["k"]:
            case "life":
                before, self.life = self.life, change["life"]
                forward = PHASES.index(self.life["phase"]) >= PHASES.index(before["phase"])
                demand(forward, "a race goes forward through its phases", before, self.life)
                same = before["phase"] == "lobby" or before["commitment"] == self.life["commitment"]
                demand(same, "a commitment changes in the lobby only", before, self.life)
            case "racer":
                self._seat(change["racer"])
            case "left":
                self.racers = [racer for racer in self.racers if racer["player"] != change["player"]]
            case "dealt":
                self.layout = change["board"]
                demand(
                    change.get("shown", False) == (self.view == "boards"),
                    "boards are shown",
                    self.view,
                    change,
                )
                if change.get("shown"):
                    self.boards = {racer["player"]: Board(change["board"]) for racer in self.racers}
            case "moved":
                board = self._board(change)
                board.carry(change["moves"])
                demand(change["n"] == board.n + 1, "each action is one version", board.n, change)
                board.n, board.score, board.actions = (
                    change["n"],
                    change.get("score", 0),
                    change.get("actions", 0),
                )
            case "board":
                self._board(change)
                self.boards[change["player"]] = Board(change["board"])
            case "said":
                demand(
                    not (self.chat and change["line"]["seq"] <= self.chat[-1]["seq"]), "chat goes on", change
                )
                demand(
                    not (self.view == "racer" and change["line"].get("watcher")),
                    "watchers' chat is for later",
                    change,
                )
                self.chat.append(change["line"])
            case kind:
                raise Violation(f"no kind of change in the document: {kind!r}")

    def _seat(self, racer: Message) -> None:
        for place, other in enumerate(self.racers):
            if other["player"] == racer["player"]:
                self.racers[place] = racer
                return
        self.racers.append(racer)

    def _board(self, change: Message) -> Board:
        demand(
            self.view == "boards" and change["player"] in self.boards,
            "a board nobody was shown",
            self.view,
            change,
        )
        return self.boards[change["player"]]

    def _tick(self, clock: int | None) -> None:
        phase = self.life["phase"]
        demand((clock is None) == (self.layout is None and phase in ("lobby", "over")), "clock", phase, clock)
        if clock is not None:
            demand(clock <= 0 if phase == "countdown" else clock >= 0, "the clock starts at 0", phase, clock)
            demand(self.clock is None or clock >= self.clock, "the clock goes forward", self.clock, clock)
        self.clock = clock
