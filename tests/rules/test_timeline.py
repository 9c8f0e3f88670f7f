"""The picture of a case in time is drawn from its facts, says the same in words, and names nobody (R9)."""

import xml.etree.ElementTree as ET
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from store.rules.casefile import build
from store.rules.cells import csv_text, inert_cell
from store.rules.duties import StepState
from store.rules.facts import (
    KINDS,
    Basis,
    ComplaintReceived,
    Disclosed,
    DocumentsReleased,
    EvidenceTurnedOver,
    MergedInto,
    OfficeReceived,
    PartyNamed,
    PartyRole,
    PubliclyConfirmed,
    ReceivedBy,
    Recorded,
)
from store.rules.timeline import TOLD, Moment, Span, Timeline, in_words, stands, svg, timeline

NO_NAMESPACE = "{http://www.w3.org/2000/svg}"


def a_span(**changes: object) -> Span:
    values: dict[str, object] = {
        "what": "Forward the complaint and the general statement of the applicable provisions",
        "whom": "respondent 2",
        "clause": "A-forward",
        "began": date(2026, 2, 2),
        "act_by": date(2026, 2, 16),
        "last": date(2026, 2, 17),
        "done": None,
        "state": StepState.OPEN,
        "on_time": None,
    }
    return Span(**{**values, **changes})  # type: ignore[arg-type]  # spelled out in tests


def a_line(*spans: Span, as_of: date = date(2026, 2, 10)) -> Timeline:
    return Timeline(
        "EC-2026-0001", as_of, (Moment(date(2026, 2, 2), "complaint received <by> the Board"),), spans
    )


def test_every_mark_of_the_picture_is_a_line_in_words() -> None:
    line = a_line(a_span(), a_span(done=date(2026, 2, 9), on_time=True, state=StepState.DONE))
    words = in_words(line)
    assert len(words) == 1 + len(line.moments) + len(line.spans)
    root = ET.fromstring(svg(line))
    assert root.find(f"{NO_NAMESPACE}desc").text == " ".join(words)  # type: ignore[union-attr]
    assert root.get("role") == "img"


def test_a_step_is_late_from_the_day_after_its_lawful_last_day() -> None:
    assert stands(a_span(), date(2026, 2, 17)) == "open"
    assert stands(a_span(), date(2026, 2, 18)) == "overdue"
    assert stands(a_span(done=date(2026, 2, 18), on_time=False), date(2026, 3, 1)) == "done 2026-02-18 late"


def test_lateness_is_said_in_a_word_and_not_by_colour_alone() -> None:
    texts = [
        one.text
        for one in ET.fromstring(svg(a_line(a_span(), as_of=date(2026, 2, 18)))).iter(f"{NO_NAMESPACE}text")
    ]
    assert "late" in texts
    texts = [one.text for one in ET.fromstring(svg(a_line(a_span()))).iter(f"{NO_NAMESPACE}text")]
    assert "late" not in texts


def test_whom_a_step_concerns_is_never_cut_off() -> None:
    texts = [one.text or "" for one in ET.fromstring(svg(a_line(a_span()))).iter(f"{NO_NAMESPACE}text")]
    assert any(text.endswith("… (respondent 2)") for text in texts)


def test_the_same_facts_give_the_same_picture_however_long_the_case_ran() -> None:
    for last in (date(2026, 2, 2), date(2026, 12, 31), date(2066, 1, 1)):
        line = a_line(a_span(last=last), as_of=date(2026, 2, 2))
        assert svg(line) == svg(line)
        ET.fromstring(svg(line))


NOT_OF_A_CASE = {
    *("person-named", "person-linked", "person-unlinked", "role-taken", "role-left", "deputy-named", "away"),
    *("mail-placed", "sighted-again", "report-sent", "settings-changed", "head-stamped", "calendar-changed"),
    *("meeting-planned", "meeting-called-off", "notice-given", "coming-answered", "meeting-opened"),
    *("presence-changed", "chair-taken", "closed-session", "meeting-closed", "minutes-approved"),
    *("disposal-listed", "disposal-approved", "disposal-carried-out"),
    *("breach-recorded", "breach-told", "breach-ended"),
}
# who may know of the case, what was read, single votes, and what the letters' own lines tell
NOT_DRAWN = {
    *(
        "screened",
        "conflict-found",
        "conflict-lifted",
        "cleared-instead",
        "document-shown",
        "privilege-marked",
    ),
    *("letter-queued", "letter-set", "letter-settled", "reprimand-written", "minutes-written"),
    *("ballot-opened", "vote-cast", "exhibit-ruled", "answer-time-given", "dates-moved"),
}


def test_whatever_happens_to_a_case_is_drawn_or_left_out_on_purpose() -> None:
    drawn = {one.KIND for one in TOLD}
    assert drawn | NOT_OF_A_CASE | NOT_DRAWN == set(KINDS)
    assert not drawn & (NOT_OF_A_CASE | NOT_DRAWN)


def test_what_left_the_file_and_what_came_of_it_is_drawn_in_order() -> None:
    at = datetime(2026, 2, 3, 15, tzinfo=UTC)
    facts = (
        ComplaintReceived(at, ReceivedBy.BOARD, Basis.MAIL_SERVER),
        PartyNamed(PartyRole.RESPONDENT, "Rory Respondent"),
        Disclosed(date(2026, 2, 10), 2, "the Courier"),
        PubliclyConfirmed(at + timedelta(days=8), "press release"),
        DocumentsReleased(at + timedelta(days=9), (7, 8), 5, "web site"),
        EvidenceTurnedOver(at + timedelta(days=10), "county_attorney", (7,)),
        OfficeReceived(at + timedelta(days=11), "signed"),
        MergedInto(2, "EC-2026-0002", "the same event"),
    )
    recorded = (
        Recorded(key, fact, 1, {2: None, 7: 6}.get(key), None, at + timedelta(days=30), 1, key)
        for key, fact in enumerate(facts, 1)
    )
    case = build(1, "EC-2026-0001", at, "", recorded)
    drawn = timeline(case, (), ZoneInfo("America/New_York"), date(2026, 4, 1))
    assert [f"{one.on}: {one.says}" for one in drawn.moments] == [
        "2026-02-03: complaint received by the Board",
        "2026-02-10: inquiry made public by respondent",
        "2026-02-11: inquiry publicly confirmed",
        "2026-02-12: 2 documents made public",
        "2026-02-13: evidence turned over to the county attorney",
        "2026-02-14: evidence received by the county attorney",
        "2026-03-05: respondent named",
        "2026-03-05: merged into another case, which goes on for both",
    ]


def test_no_cell_acts_in_a_spreadsheet() -> None:
    for text in (
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "\u00a0=1",
        "\u200b=1",
        "\u3000@A",
        "\u202e=1",
        "＝1",
        "＠A",
        "\x01=1",
    ):
        assert inert_cell(text).startswith("'")
    assert inert_cell("\u202egnp.exe\u2066") == "gnp.exe"
    assert inert_cell(-3) == "-3"
    assert inert_cell("EC-2026-0001") == "EC-2026-0001"
    assert csv_text(("a", "b"), [("x,y", 'say "so"')]) == '"a","b"\r\n"x,y","say ""so"""\r\n'
