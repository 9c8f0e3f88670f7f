"""Further acts for the walk: around the parties, the papers, the letters; and the Board's own business."""

from collections.abc import Callable
from datetime import timedelta

from store.cases import open_case, read_document, roster_of
from store.proceedings import meeting, parties
from store.proceedings.calendar import adopt_calendar, close_day
from store.proceedings.correction import amend
from store.proceedings.delivery import take_back
from store.proceedings.evidence_referral import record_evidence_receipt
from store.proceedings.exhibits import Offer, offer_exhibit
from store.proceedings.minutes import write_minutes
from store.proceedings.referral import record_manager_receipt
from store.proceedings.response import File, extend_time
from store.proceedings.roster import (
    add_person,
    away,
    leave_role,
    link,
    name_deputy,
    rename_person,
    take_role,
    unlink,
)
from store.proceedings.screening import lift_conflict
from store.proceedings.service import record_service
from store.rules.access import Deed
from store.rules.casefile import CaseFile
from store.rules.facts import (
    Basis,
    ComplaintReceived,
    EvidenceTurnedOver,
    LinkKind,
    PartyNamed,
    PartyRole,
    ReceiptEvidence,
    ReceivedBy,
    Role,
)
from store.rules.motions import Moved
from tests.proceedings.attempts import Attempt, Tried
from tests.proceedings.builders import CALENDAR, Board

_ROLES = tuple(PartyRole)
_COUNSEL = frozenset({PartyRole.RESPONDENT_COUNSEL, PartyRole.COMPLAINANT_COUNSEL})


def around_the_case(board: Board, case: CaseFile, pick: int, people: list[int]) -> list[Attempt]:
    """Acts on one case that come beside its course."""
    number, now = case.number, board.clock.now()
    today = board.clock.now().date()
    everybody = [one.id for one in case.parties] or [1]
    party, person = everybody[pick % len(everybody)], people[pick % len(people)]
    letter = case.letters[pick % len(case.letters)] if case.letters else None
    turned = next((one.id for one in case.all(EvidenceTurnedOver)), 1)
    role = _ROLES[pick % len(_ROLES)]
    of = party if role in _COUNSEL else None
    mail = () if pick % 2 else ("someone@post.example",)
    someone = PartyNamed(role, f"Someone {pick}", mail, "1 Mill Lane", represents=of)
    known = case.party(party)
    is_counsel = known is not None and known.role in _COUNSEL
    corrected = PartyNamed(known.role if known else role, "Another Name", mail)
    receipt = ComplaintReceived(
        now - timedelta(days=pick),
        ReceivedBy.CITY_MANAGER,
        Basis.RECORDED_BY_STAFF,
        ReceiptEvidence(words="stamp"),
    )
    paper = File(b"%PDF", "paper.pdf", "application/pdf")

    def of_case(deed: Deed, run: Callable[..., object], *args: object, **more: object) -> Attempt:
        return deed, Tried(run, (number, *args), more)

    return [
        of_case(Deed.NAME_COUNSEL if of else Deed.NAME_PARTY, parties.name_party, someone),
        of_case(Deed.CORRECT, parties.correct_party, party, corrected=corrected, reason="misspelt"),
        of_case(
            Deed.NAME_COUNSEL if is_counsel else Deed.NAME_PARTY,
            parties.remove_party,
            party,
            reason="named in error",
        ),
        of_case(Deed.RECORD_RECEIPT, record_manager_receipt, receipt),
        of_case(Deed.LIFT_CONFLICT, lift_conflict, person, "another one of that name"),
        of_case(Deed.CORRECT, amend, received_at=now, files=[paper], named=[person] if pick == 3 else []),
        of_case(Deed.RECORD_RESPONSE, extend_time, party, until=today + timedelta(days=5), reason="illness"),
        of_case(Deed.RECORD_EVIDENCE, offer_exhibit, Offer(now, party, paper)),
        of_case(Deed.TURN_OVER_EVIDENCE, record_evidence_receipt, turned, at=now, evidence="signed"),
        of_case(Deed.ACKNOWLEDGE, take_back, letter.id if letter else 1),
        of_case(
            Deed.RECORD_SERVICE,
            record_service,
            party=letter.queued.to_party if letter else party,
            letter=letter.queued.letter if letter else "notice",
            how="in person",
            on=today,
            by="the clerk",
        ),
        of_case(Deed.SEE_CASE, open_case),
        of_case(Deed.READ_DOCUMENT, read_document, 1 + pick, where="slack"),
    ]


def of_the_board(board: Board, pick: int, people: list[int]) -> list[Attempt]:
    """The Board's own business: meetings, roster, calendar."""
    person, other = people[pick % len(people)], people[(pick + 1) % len(people)]
    today, sitting = board.clock.now().date(), [one for one in people if one % 2 == pick % 2]
    role = tuple(Role)[pick % len(Role)]
    held = meeting.meeting_in_session(board.docket, board.clerk) if board.clerk.person else None
    key = held.id if held else 1
    with board.docket.database.read() as session:
        name = roster_of(board.docket, session).members[person].name

    def of_board(deed: Deed, run: Callable[..., object], *args: object, **more: object) -> Attempt:
        return deed, Tried(run, args, more)

    return [
        of_board(Deed.RECORD_PRESENCE, meeting.record_presence, key, person, present=pick > 1),
        of_board(Deed.RECORD_PRESENCE, meeting.close_session, key, Moved(person), statute="KRS 61.810(1)(j)"),
        of_board(Deed.RECORD_PRESENCE, meeting.return_to_open_session, key),
        of_board(
            Deed.OPEN_MEETING, meeting.open_meeting, "City Hall", notice_given="posted", present=sitting
        ),
        of_board(Deed.WRITE_MINUTES, write_minutes, key),
        of_board(Deed.SET_CALENDAR, close_day, today + timedelta(days=1 + pick), "ice storm"),
        of_board(Deed.SET_CALENDAR, adopt_calendar, CALENDAR, "the list as it was"),
        of_board(Deed.SET_ROSTER, add_person, f"New Person {pick}"),
        of_board(Deed.SET_ROSTER, rename_person, person, name, aliases=(f"{name} the {pick}th",)),
        of_board(Deed.SET_ROSTER, take_role, person, role),
        of_board(Deed.SET_ROSTER, leave_role, person, role),
        of_board(Deed.SET_ROSTER, name_deputy, person, acts_for=other),
        of_board(Deed.SET_ROSTER, away, person, since=today, until=today + timedelta(days=3)),
        of_board(Deed.SET_ROSTER, link, person, LinkKind.EMAIL, f"p{pick}@bramwell-ky.example"),
        of_board(Deed.SET_ROSTER, unlink, person, LinkKind.EMAIL, f"p{pick}@bramwell-ky.example"),
    ]
