"""What goes wrong in a way that a person can do something about."""


class ClientError(Exception):
    """Shown as one line on standard error; the command ends with status 1.

    Args:
        text: the line.
        on_screen: what is said in its place on the first screen, where there are no options.
    """

    def __init__(self, text: str, *, on_screen: str = "") -> None:
        super().__init__(text)
        self.on_screen = on_screen or text
