"""The file of a case: parties and documents, shown to the one who asks; each document is sent on request (C3).

A document is delivered in the person's direct messages under a name that says nothing, since Slack's
notifications repeat file names.
"""

import mimetypes

from slack_bolt import App

from bot import blocks, cards, channels, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, later, opens, turns
from bot.files import Files
from bot.payloads import Click, read_click
from store.cases import MOST_PHOTOS, Actor, is_photo, open_case, papers_for, read_document, shown
from store.proceedings.meeting import meeting_in_session
from store.proceedings.merger import goes_on_in
from store.proceedings.picture import draw_timeline
from store.rules import evidence
from store.rules.access import Deed
from store.rules.errors import NotNow, Refusal
from store.rules.timeline import recorded_as

ACTION_ID = Do.OPEN_FILE
PAGE_PICTURE = Do.SHOW_PAGE
_LONGEST_ALT = 1000
_HISTORY = 10
read = read_click


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Open the file; the reading is an entry of the journal."""
    seen = open_case(desk.docket, actor, click.target.number)
    kept = papers_for(desk.docket, seen)
    return cards.open_file(seen, kept, click.target.page)


def why(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show how each date came about."""
    return cards.why_dates(desk.look(actor, click.target.number))


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Send one document to the person's direct messages, and record that."""
    paper, content = read_document(desk.docket, actor, click.target.number, click.target.about, where="slack")
    ending = mimetypes.guess_extension(paper.media_type) or ".bin"
    give(desk, actor, click, content, f"{click.target.number}-document-{paper.id}{ending}", document=paper.id)
    return words.SENT_TO_YOU


def page(desk: Desk, actor: Actor, click: Click) -> str:
    """Send pictures of the page that carries, or should carry, the signature, and of the first and last (I7).

    Where the paper was changed after signing, the signature's page as it was signed comes with them.
    """
    if desk.picture is None:
        raise NotNow("No pictures are made here.", mend="Have the whole paper sent to you.")
    paper, content = read_document(desk.docket, actor, click.target.number, click.target.about, where="slack")
    sent = 0
    for name, version, number in pages_to_show(content, evidence.from_json(paper.finding)):
        picture = desk.picture(version, number)
        if picture:
            give(
                desk,
                actor,
                click,
                picture,
                f"{click.target.number}-document-{paper.id}-{name}.png",
                document=paper.id,
            )
            sent += 1
    if not sent:
        raise NotNow("No picture of this paper could be made.", mend="Have the whole paper sent to you.")
    return words.SENT_TO_YOU


def pages_to_show(content: bytes, found: evidence.Evidence | None) -> list[tuple[str, bytes, int | None]]:
    """Give the pages to draw, each once: a name that says nothing of the case, the bytes, the zero-based page."""
    if found is None or not found.pages:
        return [("page", content, None)]
    signature = found.signature_page if found.signature_page is not None else found.pages - 1
    wanted = dict.fromkeys((signature, 0, found.pages - 1))
    pages: list[tuple[str, bytes, int | None]] = [
        (f"page-{one + 1}", content, one) for one in wanted if one < found.pages
    ]
    if found.signed_bytes is not None:
        pages.append((f"page-{signature + 1}-as-signed", content[: found.signed_bytes], signature))
    return pages


def photos(desk: Desk, actor: Actor, click: Click) -> str:
    """Send the photos of a case as one PDF, made for looking; each photo stays as it came (I6)."""
    if desk.photos is None:
        raise NotNow("No PDFs are made of photos here.", mend="Have each photo sent to you.")
    seen = desk.look(actor, click.target.number)
    number = click.target.number
    chosen = [one.id for one in papers_for(desk.docket, seen) if is_photo(one)][:MOST_PHOTOS]
    if not chosen:
        raise NotNow("This case has no photo.", mend="Open the file to see what it has.")
    read_ = [read_document(desk.docket, actor, number, one, where="slack")[1] for one in chosen]
    made = desk.photos(read_)
    if not made:
        raise NotNow("A photo could not be read.", mend="Have each photo sent to you.")
    give(desk, actor, click, made, f"{number}-photos.pdf")
    return words.SENT_TO_YOU


def give(
    desk: Desk, actor: Actor, click: Click, content: bytes, name: str, *, document: int | None = None
) -> None:
    """Send a file of a case to the person's direct messages; where it went is noted, so that it can be taken away."""
    case_id = desk.look(actor, click.target.number).case.key
    Files(desk.docket, desk.client).give(
        content, name, user=click.user, case_id=case_id, person=actor.person, document=document
    )


def timeline(desk: Desk, actor: Actor, click: Click) -> str:
    """Show the case in time, as a picture with its words, in the case's channel; it names nobody (R9)."""
    drawn = draw_timeline(desk.docket, actor, click.target.number, where="slack")
    with desk.docket.database.read() as session:
        place = next(iter(shown(session, channels.KIND, case_id=drawn.case_id)), None)
    where = place.channel if place else desk.client.conversations_open(users=click.user)["channel"]["id"]
    name = f"{drawn.number}-timeline.png"
    Files(desk.docket, desk.client).show(
        desk.docket.typesetter.picture(drawn.svg),
        name,
        channel=str(where),
        alt=" ".join(drawn.words)[:_LONGEST_ALT],
        case_id=drawn.case_id,
        person=None if place else actor.person,
    )
    return words.SHOWN_IN_CHANNEL if place else words.SENT_TO_YOU


def case_card(desk: Desk, actor: Actor, number: str) -> list[Json]:
    """Draw one case for one person; the reading is an entry of the journal."""
    seen = open_case(desk.docket, actor, number)
    kept = papers_for(desk.docket, seen)
    try:
        meeting = meeting_in_session(desk.docket, actor)
    except Refusal:
        meeting = None
    into = goes_on_in(desk.docket, seen.case, [actor])
    return cards.card(
        cards.Card(seen, seen.may, kept, meeting, undo_for=desk.docket.undo_for, goes_on_in=into)
    )


def show_card(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show a case in a modal, with what the person may do now."""
    made = case_card(desk, actor, click.target.number)
    return blocks.modal(click.target.number, made)


def what_next(desk: Desk, actor: Actor, click: Click) -> Json:
    """Say what comes next in a case."""
    return cards.what_next(desk.look(actor, click.target.number))


def history(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show what was recorded when, without its content."""
    seen = desk.look(actor, click.target.number, Deed.SEE_CASE)
    zone = seen.profile.city.time_zone
    lines = [
        f"{words.instant(one.at, zone)}  {recorded_as(seen.case, one)}"
        f" – {seen.people.name(one.by) if one.by is not None else 'Docket'}"
        for one in reversed(seen.case.facts)
        if one.fact.KIND != "document-shown"
    ]
    parts = [blocks.said(part) for part in cards.chunks(lines)]
    return blocks.modal("History", blocks.paged(parts, click.target, Do.TURN_HISTORY, most=_HISTORY))


def turn(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show another page of the documents."""
    seen = desk.look(actor, click.target.number)
    kept = papers_for(desk.docket, seen)
    return cards.open_file(seen, kept, click.target.page)


def attach(app: App, desk: Desk) -> None:
    """Attach the file, its pages, its documents, the dates and the history."""
    opens(app, desk, ACTION_ID, "The file", view)
    turns(app, desk, Do.TURN_FILE, turn)
    later(app, desk, Do.SHOW_DOCUMENT, handle)
    later(app, desk, PAGE_PICTURE, page)
    later(app, desk, Do.PHOTOS, photos)
    later(app, desk, Do.TIMELINE, timeline)
    opens(app, desk, Do.WHY_DATES, "Why this date?", why)
    opens(app, desk, Do.SHOW_CARD, "Case", show_card)
    opens(app, desk, Do.WHAT_NEXT, "What happens next?", what_next)
    opens(app, desk, Do.HISTORY, "History", history)
    turns(app, desk, Do.TURN_HISTORY, history)
