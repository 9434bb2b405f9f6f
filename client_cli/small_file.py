"""Small files: what a person names must have an end, and a near one; what we write is whole or not there."""

import os
import stat
import tempfile
from pathlib import Path

from client_cli.errors import ClientError
from client_cli.folders import make_folder
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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    make_folder(path.parent)
    # mkstemp makes files of mode 0600.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
