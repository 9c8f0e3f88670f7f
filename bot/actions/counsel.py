"""Counsel of an officer who was reprimanded, named after the case is final: he may demand a hearing (E)(2)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import TRACK, track_choice
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.parties import name_party
from store.rules.access import Deed
from store.rules.facts import PartyNamed, PartyRole

ACTION_ID = Do.NAME_COUNSEL
NAME, EMAIL, POSTAL, SINCE, UNTIL = "name", "email", "postal", "since", "until"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the form for one counsel."""
    seen = desk.look(actor, click.target.number, Deed.NAME_COUNSEL)
    tracks = [one.id for one in seen.case.respondents if seen.case.reprimanded(one.id)]
    made = [
        blocks.section("Counsel gets the letters of the officer whom he represents from now on."),
        track_choice(seen, tracks, "Nobody was reprimanded in this case.", "E2-demand"),
        blocks.text_input(NAME, "Name", limit=300),
        blocks.text_input(
            EMAIL, "E-mail address", optional=True, hint="Without one, letters go on paper.", limit=300
        ),
        blocks.text_input(POSTAL, "Postal address", lines=True, optional=True, limit=600),
        blocks.date_input(SINCE, "Represents him from", optional=True),
        blocks.date_input(UNTIL, "Until", optional=True),
    ]
    return form(ACTION_ID, "Name counsel", "Name", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    email = submission.text(EMAIL)
    named = PartyNamed(
        PartyRole.RESPONDENT_COUNSEL,
        submission.text(NAME),
        (email,) if email else (),
        submission.text(POSTAL),
        represents=submission.id(TRACK),
        since=submission.day(SINCE),
        until=submission.day(UNTIL),
    )
    name_party(desk.docket, actor, submission.target.number, named)
    return (
        f"Recorded in case {submission.target.number}: counsel. Send what is still owed with the case's card."
    )


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "Name counsel", view=view, handle=handle)
