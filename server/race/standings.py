"""Who is where: the order in which a race's racers are listed."""

from server.race.state import Member, Race


def standings(race: Race) -> tuple[Member, ...]:
    """The racers, best first.

    Those who finished, in the order of the log; then the rest by cards home, fewest actions first.
    """
    return tuple(sorted(race.racers, key=_place))


def _place(member: Member) -> tuple[int, int, int]:
    if member.rank is not None:
        return (0, member.rank, 0)
    if member.game is None:
        return (1, 0, 0)
    return (1, -member.game.position.home, member.game.actions)
