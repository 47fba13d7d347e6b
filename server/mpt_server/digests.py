"""What stands for a text among keys."""

from __future__ import annotations


def digest(text: str) -> str:
    """Hexadecimal; the same for the same text, which may hold lone surrogates."""
    import hashlib  # here: it loads OpenSSL, which is part of no start

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
