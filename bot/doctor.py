"""The doctor: each thing that Docket stands on is tried, and what is wrong is named with its mend (R2).

A check never raises and shows no secret, name or address. What speaks IMAP and SMTP is handed in by the
command line, which joins the mailroom.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError

from bot.connection import web_client
from bot.opening import Opened
from bot.settings import Settings
from store import journal, outbox
from store.cases import calendar_of, profile_in_force, roster_of
from store.database import head_revision, heartbeats, revision
from store.letters.catalogue import check_letterhead, check_template
from store.letters.letter import LetterKind
from store.letters.press import TemplateFault
from store.letters.specimens import specimen
from store.rules.dates import local_date
from store.rules.facts import LinkKind, Role

SCOPES = (
    "chat:write",
    "commands",
    "groups:write",
    "groups:read",
    "im:write",
    "users:read",
    "users:read.email",
    "files:write",
)
_FREE_BYTES = 2 * 1024**3
_TIGHT_BYTES = 512 * 1024**2
_POLL_AGE = timedelta(minutes=15)
_SWEEP_AGE = timedelta(minutes=10)
_BACKUP_AGE, _BACKUP_TOO_OLD = timedelta(days=2), timedelta(days=8)
_ASK_FROM_MONTH, _FAIL_FROM_MONTH = 10, 12
_EARLIEST_YEAR = 2024


class Status(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's.

    Attributes:
        check: what was looked at.
        status: how it came out.
        detail: what was seen, in plain words.
        mend: what to do; empty where nothing is to be done.
    """

    check: str
    status: Status
    detail: str
    mend: str = ""

    def as_json(self) -> dict[str, str]:
        """Give it as JSON holds it."""
        return {name: str(value) for name, value in asdict(self).items()}


Try = Callable[[], Check]


def ok(check: str, detail: str) -> Check:
    """Say that something is as it must be."""
    return Check(check, Status.OK, detail)


def warn(check: str, detail: str, mend: str) -> Check:
    """Say that something needs a look soon."""
    return Check(check, Status.WARN, detail, mend)


def fail(check: str, detail: str, mend: str) -> Check:
    """Say that something is wrong."""
    return Check(check, Status.FAIL, detail, mend)


# -- the machine ----------------------------------------------------------------------------------------


def look_at_machine(settings: Settings, now: datetime) -> Iterator[Check]:
    """Look at keys, data folder, disk and clock."""
    if settings.keys:
        yield ok("keys", f"{len(settings.keys)} key(s), outside the data folder")
    else:
        yield fail("keys", "no key is set", "Set DOCKET_KEYS; `docket init` makes one.")
    yield _data_folder(settings.data_dir)
    yield _disk(settings.data_dir)
    if now.year < _EARLIEST_YEAR:
        yield fail(
            "clock",
            f"the clock says {now:%Y-%m-%d}",
            "Set the machine's clock; turn on time synchronisation.",
        )
    else:
        yield ok("clock", f"{now:%Y-%m-%d %H:%M} UTC")


def _data_folder(folder: Path) -> Check:
    if not folder.is_dir():
        return fail("data folder", "it is not there", "Make the folder that DOCKET_DATA_DIR names.")
    mode = folder.stat().st_mode & 0o077
    probe = folder / ".doctor"
    try:
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return fail(
            "data folder",
            f"it cannot be written ({error.strerror})",
            "Give it to the account that runs Docket.",
        )
    if mode:
        return warn(
            "data folder", "other accounts of this machine can look into it", "chmod 700 the data folder."
        )
    return ok("data folder", "writable, and closed to other accounts")


def _disk(folder: Path) -> Check:
    if not folder.is_dir():
        return fail("disk", "the data folder is not there", "Make the folder that DOCKET_DATA_DIR names.")
    free = shutil.disk_usage(folder).free
    said = f"{free // 1024**2} MB free"
    if free < _TIGHT_BYTES:
        return fail("disk", said, "Free space now: with a full disk no mail is filed.")
    return warn("disk", said, "Free space soon.") if free < _FREE_BYTES else ok("disk", said)


# -- the record -----------------------------------------------------------------------------------------


def look_at_record(opened: Opened) -> Iterator[Check]:
    """Look at schema, profile, templates, closures, roster, what waits, what last worked, and the journal's head."""
    docket, now = opened.docket, opened.clock.now()
    at = revision(docket.database)
    yield (
        ok("database", f"schema {at}")
        if at == head_revision()
        else fail(
            "database", f"schema {at}, this version writes {head_revision()}", "Start this version once."
        )
    )
    with docket.database.read() as session:
        profile, digest = profile_in_force(session)
        calendar = calendar_of(session, profile)
        people = roster_of(docket, session)
        beats = heartbeats(session)
        letters = outbox.waiting(session, outbox.Channel.MAIL)
        pings = outbox.waiting(session, outbox.Channel.SLACK)
        seq, head = journal.head(session)
    today = local_date(now, profile.city.time_zone)
    yield ok("zone", f"{profile.city.zone}; today is {today}")
    yield ok("profile", f"{profile.city.name}, version {digest[:12]}")
    yield from _templates(opened)
    yield _closures(today.year, calendar.adopted_years, "closures of this year", needed=True)
    if today.month >= _ASK_FROM_MONTH:
        late = today.month >= _FAIL_FROM_MONTH
        yield _closures(today.year + 1, calendar.adopted_years, "closures of next year", needed=late)
    for role in (Role.CLERK, Role.CHAIR):
        found = people.with_role(role, today)
        yield (
            ok(f"roster: {role.value}", f"{len(found)} today")
            if found
            else fail(f"roster: {role.value}", "nobody today", "Add one: docket roster load FILE.")
        )
    voting = people.voting(today)
    seats = profile.board.seats
    yield (
        ok("roster: seats", f"{len(voting)} of {seats} filled")
        if len(voting) == seats
        else warn(
            "roster: seats", f"{len(voting)} of {seats} filled", "Record who sits, or leave the seat vacant."
        )
    )
    yield from _last_worked(beats, now)
    yield _waiting("letters that wait", letters, now)
    yield _waiting("pings that wait", pings, now)
    yield ok("journal", f"{seq} entries, head {head[:12]}; `docket verify` checks them all")


def _templates(opened: Opened) -> Iterator[Check]:
    """Press a specimen of every letter with the city's templates."""
    faults: list[str] = [
        f"letterhead: {one}" for one in check_letterhead(opened.press.template("letterhead"))
    ]
    for kind in LetterKind:
        template = opened.press.template(kind.value)
        faults += [f"{kind.value}: {one} is missing" for one in check_template(kind, template)]
        try:
            opened.press.set(specimen(kind), opened.clock.now())
        except TemplateFault as fault:
            faults.append(f"{kind.value}: line {fault.line}")
    if faults:
        mend = "Mend the template, or remove the city's copy to go back to the one supplied."
        yield fail("letter templates", "; ".join(faults), mend)
    else:
        yield ok("letter templates", f"{len(LetterKind)} letters can be set")


def _closures(year: int, adopted: Iterable[int], name: str, *, needed: bool) -> Check:
    if year in adopted:
        return ok(name, f"{year} is adopted")
    mend = f"Adopt the list for {year}: docket calendar adopt FILE --cause WORDS."
    said = f"{year} is not adopted; dates that need it are provisional"
    return fail(name, said, mend) if needed else warn(name, said, mend)


def _last_worked(beats: dict[str, tuple[datetime, str]], now: datetime) -> Iterator[Check]:
    for name, mark, age in (("last poll", "poll", _POLL_AGE), ("last sweep", "sweep", _SWEEP_AGE)):
        beat = beats.get(mark)
        if beat is None:
            yield warn(name, "never", "Start `docket run`.")
        elif now - beat[0] > age:
            yield fail(name, f"{beat[0]:%Y-%m-%d %H:%M} UTC", "See whether `docket run` runs, and its log.")
        else:
            yield ok(name, f"{beat[0]:%Y-%m-%d %H:%M} UTC")
    yield _backup_age(beats.get("backup"), now)
    troubled = sorted(name.removeprefix("alarm:") for name, (_at, state) in beats.items() if state == "alarm")
    if troubled:
        yield fail("alarms", ", ".join(troubled), "See the staff channel: each alarm says what to do.")
    else:
        yield ok("alarms", "none stands")


def _backup_age(beat: tuple[datetime, str] | None, now: datetime) -> Check:
    mend = "Take one: docket backup FOLDER. Let the machine's timetable do it each night."
    if beat is None:
        return warn("last backup", "never", mend)
    said = f"{beat[0]:%Y-%m-%d %H:%M} UTC"
    if now - beat[0] > _BACKUP_TOO_OLD:
        return fail("last backup", said, mend)
    return warn("last backup", said, mend) if now - beat[0] > _BACKUP_AGE else ok("last backup", said)


def _waiting(name: str, rows: list[outbox.Waiting], now: datetime) -> Check:
    uncertain = sum(one.state is outbox.State.UNCERTAIN for one in rows)
    if uncertain:
        return fail(name, f"{uncertain} of uncertain fate", "A person decides about each: docket outbox.")
    oldest = max((now - one.created_at for one in rows), default=timedelta(0))
    if oldest > timedelta(hours=4):
        return fail(
            name, f"{len(rows)}, the oldest since {oldest}", "See the line of the server that takes them."
        )
    return ok(name, f"{len(rows)}")


# -- Slack ----------------------------------------------------------------------------------------------


def look_at_slack(opened: Opened) -> Iterator[Check]:
    """Look at tokens, scopes, Socket Mode, the staff channel, and whether each roster person can be reached."""
    settings = opened.settings
    if settings.slack_bot_token is None or settings.slack_app_token is None:
        yield fail("Slack", "no tokens are set", "Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN.")
        return
    client = web_client(settings.slack_bot_token.get_secret_value(), settings.slack_api_url)
    try:
        answer = client.auth_test()
    except (SlackApiError, SlackRequestError, OSError) as error:
        yield fail(
            "Slack: bot token",
            _said(error),
            "Install the app again and copy the bot token, or see the network.",
        )
        return
    yield ok("Slack: bot token", "it is taken")
    granted = {one.strip() for one in str(answer.headers.get("x-oauth-scopes", "")).split(",")}
    missing = [scope for scope in SCOPES if scope not in granted]
    yield (
        fail(
            "Slack: scopes",
            f"missing: {', '.join(missing)}",
            "Add them in the app's settings and install it again.",
        )
        if missing
        else ok("Slack: scopes", "all that are used")
    )
    yield _socket_mode(settings)
    yield _staff_channel(client, settings.slack_staff_channel or "")
    yield from _reachable(opened, client, str(answer.get("team_id", "")))


def _socket_mode(settings: Settings) -> Check:
    assert settings.slack_app_token is not None
    client = web_client(settings.slack_app_token.get_secret_value(), settings.slack_api_url)
    try:
        client.apps_connections_open(app_token=settings.slack_app_token.get_secret_value())
    except (SlackApiError, SlackRequestError, OSError) as error:
        return fail(
            "Slack: app token",
            _said(error),
            "Make an app-level token with connections:write; turn on Socket Mode.",
        )
    return ok("Slack: app token", "a connection can be opened")


def _staff_channel(client: WebClient, channel: str) -> Check:
    try:
        found = client.conversations_info(channel=channel)["channel"]
    except (SlackApiError, SlackRequestError, OSError) as error:
        return fail(
            "Slack: staff channel",
            _said(error),
            "Set SLACK_STAFF_CHANNEL to the channel's id and invite the bot.",
        )
    if found.get("is_archived"):
        return fail("Slack: staff channel", "it is archived", "Name another channel in SLACK_STAFF_CHANNEL.")
    if not found.get("is_member"):
        return fail("Slack: staff channel", "the bot is not in it", "Invite the bot into the channel.")
    return ok("Slack: staff channel", "the bot is in it")


def _reachable(opened: Opened, client: WebClient, team: str) -> Iterator[Check]:
    with opened.docket.database.read() as session:
        people = roster_of(opened.docket, session)
        profile, _digest = profile_in_force(session)
    today = local_date(opened.clock.now(), profile.city.time_zone)
    for person, member in sorted(people.members.items()):
        if not member.roles(today):
            continue
        name = f"Slack: person {person}"
        accounts = [one.partition(":") for one in member.linked(LinkKind.SLACK, today)]
        users = [user for where, _sep, user in accounts if where == team]
        if not users:
            yield warn(name, "no account of this workspace", "Link one: docket roster load FILE.")
            continue
        yield _account(client, name, users[0])


def _account(client: WebClient, name: str, user: str) -> Check:
    try:
        found = client.users_info(user=user)["user"]
    except (SlackApiError, SlackRequestError, OSError) as error:
        return fail(name, _said(error), "Correct the account in the roster.")
    if found.get("deleted"):
        return fail(name, "the account is deactivated", "Record that he left, or link another account.")
    if found.get("is_restricted") or found.get("is_ultra_restricted"):
        return fail(name, "the account is a guest's", "Make it a full member's; guests get nothing.")
    return ok(name, "can be reached")


def _said(error: Exception) -> str:
    """Word what Slack or the network answered, without a token."""
    if isinstance(error, SlackApiError):
        return str(error.response.get("error", "an error"))
    return f"no answer ({type(error).__name__})"
