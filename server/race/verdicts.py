"""Who is told what can still be won, and of which boards.

That there is a way to win, and how long it is, would help whoever still plays the deal. So it is told with
the boards, to those who see them, and of the boards that they see: what is shown late is judged late.
"""

from server.race.state import PlayerId, Race
from server.race.views import BoardView, View, board_of


def judged_boards(race: Race, view: View) -> dict[PlayerId, BoardView]:
    """The boards on which a viewer is told verdicts; a board that is won needs none.

    Args:
        race: as he sees it, so perhaps as it was some time ago.
        view: how much he sees.
    """
    if view is not View.BOARDS:
        return {}
    boards = {racer.player: board for racer in race.racers if (board := board_of(racer)) is not None}
    return {player: board for player, board in boards.items() if not board.position.is_won}
