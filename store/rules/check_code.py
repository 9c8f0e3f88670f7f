"""The check code behind a case number: what proves, beside a party's address, that a mail belongs to its case."""

import hashlib
import hmac

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH = 6
PURPOSE = "case-number-check-code"
"""The purpose under which the record derives the city's key for check codes."""


def check_code(number: str, secret: bytes) -> str:
    """Give the check code that stands behind a case number in our letters, as in ``[EC-2026-0007-k7q2mx]``.

    A number can be guessed, the code cannot: it is the start of HMAC-SHA256 of the number.

    Args:
        number: the case number, exactly as it is written.
        secret: the city's key for this use.

    Source: decisions 28.
    """
    digest = hmac.new(secret, number.upper().encode(), hashlib.sha256).digest()
    value = int.from_bytes(digest[:16], "big")
    letters: list[str] = []
    for _ in range(LENGTH):
        value, letter = divmod(value, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)
