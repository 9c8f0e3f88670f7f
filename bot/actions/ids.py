"""The action id of every button and modal of Docket, so that a card can name them."""

from collections.abc import Mapping
from enum import StrEnum

from store.rules.access import Deed


class Do(StrEnum):
    """What a button does, or what a modal submits."""

    FORM_CHECK = "form_check"
    CURE_NOTICE = "cure_notice"
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
    CORRECT_RECEIPT = "correct_receipt"
    WITHDRAW = "withdraw"
    MERGE = "merge"
    REOPEN = "reopen"
    CLOSE_CASE = "close_case"
    PLACE_HOLD = "place_hold"
    LIFT_HOLD = "lift_hold"
    WRITE_MINUTES = "write_minutes"
    MORE_ACTS = "more_acts"


# the act whose entry says who did it, for whoever comes second
DEEDS: Mapping[Do, Deed] = {
    Do.FORM_CHECK: Deed.DECIDE_FORM,
    Do.CURE_NOTICE: Deed.SEND_CURE_NOTICE,
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
    Do.RECORD_SERVICE: Deed.RECORD_SERVICE,
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
    Do.CLOSE_CASE: Deed.CLOSE_CASE,
    Do.REOPEN: Deed.REOPEN,
}
