"""The deal of the day: which one it is, who has played it, and how well.

`calendar`, `naming`, `drawing`, `referee`, `rows` and `record` are pure; `keys`, `projecting` and `boards`
read and write the store.
"""
