"""What the operating system says of an error, in the reader's language where it is one that happens."""

from typing import Final

from client_cli.language import mark, tr

KNOWN: Final = (
    mark("Address already in use"),
    mark("Connection refused"),
    mark("Connection reset by peer"),
    mark("File exists"),
    mark("Input/output error"),
    mark("Is a directory"),
    mark("Name or service not known"),
    mark("Network is unreachable"),
    mark("No address associated with hostname"),
    mark("No route to host"),
    mark("No space left on device"),
    mark("No such file or directory"),
    mark("Not a directory"),
    mark("Permission denied"),
    mark("Read-only file system"),
    mark("Temporary failure in name resolution"),
)
"""The system speaks English here: Python does not tell it the reader's language."""


def why_of(error: OSError) -> str:
    """Why it failed, in a few words."""
    return tr(error.strerror) if error.strerror else str(error)
