"""Under which names the files of a letter with a manifest leave: by mail, in the packet and in the manifest the same (C)(1).

The names are those that the manifest lists, so that ``sha256sum -c manifest.sha256`` run beside the files proves them.
They name nobody: an exhibit is called by its number on the cover.
"""

import mimetypes
import re
from collections.abc import Sequence

from store.cases import Paper

MANIFEST = "manifest"
MANIFEST_NAME = "manifest.sha256"
CHECK = f"sha256sum -c {MANIFEST_NAME}"
_LINE = re.compile(r"(?P<sum>[0-9a-f]{64})  (?P<name>exhibit-[0-9]+\.[a-z0-9]+)")


def ending_of(paper: Paper) -> str:
    """Give the ending of a paper's file by what it is, with its dot."""
    return mimetypes.guess_extension(paper.media_type) or ".bin"


def exhibit_names(chosen: Sequence[Paper]) -> tuple[str, ...]:
    """Name chosen papers by their place on the cover, so that they also sort in that order."""
    width = len(str(len(chosen)))
    return tuple(f"exhibit-{place:0{width}}{ending_of(one)}" for place, one in enumerate(chosen, 1))


def manifest_text(chosen: Sequence[Paper]) -> str:
    """Write the hashes as ``sha256sum`` does, under the names by which the files leave."""
    return "".join(f"{one.sha256}  {name}\n" for one, name in zip(chosen, exhibit_names(chosen), strict=True))


def names_by_manifest(enclosed: Sequence[Paper], manifest: bytes) -> dict[int, str]:
    """Read from a manifest under which name each enclosed paper leaves.

    Returns:
        Names by id, that of the manifest itself too; nothing for one of an older record, which lists the names under
        which the papers came, and those may name somebody.
    """
    found = [_LINE.fullmatch(line) for line in manifest.decode("utf-8", "replace").splitlines()]
    exhibits = [one for one in enclosed if one.kind != MANIFEST]
    names: dict[int, str] = {}
    for paper, line in zip(exhibits, found, strict=False):
        if line is None or line["sum"] != paper.sha256:
            return {}
        names[paper.id] = line["name"]
    if len(found) != len(exhibits):
        return {}
    return names | {one.id: MANIFEST_NAME for one in enclosed if one.kind == MANIFEST}


def names_of(kept: Sequence[tuple[Paper, bytes]]) -> dict[int, str]:
    """Give the names of what goes with a letter, by id; nothing where no manifest is among it."""
    manifest = next((content for paper, content in kept if paper.kind == MANIFEST), None)
    if manifest is None:
        return {}
    enclosed = [paper for paper, _content in kept if not paper.kind.startswith("letter:")]
    return names_by_manifest(enclosed, manifest)
