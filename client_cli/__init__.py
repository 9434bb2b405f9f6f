"""The line-mode client: draws what it is sent, and knows no rule of FreeCell.

Start reading in `cli`, then `table`. `session` is what it knows, `mind` (with `entering`, `following` and
`answering`) what it makes of what it hears, without I/O; `connection` gives it a socket; `render`,
`standings` and `story` turn what it knows into text; `lines` says what a typed line means.
"""
