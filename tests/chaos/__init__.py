"""Chaos: races over three nodes on Redis while things break, and an account at the end.

Each test is short; `make chaos` has twenty racers on five races, and lasts longer.
"""
