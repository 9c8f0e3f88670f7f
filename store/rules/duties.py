"""From facts to steps: what is owed, by whom, to whom, until when, and what shows that it was done (D1, D4).

A row of the ordinance profile becomes one step for the case, or one for each person whom it concerns.
A step is done by evidence only (L3); on every day each open step stands in exactly one list.

Source: product.md, the ordinance as duties and rights; decisions 1 to 6.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from store.rules import dates as rules_dates
from store.rules.calendar import Calendar, working_days_between
from store.rules.casefile import CaseFile, sufficient
from store.rules.dates import Dates, local_date, reckon
from store.rules.facts import (
    AnswerTimeGiven,
    AppealRecorded,
    Basis,
    ChanceNotUsed,
    InquiryHeld,
    NoRespondent,
    PartyRole,
    ReceivedBy,
)
from store.rules.ordinance import Duty, Fulfilled, Kind, Per, Profile, Starts, WhoseReceipt

NOTICE = "notice"
DECISION = "decision_of_termination"
OFFICER = "officer"


class StepState(StrEnum):
    """Where a step stands."""

    NOT_STARTED = "not-started"
    OPEN = "open"
    DONE = "done"
    MOOT = "moot"
    LAPSED = "lapsed"


class DueList(StrEnum):
    """The five lists; each open step is in exactly one of them on every day (D4)."""

    LATER = "later"
    DUE_SOON = "due soon"
    DUE_TODAY = "due today"
    PAST_SAFE_DAY = "past the safe day"
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True)
class Clock:
    """One start of a period: whose receipt, at which instant, on what it rests, and its dates."""

    whose: str
    started_at: datetime
    basis: str
    dates: Dates | None


@dataclass(frozen=True, slots=True)
class Step:
    """One duty or right as it stands for the case or for one person.

    Attributes:
        key: the same on every day: the row's id, and the party's id where there is one.
        duty: the row of the profile.
        party: the party whom it concerns; None for the case.
        state: where it stands.
        clocks: every start that the text can mean; duties show both receipts (decisions 4).
        dates: the dates that count: of the earliest start for a duty, of the latest for a right.
        done_at: the instant of the evidence, UTC; None while it is not done.
        carried_from: the row whose date this step carries (decisions 6); empty for its own.
        extended_until: until when the Board keeps a right open beyond its own period; it stands beside the
            dates and changes none of them.
        extended_why: the Board's reason for it, such as ``as the notice says``.
    """

    key: str
    duty: Duty
    party: int | None
    state: StepState
    clocks: tuple[Clock, ...] = ()
    dates: Dates | None = None
    done_at: datetime | None = None
    carried_from: str = ""
    extended_until: date | None = None
    extended_why: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it waits for somebody."""
        return self.state is StepState.OPEN

    @property
    def act_by(self) -> date | None:
        """The day to aim at: the safe day of a duty, the last day of a right."""
        if self.dates is None:
            return None
        own = self.dates.act_by or self.dates.expected_last_day
        return max(own, self.extended_until) if self.extended_until else own

    @property
    def open_until(self) -> date | None:
        """The last day of a right as it stands now, an extension included; None for a duty."""
        if self.dates is None or self.duty.kind is not Kind.RIGHT:
            return None
        own = self.dates.keep_open_until or self.dates.expected_last_day
        return max(own, self.extended_until) if self.extended_until else own

    @property
    def overdue_after(self) -> date | None:
        """The last day on which it is not overdue: the lawful one, an extension and what is arguable counted in."""
        if self.dates is None:
            return None
        days = (self.dates.expected_last_day, self.dates.keep_open_until, self.extended_until)
        return max(day for day in days if day is not None)

    @property
    def provisional(self) -> bool:
        """Whether some date needs a year whose closures were not adopted."""
        return any(clock.dates is not None and clock.dates.provisional for clock in self.clocks)

    @property
    def on_time(self) -> bool | None:
        """Whether it was done within the lawful period, or while the Board kept it open; None without an end or a date."""
        if self.done_at is None or self.dates is None:
            return None
        if self.extended_until and local_date(self.done_at, self.dates.zone) <= self.extended_until:
            return True
        return self.done_at < self.dates.period_ends_before

    @property
    def is_extended(self) -> bool:
        """Whether the Board keeps a right open beyond its own period."""
        if self.dates is None or self.extended_until is None:
            return False
        return self.extended_until > (self.dates.keep_open_until or self.dates.expected_last_day)

    @property
    def extension_in_words(self) -> str:
        """Say until when the Board keeps a right open, and why; empty where it named no day."""
        if self.extended_until is None or self.dates is None:
            return ""
        own = self.dates.keep_open_until or self.dates.expected_last_day
        why = f" ({self.extended_why})" if self.extended_why else ""
        if not self.is_extended:
            return f"The Board named {self.extended_until}{why}; it stays open until {own}, the later day."
        return (
            f"Open until {self.extended_until}: the Board gave that day{why}. Without it, {own}. No period of the ordinance "
            "is moved by it."
        )


def steps(case: CaseFile, profile: Profile, calendar: Calendar, today: date) -> tuple[Step, ...]:
    """Work out every step of a case.

    Args:
        case: the case's facts.
        profile: the ordinance it is pinned to.
        calendar: the city's calendar.
        today: the day in the city's zone; only decides whether a right has lapsed.

    Returns:
        The steps in the order of the profile, one for each person whom a row concerns.
    """
    return tuple(
        _step(case, duty, party, calendar, today)
        for duty in profile.duties
        for party in _concerned(case, duty)
    )


def steps_done_by(
    done_by: Fulfilled, case: CaseFile, profile: Profile, calendar: Calendar, today: date
) -> tuple[Step, ...]:
    """Work out only those steps of a case that a certain act does, such as the acknowledgement; as `steps` does."""
    return tuple(
        _step(case, duty, party, calendar, today)
        for duty in profile.duties
        if done_by in duty.done_by
        for party in _concerned(case, duty)
    )


def open_steps(case: CaseFile, profile: Profile, calendar: Calendar, today: date) -> tuple[Step, ...]:
    """Give the steps that wait for somebody."""
    return tuple(step for step in steps(case, profile, calendar, today) if step.is_open)


def due_list(step: Step, today: date, calendar: Calendar, *, soon: int = 7) -> DueList:
    """Say in which list an open step stands on a day (decisions 1).

    Args:
        step: an open step.
        today: the day in the city's zone.
        calendar: counts working days.
        soon: how many working days ahead count as soon.

    Source: D4: lawful until the 16th is overdue on the 17th.
    """
    return list_on(step.act_by, step.overdue_after, today, calendar, soon=soon)


def list_on(
    act_by: date | None, overdue_after: date | None, today: date, calendar: Calendar, *, soon: int = 7
) -> DueList:
    """Say in which list an open step with these dates stands on a day; see `due_list`.

    Args:
        act_by: the day to aim at; None where it has none.
        overdue_after: the last day on which it is not overdue.
        today: the day in the city's zone.
        calendar: counts working days.
        soon: how many working days ahead count as soon.
    """
    if act_by is None or overdue_after is None:
        return DueList.LATER
    if today > overdue_after:
        return DueList.OVERDUE
    if today > act_by:
        return DueList.PAST_SAFE_DAY
    if today == act_by:
        return DueList.DUE_TODAY
    return DueList.DUE_SOON if working_days_between(today, act_by, calendar) <= soon else DueList.LATER


# -- whom a row concerns --------------------------------------------------------------------------


def _concerned(case: CaseFile, duty: Duty) -> Iterable[int | None]:
    """Give the parties for whom a row exists; None once for the case."""
    match duty.per:
        case Per.CASE:
            return (None,)
        case Per.COMPLAINANT:
            return [one.id for one in case.complainants] or (None,)
        case Per.RESPONDENT:
            return [one.id for one in case.respondents]
        case Per.PARTY:
            return [one.id for one in (*case.complainants, *case.respondents)]


# -- a step ---------------------------------------------------------------------------------------


def _step(case: CaseFile, duty: Duty, party: int | None, calendar: Calendar, today: date) -> Step:
    key = duty.id if party is None else f"{duty.id}:{party}"
    clocks = tuple(
        Clock(whose, at, basis, _reckoned(duty, at, calendar))
        for whose, at, basis in _started(case, duty, party)
    )
    if not clocks:
        return Step(key, duty, party, StepState.NOT_STARTED)
    dates = _counting(duty, clocks)
    done_at = _done(case, duty, party)
    extended, why = _extended(case, duty, party)
    if done_at is not None:
        state = StepState.DONE
        return Step(key, duty, party, state, clocks, dates, done_at, "", extended, why)
    state = StepState.MOOT if _moot(case, duty, party) else StepState.OPEN
    if state is StepState.OPEN and duty.kind is Kind.RIGHT and dates and dates.keep_open_until:
        last = max(dates.keep_open_until, extended) if extended else dates.keep_open_until
        state = StepState.LAPSED if today > last else state
    return Step(key, duty, party, state, clocks, dates, None, "", extended, why)


def _extended(case: CaseFile, duty: Duty, party: int | None) -> tuple[date | None, str]:
    """Give until when the Board lets a respondent answer, and why: a right's setting, never a duty's period."""
    if party is None or duty.kind is not Kind.RIGHT or Fulfilled.RESPONDED not in duty.done_by:
        return None, ""
    given = [one.fact for one in case.all(AnswerTimeGiven) if one.about == party]
    last = max(given, key=lambda one: one.until, default=None)
    return (last.until, last.reason) if last is not None else (None, "")


def _reckoned(duty: Duty, started_at: datetime, calendar: Calendar) -> Dates | None:
    if duty.period is None:
        return None
    return reckon(
        started_at,
        duty.period,
        unit=rules_dates.Unit(duty.unit.value),
        act=rules_dates.Act(duty.act.value),
        calendar=calendar,
        clause=duty.clause,
    )


def _counting(duty: Duty, clocks: tuple[Clock, ...]) -> Dates | None:
    """Give the dates that count: a duty's safe day is the earliest, a right runs from the latest."""
    dated = [clock for clock in clocks if clock.dates is not None]
    if not dated:
        return None
    if duty.kind is Kind.RIGHT:
        return max(dated, key=lambda clock: clock.started_at).dates
    if duty.starts_at is Starts.RECEIPT and duty.clock is not WhoseReceipt.EARLIEST:
        wanted = ReceivedBy.BOARD if duty.clock is WhoseReceipt.BOARD else ReceivedBy.CITY_MANAGER
        named = [clock for clock in dated if clock.whose == wanted.value]
        return (named or dated)[0].dates
    return min(dated, key=lambda clock: clock.started_at).dates


def _moot(case: CaseFile, duty: Duty, party: int | None) -> bool:
    """Say whether an open step has lost its object: its track, or the whole case, is final."""
    after_final = {
        Starts.ADVERSE_CONCLUSION,
        Starts.SUFFICIENT_BASIS,
        Starts.REPRIMAND_DECIDED,
        Starts.HEARING_DECIDED,
        Starts.REPRIMAND_RECEIVED,
        Starts.DEMAND_RECORDED,
        Starts.FINAL_ACTION,
    }
    if Fulfilled.ACKNOWLEDGED in duty.done_by:
        return False
    if case.merged is not None:
        return True
    if duty.starts_at in after_final:
        return False
    if party is not None and duty.per is Per.RESPONDENT:
        return case.final_at(party) is not None
    return case.final


# -- what starts a period -------------------------------------------------------------------------

_Start = tuple[str, datetime, str]


def _started(case: CaseFile, duty: Duty, party: int | None) -> tuple[_Start, ...]:  # noqa: C901  one arm a start
    """Give every instant that can start a row's period: whose it is, when, and on what it rests."""
    match duty.starts_at:
        case Starts.RECEIPT:
            return _receipts(case)
        case Starts.PROPER_RECEIPT:
            at = case.proper_received_at
        case Starts.NOTICE_SERVED:
            at = case.reached_at(NOTICE, party) if party is not None else None
        case Starts.INQUIRY_HELD:
            at = _to_determine_since(case, party)
        case Starts.ADVERSE_CONCLUSION:
            at = _adverse(case, party)
        case Starts.SUFFICIENT_BASIS:
            at = _sufficient(case, party)
        case Starts.REPRIMAND_DECIDED:
            at = _disposed(case, party, hearing=False)
        case Starts.HEARING_DECIDED:
            at = _disposed(case, party, hearing=True)
        case Starts.REPRIMAND_RECEIVED:
            return _reprimand_receipts(case, party)
        case Starts.DEMAND_RECORDED:
            demand = case.demand(party) if party is not None else None
            at = demand.fact.received_at if demand else None
        case Starts.FINAL_ACTION:
            at = _final_action(case, party)
    return () if at is None else (("the fact", at, ""),)


def _receipts(case: CaseFile) -> tuple[_Start, ...]:
    found: list[_Start] = []
    for by in ReceivedBy:
        receipt = case.received(by)
        if receipt is not None:
            found.append((by.value, receipt.fact.received_at, receipt.fact.basis.value))
    return tuple(found) or ((ReceivedBy.BOARD.value, case.received_at, Basis.ASSUMED.value),)


def _to_determine_since(case: CaseFile, party: int | None) -> datetime | None:
    """Give since when the Board can determine: the inquiry was held or, later than that, the track reopened."""
    held, reopened = _held_at(case), case.reopened_at(party)
    return held if held is None or reopened is None else max(held, reopened)


def _reprimand_receipts(case: CaseFile, party: int | None) -> tuple[_Start, ...]:
    if party is None:
        return ()
    return tuple((one.fact.by, one.fact.at, "") for one in case.reprimand_received(party))


def _adverse(case: CaseFile, party: int | None) -> datetime | None:
    """Give when the adverse conclusion that counts began to concern a party; for a complainant there may be several."""
    counts = _conclusion_that_counts(case, party)
    return counts[0] if counts else None


def _conclusion_that_counts(case: CaseFile, party: int | None) -> tuple[datetime, datetime | None] | None:
    """Give when it was reached, and when the party had the decision.

    It is the earliest of which he has no decision yet; where he has each, the one for which he waited longest, so
    that a late decision stays late and a punctual one is not reckoned from an earlier respondent's.
    """
    untold: list[datetime] = []
    told: list[tuple[timedelta, datetime, datetime]] = []
    for track in _owed_to(case, party):
        determined = case.standing_determination(track)
        assert determined is not None
        concluded = determined.fact.at
        served = case.served_at(DECISION, party, track=track) if party is not None else None
        if served is None:
            untold.append(concluded)
        else:
            told.append((served - concluded, concluded, served))
    if untold:
        return min(untold), None
    return max(told)[1:] if told else None


def _sufficient(case: CaseFile, party: int | None) -> datetime | None:
    determined = case.standing_determination(party) if party is not None else None
    return determined.fact.at if determined and sufficient(determined.fact) else None


def _disposed(case: CaseFile, party: int | None, *, hearing: bool) -> datetime | None:
    disposed = case.standing_disposition(party) if party is not None else None
    if disposed is None:
        return None
    wanted = disposed.fact.hearing if hearing else disposed.fact.reprimand
    return disposed.fact.at if wanted else None


def _final_action(case: CaseFile, party: int | None) -> datetime | None:
    if party is not None and case.final_at(party) is not None:
        return case.final_at(party)
    ends = [case.final_at(one.id) for one in case.respondents]
    settled = [end for end in ends if end is not None]
    return max(settled) if settled and len(settled) == len(ends) else None


# -- what shows that a step is done ---------------------------------------------------------------


def _done(case: CaseFile, duty: Duty, party: int | None) -> datetime | None:
    """Give when a step was done: when the last of the facts that it needs came to stand."""
    instants = [_EVIDENCE[one](case, party) for one in duty.done_by]
    settled = [at for at in instants if at is not None]
    return max(settled) if len(settled) == len(instants) else None


def _referral(case: CaseFile, _party: int | None) -> datetime | None:
    return case.referred.fact.at if case.referred else None


def _respondents(case: CaseFile, _party: int | None) -> datetime | None:
    """Give when the first respondent who still is one was named; correcting his name moves nothing."""
    named = [case.named_at(one.id) for one in case.respondents]
    if named:
        return min((at for at in named if at is not None), default=None)
    none = case.last(NoRespondent)
    return none.at if none else None


def _letter(kind: str, role: PartyRole | None) -> Callable[[CaseFile, int | None], datetime | None]:
    """Make the question whether a letter reached a party, or everybody of a role."""

    def reached(case: CaseFile, party: int | None) -> datetime | None:
        whom = case.party(party)
        if whom is not None and (role is None or whom.role is role):
            return case.served_at(kind, whom.id)
        everybody = case.with_role(role) if role else ()
        instants = [case.served_at(kind, one.id) for one in everybody]
        settled = [at for at in instants if at is not None]
        return max(settled) if settled and len(settled) == len(instants) else None

    return reached


def _decision(case: CaseFile, party: int | None) -> datetime | None:
    """Give when a party had the decision on every track of which it is owed one, (D)."""
    counts = _conclusion_that_counts(case, party)
    return counts[1] if counts else None


def _owed_to(case: CaseFile, party: int | None) -> list[int]:
    """Give the terminated tracks whose decision a party is owed: his own, or for a complainant each."""
    tracks = [one.id for one in case.respondents]
    wanted = [party] if party is not None and party in tracks else tracks
    return [track for track in wanted if case.is_adverse(track)]


def _to_office(kind: str) -> Callable[[CaseFile, int | None], datetime | None]:
    """Make the question whether a letter about a track reached an office, such as the Commission."""

    def reached(case: CaseFile, party: int | None) -> datetime | None:
        instants = [
            one.settled_at
            for one in case.letters_to(kind)
            if one.counts_as_sent and one.settled_at and one.queued.about_track in {None, party}
        ]
        return min(instants, default=None)

    return reached


def _reprimand_served(case: CaseFile, party: int | None) -> datetime | None:
    """Give when the officer's copy was served, once the day of its receipt is on the record (decisions 2)."""
    served = _letter("reprimand_copy", PartyRole.RESPONDENT)(case, party)
    received = [one for one in case.reprimand_received(party or 0) if one.fact.by == OFFICER]
    return served if received else None


def _held_at(case: CaseFile) -> datetime | None:
    """Give when the inquiry was first held: the instant that was recorded, not that of recording it."""
    return min((one.fact.at or one.at for one in case.all(InquiryHeld)), default=None)


def _inquiry_held(case: CaseFile, _party: int | None) -> datetime | None:
    return _held_at(case) or _inquiry_concluded(case, None)


def _inquiry_concluded(case: CaseFile, _party: int | None) -> datetime | None:
    """Give when the inquiry ended: recorded so, or with the last respondent's determination."""
    concluded = [one.fact.at or one.at for one in case.all(InquiryHeld) if one.fact.concluded]
    if concluded:
        return min(concluded)
    ends = [case.determined(one.id) for one in case.respondents]
    settled = [end.fact.at for end in ends if end is not None]
    return max(settled) if settled and len(settled) == len(ends) else None


def _responded(case: CaseFile, party: int | None) -> datetime | None:
    if party is None:
        return None
    papers = [one.fact.received_at for one in case.responses(party)]
    unused = case.last(ChanceNotUsed, about=party)
    return min([*papers, *([unused.fact.at or unused.at] if unused else [])], default=None)


def _determined(case: CaseFile, party: int | None) -> datetime | None:
    if party is None:
        return _inquiry_concluded(case, None)
    determined = case.standing_determination(party)
    return determined.fact.at if determined else None


def _hearing(case: CaseFile, party: int | None) -> datetime | None:
    hearing = case.hearing(party) if party is not None else None
    return hearing.fact.at if hearing else None


def _demand(case: CaseFile, party: int | None) -> datetime | None:
    demand = case.demand(party) if party is not None else None
    return demand.fact.received_at if demand else None


def _appeal(case: CaseFile, party: int | None) -> datetime | None:
    appeal = case.last(AppealRecorded, about=party) if party is not None else case.last(AppealRecorded)
    return appeal.fact.received_at if appeal else None


_EVIDENCE: Mapping[Fulfilled, Callable[[CaseFile, int | None], datetime | None]] = {
    Fulfilled.REFERRAL_RECORDED: _referral,
    Fulfilled.ACKNOWLEDGED: _letter("acknowledgement", PartyRole.COMPLAINANT),
    Fulfilled.RESPONDENTS_NAMED: _respondents,
    Fulfilled.NOTICE_SERVED: _letter(NOTICE, PartyRole.RESPONDENT),
    Fulfilled.INQUIRY_HELD: _inquiry_held,
    Fulfilled.INQUIRY_CONCLUDED: _inquiry_concluded,
    Fulfilled.RESPONDED: _responded,
    Fulfilled.DETERMINED: _determined,
    Fulfilled.DECISION_TRANSMITTED: _decision,
    Fulfilled.NOTIFIED: _letter("notification", PartyRole.RESPONDENT),
    Fulfilled.REPRIMAND_DELIVERED: _to_office("reprimand"),
    Fulfilled.REPRIMAND_SERVED: _reprimand_served,
    Fulfilled.HEARING_OPENED: _hearing,
    Fulfilled.DEMAND_RECORDED: _demand,
    Fulfilled.APPEAL_RECORDED: _appeal,
}
