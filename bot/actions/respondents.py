"""Parties: each is named with office and addresses, corrected, or leaves; a respondent is a track of its own (A)."""

from dataclasses import replace
from datetime import date

from slack_bolt import App

from bot import blocks, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form, opens, turns
from bot.payloads import NOBODY, Click, Submission, Target
from store.cases import Actor, Look
from store.proceedings.parties import correct_party, name_party, no_respondent, remove_party
from store.rules.access import Deed
from store.rules.casefile import Party
from store.rules.errors import BadInput, NotNow
from store.rules.facts import PartyNamed, PartyRole

ACTION_ID = Do.NAME_RESPONDENTS
ROLE, NAME, OFFICE, EMAIL, POSTAL, OF, REASON = "role", "name", "office", "email", "postal", "of", "reason"
COURSE, SINCE, UNTIL, LEAVES = "course", "since", "until", "leaves"
_COURSES = (
    ("corrected", "What stands below is right"),
    (LEAVES, "Is a party no longer: named in error, or no longer counsel"),
)
_ROLES = (
    (PartyRole.RESPONDENT.value, "Respondent: officer or employee of the city"),
    (PartyRole.RESPONDENT_COUNSEL.value, "Counsel of a respondent"),
    (PartyRole.COMPLAINANT.value, "Complainant"),
    (PartyRole.COMPLAINANT_COUNSEL.value, "Counsel of a complainant"),
)


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the form for one party."""
    seen = desk.look(actor, click.target.number, Deed.NAME_PARTY)
    whom = [(str(one.id), blocks.clip(one.named.name, 70)) for one in seen.case.parties if not one.left]
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* One at a time; each respondent has dates of his own. "
            "Counsel and further complainants are named here as well."
        ),
        blocks.select(ROLE, "What is this person to the complaint?", _ROLES, initial=_ROLES[0][0]),
        *_fields(PartyNamed(PartyRole.RESPONDENT, "")),
        blocks.select(OF, "Counsel of whom?", [(NOBODY, "nobody: not counsel"), *whom], initial=NOBODY),
        *_represents_between(None, None),
    ]
    return form(ACTION_ID, "Name a respondent", "Name", click=click, of=made)


def _fields(known: PartyNamed) -> list[Json]:
    """Draw what every party has."""
    return [
        blocks.text_input(NAME, "Name", limit=300, initial=known.name),
        blocks.text_input(OFFICE, "Office or position", optional=True, limit=300, initial=known.office),
        blocks.text_input(
            EMAIL,
            "E-mail addresses",
            lines=True,
            optional=True,
            hint="One a line. Without one, letters go on paper.",
            limit=900,
            initial="\n".join(known.emails),
        ),
        blocks.text_input(
            POSTAL, "Postal address", lines=True, optional=True, limit=600, initial=known.postal
        ),
    ]


def _represents_between(since: date | None, until: date | None) -> list[Json]:
    return [
        blocks.date_input(day, label, optional=True, initial=known.isoformat() if known else "")
        for day, label, known in (
            (SINCE, "Counsel from (if known)", since),
            (UNTIL, "Counsel until (if it ends)", until),
        )
    ]


def read(submission: Submission) -> PartyNamed:
    """Read a new party from the submitted form."""
    new = PartyNamed(
        submission.one_of(ROLE, PartyRole),
        "",
        represents=submission.id_or_nobody(OF),
        since=submission.day(SINCE),
        until=submission.day(UNTIL),
    )
    return _typed(submission, new)


def _typed(submission: Submission, known: PartyNamed) -> PartyNamed:
    return replace(
        known,
        name=submission.text(NAME, 300),
        office=submission.text(OFFICE, 300),
        emails=tuple(submission.text(EMAIL, 900).replace(",", " ").split()),
        postal=submission.text(POSTAL, 600),
    )


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the party."""
    name_party(desk.docket, actor, submission.target.number, read(submission))
    return f"Recorded in case {submission.target.number}. Name the next one with the same button."


def view_parties(desk: Desk, actor: Actor, click: Click) -> Json:
    """List the parties that there are now, for the one person who asked, each with a way to change it."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    present = [one for one in seen.case.parties if not one.left]
    if not present:
        raise NotNow(
            "No party is named yet.", clause="A-forward", mend="Name the complainant or a respondent first."
        )
    made = [
        blocks.said(
            f"{words.PARTY_ROLES[one.role]}: {blocks.name(one.named.name)}",
            accessory=blocks.button("Change", Do.CHANGE_PARTY, Target(seen.case.number, one.id).text()),
        )
        for one in present
    ]
    return blocks.modal("Parties", blocks.paged(made, click.target, Do.TURN_PARTIES))


def view_change(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw one party as it stands, to be corrected, or to leave the case."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    party = _party(seen, click.target.about)
    counsel = party.role in {PartyRole.RESPONDENT_COUNSEL, PartyRole.COMPLAINANT_COUNSEL}
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* {words.PARTY_ROLES[party.role]}. The dates stay as they are."
        ),
        blocks.radio(COURSE, "What is to be recorded?", _COURSES, initial=_COURSES[0][0]),
        *_fields(party.named),
        *(_represents_between(party.named.since, party.named.until) if counsel else []),
        blocks.text_input(REASON, "Why?", lines=True, limit=1000),
    ]
    return form(Do.CHANGE_PARTY, "Change a party", "Record", click=click, of=made)


def _party(seen: Look, party: int) -> Party:
    found = seen.case.party(party)
    if found is None or found.left:
        raise BadInput("There is no such party in this case now; nothing was changed.", mend="Open it anew.")
    return found


def handle_change(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the correction, or that the party left."""
    number, party = submission.target.number, submission.target.about
    seen = desk.look(actor, number, Deed.CORRECT)
    reason = submission.text(REASON, 1000)
    if submission.among(COURSE, dict(_COURSES)) == LEAVES:
        remove_party(desk.docket, actor, number, party, reason=reason)
        return f"Recorded in case {number}: this person is a party no longer. Waiting letters are taken back."
    known = _party(seen, party).named
    since, until = submission.day(SINCE) or known.since, submission.day(UNTIL) or known.until
    corrected = replace(_typed(submission, known), since=since, until=until)
    correct_party(desk.docket, actor, number, party, corrected=corrected, reason=reason)
    return f"Recorded in case {number}. Letters that waited to go to a wrong address are taken back."


def view_none(desk: Desk, actor: Actor, click: Click) -> Json:
    """Ask why nobody can be named."""
    desk.look(actor, click.target.number, Deed.NAME_PARTY)
    made = [
        blocks.section(f"*Case {click.target.number}.* No officer or employee can be named as respondent."),
        blocks.text_input(REASON, "Why?", lines=True),
    ]
    return form(Do.NO_RESPONDENT, "Nobody can be named", "Record", click=click, of=made)


def handle_none(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record that nobody can be named, with the reason."""
    no_respondent(desk.docket, actor, submission.target.number, reason=submission.text(REASON))
    return f"Recorded: in case {submission.target.number} nobody can be named."


def attach(app: App, desk: Desk) -> None:
    """Attach the forms and the list."""
    asks(app, desk, ACTION_ID, "Name a respondent", view=view, handle=handle)
    asks(app, desk, Do.NO_RESPONDENT, "Nobody can be named", view=view_none, handle=handle_none)
    opens(app, desk, Do.PARTIES, "Parties", view_parties)
    turns(app, desk, Do.TURN_PARTIES, view_parties)
    asks(app, desk, Do.CHANGE_PARTY, "Change a party", view=view_change, handle=handle_change)
