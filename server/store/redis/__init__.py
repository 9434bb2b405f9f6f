"""The store on Redis: any number of nodes on the same logs, with what `server.store.base` promises.

How a call goes: `store` makes a key list and arguments of it (`keys`, `scripts`), a `driver` runs the script,
and `replies` reads what came back. Every change of a log is one Lua script, which Redis runs as a whole or
not at all. What makes the store safe on a network that loses replies is in `store`: a script whose outcome is
unknown is run again, and the tag of an append tells whether it had taken effect.

Beside the calls run two helpers: `watches` on top of `ear`, which hears of appends and makes sure that none
is missed, and `sweep`, which packs logs that are finished.
"""
