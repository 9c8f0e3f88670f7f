"""What a case looks like in Slack: pure, from a `Look` to blocks.

A card shows no name: it stands in a channel that workspace owners can export. Names and documents are
shown in a modal, to the person who asked, after his right was checked.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from bot import blocks, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.payloads import Target
from store.cases import Look, Paper, is_photo
from store.rules import evidence
from store.rules.access import Deed
from store.rules.ballots import Outcome
from store.rules.casefile import (
    OF_THE_BOARD,
    BallotView,
    CaseFile,
    LetterState,
    LetterView,
    Party,
    sufficient,
)
from store.rules.counted import counted
from store.rules.dates import Dates, sentences
from store.rules.duties import DueList, Step, StepState, due_list
from store.rules.facts import (
    BallotClosed,
    Disclosed,
    Disposed,
    EvidenceTurnedOver,
    FormDecided,
    InquiryHeld,
    OfficeReceived,
    Question,
    StatementTaken,
    Withdrawn,
)
from store.rules.meetings import Meeting
from store.rules.ordinance import Exit, Kind
from store.rules.spoken import spoken
from store.rules.stages import Next, asides, coming, waits_for_commission

Offer = Callable[[Deed], bool]

STEP_LINES = 14
BALLOT_LINES = 12
PAGE = 30
WHY_STEPS = 12
LEAVING = 4
_LINES = 2800
_SHEET = 150_000

OUTCOMES = {
    Outcome.CARRIED: "carried",
    Outcome.FAILED: "failed",
    Outcome.TIE: "a tie; nothing is decided",
    Outcome.NO_QUORUM: "no quorum; nothing is decided",
    Outcome.BOARD_CANNOT_ACT: "the Board cannot act; nothing is decided",
}
SHORT_QUESTIONS = {
    Question.JURISDICTION: "jurisdiction",
    Question.FACTUAL_BASIS: "minimal factual basis",
    Question.FRIVOLOUS: "frivolous",
    Question.REPRIMAND: "reprimand",
    Question.HEARING: "hearing",
    Question.NO_FURTHER_ACTION: "no further action",
    Question.RELEASE_DOCUMENTS: "release of documents",
    Question.FALSE_COMPLAINT: "flag under (F)",
}
LISTS = {
    DueList.LATER: "later",
    DueList.DUE_SOON: "due soon",
    DueList.DUE_TODAY: "*due today*",
    DueList.PAST_SAFE_DAY: "*past the safe day*",
    DueList.OVERDUE: "*OVERDUE*",
}
_URGENT = (DueList.OVERDUE, DueList.PAST_SAFE_DAY, DueList.DUE_TODAY, DueList.DUE_SOON, DueList.LATER)


@dataclass(frozen=True)
class Card:
    """What a card is drawn from.

    Attributes:
        look: the case as its reader may see it now.
        offer: whether a reader may do something; in a channel, whether everybody in it may.
        papers: the case's documents.
        meeting: the meeting in session; None between meetings.
        again: an earlier showing may have arrived.
        shared: it stands in a channel, where each reader may do something else.
        undo_for: how long a letter waits before it goes.
        goes_on_in: the number of the case that goes on for a merged one, where its readers may see that one.
    """

    look: Look
    offer: Offer
    papers: Sequence[Paper] = ()
    meeting: Meeting | None = None
    again: bool = False
    shared: bool = False
    undo_for: timedelta = timedelta()
    goes_on_in: str = ""

    @property
    def case(self) -> CaseFile:
        """The case."""
        return self.look.case

    def target(self, about: int = 0) -> str:
        """Give a button's value about this case."""
        return Target(self.case.number, about).text()


def card(view: Card) -> list[Json]:
    """Draw the case card: what came when, what was found, where it stands, what is due, what can be done."""
    case, zone = view.case, view.look.profile.city.time_zone
    received = words.instant(case.received_at, zone)
    offered = buttons(view)
    made = [
        blocks.header(f"Case {case.number}"),
        blocks.section(f"Received {received} ({zone.key}). {_practice(view)}"),
        *_besides(view),
        blocks.section("\n".join(findings(view))),
        blocks.section("\n".join(_phase_lines(view))),
        blocks.divider(),
        *_due_blocks(view),
        *_leaving(view),
        *_ballot_blocks(view),
        *_at_one_click(view, offered),
        *blocks.actions(offered),
    ]
    if view.again:
        made.append(blocks.small(words.SHOWN_AGAIN))
    return blocks.fit(made, left_out=words.MORE_THAN_FITS)


def _besides(view: Card) -> list[Json]:
    """Say what is true of the case beside its stage, and where a merged one goes on."""
    lines = [f"*{one.value.capitalize()}*" for one in asides(view.case)]
    if view.goes_on_in:
        lines.append(
            f"*{blocks.escape(view.goes_on_in)}* goes on for both, and mail to this case reaches it."
        )
    return [blocks.section(". ".join(lines))] if lines else []


def _practice(view: Card) -> str:
    return "" if view.case.screened else "*Nobody but the person cleared for intake sees this yet.*"


# -- findings and phases ------------------------------------------------------------------------------


def findings(view: Card) -> list[str]:
    """Say in plain words what was found about the papers' form, and what a person decided."""
    judged = [
        read
        for paper in view.papers
        if view.case.bears_on_form(paper.id, paper.kind) and (read := evidence.from_json(paper.finding))
    ]
    lines = [f"• {evidence.in_words(one)}" for one in judged[:5]]
    if len(judged) > len(lines):
        lines.append(f"• … and {counted(len(judged) - len(lines), 'paper')} more.")
    if any(one.active_content for one in judged):
        lines.append("• A paper carries active content: open it with care.")
    if any(one.encrypted != "no" for one in judged):
        lines.append("• A paper is encrypted.")
    if not view.case.screened:
        lines.append("• The papers could not be searched for names: *say who is named*.")
    elif view.case.unscreened_papers:
        count = len(view.case.unscreened_papers)
        lines.append(
            f"• {count} later paper{'s' if count > 1 else ''} could not be searched for names and stay"
            f"{'' if count > 1 else 's'} unseen until the person cleared for intake has said who is named."
        )
    lines.append(f"*Form:* {_form(view.case.form.fact if view.case.form else None)}")
    return lines


def _form(decided: FormDecided | None) -> str:
    if decided is None:
        return "not decided yet; a person decides, not Docket."
    if decided.proper:
        return "found proper."
    return f"not proper; lacking: {blocks.escape(', '.join(map(spoken, decided.lacking)))}."


def _phase_lines(view: Card) -> list[str]:
    done = {True: "✓", False: "○"}
    return [f"{done[reached]} {label}" for label, reached in phases(view)]


def phases(view: Card) -> list[tuple[str, bool]]:
    """Give the phases of a case's life with whether each was reached."""
    case = view.case
    tracks = case.respondents
    noticed = sum(case.served("notice", one.id) for one in tracks)
    determined = sum(case.standing_determination(one.id) is not None for one in tracks)
    found = [("Filed", True)]
    if view.look.profile.has_referral:
        found.append(("Referred to the Board", case.referred is not None))
    acknowledged = [case.served("acknowledgement", one.id) for one in case.complainants]
    found += [
        ("Found proper", case.proper),
        ("Acknowledged to the complainant", bool(acknowledged) and all(acknowledged)),
        (_count("Respondents named", len(tracks)), bool(tracks) or case.no_respondent),
        (_share("Notice served", noticed, len(tracks)), bool(tracks) and noticed == len(tracks)),
        ("Preliminary inquiry held", case.last(InquiryHeld) is not None),
        (_share("Determined", determined, len(tracks)), bool(tracks) and determined == len(tracks)),
        ("Final", case.final),
    ]
    return found


def _count(label: str, number: int) -> str:
    return f"{label}: {number}" if number else label


def _share(label: str, number: int, of: int) -> str:
    return f"{label}: {number} of {of}" if of > 1 else label


# -- what is due --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DueLine:
    """Open steps of one duty with the same dates: one line for all whom they concern."""

    steps: tuple[Step, ...]
    list: DueList

    @property
    def first(self) -> Step:
        """One of them; they share duty and dates."""
        return self.steps[0]

    @property
    def since(self) -> date | None:
        """The day by which lines of one list are put in order: the lawful last one of what is overdue."""
        return self.first.overdue_after if self.list is DueList.OVERDUE else self.first.act_by


def due_lines(look: Look) -> list[DueLine]:
    """Give a case's open steps, equal ones together, the most urgent first."""
    groups: dict[tuple[str, date | None, date | None], list[Step]] = {}
    for one in look.steps:
        if one.is_open:
            last = one.dates.expected_last_day if one.dates else None
            groups.setdefault((one.duty.id, one.act_by, last), []).append(one)
    lines = [DueLine(tuple(many), due_list(many[0], look.today, look.calendar)) for many in groups.values()]
    return sorted(lines, key=lambda line: (_URGENT.index(line.list), line.first.act_by or date.max))


def due_text(look: Look, line: DueLine) -> str:
    """Say one line of what is due: what, for whom without a name, in which list, until when."""
    duty = line.first.duty
    whom = _whom(look.case, line.steps)
    citation = blocks.escape(look.profile.clause(duty.clause).citation)
    said = f"{LISTS[line.list]} · *{blocks.escape(duty.what)}*{whom} ({citation}) · {_dates(line.first)}"
    return f"{said} · _provisional_" if line.first.provisional else said


def _whom(case: CaseFile, steps: Sequence[Step]) -> str:
    tracks = [one.id for one in case.respondents]
    places = [tracks.index(step.party) + 1 for step in steps if step.party in tracks]
    if not places or len(tracks) == 1:
        return ""
    if len(places) > 3:  # noqa: PLR2004  more than three are counted, not listed
        return f", {len(places)} of {counted(len(tracks), 'respondent')}"
    return f", respondent {', '.join(map(str, places))} of {len(tracks)}"


def _dates(step: Step) -> str:
    if step.dates is None:
        return "no date set"
    if step.duty.kind is Kind.RIGHT:
        return f"open until {words.day(step.open_until)}{_extension(step)}"
    act_by = step.dates.act_by_in_words or step.dates.expected_last_day
    return f"act by {act_by}, last lawful day {words.day(step.dates.expected_last_day)}"


def _extension(step: Step) -> str:
    """Say beside an extended day what it was without the extension; no period of the law is changed by it."""
    assert step.dates is not None
    own = step.dates.keep_open_until or step.dates.expected_last_day
    return f" (extended; without it {words.day(own)})" if step.open_until and step.open_until > own else ""


def _due_blocks(view: Card) -> list[Json]:
    lines = due_lines(view.look)
    if not lines:
        return [blocks.section("Nothing is due.")]
    texts = [due_text(view.look, one) for one in lines[:STEP_LINES]]
    if len(lines) > STEP_LINES:
        texts.append(f"… and {len(lines) - STEP_LINES} more.")
    return [blocks.section(part) for part in chunks(texts)]


def chunks(lines: Iterable[str], most: int = _LINES) -> list[str]:
    """Put lines together into texts that fit a block."""
    parts: list[str] = []
    for line in lines:
        cut = blocks.clip(line, most)
        if parts and len(parts[-1]) + len(cut) + 1 <= most:
            parts[-1] += f"\n{cut}"
        else:
            parts.append(cut)
    return parts


def _leaving(view: Card) -> list[Json]:
    """Say which letters wait to go out by mail, until when, and let each be taken back (L2)."""
    waiting = [one for one in view.case.letters if _goes_by_mail(view.case, one)]
    made = [_leaves(view, one) for one in waiting[:LEAVING]]
    if len(waiting) > LEAVING:
        made.append(blocks.small(f"… and {counted(len(waiting) - LEAVING, 'letter')} more, under Letters."))
    return made


_WRITES_LETTERS = frozenset([Do.CURE_NOTICE, Do.ACKNOWLEDGE, Do.SEND_DECISION])


def _at_one_click(view: Card, offered: Sequence[Json]) -> list[Json]:
    """Say of the buttons that write letters without a further question that these wait and can be taken back (L2)."""
    labels = [f"*{one['text']['text']}*" for one in offered if one["action_id"] in _WRITES_LETTERS]
    minutes = int(view.undo_for.total_seconds() // 60)
    if not labels or not minutes:
        return []
    return [
        blocks.small(
            f"{' and '.join(labels)}: one click writes the letters. Each waits {counted(minutes, 'minute')} before it "
            "leaves; until then it is listed here and can be taken back."
        )
    ]


def _goes_by_mail(case: CaseFile, letter: LetterView) -> bool:
    party = case.party(letter.queued.to_party)
    return letter.state is LetterState.QUEUED and party is not None and bool(party.named.emails)


def _leaves(view: Card, letter: LetterView) -> Json:
    due = letter.queued_at + view.undo_for
    at = f"*{due.astimezone(view.look.profile.city.time_zone):%H:%M}*"
    leaves = f"leaves at {at}" if due > view.look.now else f"was to leave at {at} and is on its way out"
    what = spoken(letter.queued.letter).capitalize()
    text = f"*{blocks.escape(what)}* to the {blocks.escape(letter.to_whom)}: {leaves}"
    if not view.offer(Deed.ACKNOWLEDGE):
        return blocks.section(f"{text}.")
    back = blocks.button("Take back", Do.TAKE_BACK_NOW, view.target(letter.id))
    return blocks.section(f"{text}; as long as it has not left it can be taken back.", accessory=back)


# -- ballots ------------------------------------------------------------------------------------------


def track_label(case: CaseFile, track: int) -> str:
    """Name a track without a name."""
    tracks = [one.id for one in case.respondents]
    return words.respondent(tracks.index(track) + 1, len(tracks)) if track in tracks else "The case"


def ballot_text(case: CaseFile, ballot: BallotView) -> str:
    """Say where a ballot stands; while it is open nothing of its votes is shown."""
    question = SHORT_QUESTIONS[ballot.opened.question]
    return f"*Ballot on {question}*, {track_label(case, ballot.track).lower()}: {_state(ballot)}"


def _state(ballot: BallotView) -> str:
    if ballot.voided is not None:
        return "void"
    if ballot.closed is not None:
        return OUTCOMES.get(Outcome(ballot.closed.outcome), ballot.closed.outcome)
    return "*open*"


def _ballot_blocks(view: Card) -> list[Json]:
    ballots = view.case.ballots
    lines = [ballot_text(view.case, one) for one in ballots[-BALLOT_LINES:]]
    lines += [_determined(view.case, one) for one in view.case.respondents if view.case.determined(one.id)]
    return [blocks.divider(), *(blocks.section(part) for part in chunks(lines[:60]))] if lines else []


def _determined(case: CaseFile, party: Party) -> str:
    determined = case.determined(party.id)
    assert determined is not None
    fact = determined.fact
    if sufficient(fact):
        result = "within jurisdiction, minimal factual basis found (E)(1)"
    elif not fact.within_jurisdiction:
        result = "outside the Board's jurisdiction (D)"
    elif fact.frivolous:
        result = "frivolous (D)"
    else:
        result = "without factual basis (D)"
    disposed = case.disposed(party.id)
    after = f"; {_disposed(disposed.fact)}" if disposed else ""
    if case.standing_determination(party.id) is None:
        after += "; reopened since, and this stands no more"
    return f"*Determined*, {track_label(case, party.id).lower()}: {result}{after}"


def _disposed(fact: Disposed) -> str:
    parts = [word for word, given in (("reprimand", fact.reprimand), ("hearing", fact.hearing)) if given]
    return " and ".join(parts) or "no further action"


def arithmetic(closed: BallotClosed) -> list[Json]:
    """Show how a ballot was counted, as it was printed at closing."""
    return [blocks.said(part) for part in chunks(closed.arithmetic.splitlines())]


# -- buttons ------------------------------------------------------------------------------------------


def buttons(view: Card) -> list[Json]:
    """Give the buttons of what the reader may do now, the next step first."""
    made = [*_staff_buttons(view), *_board_buttons(view), *_after_buttons(view), *_always(view)]
    if made and not any("style" in one for one in made):
        made[0] = {**made[0], "style": "primary"}
    return made


def _staff_buttons(view: Card) -> list[Json]:
    case, offer, profile = view.case, view.offer, view.look.profile
    named = bool(case.respondents) or case.no_respondent
    unwritten = [one for one in case.complainants if not _on_its_way(case, "acknowledgement", one)]
    unserved = [one for one in case.respondents if not _on_its_way(case, "notice", one)]
    asked = any(one.state is not LetterState.WITHDRAWN for one in case.letters_to("cure_notice"))
    unproper = case.form is not None and not case.proper
    rows: list[tuple[Do, str, Deed, bool]] = [
        (Do.WHO_IS_NAMED, "Say who is named", Deed.SAY_WHO_IS_NAMED, _unread(case)),
        (Do.LIFT_CONFLICT, "Lift a wall", Deed.LIFT_CONFLICT, bool(case.walled_off)),
        (Do.FORM_CHECK, "Check the form", Deed.DECIDE_FORM, not case.proper),
        (Do.CURE_NOTICE, "Send the cure notice", Deed.SEND_CURE_NOTICE, unproper and not asked),
        (Do.CURE, "A cure by hand", Deed.RECORD_RECEIPT, unproper and not case.final),
        (Do.ACKNOWLEDGE, "Acknowledge", Deed.ACKNOWLEDGE, bool(unwritten)),
        (
            Do.RECORD_REFERRAL,
            "Record the referral",
            Deed.REFER,
            profile.has_referral and case.referred is None,
        ),
        (Do.NAME_RESPONDENTS, "Name a respondent", Deed.NAME_PARTY, True),
        (Do.NO_RESPONDENT, "Nobody can be named", Deed.NAME_PARTY, not named),
        (Do.SEND_NOTICE, "Send notices", Deed.SERVE_NOTICE, bool(unserved)),
        (Do.CHANCE_NOT_USED, "No answer came", Deed.RECORD_RESPONSE, _silent(case)),
        (Do.RECORD_RESPONSE, "An answer came", Deed.RECORD_RESPONSE, _waits_for_answer(case)),
        (Do.RULE_TIME, "Rule on more time", Deed.RULE_ON_TIME, _time_asked(case)),
        (Do.HOLD_INQUIRY, "Inquiry held", Deed.HOLD_INQUIRY, case.proper and not _concluded(case)),
        (Do.SEND_DECISION, "Send the decision", Deed.SEND_DECISION, bool(to_be_told(case))),
        (Do.TAKE_BACK, "Letters", Deed.ACKNOWLEDGE, bool(case.letters)),
    ]
    return [
        blocks.button(label, do, view.target())
        for do, label, deed, wanted in rows
        if wanted and (case.screened or do in _BEFORE_SCREENING) and offer(deed)
    ]


_BEFORE_SCREENING = frozenset([Do.WHO_IS_NAMED, Do.LIFT_CONFLICT])


def _unread(case: CaseFile) -> bool:
    return not case.screened or bool(case.unscreened_papers)


def _on_its_way(case: CaseFile, letter: str, party: Party) -> bool:
    failed = {LetterState.REFUSED, LetterState.BOUNCED, LetterState.WITHDRAWN}
    return case.served(letter, party.id) or any(
        one.state not in failed for one in case.letters_to(letter, party.id)
    )


def _concluded(case: CaseFile) -> bool:
    return any(one.fact.concluded for one in case.all(InquiryHeld))


def to_be_told(case: CaseFile) -> list[Party]:
    """Give the respondents of whose determination somebody was not written to yet."""
    waiting = []
    for party in case.respondents:
        determined = case.standing_determination(party.id)
        if determined is None:
            continue
        kind = "notification" if sufficient(determined.fact) else "decision_of_termination"
        owed = [party] if sufficient(determined.fact) else [*case.complainants, party]
        if not all(_has_letter(case, kind, one, party.id) for one in owed):
            waiting.append(party)
    return waiting


def _has_letter(case: CaseFile, kind: str, party: Party, track: int) -> bool:
    failed = {LetterState.REFUSED, LetterState.BOUNCED, LetterState.WITHDRAWN}
    return any(
        one.state not in failed and one.queued.about_track in {None, track}
        for one in case.letters_to(kind, party.id)
    )


def _waits_for_answer(case: CaseFile) -> bool:
    return any(case.served("notice", one.id) and not case.chance_over(one.id) for one in case.respondents)


def _silent(case: CaseFile) -> bool:
    """Say whether silence can matter: to a respondent who was served, and on whom the Board has not determined."""
    return any(
        case.served("notice", one.id)
        and not case.chance_over(one.id)
        and case.standing_determination(one.id) is None
        for one in case.respondents
    )


def _time_asked(case: CaseFile) -> bool:
    return any(one.ruled is None for one in case.asked_for_time())


def _board_buttons(view: Card) -> list[Json]:
    case, offer = view.case, view.offer
    if not case.screened:
        return []
    made = []
    for ballot in case.ballots:
        if ballot.is_open:
            made += _ballot_buttons(view, ballot)
    may_open = Deed.FLAG_COMPLAINT if case.final else Deed.OPEN_BALLOT
    if view.meeting is not None and case.respondents and offer(may_open):
        made.append(blocks.button("Open a ballot", Do.OPEN_BALLOT, view.target()))
    if view.meeting is None and case.respondents and offer(Deed.OPEN_MEETING) and not case.final:
        made.append(blocks.button("Open a meeting", Do.OPEN_MEETING, view.target()))
    if _to_determine(case) and offer(Deed.DETERMINE):
        made.append(blocks.button("Record the determination", Do.DETERMINE, view.target()))
    return made


def _ballot_buttons(view: Card, ballot: BallotView) -> list[Json]:
    label = f"{SHORT_QUESTIONS[ballot.opened.question]}, {track_label(view.case, ballot.track).lower()}"
    rows = [
        (Do.VOTE, f"Vote: {label}", Deed.VOTE),
        (Do.CLOSE_BALLOT, f"Close: {label}", Deed.CLOSE_BALLOT),
        (Do.VOID_BALLOT, f"Void: {label}", Deed.VOID_BALLOT),
    ]
    return [
        blocks.button(text, f"{do}:{ballot.id}", view.target(ballot.id))
        for do, text, deed in rows
        if view.offer(deed)
    ]


def _to_determine(case: CaseFile) -> bool:
    """Say whether some track was voted on and not determined."""
    voted = {one.track for one in case.ballots_since if one.closed is not None}
    return any(one.id in voted and case.standing_determination(one.id) is None for one in case.respondents)


_AFTER = (
    (Next.DISPOSE, Do.DISPOSE, "Record what follows", Deed.DISPOSE),
    (Next.ISSUE_REPRIMAND, Do.ISSUE_REPRIMAND, "Issue the reprimand", Deed.ISSUE_REPRIMAND),
    (
        Next.RECORD_REPRIMAND_RECEIPT,
        Do.REPRIMAND_RECEIVED,
        "Reprimand received",
        Deed.RECORD_REPRIMAND_RECEIPT,
    ),
    (Next.RECORD_DEMAND, Do.RECORD_DEMAND, "A demand came", Deed.RECORD_DEMAND),
    (Next.RECORD_COMMISSION_RESULT, Do.COMMISSION_RESULT, "Commission's hearing", Deed.RECORD_DEMAND),
    (Next.OPEN_HEARING, Do.OPEN_HEARING, "Set the hearing", Deed.OPEN_HEARING),
    (Next.HOLD_HEARING, Do.HEARING_SAT, "Hearing held or adjourned", Deed.OPEN_HEARING),
    (Next.RECORD_RESULT, Do.HEARING_RESULT, "Result of the hearing", Deed.OPEN_HEARING),
    (Next.SEND_RESULT, Do.SEND_RESULT, "Send the result", Deed.SEND_HEARING_RESULT),
    (Next.CLOSE, Do.CLOSE_CASE, "Close the file", Deed.CLOSE_CASE),
    (Next.REOPEN, Do.REOPEN, "Reopen", Deed.REOPEN),
)


def _after_buttons(view: Card) -> list[Json]:
    """Give the buttons of what may come after the vote, and the door to the acts around the file."""
    if not view.case.screened:
        return []
    next_acts = coming(view.case, has_referral=view.look.profile.has_referral)
    made = [
        blocks.button(label, do, view.target())
        for stage, do, label, deed in _AFTER
        if stage in next_acts and view.offer(deed)
    ]
    if around_the_file(view):
        made.append(blocks.button("More", Do.MORE_ACTS, view.target()))
    return made


def around_the_file(view: Card) -> list[Json]:
    """Give the buttons of the acts around the file that the reader may do: exits, corrections, holds."""
    case, exits = view.case, view.look.profile.confidentiality.exits
    disclosed = case.last(Disclosed) is not None
    waits = any(case.last(OfficeReceived, about=one.id) is None for one in case.all(EvidenceTurnedOver))
    going_on = not case.final and case.merged is None
    heard = any(case.standing_determination(one.id) for one in case.respondents)
    named = bool(case.respondents)
    rows = (
        (Do.NAME_COUNSEL, "Name counsel", Deed.NAME_COUNSEL, case.final and _reprimanded(case)),
        (Do.ASK_TIME, "More time asked for", Deed.RECORD_RESPONSE, going_on and _unanswered(case)),
        (Do.APPEARANCE, "Appearance", Deed.RECORD_EVIDENCE, going_on and named),
        (Do.STATEMENT, "Statement under oath", Deed.RECORD_EVIDENCE, going_on and named),
        (Do.OFFER_EXHIBIT, "Offer an exhibit", Deed.RECORD_EVIDENCE, going_on and named),
        (Do.RULE_EXHIBIT, "Rule on an exhibit", Deed.RECORD_EVIDENCE, bool(case.exhibits)),
        (Do.PARTIES, "Correct a party", Deed.CORRECT, any(not one.left for one in case.parties)),
        (Do.CORRECT_RECEIPT, "Correct a receipt", Deed.CORRECT, True),
        (Do.MANAGER_RECEIPT, "City Manager's receipt", Deed.RECORD_RECEIPT, view.look.profile.has_referral),
        (Do.AMEND, "Amended", Deed.CORRECT, going_on),
        (Do.WITHDRAW, "Withdrawn", Deed.CORRECT, going_on and case.last(Withdrawn) is None),
        (Do.MERGE, "Merge", Deed.CORRECT, going_on),
        (
            Do.REOPEN,
            "Reopen",
            Deed.REOPEN,
            not case.closed and (case.final or heard or case.merged is not None),
        ),
        (Do.OPEN_HEARING, "Set the hearing anew", Deed.OPEN_HEARING, _hearing_waits(case)),
        (
            Do.TURN_OVER_EVIDENCE,
            "Turn over evidence",
            Deed.TURN_OVER_EVIDENCE,
            Exit.PROSECUTOR in exits,
        ),
        (Do.FLAG_COMPLAINT, "Flag under (F)", Deed.FLAG_COMPLAINT, _flag_waits(case)),
        (Do.EVIDENCE_RECEIVED, "Evidence received", Deed.TURN_OVER_EVIDENCE, waits),
        (Do.RECORD_DISCLOSURE, "A party disclosed", Deed.RECORD_DISCLOSURE, Exit.DISCLOSURE in exits),
        (Do.CONFIRM_PUBLICLY, "Confirm publicly", Deed.RECORD_DISCLOSURE, disclosed),
        (Do.RELEASE_DOCUMENTS, "Release documents", Deed.RECORD_DISCLOSURE, disclosed),
        (Do.PLACE_HOLD, "Place a hold", Deed.HOLD, not case.on_hold),
        (Do.LIFT_HOLD, "Lift the hold", Deed.HOLD, case.on_hold),
    )
    return [
        blocks.button(label, do, view.target())
        for do, label, deed, wanted in rows
        if wanted and view.offer(deed)
    ]


def _flag_waits(case: CaseFile) -> bool:
    ballot = case.carried(Question.FALSE_COMPLAINT)
    return ballot is not None and not case.is_flagged_by(ballot.id)


def _reprimanded(case: CaseFile) -> bool:
    return any(case.reprimanded(one.id) for one in case.respondents)


def _unanswered(case: CaseFile) -> bool:
    return any(not case.responded(one.id) for one in case.respondents)


def _hearing_waits(case: CaseFile) -> bool:
    return any(
        case.hearing(one.id) and case.decided(one.id, OF_THE_BOARD) is None for one in case.respondents
    )


def _always(view: Card) -> list[Json]:
    made = [
        *([blocks.button("What I may do", Do.SHOW_CARD, view.target())] if view.shared else []),
        blocks.button("Why this date?", Do.WHY_DATES, view.target()),
        blocks.button("What happens next?", Do.WHAT_NEXT, view.target()),
        blocks.button("Open the file", Do.OPEN_FILE, view.target()),
        blocks.button("History", Do.HISTORY, view.target()),
        blocks.button("Timeline", Do.TIMELINE, view.target()),
    ]
    if view.offer(Deed.RECUSE) and view.case.screened:
        made.append(
            blocks.button(
                "Recuse myself",
                Do.RECUSE,
                view.target(),
                style="danger",
                confirm=blocks.confirm(
                    f"Step back from {view.case.number}?",
                    "You will see nothing of this case any more, and a vote that you gave is void.",
                    yes="Recuse myself",
                    no="Stay",
                ),
            )
        )
    return made


# -- modals -------------------------------------------------------------------------------------------


def why_dates(look: Look, *, of: str = "") -> Json:
    """Show how each date came about, in sentences (D1)."""
    made: list[Json] = []
    dated = [one for one in look.steps if one.clocks and one.state in {StepState.OPEN, StepState.DONE}]
    seen: set[tuple[str, date | None]] = set()
    for one in dated:
        key = (one.duty.id, one.act_by)
        if key in seen or (of and one.key != of):
            continue
        seen.add(key)
        if len(seen) > WHY_STEPS:
            made.append(blocks.small("More steps stand in the file."))
            break
        made += _why(look, one)
    return blocks.modal("Why this date?", made or [blocks.section("No date runs in this case.")])


def _why(look: Look, step: Step) -> list[Json]:
    clause = look.profile.clause(step.duty.clause)
    done = " Done." if step.state is StepState.DONE else ""
    made: list[Json] = [
        blocks.divider(),
        blocks.section(f"*{blocks.escape(step.duty.what)}* ({blocks.escape(clause.citation)}).{done}"),
    ]
    for clock in step.clocks:
        if clock.dates is None:
            made.append(blocks.section("The ordinance sets no period for this."))
            continue
        whose = (
            f"Counted from the receipt by the {spoken(clock.whose)}. "
            if step.duty.starts_at == "receipt"
            else ""
        )
        assumed = "That instant is assumed until it is recorded. " if clock.basis == "assumed" else ""
        made.append(blocks.said(f"{whose}{assumed}{' '.join(sentences(clock.dates))}"))
    if step.extension_in_words:
        made.append(blocks.said(step.extension_in_words))
    if step.dates is not None:
        made.append(_days(step.dates))
    return made


def what_next(look: Look) -> Json:
    """Say which phase comes next, what is open for it and under which clause."""
    case = look.case
    waiting = [label for label, reached in phases(Card(look, look.may)) if not reached]
    ended = "closed" if case.closed else "final" if case.final else ""
    going = f"*Case {case.number}.* Next: *{waiting[0]}*." if waiting else f"*Case {case.number}*."
    made = [blocks.section(f"*Case {case.number}* is {ended}." if ended else going)]
    if len(waiting) > 1 and not ended:
        made.append(blocks.section(f"After that: {', '.join(waiting[1:])}."))
    if not case.closed and waits_for_commission(case):
        made.append(
            blocks.section(
                "A demand for a public hearing was passed to the City Commission. The file stays open until the "
                "result, or that the Commission hears nothing, is on the record."
            )
        )
    acts = [one.value for one in coming(case, has_referral=look.profile.has_referral)]
    if acts:
        made.append(
            blocks.section(f"To be done by whom it belongs to, in the usual order: {'; '.join(acts)}.")
        )
    for line in due_lines(look)[:STEP_LINES]:
        clause = look.profile.clause(line.first.duty.clause)
        made += [blocks.section(due_text(look, line)), blocks.said(blocks.clip(clause.text, 600))]
    return blocks.modal("What happens next?", made)


def _days(dates: Dates) -> Json:
    lines = [
        f"{one.on} {one.weekday[:3]} – {'counted' if one.counted else 'not counted'}"
        + (f": {one.reason}" if one.reason not in {"counted", ""} else "")
        for one in dates.days
    ]
    text = f"Calendar {dates.calendar_version}.\n" + "\n".join(lines)
    return blocks.said(text)


def open_file(look: Look, papers: Sequence[Paper], page: int) -> Json:
    """Show parties and documents to the one person who asked; each document is sent when he asks for it."""
    case, zone = look.case, look.profile.city.time_zone
    told = [blocks.said(part) for part in chunks([*map(_party_line, _present(case)), *_reasons(case, zone)])]
    kept = [
        blocks.said(
            _paper_line(number, paper, words.instant(paper.received_at, zone)),
            accessory=blocks.button("Send me this", Do.SHOW_DOCUMENT, Target(case.number, paper.id).text()),
        )
        for number, paper in enumerate(papers, start=1)
    ]
    pages = _sheets(told, kept or [blocks.section("No document was kept yet.")])
    here = min(max(page, 0), len(pages) - 1)
    made = [blocks.header(f"File of case {case.number}"), *pages[here]]
    if any(is_photo(one) for one in papers):
        made += blocks.actions([blocks.button("Photos as one PDF", Do.PHOTOS, Target(case.number, 0).text())])
    made += _turn(Target(case.number, 0, here), here, len(pages))
    return blocks.modal("The file", made, metadata=Target(case.number, 0, here).text())


def _sheets(told: Sequence[Json], kept: Sequence[Json]) -> list[list[Json]]:
    """Part the file into pages: what is told first, then the documents, as much as a view holds on each."""
    pages: list[list[Json]] = [[]]
    weight = documents = 0
    for one in (*told, blocks.divider(), *kept):
        heavy = len(json.dumps(one))
        if pages[-1] and (weight + heavy > _SHEET or documents == PAGE):
            pages.append([])
            weight = documents = 0
        pages[-1].append(one)
        weight += heavy
        documents += "accessory" in one
    return pages


def _present(case: CaseFile) -> list[Party]:
    return [one for one in case.parties if not one.left]


def _party_line(party: Party) -> str:
    office = f", {blocks.name(party.named.office)}" if party.named.office else ""
    way = "by e-mail" if party.named.emails else "on paper"
    return f"{words.PARTY_ROLES[party.role]}: {blocks.name(party.named.name)}{office} ({way})"


def _reasons(case: CaseFile, zone: ZoneInfo) -> list[str]:
    """Give what people wrote with their decisions: for the file, never for the card."""
    lines = []
    if case.form is not None and case.form.fact.reason:
        lines.append(f"Form: {blocks.clip(case.form.fact.reason, 500)}")
    for party in case.respondents:
        determined = case.determined(party.id)
        if determined is not None and determined.fact.findings:
            lines.append(
                f"Findings, {track_label(case, party.id)}: {blocks.clip(determined.fact.findings, 1500)}"
            )
    for one in case.exhibits:
        ruled = "not ruled on" if one.ruled is None else ("received" if one.ruled.received else "refused")
        by = case.party(one.offered_by)
        lines.append(
            f"Exhibit {one.offered.label}, document {one.offered.document}, offered by "
            f"{blocks.name(by.named.name) if by else 'the Board'}: {ruled}; SHA-256 {one.offered.sha256}"
        )
    for said in case.all(StatementTaken):
        when = said.fact.at.astimezone(zone)
        lines.append(
            f"Statement under oath, {when:%Y-%m-%d %H:%M %Z}: {blocks.name(said.fact.sworn)} swore before "
            f"{blocks.name(said.fact.administered_by)}"
        )
    return lines


def _paper_line(number: int, paper: Paper, received: str) -> str:
    found = evidence.from_json(paper.finding)
    beside = f"\n{evidence.in_words(found)}" if found else ""
    size = f"{paper.size / 1_000_000:.1f} MB" if paper.size >= 100_000 else f"{paper.size:,} bytes"  # noqa: PLR2004
    return f"{number}. {spoken(paper.kind)}: {blocks.name(paper.name)}\n{received}, {size}{beside}"


def _turn(target: Target, here: int, pages: int) -> list[Json]:
    if pages == 1:
        return []
    made = []
    if here > 0:
        made.append(blocks.button("Earlier documents", f"{Do.TURN_FILE}:back", target.at(here - 1).text()))
    if here < pages - 1:
        made.append(blocks.button("Further documents", f"{Do.TURN_FILE}:on", target.at(here + 1).text()))
    return [blocks.small(f"Page {here + 1} of {pages}"), *blocks.actions(made)]
