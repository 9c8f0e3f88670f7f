"""A party's public disclosure: recorded; confirmation; release of issued documents by vote (C)(2)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import kept, label, labelled
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.disclosure import (
    confirm_publicly,
    issued_to_a_party,
    record_disclosure,
    release_documents,
)
from store.rules.access import Deed
from store.rules.errors import NotNow
from store.rules.facts import Disclosed

ACTION_ID = Do.RECORD_DISCLOSURE
WHO, ON, EVIDENCE, HOW, PAPERS = "who", "on", "evidence", "how", "papers"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a disclosure."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_DISCLOSURE)
    choices = labelled((*seen.case.complainants, *seen.case.respondents))
    if not choices:
        raise NotNow("No party is named.", clause="C2-disclosure", mend="Name the parties first.")
    made = [
        blocks.section("Only the complainant's or the respondent's own disclosure opens anything."),
        blocks.select(WHO, "Who made it public?", choices, initial=choices[0][0]),
        blocks.date_input(ON, "On which day?", initial=seen.today.isoformat()),
        blocks.text_input(EVIDENCE, "Where can it be seen?", lines=True, limit=1000),
    ]
    return form(ACTION_ID, "A disclosure", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_DISCLOSURE)
    record_disclosure(
        desk.docket,
        actor,
        number,
        party=submission.id(WHO),
        on=submission.day(ON) or seen.today,
        evidence=submission.text(EVIDENCE),
    )
    return "Recorded. The Board may confirm that the inquiry exists, and vote on a release of documents."


def _disclosed(desk: Desk, actor: Actor, number: str) -> None:
    if desk.look(actor, number, Deed.RECORD_DISCLOSURE).case.last(Disclosed) is None:
        raise NotNow(
            "No disclosure by a party is on the record.",
            clause="C2-disclosure",
            mend="Record the disclosure with its evidence first.",
        )


def view_confirmation(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the confirmation."""
    _disclosed(desk, actor, click.target.number)
    made = [blocks.text_input(HOW, "Where does the Board confirm it?", limit=300)]
    return form(Do.CONFIRM_PUBLICLY, "Confirm publicly", "Confirm", click=click, of=made)


def handle_confirmation(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it and give the words."""
    says = confirm_publicly(desk.docket, actor, submission.target.number, how=submission.text(HOW))
    return f"Recorded. The words for it:\n{says}"


def view_release(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the release: letters to parties and the complaint that went with the notice."""
    number = click.target.number
    _disclosed(desk, actor, number)
    seen = desk.look(actor, number, Deed.RECORD_DISCLOSURE)
    found = kept(desk, seen)
    issued = issued_to_a_party(seen.case, found)
    choices = [
        (str(one.id), label(place, one)) for place, one in enumerate(found, start=1) if one.id in issued
    ]
    if not choices:
        raise NotNow(
            "Nothing was issued to a party yet.",
            clause="C2-disclosure",
            mend="See Letters for what went out.",
        )
    made = [
        blocks.section("A carried ballot of the Board releases; only what was issued to a party can be."),
        blocks.several(PAPERS, "Documents", choices, optional=False),
        blocks.text_input(HOW, "How are they made public?", limit=300),
    ]
    return form(Do.RELEASE_DOCUMENTS, "Release documents", "Record", click=click, of=made)


def handle_release(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    wanted = submission.ids(PAPERS)
    release_documents(desk.docket, actor, submission.target.number, wanted, how=submission.text(HOW))
    return "Recorded: the documents are released."


def attach(app: App, desk: Desk) -> None:
    """Attach the three forms."""
    asks(app, desk, ACTION_ID, "A disclosure", view=view, handle=handle)
    asks(
        app, desk, Do.CONFIRM_PUBLICLY, "Confirm publicly", view=view_confirmation, handle=handle_confirmation
    )
    asks(app, desk, Do.RELEASE_DOCUMENTS, "Release documents", view=view_release, handle=handle_release)
