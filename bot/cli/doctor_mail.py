"""What the doctor tries of the mail: mailbox and relay, each step a line of its own. Nothing is changed or sent."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

from bot.doctor import Check, Status, fail, ok, warn
from bot.network_words import network_fault
from bot.settings import Settings
from intake.mail_login import trust
from intake.mail_urls import MailServer, Security
from intake.mailbox import FolderMissing, LoginRefused, Mailbox, MailboxUnreachable
from intake.smtp import Hitch, SmtpPostman
from store.cases import Docket
from store.proceedings.mail import known_spots

_TIMEOUT_S = 20.0
NEARLY_FULL = 0.9
"""From which share on a mailbox is called nearly full."""
_CERTIFICATE_WARN = timedelta(days=14)


def reached(name: str, whom: str, server: MailServer, private_ca: Path | None, now: datetime) -> Check:
    """Connect, and look at the certificate; nothing is said to the server.

    Args:
        name: the line's name.
        whom: the server, as a person calls it.
        server: where it is.
        private_ca: certificates to trust beside the system's own.
        now: the machine's instant, UTC, against which the certificate's end is held.
    """
    try:
        with socket.create_connection((server.host, server.port), timeout=_TIMEOUT_S) as plain:
            if server.security is not Security.TLS:
                return ok(name, "it answers")
            with trust(private_ca).wrap_socket(plain, server_hostname=server.host) as protected:
                certificate = protected.getpeercert() or {}
    except (OSError, UnicodeError) as error:
        return fail(name, *network_fault(error, whom))
    ends = parsedate_to_datetime(str(certificate.get("notAfter", ""))).astimezone(UTC)
    said = f"it answers over TLS; its certificate is good until {ends:%Y-%m-%d}"
    if ends - now < _CERTIFICATE_WARN:
        return warn(name, said, "Have the server's keeper renew the certificate.")
    return ok(name, said)


# -- the mailbox -----------------------------------------------------------------------------------------


def look_at_mailbox(
    settings: Settings, mailbox: Mailbox | None, docket: Docket, line: Check
) -> Iterator[Check]:
    """Look at login, folders, IDLE and UIDVALIDITY.

    Args:
        settings: what is set.
        mailbox: the mailbox; None where its account or secret is not set.
        docket: the record, which knows what was read before.
        line: how the connection came out; without one nothing else is tried.
    """
    yield line
    if settings.imap_since is None:
        yield fail(
            "mailbox: starting date",
            "it is not set",
            "Set DOCKET_IMAP_SINCE to the day from which mail is read; older mail is left alone and never answered.",
        )
    if mailbox is None:
        yield fail("mailbox: login", "no password is set", "Set DOCKET_IMAP_PASSWORD in .env.")
        return
    with mailbox:
        if line.status is not Status.FAIL:
            yield from _inside(mailbox, docket)


def _inside(mailbox: Mailbox, docket: Docket) -> Iterator[Check]:
    try:
        can = mailbox.connect()
    except LoginRefused:
        yield fail(
            "mailbox: login",
            "the server refuses account or password",
            "Check the account in DOCKET_IMAP_URL and DOCKET_IMAP_PASSWORD; Microsoft and Google want an app "
            "password or a token. No mail is lost meanwhile.",
        )
        return
    except MailboxUnreachable as fault:
        yield fail("mailbox: login", *_halves(str(fault)))
        return
    yield ok("mailbox: login", "the server lets us in")
    yield (
        ok("mailbox: IDLE", "the server says when mail comes")
        if "IDLE" in can
        else warn(
            "mailbox: IDLE",
            "the server does not say when mail comes",
            "Nothing need be done: the mailbox is read every few minutes instead.",
        )
    )
    for folder in mailbox.folders:
        yield from _folder(mailbox, folder, docket)
    yield from _quota(mailbox)


def _quota(mailbox: Mailbox) -> Iterator[Check]:
    """Look how full the mailbox is (RFC 2087); a server that does not say gets no line."""
    try:
        share = mailbox.fullness()
    except (MailboxUnreachable, LoginRefused) as fault:
        yield fail("mailbox: quota", *_halves(str(fault)))
        return
    if share is None:
        return
    said = f"{share:.0%} full"
    mend = "Have its keeper raise the quota, or move old mail to an archive there: a full one turns complaints away."
    if share >= 1:
        yield fail("mailbox: quota", said, mend)
    elif share >= NEARLY_FULL:
        yield warn("mailbox: quota", said, mend)
    else:
        yield ok("mailbox: quota", said)


def _folder(mailbox: Mailbox, folder: str, docket: Docket) -> Iterator[Check]:
    name, now = f"mailbox: folder {folder}", set[int]()

    def remember(_folder: str, uidvalidity: int) -> tuple[()]:
        now.add(uidvalidity)
        return ()

    try:
        next(iter(mailbox.sync(folder, remember, read_from=None)), None)
    except FolderMissing:
        yield fail(
            name,
            "the server does not open it",
            "Check the folder's name in DOCKET_IMAP_URL, and that the account may read it.",
        )
        return
    except (MailboxUnreachable, LoginRefused) as fault:
        yield fail(name, *_halves(str(fault)))
        return
    yield ok(name, "it can be read")
    before = {spot.uidvalidity for spot in known_spots(docket, *mailbox.place, folder)}
    if before and not before & now:
        yield warn(
            f"mailbox: UIDVALIDITY of {folder}",
            "the folder was made anew since it was last read",
            "Ask the server's keeper why. Each message is read again, and none is filed twice.",
        )
    else:
        yield ok(f"mailbox: UIDVALIDITY of {folder}", "the same as before" if before else "not read before")


def _halves(text: str) -> tuple[str, str]:
    """Part what happened from what to do."""
    first, _, rest = text.partition(". ")
    return first, rest


# -- the relay -------------------------------------------------------------------------------------------

_RELAY_LINES = {
    Hitch.CONNECTION: ("relay: connection", "it answers"),
    Hitch.LOGIN: ("relay: login", "the relay lets us in"),
    Hitch.SENDER: ("relay: sender", "the relay takes the Board's address as sender"),
    Hitch.TAGGED_SENDER: (
        "relay: envelope sender",
        "the relay takes the sender with a token, to which bounces go",
    ),
    Hitch.PLUS_ADDRESS: (
        "relay: plus-address",
        "the relay takes the address with a token, to which answers go",
    ),
}
_RELAY_MENDS = {
    Hitch.CONNECTION: "Check DOCKET_SMTP_URL and the network.",
    Hitch.CERTIFICATE: (
        "Where the city has an authority of its own, name its certificates' file in DOCKET_MAIL_CA; otherwise have "
        "the relay's keeper renew it, and write the host in DOCKET_SMTP_URL as the certificate names it."
    ),
    Hitch.LOGIN: "Check the account in DOCKET_SMTP_URL and DOCKET_SMTP_PASSWORD.",
    Hitch.SENDER: "Have the relay's keeper let this account send as DOCKET_MAIL_FROM.",
    Hitch.TAGGED_SENDER: (
        "Have the relay's keeper allow it, or set DOCKET_PLUS_ADDRESSES=no: bounces are then matched by the letter "
        "that they return."
    ),
    Hitch.PLUS_ADDRESS: (
        "Have plus-addresses (sub-addressing) turned on for the Board's mailbox, or set DOCKET_PLUS_ADDRESSES=no: "
        "answers are then matched by the letter they answer, and by number and check code."
    ),
}
_ONLY_A_WARNING = frozenset({Hitch.TAGGED_SENDER, Hitch.PLUS_ADDRESS})


def look_at_relay(settings: Settings, postman: SmtpPostman | None, line: Check) -> Iterator[Check]:
    """Look at login, sender, sender with a token and plus-address, without sending anything.

    Args:
        settings: what is set.
        postman: the way to the relay; None where its address is not set.
        line: how the connection came out; without one nothing else is tried.
    """
    if postman is None or settings.mail_from is None or line.status is Status.FAIL:
        yield line
        return
    found = dict(postman.hitches(settings.mail_from))
    if Hitch.CERTIFICATE in found:
        yield fail("relay: connection", found[Hitch.CERTIFICATE], _RELAY_MENDS[Hitch.CERTIFICATE])
        return
    for hitch, (name, well) in _RELAY_LINES.items():
        if hitch in _ONLY_A_WARNING and not settings.plus_addresses:
            yield ok(name, "not used (DOCKET_PLUS_ADDRESSES=no)")
            continue
        if hitch not in found:
            yield line if hitch is Hitch.CONNECTION else ok(name, well)
            continue
        say = warn if hitch in _ONLY_A_WARNING else fail
        yield say(name, found[hitch], _RELAY_MENDS[hitch])
        if hitch in {Hitch.CONNECTION, Hitch.LOGIN}:
            return
