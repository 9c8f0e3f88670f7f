"""What can be recorded: one frozen class a kind of fact.

State is derived from these and from nothing else. A fact is never changed: a correction is a further
fact that supersedes it, with a reason, and dates recompute (product.md, life of a complaint).

A fact's subject (case, and the fact that it is ``about``) stands beside it in `Recorded`. A party's
identity is the id of the fact that named it; a respondent's is that of his track as well, a
meeting's, ballot's or letter's that of the fact that opened it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import TypeAdapter

from store.rules.errors import BadInput


class Role(StrEnum):
    """What a person of the roster is to the Board."""

    CITY_MANAGER = "city-manager"
    CLERK = "clerk"
    CHAIR = "chair"
    MEMBER = "member"
    ALTERNATE = "alternate"
    COUNSEL = "counsel"
    IT = "it"


class PartyRole(StrEnum):
    """What a person is to a complaint."""

    COMPLAINANT = "complainant"
    COMPLAINANT_COUNSEL = "complainant-counsel"
    RESPONDENT = "respondent"
    RESPONDENT_COUNSEL = "respondent-counsel"


class LinkKind(StrEnum):
    """By what a roster person is recognised; proposes, never proves (decisions 7)."""

    SLACK = "slack"
    EMAIL = "email"
    SYSTEM_ACCOUNT = "system-account"


class ReceivedBy(StrEnum):
    """Whose receipt a fact states (decisions 4: two facts)."""

    BOARD = "board"
    CITY_MANAGER = "city-manager"


class Basis(StrEnum):
    """On what a receipt instant rests."""

    MAIL_SERVER = "mail-server"
    RECORDED_BY_STAFF = "recorded-by-staff"
    ASSUMED = "assumed"


class Place(StrEnum):
    """Where a message is: exactly one of these (I1)."""

    TAKEN = "taken"
    IN_A_CASE = "in-a-case"
    HOLDING_PEN = "holding-pen"
    SET_ASIDE = "set-aside"


class Question(StrEnum):
    """What the Board votes on."""

    JURISDICTION = "jurisdiction"
    FACTUAL_BASIS = "factual-basis"
    FRIVOLOUS = "frivolous"
    REPRIMAND = "reprimand"
    HEARING = "hearing"
    NO_FURTHER_ACTION = "no-further-action"
    RELEASE_DOCUMENTS = "release-documents"
    FALSE_COMPLAINT = "false-complaint"


class Choice(StrEnum):
    """A vote; recused is not a vote but is shown beside them."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"


class Fact:
    """The root of all facts."""

    KIND: ClassVar[str]


# -- the roster -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PersonNamed(Fact):
    """A roster person's name and the other names he goes by; the last one stands."""

    KIND: ClassVar[str] = "person-named"
    person: int
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonLinked(Fact):
    """A roster person is recognised by this, from a day on."""

    KIND: ClassVar[str] = "person-linked"
    person: int
    kind: LinkKind
    value: str
    since: date
    until: date | None = None


@dataclass(frozen=True, slots=True)
class PersonUnlinked(Fact):
    """A link of `PersonLinked` ended."""

    KIND: ClassVar[str] = "person-unlinked"
    person: int
    kind: LinkKind
    value: str
    on: date


@dataclass(frozen=True, slots=True)
class RoleTaken(Fact):
    """A person took a role on the roster, for a term."""

    KIND: ClassVar[str] = "role-taken"
    person: int
    role: Role
    since: date
    until: date | None = None
    deputy: bool = False


@dataclass(frozen=True, slots=True)
class RoleLeft(Fact):
    """A person left a role; access ends at once (B1)."""

    KIND: ClassVar[str] = "role-left"
    person: int
    role: Role
    on: date
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DeputyNamed(Fact):
    """One person may act for another between two days (decisions 8)."""

    KIND: ClassVar[str] = "deputy-named"
    deputy: int
    acts_for: int
    since: date
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Away(Fact):
    """A person is away between two days; reminders pass to the deputy."""

    KIND: ClassVar[str] = "away"
    person: int
    since: date
    until: date


# -- mail -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MailPlaced(Fact):
    """A message found its place: a case, the holding pen, or set aside with a reason."""

    KIND: ClassVar[str] = "mail-placed"
    mail_item: int
    place: Place
    outcome: str
    reason: str = ""
    flags: tuple[str, ...] = ()
    sender: str = ""
    match: str = ""
    suggested: str = ""


@dataclass(frozen=True, slots=True)
class SightedAgain(Fact):
    """A message that the record already has was seen once more."""

    KIND: ClassVar[str] = "sighted-again"
    mail_item: int
    sighting: int


# -- receipt and form -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReceiptEvidence:
    """What shows when a paper was received (I4).

    Attributes:
        internaldate: the server's receipt instant, UTC; None for paper.
        offset_minutes: the zone in which the server stated it.
        received_line: the top Received header, as text.
        date_header: the Date header, as text; moves no deadline.
        ingested_at: when Docket read it, UTC.
        flags: ``gap``, ``future-date`` and the like.
        words: what staff wrote about a receipt they recorded.
    """

    internaldate: datetime | None = None
    offset_minutes: int = 0
    received_line: str = ""
    date_header: str = ""
    ingested_at: datetime | None = None
    flags: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class ComplaintReceived(Fact):
    """Somebody received the complaint at an instant: the legal fact that starts clocks."""

    KIND: ClassVar[str] = "complaint-received"
    received_at: datetime
    by: ReceivedBy
    basis: Basis
    evidence: ReceiptEvidence = ReceiptEvidence()
    documents: tuple[int, ...] = ()
    mail_item: int | None = None


@dataclass(frozen=True, slots=True)
class PaperReceived(Fact):
    """A further paper reached the case: a cure, a response, new evidence.

    ``came_to`` is the number under which it came, where that case had been merged into this one.
    """

    KIND: ClassVar[str] = "paper-received"
    received_at: datetime
    what: str
    documents: tuple[int, ...] = ()
    mail_item: int | None = None
    from_party: int | None = None
    evidence: ReceiptEvidence = ReceiptEvidence()
    words: str = ""
    came_to: str = ""


@dataclass(frozen=True, slots=True)
class FormDecided(Fact):
    """A person decided whether the complaint is proper: written, signed, other requirements (A).

    Attributes:
        proper: the decision.
        paper: id of the receipt fact (`ComplaintReceived` or `PaperReceived`) that made it proper.
        signed: whether it is signed by the complainant, as that person sees it.
        finding: the judge's evidence that lay before him.
        lacking: ids of requirements not met.
        reason: his words.
    """

    KIND: ClassVar[str] = "form-decided"
    proper: bool
    paper: int | None
    signed: bool
    finding: str
    lacking: tuple[str, ...] = ()
    reason: str = ""


# -- parties ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Origin:
    """A case that was merged into another one, and the party's id in it."""

    case: str
    party: int


@dataclass(frozen=True, slots=True)
class PartyNamed(Fact):
    """A party entered the case; the id of this fact is the party's, and a respondent's track's.

    ``came_by`` are the ways by which mergers brought a party here, each from its own case on; empty for one who was
    named here for himself.
    """

    KIND: ClassVar[str] = "party-named"
    role: PartyRole
    name: str
    emails: tuple[str, ...] = ()
    postal: str = ""
    office: str = ""
    represents: int | None = None
    since: date | None = None
    until: date | None = None
    came_by: tuple[tuple[Origin, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PartyLeft(Fact):
    """A party (``about``) is one no longer: named in error, representation ended, withdrew."""

    KIND: ClassVar[str] = "party-left"
    on: date
    reason: str


@dataclass(frozen=True, slots=True)
class NoRespondent(Fact):
    """No officer or employee can be named as respondent."""

    KIND: ClassVar[str] = "no-respondent"
    reason: str


# -- who may know -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Screened(Fact):
    """The papers were searched for roster people, or a cleared person said who is named.

    ``documents`` are papers that came later: those that could not be read, or those a person spoke about.
    Without them it is about the complaint itself, and a person's word about everything that came so far.
    """

    KIND: ClassVar[str] = "screened"
    by_machine: bool
    named: tuple[int, ...] = ()
    where: tuple[str, ...] = ()
    unreadable: bool = False
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ConflictFound(Fact):
    """A roster person is named in the complaint, so he is walled off (B2)."""

    KIND: ClassVar[str] = "conflict-found"
    person: int
    how: str


@dataclass(frozen=True, slots=True)
class ConflictLifted(Fact):
    """A cleared person found that there is no conflict after all."""

    KIND: ClassVar[str] = "conflict-lifted"
    person: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClearedInstead(Fact):
    """No clerk may know of the case, so others are cleared for its papers: whom the profile names for that."""

    KIND: ClassVar[str] = "cleared-instead"
    role: Role
    persons: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Recused(Fact):
    """A person stepped back from the case."""

    KIND: ClassVar[str] = "recused"
    person: int
    reason: str = ""


# -- letters ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LetterQueued(Fact):
    """A letter was written for one recipient; the id of this fact is the letter's.

    ``enclosures`` are ids of the documents that go with it, byte for byte, by mail or in its packet.
    Its document is None while its page is not set: `LetterSet` brings it.
    """

    KIND: ClassVar[str] = "letter-queued"
    letter: str
    to_party: int | None
    to_role: str
    outbox: int | None
    document: int | None
    clause: str
    about_track: int | None = None
    flags: tuple[str, ...] = ()
    enclosures: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportSent(Fact):
    """The report on a year was written to the City Commission, as this letter; a fact of the Board's."""

    KIND: ClassVar[str] = "report-sent"
    year: int
    letter: int


@dataclass(frozen=True, slots=True)
class LetterSet(Fact):
    """The page of a letter (``about``) that was written before was set: its document, and what staff must look at."""

    KIND: ClassVar[str] = "letter-set"
    document: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LetterSettled(Fact):
    """What became of a letter (``about``): sent, uncertain, refused, bounced, delayed, withdrawn (L3)."""

    KIND: ClassVar[str] = "letter-settled"
    state: str
    at: datetime
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Served(Fact):
    """A paper was served on a party (``about`` the party): how, when, by whom, received on.

    ``at`` and ``received_at`` are instants, UTC, on those days in the city: what dates are reckoned from,
    since a service is often recorded days after it was made.
    """

    KIND: ClassVar[str] = "served"
    letter: str
    how: str
    on: date
    by: str
    received_on: date | None = None
    letter_fact: int | None = None
    at: datetime | None = None
    received_at: datetime | None = None


# -- the steps of (A) and (B) -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Referred(Fact):
    """The City Manager referred the complaint, or it went round him by policy."""

    KIND: ClassVar[str] = "referred"
    at: datetime
    how: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class ChanceNotUsed(Fact):
    """A respondent (``about``) was given the chance to answer and did not use it; ``at`` lies on that day."""

    KIND: ClassVar[str] = "chance-not-used"
    on: date
    words: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AnswerTimeGiven(Fact):
    """Until when a respondent (``about``) may answer, as the notice says or as it was extended (B).

    It moves no period of the ordinance.
    """

    KIND: ClassVar[str] = "answer-time-given"
    until: date
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTimeAsked(Fact):
    """A respondent (``about``) asked for more time to answer; the id of this fact is the request's.

    Attributes:
        until: the day that was asked for.
        asked_at: when the request was received, UTC.
        words: why, and how it came.
    """

    KIND: ClassVar[str] = "answer-time-asked"
    until: date
    asked_at: datetime
    words: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTimeRuled(Fact):
    """A request for more time (``about``) was granted or refused, by whom and why; it moves no period of the law."""

    KIND: ClassVar[str] = "answer-time-ruled"
    granted: bool
    at: datetime
    ruled_by: int
    reason: str
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Appeared(Fact):
    """A party (``about``) appeared before the Board (B): when, how, and with which counsel."""

    KIND: ClassVar[str] = "appeared"
    at: datetime
    how: str
    counsel: tuple[int, ...] = ()
    meeting: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class StatementTaken(Fact):
    """A statement under oath was taken (B); ``about`` the party who made it, or nobody for another witness.

    Attributes:
        at: when, UTC.
        sworn: who swore.
        administered_by: who administered the oath.
        documents: its transcript or recording.
        meeting: the meeting in which it was taken; None outside one.
        words: what else is to be noted.
    """

    KIND: ClassVar[str] = "statement-taken"
    at: datetime
    sworn: str
    administered_by: str
    documents: tuple[int, ...] = ()
    meeting: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class ExhibitOffered(Fact):
    """An exhibit was offered in evidence by a party (``about``), or by nobody but the Board; its id is the exhibit's.

    Attributes:
        at: when, UTC.
        label: how it is marked, such as ``R-1``.
        document: the paper or thing, as kept.
        sha256: of its bytes, so that the record itself tells which it was.
        words: what it is offered to show.
        meeting: the meeting in which it was offered; None outside one.
    """

    KIND: ClassVar[str] = "exhibit-offered"
    at: datetime
    label: str
    document: int
    sha256: str
    words: str = ""
    meeting: int | None = None


@dataclass(frozen=True, slots=True)
class ExhibitRuled(Fact):
    """An exhibit (``about``) was received in evidence, or refused: by whom and why."""

    KIND: ClassVar[str] = "exhibit-ruled"
    at: datetime
    received: bool
    ruled_by: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class InquiryHeld(Fact):
    """The preliminary inquiry was held, or concluded; ``at`` is an instant, UTC, on that day."""

    KIND: ClassVar[str] = "inquiry-held"
    on: date
    concluded: bool
    meeting: int | None = None
    at: datetime | None = None


# -- meetings that are planned ------------------------------------------------------------------------


class Coming(StrEnum):
    """What somebody answers to a planned meeting; by video as KRS 61.826 allows."""

    IN_PERSON = "in-person"
    BY_VIDEO = "by-video"
    NO = "no"


@dataclass(frozen=True, slots=True)
class MeetingPlanned(Fact):
    """A meeting of the Board is planned; moved, a later one supersedes it, and the id of the first stays.

    Attributes:
        begins_at: when it begins, UTC.
        lasts_minutes: how long it is planned for.
        place: where, or by which video link.
        special: a special meeting (KRS 61.823).
        agenda: internal keys of the cases on its agenda.
        sequence: 0 for the first, one more for each change: the calendar entry's own count (RFC 5545).
        reason: why it was moved; empty for the first.
    """

    KIND: ClassVar[str] = "meeting-planned"
    begins_at: datetime
    lasts_minutes: int
    place: str
    special: bool = False
    agenda: tuple[int, ...] = ()
    sequence: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MeetingCalledOff(Fact):
    """A planned meeting (``about``) is not held."""

    KIND: ClassVar[str] = "meeting-called-off"
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class NoticeGiven(Fact):
    """Notice of a planned meeting (``about``) was given: when, how, to whom, where posted (KRS 61.820, 61.823).

    ``video`` is how the public can follow a meeting by video, as the notice says it, and ``primary_location`` the
    primary physical location that it names (KRS 61.826(2)); empty where the record does not say that it does.
    """

    KIND: ClassVar[str] = "notice-given"
    given_at: datetime
    how: str
    to_whom: str
    posted: str = ""
    video: str = ""
    primary_location: str = ""


@dataclass(frozen=True, slots=True)
class ComingAnswered(Fact):
    """Somebody said whether he comes to a planned meeting (``about``); the last answer stands."""

    KIND: ClassVar[str] = "coming-answered"
    person: int
    coming: Coming


# -- meetings and ballots ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MeetingOpened(Fact):
    """A meeting of the Board under the Open Meetings Act (KRS 61.805-61.850).

    ``by_video`` are those of the present who attend by video, the others are in the room; None in a record from
    before this was recorded, which says of nobody how he attended. ``primary_location`` as in `NoticeGiven`.
    """

    KIND: ClassVar[str] = "meeting-opened"
    at: datetime
    place: str
    notice_given: str
    present: tuple[int, ...]
    special: bool = False
    presiding: int | None = None
    planned: int | None = None
    by_video: tuple[int, ...] | None = None
    primary_location: str = ""


@dataclass(frozen=True, slots=True)
class PresenceChanged(Fact):
    """Somebody came to or left the meeting (``about``), or goes on in it by video, or in the room.

    ``by_video`` says how he attends from here on; None where he left, or where an older record does not say.
    """

    KIND: ClassVar[str] = "presence-changed"
    person: int
    present: bool
    at: datetime
    by_video: bool | None = None


@dataclass(frozen=True, slots=True)
class ChairTaken(Fact):
    """Somebody took the chair of the meeting (``about``): he presides from here on."""

    KIND: ClassVar[str] = "chair-taken"
    person: int
    at: datetime


@dataclass(frozen=True, slots=True)
class ClosedSession(Fact):
    """The motion to close the meeting (``about``), its statute, or the return to open session.

    Attributes:
        nature: the general nature of the business, as it was announced.
        votes: the vote of each member who was present, by name as the law wants it.
    """

    KIND: ClassVar[str] = "closed-session"
    closed: bool
    at: datetime
    statute: str = ""
    moved_by: int | None = None
    seconded_by: int | None = None
    nature: str = ""
    votes: tuple[tuple[int, Choice], ...] = ()


@dataclass(frozen=True, slots=True)
class MeetingClosed(Fact):
    """The meeting (``about``) was adjourned."""

    KIND: ClassVar[str] = "meeting-closed"
    at: datetime


@dataclass(frozen=True, slots=True)
class BallotOpened(Fact):
    """A ballot (about the track): question, roster, rule and quorum are frozen here (B4).

    Attributes:
        roster: ids of the persons who may vote.
        seats: seats of the Board; vacancies and recusals are counted from it.
        recused: persons who sit on the Board but were out of this case at opening, those replaced left out.
        rule: the profile's board rules, as text, so that the ballot can be counted years later.
        override: the chair's reason where a respondent had not had his time yet (decisions 11).
        sits_for: for each alternate on the roster, the member whose place he takes.
        quorum: how many must count towards the quorum.
    """

    KIND: ClassVar[str] = "ballot-opened"
    meeting: int
    item: str
    question: Question
    at: datetime
    roster: tuple[int, ...]
    seats: int
    vacancies: int
    recused: tuple[int, ...]
    rule: str
    profile: str
    reballot_of: int | None = None
    override: str = ""
    sits_for: tuple[tuple[int, int], ...] = ()
    quorum: int = 0


@dataclass(frozen=True, slots=True)
class VoteCast(Fact):
    """A member's vote in a ballot (``about``); a changed vote is a new one and the last stands."""

    KIND: ClassVar[str] = "vote-cast"
    person: int
    choice: Choice
    submission: str
    at: datetime
    reasons: str = ""


@dataclass(frozen=True, slots=True)
class BallotClosed(Fact):
    """A ballot (``about``) was closed and counted; the arithmetic as printed.

    A recount supersedes it, with its reason; the instant of closing stays.

    Attributes:
        votes: the counted vote of each person, by name as the law wants it (12-OMD-067).
        contrary_carries: whether the noes alone carry the contrary motion.
        reason: why it was counted anew; empty for the first count.
    """

    KIND: ClassVar[str] = "ballot-closed"
    at: datetime
    outcome: str
    arithmetic: str
    yes: int
    no: int
    abstain: int
    votes: tuple[tuple[int, Choice], ...] = ()
    contrary_carries: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BallotVoided(Fact):
    """A ballot (``about``) counts for nothing: an alternate enters, or it was opened in error."""

    KIND: ClassVar[str] = "ballot-voided"
    at: datetime
    reason: str


# -- (D) and (E) ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Determined(Fact):
    """The Board's determination for one respondent (``about`` his track) under (D).

    Attributes:
        within_jurisdiction: the complaint is within the Board's jurisdiction.
        factual_basis: it alleges a minimal factual basis; None when outside jurisdiction.
        frivolous: the Board found it frivolous.
        findings: the Board's words.
        ballots: ids of the ballots on which it rests.
    """

    KIND: ClassVar[str] = "determined"
    at: datetime
    within_jurisdiction: bool
    factual_basis: bool | None
    frivolous: bool
    findings: str
    ballots: tuple[int, ...]
    meeting: int | None = None


@dataclass(frozen=True, slots=True)
class Disposed(Fact):
    """What follows a sufficient basis for one track (decisions 10)."""

    KIND: ClassVar[str] = "disposed"
    at: datetime
    reprimand: bool
    hearing: bool
    ballots: tuple[int, ...]
    mitigating: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class ReprimandWritten(Fact):
    """The Board's text of a reprimand for one track: the same in every copy of it, however often it goes."""

    KIND: ClassVar[str] = "reprimand-written"
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class ReprimandReceived(Fact):
    """The reprimand was received: by the officer, or by the Commission (decisions 2)."""

    KIND: ClassVar[str] = "reprimand-received"
    at: datetime
    by: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class HearingOpened(Fact):
    """The Board opened a hearing under (E)(1)(b) for one track.

    Attributes:
        at: when it was opened, that is set and notice of it written, UTC.
        on: the local day of the hearing.
        place: where, one line each.
        hearing_at: the instant of the hearing, UTC; None where no hour is known.
        issue: what it is to determine.
        handed_over: ids of the documents that the parties get with the notice.
        reason: why it was set anew; empty for the first time.
    """

    KIND: ClassVar[str] = "hearing-opened"
    at: datetime
    on: date
    place: str
    hearing_at: datetime | None = None
    issue: str = ""
    handed_over: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HearingSat(Fact):
    """A sitting of the Board's hearing (``about`` the track): who came, what was handed over, how it ended.

    Attributes:
        at: when it began, UTC.
        appeared: ids of the parties and counsel who came.
        handed_over: ids of papers handed over in it.
        adjourned: it goes on another day; False where the hearing was closed.
        words: the Board's words on how it went, or why it was adjourned.
    """

    KIND: ClassVar[str] = "hearing-sat"
    at: datetime
    appeared: tuple[int, ...] = ()
    handed_over: tuple[int, ...] = ()
    adjourned: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class HearingDecided(Fact):
    """The result of a hearing, as recorded; no machine judges it (decisions 10)."""

    KIND: ClassVar[str] = "hearing-decided"
    at: datetime
    before: str
    result: str


@dataclass(frozen=True, slots=True)
class DemandRecorded(Fact):
    """An officer filed a demand for a public hearing under (E)(2)."""

    KIND: ClassVar[str] = "demand-recorded"
    received_at: datetime
    words: str = ""
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AppealRecorded(Fact):
    """A party appealed, where the ordinance gives that right."""

    KIND: ClassVar[str] = "appeal-recorded"
    received_at: datetime
    words: str = ""


# -- the file as a whole ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Disclosed(Fact):
    """A party made the inquiry public (C)(2)."""

    KIND: ClassVar[str] = "disclosed"
    on: date
    by_party: int
    evidence: str


@dataclass(frozen=True, slots=True)
class PubliclyConfirmed(Fact):
    """The Board publicly confirmed that the inquiry exists, after a party disclosed it (C)(2)."""

    KIND: ClassVar[str] = "publicly-confirmed"
    at: datetime
    how: str


@dataclass(frozen=True, slots=True)
class DocumentsReleased(Fact):
    """The Board made documents public that were issued to a party, by a carried ballot (C)(2)."""

    KIND: ClassVar[str] = "documents-released"
    at: datetime
    documents: tuple[int, ...]
    ballot: int
    how: str


@dataclass(frozen=True, slots=True)
class ComplaintFlagged(Fact):
    """The Board flagged the complaint, by a carried ballot, to be referred through (C)(1); no finding (F)."""

    KIND: ClassVar[str] = "complaint-flagged"
    at: datetime
    ballot: int
    words: str


@dataclass(frozen=True, slots=True)
class EvidenceTurnedOver(Fact):
    """Evidence went to a prosecutor (C)(1): which documents, under which manifest and letter, by what authority."""

    KIND: ClassVar[str] = "evidence-turned-over"
    at: datetime
    to: str
    documents: tuple[int, ...]
    manifest: int | None = None
    letter_fact: int | None = None
    authority: str = ""


@dataclass(frozen=True, slots=True)
class OfficeReceived(Fact):
    """An office (a prosecutor, the Commission) received a letter (``about``): when, and how that is known."""

    KIND: ClassVar[str] = "office-received"
    at: datetime
    evidence: str


@dataclass(frozen=True, slots=True)
class MinutesWritten(Fact):
    """Minutes of a meeting (``about``) were written: the open part, or the sealed annex of one case."""

    KIND: ClassVar[str] = "minutes-written"
    document: int
    approved_on: date | None = None


@dataclass(frozen=True, slots=True)
class MinutesApproved(Fact):
    """The Board approved the minutes of a meeting (``about``) in a later one: on which day, by whose motion."""

    KIND: ClassVar[str] = "minutes-approved"
    in_meeting: int
    on: date
    moved_by: int
    seconded_by: int | None = None
    against: tuple[int, ...] = ()
    changes: str = ""
    votes: tuple[tuple[int, Choice], ...] = ()


@dataclass(frozen=True, slots=True)
class HoldPlaced(Fact):
    """A hold stops disposal."""

    KIND: ClassVar[str] = "hold-placed"
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class HoldLifted(Fact):
    """A hold ended."""

    KIND: ClassVar[str] = "hold-lifted"
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Withdrawn(Fact):
    """The complainant withdrew the complaint; the Board decides what follows."""

    KIND: ClassVar[str] = "withdrawn"
    at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class MergedInto(Fact):
    """The case duplicates another one, which goes on for both."""

    KIND: ClassVar[str] = "merged-into"
    case: int
    number: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reopened(Fact):
    """What was final goes on: the tracks of the respondents named; of all where ``about`` is None, as in older records."""

    KIND: ClassVar[str] = "reopened"
    at: datetime
    reason: str
    about: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class CaseClosed(Fact):
    """The file was closed after the last track was final."""

    KIND: ClassVar[str] = "case-closed"
    at: datetime
    words: str = ""


@dataclass(frozen=True, slots=True)
class DocumentShown(Fact):
    """A document was delivered to somebody entitled (C3)."""

    KIND: ClassVar[str] = "document-shown"
    document: int
    person: int
    where: str


@dataclass(frozen=True, slots=True)
class PrivilegeMarked(Fact):
    """A document is, or is no longer, a privileged paper of counsel; exports leave it out unless it is chosen (C8)."""

    KIND: ClassVar[str] = "privilege-marked"
    document: int
    privileged: bool
    reason: str


@dataclass(frozen=True, slots=True)
class DisposalListed(Fact):
    """Closed files whose time is over were put on a list for disposal; the id of this fact is the list's (C9)."""

    KIND: ClassVar[str] = "disposal-listed"
    cases: tuple[int, ...]
    numbers: tuple[str, ...]
    schedule: str
    reason: str


@dataclass(frozen=True, slots=True)
class DisposalApproved(Fact):
    """Somebody approved a list for disposal (``about``)."""

    KIND: ClassVar[str] = "disposal-approved"
    person: int
    acting_for: int | None = None


@dataclass(frozen=True, slots=True)
class DisposalCarriedOut(Fact):
    """The keys of every case of a list (``about``) were destroyed; headers and hashes stay."""

    KIND: ClassVar[str] = "disposal-carried-out"
    at: datetime
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BreachRecorded(Fact):
    """Confidential content reached somebody who was not entitled; the id of this fact is the breach's (C9).

    Attributes:
        found_at: when it was found, UTC.
        what: what happened, in the words of who records it.
        since: the day on which it began, in the city; None where nobody knows.
        numbers: the cases concerned.
    """

    KIND: ClassVar[str] = "breach-recorded"
    found_at: datetime
    what: str
    since: date | None = None
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BreachTold(Fact):
    """Somebody was told of a breach (``about``): who, when, and how."""

    KIND: ClassVar[str] = "breach-told"
    whom: str
    at: datetime
    how: str


@dataclass(frozen=True, slots=True)
class BreachEnded(Fact):
    """What was done about a breach (``about``), so that it is over."""

    KIND: ClassVar[str] = "breach-ended"
    at: datetime
    what: str


@dataclass(frozen=True, slots=True)
class SettingsChanged(Fact):
    """Settings changed between two starts.

    Attributes:
        names: those that are new, changed or gone.
        in_force: every setting that is set now, with the keyed HMAC of its value.
    """

    KIND: ClassVar[str] = "settings-changed"
    names: tuple[str, ...]
    in_force: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HeadStamped(Fact):
    """An authority stamped the journal's head: entry, its hash, and the token (RFC 3161) in base64."""

    KIND: ClassVar[str] = "head-stamped"
    seq: int
    hash: str
    token: str


@dataclass(frozen=True, slots=True)
class ProfileMoved(Fact):
    """The case moved to another version of the profile by a recorded act (decisions 19)."""

    KIND: ClassVar[str] = "profile-moved"
    to: str
    reason: str


@dataclass(frozen=True, slots=True)
class CalendarChanged(Fact):
    """The city's calendar changed; dates of open steps were computed anew (D3)."""

    KIND: ClassVar[str] = "calendar-changed"
    version: str
    cause: str


@dataclass(frozen=True, slots=True)
class DatesMoved(Fact):
    """A change moved the dates of an open step: old and new, and why (D3)."""

    KIND: ClassVar[str] = "dates-moved"
    step: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    cause: str


F_co = TypeVar("F_co", bound=Fact, covariant=True)


@dataclass(frozen=True, slots=True)
class Recorded(Generic[F_co]):
    """A fact as it stands in the record.

    Attributes:
        id: the fact's id.
        fact: what was recorded.
        case: internal key of its case, None for the Board's own.
        about: id of the fact it is about (a party, ballot, meeting, letter).
        supersedes: id of the fact it corrects.
        at: when it was recorded, UTC.
        by: who recorded it; None for the machine.
        entry: the journal entry that it stands in.
    """

    id: int
    fact: F_co
    case: int | None
    about: int | None
    supersedes: int | None
    at: datetime
    by: int | None
    entry: int


KINDS: Mapping[str, type[Fact]] = {kind.KIND: kind for kind in Fact.__subclasses__()}


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[kind])


def to_json(fact: Fact) -> bytes:
    """Write a fact as canonical JSON (UTF-8), the form that is sealed and hashed."""
    return _adapter(fact.KIND).dump_json(fact)


def from_json(kind: str, text: bytes) -> Fact:
    """Read a fact of a kind from its JSON.

    Raises:
        BadInput: the kind is not known to this version, or the text is not of that kind.
    """
    try:
        fact = _adapter(kind).validate_json(text)
    except (KeyError, ValueError) as error:
        raise BadInput(
            f"A fact of the kind {kind} cannot be read by this version.",
            mend="Run the version that wrote it, or a newer one; nothing was changed.",
        ) from error
    assert isinstance(fact, Fact)
    return fact
