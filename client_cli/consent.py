"""Asking a person before something that cannot be taken back, with yes or no."""

from client_cli.language import tr
from client_cli.terminal import EndOfInput, Terminal, next_line


def is_yes(text: str) -> bool:
    """Whether a typed line means yes, in English or the reader's language."""
    return text.strip().lower() in {"y", "yes", *tr("y yes").split()}


def yes_key() -> str:
    """The letter that means yes in the reader's language; y does, too."""
    return tr("y yes").split()[0]


def no_key() -> str:
    """The letter that means no in the reader's language; n does, too."""
    return tr("n no").split()[0]


async def agrees(terminal: Terminal, stdin: int, question: str) -> bool:
    """Ask a person at a terminal; whatever is not plainly yes is no, the end of input too.

    Args:
        terminal: an interactive one.
        stdin: its file descriptor to read from, which nothing else reads yet.
        question: what is asked, without the `[y/N]`.
    """
    terminal.prompt(f"{question} {tr('[y/N]')} ")
    line = await next_line(stdin)
    terminal.answered()
    if isinstance(line, EndOfInput):
        terminal.say("")  # the end of the line, which nobody has typed
        return False
    return is_yes(line.text)
