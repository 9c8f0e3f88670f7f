"""`docket status` and `docket outbox`: does Docket work, and what waits to go out?"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import click

from bot import words
from bot.cli.common import (
    Caller,
    RecordCommand,
    iso,
    json_option,
    on_record,
    say,
    say_json,
    say_table,
)
from bot.disk import trouble
from intake.posting import HELD_IN_TEST
from store.cases import Listing, act, calendar_of, look, profile_in_force, visible_cases
from store.database import heartbeats, lease_holder
from store.outbox import Channel, State, Waiting, waiting
from store.rules.access import Deed
from store.rules.casefile import LetterState
from store.rules.errors import Refusal
from store.rules.spoken import spoken

_ALARM_MARK = "alarm:"
_TEST_MEND = "Mail goes to DOCKET_TEST_MAIL_TO only."
_SERVE_IT = "serve it by hand or by post, then record the service"
_DOCTOR = "Run docket doctor, which says what is wrong and its mend."
_START = "Start it: its service, or docket run."
MENDS: Mapping[str, str] = {
    "mailbox": f"Mail waits on its server. {_DOCTOR}",
    "mailbox-full": "Have the mail server's keeper raise the quota, or move old mail to an archive there.",
    "mail-not-handed-out": "Look into the mailbox; move back what was moved.",
    "relay": f"Letters wait and are tried again. {_DOCTOR}",
    "letters-wait": f"They are kept. Serve what is due on paper (docket packet). {_DOCTOR}",
    "slack": f"What is to be shown waits; acts work on the command line. {_DOCTOR}",
    "damaged-case": "Run docket verify, which names the first entry that is wrong, and restore it from a backup.",
    "time-stamp": "Check DOCKET_TSA_URL.",
    "no-clerk": "Give somebody the role: docket roster take PERSON clerk.",
    "no-chair": "Give somebody the role: docket roster take PERSON chair.",
    "fault": "Give the log's line `unexpected` to whoever looks after Docket. It ends an hour after the last fault.",
}
"""What to do about a trouble that stands, by its name up to a colon."""
_DONE = {
    "alive": "sign of life",
    "leader": "renewal of the lead",
    "poll": "reading of the mailbox",
    "sweep": "look over the dates",
    "backup": "backup",
    "head-mailed": "mailing of the journal's head",
    "head-stamped": "time stamp of the journal's head",
}


@dataclass(frozen=True, slots=True)
class Health:
    """How Docket stands; no content of any case.

    Attributes:
        at: when this was looked up, UTC.
        running: whether a copy leads now.
        practice: whether the record is one for practice.
        letters_waiting: letters that wait to go out.
        letters_uncertain: letters whose fate a person must find out.
        pings_waiting: what waits to be shown in Slack.
        alarms: names of the troubles that stand, with their beginning.
        done: what was done last: name to instant.
        adopted_years: years whose closures were adopted.
        test: whether this is the record of the test mode.
        letters_held: letters that test mode keeps back, as their address is not on its list.
    """

    at: datetime
    running: bool
    practice: bool
    letters_waiting: int
    letters_uncertain: int
    pings_waiting: int
    alarms: tuple[tuple[str, datetime], ...]
    done: tuple[tuple[str, datetime], ...]
    adopted_years: tuple[int, ...]
    test: bool = False
    letters_held: int = 0


def health_of(caller: Caller) -> Health:
    """Look up how Docket stands."""
    docket = caller.docket
    now = docket.clock.now()
    with docket.database.read() as session:
        letters, pings = waiting(session, Channel.MAIL), waiting(session, Channel.SLACK)
        beats = heartbeats(session)
        leads = lease_holder(session, "leader", now) is not None
        years = calendar_of(session, profile_in_force(session)[0]).adopted_years
    return Health(
        now,
        leads,
        docket.practice,
        sum(one.state is not State.UNCERTAIN for one in letters),
        sum(one.state is State.UNCERTAIN for one in letters),
        len(pings),
        tuple(
            (name.removeprefix(_ALARM_MARK), at)
            for name, (at, state) in sorted(beats.items())
            if name.startswith(_ALARM_MARK) and state != "ok"
        ),
        tuple((name, beats[name][0]) for name in _DONE if name in beats),
        tuple(sorted(years)),
        docket.test,
        sum(one.detail == HELD_IN_TEST for one in letters),
    )


@click.command("status", cls=RecordCommand)
@json_option
@on_record
def status(caller: Caller, *, as_json: bool) -> None:
    """Say whether Docket works: what was done last, what waits, what is in trouble. No content of any case.

    Ends with status 1 while an alarm stands, while Docket does not run (a practice folder may rest), and where the
    record or its disk does not answer.
    """
    found, zone = health_of(caller), caller.zone
    disk = trouble(caller.opened.settings.data_dir)
    if as_json:
        say_json(
            {
                "at": iso(found.at),
                "running": found.running,
                "practice": found.practice,
                "test": found.test,
                "letters_held": found.letters_held,
                "letters_waiting": found.letters_waiting,
                "letters_uncertain": found.letters_uncertain,
                "pings_waiting": found.pings_waiting,
                "alarms": {name: iso(at) for name, at in found.alarms},
                "disk": disk or "ok",
                "done": {name: iso(at) for name, at in found.done},
                "adopted_years": list(found.adopted_years),
            }
        )
    else:
        say(
            f"Docket {'runs' if found.running else 'does not run'}{' (practice)' if found.practice else ''}.",
            *([] if found.running or found.practice else [_START]),
            *([f"TEST MODE: letters held back: {found.letters_held}. {_TEST_MEND}"] if found.test else []),
            f"Letters: {found.letters_waiting} wait, {found.letters_uncertain} uncertain. "
            f"Slack: {found.pings_waiting} wait.",
            f"Adopted years: {', '.join(map(str, found.adopted_years)) or 'none'}.",
            *(f"Last {_DONE[name]}: {words.instant(at, zone)}" for name, at in found.done),
            *(f"ALARM {name}, since {words.instant(at, zone)}. {_mend(name)}" for name, at in found.alarms),
            *([f"ALARM disk: {disk}"] if disk else []),
        )
    if found.alarms or disk or not (found.running or found.practice):
        click.get_current_context().exit(1)


def _mend(name: str) -> str:
    return MENDS[name.partition(":")[0]]


# -- what waits to go out -----------------------------------------------------------------------------


@click.command("outbox", cls=RecordCommand)
@json_option
@on_record
def outbox_list(caller: Caller, *, as_json: bool) -> None:
    """List the letters that wait, by mail or on paper, and those whose fate is uncertain, of the cases that you may see.

    An uncertain letter is never sent again by Docket: find out whether it came, then send or serve it.
    """
    with act(caller.docket, caller.actor, Deed.SEE_DOCKET) as step:
        step.note["what"] = "outbox"
    with caller.docket.database.read() as session:
        every = waiting(session, Channel.MAIL)
    rows = [*_by_mail(caller, every), *_on_paper(caller, {one.about for one in every})]
    if as_json:
        say_json([one.shape() for one in rows])
        return
    zone = caller.zone
    say_table(
        ("Case", "Letter", "Kind", "State", "Tries", "Written", "Next try"),
        [
            (
                one.case or "-",
                str(one.letter or "-"),
                spoken(one.kind),
                spoken(one.state),
                str(one.tries),
                words.instant(one.created_at, zone),
                words.instant(one.next_try_at, zone) if one.next_try_at else "-",
            )
            for one in rows
        ],
        none="No letter waits.",
    )


@dataclass(frozen=True, slots=True)
class _Unsent:
    """A letter that did not go out yet: by mail, or on paper for a person to serve."""

    case: str
    letter: int | None
    kind: str
    state: str
    tries: int
    created_at: datetime
    next_try_at: datetime | None
    detail: str

    def shape(self) -> dict[str, object]:
        """Give it as `--json` prints it."""
        return {
            "case": self.case or None,
            "letter": self.letter,
            "kind": self.kind,
            "state": self.state,
            "tries": self.tries,
            "created_at": iso(self.created_at),
            "next_try_at": iso(self.next_try_at),
            "detail": self.detail,
        }


def _by_mail(caller: Caller, every: Sequence[Waiting]) -> Iterator[_Unsent]:
    for one in every:
        number = _number(caller, one)
        if number is not None:
            yield _Unsent(
                number,
                one.about,
                one.kind,
                one.state.value,
                one.tries,
                one.created_at,
                one.next_try_at,
                one.detail,
            )


def _on_paper(caller: Caller, by_mail: Collection[int | None]) -> Iterator[_Unsent]:
    """Give the letters on paper that nobody served yet, of the cases that the caller may see."""
    for seen in visible_cases(caller.docket, caller.actor, Listing.NOT_CLOSED):
        for one in seen.case.letters:
            queued = one.queued
            if one.state is not LetterState.QUEUED or one.id in by_mail or queued.to_role == "sender":
                continue
            yield _Unsent(
                seen.case.number, one.id, queued.letter, "on paper", 0, one.queued_at, None, _SERVE_IT
            )


def _number(caller: Caller, one: Waiting) -> str | None:
    """Give the number of a letter's case; empty where it has none, None where the caller may not know."""
    if one.case_id is None:
        return ""
    try:
        return look(caller.docket, caller.actor, one.case_id).case.number
    except Refusal:
        return None
