"""Each act of the ordinance typed on the command line; what was recorded is looked up in the record."""

import re
import sqlite3
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.cli.city_files import roster_to_fill_in
from store.database import beat, take_lease
from store.outbox import Channel, waiting
from store.proceedings.notice import send_notice
from store.proceedings.service import record_service
from store.rules.facts import (
    AnswerTimeGiven,
    InquiryHeld,
    LinkKind,
    NoRespondent,
    PaperReceived,
    PartyRole,
    Question,
    ReceivedBy,
    Recused,
    Role,
    Served,
)
from tests.bot.cli.shell import Shell

MEMBERS = ("Hanna Chair", "Mora Member", "Milo Member", "Maud Member", "Moritz Member")


def test_a_person_decides_on_form_and_the_finding_stands_beside_it(shell: Shell) -> None:
    number = shell.board.case(proper=False)
    assert "Say --proper" in shell.refused("form", number, status=2)
    shell.run("form", number, "--lacking", "signature")
    assert shell.board.file(number).form.fact.lacking == ("signature",)
    shell.run("cure-notice", number)
    assert shell.board.file(number).letters_to("cure_notice")
    shell.run("form", number, "--proper", "--reason", "-", stdin="signed on the second page\n")
    form = shell.board.file(number).form
    assert form.fact.proper
    assert form.fact.reason == "signed on the second page"


def test_a_contradiction_on_form_is_refused(shell: Shell) -> None:
    number = shell.board.case(proper=False)
    assert "not proper" in shell.refused("form", number, "--proper", "--lacking", "signature", status=2)
    assert shell.board.file(number).form is None


def test_the_city_manager_refers_in_one_step(practice: Shell) -> None:
    number = practice.board.case()
    practice.run("refer", number, who="Cyrus Manager")
    assert practice.board.file(number).referred is not None
    assert "was referred on" in practice.refused("refer", number, who="Cyrus Manager")


def test_staff_record_a_referral_with_evidence_only(shell: Shell) -> None:
    number = shell.board.case()
    assert "evidence" in shell.refused("refer", number)
    shell.run("refer", number, "--evidence", "his memo of today")
    assert shell.board.file(number).referred.fact.how == "recorded by staff"


def test_the_city_managers_own_receipt_is_recorded_with_evidence(shell: Shell) -> None:
    number = shell.board.case()
    instant = "2026-01-30T10:00:00-05:00"
    shell.run("manager-receipt", number, "--received", instant, "--evidence", "stamp on the envelope")
    receipt = shell.board.file(number).received(ReceivedBy.CITY_MANAGER)
    assert receipt.fact.received_at.isoformat() == "2026-01-30T15:00:00+00:00"
    ahead = ("manager-receipt", number, "--received", "2027-01-01T10:00:00Z", "--evidence", "x")
    assert "future" in shell.refused(*ahead)


def test_an_acknowledgement_can_be_taken_back_while_it_waits(shell: Shell) -> None:
    number = shell.board.case()
    shell.run("acknowledge", number)
    assert "on its way" in shell.refused("acknowledge", number)
    (letter,) = shell.run("outbox", "--json").json
    assert letter["case"] == number
    shell.run("take-back", number, letter["letter"])
    assert shell.run("outbox", "--json").json == []
    assert "taken back before" in shell.refused("take-back", number, letter["letter"])


def test_a_letter_on_paper_waits_in_the_outbox_until_its_service_is_recorded(shell: Shell) -> None:
    number = shell.board.case()
    shell.run("party", "add", number, "respondent", "--name", "Rory", "--postal", "5 Elm Street")
    (track,) = shell.board.file(number).respondents
    (letter,) = send_notice(shell.board.docket, shell.board.clerk, number, track.id, provisions=["gifts"])
    (row,) = shell.run("outbox", "--json").json
    assert (row["letter"], row["state"], row["next_try_at"]) == (letter, "on paper", None)
    assert "on paper" in shell.run("outbox").out
    on = shell.board.look(number).today
    record_service(
        *(shell.board.docket, shell.board.clerk, number),
        party=track.id,
        letter="notice",
        how="in person",
        on=on,
        by="the clerk",
    )
    assert shell.run("outbox", "--json").json == []


def test_parties_are_named_corrected_and_removed(shell: Shell) -> None:
    number = shell.board.case()
    shell.run(
        "party", "add", number, "respondent", "--name", "-", "--office", "engineer", stdin="Rory Wrong\n"
    )
    (track,) = shell.board.file(number).respondents
    assert (track.named.name, track.named.office) == ("Rory Wrong", "engineer")
    corrected = ("--name", "Rory Right", "--email", "rory@office.example", "--reason", "a slip")
    shell.run("party", "correct", number, track.id, *corrected)
    (same,) = shell.board.file(number).respondents
    assert (same.id, same.named.name, same.named.office) == (track.id, "Rory Right", "engineer")
    shell.run(
        *("party", "add", number, "respondent-counsel", "--name", "Lena Lawyer"),
        *("--represents", track.id, "--email", "lena@law.example"),
        *("--since", "2026-02-03", "--until", "2026-02-20"),
    )
    assert f"for {track.id} from 2026-02-03 to 2026-02-20" in shell.run("case", number).out
    assert len(shell.board.file(number).counsel_of(track.id)) == 1
    shell.run("party", "remove", number, track.id, "--reason", "named in error")
    assert not shell.board.file(number).with_role(PartyRole.RESPONDENT, PartyRole.RESPONDENT_COUNSEL)
    shell.run("party", "none", number, "--reason", "no officer is named")
    assert shell.board.file(number).last(NoRespondent) is not None


def test_a_party_that_is_none_cannot_be_corrected(shell: Shell) -> None:
    number = shell.board.case()
    words = ("party", "correct", number, 999, "--name", "X", "--reason", "y")
    assert "no such party" in shell.refused(*words, status=2)


def test_a_correction_that_gives_nothing_is_none_and_one_of_a_name_speaks_of_no_address(shell: Shell) -> None:
    number = shell.board.case()
    track = shell.board.respondent(number)
    words = ("party", "correct", number, track, "--reason", "a slip")
    assert "Nothing to correct" in shell.refused(*words, status=2)
    assert "address" not in shell.run(*words, "--name", "Rory Right").out
    assert "wrong address" in shell.run(*words, "--email", "right@office.example").out


def test_the_only_respondent_need_not_be_named_and_one_of_several_must(shell: Shell) -> None:
    number = shell.board.case()
    assert "No respondent" in shell.refused("notice", number, "--provision", "gifts", status=2)
    first = shell.board.respondent(number)
    shell.run("notice", number, "--provision", "gifts")
    shell.board.respondent(number, "Sally Second")
    assert "2 respondents" in shell.refused("notice", number, "--provision", "gifts", status=2)
    assert "on its way" in shell.refused("notice", number, "--respondent", first, "--provision", "gifts")


def test_a_notice_on_paper_is_served_by_hand(shell: Shell) -> None:
    number = shell.board.case()
    shell.run("party", "add", number, "respondent", "--name", "Paula Paper")
    (track,) = shell.board.file(number).respondents
    shell.run("notice", number, "--provision", "gifts", "--provision", "contracts")
    served = ("--party", track.id, "--letter", "notice", "--how", "in person", "--by", "Deputy Dow")
    shell.run("served", number, *served, "--on", "2026-02-02")
    assert shell.board.file(number).served("notice", track.id)
    assert shell.board.file(number).last(Served).fact.how == "in person"
    assert "future" in shell.refused("served", number, *served, "--on", "2026-03-02", status=2)


def test_a_response_more_time_and_silence_are_recorded(shell: Shell, tmp_path: Path) -> None:
    board = shell.board
    number = board.case()
    first, second = board.respondent(number), board.respondent(number, "Sally Second")
    for track in (first, second):
        board.serve(number, track)
    shell.run(
        "response", "more-time", number, "--respondent", second, "--until", "2026-03-02", "--reason", "ill"
    )
    assert max(one.fact.until for one in board.file(number).all(AnswerTimeGiven)) == date(2026, 3, 2)
    paper = tmp_path / "answer.pdf"
    paper.write_bytes(b"%PDF answer")
    board.clock.advance(timedelta(days=1))
    shell.run(
        *("response", "record", number, paper, "--respondent", first),
        *("--received", "2026-02-03T09:00:00-05:00", "--words", "handed in"),
    )
    response = board.file(number).last(PaperReceived)
    assert (response.fact.what, response.fact.from_party, len(response.fact.documents)) == (
        "response",
        first,
        1,
    )
    too_early = ("response", "not-used", number, "--respondent", second, "--on", "2026-02-03")
    assert "not over" in shell.refused(*too_early)
    board.clock.advance(timedelta(days=30))
    shell.run("response", "not-used", number, "--respondent", second, "--on", "2026-03-05")
    assert board.file(number).chance_over(second)


def test_papers_nobody_could_search_are_opened_by_saying_who_is_named(shell: Shell) -> None:
    number = shell.board.case(proper=False, screened=False)
    assert "Name the people" in shell.refused("named", number, status=2)
    shell.run("named", number, "Mora Member", shell.board.person("Milo Member"))
    file = shell.board.file(number)
    assert file.screened
    assert file.walled_off == {shell.board.person("Mora Member"), shell.board.person("Milo Member")}
    assert "reason" in shell.refused("lift", number, "Mora Member", "--reason", "", status=2)
    shell.run("lift", number, "Mora Member", "--reason", "a namesake")
    assert shell.board.file(number).walled_off == {shell.board.person("Milo Member")}


def test_somebody_steps_back_for_himself(practice: Shell) -> None:
    number = practice.board.case()
    practice.run("recuse", number, "--reason", "his neighbour", who="Maud Member")
    assert practice.board.file(number).last(Recused).fact.person == practice.board.person("Maud Member")


def test_a_meeting_is_opened_led_and_adjourned(practice: Shell) -> None:
    present = [word for name in MEMBERS[:4] for word in ("--present", name)]
    place = ("meeting", "open", "City Hall, Room 2", "--notice", "posted on Monday")
    practice.run(*place, *present, "--presiding", "Hanna Chair")
    assert "in session already" in practice.refused(*place, *present)
    practice.run("meeting", "present", "Moritz Member")
    practice.run("meeting", "present", "Milo Member", "--left")
    closed = ("--statute", "KRS 61.810(1)(j)", "--moved-by", "Mora Member", "--seconded-by", "Maud Member")
    practice.run("meeting", "closed-session", *closed)
    assert practice.run("meeting", "list", "--json").json[0]["state"] == "in closed session"
    assert "closed session" in practice.refused("meeting", "close")
    practice.run("meeting", "closed-session", "--return")
    practice.run("meeting", "close")
    (held,) = practice.run("meeting", "list", "--json").json
    assert held["state"] == "adjourned"
    assert sorted(held["present"]) == sorted({*MEMBERS} - {"Milo Member"})
    assert "not in session" in practice.refused("meeting", "present", "Milo Member")


def a_ballot(shell: Shell, number: str, question: Question) -> int:
    shell.run("ballot", "open", number, question.value, who="Hanna Chair")
    return shell.board.file(number).ballots[-1].id


def test_the_count_is_shown_to_nobody_before_the_ballot_closes(practice: Shell) -> None:
    board = practice.board
    number, _track = board.served_case()
    board.meeting()
    key = a_ballot(practice, number, Question.JURISDICTION)
    practice.run(
        "ballot", "vote", number, key, "no", "--reasons", "-", stdin="out of reach", who="Mora Member"
    )
    for name in ("Hanna Chair", "Mora Member", "Clara Clerk"):
        shown = practice.run("ballot", "show", number, key, who=name).out
        told = practice.run("ballot", "show", number, key, "--json", who=name)
        assert "arithmetic" not in told.json
        assert "votes" not in told.json
        assert "Mora Member: no" not in shown
        assert "out of reach" not in shown + told.out
    assert "1 of 5 have voted" in practice.run("ballot", "show", number, key, who="Hanna Chair").out
    assert "stands: no" in practice.run("ballot", "show", number, key, who="Mora Member").out


def test_a_changed_vote_is_a_new_one_and_the_last_stands(practice: Shell) -> None:
    board = practice.board
    number, _track = board.served_case()
    board.meeting()
    key = a_ballot(practice, number, Question.JURISDICTION)
    for choice in ("no", "yes"):
        practice.run("ballot", "vote", number, key, choice, who="Mora Member")
    practice.run("ballot", "close", number, key, who="Hanna Chair")
    told = practice.run("ballot", "show", number, key, "--json", who="Hanna Chair").json
    votes = {one["name"]: one["choice"] for one in told["votes"]}
    assert votes["Mora Member"] == "yes"
    assert len(board.file(number).ballot(key).votes) == 2
    assert "not open" in practice.refused("ballot", "vote", number, key, "no", who="Mora Member")


def test_a_case_is_played_from_the_notice_to_the_decision(practice: Shell) -> None:
    board = practice.board
    number, track = board.served_case()
    practice.run("inquiry", number, "--on", board.clock.now().date(), who="Hanna Chair")
    assert board.file(number).last(InquiryHeld) is not None
    practice.run(
        *("meeting", "open", "City Hall", "--notice", "posted"),
        *(word for name in MEMBERS for word in ("--present", name)),
    )
    for question, choice in ((Question.JURISDICTION, "yes"), (Question.FACTUAL_BASIS, "no")):
        key = a_ballot(practice, number, question)
        for name in MEMBERS[:4]:
            practice.run("ballot", "vote", number, key, choice, who=name)
        closed = practice.run("ballot", "close", number, key, who="Hanna Chair").out
        assert "4" in closed
        assert f"Mora Member: {choice}" in practice.run("ballot", "show", number, key).out
    wrong = ("determine", number, "--within-jurisdiction", "--basis", "--findings", "x")
    assert "does not support" in practice.refused(*wrong)
    assert "Say --within" in practice.refused("determine", number, "--findings", "x", status=2)
    practice.run(
        *("determine", number, "--within-jurisdiction", "--no-basis", "--findings", "-"),
        stdin="Nothing shows a gift.\n",
    )
    determined = board.file(number).determined(track)
    assert determined.fact.findings == "Nothing shows a gift."
    practice.run("terminate", number)
    assert len(board.file(number).letters_to("decision_of_termination")) == 2
    assert "has the decision" in practice.refused("terminate", number)
    assert "not found a sufficient basis" in practice.refused("notify", number)
    practice.run("verify")


def test_a_voided_ballot_counts_for_nothing(practice: Shell) -> None:
    board = practice.board
    number, _track = board.served_case()
    board.meeting()
    key = a_ballot(practice, number, Question.JURISDICTION)
    practice.run("ballot", "void", number, key, "--reason", "opened in error", who="Hanna Chair")
    assert practice.run("ballot", "show", number, key, "--json").json["state"] == "void"
    assert "voided" in practice.refused("ballot", "show", number, key)


def test_an_alternate_takes_the_seat_of_a_recused_member(practice: Shell) -> None:
    board = practice.board
    number, _track = board.served_case()
    board.meeting(*board.members[:4], board.alternate)
    practice.run("recuse", number, who="Moritz Member")
    practice.run(
        *("ballot", "open", number, "jurisdiction", "--alternate", "Alma Alternate", "Moritz Member"),
        who="Hanna Chair",
    )
    opened = board.file(number).ballots[-1].opened
    assert opened.sits_for == ((board.person("Alma Alternate"), board.person("Moritz Member")),)


def test_a_ballot_before_the_time_to_answer_is_over_needs_the_chairs_reason(practice: Shell) -> None:
    board = practice.board
    number = board.case()
    track = board.respondent(number)
    board.serve(number, track)
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    words = ("ballot", "open", number, "factual-basis")
    assert "time to answer" in practice.refused(*words, who="Hanna Chair")
    practice.run(*words, "--override", "he waived it in writing", who="Hanna Chair")
    assert board.file(number).ballots[-1].opened.override == "he waived it in writing"


# -- calendar and roster ------------------------------------------------------------------------------


def test_a_closed_day_recomputes_and_prints_the_dates_that_moved(shell: Shell) -> None:
    number = shell.board.case()
    said = shell.run("calendar", "close", "2026-02-05", "ice storm").out
    assert f"{number} acknowledge" in said
    assert "2026-02-16/2026-02-17/- -> 2026-02-17/2026-02-17/-" in said
    assert "ice storm" in shell.run("calendar", "show").out
    assert "already" in shell.refused("calendar", "close", "2026-02-05", "ice storm")


def test_a_closing_that_moves_nothing_says_so_and_one_that_lies_behind_is_said_to_be_late(
    shell: Shell,
) -> None:
    shell.board.case()
    said = shell.run("calendar", "close", "2027-03-01", "burst pipe").out
    assert "No date of an open step moved" in said
    assert "2027 is not adopted" in said
    assert "Sunday" in shell.refused("calendar", "close", "2026-02-08", "ice storm", status=2)
    assert "lies behind" in shell.refused("calendar", "close", "2026-01-26", "ice storm", status=2)
    assert "Recorded" in shell.run("calendar", "close", "2026-01-26", "ice storm", "--late").out


def test_an_early_closing_has_its_hour(shell: Shell) -> None:
    shell.run("calendar", "close", "2026-02-05", "half day", "--closes-at", "12:00")
    (closure,) = shell.run("calendar", "show", "--json").json["closures"]
    assert closure == {"date": "2026-02-05", "reason": "half day", "closes_at": "12:00"}
    assert "hour" in shell.refused("calendar", "close", "2026-02-06", "x", "--closes-at", "noon", status=2)


def test_a_calendar_is_adopted_from_a_file_and_printed_as_one(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "closures.toml"
    file.write_text('adopted_years = [2026, 2027]\n[[closure]]\ndate = 2026-07-03\nreason = "bridge day"\n')
    shell.run("calendar", "adopt", file, "--cause", "resolution 12")
    assert shell.run("calendar", "show", "--json").json["adopted_years"] == [2026, 2027]
    assert shell.run("calendar", "show", "--toml").out == file.read_text()
    shell.board.case()
    file.write_text(file.read_text() + '[[closure]]\ndate = 2026-01-19\nreason = "King day"\n')
    assert "--late" in shell.refused("calendar", "adopt", file, "--cause", "x", status=2)
    said = shell.run("calendar", "adopt", file, "--cause", "x", "--late").out
    assert "2026-01-19 is" in said, "a legal holiday, as with docket calendar close"
    file.write_bytes(b"\xff\xfe")
    assert "UTF-8" in shell.refused("calendar", "adopt", file, "--cause", "x", status=2)


def test_only_the_clerk_sets_the_calendar(practice: Shell) -> None:
    words = ("calendar", "close", "2026-02-05", "ice storm")
    assert "not yours" in practice.refused(*words, who="Mora Member")


def test_people_enter_and_leave_the_roster(shell: Shell) -> None:
    shell.run("roster", "add", "Nora New", "--alias", "N. New")
    shell.run("roster", "take", "Nora New", "alternate", "--since", "2026-02-01")
    shell.run("roster", "link", "N. New", "email", "nora@bramwell-ky.example")
    shell.run("roster", "deputy", "Nora New", "Clara Clerk", "--until", "2026-03-01")
    shell.run("roster", "away", "Nora New", "--since", "2026-02-01", "--until", "2026-02-10")
    told = {one["name"]: one for one in shell.run("roster", "show", "--json").json}
    assert told["Nora New"]["roles"] == ["alternate"]
    assert told["Nora New"]["away"] is True
    assert told["Nora New"]["links"][LinkKind.EMAIL.value] == ["nora@bramwell-ky.example"]
    assert told["Clara Clerk"]["deputies"] == ["Nora New"]
    shell.run("roster", "unlink", "Nora New", "email", "nora@bramwell-ky.example")
    shell.run("roster", "rename", "Nora New", "Nora Newer")
    shell.run("roster", "leave", "Nora Newer", "alternate", "--reason", "moved away")
    today, ever = (
        {one["name"] for one in shell.run("roster", "show", "--json", *words).json}
        for words in ((), ("--all",))
    )
    assert ever - today == {"Nora Newer"}


def test_a_roster_file_is_loaded_by_clerk_or_chair_in_their_name(practice: Shell, tmp_path: Path) -> None:
    file = tmp_path / "roster.toml"
    file.write_text('[[person]]\nname = "Ned New"\n[[person.role]]\nrole = "alternate"\nsince = 2026-01-01\n')
    for name in ("Ivo Machinist", "Mora Member"):
        assert "not yours" in practice.refused("roster", "load", file, who=name)
    practice.run("roster", "load", file, who="Clara Clerk")
    assert practice.newest_entry()["actor"] == practice.board.person("Clara Clerk")
    assert "nothing was changed" in practice.run("roster", "load", file, who="Clara Clerk").out
    assert "Ned New" in practice.run("roster", "show").out


def test_the_first_roster_is_loaded_by_whoever_holds_the_keys(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / ".env").write_text((shell.folder / ".env").read_text())
    file = tmp_path / "roster.toml"
    file.write_text('[[person]]\nname = "Ned New"\n[[person.role]]\nrole = "clerk"\nsince = 2026-01-01\n')
    new = Shell(folder, shell.board, shell.monkeypatch, shell.capsys)
    new.run("roster", "load", file)
    assert "not on the Board's roster" in new.refused("roster", "load", file)


def test_a_roster_file_that_is_not_filled_in_is_told_as_such(practice: Shell, tmp_path: Path) -> None:
    file = tmp_path / "roster.toml"
    file.write_text(roster_to_fill_in(date(2026, 1, 1), "ralden"))
    assert "names nobody" in practice.refused("roster", "load", file, who="Clara Clerk", status=2)


# -- record and status --------------------------------------------------------------------------------


def test_verify_prints_the_head_and_takes_it_back_as_anchor(shell: Shell) -> None:
    shell.board.case()
    head = shell.run("verify").out.split()[-1]
    shell.run("verify", "--anchor", head)
    number, _, digest = head.partition(":")
    other = f"{number}:{'0' * len(digest)}"
    assert f"Entry {number}" in shell.refused("verify", "--anchor", other)
    assert "anchor" in shell.refused("verify", "--anchor", "yesterday", status=2)


def test_verify_names_the_first_wrong_entry(shell: Shell) -> None:
    shell.board.case()
    connection = sqlite3.connect(shell.folder / "data" / "docket.sqlite3")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("UPDATE journal_entry SET header = header || ' ' WHERE seq = 3")
    connection.commit()
    connection.close()
    assert "Entry 3" in shell.refused("verify")


def test_an_altered_roster_is_named_though_nobody_can_be_looked_up_in_it(shell: Shell) -> None:
    shell.board.case()
    connection = sqlite3.connect(shell.folder / "data" / "docket.sqlite3")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    (entry,) = connection.execute("SELECT entry FROM fact WHERE kind = 'person-named' ORDER BY id").fetchone()
    connection.execute(
        "UPDATE fact SET body = substr(body, 1, 40) || x'41' || substr(body, 42) WHERE id ="
        " (SELECT min(id) FROM fact WHERE kind = 'person-named')"
    )
    connection.commit()
    connection.close()
    assert f"Entry {entry} of the journal is wrong" in shell.refused("verify")


def test_the_check_shows_how_far_it_is_as_other_long_work_does(shell: Shell) -> None:
    shown = shell.try_("verify").err
    for part in ("chain", "facts", "vault"):
        assert f"checking the {part}: 100 %" in shown


def test_status_tells_what_waits_and_no_case(shell: Shell) -> None:
    number = shell.board.case()
    shell.run("acknowledge", number)
    told = shell.try_("status", "--json")
    assert told.json["letters_waiting"] == 1
    assert told.json["running"] is False
    assert number not in told.out


def test_status_ends_with_1_while_docket_does_not_run(shell: Shell) -> None:
    resting = shell.try_("status")
    assert resting.status == 1
    assert "does not run" in resting.out
    docket = shell.board.docket
    with docket.database.write() as session:
        assert take_lease(session, "leader", "a copy", docket.clock.now(), timedelta(hours=1))
    assert "Docket runs" in shell.run("status").out


def test_a_practice_folder_may_rest(practice: Shell) -> None:
    assert "does not run (practice)" in practice.run("status").out


def test_status_ends_with_1_while_an_alarm_stands(shell: Shell) -> None:
    from store.proceedings.reminders import raise_alarm

    raise_alarm(shell.board.docket, "mailbox", "The mailbox is away.")
    answer = shell.try_("status")
    assert answer.status == 1
    assert re.search(r"ALARM mailbox, since .*Run docket doctor", answer.out)


def test_status_names_no_mark_of_the_programs_own(shell: Shell) -> None:
    with shell.board.docket.database.write() as session:
        for name in ("poll", "held-told:3", "ending-told:1:2026-10", "head-stamp-tried"):
            beat(session, name, shell.board.clock.now())
    answer = shell.try_("status")
    assert "Last reading of the mailbox: " in answer.out
    assert "Start it: its service, or docket run." in answer.out
    assert not re.search(r"told|tried|:3|2026-10", answer.out)


def test_letters_of_a_case_that_one_may_not_know_are_in_no_list(practice: Shell) -> None:
    number = practice.board.case()
    practice.run("acknowledge", number)
    practice.run("recuse", number, who="Mora Member")
    assert practice.run("outbox", "--json", who="Mora Member").json == []
    with practice.board.docket.database.read() as session:
        assert len(waiting(session, Channel.MAIL)) == 1


def test_every_act_tells_the_command_line_as_the_way_in(practice: Shell) -> None:
    number = practice.board.case()
    practice.run("acknowledge", number, who="Clara Clerk")
    entry = practice.newest_entry()
    assert (entry["act"], entry["via"], entry["clause"]) == ("acknowledge", "cli", "A-acknowledge")


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.CLERK])
def test_what_is_the_clerks_is_refused_to_every_other_role(practice: Shell, role: Role) -> None:
    board = practice.board
    number = board.case(proper=False)
    names = {
        Role.CITY_MANAGER: "Cyrus Manager",
        Role.CHAIR: "Hanna Chair",
        Role.MEMBER: "Mora Member",
        Role.ALTERNATE: "Alma Alternate",
        Role.COUNSEL: "Cora Counsel",
        Role.IT: "Ivo Machinist",
    }
    for words in (
        ("form", number, "--proper"),
        ("acknowledge", number),
        ("party", "none", number, "--reason", "x"),
    ):
        practice.refused(*words, who=names[role])
    assert board.file(number).form is None
