"""Every sentence that more than one place shows in Slack. No name, allegation or file name stands in one."""

from collections.abc import Iterable
from datetime import date, datetime
from zoneinfo import ZoneInfo

from store.rules.counted import counted
from store.rules.duties import Step
from store.rules.errors import Refusal
from store.rules.facts import Choice, PartyRole, Question, Role
from store.rules.ordinance import Profile, Starts

LOADING = "One moment: the record is being opened."
CLICK_AGAIN = "That took too long to open. Nothing was changed. Please click again."
NOT_YOURS = "Docket answers only the people on the Board's roster. Ask the clerk."
UNKNOWN_CLICK = (
    "This button is from another version of Docket and does nothing any more. Nothing was changed. "
    "Open the case again with /ethics case NUMBER."
)
ALREADY_TAKEN = "This was taken already; it counts once."
NOTICE = "Docket"
BEGUN = (
    "This was begun before, and nothing says that it was finished. Look at the case: if it is not recorded there, "
    "open the form anew and submit that."
)
RECORDING = "Being recorded. This window says when it is done; until then it is not."
SHOWN_AGAIN = "Shown again: it is not sure that the first showing reached you."
SHOWN_IN_CHANNEL = "The timeline is in the case's channel."
SENT_TO_YOU = "Sent to your direct messages. That it was delivered to you is recorded."
SENT_TO_YOU_ONLY = "Sent to your direct messages."
MORE_DATES_MOVED = (
    "More dates moved than fit here: each case shows its own, and /ethics docket all by their next date."
)
MORE_THAN_FITS = "More than fits here. Open the file for the rest."

ROLE_NAMES = {
    Role.CITY_MANAGER: "City Manager",
    Role.CLERK: "clerk",
    Role.CHAIR: "chair",
    Role.MEMBER: "member",
    Role.ALTERNATE: "alternate",
    Role.COUNSEL: "counsel",
    Role.IT: "IT",
}
PARTY_ROLES = {
    PartyRole.COMPLAINANT: "Complainant",
    PartyRole.COMPLAINANT_COUNSEL: "Counsel of the complainant",
    PartyRole.RESPONDENT: "Respondent",
    PartyRole.RESPONDENT_COUNSEL: "Counsel of a respondent",
}
QUESTIONS = {
    Question.JURISDICTION: "Is the complaint within the Board's jurisdiction?",
    Question.FACTUAL_BASIS: "Does it allege a minimal factual basis for a violation?",
    Question.FRIVOLOUS: "Is the complaint frivolous?",
    Question.REPRIMAND: "Shall the Board issue a confidential reprimand?",
    Question.HEARING: "Shall the Board initiate a hearing?",
    Question.NO_FURTHER_ACTION: "Shall the Board take no further action?",
    Question.RELEASE_DOCUMENTS: "Shall documents issued to a party be made public?",
    Question.FALSE_COMPLAINT: "Shall the complaint be flagged under (F), for a prosecutor to look at? No finding.",
}
CHOICES = {Choice.YES: "Yes", Choice.NO: "No", Choice.ABSTAIN: "Abstain"}


def unexpected(reference: str) -> str:
    """Say that something failed that nobody foresaw, with its number."""
    return (
        f"Something went wrong on our side, number {reference}. What was recorded before is safe. "
        "Staff are told. Look at the case before you try again."
    )


def letters_wait(count: int, number: str) -> str:
    """Say that letters were written, and that they wait."""
    if count == 1:
        return (
            f"1 letter was written for case {number}. By mail it goes out in a few minutes; until then it can be "
            "taken back under Letters. Without an address it waits on paper."
        )
    return (
        f"{counted(count, 'letter')} were written for case {number}. By mail they go out in a few minutes; until then they "
        "can be taken back under Letters. Those without an address wait on paper."
    )


def alarm(reference: str) -> str:
    """Tell staff of an unforeseen error, with its number only."""
    return (
        f"An unforeseen error, number {reference}. What was recorded before is safe. "
        "Give the number to whoever looks after Docket; the log has the place."
    )


def refusal(error: Refusal, profile: Profile | None = None) -> str:
    """Say why something may not be done: what, under which clause, what is safe, and what to do instead."""
    return error.answer(_citation(error.clause, profile))


def _citation(clause: str, profile: Profile | None) -> str:
    if profile is not None:
        for one in profile.clauses:
            if one.id == clause:
                return one.citation
    return clause


def day(on: date | None) -> str:
    """Write a day as in Fri 2026-03-13; a dash for none."""
    return f"{on:%a %Y-%m-%d}" if on else "–"


def demand_open(steps: Iterable[Step], track: int) -> str:
    """Say until when a demand of a respondent is open by the receipts on the record (E)(2); empty where no time runs."""
    rights = (one for one in steps if one.duty.starts_at is Starts.REPRIMAND_RECEIVED and one.party == track)
    until = next((one.open_until for one in rights), None)
    return f" As the receipts stand, a demand is open until {day(until)}." if until else ""


def instant(at: datetime, zone: ZoneInfo) -> str:
    """Write an instant in the city's zone, with the zone's short name."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M %Z}"


def heading(number: str, on: date) -> str:
    """Give what lock screens and e-mail digests may show: case number and date, nothing else."""
    return f"{number} · {on.isoformat()}"


def notice(on: date) -> str:
    """Give what they may show where it is about no case."""
    return f"Docket · {on.isoformat()}"


def respondent(place: int, of: int) -> str:
    """Name a respondent's track without a name."""
    return "The respondent" if of == 1 else f"Respondent {place} of {of}"
