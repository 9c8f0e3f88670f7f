"""Letters written inside an act: set, kept as a document, recorded, and owed to one recipient (L1-L3)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from store import outbox
from store.cases import Act, Docket, papers
from store.letters.letter import Addressee, DueDate, Letter, Letterhead, Signatory, Written
from store.letters.press import Pressed
from store.rules import evidence
from store.rules.casefile import LetterState, Party
from store.rules.check_code import PURPOSE, check_code
from store.rules.dates import Dates
from store.rules.facts import LetterQueued, LetterSettled, Served
from store.rules.ordinance import City, Profile

ON_PAPER = "on-paper"


def letterhead(step: Act) -> Letterhead:
    """Give who writes, from the profile; practice is printed across each page (R8)."""
    city = step.profile.city
    made = Letterhead(
        city.name,
        city.board,
        address_lines(city),
        email=step.docket.mail_from,
        watermark=step.docket.watermark,
    )
    return replace(made, ordinance=city.ordinance) if city.ordinance else made


def address_lines(city: City) -> tuple[str, ...]:
    """Give the lines of the return address that do not repeat the city's and the Board's names above them."""
    lines = list(city.letterhead)
    while len(lines) > 1 and (city.board.startswith(lines[0]) or lines[0].startswith(city.name)):
        lines.pop(0)
    return tuple(lines)


def signatory(profile: Profile) -> Signatory:
    """Give who signs, as the profile prints it."""
    return Signatory(profile.city.signatory, profile.city.board)


def closing_lines(profile: Profile) -> tuple[str, ...]:
    """Give the lines with which a letter for the Board ends, as the letterhead prints them."""
    signs = signatory(profile)
    return (f"For the {profile.city.board},", signs.name, signs.title)


def local(instant: datetime, zone: ZoneInfo) -> datetime:
    """Show an instant in the city's zone, for a letter."""
    return instant.astimezone(zone)


def due(dates: Dates | None, citation: str) -> DueDate | None:
    """Give the lawful last day of a duty as a letter names it; None where there is none."""
    if dates is None:
        return None
    return DueDate(dates.expected_last_day, citation, dates.provisional)


def reply_address(docket: Docket, token: str) -> str:
    """Give the address that brings an answer to its case: the box, with the letter's token where that works."""
    if not docket.plus_addresses:
        return docket.mail_from
    box, _, domain = docket.mail_from.rpartition("@")
    return f"{box}+r.{token}@{domain}"


def reference(docket: Docket, number: str) -> str:
    """Give a case number with its check code, which an answer by hand can quote; empty without a number."""
    return f"{number}-{check_code(number, docket.keyring.derived(PURPOSE))}" if number else ""


def new_mail(
    step: Act, letter: Letter, pressed: Pressed, to: str, *, token: str, attachments: Sequence[int]
) -> outbox.Letter:
    """Give a letter the form in which it is owed to one address."""
    domain = step.docket.mail_from.rpartition("@")[2]
    return outbox.Letter(
        to=to,
        subject=f"{letter.subject()} [{letter.reference}]" if letter.reference else letter.subject(),
        text=pressed.text,
        attachments=tuple(attachments),
        message_id=f"<{letter.kind.value.replace('_', '-')}.{token}@{domain}>",
        token=token,
    )


def send(
    step: Act,
    letter: Letter,
    *,
    party: Party | None,
    to: str,
    to_role: str,
    token: str,
    enclosures: Sequence[int] = (),
    track: int | None = None,
    undo: bool = True,
    in_reply_to: str = "",
    auto_submitted: str = "auto-generated",
) -> int:
    """Write a letter to one recipient: by mail where there is an address, else on paper.

    Args:
        step: the running act.
        letter: its values; `token` must be the one its reply address bears.
        party: the party it is for; None for an office or a sender who is no party.
        to: the address; empty for paper.
        to_role: what the recipient is: ``complainant``, ``commission``.
        token: the letter's token.
        enclosures: ids of documents that go with it, byte for byte.
        track: the respondent whose track it is about.
        undo: whether it can be taken back for some minutes (L2).
        in_reply_to: the message answered.
        auto_submitted: ``auto-replied`` or ``auto-generated``.

    Returns:
        The id of the `LetterQueued` fact: the letter's own.
    """
    letter = replace(letter, reference=reference(step.docket, letter.case_number))
    pressed = step.docket.typesetter.set(letter, step.now)
    kept = step.keep(
        pressed.pdf,
        kind=f"letter:{letter.kind.value}",
        media_type="application/pdf",
        name=f"{letter.kind.value.replace('_', '-')}.pdf",
        received_at=step.now,
    )
    queued = LetterQueued(
        letter=letter.kind.value,
        to_party=party.id if party else None,
        to_role=to_role,
        outbox=None,
        document=kept,
        clause=letter.clause,
        about_track=track,
        flags=(*(flag.value for flag in pressed.flags), *_active(step, enclosures)),
        enclosures=tuple(enclosures),
    )
    fact = step.record(queued, about=party.id if party else None)
    if to:
        mail = new_mail(step, letter, pressed, to, token=token, attachments=(kept, *enclosures))
        mail = replace(mail, in_reply_to=in_reply_to, auto_submitted=auto_submitted)
        step.letter(mail, kind=letter.kind.value, about=fact, undo=undo)
    return fact


ACTIVE_CONTENT = "active_content"


def _active(step: Act, enclosures: Sequence[int]) -> tuple[str, ...]:
    """Give the flag of a letter with which something goes out that acts when it is opened; the entry names it.

    The copy is the original byte for byte all the same: what was received is what is served.
    """
    acting = active_among(step, enclosures)
    if not acting:
        return ()
    named = step.note.setdefault(ACTIVE_CONTENT, [])
    named.extend(one for one in acting if one not in named)
    return (ACTIVE_CONTENT,)


def active_among(step: Act, documents: Sequence[int]) -> tuple[int, ...]:
    """Give those of some documents of a case in which active content was found."""
    if not documents:
        return ()
    assert step.case_id is not None
    judged = {
        one.id: evidence.from_json(one.finding) for one in papers(step.docket, step.session, step.case_id)
    }
    return tuple(one for one in documents if (found := judged.get(one)) and found.active_content)


def send_unset(
    step: Act, letter: Letter, *, party: Party | None, to: str, token: str, in_reply_to: str, case: bool
) -> None:
    """Owe a reply whose page is set in a step of its own, before it goes out: what it says is fixed here.

    Setting a page takes longer than everything else that filing does, and nothing waits for it.

    Args:
        step: the running act.
        letter: its values; `token` must be the one its reply address bears.
        party: the party it is for; None for a sender who is no party.
        to: the address.
        token: the letter's token.
        in_reply_to: the message answered.
        case: whether it belongs to the act's case, which then keeps its page.
    """
    domain = step.docket.mail_from.rpartition("@")[2]
    kind = letter.kind.value
    mail = outbox.Letter(
        to=to,
        subject=letter.subject(),
        text="",
        attachments=(),
        message_id=f"<{kind.replace('_', '-')}.{token}@{domain}>",
        token=token,
        in_reply_to=in_reply_to,
        auto_submitted="auto-replied",
        unset=Written.of(letter, step.now).to_json(),
    )
    fact = None
    if case:
        about = party.id if party else None
        queued = LetterQueued(kind, about, "sender", None, None, letter.clause)
        fact = step.record(queued, about=about)
    step.letter(mail, kind=kind, about=fact, undo=False, case=case)


def take_back(step: Act, letters: Sequence[int], words: str, *, on_paper: bool = False) -> tuple[int, ...]:
    """Take back those of some letters that wait to go out, inside an act (L2).

    Args:
        step: the running act.
        letters: ids of the letters.
        words: why, for the record.
        on_paper: whether letters that nobody served yet are taken back as well.

    Returns:
        The ids of those that were taken back, in the order given.
    """
    owed = {one.about: one.id for one in outbox.waiting(step.session, outbox.Channel.MAIL)}
    queued = {one.id for one in step.case.letters if one.state is LetterState.QUEUED}
    taken = []
    for letter in letters:
        row = owed.get(letter)
        waits = outbox.withdraw(step.session, row, step.now) if row is not None else on_paper
        if letter in queued and waits:
            step.record(LetterSettled(LetterState.WITHDRAWN.value, step.now, words), about=letter)
            taken.append(letter)
    return tuple(taken)


def serve_on_paper(step: Act, letter_fact: int, letter: str, party: int | None, service: Served) -> int:
    """Record that a letter went on paper: the letter is settled and the party is served (L3)."""
    if letter_fact:
        step.record(LetterSettled(ON_PAPER, step.now), about=letter_fact)
    return step.record(replace(service, letter=letter, letter_fact=letter_fact or None), about=party)


def addressee(party: Party, of: Party | None = None) -> Addressee:
    """Give to whom a letter goes and how it travels; counsel is told for which client it is.

    An address that begins with the name itself, as people write them on envelopes, does not say it twice.

    Args:
        party: who gets the letter.
        of: whom it is meant for; None where that is the same.
    """
    postal = tuple(line for line in party.named.postal.splitlines() if line.strip())
    if postal and postal[0].strip().casefold() == party.named.name.strip().casefold():
        postal = postal[1:]
    client = of.named.name if of is not None and of.id != party.id else ""
    return Addressee(party.named.name, postal, "By e-mail" if party.named.emails else "By mail", client)
