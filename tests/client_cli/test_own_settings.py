"""What one has asked for as the host, and the deal that one has named."""

from client_cli.mind import ask
from client_cli.own_settings import asked_for, own_deal
from client_cli.session import Session
from client_cli.standings import lobby_text
from protocol.commands import Configure, Create, Join, Settings
from protocol.events import Created
from tests.client_cli.samples import BOB, RACE, ack, hear, life, refused, seat, snapshot, welcome

HERS = Session(Create("an-id-for-tests", Settings(deal=7)))
MADE = Created("an-id-for-tests", RACE)
NAMED = snapshot(life=life(deal_named=True, certified=True))


def test_a_host_reads_the_deal_that_he_has_named() -> None:
    session = hear(HERS, welcome(), MADE, seat(), NAMED)
    assert own_deal(session) == 7
    assert "you have named the deal: 7; it can be won" in lobby_text(session)


def test_nobody_else_does() -> None:
    other = hear(Session(Join(RACE)), welcome(), seat(), NAMED)
    assert own_deal(other) is None
    assert "the host has named the deal; it can be won" in lobby_text(other)
    passed_on = hear(HERS, welcome(), MADE, seat(), snapshot(life=life(host=BOB, deal_named=True)))
    assert own_deal(passed_on) is None


def test_a_random_deal_has_no_number_to_read() -> None:
    session = hear(Session(Create("an-id-for-tests", Settings())), welcome(), MADE, seat(), snapshot())
    assert own_deal(session) is None


def test_new_settings_count_once_they_are_taken() -> None:
    session = hear(HERS, welcome(), MADE, seat(), NAMED)
    asking = ask(session, Configure("", 0, Settings(deal=8))).session
    assert own_deal(asking) is None, "it may be either"
    assert asked_for(asking) == Settings(deal=7)
    taken = hear(asking, ack(1, 0))
    assert (own_deal(taken), asked_for(taken)) == (8, Settings(deal=8))
    not_taken = hear(asking, refused(1))
    assert (own_deal(not_taken), asked_for(not_taken)) == (7, Settings(deal=7))
