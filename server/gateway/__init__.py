"""The shell around the races: sockets in, messages out.

`listener` accepts connections, `connection` talks to one client, `hub` is one live race on this node, `hubs`
all of them. `feed` is what viewers of a race are sent, `wire` turns the core's values into messages.
"""
