"""An ordinance as data: clauses, duties, rights, board rules and the city's settings, from one TOML text.

A city's profile is a file; another city is another file and no code. Reading it checks every table and
key, so that a wrong profile is refused whole before anything starts, with each fault and its mend.

Source: product.md, the ordinance as duties and rights; law.md, sister ordinances; decisions.md 1-6, 14, 18, 19.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import time
from enum import StrEnum
from string import Formatter
from typing import Annotated, ClassVar
from zoneinfo import ZoneInfo

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from store.rules.access import MAY_BE_CLEARED
from store.rules.ballots import BallotRule, Needed, Quorum
from store.rules.calendar import city_zone
from store.rules.dates import Act, Unit
from store.rules.errors import BadInput
from store.rules.facts import Role
from store.rules.profile_faults import faults_of


class Standing(StrEnum):
    """Whether a profile is a city's law or only shows how one is written."""

    IN_FORCE = "in_force"
    EXAMPLE = "example"


class Office(StrEnum):
    """Who owes, is owed, receives or is written to."""

    BOARD = "board"
    BOARD_OFFICIAL = "board_official"
    CITY_MANAGER = "city_manager"
    CITY_CLERK = "city_clerk"
    STAFF = "staff"
    COMPLAINANT = "complainant"
    RESPONDENT = "respondent"
    PARTY = "party"
    COMMISSION = "commission"
    COMMONWEALTHS_ATTORNEY = "commonwealths_attorney"
    COUNTY_ATTORNEY = "county_attorney"
    CIRCUIT_COURT = "circuit_court"


class Starts(StrEnum):
    """The named fact that starts a period."""

    RECEIPT = "receipt"
    PROPER_RECEIPT = "proper_receipt"
    NOTICE_SERVED = "notice_served"
    INQUIRY_HELD = "inquiry_held"
    ADVERSE_CONCLUSION = "adverse_conclusion"
    SUFFICIENT_BASIS = "sufficient_basis"
    REPRIMAND_DECIDED = "reprimand_decided"
    HEARING_DECIDED = "hearing_decided"
    REPRIMAND_RECEIVED = "reprimand_received"
    DEMAND_RECORDED = "demand_recorded"
    FINAL_ACTION = "final_action"


class Fulfilled(StrEnum):
    """The named fact that is the evidence of a step done."""

    REFERRAL_RECORDED = "referral_recorded"
    ACKNOWLEDGED = "acknowledged"
    RESPONDENTS_NAMED = "respondents_named"
    NOTICE_SERVED = "notice_served"
    INQUIRY_HELD = "inquiry_held"
    INQUIRY_CONCLUDED = "inquiry_concluded"
    RESPONDED = "responded"
    DETERMINED = "determined"
    DECISION_TRANSMITTED = "decision_transmitted"
    NOTIFIED = "notified"
    REPRIMAND_DELIVERED = "reprimand_delivered"
    REPRIMAND_SERVED = "reprimand_served"
    HEARING_OPENED = "hearing_opened"
    DEMAND_RECORDED = "demand_recorded"
    APPEAL_RECORDED = "appeal_recorded"


class Per(StrEnum):
    """For whom a duty exists once: the case, or each person of a kind."""

    CASE = "case"
    COMPLAINANT = "complainant"
    RESPONDENT = "respondent"
    PARTY = "party"


class WhoseReceipt(StrEnum):
    """Whose receipt starts a clock that runs from receipt (decisions.md 4)."""

    EARLIEST = "earliest"
    BOARD = "board"
    OFFICIAL = "official"


class Kind(StrEnum):
    """A duty of the city, or a person's right."""

    DUTY = "duty"
    RIGHT = "right"


class Basis(StrEnum):
    """Where a period stands: in the ordinance, or set by the Board or the city for itself."""

    STATUTORY = "statutory"
    TARGET = "target"


class SignatureKind(StrEnum):
    """Evidence that the Board may accept as "signed by the complainant" (KRS 369.107, 369.118)."""

    CRYPTO_VALID = "crypto-valid"
    CRYPTO_UNTRUSTED = "crypto-untrusted"
    DRAWN = "drawn"
    TYPED = "typed"


class Exit(StrEnum):
    """An exception to confidentiality that the ordinance has."""

    PROSECUTOR = "prosecutor"
    DISCLOSURE = "disclosure"


class Records(StrEnum):
    """What governs the records of an inquiry: the ordinance's own clause, or the Open Records law alone."""

    ORDINANCE = "ordinance"
    OPEN_RECORDS_LAW = "open_records_law"


class Opens(StrEnum):
    """When the sealed annex of the minutes opens (decisions.md 14)."""

    NEVER = "never"
    ON_FINALITY = "on_finality"
    BY_VOTE = "by_vote"


class Finality(StrEnum):
    """What opens the file: the last respondent's track being final, or each for itself (decisions.md 6)."""

    LAST_TRACK = "last_track"
    EACH_TRACK = "each_track"


class Table:
    """A table of a profile: an unknown key in it is refused, since it is a setting that would not be followed."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


def _fail_if(*faults: tuple[bool, str]) -> None:
    for wrong, says in faults:
        if wrong:
            raise ValueError(says)


@dataclass(frozen=True, slots=True)
class City(Table):
    """The city and how its Board signs.

    Attributes:
        name: the city, such as ``City of Bramwell``.
        board: the Board's name.
        zone: IANA name of the city's time zone; Kentucky has two.
        letterhead: lines at the head of a letter.
        signatory: who signs letters, as it is printed.
        ordinance: the short name by which letters cite the ordinance, such as ``Ord. 95-1``; may be empty.
    """

    name: str
    board: str
    zone: str
    letterhead: tuple[str, ...]
    signatory: str
    ordinance: str = ""

    def __post_init__(self) -> None:
        _fail_if(
            (not _is_zone(self.zone), 'zone is no time zone; use an IANA name such as "America/New_York"')
        )

    @property
    def time_zone(self) -> ZoneInfo:
        """Give the city's zone."""
        return ZoneInfo(self.zone)


@dataclass(frozen=True, slots=True)
class Address(Table):
    """Where an office is written to: by e-mail, by post, or both."""

    office: Office
    name: str
    emails: tuple[str, ...] = ()
    postal: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _fail_if(
            (not self.emails and not self.postal, "give emails, postal or both"),
            (any(not _EMAIL.fullmatch(one) for one in self.emails), "emails holds what is no address"),
        )


@dataclass(frozen=True, slots=True)
class Numbers(Table):
    """How case numbers are written.

    Attributes:
        format: text with ``{year}`` and ``{seq}`` once each; ``{seq:03d}`` pads, and grows when it must.
    """

    format: str

    def __post_init__(self) -> None:
        _fail_if(
            (not self._is_whole(), 'format needs {year} and {seq} once each, as in "EC-{year}-{seq:04d}"'),
            ("}{" in self.format, "format needs a sign between {year} and {seq}"),
        )

    def _is_whole(self) -> bool:
        """Say whether both fields stand in the format once each, padded or not and never converted."""
        try:
            fields = [part[1:] for part in Formatter().parse(self.format) if part[1] is not None]
        except ValueError:
            return False
        plain = all(conversion is None for _, _, conversion in fields)
        specs = {name: spec or "" for name, spec, _ in fields}
        padded = re.fullmatch(r"(0[1-9]d)?", specs.get("seq", "!"))
        return (
            plain and len(fields) == len(specs) == len(_FIELDS) and specs.get("year") == "" and bool(padded)
        )


@dataclass(frozen=True, slots=True)
class Receipt(Table):
    """To whom complaints are submitted, beside the Board's own mailbox.

    Attributes:
        official: the office that receives complaints under the ordinance.
        title: that office as it is printed.
    """

    official: Office
    title: str


@dataclass(frozen=True, slots=True)
class Clause(Table):
    """A clause of the ordinance: its id in the project, how it is cited, and its text."""

    id: str
    citation: str
    text: str


@dataclass(frozen=True, slots=True)
class Duty(Table):
    """One row of the ordinance: a duty of the city, or a person's right.

    Attributes:
        id: name of the row.
        clause: id of the clause that it rests on.
        what: what is to be done, in plain words.
        owed_by: who does it.
        owed_to: to whom; a right names before whom it is exercised.
        per: for whom the row exists once.
        starts_at: the fact that starts the period.
        done_by: facts that together are the evidence; all are needed, for each person whom they concern.
        evidence: the same in plain words.
        kind: duty or right.
        basis: whether the ordinance sets the period.
        period: its length; None where the day is set case by case, or where there is none.
        unit: what the period counts.
        clock: whose receipt starts it, where it starts at a receipt.
        wording: how the ordinance words the time where it gives no number, such as ``immediately``.
    """

    id: str
    clause: str
    what: str
    owed_by: Office
    owed_to: tuple[Office, ...]
    per: Per
    starts_at: Starts
    done_by: tuple[Fulfilled, ...]
    evidence: str
    kind: Kind = Kind.DUTY
    basis: Basis = Basis.STATUTORY
    period: int | None = None
    unit: Unit = Unit.DAYS
    clock: WhoseReceipt = WhoseReceipt.EARLIEST
    wording: str = ""

    def __post_init__(self) -> None:
        _fail_if(
            (
                self.period is not None and self.period < 1,
                "period must be 1 or more; leave it out where there is none",
            ),
            (
                self.basis is Basis.STATUTORY and self.period is None,
                'a statutory row needs a period; say basis = "target" where the ordinance sets none',
            ),
            (not self.done_by, "done_by must name the fact that is the evidence"),
            (not self.owed_to, "owed_to must name somebody"),
        )

    @property
    def act(self) -> Act:
        """Say how the period is read: duty and right are read in opposite directions (law.md, time)."""
        return Act.FILING if self.kind is Kind.RIGHT else Act.BOARD_ACT


@dataclass(frozen=True, slots=True)
class Board(Table):
    """The Board's size and rules; the ordinance is silent on them (law.md, meetings and votes)."""

    seats: int
    quorum: int | Quorum
    votes_needed: int | Needed
    recused_count_for_quorum: bool = False
    alternates: bool = False
    ballots_only_in_meetings: bool = True

    def __post_init__(self) -> None:
        counts = [one for one in (self.quorum, self.votes_needed) if isinstance(one, int)]
        _fail_if(
            (self.seats < 1, "seats must be 1 or more"),
            (
                any(not 1 <= one <= self.seats for one in counts),
                "quorum and votes_needed lie between 1 and seats",
            ),
        )

    @property
    def ballot_rule(self) -> BallotRule:
        """Give the rule that a ballot is opened under."""
        return BallotRule(
            quorum=self.quorum,
            needed=self.votes_needed,
            recused_count_for_quorum=self.recused_count_for_quorum,
            alternates=self.alternates,
            only_in_meetings=self.ballots_only_in_meetings,
        )


@dataclass(frozen=True, slots=True)
class Requirement(Table):
    """A requirement of a complaint besides writing and signature, which the Board established under (A).

    Attributes:
        id: name of the checklist item.
        text: the requirement as staff and complainants read it.
        mend: how a complainant can meet it, as the cure notice says it.
        required: whether a complaint without it is not proper; otherwise it is only asked for.
        within_years: the complaint must come within so many years of the event or of its discovery.
    """

    id: str
    text: str
    mend: str
    required: bool = True
    within_years: int | None = None

    def __post_init__(self) -> None:
        _fail_if((self.within_years is not None and self.within_years < 1, "within_years must be 1 or more"))


@dataclass(frozen=True, slots=True)
class Complaints(Table):
    """What a complaint must be, and the one neutral line on false complaints (F)."""

    accepted_signatures: tuple[SignatureKind, ...]
    false_complaint_warning: str
    requirements: tuple[Requirement, ...] = ()

    def __post_init__(self) -> None:
        _fail_if(
            (not self.accepted_signatures, "accepted_signatures must name a kind"),
            (_doubled(one.id for one in self.requirements), "two requirements have the same id"),
            (
                any(one.id in _FIXED_REQUIREMENTS for one in self.requirements),
                "writing and signature are asked for anyway; a requirement needs another id",
            ),
        )


@dataclass(frozen=True, slots=True)
class Confidentiality(Table):
    """What opens the file, to whom and when (C)."""

    records: Records
    exits: tuple[Exit, ...]
    annex_opens: Opens
    final: Finality


@dataclass(frozen=True, slots=True)
class OfficeHours(Table):
    """When city hall is open on a working day, local time; reminders keep to it."""

    opens: time
    closes: time

    def __post_init__(self) -> None:
        _fail_if(
            (self.opens >= self.closes, "closes must be later than opens"),
            (
                self.opens.tzinfo is not None or self.closes.tzinfo is not None,
                "hours are local, without a zone",
            ),
        )


@dataclass(frozen=True, slots=True)
class Reminders(Table):
    """At how many working days before a date a reminder goes; 0 is the day itself (D5)."""

    stages: tuple[int, ...]

    def __post_init__(self) -> None:
        falling = list(self.stages) == sorted(set(self.stages), reverse=True)
        _fail_if((not falling or not self.stages or self.stages[-1] != 0, "stages fall and end with 0"))


@dataclass(frozen=True, slots=True)
class Intake(Table):
    """What one message may hold before it waits for a person (I8), and who looks where no clerk may (B2).

    Attributes:
        max_attachments: most attachments.
        max_nested_archives: most archives inside each other.
        cleared_instead: roles in whose order somebody is cleared for papers that no machine could read, where
            every clerk is walled off or stepped back.
    """

    max_attachments: int
    max_nested_archives: int
    cleared_instead: tuple[Role, ...] = (Role.CHAIR, Role.COUNSEL)

    def __post_init__(self) -> None:
        _fail_if(
            (
                not set(self.cleared_instead) <= MAY_BE_CLEARED - {Role.CLERK},
                "cleared_instead names roles of the Board or its counsel: chair, member, alternate, counsel",
            ),
            (
                self.max_attachments < 1 or self.max_nested_archives < 0,
                "a limit is too small to take any mail",
            ),
        )


@dataclass(frozen=True, slots=True)
class Retention(Table):
    """How long a closed file is kept before it may be put on a disposal list (C9).

    Attributes:
        years: whole years from the day of closing.
        schedule: the state's schedule and series that say so; printed on the list.

    Source: KRS 171.410-740.
    """

    years: int
    schedule: str

    def __post_init__(self) -> None:
        _fail_if(
            (self.years < 1, "years must be 1 or more"),
            (not self.schedule.strip(), "schedule must name the records schedule and its series"),
        )


@dataclass(frozen=True, slots=True)
class Provision(Table):
    """A section of the chapter, for the general statement of the applicable provisions (A).

    ``section`` is how letters cite it, such as ``Section 12.04``; without it its title alone is named.
    """

    id: str
    title: str
    text: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class Circumstance(Table):
    """A mitigating circumstance that the ordinance names, as a choice (E)(1)(a)."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Profile(Table):
    """One ordinance with the city's settings, whole and checked.

    Lists keep the order of the file. Look rows up by `clause`, `duty` and `address`.
    """

    standing: Standing
    city: City
    numbers: Numbers
    receipt: Receipt
    board: Board
    complaints: Complaints
    confidentiality: Confidentiality
    office_hours: OfficeHours
    reminders: Reminders
    intake: Intake
    addresses: Annotated[tuple[Address, ...], Field(alias="address")]
    clauses: Annotated[tuple[Clause, ...], Field(alias="clause")]
    duties: Annotated[tuple[Duty, ...], Field(alias="duty")]
    provisions: Annotated[tuple[Provision, ...], Field(alias="provision")]
    mitigating: tuple[Circumstance, ...] = ()
    retention: Retention | None = None

    def __post_init__(self) -> None:
        known = {one.id for one in self.clauses}
        _fail_if(
            (_doubled(one.id for one in self.clauses), "two clauses have the same id"),
            (_doubled(one.id for one in self.duties), "two duties have the same id"),
            (_doubled(one.id for one in self.provisions), "two provisions have the same id"),
            (_doubled(one.id for one in self.mitigating), "two mitigating circumstances have the same id"),
            (_doubled(one.office for one in self.addresses), "an office has two addresses"),
            *(
                (one.clause not in known, f"duty {one.id} names a clause that is not there")
                for one in self.duties
            ),
            *((office not in self._offices, f"no address for {office}") for office in self._offices_needed),
        )

    @property
    def _offices(self) -> frozenset[Office]:
        return frozenset(one.office for one in self.addresses)

    @property
    def _offices_needed(self) -> list[Office]:
        own = [] if self.receipt.official is Office.BOARD else [self.receipt.official]
        commission = [Office.COMMISSION] if self.has(Fulfilled.REPRIMAND_DELIVERED) else []
        prosecutors = [Office.COMMONWEALTHS_ATTORNEY, Office.COUNTY_ATTORNEY]
        return [*own, *commission, *(prosecutors if Exit.PROSECUTOR in self.confidentiality.exits else [])]

    def has(self, fulfilled: Fulfilled) -> bool:
        """Say whether some duty or right is done by this fact."""
        return any(fulfilled in one.done_by for one in self.duties)

    @property
    def has_referral(self) -> bool:
        """Say whether an official refers complaints to the Board."""
        return self.has(Fulfilled.REFERRAL_RECORDED)

    @property
    def has_appeal(self) -> bool:
        """Say whether the ordinance gives an appeal."""
        return self.has(Fulfilled.APPEAL_RECORDED)

    @property
    def copy_goes_with_acknowledgement(self) -> bool:
        """Say whether one duty covers the acknowledgement and the respondents' copies."""
        return any(
            {Fulfilled.ACKNOWLEDGED, Fulfilled.NOTICE_SERVED} <= set(one.done_by) for one in self.duties
        )

    def clause(self, clause_id: str) -> Clause:
        """Give a clause by its id.

        Raises:
            BadInput: the profile has none of that id.
        """
        for one in self.clauses:
            if one.id == clause_id:
                return one
        raise BadInput("The profile has no such clause.", mend=f'Add a [[clause]] with id = "{clause_id}".')

    def duty(self, duty_id: str) -> Duty:
        """Give a duty or right by its id.

        Raises:
            BadInput: the profile has none of that id.
        """
        for one in self.duties:
            if one.id == duty_id:
                return one
        raise BadInput("The profile has no such duty.", mend=f'Add a [[duty]] with id = "{duty_id}".')

    def address(self, office: Office) -> Address:
        """Give an office's address.

        Raises:
            BadInput: the profile has none for that office.
        """
        for one in self.addresses:
            if one.office is office:
                return one
        raise BadInput(
            f"The profile has no address of the office {office}.",
            mend=f'Add an [[address]] with office = "{office}".',
        )


def parse_profile(text: str) -> Profile:
    """Read a profile.

    Args:
        text: the whole TOML file.

    Raises:
        BadInput: the text is no TOML, or a table or key is missing, unknown or wrong; every fault is
            named with its table, key and mend.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(
            f"The profile is no TOML: {error}.", mend="Mend that line; nothing was read."
        ) from error
    try:
        return _PROFILE.validate_json(json.dumps(document, default=str), strict=True)
    except ValidationError as error:
        faults = faults_of(error.errors(include_url=False))
        raise BadInput(
            f"The profile cannot be used. {' '.join(faults)}", mend="Mend it; nothing was read."
        ) from error


def profile_hash(text: str) -> str:
    """Give the SHA-256 of a profile's text in hex: the version that a case pins (decisions.md 19)."""
    return hashlib.sha256(text.encode()).hexdigest()


_FIELDS = ("year", "seq")
_FIXED_REQUIREMENTS = frozenset({"in-writing", "signature"})
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def _doubled(ids: Iterable[str]) -> bool:
    every = list(ids)
    return len(set(every)) != len(every)


def _is_zone(name: str) -> bool:
    try:
        city_zone(name)
    except BadInput:
        return False
    return True


_PROFILE = TypeAdapter(Profile)
