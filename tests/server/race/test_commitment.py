import hashlib

from server.race.commitment import commitment
from tests.server.race.races import NONCE


def test_it_is_sha_256_of_the_nonce_a_colon_and_the_deal_in_decimal() -> None:
    text = b"9f2c4e6a8b0d1f3355779bbddf012345:617"
    assert commitment(NONCE, 617) == hashlib.sha256(text).hexdigest()


def test_a_value_that_may_never_change() -> None:
    # As sha256sum prints it; who checked a race once must be able to check it again.
    expected = "bbf8cc6f46dde0f2253e3da843a91e53b553213e4c1ac3347c21bb0638a9d94c"
    assert commitment(NONCE, 617) == expected


def test_another_deal_or_another_nonce_is_another_promise() -> None:
    other = NONCE.replace("9", "8")
    assert len({commitment(NONCE, 617), commitment(NONCE, 618), commitment(other, 617)}) == 3
