"""The one table of rights: who may see and do what (C2).

Every act and every reading asks `check` where it runs, whoever calls: Slack, the command line, a
reply by mail. What a button showed an hour ago counts for nothing.

Source: clauses (A) to (E) say whose act each is; clause (C) closes the file to everybody else;
decisions 8, 12, 13 and 17.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from store.rules.errors import CaseFinal, NoSuchCase, NotAllowed, NotNow, Refusal
from store.rules.facts import Role


class Via(StrEnum):
    """The way in."""

    SLACK = "slack"
    CLI = "cli"
    MAIL = "mail"
    MACHINE = "machine"


class Membership(StrEnum):
    """What the person is in the Slack workspace; on the command line, always a member."""

    MEMBER = "member"
    GUEST = "guest"
    OTHER_TEAM = "other-team"
    DEACTIVATED = "deactivated"


class Deed(StrEnum):
    """Every act and every reading that the record knows."""

    # by Docket itself
    TAKE_MAIL = "take-mail"
    FILE_COMPLAINT = "file-complaint"
    ATTACH_PAPER = "attach-paper"
    SCREEN = "screen"
    SETTLE_LETTER = "settle-letter"
    SWEEP = "sweep"
    KEEP_CHANNEL = "keep-channel"
    TAKE_FILE_AWAY = "take-file-away"
    ADOPT_SETTINGS = "adopt-settings"
    # readings
    SEE_DOCKET = "see-docket"
    SEE_CASE = "see-case"
    READ_DOCUMENT = "read-document"
    SEE_HOLDING_PEN = "see-holding-pen"
    SEE_JOURNAL = "see-journal"
    VERIFY = "verify"
    SEE_ROSTER = "see-roster"
    # staff
    INTAKE_BY_HAND = "intake-by-hand"
    PLACE_HELD_MAIL = "place-held-mail"
    SAY_WHO_IS_NAMED = "say-who-is-named"
    RECORD_RECEIPT = "record-receipt"
    DECIDE_FORM = "decide-form"
    SEND_CURE_NOTICE = "send-cure-notice"
    NAME_PARTY = "name-party"
    NAME_COUNSEL = "name-counsel"
    ACKNOWLEDGE = "acknowledge"
    SERVE_NOTICE = "serve-notice"
    RECORD_SERVICE = "record-service"
    RECORD_RESPONSE = "record-response"
    RULE_ON_TIME = "rule-on-time"
    RECORD_EVIDENCE = "record-evidence"
    SEND_DECISION = "send-decision"
    RECORD_DEMAND = "record-demand"
    CLOSE_CASE = "close-case"
    CORRECT = "correct"
    SET_CALENDAR = "set-calendar"
    SET_ROSTER = "set-roster"
    EXPORT = "export"
    REPORT = "report"
    HOLD = "hold"
    MARK_PRIVILEGED = "mark-privileged"
    # the City Manager
    REFER = "refer"
    # the Board
    RECUSE = "recuse"
    LIFT_CONFLICT = "lift-conflict"
    PLAN_MEETING = "plan-meeting"
    ANSWER_COMING = "answer-coming"
    OPEN_MEETING = "open-meeting"
    CLOSE_MEETING = "close-meeting"
    RECORD_PRESENCE = "record-presence"
    OPEN_BALLOT = "open-ballot"
    CLOSE_BALLOT = "close-ballot"
    VOID_BALLOT = "void-ballot"
    OVERRIDE_CHANCE = "override-chance"
    VOTE = "vote"
    HOLD_INQUIRY = "hold-inquiry"
    DETERMINE = "determine"
    DISPOSE = "dispose"
    TURN_OVER_EVIDENCE = "turn-over-evidence"
    RECORD_DISCLOSURE = "record-disclosure"
    FLAG_COMPLAINT = "flag-complaint"
    OPEN_HEARING = "open-hearing"
    SEND_HEARING_RESULT = "send-hearing-result"
    ISSUE_REPRIMAND = "issue-reprimand"
    RECORD_REPRIMAND_RECEIPT = "record-reprimand-receipt"
    REOPEN = "reopen"
    WRITE_MINUTES = "write-minutes"
    SEAL_ANNEX = "seal-annex"
    # the life of the record
    LIST_DISPOSAL = "list-disposal"
    APPROVE_DISPOSAL = "approve-disposal"
    CARRY_OUT_DISPOSAL = "carry-out-disposal"
    RECORD_BREACH = "record-breach"
    # IT
    BACK_UP = "back-up"
    ROTATE_KEYS = "rotate-keys"
    SHOW_ANEW = "show-anew"
    REINDEX = "reindex"


class Scope(StrEnum):
    """What an act touches, and so which walls it meets."""

    BOARD = "board"
    CASE = "case"


CLERK, CHAIR, MEMBER = Role.CLERK, Role.CHAIR, Role.MEMBER
MANAGER, ALTERNATE, COUNSEL, IT = Role.CITY_MANAGER, Role.ALTERNATE, Role.COUNSEL, Role.IT

_ROLE_WORDS: Mapping[Role, str] = {role: role.value for role in Role} | {MANAGER: "City Manager", IT: "IT"}
_READERS = frozenset({CLERK, CHAIR, MEMBER, COUNSEL})
# who can be cleared for intake; never the City Manager, to whom the complaint may be about, and never IT
MAY_BE_CLEARED = _READERS | {ALTERNATE}


@dataclass(frozen=True, slots=True)
class Right:
    """One row of the table: who may, what it touches, under which clause."""

    roles: frozenset[Role]
    scope: Scope
    clause: str
    machine: bool = False
    after_final: bool = True
    unscreened: bool = False

    @property
    def of_the_cleared(self) -> bool:
        """Whether it belongs to a person's look at what no machine could read."""
        return self.unscreened and not self.machine


def _case(
    *roles: Role, clause: str, machine: bool = False, final: bool = True, unscreened: bool = False
) -> Right:
    return Right(frozenset(roles), Scope.CASE, clause, machine, final, unscreened)


def _board(*roles: Role, clause: str, machine: bool = False) -> Right:
    return Right(frozenset(roles), Scope.BOARD, clause, machine)


TABLE: Mapping[Deed, Right] = {
    Deed.TAKE_MAIL: _board(clause="A-refer", machine=True),
    Deed.FILE_COMPLAINT: _case(clause="A-refer", machine=True, unscreened=True),
    Deed.ATTACH_PAPER: _case(clause="B-respond", machine=True, unscreened=True),
    Deed.SCREEN: _case(clause="C-confidential", machine=True, unscreened=True),
    Deed.SETTLE_LETTER: _case(clause="A-acknowledge", machine=True, unscreened=True),
    Deed.SWEEP: _board(clause="B-inquiry", machine=True),
    Deed.KEEP_CHANNEL: _case(clause="C-confidential", machine=True, unscreened=True),
    Deed.TAKE_FILE_AWAY: _case(clause="C-confidential", machine=True, unscreened=True),
    Deed.ADOPT_SETTINGS: _board(CLERK, IT, clause="A-form", machine=True),
    Deed.SEE_DOCKET: _board(CLERK, CHAIR, MEMBER, COUNSEL, ALTERNATE, clause="C-confidential"),
    # an alternate knows of a case only where he is seated in it: see `_hidden`
    Deed.SEE_CASE: _case(*_READERS, ALTERNATE, clause="C-confidential", unscreened=True),
    Deed.READ_DOCUMENT: _case(*_READERS, ALTERNATE, clause="C-confidential", unscreened=True),
    Deed.SEE_HOLDING_PEN: _board(CLERK, clause="C-confidential"),
    Deed.SEE_JOURNAL: _board(CLERK, CHAIR, COUNSEL, clause="C-confidential"),
    Deed.VERIFY: _board(CLERK, CHAIR, IT, COUNSEL, clause="C-confidential", machine=True),
    Deed.SEE_ROSTER: _board(CLERK, CHAIR, MEMBER, ALTERNATE, COUNSEL, IT, clause="C-confidential"),
    Deed.INTAKE_BY_HAND: _board(CLERK, clause="A-refer"),
    Deed.PLACE_HELD_MAIL: _board(CLERK, clause="A-refer"),
    Deed.SAY_WHO_IS_NAMED: _case(CLERK, clause="C-confidential", unscreened=True),
    Deed.RECORD_RECEIPT: _case(CLERK, clause="A-refer"),
    Deed.DECIDE_FORM: _case(CLERK, clause="A-form", final=False),
    Deed.SEND_CURE_NOTICE: _case(CLERK, clause="A-form", final=False),
    Deed.NAME_PARTY: _case(CLERK, clause="A-forward", final=False),
    # after finality too: see `store.proceedings.parties`, for whom
    Deed.NAME_COUNSEL: _case(CLERK, clause="B-respond"),
    Deed.ACKNOWLEDGE: _case(CLERK, clause="A-acknowledge"),
    Deed.SERVE_NOTICE: _case(CLERK, clause="A-forward"),
    Deed.RECORD_SERVICE: _case(CLERK, clause="A-forward"),
    Deed.RECORD_RESPONSE: _case(CLERK, clause="B-respond"),
    Deed.RULE_ON_TIME: _case(CHAIR, CLERK, clause="B-respond", final=False),
    Deed.RECORD_EVIDENCE: _case(CHAIR, CLERK, clause="B-respond", final=False),
    Deed.SEND_DECISION: _case(CLERK, clause="D-terminate"),
    Deed.RECORD_DEMAND: _case(CLERK, clause="E2-demand"),
    Deed.CLOSE_CASE: _case(CLERK, CHAIR, clause="C-confidential"),
    Deed.CORRECT: _case(CLERK, clause="A-refer"),
    Deed.SET_CALENDAR: _board(CLERK, clause="KRS 446.030"),
    Deed.SET_ROSTER: _board(CLERK, CHAIR, clause="C-confidential"),
    Deed.EXPORT: _case(CLERK, COUNSEL, clause="C-confidential"),
    Deed.REPORT: _board(CLERK, CHAIR, clause="C-confidential"),
    Deed.MARK_PRIVILEGED: _case(CLERK, COUNSEL, clause="KRE 503"),
    Deed.HOLD: _case(CLERK, CHAIR, COUNSEL, clause="KRS 171.410-740"),
    Deed.REFER: _case(MANAGER, CLERK, clause="A-refer", machine=True, final=False),
    Deed.RECUSE: _case(CHAIR, MEMBER, ALTERNATE, CLERK, COUNSEL, clause="B-inquiry"),
    Deed.LIFT_CONFLICT: _case(CLERK, CHAIR, clause="C-confidential", unscreened=True),
    Deed.PLAN_MEETING: _board(CHAIR, CLERK, clause="KRS 61.823"),
    Deed.ANSWER_COMING: _board(CHAIR, MEMBER, ALTERNATE, COUNSEL, CLERK, clause="KRS 61.810"),
    Deed.OPEN_MEETING: _board(CHAIR, CLERK, clause="KRS 61.810"),
    Deed.CLOSE_MEETING: _board(CHAIR, CLERK, clause="KRS 61.810"),
    Deed.RECORD_PRESENCE: _board(CHAIR, CLERK, clause="KRS 61.810"),
    Deed.OPEN_BALLOT: _case(CHAIR, CLERK, clause="D-determine", final=False),
    Deed.CLOSE_BALLOT: _case(CHAIR, CLERK, clause="D-determine"),
    Deed.VOID_BALLOT: _case(CHAIR, clause="D-determine"),
    Deed.OVERRIDE_CHANCE: _case(CHAIR, clause="B-respond", final=False),
    Deed.VOTE: _case(CHAIR, MEMBER, ALTERNATE, clause="D-determine"),
    Deed.HOLD_INQUIRY: _case(CHAIR, CLERK, clause="B-inquiry", final=False),
    Deed.DETERMINE: _case(CHAIR, CLERK, clause="D-determine", final=False),
    Deed.DISPOSE: _case(CHAIR, CLERK, clause="E1-notify", final=False),
    Deed.TURN_OVER_EVIDENCE: _case(CHAIR, CLERK, clause="C1-evidence"),
    Deed.RECORD_DISCLOSURE: _case(CHAIR, CLERK, clause="C2-disclosure"),
    Deed.FLAG_COMPLAINT: _case(CHAIR, CLERK, clause="F-false"),
    Deed.OPEN_HEARING: _case(CHAIR, CLERK, clause="E1b-hearing", final=False),
    Deed.SEND_HEARING_RESULT: _case(CHAIR, CLERK, clause="E1b-hearing"),
    Deed.ISSUE_REPRIMAND: _case(CHAIR, CLERK, clause="E1a-reprimand"),
    Deed.RECORD_REPRIMAND_RECEIPT: _case(CLERK, clause="E2-demand"),
    Deed.REOPEN: _case(CHAIR, CLERK, clause="D-determine"),
    Deed.WRITE_MINUTES: _board(CHAIR, CLERK, clause="KRS 61.835"),
    Deed.SEAL_ANNEX: _case(CHAIR, CLERK, clause="C-confidential"),
    Deed.LIST_DISPOSAL: _board(CLERK, clause="KRS 171.410-740"),
    Deed.APPROVE_DISPOSAL: _board(CLERK, CHAIR, COUNSEL, clause="KRS 171.410-740"),
    Deed.CARRY_OUT_DISPOSAL: _board(CLERK, clause="KRS 171.410-740"),
    Deed.RECORD_BREACH: _board(CLERK, CHAIR, COUNSEL, IT, clause="KRS 61.931-934"),
    Deed.BACK_UP: _board(IT, CLERK, clause="KRS 171.410-740", machine=True),
    Deed.SHOW_ANEW: _board(IT, CLERK, clause="C-confidential"),
    Deed.REINDEX: _board(IT, CLERK, clause="C-confidential"),
    Deed.ROTATE_KEYS: _board(IT, clause="KRS 171.410-740"),
}


OF_WHO_PRESIDES = frozenset(
    {
        Deed.CLOSE_MEETING,
        Deed.RECORD_PRESENCE,
        Deed.OPEN_BALLOT,
        Deed.FLAG_COMPLAINT,
        Deed.CLOSE_BALLOT,
        Deed.VOID_BALLOT,
        Deed.OVERRIDE_CHANCE,
        Deed.HOLD_INQUIRY,
        Deed.RULE_ON_TIME,
        Deed.RECORD_EVIDENCE,
        Deed.DETERMINE,
        Deed.DISPOSE,
        Deed.OPEN_HEARING,
    }
)
"""What a member may do while he presides in the chair's place: the chair may be absent, or out of the case."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Who asks, as looked up when he asks.

    Attributes:
        roles: roles held today by the person, or by the one he acts for.
        machine: True for Docket itself (the mail it takes, the sweep); no person.
        membership: what he is in the Slack workspace.
        deputy_ok: True unless he acts for somebody who did not name him.
        presides: a member who presides over the meeting in session in the chair's place.
    """

    roles: frozenset[Role] = frozenset()
    machine: bool = False
    membership: Membership = Membership.MEMBER
    deputy_ok: bool = True
    presides: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """The case as far as rights hang on it.

    Attributes:
        screened: the complaint was searched, or a cleared person said who is named.
        paper_screened: the same of the one paper that is asked for; True where none is.
        walled: the asker is named in it, and nobody lifted that.
        recused: the asker stepped back from it.
        final: its last track is final.
        seated: the asker is an alternate who was seated in it.
        intake_cleared: the asker is one of those cleared for unscreened papers: a clerk, or whoever the
            profile puts in the clerks' place where none of them may know of the case.
    """

    screened: bool = True
    paper_screened: bool = True
    walled: bool = False
    recused: bool = False
    final: bool = False
    seated: bool = False
    intake_cleared: bool = False


BOARD_BUSINESS = Situation()


def check(deed: Deed, standing: Standing, situation: Situation = BOARD_BUSINESS) -> None:
    """Let an act run, or say why not.

    Raises:
        NoSuchCase: he may not even know that the case exists; the answer is that there is none.
        NotAllowed: he may know of it, but this is not his to do.
        NotNow: he is cleared for its unread papers, and must say first who is named in them.

    Source: clause (C); decisions 8 and 12.
    """
    refusal = refusal_of(deed, standing, situation)
    if refusal is not None:
        raise refusal


def may(deed: Deed, standing: Standing, situation: Situation = BOARD_BUSINESS) -> bool:
    """Say whether an act would run; for lists and buttons, never instead of `check`."""
    return refusal_of(deed, standing, situation) is None


def refusal_of(deed: Deed, standing: Standing, situation: Situation) -> Refusal | None:
    """Give the answer to somebody who may not; None if he may."""
    right = TABLE[deed]
    if standing.machine:
        return (
            None
            if right.machine
            else NotAllowed(
                "Docket does not do this by itself.",
                clause=right.clause,
                mend="Somebody of the Board does it.",
            )
        )
    outside = _outside(standing)
    if outside is not None:
        return NoSuchCase() if right.scope is Scope.CASE else outside
    if right.scope is Scope.CASE:
        hidden = _hidden(deed, right, standing, situation)
        if hidden is not None:
            return hidden
    in_the_chair = standing.presides and deed in OF_WHO_PRESIDES and CHAIR in right.roles
    if not (standing.roles & right.roles or in_the_chair or _is_cleared(right, standing, situation)):
        return NotAllowed("This is not yours to do.", clause=right.clause, mend=_whose(right))
    return _comes_too_soon_or_late(right, standing, situation)


def _comes_too_soon_or_late(right: Right, standing: Standing, situation: Situation) -> Refusal | None:
    """Give the answer to somebody whose act it is, while papers are unread that he is cleared for, or once it is final."""
    if right.scope is Scope.CASE and _is_unread(situation) and not _is_cleared(right, standing, situation):
        return NotNow(
            "Nobody has said yet who of the roster is named in papers of this case.",
            clause="C-confidential",
            mend="Say who is named in them first: docket named.",
        )
    if situation.final and not right.after_final:
        return CaseFinal("The case is final.", clause=right.clause, mend="It can be reopened, with a reason.")
    return None


def _whose(right: Right) -> str:
    """Say to whom somebody can turn whose act it is not: never to one who may not do it either."""
    if CLERK in right.roles:
        return "Ask the clerk."
    if not right.roles:
        return "Docket does it by itself."
    return f"It is for: {', '.join(_ROLE_WORDS[role] for role in Role if role in right.roles)}."


def is_outside(standing: Standing) -> bool:
    """Say whether somebody is none of the Board's people today: no act and no reading at all is his."""
    return not standing.machine and _outside(standing) is not None


def _outside(standing: Standing) -> NotAllowed | None:
    if standing.membership is not Membership.MEMBER or not standing.roles:
        return NotAllowed(
            "You are not on the Board's roster.", clause="C-confidential", mend="Ask the clerk."
        )
    if not standing.deputy_ok:
        return NotAllowed(
            "You are not named as deputy of the person you act for.",
            clause="C-confidential",
            mend="Ask the clerk to record it.",
        )
    return None


def _hidden(deed: Deed, right: Right, standing: Standing, situation: Situation) -> Refusal | None:
    """Say whether the asker may not even know of the case."""
    if situation.walled or (situation.recused and deed is not Deed.RECUSE):
        return NoSuchCase()
    # who is cleared to look the unread papers through knows of the case, whatever he tries in it
    cleared = situation.intake_cleared and bool(standing.roles & MAY_BE_CLEARED)
    if _is_unread(situation) and not cleared:
        return NoSuchCase()
    cleared = cleared and right.of_the_cleared
    knows = cleared or standing.roles & _READERS or (ALTERNATE in standing.roles and situation.seated)
    manager_refers = deed is Deed.REFER and MANAGER in standing.roles
    if not knows and not manager_refers:
        return NoSuchCase()
    return None


def _is_unread(situation: Situation) -> bool:
    """Say whether nobody cleared has said yet who is named in what this is about."""
    return not (situation.screened and situation.paper_screened)


def _is_cleared(right: Right, standing: Standing, situation: Situation) -> bool:
    """Say whether the act is part of the look at unread papers, and the asker one who takes it."""
    return right.of_the_cleared and situation.intake_cleared and bool(standing.roles & MAY_BE_CLEARED)
