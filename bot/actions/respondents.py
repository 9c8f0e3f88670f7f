"""Respondents: each is named with office and addresses and is a track of its own; or none can be named (A)."""

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, opens, submits
from bot.payloads import Click, Submission
from store.cases import Actor
from store.proceedings.parties import name_party, no_respondent
from store.rules.access import Deed
from store.rules.facts import PartyNamed, PartyRole

ACTION_ID = Do.NAME_RESPONDENTS
ROLE, NAME, OFFICE, EMAIL, POSTAL, OF, REASON = "role", "name", "office", "email", "postal", "of", "reason"
_ROLES = (
    (PartyRole.RESPONDENT.value, "Respondent: officer or employee of the city"),
    (PartyRole.RESPONDENT_COUNSEL.value, "Counsel of a respondent"),
    (PartyRole.COMPLAINANT.value, "Complainant"),
    (PartyRole.COMPLAINANT_COUNSEL.value, "Counsel of a complainant"),
)
_NOBODY = "0"


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the form for one party."""
    seen = desk.look(actor, click.target.number, Deed.NAME_PARTY)
    whom = [(str(one.id), blocks.clip(one.named.name, 70)) for one in seen.case.parties if not one.left]
    made = [
        blocks.section(f"*Case {seen.case.number}.* One at a time; each respondent has dates of his own."),
        blocks.select(ROLE, "What is this person to the complaint?", _ROLES, initial=_ROLES[0][0]),
        blocks.text_input(NAME, "Name", limit=300),
        blocks.text_input(OFFICE, "Office or position", optional=True, limit=300),
        blocks.text_input(
            EMAIL, "E-mail address", optional=True, hint="Without one, letters go on paper.", limit=300
        ),
        blocks.text_input(POSTAL, "Postal address", lines=True, optional=True, limit=600),
        blocks.select(
            OF, "Counsel of whom?", [(_NOBODY, "nobody: not counsel"), *whom[:90]], initial=_NOBODY
        ),
    ]
    return blocks.modal("Name a party", made, callback=ACTION_ID, submit="Name", metadata=click.target.text())


def read(submission: Submission) -> PartyNamed:
    """Read the party from the submitted form."""
    email, of = submission.text(EMAIL), submission.chosen(OF)
    return PartyNamed(
        role=PartyRole(submission.chosen(ROLE)),
        name=submission.text(NAME),
        emails=(email,) if email else (),
        postal=submission.text(POSTAL),
        office=submission.text(OFFICE),
        represents=int(of) if of not in {"", _NOBODY} else None,
    )


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the party."""
    name_party(desk.docket, actor, submission.target.number, read(submission))
    return f"Recorded in case {submission.target.number}. Name the next one with the same button."


def view_none(desk: Desk, actor: Actor, click: Click) -> Json:
    """Ask why nobody can be named."""
    desk.look(actor, click.target.number, Deed.NAME_PARTY)
    made = [
        blocks.section(f"*Case {click.target.number}.* No officer or employee can be named as respondent."),
        blocks.text_input(REASON, "Why?", lines=True),
    ]
    return blocks.modal(
        "Nobody can be named", made, callback=Do.NO_RESPONDENT, submit="Record", metadata=click.target.text()
    )


def handle_none(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record that nobody can be named, with the reason."""
    no_respondent(desk.docket, actor, submission.target.number, reason=submission.text(REASON))
    return f"Recorded: in case {submission.target.number} nobody can be named."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    opens(app, desk, ACTION_ID, "Name a party", view)
    submits(app, desk, ACTION_ID, handle)
    opens(app, desk, Do.NO_RESPONDENT, "Nobody can be named", view_none)
    submits(app, desk, Do.NO_RESPONDENT, handle_none)
