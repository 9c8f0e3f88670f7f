"""`docket doctor`: what is wrong, and how to mend it; one line a check."""

import logging
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from bot.cli.common import data_option, json_option, say, say_json
from bot.cli.doctor_mail import look_at_mailbox, look_at_relay, reached
from bot.cli.mail_doctor import look_at_sending_domain
from bot.cli.mail_servers import mail_servers, server_of
from bot.cli.mailroom import roots_of
from bot.clock import SystemClock, clock_of
from bot.disk import FreeBytes, free_bytes
from bot.doctor import (
    Check,
    Status,
    fail,
    look_at_database,
    look_at_machine,
    look_at_profile_file,
    look_at_record,
    look_at_slack,
    look_at_stamping,
    ok,
    warn,
)
from bot.errors import StartFault
from bot.opening import Opened, opened
from bot.settings import ENV_FILE, Settings, load_settings
from intake.pdf.trust import NO_ROOTS
from store.ports import Clock
from store.rules.counted import counted

_COMMAND = re.compile(r"`docket ([^`]+)`")
"""How the mends write a command of ours: between backticks, so that the folder can be put to it."""
_MARKS = {Status.OK: "ok  ", Status.WARN: "warn", Status.FAIL: "FAIL"}


@click.command("doctor")
@data_option
@json_option
def doctor(data: Path | None, *, as_json: bool) -> None:
    """Try each thing that Docket stands on, live; nothing is sent or changed in the mailbox.

    One line a check: ok, warn or FAIL, and under it what to do. Ends with status 1 if something is wrong.
    """
    logging.getLogger("slack_sdk").setLevel(logging.CRITICAL)  # its words are in the line that tells of it
    found: list[Check] = []
    for seen in examine(data):
        one = _placed(seen, data)
        found.append(one)
        if not as_json:
            say(f"{_MARKS[one.status]}  {one.check}: {one.detail}")
            if one.mend:
                say(f"      {one.mend}")
    if as_json:
        say_json([one.as_json() for one in found])
    sys.exit(1 if any(one.status is Status.FAIL for one in found) else 0)


def examine(
    data: Path | None, *, machine: Clock | None = None, free: FreeBytes = free_bytes
) -> Iterator[Check]:
    """Make every check, as each comes out.

    Args:
        data: a folder that holds `.env`; None for the `.env` of the present folder and the environment.
        machine: the machine's own clock, which is held against Slack's and against certificates.
        free: gives the free bytes of a folder's disk.
    """
    machine = machine or SystemClock()
    try:
        settings = load_settings(data / ".env" if data else None)
    except StartFault as fault:
        yield from (_setting(line) for line in fault.lines)
        return
    yield _settings_file((data or Path()) / ENV_FILE)
    if settings.test_mode:
        yield _test_mode(settings)
    yield from look_at_machine(settings, machine.now(), free)
    profile, database = look_at_profile_file(settings.profile), look_at_database(settings)
    yield from (profile, database)
    if Status.FAIL in {profile.status, database.status} or not settings.keys:
        yield from _without_record(settings, machine)
        return
    try:
        record = opened(settings, clock_of(settings.data_dir))
    except StartFault as fault:
        said, _, mend = " ".join(fault.lines).partition(". ")
        yield fail("keys" if "DOCKET_KEYS" in said + mend else "record", said, mend)
        yield from _without_record(settings, machine)
        return
    try:
        yield from look_at_record(record)
        yield _roots(settings)
        yield from _stamping(record)
        yield from _mailbox(settings, record, machine)
        yield from _relay(settings, machine)
        yield from look_at_sending_domain(settings)
        yield from look_at_slack(record, machine)
    finally:
        record.docket.database.engine.dispose()
        record.press.close()


def _placed(one: Check, data: Path | None) -> Check:
    """Let the commands of a mend name the folder that was looked at, so that they can be typed as they stand."""
    if data is None:
        return one
    folder = shlex.quote(str(data))

    def whole(found: re.Match[str]) -> str:
        command = found.group(1)
        return f"`docket init {folder}`" if command == "init" else f"`docket {command} --data {folder}`"

    return replace(one, mend=_COMMAND.sub(whole, one.mend))


def _setting(line: str) -> Check:
    """Make a line of a fault of the settings: its name, what is wrong, and the mend."""
    name, _, rest = line.partition(" ")
    known = name.isupper()
    said, _, mend = (rest if known else line).partition(". ")
    return fail(f"settings: {name}" if known else "settings", said, mend)


def _settings_file(env: Path) -> Check:
    """Look whether whoever has an account on this machine could read the keys."""
    if env.is_file() and env.stat().st_mode & 0o007:
        return warn(
            "settings",
            "all are readable, also by every other account of this machine, and the keys stand among them",
            f"chmod 600 {env}, and `docket keys rotate` if somebody may have looked.",
        )
    return ok("settings", "all are readable")


def _test_mode(settings: Settings) -> Check:
    """Say that this is the record of the test mode, and who gets mail from it."""
    held = [one for one in settings.alert_to if not settings.may_mail(one)]
    alarms = "; alarms by mail are held back as well" if held else ""
    return warn(
        "test mode",
        f"it is on: another record, everything marked TEST, mail to {counted(len(settings.test_mail_to), 'entry', 'entries')}{alarms}",
        "Take DOCKET_TEST_MODE out of .env to work on the real record. Who gets mail: DOCKET_TEST_MAIL_TO.",
    )


def _without_record(settings: Settings, machine: Clock) -> Iterator[Check]:
    """Look at what can be looked at while the record cannot be opened."""
    yield _roots(settings)
    yield from _relay(settings, machine)


def _roots(settings: Settings) -> Check:
    if settings.trust_roots is None:
        return warn(
            "trust roots",
            "none: intact signatures are called untrusted, which is no rejection",
            "Name a folder of certificates in DOCKET_TRUST_ROOTS, if the city wants them checked.",
        )
    try:
        roots = roots_of(settings)
    except StartFault as fault:
        said, _, mend = str(fault).partition(". ")
        return fail("trust roots", said, mend)
    return ok(
        "trust roots",
        f"{counted(len(roots.anchors), 'root')}, {counted(len(roots.revocation_lists), 'revocation list')}",
    )


def _stamping(record: Opened) -> Iterator[Check]:
    try:
        roots = roots_of(record.settings)
    except StartFault:  # told by the line of the trust roots
        roots = NO_ROOTS
    yield from look_at_stamping(record, roots.anchors, roots.intermediates)


def _mailbox(settings: Settings, record: Opened, machine: Clock) -> Iterator[Check]:
    if settings.imap_url is None:
        yield fail("mailbox: connection", "no mailbox is set", "Set DOCKET_IMAP_URL in .env.")
        return
    server = server_of(settings.imap_url)
    line = reached("mailbox: connection", "the mail server", server, settings.mail_ca, machine.now())
    yield from look_at_mailbox(settings, mail_servers(settings).mailbox(), record.docket, line)


def _relay(settings: Settings, machine: Clock) -> Iterator[Check]:
    if settings.smtp_url is None or settings.mail_from is None:
        yield fail(
            "relay: connection", "no relay is set", "Set DOCKET_SMTP_URL and DOCKET_MAIL_FROM in .env."
        )
        return
    server = server_of(settings.smtp_url)
    line = reached("relay: connection", "the relay", server, settings.mail_ca, machine.now())
    yield from look_at_relay(settings, mail_servers(settings).postman(), line)
