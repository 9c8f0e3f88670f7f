"""The course of cases in which each act gets done that needs others before it; words are planted by who does it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from store.cases import act
from store.proceedings import ballot, breach, disclosure, disposal, held_mail, meeting, planning, testimony
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.answer_time import ask_for_time, rule_on_time
from store.proceedings.closing import close_case
from store.proceedings.cure import record_cure
from store.proceedings.demand import record_commission_result, record_demand
from store.proceedings.determination import Conclusion, determine
from store.proceedings.disposition import Disposition, dispose
from store.proceedings.evidence_referral import Selection, record_evidence_receipt, turn_over_evidence
from store.proceedings.exhibits import Offer, offer_exhibit, rule_on_exhibit
from store.proceedings.false_complaint import flag_complaint
from store.proceedings.form_check import FormView, decide_form
from store.proceedings.hearing import (
    Setting,
    Sitting,
    open_hearing,
    record_result,
    record_sitting,
    send_result,
)
from store.proceedings.merger import merge
from store.proceedings.minutes import approve_minutes, write_minutes
from store.proceedings.parties import name_party
from store.proceedings.privilege import mark_privileged
from store.proceedings.receipt import file_complaint
from store.proceedings.recusal import recuse
from store.proceedings.reprimand import Receiver, record_reprimand_receipt
from store.proceedings.response import File, extend_time, record_chance_not_used, record_response
from store.proceedings.roster import add_person
from store.proceedings.screening import lift_conflict
from store.proceedings.service import record_office_service
from store.proceedings.termination import send_decision
from store.rules.access import Deed
from store.rules.facts import (
    Choice,
    Coming,
    ComplaintReceived,
    ConflictFound,
    NoticeGiven,
    PartyNamed,
    PartyRole,
    Question,
)
from store.rules.motions import Moved
from store.rules.ordinance import Office
from tests.proceedings import after_builders as after
from tests.proceedings.builders import Board
from tests.proceedings.diligent import appointed
from tests.proceedings.filings import a_filing, taken

Do = Callable[..., Any]
PAPER = File(b"%PDF a transcript", "transcript.pdf", "application/pdf")


@dataclass(frozen=True)
class Course:
    """Acts that have to be done, one after the other.

    Attributes:
        board: the record and its people.
        do: does an act by somebody, with a word in each text: act, actor, what it is given.
    """

    board: Board
    do: Do

    def run(self) -> None:
        """Do everything; no meeting is in session before or after."""
        self.heard_and_answered()
        self.voted_and_ended()
        self.after_the_vote()
        self.hearing()
        self.roundabout()
        self.meetings()

    def clerk(self, does: Do, *given: object, **words: object) -> Any:
        """Let the clerk do something."""
        return self.do(does, self.board.clerk, *given, **words)

    def chair(self, does: Do, *given: object, **words: object) -> Any:
        """Let the chair do something."""
        return self.do(does, self.board.chair, *given, **words)

    def paper(self, number: str) -> int:
        """Give the complaint's paper."""
        return next(one.fact.documents[0] for one in self.board.file(number).all(ComplaintReceived))

    def heard_and_answered(self) -> None:
        """A complaint lacks something, is cured; its respondent is served, asks for time, is heard."""
        board, now = self.board, self.board.clock.now
        number = file_complaint(board.docket, taken(board.docket, b"lacking", 301), a_filing(now()))
        self.clerk(
            decide_form, number, FormView(False, signed=False, finding="none-found", lacking=("signature",))
        )
        brought = a_filing(now(), what="cure", ack_to="", message_id="", reason="")
        self.clerk(record_cure, number, brought)
        self.clerk(decide_form, number, FormView(True, signed=True, finding="drawn"))
        track = board.respondent(number)
        board.serve(number, track)
        until = board.file(number).answer_until(track)
        assert until is not None
        request = self.clerk(
            ask_for_time, number, track, until=until + timedelta(days=7), received_at=now(), words="more"
        )
        self.chair(rule_on_time, number, request, granted=True, reason="illness")
        self.clerk(extend_time, number, track, until=until + timedelta(days=12), reason="the storm")
        self.clerk(record_response, number, track, received_at=now(), words="an answer", files=[PAPER])
        said = testimony.Statement(now(), "the chair", None, witness="a witness", words="heard")
        self.chair(testimony.record_statement, number, said, files=[PAPER])
        exhibit = self.chair(offer_exhibit, number, Offer(now(), None, PAPER, label="B-7", words="shows it"))
        self.chair(rule_on_exhibit, number, exhibit, received=True, reason="so")
        self.do(recuse, board.actor("Moritz Member"), number, "a cousin of his")
        self.clerk(mark_privileged, number, self.paper(number), reason="advice of counsel")
        with act(board.docket, board.clerk, Deed.CORRECT, number=number) as step:
            step.record(ConflictFound(board.person("Maud Member"), "name in page"))
        self.clerk(lift_conflict, number, board.person("Maud Member"), "another one")

    def voted_and_ended(self) -> None:
        """A ballot is opened early by the chair's reason, voided, opened again; the case ends outside."""
        board = self.board
        number = board.case()
        track = board.respondent(number)
        board.serve(number, track)
        held = board.meeting()
        board.decide(number, track, held, Question.JURISDICTION)
        early = ballot.Motion(track, Question.FACTUAL_BASIS, held, item="7", override_reason="waived")
        key = self.chair(ballot.open_ballot, number, early)
        self.chair(ballot.void_ballot, number, key, "opened in error")
        board.clock.advance(timedelta(days=15))
        again = self.chair(
            ballot.open_ballot, number, ballot.Motion(track, Question.FACTUAL_BASIS, held, item="8")
        )
        for place, member in enumerate(board.members):
            self.do(ballot.vote, member, number, again, Choice.NO, submission=f"c{place}")
        self.chair(ballot.close_ballot, number, again)
        self.chair(determine, number, track, Conclusion(True, False, "nothing shows it"))
        self.clerk(meeting.close_meeting, held)
        for letter in self.clerk(send_decision, number, track):
            board.settle(number, letter, "sent")
        anew = board.meeting()
        board.decide(number, track, anew, Question.FALSE_COMPLAINT)
        self.clerk(flag_complaint, number, words="the dates")
        self.clerk(meeting.close_meeting, anew)

    def after_the_vote(self) -> None:
        """Reprimands: issued, not delivered, brought by hand, demanded against; a disclosure and a release."""
        board, now = self.board, self.board.clock.now
        number, track, held = after.sufficient_case(board, Question.REPRIMAND)
        self.chair(dispose, number, track, Disposition(True, False, ("no-significant-gain",), "so it is"))
        self.clerk(meeting.close_meeting, held)
        received, track = after.issued_case(board)
        for by in Receiver:
            self.clerk(record_reprimand_receipt, received, track, by=by, at=now(), evidence="signed")
        self.clerk(record_demand, received, track, received_at=now(), words="he asks", files=[PAPER])
        (cover, *_rest) = board.file(received).letters_to("demand_cover")
        board.settle(received, cover.id, "bounced")
        today = board.look(received).today
        self.clerk(record_commission_result, received, track, on=today, result="upheld")
        self.clerk(record_office_service, received, cover.id, how="in person", on=today, by="the clerk")
        self._adjourn()
        told, track = board.served_case()
        self.clerk(record_chance_not_used, told, track, on=board.look(told).today, words="he was silent")
        chosen = Selection(Office.COUNTY_ATTORNEY, (self.paper(told),), board.look(told).today, "a motion")
        turned = self.chair(turn_over_evidence, told, chosen)
        self.clerk(record_evidence_receipt, told, turned, at=now(), evidence="signed")
        today = board.look(told).today
        self.chair(disclosure.record_disclosure, told, party=track, on=today, evidence="the Courier")
        self.chair(disclosure.confirm_publicly, told, how="press release")
        held = board.meeting()
        board.decide(told, track, held, Question.RELEASE_DOCUMENTS)
        letter = board.file(told).letters_to("notice", track)[0].queued.document
        self.chair(disclosure.release_documents, told, [letter], how="web site")
        self._adjourn()

    def _adjourn(self) -> None:
        held = meeting.meeting_in_session(self.board.docket, self.board.clerk)
        if held is not None:
            self.clerk(meeting.close_meeting, held.id)

    def hearing(self) -> None:
        """The Board's hearing: set, set anew, adjourned to a day, held, its result sent."""
        board, now = self.board, self.board.clock.now
        number, track = after.heard_case(board)
        self._adjourn()
        setting = Setting(
            now() + timedelta(days=3),
            "City Hall",
            "whether",
            (self.paper(number),),
            None,
            "a link",
            "anew",
            "shown",
        )
        self.chair(open_hearing, number, track, setting)
        board.clock.advance(timedelta(days=3, hours=1))
        again = Setting(now() + timedelta(days=4), "Room 2", "whether", (), None, "a link", "", "")
        self.chair(
            record_sitting,
            number,
            track,
            Sitting(now(), (track,), (), True, "a witness is ill", "so"),
            to=again,
        )
        board.clock.advance(timedelta(days=4, hours=1))
        self.chair(record_sitting, number, track, Sitting(now(), (track,), (), False, "both were heard"))
        self.chair(record_result, number, track, on=board.look(number).today, result="no violation")
        self.clerk(send_result, number, track)

    def roundabout(self) -> None:
        """People, breaches, held mail."""
        board, now = self.board, self.board.clock.now
        self.clerk(add_person, "Nora New", ["N. New"])
        known = self.clerk(breach.record_breach, found_at=now(), what="a card was seen")
        self.clerk(breach.record_telling, known, whom="the office", at=now(), how="by letter")
        self.clerk(breach.end_breach, known, what="taken down")
        number = board.case()
        counsel = PartyNamed(
            PartyRole.COMPLAINANT_COUNSEL,
            "Lou Lawyer",
            ("lou@law.example",),
            "1 Court Square",
            "an office",
            represents=board.file(number).complainants[0].id,
        )
        self.clerk(name_party, number, counsel)
        (first, second, *_rest) = held_mail.holding_pen(board.docket, board.clerk)
        self.clerk(
            held_mail.place_held,
            first.item,
            held_mail.HeldDecision.FILE,
            filing=a_filing(now(), reason="it is one"),
        )
        away = a_filing(now(), reason="an advertisement")
        self.clerk(held_mail.place_held, second.item, held_mail.HeldDecision.SET_ASIDE, filing=away)
        self.clerk(held_mail.bring_back, second.item, "set aside in error")
        twice = board.case()
        for letter in self.clerk(acknowledge, twice):
            board.settle(twice, letter, "sent")
        self.clerk(merge, twice, into=board.case(), reason="the same letter twice")
        self.clerk(close_case, twice, "it goes on in the other")

    def meetings(self) -> None:
        """A meeting is planned, noticed, answered, held with another in the chair; its minutes are approved."""
        board, now = self.board, self.board.clock.now
        plan = self.chair(planning.plan_meeting, planning.When(now() + timedelta(days=2), "City Hall"))
        given = NoticeGiven(now(), "in writing", "members and media", "at the door")
        self.clerk(planning.record_notice, plan, given)
        self.do(planning.answer_coming, board.actor("Mora Member"), plan, next(iter(Coming)))
        board.clock.advance(timedelta(days=2))
        held = self.chair(
            meeting.open_meeting,
            "City Hall",
            notice_given="posted",
            present=[one.person for one in board.members],
            planned=plan,
        )
        mora = board.person("Mora Member")
        self.clerk(meeting.take_chair, held, mora)
        self.clerk(meeting.record_presence, held, board.person("Milo Member"), present=False)
        self.clerk(meeting.close_session, held, Moved(mora), statute="KRS 61.810(1)(j)")
        self.clerk(meeting.return_to_open_session, held)
        self.clerk(meeting.close_meeting, held)
        self.clerk(write_minutes, held)
        anew = board.meeting()
        self.clerk(approve_minutes, held, Moved(mora, board.person("Maud Member")), changes="a word")
        self.clerk(meeting.close_meeting, anew)

    def disposed(self) -> None:
        """Ten years on: a closed file goes by a list that two approved."""
        board = self.board
        number = board.case()
        office = appointed(board)
        office.finish(number)
        board.clock.advance(timedelta(days=3700))
        numbers = disposal.may_be_listed(board.docket, office.clerk)
        listed = self.do(disposal.list_disposal, office.clerk, numbers, reason="its time is over")
        for who in (office.clerk, office.chair):
            self.do(disposal.approve_disposal, who, listed)
        self.do(disposal.carry_out, office.clerk, listed)
