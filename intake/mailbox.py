"""The mailbox over IMAP: what came, its bytes, and waiting for more. The only importer of imapclient.

Nothing is ever changed on the server: folders are opened with EXAMINE, bodies fetched with
BODY.PEEK[], and no flag is read or written. What was seen is known by UIDVALIDITY and UID, with size
and INTERNALDATE beside them, because a mailbox made anew can have the same numbers (decisions 30).
"""

import contextlib
import logging
import re
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Self, assert_never

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError, ProtocolError

from intake.mail_login import (
    AccessToken,
    Login,
    Password,
    TokenRefused,
    TokenUnreachable,
    trust,
    xoauth2,
)
from intake.mail_urls import MailServer, Security

_SAFE = "No mail is lost: it waits in the mailbox and keeps the time at which the server received it."
_TEMPORARY = frozenset({"UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG"})
_LISTED_AT_ONCE = 500
_PROBED = 100


class MailboxError(Exception):
    """Something stood between us and a mail; the text has no address, server's word or secret."""


class MailboxUnreachable(MailboxError):
    """The server did not answer, or not in a way that can be read. The connection was thrown away."""


class FolderMissing(MailboxUnreachable):
    """The server does not open a folder that the setting names."""

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"The mail server does not open the folder {folder!r} named in DOCKET_IMAP_URL. {_SAFE} "
            "Check the folder's name, and that the account may read it."
        )
        self.folder = folder


class CertificateRefused(MailboxUnreachable):
    """The server showed a certificate that proves nothing; nothing was said to it."""


class LoginRefused(MailboxError):
    """The server knows us and says no; trying fast could lock the account."""

    def __init__(self) -> None:
        super().__init__(
            f"The mail server refused the login. {_SAFE} Check the account in DOCKET_IMAP_URL and its "
            "password or token; then run docket doctor."
        )


class Vanished(MailboxError):
    """A message seen in the list was moved, deleted or replaced before its bytes could be read."""

    def __init__(self) -> None:
        super().__init__(
            "A message was moved or deleted before it could be read. If it went to a folder that is read, it is "
            "found there; otherwise ask whoever works in the mailbox to move it back."
        )


class Incomplete(MailboxError):
    """The message is there, but the server did not give its bytes, or gave different ones each time."""

    def __init__(self) -> None:
        super().__init__(
            "The mail server did not hand out a message whole. The message is safe there and is tried again at "
            "the next reading; if it stays, open it in a mail program."
        )


class StartTlsRefused(MailboxUnreachable):
    """The address asks for STARTTLS and the server gives none; nothing was said in clear."""

    def __init__(self) -> None:
        super().__init__(
            f"The mail server offers no STARTTLS, or something on the way takes the offer away. {_SAFE} No password "
            "and no mail went over the unprotected line. Ask the mail server's keeper, or write imaps:// in "
            "DOCKET_IMAP_URL; it is tried again by itself."
        )


class Oversize(MailboxError):
    """The message is larger than the limit; nothing of it was fetched."""

    def __init__(self, size: int, limit_bytes: int) -> None:
        super().__init__(
            f"A message of {size} bytes is over the limit of {limit_bytes}. It stays in the mailbox; its headers "
            "can be read, and a person looks at it there."
        )
        self.size = size


class Woken(StrEnum):
    """Why a wait ended."""

    MAIL = "mail"
    TIME = "time"
    STOPPED = "stopped"


class Seen(NamedTuple):
    """A message already known in a folder under one UIDVALIDITY; `internaldate` is aware."""

    uid: int
    size: int
    internaldate: datetime


Known = Callable[[str, int], Iterable[Seen]]
"""(folder, UIDVALIDITY) -> everything already recorded there."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One message in one place on the server.

    Attributes:
        server: the server's host name.
        account: the account whose mailbox it is.
        folder: the folder's name.
        uidvalidity: the folder's UIDVALIDITY (RFC 3501, 2.3.1.1).
        uid: the message's UID.
        size: RFC822.SIZE in octets, as the server says it.
        internaldate: when the server received it, aware, UTC.
        internaldate_offset_min: the zone the server wrote, minutes east of UTC.
        before_start: older than the starting date; to be listed, never answered (decisions 31).
    """

    server: str
    account: str
    folder: str
    uidvalidity: int
    uid: int
    size: int
    internaldate: datetime
    internaldate_offset_min: int
    before_start: bool

    @property
    def seen(self) -> Seen:
        """What must be remembered so that it is not listed again."""
        return Seen(self.uid, self.size, self.internaldate)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things may take, in seconds.

    Attributes:
        connect_s: until the connection stands and the server has greeted.
        read_s: until the next byte of an answer.
        slice_s: the longest time without looking up while waiting (mail.md: at most 60).
        look_s: after this the folder is looked at while listening, then ever more seldom, at least each slice.
        renew_s: after this an IDLE is renewed; servers end it after 30 minutes, middleboxes sooner.
    """

    connect_s: float = 20.0
    read_s: float = 60.0
    slice_s: float = 60.0
    look_s: float = 2.0
    renew_s: float = 540.0


class _Opened(NamedTuple):
    """A folder as it was when it was last looked at; `top` is the highest UID in it, 0 when it is empty."""

    folder: str
    uidvalidity: int
    uidnext: int | None
    top: int = 0


class Mailbox:
    """One account's folders over one connection, made when needed and thrown away at any doubt.

    For one thread, the first that uses it; only `stop` may be called from others. Every method may raise
    `MailboxUnreachable` or `LoginRefused`; the next call then connects anew.
    """

    def __init__(
        self,
        server: MailServer,
        login: Login,
        *,
        private_ca: Path | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._server = server
        self._login = login
        self._private_ca = private_ca
        self._patience = patience or Patience()
        self._thread: int | None = None
        self._client: Any = None
        self._opened: _Opened | None = None
        self._listed: dict[str, _Opened] = {}
        self._unlisted: dict[str, set[int]] = {}
        self._stopped = threading.Event()
        self._bell, self._ringer = socket.socketpair()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def place(self) -> tuple[str, str]:
        """The server's name and the account, under which what was seen is remembered."""
        return self._server.host, self._server.account

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders to read, the first of which is listened to."""
        return self._server.folders

    @property
    def unlisted(self) -> tuple[tuple[str, int], ...]:
        """(folder, UID) of messages whose size or date the server did not give readably at the last sync.

        One deleted during the sync is among them until the next; one that stays needs a person.
        """
        return tuple((folder, uid) for folder, uids in self._unlisted.items() for uid in sorted(uids))

    def connect(self) -> frozenset[str]:
        """Connect and log in unless that is done; give the server's capabilities, upper case."""
        with self._guarded():
            return frozenset(each.decode("ascii", "replace") for each in self._connected().capabilities())

    def sync(self, folder: str, known: Known, *, read_from: datetime | None) -> Iterator[Sighting]:
        """List what is in a folder and not yet known, by rising UID.

        Every message is asked for by SEARCH ALL; known ones are left out when size and INTERNALDATE agree
        as well. All known ones are compared at the first sync of a connection and whenever the newest
        hundred do not agree.

        Args:
            folder: one of the folders named in the setting.
            known: called once, with the folder and its UIDVALIDITY.
            read_from: aware instant; older messages come marked `before_start`. None marks nothing.

        Yields:
            sightings, while the listing goes on; `fetch_raw` may be called in between.

        Raises:
            FolderMissing: the server does not open it.
        """
        with self._guarded():
            opened, uids = self._look(folder)
        before = self._listed.get(folder)
        seen = _by_uid(known(folder, opened.uidvalidity))
        self._unlisted[folder] = set()
        wanted = self._to_describe(opened, before, uids, seen)
        for start in range(0, len(wanted), _LISTED_AT_ONCE):
            chunk = wanted[start : start + _LISTED_AT_ONCE]
            for sighting in self._described(opened, chunk, read_from):
                if sighting.seen not in seen.get(sighting.uid, ()):
                    yield sighting
        self._listed[folder] = opened

    def fetch_raw(self, sighting: Sighting, *, limit_bytes: int) -> bytes:
        r"""Read a message's bytes, as the server has them, without setting ``\Seen``.

        Raises:
            Oversize: its size is over the limit; nothing was fetched.
            Vanished: it is no longer where it was seen.
            Incomplete: the server gave no bytes, or two readings of unexpected length differ.
        """
        if sighting.size > limit_bytes:
            raise Oversize(sighting.size, limit_bytes)
        raw = self._part(sighting, "BODY.PEEK[]")
        # Some servers only estimate RFC822.SIZE: a length that disagrees counts if it is so twice.
        if len(raw) != sighting.size and (not raw or raw != self._part(sighting, "BODY.PEEK[]")):
            raise Incomplete
        return raw

    def fetch_several(self, sightings: Sequence[Sighting]) -> dict[int, bytes]:
        """Read the bytes of several messages of one folder in one request; the caller bounds their size.

        Returns:
            By UID, those that came just as they were listed. The others are for `fetch_raw`, which says of
            each what is wrong with it.
        """
        first = sightings[0]
        with self._guarded():
            if not self._still(_Opened(first.folder, first.uidvalidity, None)):
                return {}
            try:
                answers = self._connected().fetch(
                    [one.uid for one in sightings], ["INTERNALDATE", "BODY.PEEK[]"]
                )
            except IMAPClientAbortError:
                raise
            except (IMAPClientError, ValueError):
                return {}
        return {
            one.uid: raw
            for one in sightings
            if (raw := _as_listed(one, answers.get(one.uid, {}))) is not None
        }

    def fetch_headers(self, sighting: Sighting, *, limit_bytes: int = 262_144) -> bytes:
        """Read the headers of a message, at most `limit_bytes` of them; for messages that are oversize.

        Raises:
            Vanished: it is no longer where it was seen.
            Incomplete: the server gave no bytes.
        """
        return self._part(sighting, f"BODY.PEEK[HEADER]<0.{limit_bytes}>")

    def fullness(self) -> float | None:
        """Say how full the first folder's mailbox is, by size or number: 1.0 is full (RFC 2087).

        Returns:
            None where the server does not say, or sets no limit.
        """
        with self._guarded():
            client = self._connected()
            if not client.has_capability("QUOTA"):
                return None
            try:
                _roots, quotas = client.get_quota_root(self._server.folders[0])
            except IMAPClientAbortError:
                raise
            except (IMAPClientError, TypeError):  # a refusal, or an answer without the list
                return None
        return max((one.usage / one.limit for one in quotas if one.limit > 0), default=None)

    def wait(self, seconds: float) -> Woken:
        """Wait for mail in the first folder, at most so long; sync every folder afterwards, whatever the answer.

        With IDLE the server says when mail came; without it this only waits. Mail that came since the
        folder was last listed ends the wait at once.
        """
        with self._guarded():
            if self._came_meanwhile():
                return Woken.MAIL
            if self._connected().has_capability("IDLE"):
                if self._listen(seconds):
                    return Woken.MAIL
            else:
                self.pause(seconds)
        self._opened = None  # a quiet folder is opened anew now and then, in case it is another by now
        return Woken.STOPPED if self._stopped.is_set() else Woken.TIME

    def pause(self, seconds: float) -> Woken:
        """Wait without listening, between tries for example; `stop` ends it."""
        if not self._stopped.is_set():
            _readable([self._bell], seconds)
        return Woken.STOPPED if self._stopped.is_set() else Woken.TIME

    def stop(self) -> None:
        """End the wait that is going on and every later one at once; from any thread or signal handler."""
        self._stopped.set()
        with contextlib.suppress(OSError):
            self._ringer.send(b"!")

    def close(self) -> None:
        """Log out and let go of the connection; the mailbox cannot be used afterwards."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(OSError, IMAPClientError):
                client.logout()
            _let_go(client)
        self._bell.close()
        self._ringer.close()

    # -- the connection

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn what libraries raise into ours, and throw the connection away when it is in doubt.

        The cause is not chained: its text can hold mail, addresses or what we logged in with.
        """
        try:
            yield
        except (MailboxUnreachable, LoginRefused):
            self._discard()
            raise
        except TokenUnreachable as error:
            self._discard()
            raise MailboxUnreachable(
                f"The identity provider that gives the access token {error}. {_SAFE} It is tried again by itself; "
                "if this lasts, check DOCKET_OAUTH_TOKEN_URL and the network."
            ) from None
        except ssl.SSLCertVerificationError as error:
            self._discard()
            raise CertificateRefused(_said(error)) from None
        except (OSError, EOFError, IMAPClientError, ValueError) as error:
            self._discard()
            raise MailboxUnreachable(_said(error)) from None
        except MemoryError:  # what is left of the answer lies in the connection still
            self._discard()
            raise

    def _discard(self) -> None:
        client, self._client, self._opened = self._client, None, None
        if client is not None:
            _let_go(client)

    def _connected(self) -> Any:
        """Give the live client; connect and log in if there is none."""
        if self._thread not in {None, threading.get_ident()}:
            raise RuntimeError("A mailbox belongs to the thread that used it first.")
        self._thread = threading.get_ident()
        if self._client is None:
            self._listed.clear()
            self._opened = None
            self._client = _dial(self._server, self._private_ca, self._patience)
            _log_in(self._client, self._server.account, self._login)
        return self._client

    def _examine(self, folder: str) -> _Opened:
        """Open a folder anew, read-only."""
        client = self._connected()
        self._opened = None
        try:
            answer = client.select_folder(folder, readonly=True)
        except IMAPClientAbortError:
            raise
        except IMAPClientError:
            raise FolderMissing(folder) from None
        if b"UIDVALIDITY" not in answer:
            raise MailboxUnreachable(f"The mail server gives no UIDVALIDITY for a folder. {_SAFE}")
        self._opened = _Opened(folder, answer[b"UIDVALIDITY"], answer.get(b"UIDNEXT"))
        return self._opened

    def _look(self, folder: str) -> tuple[_Opened, list[int]]:
        """Give a folder as it is now, and the UIDs in it, rising.

        A folder that is open is not opened again: with many mails that takes a second, and while it is
        open its UIDVALIDITY cannot change (RFC 3501, 2.3.1.1).
        """
        client, now = self._connected(), self._opened
        if now is None or now.folder != folder:
            now = self._examine(folder)
        else:
            client.noop()
        uids = sorted(client.search())
        top = uids[-1] if uids else 0
        uidnext = None if now.uidnext is None else max(now.uidnext, top + 1)
        self._opened = _Opened(folder, now.uidvalidity, uidnext, top)
        return self._opened, uids

    # -- listing

    def _to_describe(
        self, opened: _Opened, before: _Opened | None, uids: Sequence[int], seen: dict[int, set[Seen]]
    ) -> list[int]:
        """Choose the UIDs whose size and date are asked for."""
        present = [uid for uid in uids if uid in seen]
        probe = present[-_PROBED:]
        if not _continues(opened, before) or not self._agree(opened, probe, seen):
            return list(uids)
        return [uid for uid in uids if uid not in seen]

    def _agree(self, opened: _Opened, uids: Sequence[int], seen: dict[int, set[Seen]]) -> bool:
        found = self._described(opened, uids, None) if uids else []
        return all(each.seen in seen[each.uid] for each in found)

    def _described(self, opened: _Opened, uids: Sequence[int], read_from: datetime | None) -> list[Sighting]:
        with self._guarded():
            if not self._still(opened):
                return []
            answers = {uid: said for uid, said in self._describe(uids).items() if _is_described(said)}
        self._unlisted[opened.folder] |= set(uids) - answers.keys()
        return [
            self._sighting(opened, uid, answers[uid], read_from=read_from) for uid in uids if uid in answers
        ]

    def _describe(self, uids: Sequence[int]) -> dict[int, dict[bytes, Any]]:
        """Ask for size and date; one unreadable answer must not hide its neighbours, so halves are tried."""
        try:
            return dict(self._connected().fetch(list(uids), ["RFC822.SIZE", "INTERNALDATE"]))
        except (ValueError, ProtocolError):
            half = len(uids) // 2
        return {**self._describe(uids[:half]), **self._describe(uids[half:])} if half else {}

    def _sighting(
        self, opened: _Opened, uid: int, answer: dict[bytes, Any], *, read_from: datetime | None
    ) -> Sighting:
        internaldate, offset_min = _instant(answer[b"INTERNALDATE"])
        return Sighting(
            server=self._server.host,
            account=self._server.account,
            folder=opened.folder,
            uidvalidity=opened.uidvalidity,
            uid=uid,
            size=int(answer[b"RFC822.SIZE"]),
            internaldate=internaldate,
            internaldate_offset_min=offset_min,
            before_start=read_from is not None and internaldate < read_from,
        )

    def _still(self, opened: _Opened) -> bool:
        """Have that folder open; whether it is still the one that was listed."""
        self._connected()
        now = self._opened
        if now is None or now.folder != opened.folder:
            now = self._examine(opened.folder)
        return now.uidvalidity == opened.uidvalidity

    # -- one message

    def _part(self, sighting: Sighting, wanted: str) -> bytes:
        place = _Opened(sighting.folder, sighting.uidvalidity, None)
        with self._guarded():
            if not self._still(place):
                raise Vanished
            answer = self._asked(sighting.uid, wanted)
            part = next((value for key, value in answer.items() if key.startswith(b"BODY[")), None)
            if isinstance(part, bytes):
                _same_message(sighting, answer)
                return part
            there = sighting.uid in self._connected().search(["UID", str(sighting.uid)])
        if there:
            raise Incomplete
        raise Vanished

    def _asked(self, uid: int, wanted: str) -> dict[bytes, Any]:
        """Fetch a part; a refusal for this one message is an empty answer, not the end of the connection."""
        try:
            answers = self._connected().fetch([uid], ["INTERNALDATE", wanted])
        except IMAPClientAbortError:
            raise
        except (IMAPClientError, ValueError):
            return {}
        return dict(answers.get(uid, {}))

    # -- waiting

    def _came_meanwhile(self) -> bool:
        """Look into the first folder; whether there is mail that was not there when it was listed."""
        folder = self._server.folders[0]
        opened, _ = self._look(folder)
        before = self._listed.get(folder)
        return before is None or not _continues(opened, before) or opened.top > before.top

    def _listen(self, seconds: float) -> bool:
        """Listen at most so long, renewing in time; whether mail came.

        Not every server speaks of mail that came after the folder was looked at and before it was listened to, so the
        folder is looked at again: soon, then at least once a slice.
        """
        deadline, look_s = time.monotonic() + seconds, self._patience.look_s
        while (left := deadline - time.monotonic()) > 0 and not self._stopped.is_set():
            if self._idle(min(left, look_s, self._patience.renew_s)):
                return True
            if not self._stopped.is_set() and self._came_meanwhile():
                return True
            look_s = min(2 * look_s, self._patience.slice_s)
        return False

    def _idle(self, seconds: float) -> bool:
        """Listen at most so long; whether mail came."""
        client = self._connected()
        deadline = time.monotonic() + seconds
        came = _begin_idle(client)
        while not came and not self._stopped.is_set() and (left := deadline - time.monotonic()) > 0:
            if _buffered(client, self._patience.read_s):
                break
            if client.socket() in _readable([client.socket(), self._bell], min(left, self._patience.slice_s)):
                break
        _, said = client.idle_done()
        return came or _speaks_of_mail(said)


def _dial(server: MailServer, private_ca: Path | None, patience: Patience) -> Any:
    """Make a connection that checks whom it speaks to and never logs what it reads."""
    # imapclient hands every line, mail included, to its logger at DEBUG; formatting them halves its speed.
    logging.getLogger("imapclient").setLevel(logging.CRITICAL)
    client = IMAPClient(
        server.host,
        port=server.port,
        ssl=server.security is Security.TLS,
        ssl_context=trust(private_ca) if server.security is Security.TLS else None,
        timeout=SocketTimeout(connect=patience.connect_s, read=patience.read_s),
    )
    client._imap.debug = 0  # noqa: SLF001  imapclient sets 5 and offers no other way
    client.normalise_times = False  # otherwise INTERNALDATE comes as naive local time
    if server.security is Security.STARTTLS:
        _protect(client, private_ca)
    _keep_alive(client.socket())
    return client


def _protect(client: Any, private_ca: Path | None) -> None:
    """Turn a plain connection into a verified one, or give it up: nothing but STARTTLS is ever said in clear.

    A server that greets as if somebody were logged in already takes no STARTTLS; whoever sits between could
    make it look so (RFC 8314, section 3; RFC 9051, section 11.1).

    Raises:
        StartTlsRefused: the server does not offer it, or does not do it.
    """
    try:
        client.starttls(trust(private_ca))
    except IMAPClientAbortError:
        _let_go(client)
        raise
    except IMAPClientError:
        _let_go(client)
        raise StartTlsRefused from None
    except BaseException:
        _let_go(client)
        raise


def _keep_alive(sock: socket.socket) -> None:
    """Let the system notice a peer that is gone, which a silent IDLE never would."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):  # not every system has them
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _let_go(client: Any) -> None:
    with contextlib.suppress(OSError, IMAPClientError):
        client._imap.shutdown()  # noqa: SLF001  the public one also writes a log line


def _log_in(client: Any, account: str, login: Login) -> None:
    try:
        match login:
            case Password():
                _log_in_by_password(client, account, login.secret)
            case AccessToken():
                _log_in_by_token(client, account, login)
            case _:
                assert_never(login)
    except TokenRefused:
        raise LoginRefused from None
    except LoginError as error:
        # imapclient calls a lost connection a login error too; only the server's NO is a refusal.
        if isinstance(error.__context__, IMAPClientAbortError) or _code(str(error)) in _TEMPORARY:
            raise MailboxUnreachable(_text("did not take the login now")) from None
        raise LoginRefused from None


def _log_in_by_token(client: Any, account: str, login: AccessToken) -> None:
    """Show the token in force; where it is refused, a fresh one, once: tokens are withdrawn before they end."""
    try:
        client.sasl_login("XOAUTH2", _xoauth2_steps(account, login.current()))
    except LoginError as error:
        lost = isinstance(error.__context__, IMAPClientAbortError) or _code(str(error)) in _TEMPORARY
        if login.renewed is None or lost:
            raise
        client.sasl_login("XOAUTH2", _xoauth2_steps(account, login.renewed()))


def _log_in_by_password(client: Any, account: str, secret: str) -> None:
    if client.has_capability("AUTH=PLAIN"):
        client.plain_login(account, secret)
        return
    try:
        client.login(account, secret)
    except UnicodeEncodeError:  # LOGIN is ASCII only; the error's text would hold the password
        raise LoginRefused from None


def _xoauth2_steps(account: str, token: str) -> Callable[[bytes], str]:
    """Answer the first challenge with the token, and the server's explanation of a refusal with nothing."""
    answers = iter((xoauth2(account, token),))
    return lambda _challenge: next(answers, "")


def _code(text: str) -> str:
    """Find the response code of RFC 5530 in a server's answer."""
    found = re.search(r"\[([A-Z]+)", text)
    return found.group(1) if found else ""


def _begin_idle(client: Any) -> bool:
    """Start IDLE; whether the server spoke of mail before it said that it listens.

    imapclient's own `idle` raises on such a line and then cannot be used.
    """
    imap = client._imap  # noqa: SLF001  see above
    tag = client._idle_tag = imap._command("IDLE")  # noqa: SLF001
    came = False
    while (line := imap._get_response()) is not None:  # noqa: SLF001
        if imap.tagged_commands[tag]:
            raise MailboxUnreachable(_text("refused to say when mail comes"))
        came = came or bool(re.match(rb"\* \d+ (EXISTS|RECENT)", line, re.IGNORECASE))
    return came


def _buffered(client: Any, read_s: float) -> bool:
    """Whether bytes wait that were already taken from the network, which poll cannot see."""
    sock, imap = client.socket(), client._imap  # noqa: SLF001
    stream = getattr(imap, "_file", None) or imap.file
    sock.setblocking(False)
    try:
        return bool(stream.peek(1))
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    finally:
        sock.settimeout(read_s)


def _readable(sockets: Collection[socket.socket], seconds: float) -> set[socket.socket]:
    """Wait until one of the sockets can be read (or was closed), at most so long."""
    by_number = {sock.fileno(): sock for sock in sockets}
    poller = select.poll()
    for number in by_number:
        poller.register(number, select.POLLIN)
    return {by_number[number] for number, _ in poller.poll(max(0.0, seconds) * 1000)}


def _speaks_of_mail(said: Iterable[tuple[Any, ...]]) -> bool:
    """Whether lines heard during IDLE speak of a message.

    Raises:
        MailboxUnreachable: one is the server's farewell.
    """
    lines = [tuple(each) for each in said]
    if any(line and line[0] == b"BYE" for line in lines):
        raise MailboxUnreachable(_text("ended the connection"))
    return any(len(line) > 1 and line[1] in {b"EXISTS", b"RECENT"} for line in lines)


def _continues(opened: _Opened, before: _Opened | None) -> bool:
    """Whether a folder can be the same one as at the last listing, with more in it."""
    if before is None or before.uidvalidity != opened.uidvalidity:
        return False
    return (opened.uidnext or opened.top + 1) >= (before.uidnext or before.top + 1)


def _by_uid(known: Iterable[Seen]) -> dict[int, set[Seen]]:
    by_uid: dict[int, set[Seen]] = {}
    for each in known:
        by_uid.setdefault(each.uid, set()).add(each)
    return by_uid


def _is_described(answer: dict[bytes, Any]) -> bool:
    """Whether size and date are there; imapclient gives None for a date that is none."""
    return isinstance(answer.get(b"RFC822.SIZE"), int) and isinstance(answer.get(b"INTERNALDATE"), datetime)


def _as_listed(sighting: Sighting, answer: Mapping[bytes, Any]) -> bytes | None:
    """Give a message's bytes from an answer, if they are as long and as old as it was listed."""
    raw, internaldate = answer.get(b"BODY[]"), answer.get(b"INTERNALDATE")
    if not isinstance(raw, bytes) or len(raw) != sighting.size or not isinstance(internaldate, datetime):
        return None
    return raw if _instant(internaldate)[0] == sighting.internaldate else None


def _same_message(sighting: Sighting, answer: dict[bytes, Any]) -> None:
    if (
        isinstance(answer.get(b"INTERNALDATE"), datetime)
        and _instant(answer[b"INTERNALDATE"])[0] != sighting.internaldate
    ):
        raise Vanished


def _instant(internaldate: datetime) -> tuple[datetime, int]:
    """Split INTERNALDATE into the instant in UTC and the minutes east that the server wrote.

    Without a zone, which is how ``-0000`` arrives, it is UTC (RFC 5322, 3.3).
    """
    aware = internaldate if internaldate.tzinfo else internaldate.replace(tzinfo=UTC)
    offset = aware.utcoffset()
    return aware.astimezone(UTC), round(offset.total_seconds() / 60) if offset else 0


def _said(error: Exception) -> str:
    """Say in our own words what went wrong; the library's words can hold mail or secrets."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"The mail server's certificate is not trusted ({error.verify_message}). {_SAFE} If the city has a "
            "certificate authority of its own, name its file in DOCKET_MAIL_CA; otherwise ask the mail server's "
            "keeper to renew it. It is never read without this check."
        )
    if isinstance(error, TimeoutError):
        return _text("did not answer in time")
    if isinstance(error, socket.gaierror):
        return _text("has a name that cannot be found")
    if isinstance(error, ConnectionRefusedError):
        return _text("takes no connections")
    if isinstance(error, OSError | EOFError | IMAPClientAbortError):
        return _text("broke the connection")
    return _text("gave an answer that cannot be read")


def _text(what: str) -> str:
    return (
        f"The mail server {what}. {_SAFE} It is tried again by itself; if this lasts, check the host and port in "
        "DOCKET_IMAP_URL and the network."
    )
