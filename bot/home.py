"""App Home: for staff the queue, for members what waits for them, for the City Manager what to refer.

It is drawn for one person, from what he may see at that moment.
"""

from contextlib import suppress
from datetime import date
from zoneinfo import ZoneInfo

from bot import blocks, cards, meeting_cards, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk
from bot.payloads import Target
from store.cases import (
    Actor,
    Docket,
    Listing,
    Look,
    Order,
    looks,
    most_urgent,
    page_of,
    profile_in_force,
    profile_of,
    roster_of,
    standing_of,
)
from store.proceedings.held_mail import Held, holding_pen
from store.proceedings.meeting import meeting_in_session
from store.proceedings.planning import plans
from store.rules import access
from store.rules.access import Deed, Membership
from store.rules.counted import counted
from store.rules.dates import local_date
from store.rules.docket_line import FAILED
from store.rules.duties import DueList
from store.rules.errors import Refusal
from store.rules.facts import Role
from store.rules.meetings import Meeting
from store.rules.spoken import spoken

# as many as a Home holds of every list together, a hundred blocks at most
_SHOWN, _WAITING = 20, 8


def publish(desk: Desk, user: str, page: int = 0) -> None:
    """Draw the App Home of one account, as it may see it now, with a page of its open cases."""
    actor = desk.members.actor(user)
    with suppress(Refusal):  # he gets the plain answer of a Home without rights; the refusal is an entry
        desk.admit(actor, Deed.SEE_DOCKET)
    if actor.membership in {Membership.OTHER_TEAM, Membership.DEACTIVATED}:
        return
    desk.client.views_publish(user_id=user, view=blocks.home(home(desk.docket, actor, page)))


def home(docket: Docket, actor: Actor, page: int = 0) -> list[Json]:
    """Draw the App Home of a person, with a page of the open cases, from 0."""
    roles = roles_of(docket, actor)
    if not roles:
        return [blocks.section(words.NOT_YOURS)]
    made: list[Json] = [blocks.header("Docket")]
    if page:
        return [*made, *_cases(docket, actor, page)]
    if Role.CITY_MANAGER in roles:
        made += _to_refer(docket, actor)
    made += [*_ballots(docket, actor), *_planned(docket, actor)]
    if Role.CLERK in roles:
        made += _pen(docket, actor)
    made += _undecided(docket, actor)
    if Role.CLERK in roles:
        made += _letters(docket, actor)
    made += [*_due(docket, actor), *_meeting(docket, actor), *_cases(docket, actor, page)]
    if len(made) == 1:
        made.append(blocks.section("Nothing waits for you."))
    return made


def roles_of(docket: Docket, actor: Actor) -> frozenset[Role]:
    """Give a person's roles today; none for a guest or a stranger."""
    with docket.database.read() as session:
        people = roster_of(docket, session)
        profile, _hash = profile_in_force(session)
    today = local_date(docket.clock.now(), profile.city.time_zone)
    standing = standing_of(actor, people, today)
    return standing.roles if standing.membership is Membership.MEMBER else frozenset()


def _waiting(
    docket: Docket, actor: Actor, listing: Listing, deed: Deed = Deed.SEE_CASE
) -> tuple[list[Look], int]:
    """Give the newest cases of a list, each looked into, and how many more there are."""
    page = page_of(docket, actor, listing, deed=deed, most=_WAITING)
    return looks(docket, actor, [one.key for one in page.cases], deed=deed), max(0, page.total - _WAITING)


def _and_more(count: int) -> list[Json]:
    return [blocks.small(f"… and {count:,} more; the next ones come up as these are done.")] if count else []


def _to_refer(docket: Docket, actor: Actor) -> list[Json]:
    waiting, more = _waiting(docket, actor, Listing.TO_REFER, Deed.REFER)
    made: list[Json] = []
    for one in waiting:
        refer = blocks.button("Refer it to the Board", Do.REFER, Target(one.case.number).text())
        made.append(blocks.section(f"*{one.case.number}* waits to be referred.", accessory=refer))
    return made + _and_more(more)


def _ballots(docket: Docket, actor: Actor) -> list[Json]:
    seen, more = _waiting(docket, actor, Listing.TO_VOTE)
    made: list[Json] = []
    for one in seen:
        for ballot in one.case.ballots:
            voted = {vote.fact.person for vote in ballot.votes}
            if not ballot.is_open or actor.person not in ballot.opened.roster or actor.person in voted:
                continue
            vote = blocks.button("Vote", f"{Do.VOTE}:{ballot.id}", Target(one.case.number, ballot.id).text())
            text = f"*{one.case.number}* {cards.ballot_text(one.case, ballot)}: your vote is awaited."
            made.append(blocks.section(text, accessory=vote))
    return made[:_WAITING] + _and_more(more + max(0, len(made) - _WAITING))


def _planned(docket: Docket, actor: Actor) -> list[Json]:
    """Ask for what the person has not answered yet: whether he comes to a planned meeting."""
    try:
        waiting = meeting_cards.unanswered(plans(docket, actor), actor.person)
    except Refusal:
        return []
    with docket.database.read() as session:
        zone = profile_in_force(session)[0].city.time_zone
    return [block for one in waiting[:3] for block in meeting_cards.asking(one, actor.person or 0, zone)]


def _pen(docket: Docket, actor: Actor) -> list[Json]:
    held = holding_pen(docket, actor)
    if not held:
        return []
    with docket.database.read() as session:
        zone = profile_in_force(session)[0].city.time_zone
    made = [blocks.section(f"*Waits for a person:* {len(held)}")]
    shown = [held_line(one, zone) for one in held[:_WAITING]]
    return (
        made
        + shown
        + (
            [blocks.small(f"… and {len(held) - _WAITING:,} more: /ethics mail.")]
            if len(held) > _WAITING
            else []
        )
    )


def held_line(one: Held, zone: ZoneInfo) -> Json:
    """Draw a message of the holding pen: when it came, and the button that opens it."""
    look_at = blocks.button("Look at it", Do.HELD_MAIL, Target("", one.item).text())
    received = words.instant(one.received_at, zone)
    return blocks.said(f"Message {one.item}, received {received}", accessory=look_at)


_UNDECIDED = (
    (Listing.TO_SCREEN, Deed.SAY_WHO_IS_NAMED, Do.WHO_IS_NAMED, "Say who is named"),
    (Listing.TO_CHECK_FORM, Deed.DECIDE_FORM, Do.FORM_CHECK, "Check the form"),
)


def _undecided(docket: Docket, actor: Actor) -> list[Json]:
    """Draw what stands still until a person decided: who is named in a paper, and whether the form is proper."""
    made: list[Json] = []
    for listing, deed, do, label in _UNDECIDED:
        seen, more = _waiting(docket, actor, listing, deed)
        for one in seen:
            button = blocks.button(label, do, Target(one.case.number).text())
            made.append(blocks.section(f"*{one.case.number}* {_why(one, listing)}", accessory=button))
        made += _and_more(more)
    return [blocks.section("*Waits for your decision*"), *made] if made else []


def _why(one: Look, listing: Listing) -> str:
    """Say since when, or since what, a case waits for a decision."""
    unread = len(one.case.unscreened_papers)
    if listing is Listing.TO_SCREEN and one.case.screened and unread:
        return f"{counted(unread, 'later paper')} could not be searched: say who is named."
    if listing is Listing.TO_CHECK_FORM and one.case.form is not None:
        return "a paper came since the form was decided: check it anew."
    received = words.day(local_date(one.case.received_at, one.profile.city.time_zone))
    asked = "say who is named" if listing is Listing.TO_SCREEN else "check the form"
    return f"received {received} waits: {asked}."


def _letters(docket: Docket, actor: Actor) -> list[Json]:
    seen, more = _waiting(docket, actor, Listing.FAILED_LETTERS)
    made: list[Json] = []
    for one in seen:
        for letter in one.case.letters:
            if letter.state in FAILED:
                button = blocks.button("Letters", Do.TAKE_BACK, Target(one.case.number).text())
                kind = blocks.escape(spoken(letter.queued.letter))
                made.append(
                    blocks.section(
                        f"*{one.case.number}* letter “{kind}”: *{spoken(letter.state)}*",
                        accessory=button,
                    )
                )
    return made[:_WAITING] + _and_more(more + max(0, len(made) - _WAITING))


def _due(docket: Docket, actor: Actor) -> list[Json]:
    seen = looks(docket, actor, most_urgent(docket, actor, _SHOWN))
    lines = [(line, one) for one in seen for line in cards.due_lines(one)]
    urgent = [pair for pair in lines if pair[0].list is not DueList.LATER]
    order = list(cards.LISTS)
    urgent.sort(key=lambda pair: (-order.index(pair[0].list), pair[0].since or date.max, pair[1].case.key))
    texts = [f"*{one.case.number}* {cards.due_text(one, line)}" for line, one in urgent[:_SHOWN]]
    if not texts:
        return []
    return [blocks.section("*Next dates*"), *(blocks.section(part) for part in cards.chunks(texts))]


def _meeting(docket: Docket, actor: Actor) -> list[Json]:
    try:
        meeting = meeting_in_session(docket, actor)
    except Refusal:
        return []
    if meeting is None:
        return []
    present = f"A meeting is in session: {len(meeting.present)} present."
    return meeting_row(docket, actor, meeting) or [blocks.section(present)]


def meeting_row(docket: Docket, actor: Actor, meeting: Meeting) -> list[Json]:
    """Draw what can be done in the meeting in session; nothing for whoever does not lead it or keep its record."""
    if not may(docket, actor, Deed.CLOSE_MEETING):
        return []
    target = Target("", meeting.id).text()
    made = [blocks.button("Presence", Do.PRESENCE, target)]
    if meeting.in_closed_session:
        made.append(blocks.button("Return to open session", Do.OPEN_SESSION, target))
    else:
        made.append(blocks.button("Closed session", Do.CLOSED_SESSION, target))
    made.append(
        blocks.button(
            "Adjourn",
            Do.CLOSE_MEETING,
            target,
            confirm=blocks.confirm("Adjourn?", "The meeting ends on the record.", yes="Adjourn", no="Go on"),
        )
    )
    made[0]["text"] = blocks.plain(f"Presence ({len(meeting.present)} present)", blocks.BUTTON)
    return blocks.actions(made)


def _cases(docket: Docket, actor: Actor, page: int) -> list[Json]:
    found = page_of(docket, actor, Listing.WORKING, page=page, most=_SHOWN)
    if not found.cases:
        return []
    with docket.database.read() as session:
        zones = {
            one.profile_hash: profile_of(session, one.profile_hash).city.time_zone for one in found.cases
        }
    made: list[Json] = [blocks.divider(), blocks.section(f"*Open cases:* {found.total:,}")]
    for one in found.cases:
        show = blocks.button("Show", Do.SHOW_CARD, Target(one.number).text())
        received = words.day(local_date(one.received_at, zones[one.profile_hash]))
        made.append(blocks.section(f"*{one.number}* {received}", accessory=show))
    return made + blocks.turning(Target(page=found.number), Do.TURN_HOME, found.pages)


def docket_page(docket: Docket, actor: Actor, page: int) -> list[Json]:
    """Draw a page of the open cases that a person may see, by their next date, each with what is due first."""
    found = page_of(docket, actor, Listing.WORKING, order=Order.NEXT_DATE, page=page, most=_SHOWN)
    if not found.cases:
        return [blocks.section("No open case that you may see.")]
    made: list[Json] = [blocks.header("Open cases")]
    for one in looks(docket, actor, [case.key for case in found.cases]):
        show = blocks.button("Show", Do.SHOW_CARD, Target(one.case.number).text())
        due = cards.due_lines(one)
        text = cards.due_text(one, due[0]) if due else "nothing is due"
        made.append(blocks.section(f"*{one.case.number}* {text}", accessory=show))
    return made + blocks.turning(Target(page=found.number), Do.TURN_DOCKET, found.pages)


def may(docket: Docket, actor: Actor, deed: Deed) -> bool:
    """Say whether a person may do some business of the Board now."""
    with docket.database.read() as session:
        people = roster_of(docket, session)
        profile, _hash = profile_in_force(session)
    today = local_date(docket.clock.now(), profile.city.time_zone)
    return access.may(deed, standing_of(actor, people, today))
