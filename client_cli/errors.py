"""What goes wrong in a way that a person can do something about."""


class ClientError(Exception):
    """Shown as one line on standard error; the command ends with status 1."""
