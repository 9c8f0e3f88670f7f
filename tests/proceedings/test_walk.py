"""A walk of random acts by random people through real cases: what must hold whatever anybody tries.

No act that the table of rights forbids passes; a refusal changes nothing; the journal verifies; every open
step stands in exactly one list; and no case is in a state without a way on.
"""

import importlib
import inspect
import os
import pkgutil
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from store import cases, proceedings
from store.cases import MACHINE, Actor, Docket, Listing, act, load_case, verify
from store.letters.letter import Letter, Written
from store.letters.press import Pressed
from store.proceedings import ballot, meeting, notice, parties, recusal, referral
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.ballot import Motion
from store.proceedings.closing import close_case, lift_hold, place_hold
from store.proceedings.correction import correct_receipt, receipts, record_withdrawal, reopen
from store.proceedings.demand import record_commission_result, record_demand
from store.proceedings.determination import Conclusion, determine
from store.proceedings.disclosure import confirm_publicly, record_disclosure, release_documents
from store.proceedings.disposition import Disposition, dispose
from store.proceedings.evidence_referral import Selection, turn_over_evidence
from store.proceedings.false_complaint import flag_complaint
from store.proceedings.form_check import FormView, decide_form, send_cure_notice
from store.proceedings.hearing import (
    Setting,
    Sitting,
    open_hearing,
    record_result,
    record_sitting,
    send_result,
)
from store.proceedings.inquiry import hold_inquiry
from store.proceedings.merger import merge
from store.proceedings.notification import send_notification
from store.proceedings.reminders import sweep
from store.proceedings.reprimand import Receiver, issue_reprimand, record_reprimand_receipt
from store.proceedings.response import record_chance_not_used, record_response
from store.proceedings.screening import say_who_is_named
from store.proceedings.termination import send_decision
from store.rules import access
from store.rules.access import Deed, Via
from store.rules.calendar import Calendar
from store.rules.casefile import CaseFile, LetterState
from store.rules.dates import local_date
from store.rules.duties import DueList, StepState, due_list, open_steps, steps
from store.rules.errors import Refusal
from store.rules.facts import Choice, LetterSettled, PartyNamed, PartyRole, Question
from store.rules.meetings import Meeting
from store.rules.ordinance import Office
from store.rules.stages import Next, Stage, coming, stage
from tests.clocks import ManualClock
from tests.plain_words import codes
from tests.proceedings import diligent, walk_acts, walk_further
from tests.proceedings.after_builders import sufficient_case
from tests.proceedings.attempts import Attempt, Tried
from tests.proceedings.builders import Board, a_board, a_docket
from tests.proceedings.diligent import appointed
from tests.proceedings.listing import expected
from tests.proceedings.walk_acts import around_the_case, of_the_board
from tests.proceedings.walk_further import further_of_the_board, further_of_the_case, hold_mail

# acts in one walk; many more where the whole is asked for
_WALK = 100
STEPS = _WALK if settings.get_current_profile_name() == "quick" else 2000
ACTS_A_RUN = int(os.environ.get("DOCKET_WALK_STEPS", STEPS))
TALLY: Counter[tuple[Deed, str]] = Counter()
"""Each kind of act that was tried, with how it ended: done, refused, or forbidden to who tried it."""


class PlainPaper:
    """A typesetter that sets the letter's subject alone: the walk is about acts, not pages."""

    def picture(self, _svg: str) -> bytes:
        return b""

    def set(self, letter: Letter | Written, issued_at: object) -> Pressed:
        subject = str(letter.values.named["subject"]) if isinstance(letter, Written) else letter.subject()
        return Pressed(b"%PDF " + subject.encode(), subject, ())


SAID: set[str] = set()
"""Every refusal that somebody met."""

_AS_OFTEN_AS_ASKED = frozenset({Deed.READ_DOCUMENT, Deed.RECORD_SERVICE, Deed.WRITE_MINUTES, Deed.SEE_CASE})
"""What is delivered is recorded each time: papers, packets, minutes, pictures."""


class Walk(RuleBasedStateMachine):
    """Some cases, everybody on the roster, and whatever they try."""

    fresh: Path
    start: datetime
    numbers: tuple[str, ...]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="walk-"))
        shutil.copytree(self.fresh, self.folder / "record")
        clock = ManualClock(self.start)
        docket = a_docket(self.folder / "record", clock, PlainPaper())
        self.board = Board(docket, clock)
        self.acts = self.turn = 0

    def teardown(self) -> None:
        office = appointed(self.board)
        for number in self.numbers:
            office.finish(number)
        assert verify(self.board.docket, office.clerk) is None
        self.board.docket.database.engine.dispose()
        shutil.rmtree(self.folder)

    # -- what is there ------------------------------------------------------------------------------

    def _people(self) -> list[int]:
        with self.board.docket.database.read() as session:
            return sorted(cases.roster_of(self.board.docket, session).members)

    def _case(self, place: int) -> CaseFile:
        return self.board.file(self.numbers[place % len(self.numbers)])

    def _track(self, case: CaseFile, place: int) -> int:
        tracks = [one.id for one in case.respondents]
        return tracks[place % len(tracks)] if tracks else 1

    def _meeting(self) -> Meeting | None:
        return meeting.meeting_in_session(self.board.docket, self.board.clerk)

    # -- trying -------------------------------------------------------------------------------------

    def _try(
        self, who: int, deed: Deed, run: Callable[[Docket, Actor], object], case: CaseFile | None
    ) -> None:
        """Try an act: what the table forbids is refused, and a refusal leaves every fact as it was."""
        actor = Actor(who, Via.SLACK)
        allowed = self._may(actor, deed, case)
        before = self._count()
        try:
            run(self.board.docket, actor)
        except Refusal as refusal:
            TALLY[deed, "refused" if allowed else "forbidden"] += 1
            SAID.add(str(refusal))
            assert self._count() == before, f"a refused {deed} changed the record"
        else:
            TALLY[deed, "done"] += 1
            assert allowed, f"{deed} passed, though the table of rights forbids it"
            if self._count() > before and deed not in _AS_OFTEN_AS_ASKED:
                self._try_again(actor, deed, run)

    def _try_again(self, actor: Actor, deed: Deed, run: Callable[[Docket, Actor], object]) -> None:
        """Try the same once more, as a second person does at the same time: nothing is recorded twice."""
        before = self._count()
        with suppress(Refusal):
            run(self.board.docket, actor)
        assert self._count() == before, f"{deed} was recorded twice"

    def _may(self, actor: Actor, deed: Deed, case: CaseFile | None) -> bool:
        with self.board.docket.database.read() as session:
            people = cases.roster_of(self.board.docket, session)
            profile, _hash = cases.profile_in_force(session)
        today = local_date(self.board.clock.now(), profile.city.time_zone)
        standing = cases.standing_of(actor, people, today)
        situation = cases.situation_of(actor, case, standing) if case else access.BOARD_BUSINESS
        return access.may(deed, standing, situation)

    def _count(self) -> int:
        from sqlmodel import func, select

        from store.tables import FactRow

        with self.board.docket.database.read() as session:
            return session.exec(select(func.count()).select_from(FactRow)).one()

    # -- the acts -----------------------------------------------------------------------------------

    @rule(seed=st.integers(0, 2**32 - 1))
    def something_happens(self, seed: int) -> None:
        """One act; what happens more often in an office is drawn more often, so that cases get far."""
        self.acts += 1
        chance = Random(
            f"{seed} {self.acts}"
        )  # small numbers are drawn often; no two acts are alike for that
        place, pick, who = chance.randrange(3), chance.randrange(4), chance.randrange(20)
        happening = chance.choices(range(8), weights=(40, 26, 12, 8, 10, 6, 2, 6))[0]
        match happening:
            case 0:
                self.the_right_person_does_what_comes_next(place, chance.randrange(20), pick)
            case 1:
                self.somebody_tries_something(who, place, chance.randrange(200), pick)
            case 2:
                self.the_board_votes(place, self._question(place, chance), chance.choice((0, 2, 5, 5, 5)))
            case 3:
                self.time_passes(chance.choice((1, 24, 24 * 3, 24 * 12)))
            case 4:
                self.the_mail_server_answers(
                    place, chance.choice(("sent", "sent", "sent", "bounced", "uncertain"))
                )
            case 5:
                self.the_board_meets(chance.choice((2, 4, 5, 5)))
            case 6:
                self.somebody_adjourns(who)
            case _:
                self.somebody_tries_the_boards_business(who, chance.randrange(200), chance.randrange(8))

    def _question(self, place: int, chance: Random) -> Question:
        """Give the question that comes next for a case, or now and then any other."""
        case = self._case(place)
        if chance.random() < 0.25:
            return chance.choice(list(Question))
        if any(case.standing_determination(one.id) for one in case.respondents):
            return chance.choice(
                (Question.REPRIMAND, Question.HEARING, Question.NO_FURTHER_ACTION, Question.FALSE_COMPLAINT)
            )
        asked = {one.opened.question for one in case.ballots_since if one.closed is not None}
        return Question.FACTUAL_BASIS if Question.JURISDICTION in asked else Question.JURISDICTION

    def time_passes(self, hours: int) -> None:
        self.board.clock.advance(timedelta(hours=hours))
        sweep(self.board.docket)

    def somebody_tries_something(self, who: int, place: int, kind: int, pick: int) -> None:
        people = self._people()
        case = self._case(place)
        attempts = self._attempts(case, pick)
        deed, run = attempts[kind % len(attempts)]
        self._try(self._somebody(people, who), deed, run, case)

    def _somebody(self, people: list[int], who: int) -> int:
        """Anybody of the roster; every other time somebody in office, so that more than refusals comes of it."""
        in_office = (self.board.clerk.person, self.board.chair.person)
        return (in_office[who // 2 % 2] or 0) if who % 2 else people[who // 2 % len(people)]

    def somebody_tries_the_boards_business(self, who: int, kind: int, pick: int) -> None:
        people = self._people()
        attempts = [
            *of_the_board(self.board, pick, people),
            *further_of_the_board(self.board, self.numbers, pick, people),
        ]
        deed, run = attempts[kind % len(attempts)]
        self._try(self._somebody(people, who), deed, run, None)

    def the_right_person_does_what_comes_next(self, place: int, nth: int, pick: int) -> None:
        """So that walks get far: the clerk or the chair does one of the acts that the case says may come."""
        case = self._case(place)
        attempts = self._attempts(case, pick)
        wanted = _NEXT[coming(case)[nth % len(coming(case))]]
        for deed, run in attempts:
            if deed is wanted:
                actor = self.board.chair if deed is Deed.OVERRIDE_CHANCE else self.board.clerk
                assert actor.person is not None
                self._try(actor.person, deed, run, case)

    def the_board_votes(self, place: int, question: Question, yes: int) -> None:
        """A whole ballot, if one can be opened: some say yes, the others no; then it is closed."""
        held = self._meeting()
        case = self._case(place)
        board = self.board
        if held is None or not case.respondents:
            return
        motion = Motion(self._track(case, yes), question, held.id, override_reason="the chair's reason")
        try:
            key = ballot.open_ballot(board.docket, board.chair, case.number, motion)
        except Refusal:
            return
        view = board.file(case.number).ballot(key)
        assert view is not None
        for place_, person in enumerate(view.opened.roster):
            choice = Choice.YES if place_ < yes else Choice.NO
            try:
                board.vote(case.number, key, Actor(person, Via.SLACK), choice)
            except Refusal:
                continue
        try:
            ballot.close_ballot(board.docket, board.clerk, case.number, key)
        except Refusal:
            return

    def the_board_meets(self, present: int) -> None:
        if self._meeting() is None:
            self.board.meeting(*self.board.members[:present])

    def somebody_adjourns(self, who: int) -> None:
        held = self._meeting()
        key = held.id if held else 1
        people = self._people()
        closing = Tried(meeting.close_meeting, (key,), {})
        self._try(people[who % len(people)], Deed.CLOSE_MEETING, closing, None)

    def the_mail_server_answers(self, place: int, state: str) -> None:
        case = self._case(place)
        with act(self.board.docket, MACHINE, Deed.SETTLE_LETTER, case_id=case.key) as step:
            for letter in case.letters:
                if letter.state is LetterState.QUEUED:
                    step.record(LetterSettled(state, step.now), about=letter.id)

    def _attempts(self, case: CaseFile, pick: int) -> list[Attempt]:
        number, track, now = case.number, self._track(case, pick), self.board.clock.now()
        today = local_date(now, self._zone())
        other = self.numbers[(self.numbers.index(number) + 1) % len(self.numbers)]
        standing = receipts(case)
        receipt = standing[pick % len(standing)].id if standing else 1
        views = case.ballots
        ballot_ = views[pick % len(views)].id if views else 1
        named = PartyNamed(
            PartyRole.RESPONDENT, ("Rory", "Ruth", "Ralf", "Rosa")[pick], ("r@office.example",)
        )
        form = FormView(pick > 0, signed=pick > 0, finding="drawn", lacking=() if pick else ("signature",))
        conclusion = (
            Conclusion(False, None, "outside"),
            Conclusion(True, False, "nothing"),
            Conclusion(True, True, "enough"),
            Conclusion(True, None, "frivolous", frivolous=True),
        )[pick]
        course = Disposition(pick % 2 == 0, pick > 1, ("no-loss-to-city",) if pick % 2 == 0 else ())
        setting = Setting(now + timedelta(hours=3), "City Hall", "whether", (1,), reason="anew")
        selection = Selection(Office.COUNTY_ATTORNEY, (1,), today, "motion")
        party = case.complainants[0].id if case.complainants else 1

        def of(deed: Deed, do: Callable[..., object], *args: Any, **words: Any) -> Attempt:
            return deed, Tried(do, (number, *args), words)

        return [
            of(Deed.SAY_WHO_IS_NAMED, say_who_is_named, []),
            of(Deed.DECIDE_FORM, decide_form, form),
            of(Deed.SEND_CURE_NOTICE, send_cure_notice),
            of(Deed.REFER, referral.refer, evidence="memo"),
            of(Deed.ACKNOWLEDGE, acknowledge),
            of(Deed.NAME_PARTY, parties.name_party, named),
            of(Deed.NAME_PARTY, parties.no_respondent, reason="none"),
            of(Deed.NAME_PARTY, parties.remove_party, track, reason="in error"),
            of(Deed.SERVE_NOTICE, notice.send_notice, track, provisions=["gifts"]),
            of(Deed.RECORD_RESPONSE, record_response, track, received_at=now, words="an answer"),
            of(Deed.RECORD_RESPONSE, record_chance_not_used, track, on=today),
            of(Deed.HOLD_INQUIRY, hold_inquiry, on=today, concluded=pick > 1),
            of(Deed.CLOSE_BALLOT, ballot.close_ballot, ballot_),
            of(Deed.VOID_BALLOT, ballot.void_ballot, ballot_, "in error"),
            of(Deed.VOTE, ballot.vote, ballot_, Choice.YES, submission="s"),
            of(Deed.DETERMINE, determine, track, conclusion),
            of(Deed.SEND_DECISION, send_decision, track),
            of(Deed.SEND_DECISION, send_notification, track),
            of(Deed.DISPOSE, dispose, track, course),
            of(Deed.ISSUE_REPRIMAND, issue_reprimand, track, text="The Board's words."),
            *(
                of(
                    Deed.RECORD_REPRIMAND_RECEIPT,
                    record_reprimand_receipt,
                    track,
                    by=by,
                    at=now,
                    evidence="signed",
                )
                for by in Receiver
            ),
            of(Deed.RECORD_DEMAND, record_demand, track, received_at=now, words="a demand"),
            of(Deed.RECORD_DEMAND, record_commission_result, track, on=today, result="upheld"),
            of(Deed.OPEN_HEARING, open_hearing, track, setting),
            of(Deed.OPEN_HEARING, record_sitting, track, Sitting(now, (track,), (), pick > 1, "so")),
            of(Deed.SEND_HEARING_RESULT, send_result, track),
            of(Deed.OPEN_HEARING, record_result, track, on=today, result="no violation"),
            of(Deed.TURN_OVER_EVIDENCE, turn_over_evidence, selection),
            of(Deed.RECORD_DISCLOSURE, record_disclosure, party=party, on=today, evidence="the Courier"),
            of(Deed.RECORD_DISCLOSURE, confirm_publicly, how="press release"),
            of(Deed.FLAG_COMPLAINT, flag_complaint, words="the dates in the complaint"),
            of(Deed.RECORD_DISCLOSURE, release_documents, [1], how="web site"),
            of(
                Deed.CORRECT, correct_receipt, receipt, received_at=now - timedelta(days=pick), reason="stamp"
            ),
            of(Deed.CORRECT, record_withdrawal, received_at=now, words="no more"),
            of(Deed.CORRECT, merge, into=other, reason="the same"),
            of(Deed.REOPEN, reopen, reason="new evidence"),
            of(Deed.CLOSE_CASE, close_case, "nothing is open"),
            of(Deed.HOLD, place_hold, reason="a suit"),
            of(Deed.HOLD, lift_hold, reason="it ended"),
            *around_the_case(self.board, case, pick, self._people()),
            *further_of_the_case(self.board, case, pick, self._people()),
            of(Deed.RECUSE, recusal.recuse) if pick == 3 else of(Deed.ACKNOWLEDGE, acknowledge),
        ]

    def _zone(self) -> Any:
        with self.board.docket.database.read() as session:
            return cases.profile_in_force(session)[0].city.time_zone

    # -- what always holds --------------------------------------------------------------------------

    @invariant()
    def every_open_step_is_in_one_list_and_every_case_has_a_way_on(self) -> None:
        docket = self.board.docket
        with docket.database.read() as session:
            profile, _hash = cases.profile_in_force(session)
            calendar: Calendar = cases.calendar_of(session, profile)
            files = [load_case(docket, session, self.board.key(number)) for number in self.numbers]
        today = local_date(self.board.clock.now(), profile.city.time_zone)
        for case in files:
            for step in open_steps(case, profile, calendar, today):
                assert due_list(step, today, calendar) in set(DueList)
            way_on = coming(case, has_referral=profile.has_referral)
            assert way_on, f"no way on from {stage(case)}"
            assert set(way_on) <= set(_NEXT)
            if stage(case) is not Stage.CLOSED and case.final:
                assert Next.CLOSE in way_on
            finals = [case.final_at(one.id) is not None for one in case.respondents]
            assert case.final == (case.closed or (bool(finals) and all(finals)))

    @invariant()
    def the_lists_of_everybody_in_turn_are_as_told_from_the_facts(self) -> None:
        people = self._people()
        self.turn = (self.turn + 1) % (len(people) * len(Listing))
        actor, listing = (
            Actor(people[self.turn % len(people)], Via.SLACK),
            tuple(Listing)[self.turn // len(people)],
        )
        page = cases.page_of(self.board.docket, actor, listing, most=100)
        shown, told = [one.number for one in page.cases], expected(self.board, actor, listing)
        if listing not in {Listing.ALL, Listing.NOT_CLOSED}:
            # a right whose time is over counts as an open step until the next sweep
            shown, told = ([one for one in some if one not in self._lapsed()] for some in (shown, told))
        assert shown == told

    def _lapsed(self) -> set[str]:
        docket = self.board.docket
        with docket.database.read() as session:
            profile, _hash = cases.profile_in_force(session)
            calendar = cases.calendar_of(session, profile)
        today = local_date(self.board.clock.now(), profile.city.time_zone)
        files = [self.board.file(number) for number in self.numbers]
        return {
            one.number
            for one in files
            if any(step.state is StepState.LAPSED for step in steps(one, profile, calendar, today))
        }


_NEXT = {
    Next.SAY_WHO_IS_NAMED: Deed.SAY_WHO_IS_NAMED,
    Next.DECIDE_FORM: Deed.DECIDE_FORM,
    Next.SEND_CURE_NOTICE: Deed.SEND_CURE_NOTICE,
    Next.REFER: Deed.REFER,
    Next.ACKNOWLEDGE: Deed.ACKNOWLEDGE,
    Next.NAME_RESPONDENTS: Deed.NAME_PARTY,
    Next.SERVE_NOTICE: Deed.SERVE_NOTICE,
    Next.RECORD_RESPONSE: Deed.RECORD_RESPONSE,
    Next.HOLD_INQUIRY: Deed.HOLD_INQUIRY,
    Next.VOTE: Deed.CLOSE_BALLOT,
    Next.DETERMINE: Deed.DETERMINE,
    Next.SEND_DECISION: Deed.SEND_DECISION,
    Next.SEND_NOTIFICATION: Deed.SEND_DECISION,
    Next.DISPOSE: Deed.DISPOSE,
    Next.ISSUE_REPRIMAND: Deed.ISSUE_REPRIMAND,
    Next.RECORD_REPRIMAND_RECEIPT: Deed.RECORD_REPRIMAND_RECEIPT,
    Next.RECORD_DEMAND: Deed.RECORD_DEMAND,
    Next.RECORD_COMMISSION_RESULT: Deed.RECORD_DEMAND,
    Next.OPEN_HEARING: Deed.OPEN_HEARING,
    Next.HOLD_HEARING: Deed.OPEN_HEARING,
    Next.RECORD_RESULT: Deed.OPEN_HEARING,
    Next.SEND_RESULT: Deed.SEND_HEARING_RESULT,
    Next.CLOSE: Deed.CLOSE_CASE,
    Next.REOPEN: Deed.REOPEN,
}


def walk(folder: Path, acts: int, *, seed_of_it: int | None = None) -> None:
    """Let people try so many acts on a fresh record, in walks of a hundred; each ends with every file closed."""
    made = a_board(folder, ManualClock(), PlainPaper())
    enough, _track, _held = sufficient_case(made)
    early = (made.case(proper=False, screened=False), enough, made.case(proper=False))
    hold_mail(made)
    made.docket.database.engine.dispose()

    class Here(Walk):
        fresh = folder
        start = made.clock.now()
        numbers = early

    run_state_machine_as_test(
        Here if seed_of_it is None else seed(seed_of_it)(Here),
        settings=settings(
            max_examples=max(1, acts // _WALK),
            stateful_step_count=_WALK,
            phases=[Phase.generate] if seed_of_it is not None else list(Phase),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_whatever_anybody_tries_the_law_holds_and_every_file_can_be_closed(tmp_path: Path) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    walk(folder, ACTS_A_RUN)
    assert set(_NEXT) == set(Next)
    assert [one for one in SAID if codes(one)] == [], "a refusal is words"
    assert [one for one in SAID if "nothing" not in one.lower()] == [], "a refusal says what is safe"


# a restore is of the whole machine; the other two read without an act of their own, through what the asker may see
_BESIDE = frozenset({"record_restore", "moved_dates", "to_approve", "minutes_stand", "quorum_warning"})


def test_the_walk_tries_every_act_that_there_is() -> None:
    known = "".join(Path(one.__file__ or "").read_text() for one in (walk_acts, walk_further, diligent))
    known += Path(__file__).read_text()
    acts = {
        name
        for module in pkgutil.iter_modules(proceedings.__path__, "store.proceedings.")
        for name, one in vars(importlib.import_module(module.name)).items()
        if inspect.isfunction(one)
        and one.__module__ == module.name
        and not name.startswith("_")
        and list(inspect.signature(one).parameters)[:2] == ["docket", "actor"]
    }
    assert len(acts) > 80
    assert sorted(one for one in acts - _BESIDE if one not in known) == []
