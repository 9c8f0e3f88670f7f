"""What the record says of itself: schema, profile, templates, closures, roster, what waits, what last worked."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from bot.doctor.checks import Check, fail, ok, warn
from bot.opening import Opened
from bot.settings import Settings
from store import journal, outbox
from store.cases import calendar_of, profile_in_force, roster_of
from store.database import RecordUnavailable, connect, head_revision, heartbeats, known_revisions, revision
from store.letters.catalogue import check_letterhead, check_template
from store.letters.letter import LetterKind
from store.letters.press import TemplateFault
from store.letters.specimens import specimen
from store.roles import Standing as RoleStanding
from store.roles import standing
from store.rules.counted import counted
from store.rules.dates import local_date
from store.rules.errors import Refusal
from store.rules.facts import Role
from store.rules.ordinance import Profile, Standing, parse_profile

_POLL_AGE = timedelta(minutes=15)
_SWEEP_AGE = timedelta(minutes=10)
_OUTBOX_AGE = timedelta(hours=4)
_BACKUP_AGE, _BACKUP_TOO_OLD = timedelta(days=2), timedelta(days=8)
_ASK_FROM_MONTH, _FAIL_FROM_MONTH = 10, 12
_CHECKED_ENTRIES = 200
_RUN = "Start `docket run`; under systemd: systemctl restart docket, and read: journalctl -u docket -n 50."


def look_at_database(settings: Settings) -> Check:
    """Look at the database without changing it: does it answer, and is its schema this version's?"""
    url = settings.database_url.get_secret_value()
    if url.startswith("sqlite") and not Path(url.removeprefix("sqlite:///")).exists():
        return schema_check(None, head_revision(), ())
    database = connect(url)
    try:
        at = revision(database)
        known = known_revisions()
    except RecordUnavailable as error:
        return fail("database", _first(error), _rest(error))
    finally:
        database.engine.dispose()
    return schema_check(at, head_revision(), known)


def schema_check(at: str | None, head: str, known: Collection[str]) -> Check:
    """Judge the schema that a database is at.

    Args:
        at: its revision; None for an empty database.
        head: the revision that this version writes.
        known: every revision that this version has known.
    """
    if at is None:
        return ok("database", f"new and empty; schema {head} is made at the first opening")
    if at == head:
        return ok("database", f"it answers; schema {at}")
    if at in known:
        return fail(
            "database",
            f"its schema is {at}, this version writes {head}: the upgrade is not done",
            "Back up first: `docket backup FOLDER`. Then `docket schema` brings it up, in one transaction.",
        )
    return fail(
        "database",
        f"its schema {at} is of a newer version of Docket; this one knows up to {head}",
        "Run the newer version again, or restore a backup that was made before the upgrade into a new place: docket restore --help.",
    )


def look_at_profile_file(path: Path) -> Check:
    """Read the ordinance profile that the settings name."""
    name = "profile file"
    try:
        profile = parse_profile(path.read_text(encoding="utf-8"))
    except OSError as error:
        said = (error.strerror or "an error").lower()
        return fail(name, f"it cannot be read ({said})", "Check DOCKET_PROFILE and who may read the file.")
    except UnicodeDecodeError:
        return fail(name, "it is not UTF-8 text", "Save the file as UTF-8.")
    except Refusal as refusal:
        return fail(name, refusal.says, refusal.mend or "Mend the file that DOCKET_PROFILE names.")
    return _standing(name, profile)


def _standing(name: str, profile: Profile) -> Check:
    if profile.standing is Standing.IN_FORCE:
        return ok(name, f"{profile.city.name}, in force")
    return warn(
        name,
        f"{profile.city.name}; it says of itself that it is an example",
        'Have counsel put in the ordinance\'s own text; then set standing = "in_force".',
    )


def _first(error: Exception) -> str:
    return str(error).partition(". ")[0]


def _rest(error: Exception) -> str:
    return str(error).partition(". ")[2]


def look_at_record(opened: Opened) -> Iterator[Check]:
    """Look at profile, templates, closures, roster, what waits, what last worked, and the journal's head."""
    docket, now = opened.docket, opened.clock.now()
    with docket.database.read() as session:
        profile, digest = profile_in_force(session)
        calendar = calendar_of(session, profile)
        people = roster_of(docket, session)
        beats = heartbeats(session)
        letters = outbox.waiting(session, outbox.Channel.MAIL)
        pings = outbox.waiting(session, outbox.Channel.SLACK)
        seq, head = journal.head(session)
        fault = journal.verify_newest(session, docket.keyring, _CHECKED_ENTRIES)
        stands = None if docket.database.is_sqlite else standing(session)
    today = local_date(now, profile.city.time_zone)
    if stands is not None:
        yield _role(stands)
    yield ok("zone", f"{profile.city.zone}; today is {today}")
    yield ok("profile", f"{profile.city.name}, version {digest[:12]}")
    yield from _board_rules(profile)
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
            else fail(f"roster: {role.value}", "nobody today", "Add one: `docket roster load FILE`.")
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
    yield _journal(fault, seq, head)


def _role(role: RoleStanding) -> Check:
    """Judge the role under which Docket works on PostgreSQL (C5)."""
    name = "database: role"
    if role.lacks:
        return fail(
            name,
            f"it lacks rights on {', '.join(role.lacks)}",
            "As the tables' owner run in psql what `docket grants ROLE` prints; again after each new version.",
        )
    if role.owns:
        return warn(
            name,
            "it owns the record's tables, and could take their guards away",
            "Let Docket work as a role of its own: see `docket grants ROLE`, and put it into DOCKET_DATABASE_URL.",
        )
    return ok(name, "it adds to the record, and can take nothing away")


def _board_rules(profile: Profile) -> Iterator[Check]:
    """Say so where ballots may be taken outside meetings (B4)."""
    if not profile.board.ballots_only_in_meetings:
        yield warn(
            "profile: ballots",
            "ballots may be opened outside a recorded meeting",
            "Only a body outside the Open Meetings Act may do so (KRS 61.805 to 61.850); ask counsel.",
        )


def _journal(fault: journal.ChainFault | None, seq: int, head: str) -> Check:
    if fault is not None:
        return fail(
            "journal head",
            f"entry {fault.seq}: {fault.says}",
            "Stop Docket, keep everything as it is, run `docket verify`, and compare with the last backup.",
        )
    said = f"{counted(seq, 'entry', 'entries')}, head {head[:12]}; the newest {min(seq, _CHECKED_ENTRIES)} fit together"
    return ok("journal head", f"{said} (`docket verify` checks all)")


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
            faults.append(f"{kind.value}: line {fault.line} cannot be set")
    if faults:
        mend = "Mend the template, or remove the city's copy to go back to the one supplied."
        yield fail("letter templates", "; ".join(faults), mend)
    else:
        yield ok("letter templates", f"{counted(len(LetterKind), 'letter')} can be set")


def _closures(year: int, adopted: Iterable[int], name: str, *, needed: bool) -> Check:
    if year in adopted:
        return ok(name, f"{year} is adopted")
    mend = (
        f"Have the clerk adopt the list for {year}: in Slack /ethics calendar, or `docket calendar adopt FILE "
        "--cause WORDS`."
    )
    said = f"{year} is not adopted; dates that need it are provisional"
    return fail(name, said, mend) if needed else warn(name, said, mend)


def _last_worked(beats: dict[str, tuple[datetime, str]], now: datetime) -> Iterator[Check]:
    for name, mark, age in (("last poll", "poll", _POLL_AGE), ("last sweep", "sweep", _SWEEP_AGE)):
        beat = beats.get(mark)
        if beat is None:
            yield warn(name, "never", _RUN)
        elif now - beat[0] > age:
            yield fail(name, f"{beat[0]:%Y-%m-%d %H:%M} UTC", _RUN)
        else:
            yield ok(name, f"{beat[0]:%Y-%m-%d %H:%M} UTC")
    yield _backup_age(beats.get("backup"), now)
    troubled = sorted(name.removeprefix("alarm:") for name, (_at, state) in beats.items() if state == "alarm")
    if troubled:
        yield fail("alarms", ", ".join(troubled), "See the staff channel: each alarm says what to do.")
    else:
        yield ok("alarms", "none stands")


def _backup_age(beat: tuple[datetime, str] | None, now: datetime) -> Check:
    mend = "Take one: `docket backup FOLDER`. Let a timer do it each night: bot/deploy/docket-backup.timer."
    if beat is None:
        return warn("last backup", "never", mend)
    said = f"{beat[0]:%Y-%m-%d %H:%M} UTC"
    if now - beat[0] > _BACKUP_TOO_OLD:
        return fail("last backup", said, mend)
    return warn("last backup", said, mend) if now - beat[0] > _BACKUP_AGE else ok("last backup", said)


def _waiting(name: str, rows: list[outbox.Waiting], now: datetime) -> Check:
    uncertain = sum(one.state is outbox.State.UNCERTAIN for one in rows)
    if uncertain:
        return fail(name, f"{uncertain} of uncertain fate", "A person decides about each: `docket outbox`.")
    oldest = max((now - one.created_at for one in rows), default=timedelta(0))
    if oldest > _OUTBOX_AGE:
        return fail(
            name,
            f"{len(rows)}, the oldest for {counted(oldest // timedelta(hours=1), 'hour')}",
            "See the line of the relay here for letters, of Slack for pings. Nothing is lost; it goes out by itself.",
        )
    return ok(name, f"{len(rows)}")
