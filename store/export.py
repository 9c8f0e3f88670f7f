"""A case as a bundle that can be read and proved without Docket (C8).

A folder or a zip file: a readable index, the papers as they came and as they went out, votes, minutes, the journal
with every header and this case's contents, a manifest of SHA-256, and `check.py`, which proves all of it with
Python alone. Names of files name nobody. The export is an entry of the journal, with the manifest's SHA-256.
"""

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from store.cases import Actor, Docket, Look, act, look
from store.database import plain_disk_faults
from store.export_parts import Gathered, Wanted, as_it_is, index, parts
from store.letters.case_index import IndexedFile, as_html
from store.ports import Progress, untold
from store.rules.access import Deed
from store.rules.errors import BadInput, NotNow
from store.scratch import scratch

__all__ = ["Exported", "Wanted", "as_it_is", "export_case"]

MANIFEST, MANIFEST_SUM, CHECK = "manifest.json", "manifest.sha256", "check.py"
_OWNER_ONLY_FILE, _OWNER_ONLY_FOLDER = 0o600, 0o700


@dataclass(frozen=True, slots=True)
class Exported:
    """A bundle that was written.

    Attributes:
        path: the folder or the zip file.
        manifest_sha256: proves the manifest, and by it every file.
        files: how many files lie in it.
        withheld: how many things were left out; the index says which.
    """

    path: Path
    manifest_sha256: str
    files: int
    withheld: int


def export_case(
    docket: Docket,
    actor: Actor,
    number: str,
    into: Path,
    *,
    wanted: Wanted | None = None,
    told: Progress = untold,
    text_of: Callable[[bytes], str] = as_it_is,
) -> Exported:
    """Write a case as a bundle.

    Args:
        docket: the record.
        actor: the clerk or counsel.
        number: the case's number.
        into: a folder that is not there yet, or a file that ends in ``.zip``.
        wanted: what it is to hold; the whole file but privileged papers where nothing is said.
        told: hears how far it is.
        text_of: gives the text of a paper's bytes, so that a released one is searched for personal data.

    Raises:
        NoSuchCase: there is none that he may know of.
        NotNow: it is for a records request, and the Board made no final determination.
        BadInput: the place is no good.
        RecordUnavailable: the disk is full or failing; nothing is left in the place.

    Source: product.md C8; clause (C); law.md, records and confidentiality (09-ORD-170, 17-ORD-092).
    """
    wanted = wanted or Wanted()
    with act(docket, actor, Deed.EXPORT, number=number) as step:
        if wanted.records_request and not step.case.final:
            raise NotNow(
                "The file opens to a records request with the Board's final determination, not before.",
                clause="C-confidential",
                mend="Answer the request once it is final.",
            )
        if wanted.records_request and wanted.with_privileged:
            raise BadInput("A privileged paper never answers a records request.", clause="KRE 503")
        if into.exists() or not into.parent.is_dir():
            raise BadInput(
                "The place is none for an export.",
                mend="Name a new folder or .zip file, in a folder that is there.",
            )
        if any(one.is_open for one in step.case.ballots):
            raise NotNow(
                "A ballot is open; its votes are shown to nobody before it is closed.",
                clause="D-determine",
                mend="Close it.",
            )
        step.note |= {"export": "begun", "records_request": wanted.records_request}
        key = step.case.key
    with plain_disk_faults(), _shelf(into) as shelf:
        seen = look(docket, actor, key, deed=Deed.EXPORT)
        found = _fill(docket, seen, shelf, told, gather=(wanted, text_of))
        manifest_sum = _seal(found, shelf)
    with act(docket, actor, Deed.EXPORT, number=number) as step:
        step.note |= {
            "export": "done",
            "records_request": wanted.records_request,
            "manifest": manifest_sum,
            "head": list(found.head),
            "with_privileged": wanted.with_privileged,
            "withheld": len(found.withheld),
            "papers_released": sorted(wanted.papers),
            "sentences_released": wanted.sentences,
        }
    return Exported(into, manifest_sum, len(shelf.kept), len(found.withheld))


def _fill(
    docket: Docket,
    seen: Look,
    shelf: "_Shelf",
    told: Progress,
    *,
    gather: tuple[Wanted, Callable[[bytes], str]],
) -> Gathered:
    wanted, text_of = gather
    with docket.database.read() as session:
        found = Gathered(docket, session, seen, wanted, docket.clock.now(), text_of)
        for name, what, content in parts(found):
            shelf.put(name, content)
            found.files.append(IndexedFile(name, what, shelf.kept[name][1]))
            told("files", len(shelf.kept), len(shelf.kept) + 1)
    shelf.put(CHECK, (files("store") / "bundle_check.py").read_bytes())
    found.files.append(IndexedFile(CHECK, "proves this bundle", shelf.kept[CHECK][1]))
    written = index(found)
    shelf.put("index.html", as_html(written, picture="timeline.svg").encode())
    shelf.put("index.pdf", docket.typesetter.set(written, found.made_at).pdf)
    told("files", len(shelf.kept), len(shelf.kept))
    return found


def _seal(found: Gathered, shelf: "_Shelf") -> str:
    """Write the manifest of everything that lies on the shelf, and beside it the sums of all of it for `sha256sum -c`."""
    zone: ZoneInfo = found.look.profile.city.time_zone
    manifest = {
        "case": found.look.case.number,
        "made_at": found.made_at.astimezone(zone).isoformat(),
        "for": "records request" if found.wanted.records_request else "the whole file",
        "head": list(found.head),
        "contents": found.contents,
        "files": {name: list(kept) for name, kept in sorted(shelf.kept.items())},
        "withheld": [{"what": one.what, "why": one.why, "rule": one.rule} for one in found.withheld],
    }
    content = (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode()
    digest = hashlib.sha256(content).hexdigest()
    sums = [(MANIFEST, digest), *((name, kept[1]) for name, kept in sorted(shelf.kept.items()))]
    shelf.put(MANIFEST, content)
    shelf.put(MANIFEST_SUM, "".join(f"{each}  {name}\n" for name, each in sums).encode())
    return digest


# -- where it is put --------------------------------------------------------------------------------


class _Shelf(Protocol):
    """Takes files; each name once."""

    kept: dict[str, tuple[int, str]]

    def put(self, name: str, content: bytes) -> None:
        """Keep a file; `kept` tells its size and SHA-256."""
        ...


@dataclass
class _Folder:
    root: Path
    kept: dict[str, tuple[int, str]] = field(default_factory=dict)

    def put(self, name: str, content: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(mode=_OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY_FILE), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        self.kept[name] = (len(content), hashlib.sha256(content).hexdigest())


@dataclass
class _Zip:
    archive: zipfile.ZipFile
    made_at: datetime | None = None
    kept: dict[str, tuple[int, str]] = field(default_factory=dict)

    def put(self, name: str, content: bytes) -> None:
        header = zipfile.ZipInfo(name)
        header.external_attr = _OWNER_ONLY_FILE << 16
        header.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(header, content)
        self.kept[name] = (len(content), hashlib.sha256(content).hexdigest())


@contextmanager
def _shelf(into: Path) -> Iterator[_Shelf]:
    """Fill beside the place and move there at the end; a broken export leaves nothing."""
    with scratch(".docket-export-", into.parent) as folder:
        beside = folder / into.name
        if into.suffix == ".zip":
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY_FILE)
            with os.fdopen(descriptor, "wb") as file:
                with zipfile.ZipFile(file, "w") as archive:
                    yield _Zip(archive)
                file.flush()
                os.fsync(file.fileno())
        else:
            beside.mkdir(mode=_OWNER_ONLY_FOLDER)
            yield _Folder(beside)
        beside.rename(into)
