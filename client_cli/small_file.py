"""Files that a person names: they are read whole, so they must have an end, and a near one."""

import stat
from pathlib import Path

from client_cli.errors import ClientError
from client_cli.language import tr


def read_small(path: Path, most: int) -> bytes:
    """What a file holds.

    Args:
        path: the file.
        most: how many bytes it may have.

    Raises:
        ClientError: it is a device, a pipe or a folder, or longer than that.
        OSError: it cannot be read.
    """
    # Before it is opened: opening a pipe waits for somebody to write into it.
    if not stat.S_ISREG(path.stat().st_mode):
        raise ClientError(tr("{path} is no regular file").format(path=path))
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ClientError(tr("{path} is longer than {most} bytes").format(path=path, most=most))
    return data
