"""THE GATE: every act on the record and every look into it passes here; callers import from this room alone."""

from store.cases.acts import Act, act
from store.cases.calendars import adopt_calendar
from store.cases.due_dates import open_cases, refresh_dues
from store.cases.gate import Look, entitled, look, looks, open_case, papers_for, papers_for_all, visible_cases
from store.cases.lines import forget_line
from store.cases.lists import Listed, Listing, Order, Page, Pending, most_urgent, page_of, pending
from store.cases.opening import TEST_MARK, open_docket
from store.cases.papers import MOST_PHOTOS, Paper, check_paper, is_photo, paper_bytes, papers, read_document
from store.cases.places import Shown, claim_event, forget_shown, is_claimed, note_shown, release_event, shown
from store.cases.record import (
    MACHINE,
    Actor,
    Docket,
    board_facts,
    calendar_of,
    calendar_text,
    case_by_number,
    case_ids,
    case_key,
    is_there,
    load_case,
    load_cases,
    number_pattern,
    people_and_profile,
    profile_in_force,
    profile_of,
    recorded,
    roster_of,
)
from store.cases.reindexing import reindex
from store.cases.rights import situation_of, standing_of
from store.cases.verifying import CameTo, Pass, verify

__all__ = [
    "MACHINE",
    "MOST_PHOTOS",
    "TEST_MARK",
    "Act",
    "Actor",
    "CameTo",
    "Docket",
    "Listed",
    "Listing",
    "Look",
    "Order",
    "Page",
    "Paper",
    "Pass",
    "Pending",
    "Shown",
    "act",
    "adopt_calendar",
    "board_facts",
    "calendar_of",
    "calendar_text",
    "case_by_number",
    "case_ids",
    "case_key",
    "check_paper",
    "claim_event",
    "entitled",
    "forget_line",
    "forget_shown",
    "is_claimed",
    "is_photo",
    "is_there",
    "load_case",
    "load_cases",
    "look",
    "looks",
    "most_urgent",
    "note_shown",
    "number_pattern",
    "open_case",
    "open_cases",
    "open_docket",
    "page_of",
    "paper_bytes",
    "papers",
    "papers_for",
    "papers_for_all",
    "pending",
    "people_and_profile",
    "profile_in_force",
    "profile_of",
    "read_document",
    "recorded",
    "refresh_dues",
    "reindex",
    "release_event",
    "roster_of",
    "shown",
    "situation_of",
    "standing_of",
    "verify",
    "visible_cases",
]
