"""Export and import: the logs of a store as lines of text, to back them up or to move them to another store.

The lines hold everything: stamps, tags and numbers of events, and deadlines. So a race that is going on goes
on where it is brought to, its clock having run on meanwhile.
"""
