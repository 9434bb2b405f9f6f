"""Who plays, and which server he has named: by options, the environment, or what was kept."""

import argparse

from client_cli.errors import ClientError
from client_cli.wiring import Server, Who, any_server, local_server_at, named_server, who
from client_cli.world import World


class Passport:
    """Who one is wherever one goes.

    Args:
        args: the options of the command.
        world: what is around.
        kept_server: the server that was named in an earlier run; "" for none.
    """

    def __init__(self, args: argparse.Namespace, world: World, kept_server: str) -> None:
        self._world = world
        server = args.server or world.environment.get("CELLRACE_SERVER") or kept_server
        self._args = _with(args, server=server or None)

    @property
    def name(self) -> str:
        """How others see the player."""
        try:
            server = self.server
        except ClientError:
            server = None
        return self.at(server or local_server_at("")).name

    @property
    def address(self) -> str:
        """The server that was named, as it was written; "" for this machine."""
        return self._args.server or ""

    @property
    def server(self) -> Server | None:
        """The server that was named; None for this machine.

        Raises:
            ClientError: it cannot be one.
        """
        return named_server(self._args, self._world)

    def server_at(self, address: str) -> Server:
        """The server of that address; with none, the one that was named, or the usual one.

        Raises:
            ClientError: it cannot be one.
        """
        return any_server(_with(self._args, server=address or self._args.server), self._world)

    def at(self, server: Server) -> Who:
        """Who one is there.

        Raises:
            ClientError: the token file cannot be read.
        """
        return who(self._args, self._world, server)

    def introduce(self, name: str, server: str) -> None:
        """Take over name and server.

        Raises:
            ClientError: one of them cannot be.
        """
        args = _with(self._args, name=name or None, server=server or None)
        found = named_server(args, self._world)
        who(args, self._world, found or local_server_at(""))
        self._args = args


def _with(args: argparse.Namespace, **changes: str | None) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(args), **changes})
