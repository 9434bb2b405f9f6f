"""Which deals can be won: what is known of every number of free cells, and drawing from it.

`certified` is what to ask; `table` is the packed data behind it, made by `cellrace-server certify`. Needs no
solver. The same question has the same answer on every node and in every run.
"""
