"""Days and hours in plain words, and what particular letters must and must not say."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from store.letters.acknowledgement import Acknowledgement
from store.letters.auto_receipt import AutoReceipt, Received
from store.letters.cure_notice import CureNotice
from store.letters.decision_of_termination import DecisionOfTermination, Ground, Reader
from store.letters.hearing_result import HearingResult
from store.letters.letter import DueDate, Letter, LetterKind, Signatory
from store.letters.notice import Notice
from store.letters.notification import Course, Notification
from store.letters.referral_cover import ReferralCover
from store.letters.reprimand_copy import ReprimandCopy
from store.letters.specimens import specimen
from store.letters.wording import plain_day, plain_instant, plain_time
from store.printing import PressRoom
from store.rules.conflict import How, Passage, Person, Where, without_closing
from store.rules.possible import OFFICES, screen_widely
from tests.letters.conftest import ISSUED_AT


def _said(room: PressRoom, letter: object) -> str:
    return " ".join(room.set(letter, ISSUED_AT).text.split())  # type: ignore[arg-type]


def test_a_day_is_written_in_full() -> None:
    assert plain_day(date(2026, 3, 16)) == "Monday, March 16, 2026"
    assert plain_day(date(2024, 2, 29)) == "Thursday, February 29, 2024"


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (time(0, 0), "12:00 midnight (start of the day)"),
        (time(0, 1), "12:01 a.m."),
        (time(11, 59, 59), "11:59 a.m."),
        (time(12, 0), "12:00 noon"),
        (time(12, 1), "12:01 p.m."),
        (time(23, 59), "11:59 p.m."),
    ],
)
def test_noon_and_midnight_are_named(moment: time, words: str) -> None:
    assert plain_time(moment) == words


def test_an_instant_names_its_zone() -> None:
    eastern = timezone(timedelta(hours=-5), "EST")
    assert (
        plain_instant(datetime(2026, 1, 2, 16, 5, tzinfo=eastern))
        == "Friday, January 2, 2026, at 4:05 p.m. EST"
    )
    assert plain_instant(datetime(2026, 1, 2, 16, 5, tzinfo=UTC)).endswith("UTC")


def test_a_receipt_for_a_complaint_carries_the_neutral_warning(room: PressRoom) -> None:
    """Clause F-false."""
    said = _said(room, specimen(LetterKind.AUTO_RECEIPT))
    assert "guilty of a Class A misdemeanor" in said
    assert "says nothing about your complaint" in said


@pytest.mark.parametrize("received", [Received.MESSAGE, Received.TOO_LARGE])
def test_a_receipt_without_a_number_confirms_no_case(room: PressRoom, received: Received) -> None:
    letter = specimen(LetterKind.AUTO_RECEIPT)
    assert isinstance(letter, AutoReceipt)
    bare = replace(letter, received=received, case_number="", acknowledge_by=None, largest_mail_mb=25)
    said = _said(room, bare)
    assert "2026-007" not in said
    assert "Case number" not in said
    assert "misdemeanor" not in said
    assert "Case" not in bare.subject()


def test_mail_that_was_too_large_is_told_how_to_file(room: PressRoom) -> None:
    letter = specimen(LetterKind.AUTO_RECEIPT)
    assert isinstance(letter, AutoReceipt)
    hall = ("City Hall, Room 204", "100 Main Street")
    large = replace(
        letter,
        received=Received.TOO_LARGE,
        case_number="",
        acknowledge_by=None,
        largest_mail_mb=25,
        paper_address=hall,
    )
    said = _said(room, large)
    assert "(25 megabytes)" in said
    assert "100 Main Street" in said
    assert "have not been filed" in said


def test_a_provisional_date_says_so(room: PressRoom) -> None:
    """Decision 5."""
    letter = specimen(LetterKind.NOTICE)
    assert isinstance(letter, Notice)
    assert "provisional" not in _said(room, letter)
    later = replace(letter, answer_by=DueDate(date(2027, 1, 4), "clause (B)", provisional=True))
    assert "Monday, January 4, 2027 (clause (B) of the ordinance; this date is provisional" in _said(
        room, later
    )


def test_a_notice_states_the_rights_and_that_silence_is_no_admission(room: PressRoom) -> None:
    """Clause B-respond."""
    said = _said(room, specimen(LetterKind.NOTICE))
    for right in ("represented by counsel", "heard under oath", "offer evidence", "Silence is no admission"):
        assert right in said


def test_the_officers_copy_prints_how_long_a_demand_is_open(room: PressRoom) -> None:
    """Clause E2-demand."""
    letter = specimen(LetterKind.REPRIMAND_COPY)
    assert isinstance(letter, ReprimandCopy)
    said = _said(room, letter)
    assert "a demand is open until Monday, April 20, 2026 (clause (E)(2)" in said
    assert "If it was received later, the time runs from that later day" in said


@pytest.mark.parametrize("ground", list(Ground))
@pytest.mark.parametrize("reader", list(Reader))
def test_a_decision_states_its_ground_to_each_side(room: PressRoom, ground: Ground, reader: Reader) -> None:
    letter = specimen(LetterKind.DECISION_OF_TERMINATION)
    assert isinstance(letter, DecisionOfTermination)
    said = _said(room, replace(letter, ground=ground, reader=reader))
    assert ground.value.removeprefix("outside_").split("_")[-1] in said
    assert ("the complaint you filed" in said) is (reader is Reader.COMPLAINANT)


@pytest.mark.parametrize("course", list(Course))
def test_every_course_has_its_words(room: PressRoom, course: Course) -> None:
    letter = specimen(LetterKind.NOTIFICATION)
    assert isinstance(letter, Notification)
    said = _said(room, replace(letter, course=course))
    assert ("begins a hearing" in said) is (course in {Course.HEARING, Course.BOTH})
    assert "not a finding" in said


def _for_counsel(kind: LetterKind) -> Iterator[Letter]:
    """Give each form of a letter as counsel of record gets it."""
    letter = specimen(kind)
    letter = replace(letter, addressee=replace(letter.addressee, name="Sol Counsellor", client="Gordon Pike"))
    match letter:
        case Notification():
            yield from (replace(letter, course=course, to_counsel=True) for course in Course)
        case DecisionOfTermination() | HearingResult():
            yield from (replace(letter, reader=reader, to_counsel=True) for reader in Reader)
        case Notice() | ReprimandCopy():
            yield replace(letter, to_counsel=True)
        case Acknowledgement() | CureNotice():
            yield replace(letter, represented=True)
        case _:
            return


@pytest.mark.parametrize("kind", list(LetterKind), ids=str)
def test_a_letter_to_counsel_names_the_client_and_never_means_counsel_by_you(
    room: PressRoom, kind: LetterKind
) -> None:
    for letter in _for_counsel(kind):
        said = _said(room, letter)
        assert "Sol Counsellor Counsel for Gordon Pike" in said
        assert "your client" in said.lower()
        mine = r"you filed|(against|names|served on|signed by) you\b|your (copy|right to|rights\.|complaint\b)|you have 10"
        assert re.findall(mine, said) == []


def test_nobody_else_is_called_counsel(room: PressRoom) -> None:
    for kind in LetterKind:
        assert "Counsel for Gordon" not in _said(room, specimen(kind))


def test_a_decision_on_one_of_several_says_nothing_of_the_others(room: PressRoom) -> None:
    """Clause D-terminate, for each respondent."""
    letter = specimen(LetterKind.DECISION_OF_TERMINATION)
    assert isinstance(letter, DecisionOfTermination)
    assert "names others" not in _said(room, letter)
    said = _said(room, replace(letter, of_several=True))
    assert "as far as it concerns the person named below, is without factual basis" in said
    assert "terminated its preliminary inquiry against the person, as clause (D)" in said
    assert "The complaint names others as well. This decision says nothing about them." in said
    assert "to the person whom it concerns" in said


def test_a_notice_says_from_when_the_time_to_answer_runs(room: PressRoom) -> None:
    """Clause B-respond: a notice on paper is served on a later day than the one on which it was written."""
    letter = specimen(LetterKind.NOTICE)
    assert isinstance(letter, Notice)
    said = _said(room, letter)
    assert (
        "served on you after Friday, March 20, 2026, the time is 10 days, counted from the day after" in said
    )
    assert "the later one counts" in said
    assert "served on you after" not in _said(room, replace(letter, answer_within=""))


def test_a_referral_round_the_city_manager_says_by_what_policy(room: PressRoom) -> None:
    letter = specimen(LetterKind.REFERRAL_COVER)
    assert isinstance(letter, ReferralCover)
    assert "without passing through the City Manager" in _said(room, replace(letter, by_policy=True))


def test_practice_letters_are_marked_on_each_page(room: PressRoom) -> None:
    """Product.md R8."""
    letter = specimen(LetterKind.NOTICE)
    marked = room.set(replace(letter, letterhead=replace(letter.letterhead, watermark="PRACTICE")), ISSUED_AT)
    assert marked.flags == ()
    assert marked.pdf != room.set(letter, ISSUED_AT).pdf


# papers of the Board, which no party answers: they tell of its offices
_OF_THE_BOARD = {LetterKind.REFERRAL_COVER, LetterKind.MINUTES, LetterKind.MINUTES_ANNEX}


@pytest.mark.parametrize("kind", sorted(set(LetterKind) - _OF_THE_BOARD), ids=str)
def test_a_letter_that_is_quoted_back_names_nobody_by_who_signed_it(
    room: PressRoom, kind: LetterKind
) -> None:
    """Requirement B2: answers quote the letter, and the clerk who signed it stays cleared."""
    board, signs = "Board of Ethics of the City of Bramwell", "Clerk of the Board of Ethics"
    letter = specimen(kind)
    letter = replace(
        letter, letterhead=replace(letter.letterhead, board=board), signatory=Signatory(signs, board)
    )
    closing = (f"For the {board},", signs, board)
    people = [
        Person(key, (f"Nobody{key} Nowhere",), offices=OFFICES[role]) for key, role in enumerate(OFFICES)
    ]
    text = room.set(letter, ISSUED_AT).text
    for quoted in (text, "".join(f"> > {line}\n" for line in text.splitlines())):
        passages = without_closing([Passage(Where.MAIL_BODY, quoted)], closing)
        assert screen_widely(people, passages, (), readable=True).named == ()
    own = without_closing(
        [Passage(Where.MAIL_BODY, f"I complain of the {signs}, who lied.\n{text}")], closing
    )
    assert [one.how for one in screen_widely(people, own, (), readable=True).named] == [How.OFFICE]
