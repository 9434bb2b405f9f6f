"""Where `cellrace-server` begins: to read its modules takes a moment, and Ctrl-C is no error in it."""


def main() -> int:
    """Run a command; the exit status."""
    try:
        from server import cli  # noqa: PLC0415 - this is what takes the moment
    except KeyboardInterrupt:
        return 130  # as shells have it
    return cli.main()
