"""The versions a client and a server compare when they meet."""

from typing import Final

RELEASE: Final = "0.1.0"
"""The version of this program; `pyproject.toml` has the same."""

PROTOCOL: Final = 1
"""The major version; `hello` carries it and another one is refused."""

MINOR: Final = 0
"""The minor version; `welcome` carries it. It grows when an optional field or a new message is added."""

SUBPROTOCOL: Final = "cellrace.v1"
"""The WebSocket subprotocol both sides must agree on."""

MAX_COMMAND_BYTES: Final = 4096
"""The largest frame a server takes."""
