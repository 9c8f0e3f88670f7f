"""A case as its facts tell it: one pure view that duties, stages, rights and cards read.

Nothing here decides; it only answers questions about what was recorded, corrections applied.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from store.rules.ballots import Outcome
from store.rules.facts import (
    AnswerTimeAsked,
    AnswerTimeGiven,
    AnswerTimeRuled,
    Appeared,
    BallotClosed,
    BallotOpened,
    BallotVoided,
    CaseClosed,
    ChanceNotUsed,
    ClearedInstead,
    ComplaintFlagged,
    ComplaintReceived,
    ConflictFound,
    ConflictLifted,
    DemandRecorded,
    Determined,
    Disposed,
    ExhibitOffered,
    ExhibitRuled,
    Fact,
    FormDecided,
    HearingDecided,
    HearingOpened,
    HearingSat,
    HoldLifted,
    HoldPlaced,
    InquiryHeld,
    LetterQueued,
    LetterSet,
    LetterSettled,
    MergedInto,
    NoRespondent,
    OfficeReceived,
    PaperReceived,
    PartyLeft,
    PartyNamed,
    PartyRole,
    PrivilegeMarked,
    Question,
    ReceivedBy,
    Recorded,
    Recused,
    Referred,
    Reopened,
    ReprimandReceived,
    Screened,
    Served,
    StatementTaken,
    VoteCast,
)

F = TypeVar("F", bound=Fact)

_NOTICE = "notice"
OF_THE_BOARD = "board"
OF_THE_COMMISSION = "commission"
# letters that tell of a conclusion: after its track was reopened those written before are no evidence of the new one
AFTER_THE_VOTE = frozenset(
    {
        "decision_of_termination",
        "notification",
        "reprimand",
        "reprimand_copy",
        "hearing_notice",
        "hearing_result",
        "demand_cover",
    }
)

OF_THE_CASE = frozenset({Question.RELEASE_DOCUMENTS, Question.FALSE_COMPLAINT})
"""What is asked about the complaint as a whole and about no respondent in particular, (C)(2) and (F)."""
COMPLAINANT_SIDE = frozenset({PartyRole.COMPLAINANT, PartyRole.COMPLAINANT_COUNSEL})
CURE, AMENDMENT = "cure", "amendment"
"""What a paper was received as that is to mend a complaint (A)."""
_MENDS = frozenset({CURE, AMENDMENT})
_MAY_MEND = _MENDS | {"evidence"}
RESPONDENT_SIDE = frozenset({PartyRole.RESPONDENT, PartyRole.RESPONDENT_COUNSEL})


class LetterState(StrEnum):
    """What became of a letter (L3)."""

    QUEUED = "queued"
    SENT = "sent"
    UNCERTAIN = "uncertain"
    REFUSED = "refused"
    BOUNCED = "bounced"
    DELAYED = "delayed"
    WITHDRAWN = "withdrawn"
    ON_PAPER = "on-paper"


@dataclass(frozen=True, slots=True)
class Party:
    """A party of the case; its id is that of the fact that named it."""

    id: int
    named: PartyNamed
    left: bool

    @property
    def role(self) -> PartyRole:
        """What the party is to the complaint."""
        return self.named.role

    def represents_on(self, day: date) -> bool:
        """Say whether a representation covers a day; its first and its last day count."""
        begun = self.named.since is None or self.named.since <= day
        return begun and (self.named.until is None or day <= self.named.until)


@dataclass(frozen=True, slots=True)
class LetterView:
    """A letter and what became of it."""

    id: int
    queued: LetterQueued
    queued_at: datetime
    state: LetterState
    settled_at: datetime | None
    document: int | None = None

    @property
    def counts_as_sent(self) -> bool:
        """Whether it is evidence that the letter went out: sent, and not come back (L3)."""
        return self.state in {LetterState.SENT, LetterState.DELAYED, LetterState.ON_PAPER}

    @property
    def may_be_written_anew(self) -> bool:
        """Whether nobody has it for certain and none is on its way: it failed, was taken back, or nobody knows."""
        return self.state in {
            LetterState.REFUSED,
            LetterState.BOUNCED,
            LetterState.WITHDRAWN,
            LetterState.UNCERTAIN,
        }

    @property
    def to_whom(self) -> str:
        """What its reader is, in words: ``complainant``, ``county attorney``; nobody's name."""
        return self.queued.to_role.replace("-", " ").replace("_", " ")


@dataclass(frozen=True, slots=True)
class BallotView:
    """A ballot with its votes; what is counted is `store.rules.ballots`' business. Its track is 0 for the whole case."""

    id: int
    opened: BallotOpened
    track: int
    votes: tuple[Recorded[VoteCast], ...]
    closed: BallotClosed | None
    voided: BallotVoided | None

    @property
    def is_open(self) -> bool:
        """Whether votes are taken now."""
        return self.closed is None and self.voided is None


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """A request for more time to answer, and what became of it; None while nobody has ruled on it."""

    id: int
    respondent: int
    asked: AnswerTimeAsked
    ruled: AnswerTimeRuled | None


@dataclass(frozen=True, slots=True)
class Exhibit:
    """An exhibit: by which party it was offered (None: by the Board), and what was ruled on it."""

    id: int
    offered_by: int | None
    offered: ExhibitOffered
    ruled: ExhibitRuled | None


@dataclass(frozen=True)
class CaseFile:
    """All facts of one case, in the order in which they were recorded.

    Attributes:
        key: the case's internal key.
        number: its number.
        received_at: the instant by which it was numbered, UTC.
        profile_hash: the profile it is pinned to.
        facts: its facts.
    """

    key: int
    number: str
    received_at: datetime
    profile_hash: str
    facts: tuple[Recorded[Fact], ...]

    @cached_property
    def _superseded(self) -> frozenset[int]:
        return frozenset(one.supersedes for one in self.facts if one.supersedes is not None)

    @cached_property
    def _standing(self) -> dict[type[Fact], list[Recorded[Fact]]]:
        """The facts that stand, by their kind: most questions are about one kind, and are asked often."""
        found: dict[type[Fact], list[Recorded[Fact]]] = {}
        for one in self.facts:
            if one.id not in self._superseded:
                found.setdefault(type(one.fact), []).append(one)
        return found

    def all(self, kind: type[F]) -> Iterator[Recorded[F]]:
        """Give the facts of a kind that stand: no later one supersedes them."""
        yield from self._standing.get(kind, ())  # type: ignore[misc]  # they are of that kind

    def last(self, kind: type[F], *, about: int | None = None) -> Recorded[F] | None:
        """Give the newest fact of a kind, about something or about anything."""
        found = None
        for one in self.all(kind):
            if about is None or one.about == about:
                found = one
        return found

    # -- parties ----------------------------------------------------------------------------------

    @cached_property
    def parties(self) -> tuple[Party, ...]:
        """Every party ever named, with whether it left; a corrected one keeps its id."""
        left = {one.about for one in self.all(PartyLeft)}
        latest: dict[int, PartyNamed] = {}
        for one in self.facts:
            if isinstance(one.fact, PartyNamed):
                latest[self.root(one)] = one.fact
        return tuple(Party(key, named, key in left) for key, named in latest.items())

    def root(self, one: Recorded[Fact]) -> int:
        """Give the id of the first fact in a line of corrections."""
        by_id = {other.id: other for other in self.facts}
        while one.supersedes is not None and one.supersedes in by_id:
            one = by_id[one.supersedes]
        return one.id

    def party(self, party: int | None) -> Party | None:
        """Give a party by id; None where there is none."""
        return next((one for one in self.parties if one.id == party), None)

    def with_role(self, *roles: PartyRole) -> tuple[Party, ...]:
        """Give the present parties of some roles."""
        return tuple(one for one in self.parties if one.role in roles and not one.left)

    @property
    def complainants(self) -> tuple[Party, ...]:
        """The complainants; joint ones are each owed every letter (decisions 9)."""
        return self.with_role(PartyRole.COMPLAINANT)

    @property
    def respondents(self) -> tuple[Party, ...]:
        """The respondents; each is a track (decisions 9)."""
        return self.with_role(PartyRole.RESPONDENT)

    @property
    def no_respondent(self) -> bool:
        """Whether it was recorded that none can be named."""
        return self.last(NoRespondent) is not None

    def naming(self, party: int) -> Recorded[PartyNamed] | None:
        """Give the fact by which a party stands named now: the first one, or its newest correction."""
        found: Recorded[Fact] | None = None
        for one in self.facts:
            if isinstance(one.fact, PartyNamed) and self.root(one) == party:
                found = one
        return found  # type: ignore[return-value]  # narrowed by isinstance, which mypy cannot carry over

    def named_at(self, party: int) -> datetime | None:
        """Give when a party was first named, UTC; a correction of a name or address moves nothing."""
        return next((one.at for one in self.facts if one.id == party), None)

    def counsel_of(self, party: int, on: date | None = None) -> tuple[Party, ...]:
        """Give the counsel of a party; with a day, those whose representation covers it."""
        return tuple(
            one
            for one in self.with_role(PartyRole.RESPONDENT_COUNSEL, PartyRole.COMPLAINANT_COUNSEL)
            if one.named.represents == party and (on is None or one.represents_on(on))
        )

    def reprimanded(self, track: int) -> bool:
        """Say whether the Board decided a reprimand of a respondent, and that stands."""
        disposed = self.standing_disposition(track)
        return disposed is not None and disposed.fact.reprimand

    # -- receipt and form -------------------------------------------------------------------------

    def received(self, by: ReceivedBy) -> Recorded[ComplaintReceived] | None:
        """Give the receipt that stands for the Board or the City Manager."""
        found = None
        for one in self.all(ComplaintReceived):
            if one.fact.by is by:
                found = one
        return found

    @property
    def form(self) -> Recorded[FormDecided] | None:
        """The decision on form that stands; None before there is one."""
        return self.last(FormDecided)

    @property
    def proper(self) -> bool:
        """Whether the complaint was found proper."""
        return self.form is not None and self.form.fact.proper

    @property
    def proper_received_at(self) -> datetime | None:
        """The receipt of the paper that made the complaint proper (decisions 3), UTC."""
        if self.form is None or not self.form.fact.proper:
            return None
        line = self._line_of(self.form.fact.paper)
        for one in reversed(self.facts):
            if isinstance(one.fact, ComplaintReceived | PaperReceived) and self.root(one) == line:
                return one.fact.received_at
        board = self.received(ReceivedBy.BOARD)
        return board.fact.received_at if board else self.received_at

    @property
    def cured_by(self) -> frozenset[int]:
        """Give the documents that made the complaint proper, where they came later than it; empty else."""
        paper = self.form.fact.paper if self.form is not None and self.form.fact.proper else None
        line = self._line_of(paper)
        return frozenset(
            document
            for one in self.facts
            if isinstance(one.fact, PaperReceived) and line is not None and self.root(one) == line
            for document in one.fact.documents
        )

    def carried(self, question: Question, *, after: int = 0) -> BallotView | None:
        """Give the newest ballot that decided a question, whichever respondent it names, if it carried it.

        Args:
            question: what was asked.
            after: only ballots opened after this fact, such as a party's disclosure.
        """
        decided = [
            (view, view.closed.outcome)
            for view in self.ballots_since
            if view.opened.question is question
            and view.id > after
            and view.voided is None
            and view.closed is not None
            and view.closed.outcome in {Outcome.CARRIED.value, Outcome.FAILED.value}
        ]
        return decided[-1][0] if decided and decided[-1][1] == Outcome.CARRIED else None

    def is_flagged_by(self, ballot: int) -> bool:
        """Say whether the flag that a ballot carried is on the record (F)."""
        return any(one.fact.ballot == ballot for one in self.all(ComplaintFlagged))

    def bears_on_form(self, document: int, kind: str) -> bool:
        """Say whether the form is decided on a document: the complaint, or one that was to mend it."""
        return kind in {"complaint", CURE} or any(
            document in one.fact.documents for one in self.all(PaperReceived) if one.fact.what == CURE
        )

    @property
    def mending(self) -> tuple[Recorded[ComplaintReceived] | Recorded[PaperReceived], ...]:
        """The receipts that can make the complaint proper, in order: it, and what its complainants added (A)."""
        board = [one for one in self.all(ComplaintReceived) if one.fact.by is ReceivedBy.BOARD]
        return (*board, *(one for one in self.all(PaperReceived) if self._may_mend(one.fact)))

    def _may_mend(self, paper: PaperReceived) -> bool:
        party = self.party(paper.from_party)
        theirs = party is None or party.role in COMPLAINANT_SIDE
        return theirs and bool(paper.documents) and paper.what in _MAY_MEND

    @property
    def decided_paper(self) -> int | None:
        """The receipt that a decision on form is about where the clerk names none (A; decisions 3).

        Before any decision that is the complaint; after one that something is lacking, the newest cure or amendment,
        else the newest paper of the complainant's side; and where the complaint was proper, the same as then.
        """
        papers = self.mending
        if self.form is None:
            return papers[0].id if papers else None
        if self.form.fact.proper:
            return self.form.fact.paper
        mends = [one for one in papers if isinstance(one.fact, PaperReceived) and one.fact.what in _MENDS]
        found = mends or papers
        return found[-1].id if found else None

    def _line_of(self, receipt: int | None) -> int | None:
        """Give the first id of the line of corrections in which a receipt stands, whichever of them was named."""
        return next((self.root(one) for one in self.facts if one.id == receipt), receipt)

    @property
    def board_received_at(self) -> datetime:
        """When the Board received the complaint, as the record now has it, UTC; corrected, unlike the number."""
        board = self.received(ReceivedBy.BOARD)
        return board.fact.received_at if board else self.received_at

    @property
    def referred(self) -> Recorded[Referred] | None:
        """The referral; None before there is one."""
        return self.last(Referred)

    # -- who may know -----------------------------------------------------------------------------

    @property
    def screened(self) -> bool:
        """Whether the complaint was readable and searched, or a cleared person said who is named in it."""
        return self._screening[0]

    @property
    def unscreened_papers(self) -> frozenset[int]:
        """Papers that came later and could not be read: nobody else sees them until somebody cleared has."""
        return self._screening[1]

    @cached_property
    def _screening(self) -> tuple[bool, frozenset[int]]:
        whole, unseen = False, frozenset[int]()
        for place, one in enumerate(self.all(Screened)):
            fact = one.fact
            if fact.documents:
                told = frozenset(fact.documents)
                unseen = unseen | told if fact.unreadable else unseen - told
            elif not fact.by_machine:
                whole, unseen = True, frozenset()
            elif fact.unreadable or place == 0:
                whole = not fact.unreadable
        return whole, unseen

    @property
    def cleared_instead(self) -> frozenset[int]:
        """Who is cleared for the case's unread papers besides the clerks, since no clerk may know of it."""
        last = self.last(ClearedInstead)
        return frozenset(last.fact.persons) if last is not None else frozenset()

    def walled(self, person: int) -> bool:
        """Say whether a roster person is named in the complaint and not cleared (B2)."""
        found = [one.id for one in self.all(ConflictFound) if one.fact.person == person]
        lifted = [one.id for one in self.all(ConflictLifted) if one.fact.person == person]
        return bool(found) and max(found) > max(lifted, default=0)

    @property
    def walled_off(self) -> frozenset[int]:
        """Everybody who is walled off now."""
        return frozenset(one.fact.person for one in self.all(ConflictFound) if self.walled(one.fact.person))

    @property
    def walls(self) -> dict[int, str]:
        """Give everybody who is walled off now, with why; what begins with "possibly" may be somebody else."""
        return {
            one.fact.person: one.fact.how for one in self.all(ConflictFound) if self.walled(one.fact.person)
        }

    @property
    def recused(self) -> frozenset[int]:
        """Everybody who stepped back."""
        return frozenset(one.fact.person for one in self.all(Recused))

    # -- letters and service ----------------------------------------------------------------------

    @cached_property
    def letters(self) -> tuple[LetterView, ...]:
        """Every letter with its latest state."""
        settled: dict[int, Recorded[LetterSettled]] = {}
        for one in self.all(LetterSettled):
            if one.about is not None:
                settled[one.about] = one
        pages = {one.about: one.fact.document for one in self.all(LetterSet)}
        views = []
        for letter in self.all(LetterQueued):
            end = settled.get(letter.id)
            state = LetterState(end.fact.state) if end else LetterState.QUEUED
            page = letter.fact.document or pages.get(letter.id)
            views.append(
                LetterView(letter.id, letter.fact, letter.at, state, end.fact.at if end else None, page)
            )
        return tuple(views)

    def letters_to(self, letter: str, party: int | None = None) -> tuple[LetterView, ...]:
        """Give the letters of a kind, to one party or to anybody."""
        return tuple(
            one
            for one in self.letters
            if one.queued.letter == letter
            and (party is None or one.queued.to_party == party)
            and self._is_of_now(letter, one.id, one.queued.about_track, one.queued.to_party)
        )

    def copies_of(self, letter: int) -> tuple[LetterView, ...]:
        """Give the other copies of a letter that one act wrote for the same party: to him, and to his counsel (L2)."""

        def meant_for(view: LetterView) -> int | None:
            party = self.party(view.queued.to_party)
            return (party.named.represents or party.id) if party else None

        def of(view: LetterView) -> tuple[object, ...]:
            return view.queued.letter, view.queued.about_track, view.queued_at, meant_for(view)

        asked = next(one for one in self.letters if one.id == letter)
        if meant_for(asked) is None:
            return ()
        return tuple(one for one in self.letters if one.id != letter and of(one) == of(asked))

    def is_confirmed(self, letter: int) -> bool:
        """Say whether the record holds that a letter came into its reader's hands; no report undoes that (L3).

        Service was recorded, an office received it, or the respondent answered the notice.
        """
        found = next((one for one in self.letters if one.id == letter), None)
        if found is None:
            return False
        by_hand = any(one.fact.letter_fact == letter for one in self.all(Served))
        at_office = any(one.about == letter for one in self.all(OfficeReceived))
        party, sent = found.queued.to_party, found.settled_at or found.queued_at
        answers = self.responses(party) if party is not None and found.queued.letter == _NOTICE else ()
        return by_hand or at_office or any(one.fact.received_at > sent for one in answers)

    def served(self, letter: str, party: int) -> bool:
        """Say whether a letter reached a party: sent and not come back, or served on paper (L3)."""
        return any(one.counts_as_sent for one in self.letters_to(letter, party)) or any(
            one.about == party for one in self._served_by_hand(letter)
        )

    def _served_by_hand(self, letter: str) -> list[Recorded[Served]]:
        tracks = {one.id: one.queued.about_track for one in self.letters}
        return [
            one
            for one in self.all(Served)
            if one.fact.letter == letter
            and self._is_of_now(letter, self.root(one), tracks.get(one.fact.letter_fact or 0), one.about)
        ]

    def _is_of_now(self, letter: str, recorded: int, track: int | None, reader: int | None) -> bool:
        """Say whether a letter or its service is evidence still: one that tells of a conclusion ends with it.

        It is about the respondent whom it names, else about the one who reads it, himself or by counsel.
        """
        if letter not in AFTER_THE_VOTE or recorded > self.reopened_id:
            return True
        party = self.party(reader)
        if track is None and party is not None and party.role in RESPONDENT_SIDE:
            track = party.named.represents or party.id
        return recorded > self.reopened_for(track)

    def served_at(self, letter: str, party: int, *, track: int | None = None) -> datetime | None:
        """Give when a letter was first served on a party, UTC; None while it was not.

        With a track, only a letter about that respondent counts, or one about no respondent in particular.
        """
        return min((served for served, _received in self._services(letter, party, track)), default=None)

    def reached_at(self, letter: str, party: int) -> datetime | None:
        """Give when a letter first came into a party's hands, UTC, as far as known: a right runs from here."""
        return min((received for _served, received in self._services(letter, party)), default=None)

    def _services(
        self, letter: str, party: int, track: int | None = None
    ) -> Iterator[tuple[datetime, datetime]]:
        """Give each service of a letter on a party: when it was made, and when it was received."""
        if not self.letters and not self._served_by_hand(letter):
            return
        by_hand = {one.fact.letter_fact for one in self.all(Served)}
        concerns = {one.id: track is None or one.queued.about_track in {None, track} for one in self.letters}
        for sent in self.letters_to(letter, party):
            if concerns[sent.id] and sent.counts_as_sent and sent.settled_at and sent.id not in by_hand:
                yield sent.settled_at, sent.settled_at
        for one in self._served_by_hand(letter):
            if one.about == party and concerns.get(one.fact.letter_fact or 0, True):
                served = one.fact.at or one.at
                yield served, one.fact.received_at or served

    # -- inquiry, ballots, determination ----------------------------------------------------------

    def responded(self, party: int) -> bool:
        """Say whether a respondent answered."""
        return bool(self.responses(party))

    def speaks_for(self, party: int) -> frozenset[int]:
        """Give the party and everybody who is or was counsel of it: what they sent, the party sent."""
        return frozenset({party, *(one.id for one in self.parties if one.named.represents == party)})

    def responses(self, party: int) -> tuple[Recorded[PaperReceived], ...]:
        """Give a respondent's answers, his own and those of his counsel."""
        theirs = self.speaks_for(party)
        return tuple(
            one
            for one in self.all(PaperReceived)
            if one.fact.from_party in theirs and one.fact.what == "response"
        )

    def asked_for_time(self, party: int | None = None) -> tuple[TimeAsked, ...]:
        """Give the requests for more time to answer, of one respondent or of all."""
        found = []
        for one in self.all(AnswerTimeAsked):
            if one.about is not None and (party is None or one.about == party):
                ruled = self.last(AnswerTimeRuled, about=one.id)
                found.append(TimeAsked(one.id, one.about, one.fact, ruled.fact if ruled else None))
        return tuple(found)

    def appeared(self, party: int) -> bool:
        """Say whether a party appeared before the Board, or made a statement under oath."""
        facts = (*self.all(Appeared), *self.all(StatementTaken))
        return any(one.about == party for one in facts)

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """The exhibits in the order in which they were offered."""
        found = []
        for one in self.all(ExhibitOffered):
            ruled = self.last(ExhibitRuled, about=one.id)
            found.append(Exhibit(one.id, one.about, one.fact, ruled.fact if ruled else None))
        return tuple(found)

    def answer_until(self, party: int) -> date | None:
        """Give the last day that the Board gave a respondent for his answer; None where it named none."""
        return max((one.fact.until for one in self.all(AnswerTimeGiven) if one.about == party), default=None)

    def chance_over(self, party: int) -> bool:
        """Say whether a respondent answered, or was recorded as not using the chance."""
        return self.responded(party) or self.last(ChanceNotUsed, about=party) is not None

    @property
    def inquiry(self) -> Recorded[InquiryHeld] | None:
        """The record that the inquiry was held; None before."""
        return self.last(InquiryHeld)

    @cached_property
    def ballots(self) -> tuple[BallotView, ...]:
        """Every ballot with its votes."""
        return tuple(
            BallotView(
                one.id,
                one.fact,
                one.about or 0,
                tuple(vote for vote in self.all(VoteCast) if vote.about == one.id),
                closed.fact if (closed := self.last(BallotClosed, about=one.id)) else None,
                voided.fact if (voided := self.last(BallotVoided, about=one.id)) else None,
            )
            for one in self.all(BallotOpened)
        )

    def ballot(self, ballot: int) -> BallotView | None:
        """Give a ballot by id; None where there is none."""
        return next((one for one in self.ballots if one.id == ballot), None)

    def reopening(self, track: int | None = None) -> Recorded[Reopened] | None:
        """Give the last reopening that concerns a respondent's track; without a track, the last of the case."""
        found = None
        for one in self.all(Reopened):
            if track is None or one.fact.about is None or track in one.fact.about:
                found = one
        return found

    def reopened_for(self, track: int | None) -> int:
        """Give the id of the last reopening of a track, or of anything where there is no track; 0 where there is none."""
        reopened = self.reopening(track)
        return reopened.id if reopened else 0

    @property
    def reopened_id(self) -> int:
        """The id of the last reopening, whomever it concerns: closing and merger end by any; 0 where there is none."""
        return self.reopened_for(None)

    def reopened_at(self, track: int | None) -> datetime | None:
        """Give when a track was last reopened, UTC, or the case where there is no track; None where it never was."""
        reopened = self.reopening(track)
        return reopened.fact.at if reopened else None

    @property
    def ballots_since(self) -> tuple[BallotView, ...]:
        """The ballots of the proceedings that go on: those from before a track's reopening decide nothing any more."""
        return tuple(one for one in self.ballots if one.id > self.reopened_for(_meant(one)))

    @property
    def merged(self) -> Recorded[MergedInto] | None:
        """The merger into another case that goes on for both; None where there is none, or it was reopened since."""
        found = self.last(MergedInto)
        return found if found is not None and found.id > self.reopened_id else None

    def determined(self, track: int) -> Recorded[Determined] | None:
        """Give the last determination for a track, whether it stands or not; None before there is one."""
        return self.last(Determined, about=track)

    def standing_determination(self, track: int) -> Recorded[Determined] | None:
        """Give the determination for a track unless that was reopened after it."""
        determined = self.determined(track)
        return determined if determined is not None and determined.id > self.reopened_for(track) else None

    def disposed(self, track: int) -> Recorded[Disposed] | None:
        """Give what followed a sufficient basis for a track, whether it stands or not."""
        return self.last(Disposed, about=track)

    def standing_disposition(self, track: int) -> Recorded[Disposed] | None:
        """Give what follows the determination that stands; None before it was decided."""
        determined, disposed = self.standing_determination(track), self.disposed(track)
        if determined is None or disposed is None or disposed.id < determined.id:
            return None
        return disposed

    def is_adverse(self, track: int) -> bool:
        """Say whether the Board ended the inquiry against a track: (D), no basis or no jurisdiction."""
        determined = self.standing_determination(track)
        return determined is not None and not sufficient(determined.fact)

    def final_at(self, track: int) -> datetime | None:
        """Give when a track became final (decisions 6), UTC; None while it is not.

        Termination, reprimand, decision after a hearing, or a vote of no further action.
        """
        determined = self.standing_determination(track)
        if determined is None:
            return None
        if not sufficient(determined.fact):
            return determined.fact.at
        disposed = self.standing_disposition(track)
        if disposed is None:
            return None
        if disposed.fact.hearing:
            decided = self.decided(track, OF_THE_BOARD)
            return decided.fact.at if decided else None
        return disposed.fact.at

    @property
    def final(self) -> bool:
        """Whether the last track is final; a case without tracks is final when it was closed."""
        if self.closed:
            return True
        tracks = self.respondents
        return bool(tracks) and all(self.final_at(one.id) is not None for one in tracks)

    @property
    def closed(self) -> bool:
        """Whether the file was closed, and not reopened after that."""
        closed = self.last(CaseClosed)
        return closed is not None and closed.id > self.reopened_id

    @property
    def on_hold(self) -> bool:
        """Whether a hold stops disposal."""
        placed, lifted = self.last(HoldPlaced), self.last(HoldLifted)
        return placed is not None and (lifted is None or lifted.id < placed.id)

    @property
    def privileged(self) -> frozenset[int]:
        """The ids of the documents that are privileged papers of counsel now."""
        latest = {one.fact.document: one.fact.privileged for one in self.all(PrivilegeMarked)}
        return frozenset(document for document, privileged in latest.items() if privileged)

    def reprimand_received(self, track: int) -> tuple[Recorded[ReprimandReceived], ...]:
        """Give the receipts of a reprimand (decisions 2: both are shown)."""
        return tuple(self._since(ReprimandReceived, track))

    def demand(self, track: int) -> Recorded[DemandRecorded] | None:
        """Give the demand for a public hearing; None where there is none."""
        return next(iter(self._since(DemandRecorded, track)[-1:]), None)

    def hearing(self, track: int) -> Recorded[HearingOpened] | None:
        """Give the hearing of a track as it is set now; None where there is none."""
        return next(iter(self._since(HearingOpened, track)[-1:]), None)

    def sittings(self, track: int) -> tuple[Recorded[HearingSat], ...]:
        """Give the sittings of a track's hearing, in the order of recording."""
        return tuple(self._since(HearingSat, track))

    def stands_adjourned(self, track: int) -> bool:
        """Whether a track's hearing was adjourned at its last sitting, and no day was set since (clause (E)(1)(b))."""
        sat, opened = self.sittings(track)[-1:], self.hearing(track)
        return bool(sat and sat[0].fact.adjourned and opened is not None and opened.id < sat[0].id)

    def decided(self, track: int, before: str) -> Recorded[HearingDecided] | None:
        """Give the result of a track's hearing before the Board or the Commission; None where there is none."""
        found = [one for one in self._since(HearingDecided, track) if one.fact.before == before]
        return found[-1] if found else None

    def _since(self, kind: type[F], track: int) -> list[Recorded[F]]:
        """Give the facts of a kind about a track that belong to the proceedings that go on."""
        since = self.reopened_for(track)
        return [one for one in self.all(kind) if one.about == track and one.id > since]


def _meant(ballot: BallotView) -> int | None:
    """Give the respondent whom a ballot decides about; older ones on the whole case name one all the same."""
    return None if ballot.opened.question in OF_THE_CASE else ballot.track


def sufficient(determined: Determined) -> bool:
    """Say whether a determination found jurisdiction and a minimal factual basis, (E)(1)."""
    return determined.within_jurisdiction and bool(determined.factual_basis) and not determined.frivolous


def build(
    key: int, number: str, received_at: datetime, profile_hash: str, facts: Iterable[Recorded[Fact]]
) -> CaseFile:
    """Build the view of a case from its facts."""
    return CaseFile(key, number, received_at, profile_hash, tuple(facts))
