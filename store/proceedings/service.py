"""Service: letters to each party and its counsel, one recipient a message, and service on paper (L2, L3)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from store import outbox
from store.cases import Act, Actor, Docket, act
from store.letters.letter import Letter
from store.proceedings import writing
from store.proceedings.days import instant_on
from store.proceedings.offices import settle_on_paper
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import LetterState, LetterView, Party
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import OfficeReceived, Served

_CORRECT = "A wrong day is corrected, with a reason: docket correct receipts."
STANDING = frozenset(
    {LetterState.QUEUED, LetterState.SENT, LetterState.DELAYED, LetterState.UNCERTAIN, LetterState.ON_PAPER}
)


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a letter: to whom it goes, for whom it is meant, and the token of its reply address."""

    party: Party
    of: Party
    token: str

    @property
    def to_counsel(self) -> bool:
        """Whether this copy goes to counsel of the party."""
        return self.party.id != self.of.id


def on_its_way(step: Act, letter: str, party: Party, *, track: int | None = None) -> bool:
    """Say whether a letter to a party stands that did not fail; an uncertain one waits for a person."""
    return any(
        one.state in STANDING and (track is None or one.queued.about_track == track)
        for one in step.case.letters_to(letter, party.id)
    )


def send_to(
    step: Act,
    party: Party,
    write: Callable[[Copy], Letter],
    *,
    enclosures: tuple[int, ...] = (),
    track: int | None = None,
) -> tuple[int, ...]:
    """Write a letter to a party and to each counsel of record, unless one stands already.

    Args:
        step: the running act.
        party: whom it is meant for.
        write: makes the letter for one copy.
        enclosures: ids of documents that go with it.
        track: the respondent whom it is about.

    Returns:
        The letters' ids.
    """
    letters = []
    for recipient in (party, *step.case.counsel_of(party.id, step.today)):
        copy = Copy(recipient, party, outbox.new_token())
        letter = write(copy)
        if on_its_way(step, letter.kind.value, recipient, track=track):
            continue
        to = recipient.named.emails[0] if recipient.named.emails else ""
        letters.append(
            writing.send(
                step,
                letter,
                party=recipient,
                to=to,
                to_role=recipient.role.value,
                token=copy.token,
                enclosures=enclosures,
                track=track,
            )
        )
    return tuple(letters)


def record_service(
    docket: Docket,
    actor: Actor,
    number: str,
    *,
    party: int,
    letter: str,
    how: str,
    on: date,
    by: str,
    received_on: date | None = None,
    letter_fact: int | None = None,
) -> int:
    """Record that a paper was served on a party by hand or by post.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        party: id of the party.
        letter: kind of the letter, such as ``notice``.
        how: how it was served: in person, by certified mail.
        on: the day in the city's zone.
        by: who served it.
        received_on: the day of receipt, where it is known.
        letter_fact: id of the letter; the newest of its kind to the party if None.

    Returns:
        The id of the service.

    Raises:
        BadInput: there is no such party or letter, a word is missing, or a day lies ahead.
        NotNow: the day lies before the letter was written, or it is being sent by mail just now.
        AlreadyDone: this very service is on the record.
    """
    with act(docket, actor, Deed.RECORD_SERVICE, number=number) as step:
        known = step.case.party(party)
        if known is None:
            raise BadInput("There is no such party in this case; nothing was changed.")
        if not how.strip() or not by.strip():
            raise BadInput("A service is recorded with how it was made, and by whom.")
        if received_on is not None and received_on < on:
            raise BadInput("A paper is not received before it was served; nothing was changed.")
        paper = _letter(step, letter, known, letter_fact)
        check_written(step, paper, on)
        service = Served(
            letter,
            how.strip(),
            on,
            by.strip(),
            received_on,
            at=instant_on(step, on),
            received_at=instant_on(step, received_on) if received_on else None,
        )
        _check_new(step, party, service)
        fact = writing.serve_on_paper(step, _settles(step, paper), letter, party, service)
        refresh_cards(step)
        return fact


def check_written(step: Act, letter: LetterView | None, on: date) -> None:
    """Refuse a service on a day before the letter was written.

    Raises:
        NotNow: the day lies before it.
    """
    if letter is not None and on < local_date(letter.queued_at, step.profile.city.time_zone):
        raise NotNow(
            "It cannot be served before it was written; nothing was changed.",
            clause=letter.queued.clause,
            mend="Check the day.",
        )


def _check_new(step: Act, party: int, service: Served) -> None:
    """Refuse to record one service twice; another day, way or server is a further service."""
    for one in step.case.all(Served):
        same = (one.fact.letter, one.fact.how, one.fact.on, one.fact.by, one.fact.received_on)
        new = (service.letter, service.how, service.on, service.by, service.received_on)
        if one.about == party and same == new:
            raise AlreadyDone("This service is on the record.", clause="A-forward", mend=_CORRECT)


def record_office_service(
    docket: Docket, actor: Actor, number: str, letter: int, *, how: str, on: date, by: str
) -> int:
    """Record that a letter to an office (the Commission, a prosecutor) was brought to it on paper.

    So a letter that came back, or whose fate nobody knows, reaches its office all the same. When a reprimand
    was received is an act of its own, since a period runs from it.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        letter: the letter's id.
        how: how it was brought: in person, by certified mail.
        on: the day in the city's zone.
        by: who brought it.

    Returns:
        The id of the receipt.

    Raises:
        BadInput: there is no such letter to an office, a word is missing, or the day lies ahead.
        NotNow: it went by mail and did not fail, it is a reprimand, or the day lies before it was written.
    """
    with act(docket, actor, Deed.RECORD_SERVICE, number=number) as step:
        found = next((one for one in step.case.letters if one.id == letter), None)
        if found is None or found.queued.to_party is not None:
            raise BadInput("There is no such letter to an office in this case; nothing was changed.")
        if not how.strip() or not by.strip():
            raise BadInput("A service is recorded with how it was made, and by whom.")
        _check_office(step, found, on)
        at = instant_on(step, on)
        settle_on_paper(step, found, at)
        fact = step.record(OfficeReceived(at, f"{how.strip()}, by {by.strip()}"), about=letter)
        refresh_cards(step)
        return fact


def _check_office(step: Act, letter: LetterView, on: date) -> None:
    if letter.queued.letter == "reprimand":
        raise NotNow(
            "When a reprimand was received is recorded as such, since a period can run from it.",
            clause="E2-demand",
            mend="Record its receipt by the Commission.",
        )
    if letter.counts_as_sent or letter.state is LetterState.WITHDRAWN:
        raise NotNow(
            "This letter went out, or was taken back; nothing was changed.",
            clause=letter.queued.clause,
            mend="See in Letters where it stands.",
        )
    check_written(step, letter, on)


def _letter(step: Act, letter: str, party: Party, wanted: int | None) -> LetterView:
    """Give the letter that was served; a service without a letter on the record is of nothing."""
    known = [one for one in step.case.letters_to(letter, party.id) if wanted is None or one.id == wanted]
    if not known:
        raise BadInput(
            "No such letter to this party is on the record.",
            mend="Write it first; without an address it is set for paper.",
        )
    return known[-1]


def _settles(step: Act, paper: LetterView) -> int:
    """Take the letter out of the mail, where it waits there, so that it is not sent as well."""
    waiting = {one.about: one.id for one in outbox.waiting(step.session, outbox.Channel.MAIL)}
    row = waiting.get(paper.id)
    if row is not None and paper.state is LetterState.QUEUED:
        if not outbox.withdraw(step.session, row, step.now):
            raise NotNow(
                "This letter is being sent by mail just now.",
                clause="A-forward",
                mend="Wait until the record shows how that ended.",
            )
        return paper.id
    # a letter that went by mail keeps that evidence; the service on paper stands beside it
    return 0 if paper.state in {LetterState.SENT, LetterState.DELAYED} else paper.id
