r"""Check an exported case: is it whole, and is it what the journal says?

It needs Python 3.9 or newer and nothing else. In the unpacked folder:

    python3 check.py
    python3 check.py --head 1234:<hash>     a head of the journal that was mailed out before
    python3 check.py --manifest <sha256>    the manifest's SHA-256, as the export printed it

What is checked, in this order:

1. `manifest.json` has the SHA-256 that `manifest.sha256` says, and both list the same files. `sha256sum -c
   manifest.sha256` checks the files alone.
2. Every file that the manifest names is there with its size and SHA-256, and no other file is.
3. The journal is one chain: entries are numbered without a gap, and each entry's hash is
   SHA-256(hash of the one before + line feed + its own header). The first one follows 64 zeros.
4. Each content that lies open here (those of this case) has the salted SHA-256 that stands in its header.
5. Every fact and every paper of the bundle is one that such a content tells of.

It prints what is wrong, one line each, and ends with status 1; or one line and status 0.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

GENESIS = "0" * 64
MANIFEST, MANIFEST_SUM = "manifest.json", "manifest.sha256"
JOURNAL, FACTS, PAPERS = "journal.jsonl", "facts.json", "papers.json"
SALT = 32
"""Signs of salt before each content."""

Head = tuple[int, str]


def sha256(content: bytes) -> str:
    """Give the SHA-256 of bytes as 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def read(folder: Path, name: str) -> bytes | None:
    """Give a file's bytes; None where it is not there."""
    path = folder.joinpath(*name.split("/"))
    return path.read_bytes() if path.is_file() else None


def check_manifest(folder: Path, faults: list[str], expected: str) -> dict[str, Any]:
    """Check the manifest against its sum, and give it; an empty one where it cannot be read."""
    content = read(folder, MANIFEST)
    if content is None:
        faults.append(f"{MANIFEST} is missing")
        return {}
    sums, first = read(folder, MANIFEST_SUM) or b"", f"{sha256(content)}  {MANIFEST}\n".encode()
    if not sums.startswith(first):
        faults.append(f"{MANIFEST} and {MANIFEST_SUM} do not belong together: one of them was altered")
    if expected and sha256(content) != expected.strip().lower():
        faults.append(f"{MANIFEST} is not the one whose SHA-256 was given")
    try:
        found: dict[str, Any] = json.loads(content)
    except ValueError:
        faults.append(f"{MANIFEST} cannot be read")
        return {}
    # An export of an earlier version lists only the manifest there.
    listed = "".join(f"{kept[1]}  {name}\n" for name, kept in sorted(found.get("files", {}).items()))
    if sums.startswith(first) and sums not in {first, first + listed.encode()}:
        faults.append(f"{MANIFEST_SUM} lists other files or sums than {MANIFEST}")
    return found


def check_files(folder: Path, manifest: dict[str, Any], faults: list[str]) -> None:
    """Hold every file against the manifest, and name each that is too many."""
    listed = manifest.get("files", {})
    for name in sorted(listed):
        content = read(folder, name)
        if content is None:
            faults.append(f"{name} is missing")
        elif [len(content), sha256(content)] != listed[name]:
            faults.append(f"{name} was altered")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    faults += [
        f"{name} is not part of the export" for name in sorted(there - set(listed) - {MANIFEST, MANIFEST_SUM})
    ]


def read_journal(folder: Path, faults: list[str]) -> list[dict[str, Any]]:
    """Read the journal's lines; those that cannot be read are faults."""
    entries = []
    text = (read(folder, JOURNAL) or b"").decode("utf-8", "replace")
    for place, line in enumerate(text.split("\n")[:-1], 1):
        try:
            entry = json.loads(line)
            entry["said"] = json.loads(entry["header"])
        except (ValueError, KeyError, TypeError):
            faults.append(f"{JOURNAL}: line {place} cannot be read")
        else:
            entries.append(entry)
    return entries


def check_chain(entries: list[dict[str, Any]], faults: list[str], head: Head | None) -> Head:
    """Check numbers, hashes and order of the entries; give the number and hash of the last good one."""
    before, number = GENESIS, 0
    for number, entry in enumerate(entries, 1):
        if entry["said"].get("seq") != number:
            faults.append(f"journal: entry {number} is missing or out of order")
            return number - 1, before
        expected = sha256(f"{before}\n{entry['header']}".encode())
        if entry.get("hash") != expected:
            faults.append(f"journal: the header of entry {number}, or its place in the chain, was altered")
            return number - 1, before
        before = expected
        if head is not None and number == head[0] and before != head[1]:
            faults.append(f"journal: entry {number} is not the one whose hash was given")
    if head is not None and number < head[0]:
        faults.append(f"journal: it ends before entry {head[0]}, whose hash was given")
    return number, before


def open_contents(
    entries: list[dict[str, Any]], manifest: dict[str, Any], faults: list[str]
) -> list[tuple[int, dict[str, Any]]]:
    """Check the contents that lie open against their headers, and give them with their entry's number."""
    found, wanted = [], set(manifest.get("contents", []))
    for entry in entries:
        number, text = entry["said"].get("seq"), entry.get("content")
        if text is None:
            if number in wanted:
                faults.append(f"journal: the content of entry {number} is missing")
        elif sha256(text.encode()) != entry["said"].get("content"):
            faults.append(f"journal: the content of entry {number} is not the one that was chained")
        else:
            found.append((number, json.loads(text[SALT:])))
    return found


def check_told(folder: Path, contents: list[tuple[int, dict[str, Any]]], faults: list[str]) -> None:
    """Check that each fact and each paper of the bundle is one that the journal tells of."""
    facts, papers = {}, {}
    for number, content in contents:
        for fact in content.get("facts", []):
            facts[fact["id"]] = {**fact, "entry": number}
        for effect in content.get("effects", []):
            if "document" in effect:
                papers[effect["document"]] = (effect["kind"], effect["sha256"])
    faults += [
        f"{FACTS}: fact {fact.get('id')} is not the one that the journal tells of"
        for fact in listed_in(folder, FACTS, faults)
        if facts.get(fact.get("id")) != as_chained(fact, facts)
    ]
    for paper in listed_in(folder, PAPERS, faults):
        key, name = paper.get("document"), str(paper.get("file") or "")
        if papers.get(key) != (paper.get("kind"), paper.get("sha256")):
            faults.append(f"{PAPERS}: paper {key} is not the one that the journal tells of")
        elif name and sha256(read(folder, name) or b"") != paper.get("sha256"):
            faults.append(f"{name} is not the paper that the journal tells of")


def as_chained(fact: dict[str, Any], facts: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """Give a fact without the mark that entries of an early version did not tell of."""
    if "dedupe" in facts.get(fact.get("id", 0), {}):
        return fact
    return {name: value for name, value in fact.items() if name != "dedupe"}


def listed_in(folder: Path, name: str, faults: list[str]) -> list[dict[str, Any]]:
    """Read a list of objects; none where the bundle has no such file."""
    content = read(folder, name)
    try:
        found = json.loads(content or b"[]")
    except ValueError:
        faults.append(f"{name} cannot be read")
        return []
    return [one for one in found if isinstance(one, dict)]


def check(folder: Path, *, head: Head | None = None, manifest_sum: str = "") -> tuple[list[str], str]:
    """Check a bundle.

    Args:
        folder: the unpacked bundle.
        head: number and hash of an entry, known from elsewhere.
        manifest_sum: the manifest's SHA-256, known from elsewhere.

    Returns:
        What is wrong, one line each, and one line about what was checked.
    """
    faults: list[str] = []
    manifest = check_manifest(folder, faults, manifest_sum)
    check_files(folder, manifest, faults)
    count = f"{(many := len(manifest.get('files', {})))} file{'s' * (many != 1)}"
    if JOURNAL not in manifest.get("files", {}):
        return faults, f"{count}; this export carries no journal"
    entries = read_journal(folder, faults)
    number, digest = check_chain(entries, faults, head)
    if manifest.get("head") != [number, digest]:
        faults.append("journal: it does not end where the manifest says")
    contents = open_contents(entries, manifest, faults)
    check_told(folder, contents, faults)
    return faults, (
        f"{count}, {number} {'entry' if number == 1 else 'entries'} in the chain, {len(contents)} of them about this case. Head {number}:{digest}"
    )


def _head(text: str) -> Head:
    number, _, digest = text.partition(":")
    return int(number), digest.strip().lower()


def main(words: Sequence[str] | None = None) -> int:
    """Check the folder in which this file lies, or another one; give the exit status."""
    parser = argparse.ArgumentParser(description="Check an exported case.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--head", type=_head, help="NUMBER:HASH of an entry, as it was mailed out")
    parser.add_argument("--manifest", default="", help="the manifest's SHA-256, as the export printed it")
    given = parser.parse_args(words)
    faults, summary = check(given.folder, head=given.head, manifest_sum=given.manifest)
    for fault in dict.fromkeys(faults):
        sys.stdout.write(f"WRONG: {fault}\n")
    sys.stdout.write(f"{'Not as exported' if faults else 'All is as exported'}: {summary}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
