"""Hearing before the Board: set with day, place and issue, notice to each party and counsel, its result (E)(1)(b)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from store import outbox
from store.cases import Act, Actor, Docket, act
from store.letters.hearing_notice import HearingNotice
from store.proceedings import writing
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.days import instant_on
from store.proceedings.offices import chosen_papers, in_words, listed, respondent
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import OF_THE_BOARD, Party
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Disposed, HearingDecided, HearingOpened

CLAUSE = "E1b-hearing"


@dataclass(frozen=True, slots=True)
class Setting:
    """When and where the Board hears a case, and what about.

    Attributes:
        hearing_at: when, aware.
        place: where, one line each.
        issue: what the hearing is to determine.
        handed_over: ids of papers that each party gets with the notice.
        papers_by: until when papers and names of witnesses are asked for; None for no such day.
        video: how to attend by video; empty for not at all.
        reason: why a hearing that was set is set anew.
    """

    hearing_at: datetime
    place: str
    issue: str
    handed_over: Sequence[int] = ()
    papers_by: date | None = None
    video: str = ""
    reason: str = ""


def open_hearing(docket: Docket, actor: Actor, number: str, track: int, setting: Setting) -> tuple[int, ...]:
    """Set the hearing of one respondent; notice goes to him, to each complainant, and to counsel of each.

    Setting it anew needs a reason; the notices before stay, and new ones go out.

    Returns:
        The letters' ids. They wait some minutes and can be taken back (L2).

    Raises:
        BadInput: no such respondent or paper, no zone, a word is missing, or a day that cannot be.
        NotNow: the Board decided no hearing for him.
        AlreadyDone: it is set, and no reason is given to set it anew; or its result is on the record.

    Source: clause (E)(1)(b); rights as in clause (B).
    """
    with act(docket, actor, Deed.OPEN_HEARING, number=number) as step:
        party = respondent(step, track)
        decided = _decided(step, track)
        _check(step, track, setting)
        papers = chosen_papers(step, setting.handed_over, clause=CLAUSE)
        before = step.case.hearing(track)
        fact = HearingOpened(
            step.now,
            local_date(setting.hearing_at, step.profile.city.time_zone),
            setting.place.strip(),
            setting.hearing_at.astimezone(UTC),
            setting.issue.strip(),
            tuple(one.id for one in papers),
            setting.reason.strip() if before else "",
        )
        step.record(fact, about=track, supersedes=before.id if before else None)
        enclosures = tuple(in_words(one) for one in listed(step, papers))
        letters = tuple(
            _write(step, recipient, track, decided, setting, fact, enclosures)
            for recipient in _recipients(step, party)
        )
        tell_clerk_and_chair(step, {"what": "hearing", "track": track})
        refresh_cards(step)
        return letters


def _decided(step: Act, track: int) -> Disposed:
    disposed = step.case.standing_disposition(track)
    if disposed is None or not disposed.fact.hearing:
        raise NotNow(
            "The Board has decided no hearing for this respondent.",
            clause=CLAUSE,
            mend="Record what follows first, with the ballots that carried it.",
        )
    return disposed.fact


def _check(step: Act, track: int, setting: Setting) -> None:
    if setting.hearing_at.tzinfo is None:
        raise BadInput("The hour of a hearing is given with its zone; nothing is guessed.")
    if setting.hearing_at <= step.now:
        raise BadInput("A hearing is set for an hour that lies ahead; nothing was changed.", clause=CLAUSE)
    if not setting.place.strip() or not setting.issue.strip():
        raise BadInput("A hearing is set with its place and with what it is to determine.", clause=CLAUSE)
    on = local_date(setting.hearing_at, step.profile.city.time_zone)
    if setting.papers_by is not None and not step.today <= setting.papers_by <= on:
        raise BadInput("Papers are asked for by a day between today and the hearing; nothing was changed.")
    if step.case.decided(track, OF_THE_BOARD) is not None:
        raise AlreadyDone("The result of this hearing is on the record.", clause=CLAUSE)
    if step.case.hearing(track) is not None and not setting.reason.strip():
        raise AlreadyDone(
            "The hearing is set.", clause=CLAUSE, mend="To set it anew, say why; new notices go out."
        )


def _recipients(step: Act, party: Party) -> list[Party]:
    found = []
    for one in (party, *step.case.complainants):
        found += [one, *step.case.counsel_of(one.id)]
    return list({one.id: one for one in found}.values())


def _write(  # noqa: PLR0917  one value each of the letter
    step: Act,
    recipient: Party,
    track: int,
    decided: Disposed,
    setting: Setting,
    fact: HearingOpened,
    enclosures: tuple[str, ...],
) -> int:
    zone, token = step.profile.city.time_zone, outbox.new_token()
    letter = HearingNotice(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=writing.addressee(recipient),
        dated=step.today,
        case_number=step.case.number,
        enclosures=enclosures,
        decided_on=local_date(decided.at, zone),
        hearing_at=writing.local(setting.hearing_at, zone),
        place=tuple(line.strip() for line in fact.place.splitlines() if line.strip()),
        issue=fact.issue,
        answer_to=writing.reply_address(step.docket.mail_from, token),
        papers_by=setting.papers_by,
        video=setting.video.strip(),
    )
    return writing.send(
        step,
        letter,
        party=recipient,
        to=recipient.named.emails[0] if recipient.named.emails else "",
        to_role=recipient.role.value,
        token=token,
        enclosures=fact.handed_over,
        track=track,
    )


def record_result(docket: Docket, actor: Actor, number: str, track: int, *, on: date, result: str) -> int:
    """Record the result of the Board's hearing; his track is final with it, and no machine judges it.

    Raises:
        BadInput: no such respondent, no words, or a day that lies ahead.
        NotNow: no hearing was opened, or the day lies before it.
        AlreadyDone: the result is on the record.

    Source: decisions 6 and 10.
    """
    with act(docket, actor, Deed.OPEN_HEARING, number=number) as step:
        respondent(step, track)
        opened = step.case.hearing(track)
        if step.case.decided(track, OF_THE_BOARD) is not None:
            raise AlreadyDone("The result of this hearing is on the record.", clause=CLAUSE)
        if opened is None:
            raise NotNow("No hearing was opened for this respondent.", clause=CLAUSE, mend="Set it first.")
        if on < opened.fact.on:
            raise NotNow(
                "The result cannot lie before the day of the hearing.",
                clause=CLAUSE,
                mend="Where it was held earlier, set it anew with the reason first.",
            )
        if not result.strip():
            raise BadInput(
                "A result is recorded in words.", clause=CLAUSE, mend="Say what the Board decided."
            )
        at = instant_on(step, on)
        key = step.record(HearingDecided(at, OF_THE_BOARD, result.strip()), about=track)
        tell_clerk_and_chair(step, {"what": "hearing-decided", "track": track})
        refresh_cards(step)
        return key
