"""Hearing before the Board (E)(1)(b): set with notice to each party and counsel, held or adjourned, its result sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from store import outbox
from store.cases import Act, Actor, Docket, Paper, act
from store.letters.decision_of_termination import Reader
from store.letters.hearing_notice import HearingNotice
from store.letters.hearing_result import HearingResult
from store.letters.letter import LetterKind
from store.proceedings import writing
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.days import instant_on, past_instant, told_that_day
from store.proceedings.offices import chosen_papers, in_words, listed, respondent
from store.proceedings.screening import refresh_cards
from store.proceedings.service import Copy, send_to
from store.rules.access import Deed
from store.rules.casefile import OF_THE_BOARD, CaseFile, Party
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Disposed, HearingDecided, HearingOpened, HearingSat, PartyRole
from store.rules.sharing import kept_apart

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
        shared: why a paper that another respondent brought is handed over; without it none is.
    """

    hearing_at: datetime
    place: str
    issue: str
    handed_over: Sequence[int] = ()
    papers_by: date | None = None
    video: str = ""
    reason: str = ""
    shared: str = ""


def open_hearing(docket: Docket, actor: Actor, number: str, track: int, setting: Setting) -> tuple[int, ...]:
    """Set the hearing of one respondent; notice goes to him, to each complainant, and to counsel of each.

    Setting it anew needs a reason; notices of the day before that did not go out are taken back, those that did stay,
    and new ones go out.

    Returns:
        The letters' ids. They wait some minutes and can be taken back (L2).

    Raises:
        BadInput: no such respondent or paper, no zone, a word is missing, or a day that cannot be.
        NotNow: the Board decided no hearing for him, or a paper is another respondent's and no reason is given.
        AlreadyDone: it is set, and no reason is given to set it anew; or its result is on the record.

    Source: clause (E)(1)(b); rights as in clause (B).
    """
    with act(docket, actor, Deed.OPEN_HEARING, number=number) as step:
        party = respondent(step, track)
        letters = _set(step, party, setting)
        tell_clerk_and_chair(step, {"what": "hearing", "track": track})
        refresh_cards(step)
        return letters


def _set(step: Act, party: Party, setting: Setting) -> tuple[int, ...]:
    """Record day and place of a hearing and write its notices; give the letters' ids."""
    track = party.id
    decided = _decided(step, track)
    _check(step, track, setting)
    papers = _to_hand_over(step, track, setting.handed_over, setting.shared)
    before = step.case.hearing(track)
    if before is not None and _is_set_so(before.fact, setting) and _all_have_notice(step, party, before.id):
        raise AlreadyDone("The hearing is set so, and its notices are written.", clause=CLAUSE)
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
    if before is not None:
        notices = step.case.letters_to(LetterKind.HEARING_NOTICE.value)
        mine = [one.id for one in notices if one.queued.about_track == track]
        writing.take_back(step, mine, "taken back: the hearing was set anew", on_paper=True)
    enclosures = tuple(in_words(one) for one in listed(step, papers))
    return tuple(
        _write(step, recipient, of, track, decided, setting, fact, enclosures)
        for recipient, of in _recipients(step, party)
    )


def _to_hand_over(step: Act, track: int, documents: Sequence[int], shared: str) -> tuple[Paper, ...]:
    """Give the papers to hand over; what another respondent brought goes only with a reason, which is recorded."""
    papers = chosen_papers(step, documents, clause=CLAUSE)
    apart = kept_apart(step.case, [one.id for one in papers], track)
    if not apart:
        return papers
    if not shared.strip():
        raise NotNow(
            "A paper that was chosen is another respondent's answer, and is not shown to the others.",
            clause="B-respond",
            mend="Leave it out, or say why it is handed over.",
        )
    step.note["shared"] = {"documents": list(apart), "reason": shared.strip()}
    return papers


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
        raise BadInput("The hour of a hearing is given with its zone; nothing is guessed.", clause=CLAUSE)
    if setting.hearing_at <= step.now:
        raise BadInput("A hearing is set for an hour that lies ahead; nothing was changed.", clause=CLAUSE)
    if not setting.place.strip() or not setting.issue.strip():
        raise BadInput("A hearing is set with its place and with what it is to determine.", clause=CLAUSE)
    on = local_date(setting.hearing_at, step.profile.city.time_zone)
    if setting.papers_by is not None and not step.today <= setting.papers_by <= on:
        raise BadInput(
            "Papers are asked for by a day between today and the hearing; nothing was changed.",
            clause=CLAUSE,
            mend="Pick a day between them.",
        )
    if step.case.decided(track, OF_THE_BOARD) is not None:
        raise AlreadyDone("The result of this hearing is on the record.", clause=CLAUSE)
    if step.case.hearing(track) is not None and not setting.reason.strip():
        raise AlreadyDone(
            "The hearing is set.", clause=CLAUSE, mend="To set it anew, say why; new notices go out."
        )


def _all_have_notice(step: Act, party: Party, opened: int) -> bool:
    """Say whether everybody has the notice of a setting, or it is on its way: none failed and nobody is new."""
    notices = [one for one in step.case.letters_to(LetterKind.HEARING_NOTICE.value) if one.id > opened]
    have = {
        one.queued.to_party
        for one in notices
        if not one.may_be_written_anew and one.queued.about_track == party.id
    }
    return {one.id for one, _of in _recipients(step, party)} <= have


def _is_set_so(fact: HearingOpened, setting: Setting) -> bool:
    """Say whether a hearing is set for this hour, place and issue with these papers: notices go out once."""
    return (fact.hearing_at, fact.place, fact.issue, set(fact.handed_over)) == (
        setting.hearing_at,
        setting.place.strip(),
        setting.issue.strip(),
        set(setting.handed_over),
    )


def _recipients(step: Act, party: Party) -> list[tuple[Party, Party]]:
    """Give who gets the notice, each once, with the party for whom it is meant."""
    found: dict[int, tuple[Party, Party]] = {}
    for one in (party, *step.case.complainants):
        for recipient in (one, *step.case.counsel_of(one.id, step.today)):
            found[recipient.id] = (recipient, one)
    return list(found.values())


def _write(  # noqa: PLR0917  one value each of the letter
    step: Act,
    recipient: Party,
    of: Party,
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
        addressee=writing.addressee(recipient, of),
        dated=step.today,
        case_number=step.case.number,
        enclosures=enclosures,
        decided_on=local_date(decided.at, zone),
        hearing_at=writing.local(setting.hearing_at, zone),
        place=tuple(line.strip() for line in fact.place.splitlines() if line.strip()),
        issue=fact.issue,
        answer_to=writing.reply_address(step.docket, token),
        papers_by=setting.papers_by,
        video=setting.video.strip(),
        officer=_officer(next(one for one in step.case.respondents if one.id == track)),
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


def _officer(party: Party) -> str:
    return f"{party.named.name}, {party.named.office}" if party.named.office else party.named.name


# -- held, adjourned ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sitting:
    """How a sitting of the hearing went.

    Attributes:
        at: when it began, aware.
        appeared: ids of the parties and counsel who came.
        handed_over: ids of papers handed over in it.
        adjourned: it goes on another day.
        words: how it went, or why it was adjourned.
        shared: why a paper that another respondent brought was handed over.
    """

    at: datetime
    appeared: Sequence[int] = ()
    handed_over: Sequence[int] = ()
    adjourned: bool = False
    words: str = ""
    shared: str = ""


def record_sitting(
    docket: Docket, actor: Actor, number: str, track: int, sitting: Sitting, *, to: Setting | None = None
) -> tuple[int, ...]:
    """Record that the hearing was held: who came, what was handed over, and whether it was adjourned.

    Adjourned to a day, it is set for that day in the same act, and each party and counsel gets a new notice,
    whether or not they were there when the day was announced.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        track: the respondent.
        sitting: how it went.
        to: when and where it goes on; None where no day was named.

    Returns:
        The ids of the new notices; empty where there are none.

    Raises:
        BadInput: no such respondent, party or paper, an instant that lies ahead, an adjournment without words,
            or a new day for a hearing that was not adjourned.
        NotNow: no hearing was opened, or it was held before the day on the record.
        AlreadyDone: its result is on the record, or the same sitting is.

    Source: clause (E)(1)(b).
    """
    with act(docket, actor, Deed.OPEN_HEARING, number=number) as step:
        party = respondent(step, track)
        opened = _waits_for_result(step, track)
        at = past_instant(step, sitting.at)
        if local_date(at, step.profile.city.time_zone) < opened.on:
            raise NotNow(
                "The hearing is set for a later day.",
                clause=CLAUSE,
                mend="Where it was held earlier, set it anew with the reason first.",
            )
        sat = _sat(step, track, at, sitting)
        if told_that_day(step, sat, track):
            raise AlreadyDone("This sitting of the hearing is on the record.", clause=CLAUSE)
        step.record(sat, about=track)
        letters = _set(step, party, to) if _goes_on(sitting, to) and to is not None else ()
        tell_clerk_and_chair(step, {"what": "hearing-sat", "track": track})
        refresh_cards(step)
        return letters


def _sat(step: Act, track: int, at: datetime, sitting: Sitting) -> HearingSat:
    known = {one.id for one in step.case.parties}
    appeared = tuple(dict.fromkeys(sitting.appeared))
    if any(one not in known for one in appeared):
        raise BadInput(
            "Somebody who is said to have come is no party of this case, nor counsel of one.", clause=CLAUSE
        )
    papers = _to_hand_over(step, track, sitting.handed_over, sitting.shared)
    return HearingSat(at, appeared, tuple(one.id for one in papers), sitting.adjourned, sitting.words.strip())


def _goes_on(sitting: Sitting, to: Setting | None) -> bool:
    """Say whether the hearing goes on another day, its words and day being consistent."""
    if to is not None and not sitting.adjourned:
        raise BadInput(
            "A hearing that was not adjourned goes on on no other day; nothing was changed.", clause=CLAUSE
        )
    if sitting.adjourned and not sitting.words.strip():
        raise BadInput("A hearing is adjourned with its reason.", mend="Say why.", clause=CLAUSE)
    return sitting.adjourned


def _waits_for_result(step: Act, track: int) -> HearingOpened:
    opened = step.case.hearing(track)
    if step.case.decided(track, OF_THE_BOARD) is not None:
        raise AlreadyDone("The result of this hearing is on the record.", clause=CLAUSE)
    if opened is None:
        raise NotNow("No hearing was opened for this respondent.", clause=CLAUSE, mend="Set it first.")
    return opened.fact


# -- its result ---------------------------------------------------------------------------------------


def record_result(docket: Docket, actor: Actor, number: str, track: int, *, on: date, result: str) -> int:
    """Record the result of the Board's hearing; his track is final with it, and no machine judges it.

    Raises:
        BadInput: no such respondent, no words, or a day that lies ahead.
        NotNow: no hearing was opened, it stands adjourned, or the day lies before it.
        AlreadyDone: the result is on the record.

    Source: decisions 6 and 10.
    """
    with act(docket, actor, Deed.OPEN_HEARING, number=number) as step:
        respondent(step, track)
        opened = _waits_for_result(step, track)
        if step.case.stands_adjourned(track):
            raise NotNow(
                "The hearing stands adjourned, and no day on which it goes on was set.",
                clause=CLAUSE,
                mend="Set the day, or record the sitting that ended it.",
            )
        if on < opened.on:
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


def send_result(docket: Docket, actor: Actor, number: str, track: int) -> tuple[int, ...]:
    """Write the result of a hearing to the respondent, to each complainant, and to counsel of each.

    Whom it reached before is left out, so that this can be done again after a bounce.

    Returns:
        The letters' ids. They wait some minutes and can be taken back (L2).

    Raises:
        BadInput: no such respondent.
        NotNow: no result is on the record.
        AlreadyDone: each party has it, or it is on its way.

    Source: clause (E)(1)(b); L1.
    """
    with act(docket, actor, Deed.SEND_HEARING_RESULT, number=number) as step:
        party = respondent(step, track)
        decided = step.case.decided(track, OF_THE_BOARD)
        if decided is None:
            raise NotNow(
                "No result of this hearing is on the record.", clause=CLAUSE, mend="Record the result first."
            )

        def write(copy: Copy) -> HearingResult:
            return _result(step, copy, party, decided.fact)

        letters: list[int] = []
        for one in (party, *step.case.complainants):
            letters += send_to(step, one, write, track=track)
        if not letters:
            raise AlreadyDone("Each party has the result, or it is on its way.", clause=CLAUSE)
        refresh_cards(step)
        return tuple(letters)


def _result(step: Act, copy: Copy, party: Party, decided: HearingDecided) -> HearingResult:
    zone = step.profile.city.time_zone
    theirs = copy.of.role is PartyRole.COMPLAINANT
    return HearingResult(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=writing.addressee(copy.party, copy.of),
        dated=step.today,
        case_number=step.case.number,
        reader=Reader.COMPLAINANT if theirs else Reader.RESPONDENT,
        held_on=held_on(step.case, party.id, zone),
        decided_on=local_date(decided.at, zone),
        officers=(_officer(party),),
        result=decided.result,
        answer_to=writing.reply_address(step.docket, copy.token),
        to_counsel=copy.to_counsel,
    )


def held_on(case: CaseFile, track: int, zone: ZoneInfo) -> tuple[date, ...]:
    """Give the local days on which a hearing sat: as recorded, else the day for which it was set."""
    sat = sorted({local_date(one.fact.at, zone) for one in case.sittings(track)})
    opened = case.hearing(track)
    return tuple(sat) or ((opened.fact.on,) if opened else ())
