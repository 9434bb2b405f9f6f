"""What a log folds to, as plain values that outlive the classes."""

from typing import Any

from server.freecell.game import can_redo, can_undo
from server.freecell.position import position_text
from server.race.standings import standings
from server.race.state import Member, Race, Setup


def race_result(race: Race) -> dict[str, Any]:
    """A race as it stands: its life, its members best first, what was said."""
    life = race.life
    placed = [member.player for member in standings(race)]
    others = [player for player in race.members if player not in placed]
    return {
        "seq": race.seq,
        "code": life.code,
        "create_id": life.create_id,
        "creator": life.creator,
        "host": life.host,
        "setup": _setup(life.setup),
        "phase": life.phase.value,
        "times": [life.created_at, life.countdown_at, life.started_at, life.ends_at, life.over_at],
        "ending": None if life.ending is None else life.ending.value,
        "layout": None if life.layout is None else position_text(life.layout).splitlines(),
        "rematch": None
        if life.rematch is None
        else [life.rematch.code, life.rematch.host, life.rematch.host_name, _setup(life.rematch.setup)],
        "members": [_member(race.members[player]) for player in (*placed, *others)],
        "chat": [list(line) for line in race.chat],
    }


def _setup(setup: Setup) -> dict[str, Any]:
    rules = setup.rules
    return {
        "rules": [rules.name, rules.cells, rules.returns, rules.undo_limit, rules.hints, rules.scoring.value],
        "deal": setup.deal,
        "nonce": setup.nonce,
        "named": setup.deal_named,
        "certified": setup.certified,
        "max_racers": setup.max_racers,
        "time_limit_ms": setup.time_limit_ms,
        "countdown_ms": setup.countdown_ms,
        "watch": [setup.policy.value, setup.delay_ms],
        **({"daily": [setup.daily, setup.ranked]} if setup.daily else {}),
        **({"lost": setup.lost} if setup.lost else {}),
    }


def _member(member: Member) -> dict[str, Any]:
    game, robot = member.game, member.robot
    return {
        "player": member.player,
        "name": member.name,
        "standing": member.standing.value,
        "rank": member.rank,
        "ended_at": member.ended_at,
        "session": member.session,
        "counts": [member.sessions, member.others],
        "last_c": member.last_c,
        "answers": [list(answer) for answer in member.answers],
        "n": member.n,
        "board": None
        if game is None
        else {
            "position": position_text(game.position).splitlines(),
            "score": game.score,
            "actions": game.actions,
            "undo": can_undo(game),
            "redo": can_redo(game),
        },
        **(
            {} if robot is None else {"robot": [robot.level, None if robot.line is None else len(robot.line)]}
        ),
        **({"hinted": True} if member.hinted else {}),
    }
