"""What client and server say to each other, and nothing else.

`commands` goes from client to server, `events` from server to client, `views` is a race as a viewer may draw
it, `errors` the codes, `codec` the only place that touches JSON, `picture` how a client keeps its picture up
to date. The contract for people is `docs/protocol.md`.
"""
