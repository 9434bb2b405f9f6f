"""Measurements: `make bench`. They depend on the machine, so each has a floor in the same run."""
