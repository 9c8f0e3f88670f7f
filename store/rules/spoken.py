"""Words of the record as people write them: what is kept as one word without spaces is never shown so."""


def spoken(code: str) -> str:
    """Say a word of the record as people write it.

    Args:
        code: a value such as ``no-further-action``, or the kind of a document such as ``letter:reprimand_copy``.

    Returns:
        The same in words: ``no further action``, ``reprimand copy``; empty for nothing.
    """
    return code.removeprefix("letter:").replace("_", " ").replace("-", " ")
