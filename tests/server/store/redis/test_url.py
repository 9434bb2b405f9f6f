import pytest

from server.store.base import CannotOpen
from server.store.redis.url import Kind, RedisUrl, read_url

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("redis://example", RedisUrl(Kind.SINGLE, (("example", 6379),))),
        ("redis://example:7000/3", RedisUrl(Kind.SINGLE, (("example", 7000),), db=3)),
        ("redis://[::1]:7000", RedisUrl(Kind.SINGLE, (("::1", 7000),))),
        ("redis://:hunter2@h", RedisUrl(Kind.SINGLE, (("h", 6379),), password=SECRET)),
        ("redis://ann:a%40b%2F%3A@h", RedisUrl(Kind.SINGLE, (("h", 6379),), user="ann", password="a@b/:")),
        ("redis://:a@b:c@h", RedisUrl(Kind.SINGLE, (("h", 6379),), password="a@b:c")),
        ("rediss://h?ca=/etc/ca.pem", RedisUrl(Kind.SINGLE, (("h", 6379),), tls=True, ca="/etc/ca.pem")),
        (
            "redis+sentinel://ann:hunter2@a:1,b/races/2?sentinel_user=s&sentinel_password=t&tls=yes",
            RedisUrl(
                Kind.SENTINEL,
                (("a", 1), ("b", 26379)),
                tls=True,
                user="ann",
                password=SECRET,
                db=2,
                service="races",
                sentinel_user="s",
                sentinel_password="t",
            ),
        ),
        ("redis+cluster://a,b:1,[::1]:2", RedisUrl(Kind.CLUSTER, (("a", 6379), ("b", 1), ("::1", 2)))),
        ("redis+cluster://a?tls=no", RedisUrl(Kind.CLUSTER, (("a", 6379),))),
        ("redis://h?keep_days=2", RedisUrl(Kind.SINGLE, (("h", 6379),), keep_ms=2 * 86_400_000)),
    ],
)
def test_a_url_is_read(text: str, url: RedisUrl) -> None:
    assert read_url(text) == url


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("redis://", "a host is missing"),
        ("redis://:hunter2@", "a host is missing"),
        ("redis://:hunter2@h:port", "a port is a number"),
        ("redis://:hunter2@h:99999", "a port is a number"),
        ("redis://:hunter2@a,b", "take several hosts"),
        ("redis://:hunter2@h/x", "a database is a number"),
        ("redis://:hunter2@h/1/2", "the path is the number of a database"),
        ("redis://:hunter2@h/-1", "a database is a number"),
        ("redis+sentinel://:hunter2@h", "needs the name of the service"),
        ("redis+cluster://:hunter2@h/1", "one database only"),
        ("redis://:hunter2@h?retry=yes", "after [?] come ca, keep_days"),
        ("redis://:hunter2@h?tls=maybe", "tls is yes or no"),
        ("redis://:hunter2@h?keep_days=ten", "keep_days is a number"),
        ("redis://:hunter#2@h", "written as %2F %23"),
        ("redis://:hunter2@\u2100.com", "it is no URL"),  # refused by the standard library, which quotes it
        ("redis://:hunter2@[h", "it is no URL"),
    ],
)
def test_a_url_that_makes_no_sense_is_refused_without_quoting_it(text: str, why: str) -> None:
    with pytest.raises(CannotOpen, match=why) as raised:
        read_url(text)
    assert "hunter" not in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("redis://ann:hunter2@h:1/3", "redis://h:1/3"),
        ("rediss://:hunter2@[::1]", "rediss://[::1]:6379"),
        (
            "redis+sentinel://:hunter2@a,b/races?sentinel_password=hunter2&tls=yes",
            "redis+sentinel://a:26379,b:26379/races",
        ),
        ("redis+cluster://:hunter2@a,b:2", "redis+cluster://a:6379,b:2"),
    ],
)
def test_a_url_is_shown_without_secrets(text: str, shown: str) -> None:
    url = read_url(text)
    assert str(url) == shown
    assert SECRET not in repr(url)
