"""What `argparse` itself says, in the reader's language.

It looks each of its texts up by a function `_` in its own module, which is made for gettext's compiled
catalogues; ours takes its place.
"""

import argparse
from typing import Final

from client_cli.language import counted, mark, tr

TEXTS: Final = (
    mark("usage: "),
    mark("positional arguments"),
    mark("options"),
    mark("show this help message and exit"),
    mark("argument %(argument_name)s: %(message)s"),
    mark("the following arguments are required: %s"),
    mark("unrecognized arguments: %s"),
    mark("ambiguous option: %(option)s could match %(matches)s"),
    mark("expected one argument"),
    mark("ignored explicit argument %r"),
    mark("not allowed with argument %s"),
    mark("invalid %(type)s value: %(value)r"),
    mark("invalid choice: %(value)r (choose from %(choices)s)"),
    mark("unexpected option string: %s"),
)
"""All that our command line can make it say, of Python 3.11 to 3.14."""


def translate() -> None:
    """Have it speak the reader's language."""
    vars(argparse).update({"_": tr, "ngettext": counted})
