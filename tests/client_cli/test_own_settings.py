"""What one has asked for as the host, and the deal that one has named."""

from msgspec.structs import replace

from client_cli.mind import ask, disconnected
from client_cli.own_settings import asked_for, own_deal
from client_cli.session import Session
from client_cli.standings import lobby_text
from protocol.commands import Configure, Create, Join, Settings
from protocol.errors import ErrorCode
from protocol.events import Created
from protocol.views import LifeChanged, RacerChanged
from tests.client_cli.samples import (
    BOB,
    RACE,
    ack,
    hear,
    life,
    racer,
    refused,
    seat,
    snapshot,
    update,
    welcome,
)

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
    offline = ask(disconnected(session), Configure("", 0, Settings(deal=8))).session
    postponed = hear(asking, refused(1, ErrorCode.UNAVAILABLE, retry_ms=300))
    assert {own_deal(either) for either in (asking, offline, postponed)} == {None}, "it may be either"
    assert asked_for(asking) == Settings(deal=7)
    taken = hear(asking, ack(1, 0))
    assert (own_deal(taken), asked_for(taken)) == (8, Settings(deal=8))
    not_taken = hear(asking, refused(1))
    assert (own_deal(not_taken), asked_for(not_taken)) == (7, Settings(deal=7))


def test_before_the_race_is_told_they_are_those_it_is_made_with() -> None:
    assert asked_for(HERS) == asked_for(hear(HERS, welcome(), MADE, seat())) == Settings(deal=7)
    assert asked_for(Session(Join(RACE))) is None


def test_they_hold_until_somebody_else_has_set_anew() -> None:
    session = hear(HERS, welcome(), MADE, seat(), NAMED)
    away = hear(session, update(3, 4, LifeChanged(life(host=BOB, deal_named=True))))
    assert own_deal(away) is None
    back = hear(away, update(4, 5, LifeChanged(life(deal_named=True))))
    assert (own_deal(back), asked_for(back)) == (7, Settings(deal=7))
    his = LifeChanged(life(host=BOB, deal_named=True, commitment="his"))
    back = hear(away, update(4, 5, his), update(5, 6, LifeChanged(life(deal_named=True, commitment="his"))))
    assert (own_deal(back), asked_for(back)) == (None, None)
    assert "the host has named the deal;" in lobby_text(back)


def test_so_do_those_that_one_has_set_anew() -> None:
    asking = ask(hear(HERS, welcome(), MADE, seat(), NAMED), Configure("", 0, Settings(deal=8))).session
    hers = LifeChanged(life(deal_named=True, commitment="hers"))
    his = LifeChanged(life(deal_named=True, commitment="his"))
    for in_force in (
        hear(asking, ack(1, 0, seq=4), update(3, 4, hers)),
        hear(asking, update(3, 4, hers), ack(1, 0, seq=4)),
        hear(asking, ack(1, 0, seq=5), update(3, 4, RacerChanged(racer(ready=True))), update(4, 5, hers)),
    ):
        assert (own_deal(in_force), asked_for(in_force)) == (8, Settings(deal=8))
        later = hear(disconnected(in_force), welcome(), seat(), snapshot(to=9, life=his.life))
        assert (own_deal(later), asked_for(later)) == (None, None)


def test_whose_they_are_cannot_be_told_where_another_has_become_the_host_before_they_were_seen() -> None:
    asking = ask(hear(HERS, welcome(), MADE, seat(), NAMED), Configure("", 0, Settings(deal=8))).session
    his = life(host=BOB, deal_named=True, commitment="his")
    taken = disconnected(hear(asking, ack(1, 0, seq=4)))
    passed_on = hear(taken, welcome(), seat(1), snapshot(to=9, life=his))
    back = hear(passed_on, update(9, 10, LifeChanged(life(deal_named=True, commitment="his"))))
    assert (own_deal(back), asked_for(back)) == (None, None)


def test_a_random_deal_that_follows_a_named_one_is_never_called_named() -> None:
    session = hear(HERS, welcome(), MADE, seat(), NAMED)
    asking = ask(session, Configure("", 0, Settings())).session
    taken = hear(asking, ack(1, 0, seq=4))
    assert taken.picture is not None
    assert taken.picture.life.deal_named, "the update comes a moment later"
    assert (own_deal(taken), asked_for(taken)) == (None, Settings())


def test_settings_whose_answer_was_lost_may_be_anothers_by_now() -> None:
    hosted = hear(Session(Join(RACE)), welcome(), seat(), snapshot(life=life()))
    asked = disconnected(ask(hosted, Configure("", 0, Settings(deal=617))).session)
    back = hear(asked, welcome(), seat(last_c=1), replace(ack(1, 0, seq=4), repeated=True))
    told = hear(back, update(3, 9, LifeChanged(life(commitment="another's", deal_named=True))))
    assert own_deal(told) is None
