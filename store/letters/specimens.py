"""A made-up letter of each kind, to look at a template and to try it before a real letter depends on it.

Everyone in them is invented. The case is the same throughout, so that the letters read as one story.
"""

from datetime import date, datetime, timedelta, timezone
from typing import Any, Final, assert_never

from store.letters.acknowledgement import Acknowledgement
from store.letters.address_label import AddressLabel
from store.letters.annual_report import AnnualReport, Count, StepTime
from store.letters.auto_receipt import AutoReceipt, ReceivedFile
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
from store.letters.cure_notice import CureNotice, Lack
from store.letters.decision_of_termination import DecisionOfTermination, Ground, Reader
from store.letters.demand_cover import DemandCover, ReceiptOfReprimand
from store.letters.evidence_cover import EvidenceCover
from store.letters.hearing_notice import HearingNotice
from store.letters.hearing_result import HearingResult
from store.letters.letter import Addressee, Document, DueDate, Letter, Letterhead, LetterKind, Signatory
from store.letters.minutes import Attendance, ClosedSession, MinutedItem, Minutes, RecordedVote
from store.letters.minutes_annex import MinutesAnnex, SealedEntry
from store.letters.notice import Notice, Provision
from store.letters.notification import Course, Notification
from store.letters.packet_cover import PacketCover
from store.letters.referral_cover import ReferralCover
from store.letters.reprimand import Reprimand
from store.letters.reprimand_copy import ReprimandCopy

_EDT: Final = timezone(timedelta(hours=-4), "EDT")
_HEX: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_RECEIVED: Final = datetime(2026, 3, 16, 16, 58, tzinfo=_EDT)
_HALL: Final = ("City Hall, Room 204", "100 Main Street", "Riverton, KY 40000")
_BOX: Final = "ethics@riverton.example"
_CIRCUMSTANCES: Final = (
    "Lack of significant economic advantage or gain by the officer or employee",
    "Lack of economic loss to the city and its taxpayers",
)
_TEXT: Final = (
    "The officer took part in the discussion of a contract in which a close relative had an interest, and "
    "disclosed the interest only after the discussion had begun.\n\n"
    "The Board reprimands the officer for disclosing late. It expects an interest to be disclosed before a "
    "matter is called."
)
_SIGNATORY: Final = Signatory("Marian Holt", "Chair, Board of Ethics")
_COMPLAINANT: Final = Addressee("Alma Whitfield", ("12 Mill Lane", "Riverton, KY 40000"), "By e-mail")
_OFFICER: Final = Addressee(
    "Gordon Pike",
    ("Department of Public Works", "200 Water Street", "Riverton, KY 40000"),
    "By certified mail",
)
_COMMISSION: Final = Addressee(
    "City Commission of Riverton", ("100 Main Street", "Riverton, KY 40000"), "By hand"
)


def specimen(kind: LetterKind) -> Letter:
    """Give the made-up letter of a kind."""
    match kind:
        case (
            LetterKind.AUTO_RECEIPT
            | LetterKind.CURE_NOTICE
            | LetterKind.ACKNOWLEDGEMENT
            | LetterKind.NOTICE
            | LetterKind.REFERRAL_COVER
        ):
            return _at_intake(kind)
        case (
            LetterKind.DECISION_OF_TERMINATION
            | LetterKind.NOTIFICATION
            | LetterKind.REPRIMAND
            | LetterKind.REPRIMAND_COPY
            | LetterKind.HEARING_NOTICE
            | LetterKind.HEARING_RESULT
            | LetterKind.DEMAND_COVER
        ):
            return _after_the_vote(kind)
        case (
            LetterKind.EVIDENCE_COVER
            | LetterKind.MINUTES
            | LetterKind.MINUTES_ANNEX
            | LetterKind.ANNUAL_REPORT
            | LetterKind.CASE_INDEX
            | LetterKind.PACKET_COVER
            | LetterKind.ADDRESS_LABEL
        ):
            return _papers(kind)
        case unknown:
            assert_never(unknown)


def _at_intake(kind: LetterKind) -> Letter:
    """Give the letters of clause (A)."""
    makers = {
        LetterKind.AUTO_RECEIPT: _auto_receipt,
        LetterKind.CURE_NOTICE: _cure_notice,
        LetterKind.ACKNOWLEDGEMENT: _acknowledgement,
        LetterKind.NOTICE: _notice,
        LetterKind.REFERRAL_COVER: _referral_cover,
    }
    return makers[kind]()


def _after_the_vote(kind: LetterKind) -> Letter:
    """Give the letters of clauses (D) and (E)."""
    makers = {
        LetterKind.DECISION_OF_TERMINATION: _decision,
        LetterKind.NOTIFICATION: _notification,
        LetterKind.REPRIMAND: _reprimand,
        LetterKind.REPRIMAND_COPY: _reprimand_copy,
        LetterKind.HEARING_NOTICE: _hearing_notice,
        LetterKind.HEARING_RESULT: _hearing_result,
        LetterKind.DEMAND_COVER: _demand_cover,
    }
    return makers[kind]()


def _papers(kind: LetterKind) -> Letter:
    """Give the papers that go round the letters."""
    makers = {
        LetterKind.EVIDENCE_COVER: _evidence_cover,
        LetterKind.MINUTES: _minutes,
        LetterKind.MINUTES_ANNEX: _annex,
        LetterKind.ANNUAL_REPORT: _report,
        LetterKind.CASE_INDEX: _index,
        LetterKind.PACKET_COVER: _packet_cover,
        LetterKind.ADDRESS_LABEL: _label,
    }
    return makers[kind]()


def _common(to: Addressee, dated: date, **more: Any) -> dict[str, Any]:
    """Give what every specimen has."""
    head = Letterhead("City of Riverton", "Board of Ethics", _HALL, "(859) 555-0100", _BOX, "Ord. 95-1")
    common = {
        "letterhead": head,
        "signatory": _SIGNATORY,
        "addressee": to,
        "dated": dated,
        "case_number": "2026-007",
    }
    return common | more


def _auto_receipt() -> Letter:
    return AutoReceipt(
        **_common(_COMPLAINANT, date(2026, 3, 16)),
        received_at=_RECEIVED,
        acknowledge_by=DueDate(date(2026, 3, 30), "clause (A)"),
        files=(ReceivedFile(_HEX, 48213), ReceivedFile(_HEX[::-1], 1204551)),
        reply_to=_BOX,
    )


def _cure_notice() -> Letter:
    return CureNotice(
        **_common(_COMPLAINANT, date(2026, 3, 18)),
        received_at=_RECEIVED,
        lacks=(
            Lack(
                "The complaint is not signed.",
                "Sign it by hand or electronically, and send the signed paper again.",
            ),
            Lack("It does not say when the event took place.", "Add the day, or the nearest you can give."),
        ),
        reply_to=_BOX,
        answer_by=date(2026, 4, 1),
    )


def _acknowledgement() -> Letter:
    return Acknowledgement(
        **_common(_COMPLAINANT, date(2026, 3, 20)),
        received_at=_RECEIVED,
        acknowledge_by=DueDate(date(2026, 3, 30), "clause (A)"),
        inquiry_by=DueDate(date(2026, 4, 15), "clause (B)"),
        reply_to=_BOX,
        copies_to=("Counsel for the complainant",),
    )


def _notice() -> Letter:
    return Notice(
        **_common(_OFFICER, date(2026, 3, 20), enclosures=("Copy of the complaint (6 pages)",)),
        office="Superintendent, Department of Public Works",
        received_at=_RECEIVED,
        forward_by=DueDate(date(2026, 3, 30), "clause (A)"),
        provisions=(
            Provision(
                "Section 12.04",
                "Conflicts of interest",
                "An officer takes no part in a matter of personal interest.",
            ),
            Provision(
                "Section 12.07", "Gifts", "No officer accepts a gift meant to influence official action."
            ),
        ),
        answer_by=DueDate(date(2026, 4, 3), "clause (B)"),
        answer_to=_BOX,
        answer_within="10 days",
        paper_address=("Board of Ethics", *_HALL),
    )


def _referral_cover() -> Letter:
    return ReferralCover(
        **(
            _common(Addressee("The Board of Ethics", _HALL, "By hand"), date(2026, 3, 17))
            | {"signatory": Signatory("Dana Ruiz", "City Manager", signs_by_hand=True)}
        ),
        received_at=_RECEIVED,
        referred_on=date(2026, 3, 17),
        refer_by=DueDate(date(2026, 3, 17), "clause (A)"),
        documents=(Document("Complaint", _HEX, 6), Document("Photograph", _HEX[::-1])),
    )


def _decision() -> Letter:
    return DecisionOfTermination(
        **_common(_COMPLAINANT, date(2026, 4, 9)),
        reader=Reader.COMPLAINANT,
        decided_on=date(2026, 4, 8),
        ground=Ground.WITHOUT_FACTUAL_BASIS,
        conclusion=(
            "The complaint alleges that the officer steered a paving contract. The bids were opened in public and the "
            "lowest was taken.\n\nNothing in the complaint or its exhibits alleges that the officer took part."
        ),
        officers=("Gordon Pike, Superintendent, Department of Public Works",),
        vote="4 yes, 0 no, 0 abstain, 1 recused; 3 needed",
    )


def _notification() -> Letter:
    return Notification(
        **_common(_OFFICER, date(2026, 4, 9)),
        decided_on=date(2026, 4, 8),
        finding="The complaint and the officer's answer agree that the interest was disclosed late.",
        course=Course.REPRIMAND,
        vote="4 yes, 0 no, 0 abstain, 1 recused; 3 needed",
    )


def _reprimand() -> Letter:
    return Reprimand(
        **_common(_COMMISSION, date(2026, 4, 10)),
        officer="Gordon Pike",
        office="Superintendent, Department of Public Works",
        decided_on=date(2026, 4, 8),
        circumstances=_CIRCUMSTANCES,
        reprimand=_TEXT,
        vote="4 yes, 0 no, 0 abstain, 1 recused; 3 needed",
    )


def _reprimand_copy() -> Letter:
    return ReprimandCopy(
        **_common(_OFFICER, date(2026, 4, 10)),
        officer="Gordon Pike",
        office="Superintendent, Department of Public Works",
        decided_on=date(2026, 4, 8),
        circumstances=_CIRCUMSTANCES,
        reprimand=_TEXT,
        supposed_receipt_on=date(2026, 4, 13),
        keep_open_until=DueDate(date(2026, 4, 20), "clause (E)(2)"),
        demand_to=(
            "City Commission of Riverton",
            "in care of the City Clerk",
            "100 Main Street",
            "Riverton, KY 40000",
        ),
        vote="4 yes, 0 no, 0 abstain, 1 recused; 3 needed",
    )


def _hearing_notice() -> Letter:
    return HearingNotice(
        **_common(_OFFICER, date(2026, 4, 10), copies_to=("Counsel for the respondent",)),
        decided_on=date(2026, 4, 8),
        hearing_at=datetime(2026, 5, 12, 18, 30, tzinfo=_EDT),
        place=_HALL,
        issue="Whether the officer took part in a matter in which a close relative had an interest (Section 12.04).",
        answer_to=_BOX,
        papers_by=date(2026, 5, 1),
        officer="Gordon Pike, Superintendent, Department of Public Works",
        video="https://video.riverton.example/hearing",
    )


def _hearing_result() -> Letter:
    return HearingResult(
        **_common(_COMPLAINANT, date(2026, 6, 3)),
        reader=Reader.COMPLAINANT,
        held_on=(date(2026, 5, 12), date(2026, 5, 26)),
        decided_on=date(2026, 6, 2),
        officers=("Gordon Pike, Superintendent, Department of Public Works",),
        result=(
            "The Board heard the officer under oath and received four exhibits.\n\nIt finds that the interest was "
            "disclosed late, and that Section 12.04 was violated in that respect and in no other."
        ),
        answer_to=_BOX,
    )


def _demand_cover() -> Letter:
    return DemandCover(
        **_common(_COMMISSION, date(2026, 4, 20), enclosures=("The demand (1 page)",)),
        officer="Gordon Pike",
        demanded_at=datetime(2026, 4, 20, 15, 40, tzinfo=_EDT),
        receipts=(
            ReceiptOfReprimand("the Commission", date(2026, 4, 10)),
            ReceiptOfReprimand("the officer", date(2026, 4, 13)),
        ),
        open_until=DueDate(date(2026, 4, 20), "clause (E)(2)"),
        standing="The demand came in time.",
        documents=(Document("Demand, received April 20, 2026", _HEX),),
    )


def _evidence_cover() -> Letter:
    return EvidenceCover(
        **_common(
            Addressee("Office of the Commonwealth's Attorney", _HALL[1:], "By hand"), date(2026, 4, 22)
        ),
        authorised_on=date(2026, 4, 21),
        authority="Motion carried at the Board's meeting of April 21, 2026",
        exhibits=(Document("Complaint", _HEX, 6), Document("Bid register, 2025", _HEX[::-1], 14)),
        files=("exhibit-1.pdf", "exhibit-2.pdf"),
        manifest_sha256=_HEX,
        check="sha256sum -c manifest.sha256",
    )


def _minutes() -> Letter:
    votes = tuple(
        RecordedVote(name, "yes") for name in ("Marian Holt", "Peter Lang", "Ruth Abara", "Tom Eck")
    )
    return Minutes(
        **(_common(Addressee(""), date(2026, 4, 8)) | {"case_number": ""}),
        meeting="Special meeting",
        began_at=datetime(2026, 4, 8, 18, 0, tzinfo=_EDT),
        adjourned_at=datetime(2026, 4, 8, 19, 40, tzinfo=_EDT),
        place=_HALL,
        notice="Written notice with the agenda delivered and posted on April 6, 2026, at 9:00 a.m. (KRS 61.823)",
        attendance=(
            Attendance("Marian Holt", "Chair", "present"),
            Attendance("Peter Lang", "Member", "present"),
            Attendance("Ruth Abara", "Member", "present by video"),
            Attendance("Tom Eck", "Member", "present"),
            Attendance("Lena Voss", "Member", "absent"),
        ),
        quorum="Quorum: 5 seats, 0 vacant, 4 present, 3 needed. A quorum was present.",
        closed_sessions=(
            ClosedSession(
                "KRS 61.810(1)(f)",
                "Discussion that might lead to the discipline of an individual employee.",
                datetime(2026, 4, 8, 18, 10, tzinfo=_EDT),
                datetime(2026, 4, 8, 19, 15, tzinfo=_EDT),
            ),
        ),
        items=(
            MinutedItem(
                "Case 2026-007",
                "That the complaint alleges a minimal factual basis",
                "Ruth Abara",
                "Tom Eck",
                "clause (D)",
                (*votes, RecordedVote("Lena Voss", "recused")),
                "Carried: 4 yes, 0 no, 0 abstain, 1 recused; 3 needed.",
            ),
            MinutedItem("Next meeting", result="May 12, 2026, at 6:30 p.m."),
        ),
    )


def _annex() -> Letter:
    return MinutesAnnex(
        **(_common(Addressee(""), date(2026, 4, 8)) | {"case_number": ""}),
        meeting="Special meeting",
        began_at=datetime(2026, 4, 8, 18, 0, tzinfo=_EDT),
        entries=(
            SealedEntry(
                "2026-007", "Statement under oath", "The respondent was sworn by the chair.\n\n" + _TEXT
            ),
        ),
        opens="When the Board's determination in the case is final",
    )


def _report() -> Letter:
    return AnnualReport(
        **(_common(_COMMISSION, date(2027, 1, 15)) | {"case_number": ""}),
        year="2026",
        counts=(
            Count("Complaints received", 14),
            Count("Decided for every respondent", 9),
            Count("Withdrawn, and still open", None),
            Count("Still open", None),
        ),
        steps=(
            StepTime("Acknowledge receipt", "(A)", 14, 4.5, 11, 13, 92),
            StepTime("Forward to each respondent", "(A)", 17, 6.0, 9, 17, 100),
            StepTime("Preliminary inquiry", "(B)", None, 24.0, 33, None, 90),
            StepTime("Reprimand", "(E)(1)(a)", None, None, None, None, None),
            StepTime("Hearing", "(E)(1)(b)", 0, None, None, 0, None),
        ),
        outcomes=(
            Count("Without factual basis", 9, "clause (D)"),
            Count("Sufficient basis: confidential reprimand", None, "clause (E)(1)(a)"),
            Count("Sufficient basis: hearing", None, "clause (E)(1)(b)"),
        ),
        smallest=3,
        remarks="The Board thanks the staff of the City Clerk.",
    )


def _index() -> Letter:
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 40" width="960" height="40">'
        '<rect x="300" y="14" width="420" height="12" fill="#c9d1e3"/></svg>'
    )
    return CaseIndex(
        **_common(Addressee(""), date(2026, 5, 4)),
        purpose="The whole file. Confidential: clause (C) of the ordinance.",
        made_at=datetime(2026, 5, 4, 9, 30, tzinfo=_EDT),
        received_at=_RECEIVED,
        stage="closed",
        head=f"412:{_HEX}",
        timeline_svg=picture,
        timeline_words=(
            "Timeline of case 2026-007, as of 2026-05-04.",
            "2026-03-16: complaint received by the Board.",
            "2026-04-08: ballot closed: factual basis, carried.",
        ),
        parties=(
            IndexedParty("complainant", "Alma Whitfield", "", "alma@post.example"),
            IndexedParty("respondent", "Gordon Pike", "Director of Public Works", "on paper"),
        ),
        steps=(
            IndexedStep(
                "Acknowledge receipt of the complaint",
                "clause (A)",
                "complainant",
                "2026-03-27",
                "2026-03-30",
                "done 2026-03-18 in time",
            ),
        ),
        ballots=(
            IndexedBallot(
                "factual basis",
                "respondent",
                "carried",
                "4 yes, 0 no; 3 needed",
                "Ruth Abara: yes; Tom Eck: yes",
            ),
        ),
        conclusions=(Conclusion("respondent", "minimal factual basis", _TEXT),),
        happenings=(Happening("2026-03-16 16:58 EDT", "complaint received", "Docket", 3),),
        files=(IndexedFile("papers/0001-complaint.pdf", "complaint, received 2026-03-16", _HEX),),
        withheld=(Withheld("one paper of counsel", "privileged, and not chosen for this export", "KRE 503"),),
    )


def _packet_cover() -> Letter:
    return PacketCover(
        **_common(_OFFICER, date(2026, 3, 20)),
        contents=(Document("Notice of a complaint", pages=2), Document("Copy of the complaint", pages=6)),
        way="certified mail, return receipt requested",
    )


def _label() -> Letter:
    return AddressLabel(**_common(_OFFICER, date(2026, 3, 20)))
