"""The promise that the deal was fixed before anyone was ready."""

import hashlib


def commitment(nonce: str, deal: int) -> str:
    """SHA-256, in hex, of the nonce (hex text), a colon and the deal number in decimal, as ASCII."""
    return hashlib.sha256(f"{nonce}:{deal}".encode("ascii")).hexdigest()
