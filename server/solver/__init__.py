"""Finding a line that wins from any position, or proving that there is none.

The search is freecell-solver's, a library that may be missing: then every answer is "unknown", and nothing
else changes. Read in this order:

- `verdict`: what can be said of a position.
- `engine`: the library, one search at a time; `lines`: what it finds, played through by our rules;
  `search`: which searches, in which order, and what each is believed.
- `canonical`: positions compared without the order of their piles; `memory`: what was found, by position.
- `worker`: a process that searches; `wire`: what is said to it; `crew`: the processes of one server.
- `solver`: what the server asks.
- `certify`: the table of `server.deals`; `cli`: the commands `solve` and `certify`.
"""
