from ipaddress import ip_network

import pytest

from server.config import (
    Config,
    ConfigError,
    from_environment,
    port_number,
    proxies,
    robot_speed,
    web_origins,
)


def test_with_nothing_said_the_server_is_for_this_machine_only() -> None:
    assert from_environment({}) == Config()
    assert Config().host == "127.0.0.1"


def test_everything_can_be_said_by_environment() -> None:
    config = from_environment(
        {
            "CELLRACE_HOST": "::",
            "CELLRACE_PORT": "9000",
            "CELLRACE_STORE": "sqlite:/var/lib/races",
            "CELLRACE_ORIGINS": "https://a.example, https://b.example,",
            "CELLRACE_TRUST_PROXY": "10.0.0.0/8,::1",
            "CELLRACE_ROBOT_SPEED": "2.5",
            "PATH": "/bin",
        }
    )
    assert (config.host, config.port, config.store) == ("::", 9000, "sqlite:/var/lib/races")
    assert config.origins == ("https://a.example", "https://b.example")
    assert config.robot_speed == 2.5
    assert config.trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("::1"))


@pytest.mark.parametrize("name", ["HOST", "PORT", "STORE", "ORIGINS", "TRUST_PROXY", "ROBOT_SPEED"])
def test_a_variable_that_is_empty_is_as_good_as_not_set(name: str) -> None:
    # An empty host would mean every address of the machine.
    assert from_environment({f"CELLRACE_{name}": ""}) == Config()


@pytest.mark.parametrize("text", ["0", "1", "8765", "65535", "00080"])
def test_a_port(text: str) -> None:
    assert port_number(text) == int(text)


@pytest.mark.parametrize(
    "text", ["", " ", "-1", "65536", "80.0", "8o", "http", "٣", "1_000", "+80", "0x50", "9" * 10_000]
)
def test_what_is_no_port_is_refused_with_the_range(text: str) -> None:
    with pytest.raises(ConfigError, match="a port is a number from 0 to 65535"):
        port_number(text)


@pytest.mark.parametrize("text", ["1", "0.1", "0.25", "0.125", "20.000", "07"])
def test_how_fast_robots_play(text: str) -> None:
    assert robot_speed(text) == float(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0.05",
        "0.00",
        "20.1",
        "-1",
        "1e1",
        "inf",
        "nan",
        "1.",
        ".5",
        "0.099999",
        "٣",
        "fast",
        "9" * 10_000,
    ],
)
def test_what_is_no_speed_is_refused_with_the_range(text: str) -> None:
    with pytest.raises(ConfigError, match=r"a number from 0\.1 to 20, such as 0\.5, not"):
        robot_speed(text)


@pytest.mark.parametrize("text", ["caddy", "10.0.0.1/33", "10.0.0.1,,nonsense", "10.0.0.1/8"])
def test_a_proxy_that_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="a proxy to trust"):
        proxies(text)


@pytest.mark.parametrize(
    "text", ["https://race.example", "http://127.0.0.1:8080", "http://[::1]:9000", "app-x://local"]
)
def test_an_origin(text: str) -> None:
    assert web_origins([text, f" {text.upper()} "]) == (text, text)


@pytest.mark.parametrize(
    "text",
    ["banana", "", "*", "null", "https://", "https://a.example/", "https://a.example:", "a.example:80"],
)
def test_an_origin_that_no_browser_would_send_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="an origin is scheme://host"):
        web_origins(["https://a.example", text])
