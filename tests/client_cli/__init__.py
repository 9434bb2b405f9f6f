"""Tests of the client, a module for each of its modules."""
