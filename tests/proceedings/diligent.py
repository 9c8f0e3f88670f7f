"""A diligent office: from whatever state a case is in, it does what comes next until the file is closed.

It proves that no state is without a way on. It stands for real people: it only uses acts of the record, with the
rights of a clerk and a Board who sit there now, and never writes a fact itself but the mail server's answer.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from store.cases import MACHINE, Actor, act, case_ids, roster_of
from store.proceedings import ballot, meeting, notice, parties, referral
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.ballot import Motion
from store.proceedings.closing import close_case
from store.proceedings.demand import record_commission_result
from store.proceedings.determination import Conclusion, determine
from store.proceedings.disposition import Disposition, dispose
from store.proceedings.form_check import FormView, decide_form
from store.proceedings.hearing import (
    Setting,
    Sitting,
    open_hearing,
    record_result,
    record_sitting,
    send_result,
)
from store.proceedings.inquiry import hold_inquiry
from store.proceedings.notification import send_notification
from store.proceedings.reprimand import Receiver, issue_reprimand, record_reprimand_receipt
from store.proceedings.response import record_chance_not_used, record_response
from store.proceedings.roster import add_person, leave_role, take_role
from store.proceedings.screening import say_who_is_named
from store.proceedings.service import record_office_service, record_service
from store.proceedings.termination import send_decision
from store.rules.access import Deed, Via
from store.rules.casefile import CaseFile, LetterState
from store.rules.errors import Refusal
from store.rules.facts import Choice, LetterSettled, PartyNamed, PartyRole, Question, Role
from store.rules.stages import Next, Stage, coming, stage
from tests.proceedings.builders import Board

ROUNDS = 40
_SITTING = (Role.CHAIR, Role.MEMBER, Role.ALTERNATE)


@dataclass
class DiligentOffice:
    """A clerk, a chair and four members who know nobody, newly appointed; they finish cases."""

    board: Board
    clerk: Actor
    chair: Actor
    members: tuple[Actor, ...]
    refused: list[str] = field(default_factory=list)

    # -- what they do, act by act -------------------------------------------------------------------

    def finish(self, number: str) -> None:
        """Bring a case to its end.

        Raises:
            AssertionError: it stands where nothing leads on; the refusals of the last round are named.
        """
        for _round in range(ROUNDS):
            case = self.board.file(number)
            if stage(case) is Stage.CLOSED:
                return
            self.refused.clear()
            for one in coming(case):
                self._do(number, one)
            self._letters(number)
            self.board.clock.advance(timedelta(days=4))
        case = self.board.file(number)
        assert stage(case) is Stage.CLOSED, f"{stage(case)}, next {coming(case)}: {self.refused}"

    def _try(self, run: Callable[[], object]) -> None:
        try:
            run()
        except Refusal as refusal:
            self.refused.append(str(refusal))

    def _do(self, number: str, what: Next) -> None:
        docket, case = self.board.docket, self.board.file(number)
        for one in self._acts(case).get(what, ()):
            self._try(one)
        if what is Next.VOTE:
            self._vote(number)
        if what is Next.CLOSE:
            self._try(lambda: close_case(docket, self.clerk, number, "nothing is left to do"))

    def _acts(self, case: CaseFile) -> dict[Next, list[Callable[[], object]]]:
        docket, clerk, number = self.board.docket, self.clerk, case.number
        now, today = self.board.clock.now(), self.board.look(number, clerk).today
        tracks = [one.id for one in case.respondents]

        def each(run: Callable[[int], object]) -> list[Callable[[], object]]:
            return [lambda track=track: run(track) for track in tracks]  # type: ignore[misc]  # bound at once

        setting = Setting(now + timedelta(hours=2), "City Hall", "Whether.", reason="set anew")
        sitting = Sitting(now, (), (), False, "held")
        named = PartyNamed(PartyRole.RESPONDENT, "Finn Farrow", ("finn@office.example",))
        return {
            Next.SAY_WHO_IS_NAMED: [lambda: say_who_is_named(docket, clerk, number, [])],
            Next.DECIDE_FORM: [
                lambda: decide_form(
                    docket, clerk, number, FormView(proper=True, signed=True, finding="drawn", reason="seen")
                )
            ],
            Next.REFER: [lambda: referral.refer(docket, clerk, number, evidence="memo")],
            Next.ACKNOWLEDGE: [lambda: acknowledge(docket, clerk, number)],
            Next.NAME_RESPONDENTS: [lambda: parties.name_party(docket, clerk, number, named)],
            Next.SERVE_NOTICE: each(
                lambda track: notice.send_notice(docket, clerk, number, track, provisions=["gifts"])
            ),
            Next.RECORD_RESPONSE: [
                *each(lambda track: record_chance_not_used(docket, clerk, number, track, on=today)),
                *each(
                    lambda track: record_response(
                        docket, clerk, number, track, received_at=now, words="what he said"
                    )
                ),
            ],
            Next.HOLD_INQUIRY: [lambda: hold_inquiry(docket, clerk, number, on=today, concluded=True)],
            Next.DETERMINE: each(
                lambda track: determine(docket, self.chair, number, track, Conclusion(False, None, "outside"))
            ),
            Next.SEND_DECISION: each(lambda track: send_decision(docket, clerk, number, track)),
            Next.SEND_NOTIFICATION: each(lambda track: send_notification(docket, clerk, number, track)),
            Next.DISPOSE: each(lambda track: self._dispose(number, track)),
            Next.ISSUE_REPRIMAND: each(
                lambda track: issue_reprimand(docket, clerk, number, track, text="The Board's words.")
            ),
            Next.RECORD_REPRIMAND_RECEIPT: [
                lambda track=track, by=by: record_reprimand_receipt(  # type: ignore[misc]  # bound at once
                    docket, clerk, number, track, by=by, at=now, evidence="signed"
                )
                for track in tracks
                for by in Receiver
            ],
            Next.RECORD_COMMISSION_RESULT: each(
                lambda track: record_commission_result(
                    docket, clerk, number, track, on=today, result="upheld"
                )
            ),
            Next.OPEN_HEARING: each(lambda track: open_hearing(docket, self.chair, number, track, setting)),
            Next.HOLD_HEARING: each(lambda track: record_sitting(docket, self.chair, number, track, sitting)),
            Next.RECORD_RESULT: each(
                lambda track: record_result(docket, self.chair, number, track, on=today, result="none found")
            ),
            Next.SEND_RESULT: each(lambda track: send_result(docket, clerk, number, track)),
        }

    # -- votes ----------------------------------------------------------------------------------------

    def _void_what_is_open(self) -> None:
        """Void every ballot of the Board that sat before, in whatever case: no meeting is adjourned before that."""
        docket = self.board.docket
        with docket.database.read() as session:
            numbers = [number for _key, number in case_ids(session)]
        for number in numbers:
            for old in self.board.file(number).ballots:
                if old.is_open:
                    ballot.void_ballot(docket, self.chair, number, old.id, "the Board is another one now")

    def _session(self) -> int:
        docket = self.board.docket
        self._void_what_is_open()
        held = meeting.meeting_in_session(docket, self.clerk)
        if held is not None and held.in_closed_session:
            meeting.return_to_open_session(docket, self.chair, held.id)
        if held is not None:
            meeting.close_meeting(docket, self.chair, held.id)
        there = [one.person for one in self.members if one.person is not None]
        return meeting.open_meeting(docket, self.chair, "City Hall", notice_given="posted", present=there)

    def _ballot(self, number: str, track: int, question: Question, choice: Choice) -> None:
        docket = self.board.docket
        held = self._session()
        key = ballot.open_ballot(docket, self.chair, number, Motion(track, question, held))
        for one in self.members:
            ballot.vote(docket, one, number, key, choice, submission=f"{key}:{one.person}")
        ballot.close_ballot(docket, self.chair, number, key)

    def _vote(self, number: str) -> None:
        case = self.board.file(number)
        for one in case.respondents:
            if case.standing_determination(one.id) is None:
                self._try(lambda one=one: self._ballot(number, one.id, Question.JURISDICTION, Choice.NO))  # type: ignore[misc]  # bound at once

    def _dispose(self, number: str, track: int) -> None:
        self._ballot(number, track, Question.NO_FURTHER_ACTION, Choice.YES)
        dispose(self.board.docket, self.chair, number, track, Disposition(reprimand=False, hearing=False))

    # -- letters --------------------------------------------------------------------------------------

    def _letters(self, number: str) -> None:
        """What waits is sent by mail where there is an address; what has no good end is served by hand."""
        docket, case = self.board.docket, self.board.file(number)
        addressed = {one.id for one in case.parties if one.named.emails}
        with act(docket, MACHINE, Deed.SETTLE_LETTER, case_id=case.key) as step:
            for letter in case.letters:
                by_mail = letter.queued.to_party is None or letter.queued.to_party in addressed
                if letter.state is LetterState.QUEUED and by_mail:
                    step.record(LetterSettled("sent", step.now), about=letter.id)
        case = self.board.file(number)
        for letter in case.letters:
            party = letter.queued.to_party
            if letter.counts_as_sent or letter.state is LetterState.WITHDRAWN:
                continue
            if party is None:
                self._try(lambda letter=letter: self._bring(number, letter.id))  # type: ignore[misc]  # bound at once
                continue
            self._try(lambda letter=letter, party=party: self._serve(number, party, letter.queued.letter))  # type: ignore[misc]  # bound at once

    def _bring(self, number: str, letter: int) -> None:
        on = self.board.look(number, self.clerk).today
        record_office_service(
            self.board.docket, self.clerk, number, letter, how="by hand", on=on, by="the clerk"
        )

    def _serve(self, number: str, party: int, letter: str) -> None:
        today = self.board.look(number, self.clerk).today
        record_service(
            self.board.docket,
            self.clerk,
            number,
            party=party,
            letter=letter,
            how="by hand",
            on=today,
            by="the clerk",
            received_on=today,
        )


def appointed(board: Board) -> DiligentOffice:
    """Appoint a clerk, a chair and four members who are named in no case; those who sat before leave.

    Somebody must be there who may change the roster: that is asserted.
    """
    docket = board.docket
    with docket.database.read() as session:
        people = roster_of(docket, session)
    today = board.clock.now().date()
    held = {person: member.roles(today) for person, member in people.members.items()}
    able = [person for person, roles in held.items() if roles & {Role.CLERK, Role.CHAIR}]
    assert able, "nobody may change the roster any more"
    first = Actor(able[0], Via.SLACK)
    new: list[Actor] = []
    for place, role in enumerate((Role.CLERK, Role.CHAIR, *[Role.MEMBER] * 4)):
        person = add_person(docket, first, f"Fresh Appointee {'ABCDEF'[place]}")
        take_role(docket, first, person, role)
        new.append(Actor(person, Via.SLACK))
    clerk, chair, *_members = new
    for person, roles in held.items():
        for role in roles & set(_SITTING):
            with suppress(Refusal):
                leave_role(docket, clerk, person, role, reason="the term ended")
    return DiligentOffice(board, clerk, chair, tuple(new[1:]))
