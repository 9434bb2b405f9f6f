"""The commands of `cellrace`, one a module: `add_to` is its command line, `run` the rest."""
