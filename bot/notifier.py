"""Shows pings in Slack: what the reader may see is looked up when it is shown, never before.

A message's `text`, which lock screens and e-mail digests repeat, is the case's number and the date.
Whatever Slack answers becomes a `Delivery`; nothing is raised for it.
"""

import http.client
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot import blocks, cards, meeting_cards, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.channels import GONE, Channels, error_name
from bot.connection import DEAD_TOKEN
from bot.members import Members
from bot.payloads import Target
from store.cases import (
    Actor,
    Docket,
    Look,
    Shown,
    case_by_number,
    entitled,
    forget_shown,
    look,
    note_shown,
    papers_for,
    papers_for_all,
    profile_in_force,
    roster_of,
    shown,
)
from store.ports import UNSURE, Delivery, DeliveryState, Ping, PingKind
from store.proceedings import ballot as ballots
from store.proceedings.calendar import moved_dates
from store.proceedings.meeting import meeting_in_session
from store.proceedings.merger import goes_on_in
from store.proceedings.planning import INVITED, calendar_entry, plan_of
from store.proceedings.screening import CARD_PLACE
from store.rules.access import Deed, Via
from store.rules.dates import local_date
from store.rules.errors import NoSuchCase, Refusal
from store.rules.facts import Role
from store.rules.meetings import Meeting

log = structlog.get_logger()
CARD, BALLOT, REFERRAL = CARD_PLACE, "ballot", "referral"
NOT_ENTITLED = Delivery(DeliveryState.ACCEPTED, "no longer entitled; nothing was shown")
_NOT_REACHED = GONE | {"user_not_found", "user_disabled", "cannot_dm_bot", "user_not_visible"}
_CHANNEL_GONE = "its channel is not there"
_WHY_NOT = {
    "user_not_found": "no Slack account that is known is linked to the person",
    "user_disabled": "the person's Slack account is deactivated",
    "cannot_dm_bot": "the account that is linked is no person's",
    "user_not_visible": "the person's Slack account cannot be seen by Docket",
}
_BUSY = frozenset(
    {"ratelimited", "rate_limited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"}
)
_SERVER_FAULT = 500
_DIGEST_TEXT = 10_000
_TOLD = {
    "board-cannot-act": "Recusals or vacancies leave no quorum for this case: the Board cannot act on it. "
    "Seat alternates, or ask the appointing authority and counsel. No date moves meanwhile.",
    "recount-needed": "Somebody whose vote counted in a ballot is out of this case now, and a determination "
    "rests on that ballot. Nothing was counted anew: the Board decides what follows.",
    "letters-taken-back": "Letters that waited to go to a party whose address was wrong, or who is one no "
    "longer, were taken back. See Letters, and write them anew where they are still owed.",
    "disposed": "What follows a sufficient basis was recorded. The card shows it, and what is due now.",
    "demand": "A demand for a public hearing was recorded and goes to the City Commission. "
    "Whether it came in time stands in its record.",
    "hearing": "The Board's hearing was set; notices are written.",
    "time-asked": "A respondent asked for more time to answer. The chair rules on it, with a reason.",
    "time-ruled": "A request for more time to answer was ruled on. No period of the ordinance moves by it.",
    "hearing-sat": "A sitting of the Board's hearing was recorded. Where it was adjourned to a day, new notices are "
    "written.",
    "hearing-decided": "The result of the Board's hearing was recorded.",
    "withdrawn": "The complainant withdrew the complaint. No date moves: the Board decides what follows.",
    "amended": "An amended complaint was recorded. Check the form again where it mends it.",
    "merged": "This case was merged into another one, which goes on for both.",
    "merger-undone": "A merger into this case was undone: who had joined it by that went back to the own case.",
    "flagged": "The Board's flag under (F) was recorded. It is no finding; chosen papers are turned over by (C)(1).",
    "reopened": "This case was reopened. Where a respondent's track was, nothing determined before stands and the Board "
    "votes anew; the other tracks stay as they are.",
    "closed": "The file of this case was closed.",
    "paper": "A further paper reached this case.",
    "response": "A respondent answered.",
    "cure": "A paper came that may mend what was lacking. Check the form again.",
}
_LETTER_STATES = {
    "bounced": "came back: the address does not take it. Its step is open again.",
    "refused": "was refused by the mail server for good. Its step is open.",
    "uncertain": "may have gone out: the connection broke after it was handed over. Docket does not send it "
    "again; a person decides.",
    "delayed": "is delayed on its way.",
    "sent": "went out.",
    "on-paper": "waits on paper: print it, serve it, record the service.",
}


@dataclass
class SlackNotifier:
    """Shows pings in one workspace.

    Attributes:
        docket: the record.
        client: the Web API (`bot.connection.web_client`).
        members: accounts to roster persons; shared with the app.
        staff_channel: the channel for alarms without content.
        on_dead_token: told when Slack says that the tokens are void.
    """

    docket: Docket
    client: WebClient
    members: Members
    staff_channel: str
    on_dead_token: Callable[[str], None] = lambda _error: None
    channels: Channels = field(init=False)

    def __post_init__(self) -> None:
        self.channels = Channels(self.docket, self.client, self.members)

    def show(self, ping: Ping) -> Delivery:
        """Try once to show one ping."""
        try:
            return self._show(ping)
        except NoSuchCase:
            self._clear(ping)
            return NOT_ENTITLED
        except Refusal as refusal:
            return Delivery(DeliveryState.ACCEPTED, f"not shown: {type(refusal).__name__}")
        except SlackApiError as error:
            return self._failed(ping, error)
        except (OSError, http.client.HTTPException, SlackClientError) as error:
            return Delivery(DeliveryState.TRY_LATER, f"{UNSURE}{type(error).__name__}", reached=False)

    # -- what Slack answered --------------------------------------------------------------------------

    def _failed(self, ping: Ping, error: SlackApiError) -> Delivery:
        name, status = error_name(error), getattr(error.response, "status_code", 0) or 0
        if name in DEAD_TOKEN:
            self.on_dead_token(name)
            return Delivery(DeliveryState.TRY_LATER, name)
        if name in {"ratelimited", "rate_limited"}:
            return Delivery(DeliveryState.TRY_LATER, name, retry_after_s(error), reached=True)
        if name in _BUSY or status >= _SERVER_FAULT or not name:
            said = f"{UNSURE}{name or status}"
            return Delivery(DeliveryState.TRY_LATER, said, retry_after_s(error), reached=False)
        if name in _NOT_REACHED and ping.kind is not PingKind.ALARM:
            return self._staff_instead(name)
        log.error("slack.ping-refused", kind=ping.kind.value, outcome=name)
        return Delivery(DeliveryState.REFUSED_FOR_GOOD, name)

    def _staff_instead(self, why: str) -> Delivery:
        """Say to staff, without content, that somebody could not be reached."""
        says = (
            f"Something for a person of the Board could not be shown in Slack: {_WHY_NOT.get(why, _CHANNEL_GONE)}. "
            "It is safe in the record. See `docket status`."
        )
        try:
            self._post(self.staff_channel, self._notice(), [blocks.section(says)])
        except SlackApiError as error:
            if error_name(error) in {"ratelimited", "rate_limited"}:
                return Delivery(DeliveryState.TRY_LATER, error_name(error), retry_after_s(error))
            log.warning("slack.staff-channel", outcome=error_name(error))
        except (OSError, http.client.HTTPException, SlackClientError) as error:
            # nobody knows about it yet, so it is no end
            return Delivery(DeliveryState.TRY_LATER, f"{UNSURE}{type(error).__name__}", reached=False)
        return Delivery(DeliveryState.REFUSED_FOR_GOOD, why)

    # -- what is shown --------------------------------------------------------------------------------

    def _show(self, ping: Ping) -> Delivery:  # noqa: PLR0911  one arm a kind
        match ping.kind:
            case PingKind.ALARM:
                return self._alarm(ping)
            case PingKind.CASE_CHANNEL:
                return self._channel(ping)
            case PingKind.CASE_CARD:
                return self._card(ping)
            case PingKind.REMINDER_DIGEST:
                return self._digest(ping)
            case PingKind.BALLOT_OPENED | PingKind.BALLOT_CLOSED:
                return self._ballot(ping)
            case PingKind.RECUSED:
                return self._recused(ping)
            case PingKind.HELD_MAIL:
                return self._held(ping)
            case PingKind.DETERMINED:
                return self._words(ping, "A determination was recorded. The card shows it.")
            case PingKind.TOLD:
                return self._told(ping)

    def _alarm(self, ping: Ping) -> Delivery:
        """Show an alarm in the staff channel; where that is gone, to each clerk."""
        shown_blocks = [blocks.section(f":warning: {blocks.escape(ping.text)}"), *self._again(ping)]
        try:
            return self._post(self.staff_channel, self._notice(), shown_blocks)
        except SlackApiError as error:
            if error_name(error) not in GONE:
                raise
        delivered = Delivery(DeliveryState.REFUSED_FOR_GOOD, "no staff channel and no clerk")
        for clerk in self._clerks():
            user = self.members.user_of(clerk)
            if user:
                delivered = self._post(user, self._notice(), shown_blocks)
        return delivered

    def _channel(self, ping: Ping) -> Delivery:
        """See to it that a case's channel has just the entitled, and that nobody else keeps a card."""
        assert ping.case is not None
        self.clear_strangers(ping.case)
        seen = self.any_look(ping.case)
        if seen is None:
            return Delivery(DeliveryState.ACCEPTED, "nobody is entitled")
        channel = self.channels.align(seen)
        if not any(one.channel == channel for one in self._places(CARD, ping.case, None, None)):
            self._put_card(seen, channel, person=None, again=False)
        return Delivery(DeliveryState.ACCEPTED, reference=channel)

    def _card(self, ping: Ping) -> Delivery:
        assert ping.case is not None
        if ping.person is not None:
            seen = self._look(ping)
            return self._put_card(seen, self._user(ping.person), person=ping.person, again=ping.again)
        any_look = self.any_look(ping.case)
        if any_look is None:
            return Delivery(DeliveryState.ACCEPTED, "nobody is entitled")
        return self._in_channel(any_look, again=ping.again)

    def _in_channel(self, seen: Look, *, again: bool) -> Delivery:
        """Show the card in the case's channel; a lost channel is made anew, and else each one is written to."""
        try:
            return self._put_card(seen, self.channels.ensure(seen), person=None, again=again)
        except SlackApiError as error:
            if error_name(error) not in GONE:
                raise
        place = self.channels.known(seen.case.key)
        if place is not None:
            forget_shown(self.docket, place.id)
        try:
            return self._put_card(seen, self.channels.make(seen), person=None, again=again)
        except SlackApiError as error:
            if error_name(error) in {"ratelimited", "rate_limited"} | DEAD_TOKEN:
                raise
            return self._to_each(seen, again=again)

    def _to_each(self, seen: Look, *, again: bool) -> Delivery:
        last = self._staff_instead("no case channel")
        for person in entitled(seen):
            user = self.members.user_of(person)
            if user:
                last = self._put_card(seen, user, person=person, again=again)
        return last

    def _put_card(self, seen: Look, where: str, *, person: int | None, again: bool) -> Delivery:
        reader = Actor(person, Via.SLACK) if person is not None else None
        offer = seen.may if reader is not None else _offered_to_all(seen)
        kept = (papers_for if person is not None else papers_for_all)(self.docket, seen)
        view = cards.Card(
            seen,
            offer,
            kept,
            self._meeting(seen, person),
            again,
            shared=person is None,
            undo_for=self.docket.undo_for,
            goes_on_in=goes_on_in(self.docket, seen.case, self._readers(seen, person)),
        )
        return self._put(CARD, seen, where, cards.card(view), person=person)

    def _readers(self, seen: Look, person: int | None) -> list[Actor]:
        """Give who reads what is put before a person, or, without one, into the case's channel."""
        return [Actor(one, Via.SLACK) for one in ((person,) if person is not None else entitled(seen))]

    def _meeting(self, seen: Look, person: int | None) -> Meeting | None:
        asker = person if person is not None else next(iter(entitled(seen)), None)
        try:
            return meeting_in_session(self.docket, Actor(asker, Via.SLACK))
        except Refusal:
            return None

    def _digest(self, ping: Ping) -> Delivery:
        """Show one digest; a line of a case that he may not know of any more is left out."""
        assert ping.person is not None
        kept = [line for line in ping.text.splitlines() if self._may_read(ping.person, line)]
        if not kept:
            return NOT_ENTITLED
        made = [*_digest_blocks(kept), *self._again(ping)]
        return self._post(self._user(ping.person), self._notice(), made)

    def _may_read(self, person: int, line: str) -> bool:
        number, parted, _rest = line.partition(":")
        with self.docket.database.read() as session:
            key = case_by_number(session, number) if parted else None
        if key is None:
            return True
        try:
            look(self.docket, Actor(person, Via.SLACK), key)
        except Refusal:
            return self._may_refer(person, key)
        return True

    def _may_refer(self, person: int, key: int) -> bool:
        try:
            look(self.docket, Actor(person, Via.SLACK), key, deed=Deed.REFER)
        except Refusal:
            return False
        return True

    def _ballot(self, ping: Ping) -> Delivery:
        ballot = int(dict(ping.about)["ballot"])
        if ping.person is None:
            assert ping.case is not None
            seen = self.any_look(ping.case)
            if seen is None:
                return Delivery(DeliveryState.ACCEPTED, "nobody is entitled")
            where = self.channels.ensure(seen)
        else:
            seen = self._look(ping)
            where = self._user(ping.person)
        view = seen.case.ballot(ballot)
        if view is None:
            return Delivery(DeliveryState.REFUSED_FOR_GOOD, "no such ballot")
        made = _ballot_blocks(seen, ballot)
        return self._put(BALLOT, seen, where, [*made, *self._again(ping)], person=ping.person, about=ballot)

    def _recused(self, ping: Ping) -> Delivery:
        """Tell who may know of the case that somebody stepped back from it."""
        assert ping.case is not None
        self.clear_strangers(ping.case)
        who = dict(ping.about).get("person", "")
        with self.docket.database.read() as session:
            people = roster_of(self.docket, session)
        name = blocks.name(people.name(int(who))) if who else "Somebody of the Board"
        return self._words(ping, f"{blocks.escape(name)} stepped back from this case.")

    def _held(self, ping: Ping) -> Delivery:
        assert ping.person is not None
        item = int(dict(ping.about).get("item", "0"))
        made = [
            blocks.section("*A message waits for a person to look at it.*"),
            *blocks.actions(
                [blocks.button("Look at it", Do.HELD_MAIL, Target("", item).text(), style="primary")]
            ),
            *self._again(ping),
        ]
        return self._post(self._user(ping.person), self._notice(), made)

    def _told(self, ping: Ping) -> Delivery:  # noqa: PLR0911  one arm a word
        about = dict(ping.about)
        match about.get("what", ""):
            case "refer":
                return self._ask_to_refer(ping)
            case "vote":
                return self._vote_receipt(ping, int(about["ballot"]))
            case "meeting-planned":
                return self._meeting_planned(ping, int(about["meeting"]))
            case "meeting-file":
                return self._meeting_file(ping, int(about["meeting"]))
            case "dates-moved":
                return self._dates_moved(ping, int(about.get("entry", "0")))
            case "letter":
                state = _LETTER_STATES.get(about.get("state", ""), "changed its state.")
                return self._words(ping, f"A letter {state}", Do.TAKE_BACK, "Letters")
            case what:
                return self._words(ping, _TOLD.get(what, "Something changed in this case."))

    def _meeting_planned(self, ping: Ping, plan: int) -> Delivery:
        """Ask a person whether he comes to a planned meeting; nothing of a case is said."""
        assert ping.person is not None
        found = plan_of(self.docket, plan)
        if found is None or not self._is_invited(ping.person):
            return NOT_ENTITLED
        with self.docket.database.read() as session:
            profile, _hash = profile_in_force(session)
        made = [*meeting_cards.asking(found, ping.person, profile.city.time_zone), *self._again(ping)]
        return self._post(self._user(ping.person), self._notice(), made)

    def _meeting_file(self, ping: Ping, plan: int) -> Delivery:
        """Put a planned meeting's calendar entry into a person's direct messages."""
        assert ping.person is not None
        found = plan_of(self.docket, plan)
        if found is None or not self._is_invited(ping.person):
            return NOT_ENTITLED
        user = self._user(ping.person)
        direct = str(self.client.conversations_open(users=user)["channel"]["id"])
        content = calendar_entry(self.docket, found)
        self.client.files_upload_v2(
            channel=direct, content=content, filename="meeting.ics", title="meeting.ics"
        )
        return Delivery(DeliveryState.ACCEPTED, reference=direct)

    def _is_invited(self, person: int) -> bool:
        with self.docket.database.read() as session:
            people = roster_of(self.docket, session)
            profile, _hash = profile_in_force(session)
        today = local_date(self.docket.clock.now(), profile.city.time_zone)
        return bool(people.roles(person, today) & frozenset(INVITED))

    def _dates_moved(self, ping: Ping, entry: int) -> Delivery:
        """Say once which dates moved and why, of the cases that he may see."""
        assert ping.person is not None
        with self.docket.database.read() as session:
            profile, _hash = profile_in_force(session)
        known = {duty.id: duty.what for duty in profile.duties}
        lines = [
            f"{number}: {known.get(one.step.partition(':')[0], one.step)}: "
            f"{_last_day(one.old)} → {_last_day(one.new)} ({one.cause})"
            for number, one in moved_dates(self.docket, Actor(ping.person, Via.SLACK), entry)
        ]
        if not lines:
            return NOT_ENTITLED
        made = [blocks.section("*Dates have moved.*"), *(blocks.said(part) for part in cards.chunks(lines))]
        made += self._again(ping)
        fitted = blocks.fit(made, left_out=words.MORE_DATES_MOVED)
        return self._post(self._user(ping.person), self._notice(), fitted)

    def _ask_to_refer(self, ping: Ping) -> Delivery:
        """Ask the City Manager for the one step that is his; he sees nothing else of the case."""
        assert ping.person is not None
        assert ping.case is not None
        seen = look(self.docket, Actor(ping.person, Via.SLACK), ping.case, deed=Deed.REFER)
        number = seen.case.number
        if seen.case.referred is not None:
            when = words.instant(seen.case.referred.fact.at, seen.profile.city.time_zone)
            made = [blocks.section(f"Complaint {number} was referred to the Board on {when}.")]
        else:
            made = [
                blocks.section(
                    f"A complaint came in as *{number}*. The ordinance has the City Manager refer it to the "
                    "Board of Ethics. One click does it; nothing else of it is shown to you."
                ),
                *blocks.actions(
                    [blocks.button("Refer it to the Board", Do.REFER, Target(number).text(), style="primary")]
                ),
                *self._again(ping),
            ]
        return self._put(REFERRAL, seen, self._user(ping.person), made, person=ping.person)

    def _vote_receipt(self, ping: Ping, ballot: int) -> Delivery:
        assert ping.person is not None
        seen = self._look(ping)
        cast = ballots.own_vote(seen, ballot, ping.person)
        view = seen.case.ballot(ballot)
        if cast is None or view is None:
            return Delivery(DeliveryState.ACCEPTED, "the vote fell away")
        when = words.instant(cast.at, seen.profile.city.time_zone)
        question = cards.SHORT_QUESTIONS[view.opened.question]
        says = f"Your vote on {question} is recorded: *{words.CHOICES[cast.choice]}*, {when}. The last one stands."
        return self._post(
            self._user(ping.person),
            self._heading(seen.case.number),
            [blocks.section(says), *self._again(ping)],
        )

    def _words(self, ping: Ping, says: str, do: Do = Do.SHOW_CARD, label: str = "Show the case") -> Delivery:
        """Say one sentence about a case, to a person or in the case's channel, with a way on."""
        assert ping.case is not None
        if ping.person is None:
            seen = self.any_look(ping.case)
            if seen is None:
                return Delivery(DeliveryState.ACCEPTED, "nobody is entitled")
            where = self.channels.ensure(seen)
        else:
            seen, where = self._look(ping), self._user(ping.person)
        way_on = blocks.button(label, do, Target(seen.case.number).text())
        made = [
            blocks.section(f"*{seen.case.number}:* {says}"),
            *blocks.actions([way_on]),
            *self._again(ping),
        ]
        return self._post(where, self._heading(seen.case.number), made)

    # -- looking --------------------------------------------------------------------------------------

    def _look(self, ping: Ping) -> Look:
        assert ping.person is not None
        assert ping.case is not None
        return look(self.docket, Actor(ping.person, Via.SLACK), ping.case)

    def any_look(self, case_id: int) -> Look | None:
        """Look as the first person who may; what is drawn from it goes to the entitled only."""
        for person in self._people():
            try:
                return look(self.docket, Actor(person, Via.SLACK), case_id)
            except Refusal:
                continue
        return None

    def _people(self) -> Iterable[int]:
        with self.docket.database.read() as session:
            return tuple(roster_of(self.docket, session).members)

    def _clerks(self) -> tuple[int, ...]:
        with self.docket.database.read() as session:
            people = roster_of(self.docket, session)
            profile, _hash = profile_in_force(session)
        return people.with_role(Role.CLERK, local_date(self.docket.clock.now(), profile.city.time_zone))

    def _user(self, person: int) -> str:
        user = self.members.user_of(person)
        if not user:
            raise _no_account()
        return user

    def _notice(self) -> str:
        with self.docket.database.read() as session:
            profile, _hash = profile_in_force(session)
        return words.notice(local_date(self.docket.clock.now(), profile.city.time_zone))

    def _heading(self, number: str) -> str:
        with self.docket.database.read() as session:
            profile, _hash = profile_in_force(session)
        return words.heading(number, local_date(self.docket.clock.now(), profile.city.time_zone))

    def _again(self, ping: Ping) -> list[Json]:
        return [blocks.small(words.SHOWN_AGAIN)] if ping.again else []

    # -- posting --------------------------------------------------------------------------------------

    def _post(self, where: str, text: str, made: list[Json]) -> Delivery:
        answer = self.client.chat_postMessage(
            channel=where, text=text, blocks=made, unfurl_links=False, unfurl_media=False
        )
        return Delivery(DeliveryState.ACCEPTED, reference=f"{answer['channel']}:{answer['ts']}", reached=True)

    def _put(
        self,
        kind: str,
        seen: Look,
        where: str,
        made: list[Json],
        *,
        person: int | None,
        about: int | None = None,
    ) -> Delivery:
        """Edit what is shown already; post it, and note where, if it is not."""
        text = self._heading(seen.case.number)
        for place in self._places(kind, seen.case.key, person, about):
            if person is None and place.channel != where:
                forget_shown(self.docket, place.id)
                continue
            try:
                self.client.chat_update(channel=place.channel, ts=place.ts, text=text, blocks=made)
            except SlackApiError as error:
                if error_name(error) not in GONE:
                    raise
                forget_shown(self.docket, place.id)
                continue
            return Delivery(DeliveryState.ACCEPTED, reference=f"{place.channel}:{place.ts}", reached=True)
        delivered = self._post(where, text, made)
        channel, _, ts = delivered.reference.partition(":")
        note_shown(
            self.docket, kind, channel=channel, ts=ts, case_id=seen.case.key, person=person, about=about
        )
        return delivered

    def _places(self, kind: str, case_id: int, person: int | None, about: int | None) -> list[Shown]:
        with self.docket.database.read() as session:
            found = shown(session, kind, case_id=case_id, person=person, about=about)
        return [one for one in found if one.person == person]

    # -- taking away ----------------------------------------------------------------------------------

    def _clear(self, ping: Ping) -> None:
        """Take away what somebody still sees of a case that he may not know of any more."""
        if ping.case is not None and ping.person is not None:
            try:
                self.clear_strangers(ping.case)
            except (SlackApiError, OSError, http.client.HTTPException) as error:
                log.warning("slack.card-left", exc_info=error)

    def clear_strangers(self, case_id: int) -> None:
        """Take away the cards and ballots in the messages of whoever may not know of the case any more."""
        with self.docket.database.read() as session:
            places = [
                one for kind in (CARD, BALLOT) for one in shown(session, kind, case_id=case_id) if one.person
            ]
        for place in places:
            try:
                look(self.docket, Actor(place.person, Via.SLACK), case_id)
            except Refusal:
                self._delete(place)

    def _delete(self, place: Shown) -> None:
        try:
            self.client.chat_delete(channel=place.channel, ts=place.ts)
        except SlackApiError as error:
            if error_name(error) not in GONE | {"cant_delete_message"}:
                raise
        forget_shown(self.docket, place.id)


def _offered_to_all(seen: Look) -> cards.Offer:
    """Say of an act whether everybody whom the case's channel holds may do it; what only some may is not shown there."""
    present = frozenset(entitled(seen))
    return lru_cache(lambda deed: present <= frozenset(entitled(seen, deed)))


def _ballot_blocks(seen: Look, ballot: int) -> list[Json]:
    """Draw a ballot: the question and the way to vote; when it is closed, the arithmetic."""
    case = seen.case
    view = case.ballot(ballot)
    assert view is not None
    question = words.QUESTIONS[view.opened.question]
    track = cards.track_label(case, view.track)
    made = [blocks.section(f"*Ballot in {case.number}*, {track.lower()}: {question}")]
    target = Target(case.number, ballot).text()
    if view.is_open:
        return [
            *made,
            blocks.small(
                "The count is shown to nobody until the ballot is closed. The last vote of each stands."
            ),
            *blocks.actions(
                [
                    blocks.button("Vote", f"{Do.VOTE}:{ballot}", target, style="primary"),
                    blocks.button("Open the file", Do.OPEN_FILE, Target(case.number).text()),
                ]
            ),
        ]
    if view.voided is not None:
        return [*made, blocks.section("This ballot was voided; it counts for nothing.")]
    assert view.closed is not None
    return blocks.fit([*made, *cards.arithmetic(view.closed)], left_out=words.MORE_THAN_FITS)


def _digest_blocks(lines: Sequence[str]) -> list[Json]:
    """Draw a digest: its lines as they come, the most urgent first, cut where Slack takes no more, and the cut said."""
    room, shown = _DIGEST_TEXT, list[str]()
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        shown.append(line)
    made = [blocks.section("*What waits for you*"), *(blocks.said(part) for part in cards.chunks(shown))]
    if len(shown) < len(lines):
        made.append(
            blocks.section(
                f"*… and {len(lines) - len(shown):,} more.* All open cases by their next date: /ethics docket"
            )
        )
    return made


def _last_day(days: tuple[str, ...]) -> str:
    """Give the last day of a step as it is told: the safe day, else how long it stays open."""
    return next((day for day in days if day), "no date")


def retry_after_s(error: SlackApiError) -> float | None:
    """Give how many seconds Slack asks to wait; None where it does not say."""
    headers = getattr(error.response, "headers", None) or {}
    value = headers.get("Retry-After") or headers.get("retry-after")
    value = value[0] if isinstance(value, list) else value
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None


def _no_account() -> SlackApiError:
    answer = {"ok": False, "error": "user_not_found"}
    return SlackApiError("no Slack account is linked", answer)  # type: ignore[no-untyped-call]  # the SDK leaves it untyped
