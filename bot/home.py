"""App Home: for staff the queue, for members what waits for them, for the City Manager what to refer.

It is drawn for one person, from what he may see at that moment.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from bot import blocks, cards, meeting_cards, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk
from bot.payloads import Target
from store.cases import Actor, Docket, Look, look, open_cases, profile_in_force, roster_of, standing_of
from store.proceedings.held_mail import Held, holding_pen
from store.proceedings.meeting import meeting_in_session
from store.proceedings.planning import plans
from store.rules import access
from store.rules.access import Deed, Membership
from store.rules.casefile import LetterState
from store.rules.dates import local_date
from store.rules.duties import DueList
from store.rules.errors import Refusal
from store.rules.facts import Role

_SHOWN = 20
_FAILED = (LetterState.BOUNCED, LetterState.REFUSED, LetterState.UNCERTAIN)


def publish(desk: Desk, user: str) -> None:
    """Draw the App Home of one account, as it may see it now."""
    actor = desk.members.actor(user)
    with suppress(Refusal):  # he gets the plain answer of a Home without rights; the refusal is an entry
        desk.admit(actor, Deed.SEE_DOCKET)
    if actor.membership in {Membership.OTHER_TEAM, Membership.DEACTIVATED}:
        return
    desk.client.views_publish(user_id=user, view=blocks.home(home(desk.docket, actor)))


def home(docket: Docket, actor: Actor) -> list[Json]:
    """Draw the App Home of a person."""
    roles = roles_of(docket, actor)
    if not roles:
        return [blocks.section(words.NOT_YOURS)]
    seen = working_on(docket, actor)
    made: list[Json] = [blocks.header("Docket")]
    if Role.CITY_MANAGER in roles:
        made += _to_refer(docket, actor)
    made += [*_ballots(actor, seen), *_planned(docket, actor)]
    if Role.CLERK in roles:
        made += [*_pen(docket, actor), *_letters(seen)]
    made += [*_due(seen), *_meeting(docket, actor), *_cases(seen)]
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


def working_on(docket: Docket, actor: Actor, deed: Deed = Deed.SEE_CASE) -> list[Look]:
    """Give the cases with an open step that a person may see (or do something with), oldest first."""
    with docket.database.read() as session:
        keys = open_cases(session)
    found = []
    for key in keys:
        try:
            found.append(look(docket, actor, key, deed=deed))
        except Refusal:
            continue
    return found


def _to_refer(docket: Docket, actor: Actor) -> list[Json]:
    waiting = [one for one in working_on(docket, actor, Deed.REFER) if one.case.referred is None]
    made: list[Json] = []
    for one in waiting[:_SHOWN]:
        refer = blocks.button("Refer it to the Board", Do.REFER, Target(one.case.number).text())
        made.append(blocks.section(f"*{one.case.number}* waits to be referred.", accessory=refer))
    return made


def _ballots(actor: Actor, seen: Sequence[Look]) -> list[Json]:
    made: list[Json] = []
    for one in seen:
        for ballot in one.case.ballots:
            voted = {vote.fact.person for vote in ballot.votes}
            if not ballot.is_open or actor.person not in ballot.opened.roster or actor.person in voted:
                continue
            vote = blocks.button("Vote", f"{Do.VOTE}:{ballot.id}", Target(one.case.number, ballot.id).text())
            text = f"*{one.case.number}* {cards.ballot_text(one.case, ballot)}: your vote is awaited."
            made.append(blocks.section(text, accessory=vote))
    return made


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
    made = [blocks.section(f"*Waits for a person:* {len(held)}")] if held else []
    return made + [_held_line(one) for one in held[:_SHOWN]]


def _held_line(one: Held) -> Json:
    look_at = blocks.button("Look at it", Do.HELD_MAIL, Target("", one.item).text())
    return blocks.said(
        f"Message {one.item}, received {one.received_at:%Y-%m-%d %H:%M} UTC", accessory=look_at
    )


def _letters(seen: Sequence[Look]) -> list[Json]:
    made: list[Json] = []
    for one in seen:
        for letter in one.case.letters:
            if letter.state in _FAILED:
                button = blocks.button("Letters", Do.TAKE_BACK, Target(one.case.number).text())
                kind = blocks.escape(letter.queued.letter.replace("_", " "))
                made.append(
                    blocks.section(
                        f"*{one.case.number}* letter “{kind}”: *{letter.state.value}*", accessory=button
                    )
                )
    return made[:_SHOWN]


def _due(seen: Sequence[Look]) -> list[Json]:
    lines = [(line, one) for one in seen for line in cards.due_lines(one)]
    urgent = [pair for pair in lines if pair[0].list is not DueList.LATER]
    order = list(cards.LISTS)
    urgent.sort(key=lambda pair: -order.index(pair[0].list))
    texts = [f"*{one.case.number}* {cards.due_text(one, line)}" for line, one in urgent[:_SHOWN]]
    if not texts:
        return []
    return [blocks.section("*Next dates*"), *(blocks.section(part) for part in cards.chunks(texts))]


def _meeting(docket: Docket, actor: Actor) -> list[Json]:
    try:
        meeting = meeting_in_session(docket, actor)
    except Refusal:
        return []
    return (
        [meeting_row(meeting.id, len(meeting.present), closed=meeting.in_closed_session)] if meeting else []
    )


def meeting_row(meeting: int, present: int, *, closed: bool) -> Json:
    """Draw the meeting in session with what can be done in it."""
    target = Target("", meeting).text()
    made = [blocks.button("Presence", Do.PRESENCE, target)]
    if closed:
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
    made[0]["text"] = blocks.plain(f"Presence ({present} present)", blocks.BUTTON)
    return blocks.actions(made)[0]


def _cases(seen: Sequence[Look]) -> list[Json]:
    if not seen:
        return []
    made: list[Json] = [blocks.divider(), blocks.section(f"*Open cases:* {len(seen)}")]
    for one in seen[-_SHOWN:]:
        show = blocks.button("Show", Do.SHOW_CARD, Target(one.case.number).text())
        made.append(blocks.section(f"*{one.case.number}* {words.day(_received(one))}", accessory=show))
    return made


def _received(one: Look) -> date:
    return local_date(one.case.received_at, one.profile.city.time_zone)


def may(docket: Docket, actor: Actor, deed: Deed) -> bool:
    """Say whether a person may do some business of the Board now."""
    with docket.database.read() as session:
        people = roster_of(docket, session)
        profile, _hash = profile_in_force(session)
    today = local_date(docket.clock.now(), profile.city.time_zone)
    return access.may(deed, standing_of(actor, people, today))
