"""The command `cellrace-server`. A subcommand imports what it needs when it runs, so the tools start fast."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from protocol.version import RELEASE
from server.daily.cli import add_daily_commands
from server.solver.cli import add_solver_commands
from server.tools import add_tool_commands
from server.transfer.cli import add_transfer_commands

if TYPE_CHECKING:
    from server.config import Config

USAGE_ERROR: Final = 2
FAILED: Final = 1

_SERVE_EXAMPLES: Final = """\
Every option can be given by environment instead; an option wins over it.

examples:
  cellrace-server serve                      for this machine only; races are kept in ./cellrace.sqlite
  cellrace-server serve --host 0.0.0.0       for everyone who can reach this machine
  cellrace-server serve --port 9000 --store sqlite:/var/lib/cellrace/races.sqlite
  cellrace-server serve --host 0.0.0.0 --store redis://redis.example:6379     one of any number of nodes

A store is sqlite:PATH, for one server, or a Redis, for any number of them: redis://, rediss://,
redis+sentinel:// or redis+cluster://[USER:PASSWORD@]HOST[:PORT]. A password belongs into the environment,
where other users of the machine do not see it.

Pages for whoever runs it, on the same port: /healthz, /readyz, /metrics.
SIGTERM ends it: everyone is told when to come back, and what was acknowledged is stored.
A second one ends it at once.
"""


class _Parser(argparse.ArgumentParser):
    """Errors in one line; the usage is one `--help` away."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {message} ({self.prog} --help shows how)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    parser: argparse.ArgumentParser = _Parser(
        prog="cellrace-server",
        description="The server of cellrace: several people race on one FreeCell deal.",
    )
    parser.add_argument("--version", action="version", version=f"cellrace-server {RELEASE}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_serve(commands)
    add_transfer_commands(commands)
    add_tool_commands(commands)
    add_solver_commands(commands)
    add_daily_commands(commands)
    arguments = parser.parse_args(argv)
    status: int = arguments.run(arguments)
    return status


def _add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    serve = commands.add_parser(
        "serve",
        help="run a server",
        description="Run a server, until SIGTERM or Ctrl-C.",
        epilog=_SERVE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    serve.add_argument("--host", help="address to listen on (CELLRACE_HOST; default 127.0.0.1)")
    serve.add_argument("--port", help="port, 0 for a free one (CELLRACE_PORT; default 8765)")
    serve.add_argument(
        "--store", metavar="URL", help="where races are kept (CELLRACE_STORE; default sqlite:cellrace.sqlite)"
    )
    serve.add_argument(
        "--origin",
        action="append",
        metavar="URL",
        help="a web page's origin that may connect, besides this host's own (CELLRACE_ORIGINS, by commas)",
    )
    serve.add_argument(
        "--trust-proxy",
        metavar="ADDRESS[,...]",
        help="proxies whose X-Forwarded-For is believed: addresses, networks (CELLRACE_TRUST_PROXY; none)",
    )
    serve.add_argument(
        "--robot-speed",
        metavar="X",
        help="how many times as fast as people robots play, 0.1 to 20 (CELLRACE_ROBOT_SPEED; default 1)",
    )
    serve.add_argument(
        "--until-stdin-closes", action="store_true", help="end when standard input ends, as its parent does"
    )
    serve.set_defaults(run=_serve)


def _serve(arguments: argparse.Namespace) -> int:
    try:
        from server.serving import serve_forever  # noqa: PLC0415 - the tools do without all of it
    except ModuleNotFoundError as error:
        return _complain_of_missing(error)
    from server.config import ConfigError  # noqa: PLC0415
    from server.store.base import CannotOpen  # noqa: PLC0415

    try:
        config = _config(arguments)
    except ConfigError as error:
        return _complain(str(error), USAGE_ERROR)
    try:
        return serve_forever(config, until_stdin_closes=arguments.until_stdin_closes)
    except CannotOpen as error:
        return _complain(str(error))
    except ModuleNotFoundError as error:  # of the store, which imports its client when it is opened
        return _complain_of_missing(error)
    except OSError as error:
        # What asyncio says of it repeats the address; the names of hosts have codes of their own, below 0.
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        return _complain(f"cannot listen on {config.host} port {config.port}: {why or error}")


def _config(arguments: argparse.Namespace) -> "Config":
    from server.config import (  # noqa: PLC0415
        Config,
        from_environment,
        port_number,
        proxies,
        robot_speed,
        web_origins,
    )

    given = from_environment(os.environ)
    return Config(
        arguments.host or given.host,
        given.port if arguments.port is None else port_number(arguments.port),
        arguments.store or given.store,
        given.origins if arguments.origin is None else web_origins(arguments.origin),
        given.trusted_proxies if arguments.trust_proxy is None else proxies(arguments.trust_proxy),
        given.limits,
        given.robot_speed if arguments.robot_speed is None else robot_speed(arguments.robot_speed),
    )


def _complain_of_missing(error: ModuleNotFoundError) -> int:
    return _complain(f"{error.name} is missing; install the server with: pip install 'cellrace[server]'")


def _complain(text: str, status: int = FAILED) -> int:
    print(f"cellrace-server: {text}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
