"""Short ways to say what tests of a keeper are about."""

from server.gateway.plan import Done, Outcome, Refused

MOVES = ["5a", "5b", "5c", "5d", "5h", "b2"]


def done(outcome: Outcome) -> Done:
    assert isinstance(outcome, Done), outcome
    return outcome


def code_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Refused), outcome
    return outcome.refusal.code
