"""The shipped ordinance as data, and what is said of a profile that cannot be used."""

import re
from datetime import time
from pathlib import Path

import pytest

from store.rules.ballots import Needed
from store.rules.dates import Act, Unit
from store.rules.errors import BadInput
from store.rules.ordinance import (
    Basis,
    Exit,
    Finality,
    Fulfilled,
    Kind,
    Office,
    Opens,
    Per,
    Records,
    SignatureKind,
    Standing,
    Starts,
    WhoseReceipt,
    parse_profile,
    profile_hash,
)
from tests.rules.profile_builders import changed, profile_of, text_of

ORDINANCE = Path(__file__).parents[1] / "data" / "rules" / "ordinance.txt"
CLAUSES = [
    "A-refer",
    "A-form",
    "A-acknowledge",
    "A-forward",
    "B-inquiry",
    "B-respond",
    "C-confidential",
    "C1-evidence",
    "C2-disclosure",
    "D-determine",
    "D-terminate",
    "E1-notify",
    "E1a-reprimand",
    "E1b-hearing",
    "E2-demand",
    "F-false",
]
WORKING, DAYS = Unit.WORKING_DAYS, Unit.DAYS
STATUTORY, TARGET = Basis.STATUTORY, Basis.TARGET
ROWS = [
    # id, clause, owed by, per, starts at, period, unit, basis, done by
    ("refer", "A-refer", "city_manager", "case", "receipt", 1, WORKING, TARGET, "referral_recorded"),
    (
        "acknowledge",
        "A-acknowledge",
        "board",
        "complainant",
        "receipt",
        10,
        WORKING,
        STATUTORY,
        "acknowledged",
    ),
    (
        "name-respondents",
        "A-forward",
        "staff",
        "case",
        "receipt",
        10,
        WORKING,
        STATUTORY,
        "respondents_named",
    ),
    ("forward", "A-forward", "board", "respondent", "receipt", 10, WORKING, STATUTORY, "notice_served"),
    ("inquiry", "B-inquiry", "board", "case", "proper_receipt", 30, DAYS, STATUTORY, "inquiry_concluded"),
    ("respond", "B-respond", "respondent", "respondent", "notice_served", 10, DAYS, TARGET, "responded"),
    ("determine", "D-determine", "board", "respondent", "inquiry_held", 10, WORKING, TARGET, "determined"),
    (
        "transmit",
        "D-terminate",
        "board",
        "party",
        "adverse_conclusion",
        1,
        WORKING,
        TARGET,
        "decision_transmitted",
    ),
    ("notify", "E1-notify", "board", "respondent", "sufficient_basis", 1, WORKING, TARGET, "notified"),
    (
        "reprimand",
        "E1a-reprimand",
        "board",
        "respondent",
        "reprimand_decided",
        3,
        WORKING,
        TARGET,
        "reprimand_delivered reprimand_served",
    ),
    (
        "hearing",
        "E1b-hearing",
        "board",
        "respondent",
        "hearing_decided",
        None,
        DAYS,
        TARGET,
        "hearing_opened",
    ),
    (
        "demand",
        "E2-demand",
        "respondent",
        "respondent",
        "reprimand_received",
        5,
        DAYS,
        STATUTORY,
        "demand_recorded",
    ),
]


def test_the_clauses_are_the_ordinances_own_words_whole_and_in_order() -> None:
    law = re.sub(r"\((?:[A-F]|[12]|[ab])\) ", "", ORDINANCE.read_text(encoding="utf-8"))
    law = law.removesuffix("(Ord. 95-1, passed 12-5-94)\n")
    assert " ".join(one.text for one in profile_of("bramwell").clauses) == " ".join(law.split())


def test_every_clause_has_its_name_and_a_citation() -> None:
    clauses = profile_of("bramwell").clauses
    assert [one.id for one in clauses] == CLAUSES
    assert all(re.fullmatch(r"clause \([A-F]\)(\([12]\))?(\([ab]\))?", one.citation) for one in clauses)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_row_of_duties_and_rights_is_in_the_profile(row) -> None:
    name, clause, owed_by, per, starts, period, unit, basis, done_by = row
    duty = profile_of("bramwell").duty(name)
    assert (duty.clause, duty.owed_by, duty.per, duty.starts_at) == (
        clause,
        Office(owed_by),
        Per(per),
        Starts(starts),
    )
    assert (duty.period, duty.unit, duty.basis) == (period, unit, basis)
    assert duty.done_by == tuple(Fulfilled(one) for one in done_by.split())


def test_the_profile_has_no_row_besides() -> None:
    assert [one.id for one in profile_of("bramwell").duties] == [row[0] for row in ROWS]


def test_only_the_answer_and_the_demand_are_rights_and_read_as_filings() -> None:
    duties = profile_of("bramwell").duties
    assert {one.id for one in duties if one.kind is Kind.RIGHT} == {"respond", "demand"}
    assert all((one.act is Act.FILING) == (one.kind is Kind.RIGHT) for one in duties)


def test_the_decision_goes_to_each_party_and_the_reprimand_to_commission_and_officer() -> None:
    profile = profile_of("bramwell")
    assert profile.duty("transmit").owed_to == (Office.COMPLAINANT, Office.RESPONDENT)
    assert profile.duty("reprimand").owed_to == (Office.COMMISSION, Office.RESPONDENT)
    assert profile.duty("transmit").wording == "immediately"


def test_clocks_from_receipt_take_the_earlier_of_two_receipts() -> None:
    clocks = {one.id: one.clock for one in profile_of("bramwell").duties}
    assert {clocks[name] for name in ("refer", "acknowledge", "forward")} == {WhoseReceipt.EARLIEST}


def test_the_city_and_its_settings_are_carried_whole() -> None:
    profile = profile_of("bramwell")
    assert profile.standing is Standing.IN_FORCE
    assert profile.city.time_zone.key == "America/New_York"
    assert profile.address(Office.CITY_MANAGER).emails == ("citymanager@bramwell-ky.example",)
    assert profile.board.seats == 5
    assert (profile.board.ballot_rule.quorum, profile.board.ballot_rule.needed) == (
        3,
        Needed.MAJORITY_OF_VOTES_CAST,
    )
    assert profile.board.ballot_rule.only_in_meetings
    assert not profile.board.ballot_rule.recused_count_for_quorum
    assert profile.complaints.accepted_signatures == tuple(SignatureKind)
    assert "Class A misdemeanor" in profile.complaints.false_complaint_warning
    assert profile.confidentiality.exits == (Exit.PROSECUTOR, Exit.DISCLOSURE)
    assert profile.confidentiality.records is Records.ORDINANCE
    assert profile.confidentiality.annex_opens is Opens.NEVER
    assert profile.confidentiality.final is Finality.LAST_TRACK
    assert profile.reminders.stages == (7, 3, 1, 0)
    assert (profile.office_hours.opens, profile.office_hours.closes) == (time(8), time(16, 30))
    assert profile.has_referral
    assert not profile.has_appeal
    assert not profile.copy_goes_with_acknowledgement


def test_the_mitigating_circumstances_are_those_that_the_clause_names() -> None:
    profile = profile_of("bramwell")
    reprimand = profile.clause("E1a-reprimand").text
    assert len(profile.mitigating) == 3
    assert all(one.text in reprimand for one in profile.mitigating)


def test_the_general_statement_has_sections_to_choose_from() -> None:
    provisions = profile_of("bramwell").provisions
    assert len(provisions) > 3
    assert all(one.title and one.text for one in provisions)


def test_the_same_text_has_the_same_version_and_a_changed_one_another() -> None:
    text = text_of("bramwell")
    assert profile_hash(text) == profile_hash(text)
    assert profile_hash(text) != profile_hash(text + "\n")
    assert profile_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


WRONG = [
    ("seats = 5", "", "[board], seats", "missing"),
    ("seats = 5", "seats = 5\nchairs = 2", "[board], chairs", "no such key"),
    ("seats = 5", 'seats = "five"', "[board], seats", "whole number"),
    ("seats = 5", "seats = true", "[board], seats", "whole number"),
    ("seats = 5", "seats = 2", "[board]", "between 1 and seats"),
    ("quorum = 3", 'quorum = "most"', "[board], quorum", "majority_of_seats"),
    ("alternates = true", "alternates = 1", "[board], alternates", "true or false"),
    ('zone = "America/New_York"', 'zone = "Kentucky"', "[city]", "time zone"),
    ('name = "City of Bramwell"', "name = 3", "[city], name", "text in quotes"),
    ("letterhead = [", 'letterhead = "x"\nheads = [', "[city], letterhead", "square brackets"),
    ("EC-{year}-{seq:04d}", "EC-{seq:04d}", "[numbers]", "{year} and {seq}"),
    ("EC-{year}-{seq:04d}", "EC-{year}-{seq:x}", "[numbers]", "{year} and {seq}"),
    ("EC-{year}-{seq:04d}", "EC-{year}{seq:04d}", "[numbers]", "between"),
    ("EC-{year}-{seq:04d}", "EC-{year}-{seq", "[numbers]", "{year} and {seq}"),
    ("EC-{year}-{seq:04d}", "EC-{year!r}-{seq:04d}", "[numbers]", "{year} and {seq}"),
    ('emails = ["citymanager@', 'emails = ["city manager@', "[[address]] number 1", "no address"),
    ('office = "commission"', 'office = "council"', "[[address]] number 2, office", "commission"),
    ('office = "county_attorney"', 'office = "circuit_court"', "The file as a whole", "county_attorney"),
    ('office = "city_manager"', 'office = "city_clerk"', "The file as a whole", "city_manager"),
    ('id = "A-form"', 'id = "A-refer"', "The file as a whole", "two clauses"),
    ('clause = "B-inquiry"', 'clause = "B-inquest"', "The file as a whole", "inquiry"),
    ('unit = "working_days"', 'unit = "weeks"', "[[duty]] number 1, unit", "working_days"),
    ("period = 30", "period = 0", "[[duty]] number 5", "1 or more"),
    ("period = 30", "", "[[duty]] number 5", "target"),
    ("period = 30", "period = 30.5", "[[duty]] number 5, period", "whole number"),
    (
        'starts_at = "proper_receipt"',
        'starts_at = "receit"',
        "[[duty]] number 5, starts_at",
        "proper_receipt",
    ),
    ('done_by = ["acknowledged"]', "done_by = []", "[[duty]] number 2", "done_by"),
    ("stages = [7, 3, 1, 0]", "stages = [0, 1, 3]", "[reminders]", "fall"),
    ("stages = [7, 3, 1, 0]", "stages = [7, 3, 1]", "[reminders]", "0"),
    ('opens = "08:00"', 'opens = "17:00"', "[office_hours]", "later"),
    ('opens = "08:00"', 'opens = "early"', "[office_hours], opens", "08:30"),
    ('final = "last_track"', 'final = "never"', "[confidentiality], final", "each_track"),
    ("[intake]\nmax_attachments = 100", "[intake]\nmax_attachments = 0", "[intake]", "too small"),
    ("accepted_signatures = [", "accepted_signatures = []  # [", "[complaints]", "name a kind"),
    ('standing = "in_force"', 'standing = "draft"', "standing", "example"),
]


@pytest.mark.parametrize(("old", "new", "place", "mend"), WRONG)
def test_a_fault_is_named_with_its_table_its_key_and_its_mend(old, new, place, mend) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_profile(changed(old, new))
    assert place in refusal.value.says
    assert mend in refusal.value.says


def test_all_faults_are_named_at_once() -> None:
    text = changed("seats = 5", "chairs = 5").replace("max_attachments = 100", "max_attachments = []")
    with pytest.raises(BadInput) as refusal:
        parse_profile(text)
    for place in ("[board], seats", "[board], chairs", "[intake], max_attachments"):
        assert place in refusal.value.says


def test_a_text_that_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BadInput, match="line 1"):
        parse_profile("standing = \n[city]\n")


def test_an_empty_profile_is_refused() -> None:
    with pytest.raises(BadInput, match="city"):
        parse_profile("")


def test_a_time_may_be_written_without_quotes() -> None:
    assert parse_profile(changed('opens = "08:00"', "opens = 08:00:00")).office_hours.opens == time(8)


def test_what_a_profile_does_not_have_is_said_with_the_mend() -> None:
    profile = profile_of("bramwell")
    for asked in (profile.clause, profile.duty):
        with pytest.raises(BadInput) as refusal:
            asked("nothing")
        assert '"nothing"' in refusal.value.mend
    with pytest.raises(BadInput, match="circuit_court"):
        profile.address(Office.CIRCUIT_COURT)
