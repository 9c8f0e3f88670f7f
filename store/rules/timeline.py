"""A case as a picture in time, drawn from facts and dates; it names nobody (R9).

The picture is SVG that stands alone. Its words are the same in text, for whoever does not see it: each mark of
the picture is a line there.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

from store.rules.casefile import CaseFile, LetterState, LetterView, sufficient
from store.rules.counted import counted
from store.rules.dates import local_date
from store.rules.duties import Step, StepState
from store.rules.facts import (
    AnswerTimeAsked,
    AnswerTimeRuled,
    AppealRecorded,
    Appeared,
    BallotClosed,
    BallotVoided,
    CaseClosed,
    ChanceNotUsed,
    ComplaintFlagged,
    ComplaintReceived,
    DemandRecorded,
    Determined,
    Disclosed,
    Disposed,
    DocumentsReleased,
    EvidenceTurnedOver,
    ExhibitOffered,
    Fact,
    FormDecided,
    HearingDecided,
    HearingOpened,
    HearingSat,
    HoldLifted,
    HoldPlaced,
    InquiryHeld,
    LetterQueued,
    LetterSettled,
    MergedInto,
    NoRespondent,
    OfficeReceived,
    PaperReceived,
    PartyLeft,
    PartyNamed,
    PartyRole,
    ProfileMoved,
    PubliclyConfirmed,
    ReceivedBy,
    Recorded,
    Recused,
    Referred,
    Reopened,
    ReprimandReceived,
    Served,
    StatementTaken,
    Withdrawn,
)
from store.rules.spoken import spoken

_INK, _FAINT, _PALE, _GRID = "#1f2a44", "#4a5263", "#c9d1e3", "#e3e6ec"
_LATE: Final = "#9b1c1c"
_LEFT, _RIGHT, _ROW, _TOP, _WIDTH = 300, 30, 24, 74, 960
_FONT: Final = "Noto Sans, DejaVu Sans, sans-serif"
_LONGEST_LABEL: Final = 46
_TICKS: Final = (1, 2, 5, 7, 14, 28, 56, 91, 182, 365, 730, 1825, 3650)
_MOST_TICKS: Final = 10


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened on a local day."""

    on: date
    says: str


@dataclass(frozen=True, slots=True)
class Span:
    """A step in time.

    Attributes:
        what: what it is.
        whom: whom it concerns, by number and never by name; empty for the case.
        clause: its citation.
        began: the day of the receipt or act that started its period.
        act_by: the safe day; None for a right.
        last: the lawful last day; None where the ordinance sets none.
        done: the local day on which it was done; None while it was not.
        state: where it stands.
        on_time: whether it was done in time; None where that cannot be said.
    """

    what: str
    whom: str
    clause: str
    began: date
    act_by: date | None
    last: date | None
    done: date | None
    state: StepState
    on_time: bool | None

    @property
    def says(self) -> str:
        """What it is, and whom it concerns."""
        return f"{self.what} ({self.whom})" if self.whom else self.what


@dataclass(frozen=True, slots=True)
class Timeline:
    """What the picture shows, as of a day."""

    number: str
    as_of: date
    moments: tuple[Moment, ...]
    spans: tuple[Span, ...]


def timeline(case: CaseFile, steps: Iterable[Step], zone: ZoneInfo, as_of: date) -> Timeline:
    """Gather what the picture of a case shows.

    Args:
        case: the case's facts.
        steps: its steps, as of the same day.
        zone: the city's zone.
        as_of: the day in the city on which it is drawn.
    """
    happened = sorted(_happened(case, zone), key=lambda one: one[0])
    moments = dict.fromkeys(Moment(local_date(at, zone), says) for at, says in happened)
    spans = tuple(_span(case, one, zone) for one in steps if one.clocks)
    return Timeline(case.number, as_of, tuple(moments), spans)


# -- what happened ----------------------------------------------------------------------------------


def _happened(case: CaseFile, zone: ZoneInfo) -> Iterator[tuple[datetime, str]]:
    standing = {one.id for kind in TOLD for one in case.all(kind)}
    for one in case.facts:
        if one.id in standing:
            says = _said(case, one)
            if says:
                yield _instant(one, zone), says
    for letter in case.letters:
        ended = _ENDED.get(letter.state)
        if letter.state is LetterState.ON_PAPER:
            continue  # its service, or the office's receipt, is told as that
        if letter.settled_at is not None and (letter.counts_as_sent or ended):
            whom = _to(case, letter.queued.to_party) or f" to the {letter.to_whom}"
            yield letter.settled_at, f"{_letter(letter)}{f'{whom} {ended}' if ended else f' sent{whom}'}"


_ENDED: Final = {LetterState.BOUNCED: "came back", LetterState.REFUSED: "was refused"}

TOLD: Final[tuple[type[Fact], ...]] = (
    ComplaintReceived,
    PaperReceived,
    FormDecided,
    PartyNamed,
    PartyLeft,
    NoRespondent,
    Referred,
    Recused,
    Served,
    ChanceNotUsed,
    AnswerTimeAsked,
    AnswerTimeRuled,
    Appeared,
    StatementTaken,
    ExhibitOffered,
    InquiryHeld,
    BallotClosed,
    BallotVoided,
    Determined,
    Disposed,
    ReprimandReceived,
    HearingOpened,
    HearingSat,
    HearingDecided,
    DemandRecorded,
    AppealRecorded,
    Disclosed,
    PubliclyConfirmed,
    DocumentsReleased,
    ComplaintFlagged,
    EvidenceTurnedOver,
    OfficeReceived,
    ProfileMoved,
    Withdrawn,
    MergedInto,
    Reopened,
    CaseClosed,
    HoldPlaced,
    HoldLifted,
)
"""What the picture tells. Not told: who may know of the case, what was read, the letters' own lines, and single votes."""


def _instant(one: Recorded[Fact], zone: ZoneInfo) -> datetime:
    """Give when it happened: the instant that the fact states, noon of its day, or the instant of recording it."""
    fact = one.fact
    match fact:
        case ComplaintReceived() | PaperReceived() | DemandRecorded() | AppealRecorded():
            return fact.received_at
        case AnswerTimeAsked():
            return fact.asked_at
        case Disclosed() | PartyLeft():
            return datetime.combine(fact.on, time(12), tzinfo=zone)
        case _:
            return getattr(fact, "at", None) or one.at


def _said(case: CaseFile, one: Recorded[Fact]) -> str:  # noqa: C901, PLR0911, PLR0912  one arm a kind of fact
    fact = one.fact
    match fact:
        case ComplaintReceived():
            return f"complaint received by the {'Board' if fact.by is ReceivedBy.BOARD else 'City Manager'}"
        case PaperReceived():
            return f"{spoken(fact.what) or 'paper'} received{_to(case, fact.from_party, 'from')}"
        case FormDecided():
            return "complaint found proper" if fact.proper else "complaint found not proper yet"
        case PartyNamed():
            return "respondent named" if fact.role is PartyRole.RESPONDENT and one.supersedes is None else ""
        case PartyLeft():
            return f"{party_label(case, one.about)} is a party no longer"
        case NoRespondent():
            return "nobody can be named as respondent"
        case Referred():
            return "referred to the Board"
        case Recused():
            return "a recusal"
        case Served():
            return f"{spoken(fact.letter)} served{_to(case, one.about, 'on')}"
        case ChanceNotUsed():
            return f"no answer came{_to(case, one.about, 'from')}"
        case AnswerTimeAsked():
            return f"more time to answer asked for{_to(case, one.about, 'by')}"
        case AnswerTimeRuled():
            return f"more time to answer {'granted' if fact.granted else 'refused'}"
        case Appeared():
            return f"appearance{_to(case, one.about, 'of')}"
        case StatementTaken():
            return f"statement under oath{_to(case, one.about, 'of') or ' of a witness'}"
        case ExhibitOffered():
            return f"exhibit offered{_to(case, one.about, 'by') or ' by the Board'}"
        case InquiryHeld():
            return "preliminary inquiry concluded" if fact.concluded else "preliminary inquiry held"
        case BallotClosed():
            return f"ballot closed: {_question(case, one.about)}{spoken(fact.outcome)}"
        case BallotVoided():
            return f"ballot voided: {_question(case, one.about).removesuffix(', ')}"
        case Determined():
            return f"determination{_to(case, one.about, 'for')}: {determined_in_words(fact)}"
        case Disposed():
            return f"decided{_to(case, one.about, 'for')}: {disposed_in_words(fact)}"
        case ReprimandReceived():
            return f"reprimand received by the {fact.by}"
        case HearingOpened():
            return f"hearing opened{_to(case, one.about, 'for')}"
        case HearingSat():
            return f"hearing held{_to(case, one.about, 'for')}{', adjourned' if fact.adjourned else ''}"
        case HearingDecided():
            return f"result of the hearing before the {fact.before}"
        case DemandRecorded():
            return f"demand for a public hearing{_to(case, one.about, 'by')}"
        case AppealRecorded():
            return f"appeal{_to(case, one.about, 'by')}"
        case Disclosed():
            return f"inquiry made public{_to(case, fact.by_party, 'by')}"
        case PubliclyConfirmed():
            return "inquiry publicly confirmed"
        case DocumentsReleased():
            return f"{counted(len(fact.documents), 'document')} made public"
        case ComplaintFlagged():
            return "complaint flagged by the Board"
        case EvidenceTurnedOver():
            return f"evidence turned over to the {spoken(fact.to)}"
        case OfficeReceived():
            return _office_received(case, one.about)
        case ProfileMoved():
            return "moved to another version of the ordinance"
        case Withdrawn():
            return "complaint withdrawn"
        case MergedInto():
            return "merged into another case, which goes on for both"  # who sees this one may not know of that one
        case Reopened():
            several = len(case.with_role(PartyRole.RESPONDENT)) > 1
            whom = [party_label(case, track) for track in fact.about or ()] if several else []
            return f"reopened for {' and '.join(whom)}" if whom else "reopened"
        case CaseClosed():
            return "file closed"
        case HoldPlaced():
            return "hold placed"
        case HoldLifted():
            return "hold lifted"
        case _:
            return ""


def recorded_as(case: CaseFile, one: Recorded[Fact]) -> str:
    """Say what was recorded by one fact, as a history tells it; names nobody, and never how somebody voted."""
    return _said(case, one) or _of_a_letter(case, one) or spoken(one.fact.KIND)


def _of_a_letter(case: CaseFile, one: Recorded[Fact]) -> str:
    match one.fact:
        case LetterQueued():
            return f"{_addressed(case, one.id)} written"
        case LetterSettled() as settled:
            return f"{_addressed(case, one.about)}: {spoken(settled.state)}"
        case _:
            return ""


def _addressed(case: CaseFile, key: int | None) -> str:
    letter = next((one for one in case.letters if one.id == key), None)
    if letter is None:
        return "letter"
    return f"{_letter(letter)}{_to(case, letter.queued.to_party) or f' to the {letter.to_whom}'}"


def _office_received(case: CaseFile, about: int | None) -> str:
    letter = next((one for one in case.letters if one.id == about), None)
    if letter is not None:
        return f"{_letter(letter)} received by the {letter.to_whom}"
    turned = next((one.fact for one in case.all(EvidenceTurnedOver) if one.id == about), None)
    return f"evidence received by the {spoken(turned.to)}" if turned else "received by an office"


def determined_in_words(fact: Determined) -> str:
    """Say what the Board determined, in a few words."""
    if sufficient(fact):
        return "minimal factual basis"
    if not fact.within_jurisdiction:
        return "outside the jurisdiction"
    return "frivolous" if fact.frivolous else "no factual basis"


def disposed_in_words(fact: Disposed) -> str:
    """Say what follows a sufficient basis."""
    courses = [word for word, chosen in (("reprimand", fact.reprimand), ("hearing", fact.hearing)) if chosen]
    return " and ".join(courses) or "no further action"


def _question(case: CaseFile, ballot: int | None) -> str:
    view = case.ballot(ballot or 0)
    return f"{spoken(view.opened.question)}, " if view else ""


def _letter(letter: LetterView) -> str:
    return spoken(letter.queued.letter)


def _to(case: CaseFile, party: int | None, word: str = "to") -> str:
    label = party_label(case, party)
    return f" {word} {label}" if label else ""


def party_label(case: CaseFile, party: int | None) -> str:
    """Say who a party is without his name: ``respondent 2``; empty where it is none."""
    found = case.party(party)
    if found is None:
        return ""
    alike = [one.id for one in case.parties if one.role is found.role]
    role = found.role.value.replace("-", "'s " if found.role.value.endswith("counsel") else " ")
    return f"{role} {alike.index(found.id) + 1}" if len(alike) > 1 else role


def _span(case: CaseFile, step: Step, zone: ZoneInfo) -> Span:
    label = party_label(case, step.party)
    dates = step.dates
    return Span(
        step.duty.what,
        label,
        step.duty.clause,
        min(local_date(clock.started_at, zone) for clock in step.clocks),
        dates.act_by if dates else None,
        (step.open_until or dates.expected_last_day) if dates else None,
        local_date(step.done_at, zone) if step.done_at else None,
        step.state,
        step.on_time,
    )


# -- in words ---------------------------------------------------------------------------------------


def in_words(line: Timeline) -> tuple[str, ...]:
    """Tell in lines of text what the picture shows, in the order of time and of the ordinance."""
    title = f"Timeline of case {line.number}, as of {line.as_of.isoformat()}."
    moments = [f"{one.on.isoformat()}: {one.says}." for one in line.moments]
    return (title, *moments, *(_span_words(one, line.as_of) for one in line.spans))


def _span_words(one: Span, as_of: date) -> str:
    last = f", lawful last day {one.last.isoformat()}" if one.last else ", no period set"
    safe = f", to be done by {one.act_by.isoformat()}" if one.act_by else ""
    return f"{one.says}: from {one.began.isoformat()}{safe}{last}; {stands(one, as_of)}."


def stands(one: Span, as_of: date) -> str:
    """Say where a step stands as of a day."""
    if one.done is not None:
        late = {True: " in time", False: " late", None: ""}[one.on_time]
        return f"done {one.done.isoformat()}{late}"
    if one.state is StepState.OPEN:
        return "overdue" if one.last is not None and as_of > one.last else "open"
    return {StepState.MOOT: "no longer needed", StepState.LAPSED: "not used"}.get(one.state, "not begun")


# -- as a picture -----------------------------------------------------------------------------------


def svg(line: Timeline) -> str:
    """Draw it: above, what happened, numbered; below, a bar for each step; at the end, the numbers' words."""
    scale = _Scale.of(line)
    parts = [*scale.axis(line), *_moments(line, scale), *_bars(line, scale)]
    legend_top = _TOP + _ROW * (len(line.spans) + 1)
    parts += _legend(line, legend_top)
    height = legend_top + 18 * len(line.moments) + 30
    title = escape(f"Timeline of case {line.number}")
    says = escape(" ".join(in_words(line)))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title words" font-family="{_FONT}">\n'
        f'<title id="title">{title}</title>\n<desc id="words">{says}</desc>\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


@dataclass(frozen=True, slots=True)
class _Scale:
    first: date
    last: date

    @classmethod
    def of(cls, line: Timeline) -> "_Scale":
        days = [one.on for one in line.moments] + [line.as_of]
        for one in line.spans:
            days += [day for day in (one.began, one.act_by, one.last, one.done) if day is not None]
        first, last = min(days), max(days)
        return cls(first, max(last, first + timedelta(days=7)))

    def x(self, day: date) -> float:
        share = (day - self.first).days / (self.last - self.first).days
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    def axis(self, line: Timeline) -> Iterator[str]:
        length = (self.last - self.first).days
        step = next((days for days in _TICKS if length / days <= _MOST_TICKS), max(_TICKS[-1], length // 10))
        bottom = _TOP + _ROW * len(line.spans)
        yield _text(10, 24, f"Case {line.number}", size=16, weight="bold")
        yield _text(10, 44, f"as of {line.as_of.isoformat()}", size=11, fill=_FAINT)
        for place in range(0, length + 1, step):
            day = self.first + timedelta(days=place)
            yield _line(self.x(day), _TOP - 10, self.x(day), bottom, _GRID)
            yield _text(self.x(day), _TOP - 46, day.isoformat(), size=9, fill=_FAINT, anchor="middle")
        if self.first <= line.as_of <= self.last:
            x = self.x(line.as_of)
            yield _line(x, _TOP - 10, x, bottom, _INK, dash="4 3")


def _moments(line: Timeline, scale: _Scale) -> Iterator[str]:
    """Number what happened on a line of its own; several on one day share a mark."""
    yield _line(_LEFT, _TOP - 24, _WIDTH - _RIGHT, _TOP - 24, _FAINT)
    days = sorted({one.on for one in line.moments})
    for number, day in enumerate(days, 1):
        x, y = scale.x(day), _TOP - 24
        yield f'<circle cx="{x}" cy="{y}" r="7" fill="{_INK}"/>'
        yield _text(x, y + 3, str(number), size=8, fill="white", anchor="middle")


def _bars(line: Timeline, scale: _Scale) -> Iterator[str]:
    for place, one in enumerate(line.spans):
        y = _TOP + _ROW * place
        end = one.last or one.done or line.as_of
        late = stands(one, line.as_of) == "overdue" or one.on_time is False
        yield _text(10, y + 14, _short(one), size=10, fill=_LATE if late else _INK)
        width = max(scale.x(max(end, one.began)) - scale.x(one.began), 2)
        yield (
            f'<rect x="{scale.x(one.began)}" y="{y + 5}" width="{round(width, 1)}" height="10" rx="2" '
            f'fill="{_PALE}"/>'
        )
        if one.act_by is not None:
            yield _line(scale.x(one.act_by), y + 3, scale.x(one.act_by), y + 17, _INK)
        if one.done is not None:
            yield f'<circle cx="{scale.x(one.done)}" cy="{y + 10}" r="5" fill="{_LATE if late else _INK}"/>'
        if late:
            yield _text(
                scale.x(max(end, one.done or end)) + 8, y + 14, "late", size=9, fill=_LATE, weight="bold"
            )


def _legend(line: Timeline, top: int) -> Iterator[str]:
    yield _text(
        10, top, "Bar: the period. Stroke: the day to act by. Dot: done. Numbers, above and below:", size=10
    )
    days = sorted({one.on for one in line.moments})
    for place, one in enumerate(line.moments, 1):
        says = f"{days.index(one.on) + 1}.  {one.on.isoformat()}  {one.says}"
        yield _text(10, top + 18 * place, says, size=10, fill=_FAINT)


def _short(one: Span) -> str:
    """Cut what is too long for its column, and never whom it concerns."""
    room = _LONGEST_LABEL - (len(one.whom) + 3 if one.whom else 0)
    what = one.what if len(one.what) <= room else f"{one.what[: room - 1].rstrip()}…"
    return f"{what} ({one.whom})" if one.whom else what


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str, *, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}"{dashed}/>'


def _text(
    x: float,
    y: float,
    says: str,
    *,
    size: int,
    fill: str = _INK,
    weight: str = "normal",
    anchor: str = "start",
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(says)}</text>'
    )
