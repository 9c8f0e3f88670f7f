"""Letters to an office that is no party: the Commission, a prosecutor; and when it received them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime

from store import outbox
from store.cases import Act, Paper, check_paper, papers
from store.letters.letter import Addressee, Document, Letter
from store.proceedings import writing
from store.rules import evidence
from store.rules.casefile import LetterState, LetterView, Party
from store.rules.dates import local_date
from store.rules.errors import BadInput
from store.rules.facts import LetterSettled
from store.rules.ordinance import Address, Office

LETTER = "letter:"


def addressee(address: Address) -> Addressee:
    """Give to which office a letter goes and how it travels; an address that begins with its name names it once."""
    first, name = (address.postal or ("",))[0], address.name
    repeated = bool(first) and (first in name or name in first)
    postal = address.postal[1:] if repeated else address.postal
    return Addressee(first if name in first else name, postal, "By e-mail" if address.emails else "By mail")


def write_to(
    step: Act,
    office: Office,
    make: Callable[[Addressee], Letter],
    *,
    enclosures: Sequence[int] = (),
    track: int | None = None,
) -> int:
    """Write a letter to an office at its address in the profile: by mail where it has one, else on paper.

    Args:
        step: the running act.
        office: the office.
        make: makes the letter for its addressee.
        enclosures: ids of documents that go with it.
        track: the respondent whom it is about.

    Returns:
        The letter's id.

    Raises:
        BadInput: the profile has no address of the office.
    """
    address = step.profile.address(office)
    letter = make(addressee(address))
    return writing.send(
        step,
        letter,
        party=None,
        to=address.emails[0] if address.emails else "",
        to_role=office.value,
        token=outbox.new_token(),
        enclosures=enclosures,
        track=track,
    )


def settle_on_paper(step: Act, letter: LetterView, at: datetime) -> None:
    """Note that a letter which went on paper reached its office; one that went by mail keeps that evidence."""
    if letter.state not in {LetterState.SENT, LetterState.DELAYED, LetterState.ON_PAPER}:
        waiting = {one.about: one.id for one in outbox.waiting(step.session, outbox.Channel.MAIL)}
        if letter.id in waiting:
            outbox.withdraw(step.session, waiting[letter.id], step.now)
        step.record(LetterSettled(LetterState.ON_PAPER.value, at), about=letter.id)


def respondent(step: Act, track: int) -> Party:
    """Give the respondent of a track.

    Raises:
        BadInput: it is none of this case.
    """
    party = next((one for one in step.case.respondents if one.id == track), None)
    if party is None:
        raise BadInput("This is about one respondent of the case; nothing was changed.")
    return party


def chosen_papers(step: Act, documents: Sequence[int], *, clause: str) -> tuple[Paper, ...]:
    """Give the papers that somebody chose among those that came to the Board, in his order.

    What the Board itself wrote is left out: it tells of votes and deliberations, and never leaves as evidence.

    Raises:
        BadInput: a document is none of this case, or was written by the Board.
    """
    assert step.case_id is not None
    known = {one.id: one for one in papers(step.docket, step.session, step.case_id)}
    wanted = tuple(dict.fromkeys(documents))
    if any(one not in known for one in wanted):
        raise BadInput("A document that was chosen is none of this case; nothing was changed.", clause=clause)
    if any(known[one].kind.startswith((LETTER, "manifest")) for one in wanted):
        raise BadInput(
            "Only papers that came to the Board can be chosen: what the Board wrote tells of its proceedings.",
            clause=clause,
            mend="Choose the complaint, answers and exhibits.",
        )
    for one in wanted:
        check_paper(step, one)
    return tuple(known[one] for one in wanted)


def listed(step: Act, chosen: Sequence[Paper]) -> tuple[Document, ...]:
    """Give papers as a letter lists them: what each is and when it came, with SHA-256 and pages; no file name."""
    zone = step.profile.city.time_zone
    return tuple(
        Document(
            f"{_what(one)}, received {_day(local_date(one.received_at, zone))}",
            one.sha256,
            found.pages if (found := evidence.from_json(one.finding)) else None,
        )
        for one in chosen
    )


def _what(paper: Paper) -> str:
    return paper.kind.replace("-", " ").replace("_", " ").capitalize()


def _day(on: date) -> str:
    return f"{on:%B} {on.day}, {on.year}"


def in_words(document: Document) -> str:
    """Give a listed paper as one line."""
    return replace(document, sha256="").title
