"""The action id of every button and modal of Docket, so that a card can name them."""

from collections.abc import Mapping
from enum import StrEnum

from store.rules.access import Deed


class Do(StrEnum):
    """What a button does, or what a modal submits."""

    FORM_CHECK = "form_check"
    TURN_FORM = "turn_form_papers"
    CURE_NOTICE = "cure_notice"
    CURE = "cure_by_hand"
    REFER = "refer"
    RECORD_REFERRAL = "record_referral"
    WHO_IS_NAMED = "who_is_named"
    LIFT_CONFLICT = "lift_conflict"
    PHOTOS = "photos_as_one_pdf"
    NAME_RESPONDENTS = "name_respondents"
    NAME_COUNSEL = "name_counsel"
    NO_RESPONDENT = "no_respondent"
    ACKNOWLEDGE = "acknowledge"
    SEND_NOTICE = "send_notice"
    CHANCE_NOT_USED = "chance_not_used"
    TAKE_BACK = "take_back_letter"
    TAKE_BACK_NOW = "take_back_letter_now"
    RECUSE = "recuse"
    OPEN_MEETING = "open_meeting"
    PLAN_MEETING = "plan_meeting"
    MOVE_MEETING = "move_meeting"
    CALL_OFF = "call_off_meeting"
    NOTICE_GIVEN = "notice_given"
    COMING = "coming"
    CALENDAR_FILE = "calendar_file"
    APPROVE_MINUTES = "approve_minutes"
    PRESENCE = "presence"
    CLOSED_SESSION = "closed_session"
    OPEN_SESSION = "open_session"
    CLOSE_MEETING = "close_meeting"
    OPEN_BALLOT = "open_ballot"
    VOTE = "vote"
    CLOSE_BALLOT = "close_ballot"
    VOID_BALLOT = "void_ballot"
    DETERMINE = "determine"
    WHY_DATES = "why_this_date"
    OPEN_FILE = "open_file"
    TURN_FILE = "turn_file"
    SHOW_DOCUMENT = "show_document"
    SHOW_PAGE = "show_document_page"
    SEND_DECISION = "send_decision"
    RECORD_SERVICE = "record_service"
    PRINT_PACKET = "print_packet"
    RECORD_RESPONSE = "record_response"
    ASK_TIME = "ask_time"
    RULE_TIME = "rule_time"
    APPEARANCE = "appearance"
    STATEMENT = "statement"
    OFFER_EXHIBIT = "offer_exhibit"
    RULE_EXHIBIT = "rule_exhibit"
    HOLD_INQUIRY = "hold_inquiry"
    WHAT_NEXT = "what_happens_next"
    HELD_MAIL = "held_mail"
    SEND_HELD = "send_held_mail"
    SHOW_CARD = "show_card"
    HISTORY = "history"
    TIMELINE = "timeline"
    DISPOSE = "dispose"
    ISSUE_REPRIMAND = "issue_reprimand"
    REPRIMAND_RECEIVED = "reprimand_received"
    RECORD_DEMAND = "record_demand"
    COMMISSION_RESULT = "commission_result"
    OPEN_HEARING = "open_hearing"
    HEARING_SAT = "hearing_sat"
    HEARING_RESULT = "hearing_result"
    SEND_RESULT = "send_result"
    TURN_OVER_EVIDENCE = "turn_over_evidence"
    EVIDENCE_RECEIVED = "evidence_received"
    RECORD_DISCLOSURE = "record_disclosure"
    CONFIRM_PUBLICLY = "confirm_publicly"
    RELEASE_DOCUMENTS = "release_documents"
    FLAG_COMPLAINT = "flag_complaint"
    CORRECT_RECEIPT = "correct_receipt"
    WITHDRAW = "withdraw"
    MERGE = "merge"
    REOPEN = "reopen"
    CLOSE_CASE = "close_case"
    PLACE_HOLD = "place_hold"
    LIFT_HOLD = "lift_hold"
    WRITE_MINUTES = "write_minutes"
    MORE_ACTS = "more_acts"
    AMEND = "amend"
    MANAGER_RECEIPT = "manager_receipt"
    PARTIES = "parties"
    TURN_PARTIES = "turn_parties"
    CHANGE_PARTY = "change_party"
    ROSTER = "roster"
    TURN_ROSTER = "turn_roster"
    ADD_PERSON = "add_person"
    CHANGE_PERSON = "change_person"
    RENAME_PERSON = "rename_person"
    TAKE_ROLE = "take_role"
    LEAVE_ROLE = "leave_role"
    LINK_ACCOUNT = "link_account"
    UNLINK_ACCOUNT = "unlink_account"
    NAME_DEPUTY = "name_deputy"
    AWAY = "away"
    CLOSE_DAY = "close_day"
    READ_CLOSURES = "read_closures"
    ADOPT_YEAR = "adopt_year"
    TURN_DOCKET = "turn_docket"
    TURN_HOME = "turn_home"
    TURN_LETTERS = "turn_letters"
    TURN_HISTORY = "turn_history"


# the act or reading behind each button and form: its entry says who did it, for whoever comes second, and it is
# what a payload that cannot be read is journaled as
DEEDS: Mapping[Do, Deed] = {
    Do.FORM_CHECK: Deed.DECIDE_FORM,
    Do.TURN_FORM: Deed.DECIDE_FORM,
    Do.CURE_NOTICE: Deed.SEND_CURE_NOTICE,
    Do.CURE: Deed.RECORD_RECEIPT,
    Do.REFER: Deed.REFER,
    Do.RECORD_REFERRAL: Deed.REFER,
    Do.WHO_IS_NAMED: Deed.SAY_WHO_IS_NAMED,
    Do.LIFT_CONFLICT: Deed.LIFT_CONFLICT,
    Do.NAME_RESPONDENTS: Deed.NAME_PARTY,
    Do.NAME_COUNSEL: Deed.NAME_COUNSEL,
    Do.NO_RESPONDENT: Deed.NAME_PARTY,
    Do.ACKNOWLEDGE: Deed.ACKNOWLEDGE,
    Do.SEND_NOTICE: Deed.SERVE_NOTICE,
    Do.CHANCE_NOT_USED: Deed.RECORD_RESPONSE,
    Do.RECORD_RESPONSE: Deed.RECORD_RESPONSE,
    Do.ASK_TIME: Deed.RECORD_RESPONSE,
    Do.RULE_TIME: Deed.RULE_ON_TIME,
    Do.OFFER_EXHIBIT: Deed.RECORD_EVIDENCE,
    Do.RULE_EXHIBIT: Deed.RECORD_EVIDENCE,
    Do.APPEARANCE: Deed.RECORD_EVIDENCE,
    Do.STATEMENT: Deed.RECORD_EVIDENCE,
    Do.RECORD_SERVICE: Deed.RECORD_SERVICE,
    Do.PRINT_PACKET: Deed.RECORD_SERVICE,
    Do.SEND_DECISION: Deed.SEND_DECISION,
    Do.HOLD_INQUIRY: Deed.HOLD_INQUIRY,
    Do.OPEN_BALLOT: Deed.OPEN_BALLOT,
    Do.CLOSE_BALLOT: Deed.CLOSE_BALLOT,
    Do.VOID_BALLOT: Deed.VOID_BALLOT,
    Do.DETERMINE: Deed.DETERMINE,
    Do.DISPOSE: Deed.DISPOSE,
    Do.ISSUE_REPRIMAND: Deed.ISSUE_REPRIMAND,
    Do.REPRIMAND_RECEIVED: Deed.RECORD_REPRIMAND_RECEIPT,
    Do.RECORD_DEMAND: Deed.RECORD_DEMAND,
    Do.OPEN_HEARING: Deed.OPEN_HEARING,
    Do.HEARING_SAT: Deed.OPEN_HEARING,
    Do.HEARING_RESULT: Deed.OPEN_HEARING,
    Do.SEND_RESULT: Deed.SEND_HEARING_RESULT,
    Do.TURN_OVER_EVIDENCE: Deed.TURN_OVER_EVIDENCE,
    Do.RECORD_DISCLOSURE: Deed.RECORD_DISCLOSURE,
    Do.FLAG_COMPLAINT: Deed.FLAG_COMPLAINT,
    Do.CLOSE_CASE: Deed.CLOSE_CASE,
    Do.REOPEN: Deed.REOPEN,
    Do.TAKE_BACK: Deed.ACKNOWLEDGE,
    Do.TAKE_BACK_NOW: Deed.ACKNOWLEDGE,
    Do.TURN_LETTERS: Deed.ACKNOWLEDGE,
    Do.RECUSE: Deed.RECUSE,
    Do.OPEN_MEETING: Deed.OPEN_MEETING,
    Do.PRESENCE: Deed.RECORD_PRESENCE,
    Do.CLOSED_SESSION: Deed.RECORD_PRESENCE,
    Do.OPEN_SESSION: Deed.RECORD_PRESENCE,
    Do.CLOSE_MEETING: Deed.CLOSE_MEETING,
    Do.VOTE: Deed.VOTE,
    Do.WRITE_MINUTES: Deed.WRITE_MINUTES,
    Do.APPROVE_MINUTES: Deed.WRITE_MINUTES,
    **dict.fromkeys((Do.PLAN_MEETING, Do.MOVE_MEETING, Do.CALL_OFF, Do.NOTICE_GIVEN), Deed.PLAN_MEETING),
    **dict.fromkeys((Do.COMING, Do.CALENDAR_FILE), Deed.ANSWER_COMING),
    Do.COMMISSION_RESULT: Deed.RECORD_DEMAND,
    Do.EVIDENCE_RECEIVED: Deed.TURN_OVER_EVIDENCE,
    Do.CONFIRM_PUBLICLY: Deed.RECORD_DISCLOSURE,
    Do.RELEASE_DOCUMENTS: Deed.RECORD_DISCLOSURE,
    Do.CORRECT_RECEIPT: Deed.CORRECT,
    Do.MANAGER_RECEIPT: Deed.RECORD_RECEIPT,
    Do.WITHDRAW: Deed.CORRECT,
    Do.MERGE: Deed.CORRECT,
    Do.AMEND: Deed.CORRECT,
    Do.PARTIES: Deed.CORRECT,
    Do.TURN_PARTIES: Deed.CORRECT,
    Do.CHANGE_PARTY: Deed.CORRECT,
    Do.PLACE_HOLD: Deed.HOLD,
    Do.LIFT_HOLD: Deed.HOLD,
    Do.HELD_MAIL: Deed.PLACE_HELD_MAIL,
    Do.SEND_HELD: Deed.SEE_HOLDING_PEN,
    Do.ROSTER: Deed.SEE_ROSTER,
    Do.TURN_ROSTER: Deed.SEE_ROSTER,
    **dict.fromkeys(
        (
            Do.ADD_PERSON,
            Do.CHANGE_PERSON,
            Do.RENAME_PERSON,
            Do.TAKE_ROLE,
            Do.LEAVE_ROLE,
            Do.LINK_ACCOUNT,
            Do.UNLINK_ACCOUNT,
            Do.NAME_DEPUTY,
            Do.AWAY,
        ),
        Deed.SET_ROSTER,
    ),
    **dict.fromkeys((Do.CLOSE_DAY, Do.READ_CLOSURES, Do.ADOPT_YEAR), Deed.SET_CALENDAR),
    Do.SHOW_DOCUMENT: Deed.READ_DOCUMENT,
    Do.SHOW_PAGE: Deed.READ_DOCUMENT,
    Do.PHOTOS: Deed.READ_DOCUMENT,
    **dict.fromkeys(
        (
            Do.WHY_DATES,
            Do.WHAT_NEXT,
            Do.HISTORY,
            Do.TURN_HISTORY,
            Do.TIMELINE,
            Do.OPEN_FILE,
            Do.TURN_FILE,
            Do.SHOW_CARD,
            Do.MORE_ACTS,
        ),
        Deed.SEE_CASE,
    ),
    Do.TURN_DOCKET: Deed.SEE_DOCKET,
    Do.TURN_HOME: Deed.SEE_DOCKET,
}
