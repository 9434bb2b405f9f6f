"""What every store promises (`server.store.base`). Each test runs against each implementation.

A store here may be on another machine with a clock of its own, so these tests move no clock and ask for no
exact time; what one implementation promises beyond the interface is tested in `tests/server/store`.
"""
