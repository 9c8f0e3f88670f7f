"""Files that are named at the command line: read with a bound, and refused in words that say what is safe."""

from pathlib import Path

from store.rules.errors import BadInput

MOST_BYTES = 200 * 1024 * 1024


def read_given(path: Path) -> bytes:
    """Give the bytes of a file; a device that never ends is one that is too large.

    Raises:
        BadInput: it cannot be read, or is larger than 200 MB; nothing of it was taken.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no file has such a name"
        raise BadInput(f"{path} cannot be read: {why}.", mend="Nothing of it was taken.") from error
    if len(content) > MOST_BYTES:
        raise BadInput(f"{path} is larger than 200 MB.", mend="File it in parts; nothing of it was taken.")
    return content
