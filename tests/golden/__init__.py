"""Logs written by each version of their formats. They must be read for ever, so these files never change."""
