"""What a case's facts say, corrections applied."""

from datetime import date, timedelta

from store.rules.casefile import LetterState
from store.rules.facts import (
    AnswerTimeGiven,
    BallotOpened,
    CaseClosed,
    ConflictFound,
    ConflictLifted,
    Determined,
    Disposed,
    FormDecided,
    LetterQueued,
    LetterSettled,
    PaperReceived,
    PartyLeft,
    PartyNamed,
    PartyRole,
    Question,
    Reopened,
    Screened,
    Served,
    from_json,
)
from tests.rules.case_builders import RECEIVED, a_story

RESPONDENT = PartyRole.RESPONDENT
DAY = timedelta(days=1)


def test_a_corrected_party_keeps_its_id_through_any_number_of_corrections() -> None:
    story, _ = a_story()
    first = story.add(PartyNamed(RESPONDENT, "Rory"))
    second = story.add(PartyNamed(RESPONDENT, "Rorie"), supersedes=first)
    third = story.add(PartyNamed(RESPONDENT, "Rory R."), supersedes=second)
    case = story.case()
    assert [(one.id, one.named.name) for one in case.respondents] == [(first, "Rory R.")]
    naming = case.naming(first)
    assert naming is not None
    assert naming.id == third


def test_who_left_is_a_party_no_longer_but_is_remembered() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    story.add(PartyLeft(date(2026, 2, 4), "in error"), about=track)
    assert story.case().respondents == ()
    assert story.case().party(track) is not None


def test_a_wall_stands_until_it_is_lifted_and_again_when_a_conflict_is_found_anew() -> None:
    story, _ = a_story()
    story.add(ConflictFound(7, "name"))
    assert story.case().walled(7)
    story.add(ConflictLifted(7, "another person"))
    assert not story.case().walled(7)
    story.add(ConflictFound(7, "address"))
    assert story.case().walled_off == {7}


def test_unreadable_papers_leave_a_case_unscreened_until_a_person_has_said_who_is_named() -> None:
    story, _ = a_story(screened=False)
    assert not story.case().screened
    story.add(Screened(by_machine=False))
    assert story.case().screened


def test_the_inquirys_clock_starts_at_the_paper_that_made_the_complaint_proper() -> None:
    story, _ = a_story()
    cure_at = RECEIVED + 5 * DAY
    cure = story.add(PaperReceived(cure_at, "cure"))
    story.add(FormDecided(proper=True, paper=cure, signed=True, finding="drawn"), at=RECEIVED + 9 * DAY)
    assert story.case().proper_received_at == cure_at


def test_a_letter_counts_as_sent_until_it_bounces() -> None:
    story, complainant = a_story()
    letter = story.add(LetterQueued("notice", complainant, "x", 1, 1, "A-forward"), about=complainant)
    assert not story.case().served("notice", complainant)
    story.add(LetterSettled("sent", RECEIVED + DAY), about=letter)
    assert story.case().served_at("notice", complainant) == RECEIVED + DAY
    story.add(LetterSettled("bounced", RECEIVED + 2 * DAY), about=letter)
    assert not story.case().served("notice", complainant)
    assert story.case().letters[0].state is LetterState.BOUNCED


def test_a_service_on_paper_stands_on_its_own_day_and_is_received_on_its_own() -> None:
    story, complainant = a_story()
    letter = story.add(LetterQueued("notice", complainant, "x", None, 1, "A-forward"), about=complainant)
    story.add(LetterSettled("on-paper", RECEIVED + 9 * DAY), about=letter)
    served = Served(
        "notice",
        "by hand",
        date(2026, 2, 4),
        "clerk",
        letter_fact=letter,
        at=RECEIVED + DAY,
        received_at=RECEIVED + 3 * DAY,
    )
    story.add(served, about=complainant, at=RECEIVED + 9 * DAY)
    case = story.case()
    assert case.served_at("notice", complainant) == RECEIVED + DAY
    assert case.reached_at("notice", complainant) == RECEIVED + 3 * DAY


def test_a_letter_about_one_track_is_none_about_another() -> None:
    story, complainant = a_story()
    kind = "decision_of_termination"
    letter = story.add(
        LetterQueued(kind, complainant, "x", 1, 1, "D-terminate", about_track=50), about=complainant
    )
    story.add(LetterSettled("sent", RECEIVED + DAY), about=letter)
    case = story.case()
    assert case.served_at(kind, complainant, track=50) == RECEIVED + DAY
    assert case.served_at(kind, complainant, track=51) is None


def test_the_latest_day_given_for_the_answer_counts() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    assert story.case().answer_until(track) is None
    story.add(AnswerTimeGiven(date(2026, 2, 20)), about=track)
    story.add(AnswerTimeGiven(date(2026, 2, 27), "ill"), about=track)
    assert story.case().answer_until(track) == date(2026, 2, 27)


def test_a_case_is_final_with_its_last_track_and_open_again_when_reopened() -> None:
    story, _ = a_story()
    first, second = (story.add(PartyNamed(RESPONDENT, name)) for name in ("Rory", "Sandy"))
    ended = Determined(RECEIVED + DAY, False, None, False, "outside", ())
    story.add(ended, about=first)
    assert not story.case().final
    found = Determined(RECEIVED + 2 * DAY, True, True, False, "enough", ())
    story.add(found, about=second)
    assert not story.case().final
    story.add(Disposed(RECEIVED + 3 * DAY, reprimand=True, hearing=False, ballots=()), about=second)
    assert story.case().final
    assert story.case().final_at(second) == RECEIVED + 3 * DAY
    story.add(Reopened(RECEIVED + 4 * DAY, "new evidence"))
    assert not story.case().final
    assert story.case().standing_determination(first) is None
    story.add(found, about=second)
    assert story.case().final_at(second) is None


def test_a_reopening_of_one_track_leaves_the_conclusion_of_another_and_its_letters_in_place() -> None:
    story, complainant = a_story()
    first, second = (story.add(PartyNamed(RESPONDENT, name)) for name in ("Rory", "Sandy"))
    ended = Determined(RECEIVED + DAY, False, None, False, "outside", ())
    ballots = [
        story.add(BallotOpened(0, "", Question.JURISDICTION, RECEIVED, (1,), 1, 0, (), "{}", ""), about=one)
        for one in (first, second)
    ]
    for track in (first, second):
        story.add(ended, about=track)
        for reader in (complainant, track):
            letter = LetterQueued("decision_of_termination", reader, "party", 1, 1, "D", about_track=track)
            story.add(LetterSettled("sent", RECEIVED + DAY), about=story.add(letter))
    story.add(CaseClosed(RECEIVED + 2 * DAY))
    story.add(Reopened(RECEIVED + 4 * DAY, "new evidence", (second,)))
    case = story.case()
    assert not case.final
    assert not case.closed
    assert case.standing_determination(second) is None
    assert case.final_at(first) == RECEIVED + DAY
    assert [one.id for one in case.ballots_since] == [ballots[0]]
    readers = [one.queued.to_party for one in case.letters_to("decision_of_termination")]
    assert readers == [complainant, first]
    assert case.served_at("decision_of_termination", complainant, track=second) is None
    assert (case.reopened_at(first), case.reopened_at(second)) == (None, RECEIVED + 4 * DAY)


def test_a_reopening_that_names_nobody_is_of_every_track_as_older_records_have_it() -> None:
    older = from_json("reopened", b'{"at": "2026-02-01T00:00:00Z", "reason": "an error"}')
    story, _ = a_story()
    tracks = [story.add(PartyNamed(RESPONDENT, name)) for name in ("Rory", "Sandy")]
    for track in tracks:
        story.add(Determined(RECEIVED + DAY, False, None, False, "outside", ()), about=track)
    story.add(older)
    assert [story.case().final_at(one) for one in tracks] == [None, None]


def test_a_case_without_tracks_is_final_when_it_was_closed() -> None:
    story, _ = a_story()
    assert not story.case().final
    story.add(CaseClosed(RECEIVED))
    assert story.case().final
