"""Tests of the client's commands."""
