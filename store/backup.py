"""Backups: one file that holds the record as it stood at one instant, and nothing that opens it (R4, decisions 22).

The file is a tar archive: a copy of the database, the sealed files of the vault, the city's own templates, and a
manifest with the SHA-256 of each. What else lies in the data folder stays out of it; the keys are never part of it.
"""

import hashlib
import io
import os
import re
import shutil
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import Session

from store import journal
from store.cases import Actor, Docket, act
from store.copying import copy_database, counts, opened_copy, pour_into
from store.database import (
    Database,
    RecordGone,
    beat,
    connect,
    knows_revision,
    lease_holder,
    plain_disk_faults,
    revision,
)
from store.ports import Progress
from store.rules.access import Deed
from store.rules.errors import BadInput, NotNow
from store.scratch import scratch
from store.vault import Keyring, city_keys

MANIFEST, COPY = "manifest.json", "database.sqlite3"
HEARTBEAT = "backup"
_VAULT, _TEMPLATES = "vault", "templates"
_SCRATCH = ".restore-"
_FORMAT = 1
_PART = 1 << 20
_SEALED_NAME = re.compile(r"[0-9a-f]{2}/[0-9a-f]{62}")
_TAKEN = re.compile(
    rf"{re.escape(COPY)}|{_VAULT}/[0-9a-f]{{2}}/[0-9a-f]{{62}}|{_TEMPLATES}/[\w-][\w.-]*|practice(-clock\.json)?"
)
_OWNER_ONLY = 0o600
_BESIDE = ("-wal", "-shm", "-journal")


class BadBackup(BadInput):
    """The file is no backup, or not the one that was written; nothing was restored."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of the backup: its name, bytes, and SHA-256 in hexadecimal."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says about itself.

    Attributes:
        format: which form of backup this is.
        made_at: the instant that it shows, UTC.
        revision: the schema of the database.
        head: number and hash of the journal's newest entry.
        counts: rows of each table.
        files: everything in it but this.
        practice: a record for practice.
    """

    format: int
    made_at: datetime
    revision: str
    head: tuple[int, str]
    counts: Mapping[str, int]
    files: tuple[KeptFile, ...]
    practice: bool = False


_MANIFEST = TypeAdapter(Manifest)


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was written: where, the SHA-256 of the whole file, and what it says about itself."""

    path: Path
    sha256: str
    manifest: Manifest


# -- taking one -------------------------------------------------------------------------------------


def back_up(docket: Docket, actor: Actor, data: Path, into: Path, told: Progress) -> Backup:
    """Take a backup while everything goes on, and read it back before it counts as one.

    Args:
        docket: the record.
        actor: who asks: IT or the clerk.
        data: the data folder.
        into: a folder, in which the file gets a name with the instant, or a file that is not there yet.
        told: hears how far it is.

    Raises:
        NotAllowed: it is not his to do.
        BadInput: the place is no good.
        RecordUnavailable: the database or a disk failed; no backup was made, an earlier one is untouched.
    """
    with act(docket, actor, Deed.BACK_UP) as step:
        step.note["backup"] = "begun"
        path = _place(into, data, step.now)
    with plain_disk_faults():
        made = _written(docket, data, path, told)
    with act(docket, actor, Deed.BACK_UP) as step:
        step.note |= {"backup": "done", "sha256": made.sha256, "head": list(made.manifest.head)}
        beat(step.session, HEARTBEAT, step.now)
    return made


def _place(into: Path, data: Path, now: datetime) -> Path:
    path = into / f"docket-{now:%Y%m%dT%H%M%SZ}.tar" if into.is_dir() else into
    if not path.parent.is_dir():
        raise BadInput("The folder for the backup is not there.", mend="Make it first.")
    if path.exists():
        raise BadInput(
            "There is a file of that name; a backup never replaces one.", mend="Name another file."
        )
    if path.parent.resolve().is_relative_to(data.resolve()):
        raise BadInput(
            "A backup in the data folder would be lost with it.", mend="Name a folder on another disk."
        )
    if (path.parent / ".env").exists():
        raise BadInput(
            "The keys lie in that folder; whoever took it would have the backup and what opens it.",
            mend="Name another folder.",
        )
    return path


def _written(docket: Docket, data: Path, path: Path, told: Progress) -> Backup:
    with scratch(".docket-copy-", path.parent) as folder:
        copy, beside = folder / COPY, folder / "backup.tar"
        copy_database(docket.database, copy, told)
        manifest = _pack(docket, data, copy, beside, told)
        copy.unlink()
        check(beside, told)
        digest = _digest_of(beside)
        os.link(beside, path)  # fails where somebody made a file of that name meanwhile
    _sync(path.parent)
    return Backup(path, digest, manifest)


def _pack(docket: Docket, data: Path, copy: Path, beside: Path, told: Progress) -> Manifest:
    sources = [(COPY, copy), *_to_take(docket.vault.root, data)]
    files: list[KeptFile] = []
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with (
        os.fdopen(descriptor, "wb") as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, source in sources:
            files.append(_add(tar, name, source))
            told("files", len(files), len(sources))
        manifest = _describe(copy, docket.clock.now(), tuple(files), practice=docket.practice)
        _add_bytes(tar, MANIFEST, _MANIFEST.dump_json(manifest, indent=1))
        tar.close()
        file.flush()
        os.fsync(file.fileno())
    return manifest


def _to_take(vault: Path, data: Path) -> list[tuple[str, Path]]:
    """Name what goes in besides the database; a sealed file is written before its row, so none is missing."""
    found = [
        (f"{_VAULT}/{path.relative_to(vault).as_posix()}", path)
        for path in sorted(vault.glob("??/*"))
        if _SEALED_NAME.fullmatch(path.relative_to(vault).as_posix())
    ]
    found += [(f"{_TEMPLATES}/{path.name}", path) for path in sorted((data / _TEMPLATES).glob("*.typ"))]
    marks = [data / "practice", data / "practice-clock.json"]
    return [*found, *((path.name, path) for path in marks if path.is_file())]


def _add(tar: tarfile.TarFile, name: str, source: Path) -> KeptFile:
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
        file.seek(0)
        tar.addfile(_header(name, size), file)
    return KeptFile(name, size, digest)


def _add_bytes(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    tar.addfile(_header(name, len(content)), io.BytesIO(content))


def _header(name: str, size: int) -> tarfile.TarInfo:
    """Give a header that tells of no account and no machine."""
    header = tarfile.TarInfo(name)
    header.size, header.mode = size, _OWNER_ONLY
    return header


def _describe(copy: Path, now: datetime, files: tuple[KeptFile, ...], *, practice: bool) -> Manifest:
    with opened_copy(copy) as found, found.engine.connect() as connection:
        held = counts(connection)
        with Session(connection) as session:
            seq, digest = journal.head(session)
        at = revision(found)
    assert at is not None
    return Manifest(_FORMAT, now, at, (seq, digest), held, files, practice)


# -- reading one ------------------------------------------------------------------------------------


def check(path: Path, told: Progress) -> Manifest:
    """Read a backup from end to end and hold each file against its SHA-256.

    Raises:
        BadBackup: it is none, or was altered or cut.
    """
    return _read(path, None, told)


def _read(path: Path, into: Path | None, told: Progress) -> Manifest:
    """Read a backup and, with a folder, unpack it there; only names that a backup can have are written."""
    found: dict[str, KeptFile] = {}
    manifest: Manifest | None = None
    size = path.stat().st_size
    with _plain_tar_faults(), tarfile.open(path, mode="r:") as tar:
        for member in tar:
            content = tar.extractfile(member)
            if content is None or not (member.name == MANIFEST or _TAKEN.fullmatch(member.name)):
                raise BadBackup(
                    "The backup holds something that no backup of Docket holds. Nothing was restored."
                )
            if member.name == MANIFEST:
                manifest = _MANIFEST.validate_json(content.read())
                continue
            found[member.name] = _taken(content, member.name, into)
            told("bytes read", min(tar.offset, size), size)
    if manifest is None:
        raise BadBackup("The backup was cut: its manifest is missing. Nothing was restored.")
    _compare(manifest, found)
    return manifest


@contextmanager
def _plain_tar_faults() -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise BadBackup(
            "The file cannot be read as a backup: it is none, or was damaged. Nothing was restored.",
            mend="Take an earlier one.",
        ) from error


def _taken(content: IO[bytes], name: str, into: Path | None) -> KeptFile:
    digest, size = hashlib.sha256(), 0
    target = None
    if into is not None:
        path = into / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb")
    try:
        while part := content.read(_PART):
            digest.update(part)
            size += len(part)
            if target is not None:
                target.write(part)
        if target is not None:
            target.flush()
            os.fsync(target.fileno())
    finally:
        if target is not None:
            target.close()
    return KeptFile(name, size, digest.hexdigest())


def _compare(manifest: Manifest, found: Mapping[str, KeptFile]) -> None:
    if manifest.format != _FORMAT:
        raise BadBackup("The backup was made by a newer version of Docket.", mend="Restore it with that one.")
    said = {one.name: one for one in manifest.files}
    wrong = sorted(name for name in said.keys() | found.keys() if said.get(name) != found.get(name))
    if wrong:
        raise BadBackup(
            f"The backup was altered: {wrong[0]} and {len(wrong) - 1} others are not what was written. "
            "Nothing was restored.",
            mend="Take an earlier one.",
        )


# -- restoring one ----------------------------------------------------------------------------------


def restore(
    path: Path, url: str, *, data: Path, keys: tuple[str, ...], now: datetime, told: Progress
) -> Manifest:
    """Bring a backup back into an empty place; everything is proved before anything is put there.

    Args:
        path: the backup.
        url: the empty database.
        data: the data folder; it holds no record.
        keys: the city's keys, newest first.
        now: the present instant, UTC.
        told: hears how far it is.

    Raises:
        NotNow: a copy of Docket runs on the database, or there is a record already.
        BadBackup: the file is no whole backup.
        KeysFault: the keys are not those of this backup.
        RecordUnavailable: the database or a disk failed.
    """
    database = connect(url)
    try:
        _refuse_a_full_place(database, data, now)
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with plain_disk_faults(), scratch(_SCRATCH, data) as folder:
            unpacked = folder / "unpacked"
            unpacked.mkdir(mode=0o700)
            manifest = _read(path, unpacked, told)
            _prove(unpacked / COPY, manifest, keys)
            _put_in_place(unpacked, data, database, told)
    finally:
        database.engine.dispose()
    return manifest


def _refuse_a_full_place(database: Database, data: Path, now: datetime) -> None:
    if database.is_sqlite:
        full = Path(database.engine.url.database or "").exists()
    else:
        full = revision(database) is not None
        if full and _is_led(database, now):
            raise NotNow("Docket runs on this database.", mend="Stop every copy first.")
    if full or any(_files_under(data / _VAULT)):
        raise NotNow(
            "There is a record in this place; a restore never writes over one. Nothing was changed.",
            mend="Move it away, whole, or name an empty folder and an empty database.",
        )


def _files_under(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _is_led(database: Database, now: datetime) -> bool:
    try:
        with database.read() as session:
            return lease_holder(session, "leader", now) is not None
    except (RecordGone, sa.exc.ProgrammingError):  # tables of another version
        return False


def _prove(copy: Path, manifest: Manifest, keys: tuple[str, ...]) -> None:
    """Hold the database against its manifest, and the keys against the database."""
    if not knows_revision(manifest.revision):
        raise BadBackup("The backup was made by a newer version of Docket.", mend="Restore it with that one.")
    with opened_copy(copy) as found, found.engine.connect() as connection:
        if counts(connection) != dict(manifest.counts):
            raise BadBackup(
                "The backup's database holds other rows than its manifest says. Nothing was restored."
            )
        with Session(connection) as session:
            Keyring(city_keys(keys)).prepare(session)
            if tuple(journal.head(session)) != manifest.head:
                raise BadBackup("The backup's journal ends elsewhere than its manifest says.")
            session.rollback()


def _put_in_place(unpacked: Path, data: Path, database: Database, told: Progress) -> None:
    """Move what was proved into the data folder; the database comes last, so that a broken restore shows."""
    for path in sorted(unpacked.iterdir()):
        if path.name != COPY and path.is_dir():
            target = data / path.name
            if target.exists() and not any(_files_under(target)):
                shutil.rmtree(target)
            if not target.exists():
                path.replace(target)
        elif path.name != COPY:
            path.replace(data / path.name)
    _sync(data)
    if database.is_sqlite:
        target = Path(database.engine.url.database or "")
        (unpacked / COPY).chmod(_OWNER_ONLY)
        if os.stat(unpacked).st_dev == os.stat(target.parent).st_dev:  # noqa: PTH116  the two disks are compared
            _take_its_place(unpacked / COPY, target)
        else:
            _copied(unpacked / COPY, target)
        _sync(target.parent)
    else:
        pour_into(unpacked / COPY, database, told)


def _take_its_place(copy: Path, target: Path) -> None:
    """Give the copy the database's name, unless somebody made a database there meanwhile.

    Under a file that is open, or beside the log of another one, it would be damaged at the first write.
    """
    with suppress(FileExistsError):
        if not any(target.with_name(f"{target.name}{end}").exists() for end in _BESIDE):
            os.link(copy, target)
            copy.unlink()
            return
    raise NotNow(
        "Another program made a database in this place while the backup was read. It was left alone, and the backup "
        "is whole; the sealed papers lie in the vault already.",
        mend="Let no other command run on this place, move it away, whole, and restore into an empty one.",
    )


def _copied(source: Path, target: Path) -> None:
    """Copy the database to another disk: it stands there whole or not at all."""
    with scratch(_SCRATCH, target.parent) as folder:
        beside = folder / target.name
        shutil.copyfile(source, beside)
        beside.chmod(_OWNER_ONLY)
        with beside.open("rb") as file:
            os.fsync(file.fileno())
        _take_its_place(beside, target)


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
