"""What goes into an exported case: read from one snapshot, given as files with names that name nobody (C8)."""

import json
import mimetypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from store import journal, outbox
from store.cases import Docket, Look, Paper, board_facts, case_key, paper_bytes, papers
from store.letters.case_index import (
    CaseIndex,
    Conclusion,
    Happening,
    IndexedBallot,
    IndexedFile,
    IndexedParty,
    IndexedStep,
    Withheld,
)
from store.letters.letter import Addressee, Letterhead, Signatory
from store.rules import timeline as rules_timeline
from store.rules.casefile import BallotView, CaseFile, Party
from store.rules.cells import csv_text
from store.rules.dates import local_date
from store.rules.facts import EvidenceTurnedOver, MinutesWritten, PaperReceived
from store.rules.ordinance import Opens
from store.rules.spoken import spoken
from store.rules.stages import stage
from store.rules.timeline import Timeline, party_label
from store.tables import FactRow, JournalRow, MailItem, OutboxRow, RawMail
from store.vault import KeyRef, Owner
from store.withholding import Withholding, is_named

ANNEX = "letter:minutes_annex"
_LETTER = "letter:"
_REPRIMANDS = frozenset({"letter:reprimand", "letter:reprimand_copy"})
_PRIVACY = "KRS 61.878(1)(a)"
_OTHERS = "clause (C); KRS 61.878(1)(a)"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an export is to hold.

    Attributes:
        records_request: for the public, once the case is final: without personal data, and without every paper
            that nobody looked at for it.
        with_privileged: with the papers of privileged counsel; for a court or the Board's own counsel only.
        papers: for a records request, ids of the papers that a person looked at and released.
        sentences: for a records request, whether a person read the findings and the reasons of votes, and released
            them; names and addresses that the record knows are masked in them all the same.
    """

    records_request: bool = False
    with_privileged: bool = False
    papers: frozenset[int] = frozenset()
    sentences: bool = False


def as_it_is(content: bytes) -> str:
    """Give the text of a paper where nobody can read it better: its bytes."""
    return content.decode(errors="replace")


@dataclass
class Gathered:
    """An export while it is gathered: what lies in it, and what was left out."""

    docket: Docket
    session: Session
    look: Look
    wanted: Wanted
    made_at: datetime
    text_of: Callable[[bytes], str] = as_it_is
    files: list[IndexedFile] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    contents: list[int] = field(default_factory=list)
    head: tuple[int, str] = (0, journal.GENESIS)

    def leave_out(self, what: str, why: str, rule: str) -> None:
        """Note what is left out, why, and under which rule."""
        self.withheld.append(Withheld(what, why, rule))

    @property
    def line(self) -> Timeline:
        """The case in time, as of the day of the export."""
        look = self.look
        return rules_timeline.timeline(look.case, look.steps, look.profile.city.time_zone, look.today)

    @property
    def withholding(self) -> Withholding:
        """What a records request does not get."""
        city = self.look.profile.city
        return Withholding.of(self.look.case, "\n".join((self.docket.mail_from, *city.letterhead)))

    def whom(self, party: Party) -> str:
        """Name a party; for a records request by what it is, unless it is a respondent."""
        if not self.wanted.records_request or is_named(party.role):
            return party.named.name
        return party_label(self.look.case, party.id)

    def said(self, words: str) -> str:
        """Give sentences of the Board's; for a records request those that were released, masked."""
        if not self.wanted.records_request:
            return words
        return self.withholding.masked(words) if self.wanted.sentences else ""

    def when(self, instant: datetime | None) -> str:
        """Write an instant by the city's clock, to the minute."""
        if instant is None:
            return ""
        return f"{instant.astimezone(self.look.profile.city.time_zone):%Y-%m-%d %H:%M %Z}"


Part = tuple[str, str, bytes]
"""A file of the bundle: its name, what it is, its bytes."""


def parts(found: Gathered) -> Iterator[Part]:
    """Give every file but index, manifest and check, in the order in which a reader wants them."""
    yield "timeline.svg", "the case in time, as a picture", rules_timeline.svg(found.line).encode()
    words = "\n".join(rules_timeline.in_words(found.line)) + "\n"
    yield "timeline.txt", "the same in words", words.encode()
    yield from _tables(found)
    yield from _papers(found)
    yield from _minutes(found)
    if found.wanted.records_request:
        found.leave_out("the letters' e-mail form", "it holds private addresses", _PRIVACY)
        found.leave_out("the raw e-mail that came in", "it holds private addresses", _PRIVACY)
        found.leave_out("the journal", "it tells of other inquiries, which are confidential", _OTHERS)
        return
    yield from _sent_mail(found)
    yield from _raw_mail(found)
    yield from _facts(found)
    yield "journal.jsonl", "every header of the journal, and this case's contents", _journal(found)


# -- tables -----------------------------------------------------------------------------------------


def _tables(found: Gathered) -> Iterator[Part]:
    case, full = found.look.case, not found.wanted.records_request
    private = ("E-mail", "Postal address") if full else ()
    rows = [
        (
            spoken(one.role),
            found.whom(one),
            one.named.office if full or is_named(one.role) else "",
            "left" if one.left else "",
            *((", ".join(one.named.emails), one.named.postal) if full else ()),
        )
        for one in case.parties
    ]
    if not full:
        found.leave_out("e-mail and postal addresses of the parties", "personal data", _PRIVACY)
        found.leave_out("names of complainants, their counsel and witnesses", "personal data", _PRIVACY)
        if not found.wanted.sentences:
            found.leave_out(
                "findings and the reasons of votes, in the Board's own words",
                "no person has read them for personal data and released them",
                _PRIVACY,
            )
    yield _csv("parties.csv", "parties", ("Role", "Name", "Office", "Left", *private), rows)
    yield _csv(
        "steps.csv",
        "duties and rights with their dates",
        ("What", "For", "Clause", "Began", "Act by", "Last day", "Done", "On time"),
        [
            (one.what, one.whom, one.clause, one.began, one.act_by, one.last, one.done, one.on_time)
            for one in found.line.spans
        ],
    )
    yield _csv(
        "votes.csv",
        "each vote by name",
        ("Ballot", "Question", "About", "Member", "Vote", "Reasons"),
        _votes(found),
    )
    yield _csv(
        "history.csv",
        "what was recorded, when and by whom",
        ("Entry", "When", "What", "By"),
        [(one.entry, one.at, one.what, one.by) for one in _happenings(found)],
    )
    yield _csv(
        "letters.csv",
        "letters and what became of them",
        ("Letter", "Kind", "To", "State", "Since", "Clause"),
        [
            (
                one.id,
                spoken(one.queued.letter),
                party_label(case, one.queued.to_party) or one.to_whom,
                spoken(one.state),
                found.when(one.settled_at or one.queued_at),
                one.queued.clause,
            )
            for one in case.letters
        ],
    )


def _csv(name: str, what: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Part:
    return name, what, csv_text(head, rows).encode()


def _whom(case: CaseFile, ballot: BallotView) -> str:
    """Say about whom a ballot is, without a name."""
    return party_label(case, ballot.track) or "the case"


def _votes(found: Gathered) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = []
    for ballot in found.look.case.ballots:
        if ballot.closed is None or ballot.voided is not None:
            continue
        reasons = {vote.fact.person: vote.fact.reasons for vote in ballot.votes}
        whom, question = _whom(found.look.case, ballot), spoken(ballot.opened.question)
        for person, choice in ballot.closed.votes:
            name = found.look.people.name(person)
            rows.append((ballot.id, question, whom, name, choice.value, found.said(reasons.get(person, ""))))
        rows += [
            (ballot.id, question, whom, found.look.people.name(person), "recused", "")
            for person in ballot.opened.recused
        ]
    return rows


def _happenings(found: Gathered) -> list[Happening]:
    open_ballots = {one.id for one in found.look.case.ballots if one.is_open}
    return [
        Happening(
            found.when(one.at),
            spoken(one.fact.KIND),
            found.look.people.name(one.by) if one.by is not None else "Docket",
            one.entry,
        )
        for one in found.look.case.facts
        if one.about not in open_ballots
    ]


# -- papers -----------------------------------------------------------------------------------------


def _papers(found: Gathered) -> Iterator[Part]:
    listed: list[dict[str, object]] = []
    there: dict[int, str] = {}
    for paper in papers(found.docket, found.session, found.look.case.key):
        name = _name_of(paper)
        out = _unread(found, paper) or _left_out(found, paper)
        if out is None:
            _paper, content = paper_bytes(found.docket, found.session, paper.id)
            out = _still_holds(found, f"paper {paper.id} ({_kind(paper)})", content)
        if out is None:
            there[paper.id] = f"{paper.sha256}  {name}\n"
            yield name, _what(found, paper), content
        else:
            found.withheld.append(out)
        listed.append(
            {
                "document": paper.id,
                "kind": paper.kind,
                "sha256": paper.sha256,
                "size": paper.size,
                "file": name if out is None else None,
            }
        )
    yield "papers.json", "every paper of the case, those left out too, with its hash", _json(listed)
    if not found.wanted.records_request:
        yield from _turned_over(found, there)


def _turned_over(found: Gathered, there: dict[int, str]) -> Iterator[Part]:
    """Give for each turning over what went, by the names that it has here; the hashes are those of its manifest (C)(1)."""
    for one in found.look.case.all(EvidenceTurnedOver):
        lines = "".join(there.get(document, "") for document in one.fact.documents)
        what = "what went to a prosecutor, by its names in this export; check it here: sha256sum -c"
        yield f"turned-over/{one.id:04d}.sha256", what, lines.encode()


def _unread(found: Gathered, paper: Paper) -> Withheld | None:
    """Leave out a paper that only the person cleared for intake may see so far (decisions 12)."""
    if found.look.sees(paper.id):
        return None
    return Withheld(
        f"paper {paper.id} ({_kind(paper)})", "nobody has said yet who is named in it", "clause (C)"
    )


def _left_out(found: Gathered, paper: Paper) -> Withheld | None:
    """Say why a paper is left out; None where it is in."""
    what = f"paper {paper.id} ({_kind(paper)})"
    if paper.id in found.look.case.privileged and not found.wanted.with_privileged:
        return Withheld(what, "privileged: a paper of counsel, and not chosen for this export", "KRE 503")
    if not found.wanted.records_request:
        return None
    if paper.kind == ANNEX and found.look.profile.confidentiality.annex_opens is not Opens.ON_FINALITY:
        return Withheld(what, "the annex of the minutes is sealed", "clause (C)")
    if paper.id in found.wanted.papers:
        return None
    if paper.kind in _REPRIMANDS:
        return Withheld(what, "a confidential reprimand, released by no person", "clause (E)(1)(a)")
    return Withheld(what, "no person has looked at it for personal data and released it", _PRIVACY)


def _still_holds(found: Gathered, what: str, content: bytes) -> Withheld | None:
    """Hold back what was released, or is open, and yet holds what a records request does not get."""
    if not found.wanted.records_request:
        return None
    kinds = found.withholding.stands_in(found.text_of(content))
    if not kinds:
        return None
    return Withheld(what, f"it holds: {', '.join(kinds)}; record a copy without, and release that", _PRIVACY)


def _kind(paper: Paper) -> str:
    return re.sub(r"[^a-z0-9]+", "-", paper.kind.removeprefix(_LETTER).lower()).strip("-") or "paper"


def _name_of(paper: Paper) -> str:
    """Name a paper's file by its number and kind; the name that it came under may name somebody."""
    folder = "letters" if paper.kind.startswith(_LETTER) else "papers"
    ending = mimetypes.guess_extension(paper.media_type) or ".bin"
    return f"{folder}/{paper.id:04d}-{_kind(paper)}{ending}"


def _what(found: Gathered, paper: Paper) -> str:
    came = "written" if paper.kind.startswith(_LETTER) else "received"
    return f"{_kind(paper).replace('-', ' ')}, {came} {found.when(paper.received_at)}"


def _minutes(found: Gathered) -> Iterator[Part]:
    """Give the open part of the minutes of each meeting in which the case came up; they are open to anybody."""
    held = {one.opened.meeting for one in found.look.case.ballots}
    newest = {
        one.about: one.fact.document
        for one in board_facts(found.docket, found.session, MinutesWritten)
        if isinstance(one.fact, MinutesWritten) and one.about in held
    }
    for meeting, document in sorted((meeting or 0, document) for meeting, document in newest.items()):
        _paper, content = paper_bytes(found.docket, found.session, document)
        out = _still_holds(found, f"open part of the minutes of meeting {meeting}", content)
        if out is None:
            yield f"minutes/{meeting:04d}-open-part.pdf", "minutes of a meeting, open part", content
        else:
            found.withheld.append(out)


# -- mail -------------------------------------------------------------------------------------------


def _sent_mail(found: Gathered) -> Iterator[Part]:
    rows = found.session.exec(
        select(OutboxRow)
        .where(OutboxRow.case_id == found.look.case.key, OutboxRow.channel == outbox.Channel.MAIL.value)
        .order_by(col(OutboxRow.id))
    ).all()
    for row in rows:
        owed = outbox.read(found.session, found.docket.keyring, row.id or 0)
        if owed is None or owed.letter is None:
            continue
        letter = owed.letter
        head = (
            f"To: {letter.to}\nSubject: {letter.subject}\nMessage-ID: {letter.message_id}\n"
            f"State: {spoken(row.state)} {found.when(row.settled_at)}\n"
            f"Papers: {', '.join(map(str, letter.attachments))}\n\n"
        )
        name = f"mail/sent-{row.id:04d}-{re.sub(r'[^a-z0-9]+', '-', row.kind)}.txt"
        yield name, f"a letter as it was mailed, {spoken(row.state)}", (head + letter.text).encode()


def _raw_mail(found: Gathered) -> Iterator[Part]:
    unread = {
        one.fact.mail_item
        for one in found.look.case.all(PaperReceived)
        if one.fact.mail_item is not None and not all(map(found.look.sees, one.fact.documents))
    }
    rows = found.session.exec(
        select(RawMail)
        .join(MailItem, col(MailItem.raw_id) == col(RawMail.id))
        .where(MailItem.case_id == found.look.case.key, col(MailItem.id).not_in(unread))
        .order_by(col(RawMail.id))
    ).unique()
    for row in rows:
        raw = found.docket.vault.fetch(found.session, KeyRef(Owner.MAIL, row.id or 0), row.vault_name)
        yield f"mail/came-{row.id:04d}.eml", "an e-mail as it came, byte for byte", raw


# -- what proves it ---------------------------------------------------------------------------------


def _facts(found: Gathered) -> Iterator[Part]:
    """Give the facts as they were chained; dates that a change of the calendar moved stand in the Board's entries."""
    told: list[dict[str, Any]] = []
    moved: list[dict[str, Any]] = []
    own = set(
        found.session.exec(select(JournalRow.seq).where(JournalRow.case_id == found.look.case.key)).all()
    )
    query = select(FactRow).where(FactRow.case_id == found.look.case.key).order_by(col(FactRow.id))
    for row in found.session.exec(query):
        body = found.docket.keyring.unseal(found.session, case_key(row.case_id), row.body)
        one = {
            "id": row.id,
            "kind": row.kind,
            "about": row.about,
            "supersedes": row.supersedes,
            "dedupe": row.dedupe,
            "fact": json.loads(body),
            "entry": row.entry,
        }
        (told if row.entry in own else moved).append(one)
    yield "facts.json", "every fact of the case, as it was recorded", _json(told)
    if moved:
        yield "dates-moved.json", "dates moved by a change of the calendar", _json(moved)


def _journal(found: Gathered) -> bytes:
    lines: list[str] = []
    case = found.look.case
    for row in found.session.exec(
        select(JournalRow).order_by(col(JournalRow.seq)).execution_options(yield_per=500)
    ):
        entry: dict[str, object] = {"header": row.header, "hash": row.hash}
        if row.case_id == case.key:
            ref = journal.key_of(json.loads(row.header))
            entry["content"] = found.docket.keyring.unseal(found.session, ref, row.body).decode()
            found.contents.append(row.seq)
        lines.append(json.dumps(entry, separators=(",", ":"), sort_keys=True))
        found.head = (row.seq, row.hash)
    return "".join(f"{line}\n" for line in lines).encode()


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


# -- the index --------------------------------------------------------------------------------------


def index(found: Gathered) -> CaseIndex:
    """Write the index of what was gathered."""
    look, case, zone = found.look, found.look.case, found.look.profile.city.time_zone
    city, seq = look.profile.city, found.head[0]
    return CaseIndex(
        letterhead=Letterhead(
            city.name,
            city.board,
            city.letterhead,
            email=found.docket.mail_from,
            ordinance=city.ordinance or "the city's ethics ordinance",
            watermark="PRACTICE" if found.docket.practice else "",
        ),
        signatory=Signatory(city.signatory, city.board),
        addressee=Addressee(""),
        dated=local_date(found.made_at, zone),
        case_number=case.number,
        purpose=_purpose(found),
        made_at=found.made_at.astimezone(zone),
        received_at=case.board_received_at.astimezone(zone),
        stage=stage(case).value,
        head=f"{seq}:{found.head[1]}" if seq else "",
        timeline_svg=rules_timeline.svg(found.line),
        timeline_words=rules_timeline.in_words(found.line),
        parties=_parties(found),
        steps=_steps(found),
        ballots=_ballots(found),
        conclusions=_conclusions(found),
        happenings=tuple(_happenings(found)),
        files=tuple(found.files),
        withheld=tuple(found.withheld),
    )


def _purpose(found: Gathered) -> str:
    if found.wanted.records_request:
        return "For a records request, after the Board's final determination. Personal data is left out."
    if found.look.case.final:
        return "The whole file, sealed. It holds personal data."
    return "The whole file, sealed. Confidential under clause (C): no final determination was made."


def _parties(found: Gathered) -> tuple[IndexedParty, ...]:
    def reached(emails: Sequence[str]) -> str:
        return "" if found.wanted.records_request else (", ".join(emails) or "on paper")

    return tuple(
        IndexedParty(
            spoken(one.role),
            found.whom(one),
            one.named.office if is_named(one.role) or not found.wanted.records_request else "",
            reached(one.named.emails),
        )
        for one in found.look.case.parties
    )


def _steps(found: Gathered) -> tuple[IndexedStep, ...]:
    as_of = found.look.today
    return tuple(
        IndexedStep(
            one.what,
            found.look.profile.clause(one.clause).citation,
            one.whom,
            one.act_by.isoformat() if one.act_by else "",
            one.last.isoformat() if one.last else "",
            rules_timeline.stands(one, as_of),
        )
        for one in found.line.spans
    )


def _ballots(found: Gathered) -> tuple[IndexedBallot, ...]:
    case, people = found.look.case, found.look.people
    made = []
    for one in case.ballots:
        closed = one.closed
        votes = (
            [f"{people.name(person)}: {choice.value}" for person, choice in closed.votes] if closed else []
        )
        votes += [f"{people.name(person)}: recused" for person in one.opened.recused] if closed else []
        outcome = "void" if one.voided else (spoken(closed.outcome) if closed else "open")
        made.append(
            IndexedBallot(
                spoken(one.opened.question),
                _whom(case, one),
                outcome,
                closed.arithmetic if closed else "",
                "; ".join(votes),
            )
        )
    return tuple(made)


def _conclusions(found: Gathered) -> tuple[Conclusion, ...]:
    case = found.look.case
    made = []
    for party in case.respondents:
        determined, disposed = case.standing_determination(party.id), case.standing_disposition(party.id)
        if determined is None:
            continue
        says = rules_timeline.determined_in_words(determined.fact)
        if disposed is not None:
            says += f"; {rules_timeline.disposed_in_words(disposed.fact)}"
        made.append(Conclusion(party_label(case, party.id), says, found.said(determined.fact.findings)))
    return tuple(made)
