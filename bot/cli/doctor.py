"""`docket doctor`: what is wrong, and how to mend it; one line a check."""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from bot.cli.common import data_option, json_option, say, say_json
from bot.cli.mail_servers import mail_servers
from bot.cli.mailroom import roots_of
from bot.clock import clock_of
from bot.doctor import Check, Status, fail, look_at_machine, look_at_record, look_at_slack, ok, warn
from bot.errors import StartFault
from bot.opening import Opened, opened
from bot.settings import Settings, load_settings
from intake.mailbox import FolderMissing, LoginRefused, Mailbox, MailboxUnreachable

_MARKS = {Status.OK: "ok  ", Status.WARN: "warn", Status.FAIL: "FAIL"}


@click.command("doctor")
@data_option
@json_option
def doctor(data: Path | None, *, as_json: bool) -> None:
    """Try each thing that Docket stands on, live. Ends with status 1 if something is wrong."""
    logging.getLogger("slack_sdk").setLevel(logging.CRITICAL)  # its words are in the line that tells of it
    checks = list(_all(data))
    if as_json:
        say_json([one.as_json() for one in checks])
    else:
        for one in checks:
            say(f"{_MARKS[one.status]}  {one.check}: {one.detail}")
            if one.mend:
                say(f"      {one.mend}")
    sys.exit(1 if any(one.status is Status.FAIL for one in checks) else 0)


def _all(data: Path | None) -> Iterator[Check]:
    try:
        settings = load_settings(data / ".env" if data else None)
    except StartFault as fault:
        for line in fault.lines:
            yield fail("settings", line, "")
        return
    yield ok("settings", "all are readable")
    clock = clock_of(settings.data_dir)
    yield from look_at_machine(settings, clock.now())
    try:
        record = opened(settings, clock)
    except StartFault as fault:
        yield fail("record", " ".join(fault.lines), "")
        return
    try:
        yield from look_at_record(record)
        yield _roots(record)
        yield _mailbox(settings)
        yield _relay(settings)
        yield from look_at_slack(record)
    finally:
        record.docket.database.engine.dispose()
        record.press.close()


def _roots(record: Opened) -> Check:
    if record.settings.trust_roots is None:
        return warn(
            "trust roots",
            "none: intact signatures are called untrusted, which is no rejection",
            "Name a folder of certificates in DOCKET_TRUST_ROOTS, if the city wants them checked.",
        )
    try:
        roots = roots_of(record.settings)
    except StartFault as fault:
        return fail("trust roots", str(fault), "")
    return ok(
        "trust roots", f"{len(roots.anchors)} root(s), {len(roots.revocation_lists)} revocation list(s)"
    )


def _mailbox(settings: Settings) -> Check:
    if settings.imap_url is None:
        return fail("mailbox", "no mailbox is set", "Set DOCKET_IMAP_URL.")
    mailbox = mail_servers(settings).mailbox()
    if mailbox is None:
        return fail("mailbox", "its password is not set", "Set DOCKET_IMAP_PASSWORD.")
    if settings.imap_since is None:
        return fail(
            "mailbox", "no starting date is set", "Set DOCKET_IMAP_SINCE to the day from which mail is read."
        )
    return _tried(mailbox)


def _tried(mailbox: Mailbox) -> Check:
    try:
        with mailbox:
            can = mailbox.connect()
            for folder in mailbox.folders:
                next(iter(mailbox.sync(folder, lambda _folder, _uidvalidity: (), read_from=None)), None)
    except FolderMissing as fault:
        return fail("mailbox: folder", str(fault), "")
    except LoginRefused as fault:
        return fail("mailbox: login", str(fault), "")
    except MailboxUnreachable as fault:
        return fail("mailbox", str(fault), "")
    if "IDLE" not in can:
        return warn(
            "mailbox", "it can be read, but says nothing by itself (no IDLE)", "Mail is found within minutes."
        )
    return ok("mailbox", "it can be read, and says when mail comes")


def _relay(settings: Settings) -> Check:
    postman = mail_servers(settings).postman()
    if postman is None or settings.mail_from is None:
        return fail("relay", "no relay is set", "Set DOCKET_SMTP_URL and DOCKET_MAIL_FROM.")
    found = postman.probe(settings.mail_from)
    return (
        ok("relay", "it takes our sender")
        if not found
        else fail("relay", found, "See DOCKET_SMTP_URL and the relay.")
    )
