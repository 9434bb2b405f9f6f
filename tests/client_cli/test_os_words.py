import errno
import os

import pytest

from client_cli import language
from client_cli.os_words import why_of


def test_what_the_system_says() -> None:
    error = OSError(errno.ENOENT, os.strerror(errno.ENOENT))
    assert why_of(error) == "No such file or directory"
    language.use("pt")
    assert why_of(error) == "não existe"


@pytest.mark.parametrize(
    ("error", "why"), [(OSError(9999, "the moon is full"), "the moon is full"), (OSError("odd"), "odd")]
)
def test_what_is_not_known_stays_as_it_is(error: OSError, why: str) -> None:
    language.use("pt")
    assert why_of(error) == why


def test_all_that_is_known_is_what_the_system_says() -> None:
    codes = (errno.EADDRINUSE, errno.ECONNREFUSED, errno.EISDIR, errno.ENOSPC, errno.EACCES, errno.EROFS)
    language.use("pt")
    assert all(why_of(OSError(code, os.strerror(code))) != os.strerror(code) for code in codes)
