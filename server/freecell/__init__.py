"""FreeCell itself: cards, deals, moves, rulesets, notation and one racer's board.

Pure: no I/O, no clock, no randomness.

Read in this order; each module holds one concept and imports only those above it.

- ``cards``, ``piles``: cards and places as small integers, and their names; ``wording``: sentences that tell
  of them.
- ``position``: where the 52 cards lie; ``deal``: the numbered deals; ``code``: deal codes.
- ``rulesets``: the five rulesets as data.
- ``moves``: what a move is, whether it is legal, what it does. This is the front of ``movement`` (carrying
  cards), ``refusal`` (why not), ``capacity`` (the supermove limit), ``legality``, ``choices`` (every legal
  move) and ``expansion``.
- ``notation``: moves as people and solvers write them.
- ``send``, ``finish``, ``hint``, ``calculate``, ``autoplay``: what is built on moves.
- ``replay``: a list of written moves played through; ``game``: a board with undo, redo and score.

An illegal move is a value (``moves.Illegal``), never an exception. Exceptions (all ``ValueError``) are for
text and numbers that cannot be read: ``DealError``, ``CodeError``, ``PositionError``, ``RulesError``.
"""
