"""Documents and confidential columns, sealed under keys that can be rotated (C6, decisions 20 and 22).

Three layers of keys. The city's keys (`DOCKET_KEYS`, newest first) stay outside the folder that is
backed up and only wrap the others. Each case and each message has a data key of its own, so that a
lawful disposal destroys one key and touches no chain. One further key makes the keyed-HMAC twins by
which sealed addresses and names are found.

The city's keys are Fernet keys (AES-128-CBC with HMAC-SHA256, the `cryptography` package's recipe). Content
is sealed with AES-256-GCM under a key drawn from its data key; what was sealed as Fernet before still opens.
"""

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import unicodedata
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlmodel import Session, select

from store.database import RecordUnavailable, before_commit, insert_row, once, plain_disk_faults
from store.rules.errors import Refusal
from store.scratch import begin_file, sweep_up_files
from store.tables import DataKey

_MARK = b"\x01"
_NONCE_BYTES = 12
_KEYS_IN_MEMORY = 4_096
_SYNCED_AT_ONCE = 8
_HALF_WRITTEN = re.compile(r"\.[0-9a-f]{16}")
_UNSYNCED = "docket-unsynced-files"
_IN_FORCE = "docket-keys-in-force"


class KeysFault(Exception):
    """The city's keys are missing, malformed, or not those of this record. Nothing was changed."""


class DocumentMissing(Exception):
    """A sealed file that the record names is not in the vault, or was damaged."""


class Owner(StrEnum):
    """Whose content a data key seals."""

    CITY = "city"
    CASE = "case"
    MAIL = "mail"
    LOOKUP = "lookup"


@dataclass(frozen=True, slots=True)
class KeyRef:
    """Which data key: a kind of owner and its internal id (0 for the city's own)."""

    kind: Owner
    owner: int = 0


CITY = KeyRef(Owner.CITY)
_LOOKUP = KeyRef(Owner.LOOKUP)


def city_keys(keys: Sequence[str]) -> MultiFernet:
    """Make the city's keys from their text.

    Args:
        keys: urlsafe base64 keys of 32 bytes each, newest first.

    Raises:
        KeysFault: there is none, or one is not a key; the text of a key is never repeated.
    """
    if not keys:
        raise KeysFault("No key is set. Set DOCKET_KEYS to the key that was made when Docket was set up.")
    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError as error:
        raise KeysFault(
            "A key in DOCKET_KEYS is not a Fernet key (32 bytes in urlsafe base64). Nothing was opened."
        ) from error


@dataclass(frozen=True, slots=True)
class _DataKey:
    """One owner's key at work. A nonce is drawn for each content; no owner has nearly 2**32 of them."""

    raw: bytes
    aead: AESGCM

    @classmethod
    def of(cls, raw: bytes) -> "_DataKey":
        """Draw the sealing key, so that no key serves two recipes."""
        return cls(raw, AESGCM(hmac.new(raw, b"docket content AES-256-GCM", hashlib.sha256).digest()))

    def seal(self, content: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return b"".join((_MARK, nonce, self.aead.encrypt(nonce, content, None)))

    def unseal(self, sealed: bytes | str) -> bytes:
        """Open what was sealed by this recipe, or as Fernet by an earlier version.

        Raises:
            InvalidTag, InvalidToken: altered, or sealed under another key.
        """
        if isinstance(sealed, str):  # SQLite keeps the kind of a value, and somebody changed it
            sealed = sealed.encode("utf-8", "surrogateescape")
        if not sealed.startswith(_MARK):
            return Fernet(self.raw).decrypt(sealed)
        view = memoryview(sealed)
        start = len(_MARK) + _NONCE_BYTES
        return self.aead.decrypt(bytes(view[len(_MARK) : start]), bytes(view[start:]), None)


@dataclass
class Keyring:
    """Opens and seals content with its owner's data key; keys are unwrapped once and kept in memory."""

    city: MultiFernet
    _open: dict[KeyRef, _DataKey] = field(default_factory=dict)
    _twin_key: bytes = b""
    _proved: bytes | None = None

    def prepare(self, session: Session) -> None:
        """Make the city's own keys in a new record, or prove that ours open an existing one.

        Raises:
            KeysFault: the record was sealed under other keys.
        """
        twin = self._raw(session, _LOOKUP, make=True)
        self._twin_key = twin
        self._raw(session, CITY, make=True)

    def _raw(self, session: Session, ref: KeyRef, *, make: bool) -> bytes:
        row = session.exec(
            select(DataKey).where(DataKey.kind == ref.kind.value, DataKey.owner == ref.owner)
        ).one_or_none()
        if row is None:
            if not make:
                raise DocumentMissing("A data key is missing from the record; restore it from a backup.")
            key = Fernet.generate_key()
            session.add(DataKey(kind=ref.kind.value, owner=ref.owner, wrapped=self.city.encrypt(key)))
            session.flush()
            return key
        if row.wrapped is None:
            raise Refusal("This content was disposed of by an approved list.", clause="KRS 171.410-740")
        return self._unwrapped(row.wrapped)

    def _unwrapped(self, wrapped: bytes) -> bytes:
        try:
            return self.city.decrypt(wrapped)
        except InvalidToken as error:
            raise KeysFault(
                "The keys in DOCKET_KEYS do not open this record. It is safe and unchanged. "
                "Set the keys that were in force when it was written."
            ) from error

    def _key(self, session: Session, ref: KeyRef) -> _DataKey:
        found = self._open.get(ref)
        if found is None:
            found = self._in_memory(ref, self._raw(session, ref, make=False))
        return found

    def know(self, ref: KeyRef, wrapped: bytes) -> None:
        """Take a data key that was read with what it opens, so that it need not be asked for.

        Raises:
            KeysFault: the record was sealed under other keys.
        """
        if ref not in self._open:
            self._in_memory(ref, self._unwrapped(wrapped))

    def _in_memory(self, ref: KeyRef, raw: bytes) -> _DataKey:
        if len(self._open) >= _KEYS_IN_MEMORY:
            self._open.clear()
        found = self._open[ref] = _DataKey.of(raw)
        return found

    def make(self, session: Session, ref: KeyRef) -> None:
        """Make the data key of a new owner, in the caller's transaction; an owner has one only.

        Raises:
            RecordUnavailable: the city's keys were changed since they were read. What were wrapped under keys that go
                out of use would be lost with them.
        """
        once(session, _IN_FORCE, lambda: self._prove_in_force(session))
        raw = Fernet.generate_key()
        wrapped = self.city.encrypt(raw)
        insert_row(session, DataKey, kind=ref.kind.value, owner=ref.owner, wrapped=wrapped)
        self._in_memory(ref, raw)

    def _prove_in_force(self, session: Session) -> None:
        wrapped = session.exec(
            select(DataKey.wrapped).where(DataKey.kind == _LOOKUP.kind.value, DataKey.owner == _LOOKUP.owner)
        ).one()
        if wrapped == self._proved:
            return
        try:
            self._unwrapped(wrapped or b"")
        except KeysFault as fault:
            raise RecordUnavailable(
                "The keys of the record were changed while this was at work. What was recorded is safe; this act was "
                "not done. See that DOCKET_KEYS names the keys of now, and begin again."
            ) from fault
        self._proved = wrapped

    def seal(self, session: Session, ref: KeyRef, content: bytes) -> bytes:
        """Seal bytes with an owner's key."""
        return self._key(session, ref).seal(content)

    def unseal(self, session: Session, ref: KeyRef, sealed: bytes) -> bytes:
        """Open sealed bytes.

        Raises:
            DocumentMissing: the bytes were altered, or sealed with another key.
        """
        try:
            return self._key(session, ref).unseal(sealed)
        except (InvalidToken, InvalidTag) as error:
            raise DocumentMissing(
                "Sealed content does not open with its key: it was damaged or altered. "
                "Nothing else is affected; compare with a backup and run `docket verify`."
            ) from error

    def is_disposed(self, session: Session, ref: KeyRef) -> bool:
        """Say whether an owner's key was destroyed by a lawful disposal."""
        row = session.exec(
            select(DataKey).where(DataKey.kind == ref.kind.value, DataKey.owner == ref.owner)
        ).one_or_none()
        return row is not None and row.wrapped is None

    def forget(self) -> None:
        """Drop unwrapped keys, after a rollback that may have undone the making of one."""
        self._open.clear()

    def twin(self, what: str, value: str) -> str:
        """Give the keyed-HMAC twin by which a sealed value is found.

        Args:
            what: what kind of value, so that equal texts of two kinds differ.
            value: the value; compared without regard to case, width and outer spaces.

        Returns:
            64 hexadecimal digits.
        """
        plain = unicodedata.normalize("NFKC", value).casefold().strip()
        return hmac.new(self._twin_key, f"{what}\0{plain}".encode(), hashlib.sha256).hexdigest()

    def derived(self, purpose: str) -> bytes:
        """Give 32 bytes for one purpose, such as check codes; the same for as long as the record lives."""
        return hmac.new(self._twin_key, f"derived\0{purpose}".encode(), hashlib.sha256).digest()

    def rewrap(self, session: Session) -> int:
        """Wrap every data key under the newest city key, so that older ones can be retired.

        Returns:
            How many keys were wrapped anew.
        """
        rows = session.exec(select(DataKey).where(DataKey.wrapped != None)).all()  # noqa: E711  SQL's null
        for row in rows:
            assert row.wrapped is not None
            row.wrapped = self.city.rotate(row.wrapped)
            session.add(row)
        return len(rows)


@dataclass(frozen=True, slots=True)
class Vault:
    """The folder of sealed files. A file's name tells nothing: it is a keyed HMAC."""

    root: Path
    keyring: Keyring

    def name_of(self, ref: KeyRef, sha256: str) -> str:
        """Give the file name for content of an owner, by its SHA-256."""
        return self.keyring.twin("vault", f"{ref.kind}:{ref.owner}:{sha256}")

    def _path(self, name: str) -> Path:
        return self.root / name[:2] / name[2:]

    def sweep_up(self) -> int:
        """Remove what killed processes left half written; give how many files that were. No name tells of them."""
        found = self.root.glob("??/.*")
        return sweep_up_files(one for one in found if _HALF_WRITTEN.fullmatch(one.name))

    def keep(self, session: Session, ref: KeyRef, content: bytes, *, sha256: str = "") -> str:
        """Seal content and put it on disk for good before the transaction that names it is committed.

        Each file is written beside its place and moved there; before the commit all files of the
        transaction are synced together, and their folders, so that what was committed survives a crash.
        Keeping the same content twice is one file.

        Args:
            session: a session of `Database.write`.
            ref: the owner.
            content: the bytes.
            sha256: their SHA-256 in hex where it is known.

        Returns:
            The name under which `fetch` gives it back.

        Raises:
            RecordUnavailable: the disk is full, read-only or failing; nothing was kept.
        """
        name = self.name_of(ref, sha256 or hashlib.sha256(content).hexdigest())
        path = self._path(name)
        unsynced: list[Path] = session.info.setdefault(_UNSYNCED, [])
        before_commit(session, _UNSYNCED, lambda: _sync(session.info.pop(_UNSYNCED, [])))
        # a file that stands there may be named by an earlier transaction: it is never replaced unsynced
        with plain_disk_faults():
            _put(path, self.keyring.seal(session, ref, content), sync=path.exists())
        unsynced.append(path)
        return name

    def fetch(self, session: Session, ref: KeyRef, name: str) -> bytes:
        """Give content back as it was kept.

        Raises:
            DocumentMissing: the file is gone, or it was altered.
            RecordUnavailable: the disk cannot be read.
        """
        try:
            with plain_disk_faults():
                sealed = self._path(name).read_bytes()
        except FileNotFoundError as error:
            raise DocumentMissing(
                "A sealed document is missing from the vault. Its entry in the record is safe; "
                "restore the vault from a backup."
            ) from error
        return self.keyring.unseal(session, ref, sealed)


def _put(path: Path, sealed: bytes, *, sync: bool) -> None:
    beside = f"{path.parent}/.{secrets.token_hex(8)}"
    try:
        descriptor = begin_file(beside)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = begin_file(beside)
    try:
        _write_all(descriptor, sealed)
        if sync:
            os.fsync(descriptor)
        os.replace(beside, path)  # noqa: PTH105  a Path made for each file costs more than the call
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)  # noqa: PTH108  as above
        raise
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync(paths: Sequence[Path]) -> None:
    """Bring files and their folders to the disk for good; the disk takes several at once.

    Raises:
        RecordUnavailable: the disk is full or failing.
    """
    files = [str(one) for one in dict.fromkeys(paths)]
    folders = list(dict.fromkeys(str(one.parent) for one in paths))
    with plain_disk_faults():
        if len(files) == 1:
            _sync_one(files[0])
            _sync_one(folders[0])
            return
        with ThreadPoolExecutor(_SYNCED_AT_ONCE) as pool:
            for some in (files, folders):
                # parted beforehand: to hand out each alone costs more than to sync it
                list(pool.map(_sync_each, [some[start::_SYNCED_AT_ONCE] for start in range(_SYNCED_AT_ONCE)]))


def _sync_each(paths: Sequence[str]) -> None:
    for one in paths:
        _sync_one(one)


def _sync_one(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
