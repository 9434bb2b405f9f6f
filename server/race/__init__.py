"""A race as a fold of its log: pure, no clock, no I/O, no randomness.

Theory of operation. All that happens in a race is an ordered list of events. `decide` says which events a
command leads to, or why it is refused; the shell appends them to the log; `evolve` folds each, once it is
durable and stamped, into the next state. Every state anybody ever sees is that fold, so the log is the
replay, the audit and the recovery as well.

A race lives through four phases:

    LOBBY ------> COUNTDOWN ------> RUNNING ------> OVER
      |               |                               ^
      +---------------+-------------------------------+   everyone left, or nobody came within the hour

Read `state`, `commands` and `events` first, then `decide` and `evolve`. `views` says who may see what.
"""
