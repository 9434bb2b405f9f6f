"""The store on Redis: what it promises beyond the contract, and what it does when things go wrong."""
