"""How many of something, in words: one case, but two cases."""


def counted(count: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    Args:
        count: how many.
        one: the noun for one, such as ``case``.
        many: the noun for any other number; without it, with an s.
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
