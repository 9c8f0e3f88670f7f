"""What becomes of a mail, rule by rule; both sides of each."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intake.known import Awaiting, Known, KnownCase, LetterKind, SentLetter, Sighting, mentions
from intake.message import Limits, read_mail
from intake.pdf.finding import Encryption, Finding, Signature
from intake.triage import Flag, MatchKind, Outcome, Reason, Referral, own_words, quoted_writers, triage
from store.rules.check_code import check_code
from tests.fuzz_mail import mutated
from tests.intake.mail_builders import (
    BOX,
    MAILS,
    MANAGER,
    PASSES,
    PDF,
    RECEIVED,
    a_finding,
    a_mail,
    context,
    forwarded_part,
    judged,
    part,
    pdf_part,
    raw_of,
    sha256,
)

FROM_MANAGER = {"From": f"City Manager <{MANAGER}>", "To": BOX, "Authentication-Results": PASSES}
FROM_HAL = {"From": "Hal Doyle <hal.doyle@riverbend.example>", "To": MANAGER}
FROM_OLA = {"From": "Ola Fenn <ola.fenn@quarry.example>", "To": BOX}
FROM_DALE = {"From": "Dale Whitlow <d.whitlow@bramwell-ky.example>", "To": BOX}
STRANGER = {"From": "A Reporter <reporter@gazette.example>", "To": BOX}
CURE = "<cure-0009-1.t8w3nb@ethics.bramwell-ky.example>"
NOTICE = "<notice-0007-1.h4k9pd@ethics.bramwell-ky.example>"
REPRIMAND = "<reprimand-0005-1.v6c1xs@ethics.bramwell-ky.example>"
IMAGE = part(b"\xff\xd8\xff\xe0" + b"x" * 40_000, "image/jpeg", "page.jpg")


@given(st.integers(), st.sampled_from(sorted(MAILS.glob("*.eml"))))
@settings(max_examples=150, deadline=None)
def test_every_mutation_of_a_real_mail_gets_an_answer(seed: int, path: object) -> None:
    told = judged(mutated(path.read_bytes(), random.Random(seed)))  # type: ignore[attr-defined]
    assert told.outcome in set(Outcome)
    assert told.review_reason or told.outcome is not Outcome.NEEDS_REVIEW
    assert not any(context().is_own(one) for one in told.ack_to)


# --- papers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "signature", [one for one in Signature if one not in {Signature.NONE_FOUND, Signature.UNREADABLE}]
)
def test_a_pdf_with_any_evidence_of_a_signature_is_filed(signature: Signature) -> None:
    assert judged(a_mail(pdf_part()), findings={sha256(PDF): a_finding(signature)}).outcome is Outcome.FILED


@pytest.mark.parametrize(
    ("finding", "outcome", "pdfs"),
    [
        (a_finding(Signature.NONE_FOUND), Outcome.CURE_NOTICE, 1),
        (a_finding(Signature.UNREADABLE, encrypted=Encryption.USER_PASSWORD), Outcome.NEEDS_REVIEW, 1),
        (a_finding(Signature.NEEDS_HUMAN, encrypted=Encryption.PUBLIC_KEY), Outcome.NEEDS_REVIEW, 1),
        (a_finding(Signature.NEEDS_HUMAN, encrypted=Encryption.OWNER_ONLY), Outcome.FILED, 1),
        (a_finding(Signature.UNREADABLE, damaged=True, pages=None), Outcome.NEEDS_REVIEW, 0),
    ],
)
def test_a_finding_decides_between_filing_asking_and_looking(
    finding: Finding, outcome: Outcome, pdfs: int
) -> None:
    told = judged(a_mail(pdf_part()), findings={sha256(PDF): finding})
    assert told.papers is not None
    assert (told.outcome, len(told.papers.pdfs), told.ack) == (outcome, pdfs, True)


def test_one_signed_pdf_is_enough_and_a_damaged_exhibit_is_flagged() -> None:
    told = judged(a_mail(pdf_part(), pdf_part(b"%PDF-1.4 cut")))
    assert (told.outcome, told.flags) == (Outcome.FILED, ("damaged_attachment",))


def test_an_unsigned_pdf_beside_a_damaged_one_is_looked_at() -> None:
    raw = a_mail(pdf_part(), pdf_part(b"%PDF-1.4 cut"))
    assert (
        judged(raw, findings={sha256(PDF): a_finding(Signature.NONE_FOUND)}).outcome is Outcome.NEEDS_REVIEW
    )


@pytest.mark.parametrize(
    ("attached", "outcome", "reason"),
    [
        (IMAGE, Outcome.NEEDS_REVIEW, "no readable PDF; image of a page"),
        (
            part(b"\0\0\0\x18ftypheic....", "image/heic", "IMG_1.HEIC"),
            Outcome.NEEDS_REVIEW,
            "no readable PDF; image of a page",
        ),
        (part(b"Rar!\x1a\x07\x01\0", "application/x-rar", "a.rar"), Outcome.NEEDS_REVIEW, "archive"),
        (part(b"7z\xbc\xaf\x27\x1c", "application/octet-stream", "a.7z"), Outcome.NEEDS_REVIEW, "archive"),
        (
            part(b"<html><p>complaint", "application/pdf", "c.pdf"),
            Outcome.NEEDS_REVIEW,
            "called a PDF and is none",
        ),
        (part(b"<html><p>complaint", "text/html", "c.html"), Outcome.CURE_NOTICE, "not a PDF"),
        (
            part(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword", "c.doc"),
            Outcome.CURE_NOTICE,
            "not a PDF",
        ),
        (part(b"{\\rtf1 complaint}", "application/rtf", "c.rtf"), Outcome.CURE_NOTICE, "not a PDF"),
        (part(b"MZ\x90", "application/octet-stream", "c.pdf.exe"), Outcome.NEEDS_REVIEW, "program"),
        (part(b"", "application/pdf", "c.pdf"), Outcome.NEEDS_REVIEW, "attachment empty"),
    ],
)
def test_what_is_no_pdf_is_answered_by_its_kind(attached: bytes, outcome: Outcome, reason: str) -> None:
    told = judged(a_mail(attached))
    assert (told.outcome, told.ack) == (outcome, True)
    assert reason in (told.review_reason or "")


def test_a_mail_with_nothing_in_it_is_looked_at() -> None:
    assert judged(a_mail(text="")).review_reason == "empty mail"


def test_pgp_encrypted_mail_is_looked_at() -> None:
    told = judged(a_mail(text="-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"))
    assert "encrypted" in (told.review_reason or "")


def test_a_mail_over_the_limits_is_looked_at_and_acknowledged() -> None:
    mail = read_mail(a_mail(pdf_part()), Limits(mail_bytes=10))
    told = triage(mail, context(), {}, received_at=RECEIVED)
    assert (told.outcome, told.ack) == (Outcome.NEEDS_REVIEW, True)


# --- seen before ------------------------------------------------------------------------------------------


def _seen(raw: bytes) -> Sighting:
    mail = read_mail(raw)
    return Sighting(mail.raw_sha256, mail.message_id, mail.content_sha256, "item 1", "EC-2026-0010")


def test_another_delivery_of_the_same_mail_is_a_duplicate() -> None:
    known = context(seen=(_seen(a_mail(pdf_part())),))
    told = judged(b"Received: from elsewhere.example\r\n" + a_mail(pdf_part()), known)
    assert (told.outcome, told.earlier, told.number, told.ack) == (
        Outcome.DUPLICATE,
        "item 1",
        "EC-2026-0010",
        False,
    )


def test_the_same_message_id_with_other_content_is_looked_at() -> None:
    known = context(seen=(_seen(a_mail(pdf_part())),))
    told = judged(a_mail(pdf_part(PDF + b"\n")), known)
    assert (told.outcome, told.review_reason, told.ack) == (Outcome.NEEDS_REVIEW, Reason.ID_REUSED, True)


def test_without_a_message_id_only_the_same_bytes_are_a_duplicate() -> None:
    raw = a_mail(pdf_part(), headers={"Message-ID": None})
    known = context(seen=(_seen(raw),))
    assert judged(raw, known).outcome is Outcome.DUPLICATE
    assert judged(b"X: y\r\n" + raw, known).outcome is Outcome.FILED


def test_a_pdf_that_came_before_is_flagged_and_filed() -> None:
    told = judged(a_mail(pdf_part()), context(papers={sha256(PDF): "item 1"}))
    assert (told.outcome, told.flags) == (Outcome.FILED, (Flag.POSSIBLE_DUPLICATE,))


@pytest.mark.parametrize(
    "address", [BOX, "clerk@ethics.bramwell-ky.example", "complaints+r.q7m2zt@ethics.bramwell-ky.example"]
)
def test_nothing_is_ever_sent_to_an_address_of_our_own(address: str) -> None:
    told = judged(a_mail(pdf_part(), headers={"From": address}))
    assert (told.outcome, told.ack) == (Outcome.NEEDS_REVIEW, False)


def test_an_automatic_mail_from_an_address_of_our_own_is_a_loop() -> None:
    told = judged(a_mail(headers={"From": BOX, "Auto-Submitted": "auto-replied"}))
    assert told.outcome is Outcome.LOOP_STOPPED


def test_our_own_message_id_on_a_strangers_mail_is_no_loop() -> None:
    assert judged(a_mail(pdf_part(), headers={"Message-ID": CURE})).review_reason == Reason.ID_REUSED


# --- automatic answers ------------------------------------------------------------------------------------

ABSENCES = [
    "Automatic reply: Notice", "Out of Office: Notice", "AUTO: Dale Whitlow is out of the office (returning 11/09/2026)",
    "Automatische Antwort: Notice", "Abwesenheitsnotiz: Notice", "Respuesta automática: Notice", "Fuera de la oficina",
    "Réponse automatique : Notice", "自动回复: Notice", "自動回覆: Notice", "Dale is out of the office", "Resposta automática: x",
    "Automatisch antwoord: x", "Автоматический ответ: x", "Autosvar: x", "Risposta automatica: x", "자동 회신: x",
]  # fmt: skip


@pytest.mark.parametrize("subject", ABSENCES)
def test_an_absence_notice_that_answers_us_is_ignored_in_any_language(subject: str) -> None:
    told = judged(a_mail(text="Away.", headers={**FROM_DALE, "Subject": subject, "In-Reply-To": NOTICE}))
    assert (told.outcome, told.number, told.ack) == (Outcome.AUTO_REPLY_IGNORED, "EC-2026-0007", False)


@pytest.mark.parametrize("subject", ABSENCES)
def test_the_same_subject_alone_proves_nothing(subject: str) -> None:
    assert judged(a_mail(pdf_part(), headers={"Subject": subject})).outcome is Outcome.FILED


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Auto-Response-Suppress": "All"},
        {"Precedence": "bulk"},
        {"Precedence": "auto_reply"},
        {"Auto-Submitted": "no"},
        {"Auto-Submitted": "No (a person wrote it)"},
        {"X-Autoreply": "yes"},
        {"Return-Path": "<ines.calloway@riverbend.example>"},
    ],
)
def test_one_header_alone_makes_no_automatic_answer(headers: dict[str, str | None]) -> None:
    told = judged(a_mail(pdf_part(), headers=headers))
    assert (told.outcome, told.ack) == (Outcome.FILED, True)


@pytest.mark.parametrize(
    "value", ["auto-replied", "auto-generated; type=x", "Auto-Notified", "auto-replied (vacation)"]
)
def test_auto_submitted_is_believed(value: str) -> None:
    assert judged(a_mail(headers={"Auto-Submitted": value})).outcome is Outcome.AUTO_REPLY_IGNORED


def test_a_machine_that_brings_papers_goes_to_a_person() -> None:
    told = judged(a_mail(pdf_part(), headers={"Auto-Submitted": "auto-generated"}))
    assert (told.outcome, told.review_reason, told.ack) == (
        Outcome.NEEDS_REVIEW,
        Reason.MACHINE_WITH_PAPERS,
        False,
    )


@pytest.mark.parametrize(
    "address", ["scanner@copyshop.example", "no-reply@fax.example", "DoNotReply@x.example", "mfp-3@x.example"]
)
def test_a_scanner_or_other_machine_with_a_pdf_goes_to_a_person(address: str) -> None:
    told = judged(a_mail(pdf_part(), headers={"From": address}))
    assert (told.outcome, told.ack) == (Outcome.NEEDS_REVIEW, False)


def test_a_persons_own_name_is_no_machine() -> None:
    assert (
        judged(a_mail(pdf_part(), headers={"From": "Scanlon <scanlon@x.example>"})).outcome is Outcome.FILED
    )


# --- the sender -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "no From address"),
        ("", "no From address"),
        ("Ines Calloway", "malformed"),
        ("<[abc]@x>", "malformed"),
        ("undisclosed:;", "malformed"),
    ],
)
def test_a_mail_without_a_sound_from_goes_to_a_person_and_gets_no_answer(
    value: str | None, reason: str
) -> None:
    told = judged(a_mail(pdf_part(), headers={"From": value}))
    assert (told.outcome, told.ack) == (Outcome.NEEDS_REVIEW, False)
    assert reason in (told.review_reason or "")


def test_an_address_in_capitals_is_the_same_sender() -> None:
    told = judged(
        a_mail(pdf_part(), headers={"From": "OLA.FENN@QUARRY.EXAMPLE", "To": BOX, "In-Reply-To": CURE})
    )
    assert (told.outcome, told.sender) == (Outcome.CURE_RECEIVED, "ola.fenn@quarry.example")


def test_an_unquoted_comma_in_a_name_is_one_sender() -> None:
    told = judged(a_mail(pdf_part(), headers={"From": "Calloway, Ines <ines@x.example>"}))
    assert (told.outcome, told.flags) == (Outcome.FILED, (Flag.FROM_REPAIRED,))


def test_an_internationalised_address_is_filed() -> None:
    assert (
        judged(a_mail(pdf_part(), headers={"From": "José <josé@peña.example>"})).sender == "josé@peña.example"
    )


@pytest.mark.parametrize(
    "value",
    [
        '"City Manager" <cm.office@freemail.example>',
        f'"{MANAGER}" <x@freemail.example>',
        "City-Manager of Bramwell <x@freemail.example>",
        "Сity Мanager <x@freemail.example>",
        "citymanager@freemail.example",
        "citymanager+x@bramwell-ky.example",
        "citymanager@brаmwell-ky.example",
        "citymanager@bramwe11-ky.example",
    ],
)
def test_whoever_looks_like_the_city_manager_and_is_not_goes_to_a_person(value: str) -> None:
    told = judged(a_mail(pdf_part(), headers={"From": value, "To": BOX, "Authentication-Results": PASSES}))
    assert (told.outcome, told.referral, told.ack) == (Outcome.NEEDS_REVIEW, None, False)
    assert told.review_reason == Reason.CLAIMS_MANAGER


def test_a_look_alike_domain_is_flagged_and_filed() -> None:
    told = judged(a_mail(pdf_part(), headers={"From": "Ines <ines@bramwel1-ky.example>"}))
    assert (told.outcome, told.flags) == (Outcome.FILED, (Flag.LOOKALIKE_ADDRESS,))


def test_a_roster_persons_name_at_a_strange_address_is_flagged() -> None:
    known = context(roster_names=("Ada Board",), roster_addresses=("ada@bramwell-ky.example",))
    raw = a_mail(pdf_part(), headers={"From": "Adа Board <ada@freemail.example>"})
    assert judged(raw, known).flags == (Flag.ROSTER_NAME,)


def test_a_failing_dmarc_of_our_own_server_is_flagged_and_never_a_silent_refusal() -> None:
    told = judged(
        a_mail(pdf_part(), headers={"Authentication-Results": "mail.bramwell-ky.example; dmarc=fail"})
    )
    assert (told.outcome, told.flags) == (Outcome.FILED, (Flag.DMARC_FAIL,))


@pytest.mark.parametrize(
    ("hours", "flags"), [(-26, (Flag.DATE_GAP,)), (-24, ()), (0, ()), (1, ()), (2, (Flag.DATE_IN_FUTURE,))]
)
def test_a_date_a_day_old_or_in_the_future_is_flagged_and_changes_nothing(
    hours: int, flags: tuple[str, ...]
) -> None:
    from datetime import timedelta

    mail = read_mail(a_mail(pdf_part()))
    assert mail.date is not None
    told = triage(mail, context(), {}, received_at=mail.date - timedelta(hours=hours))
    assert (told.outcome, told.flags) == (Outcome.FILED, flags)


@pytest.mark.parametrize(
    "headers", [{"X-Spam-Flag": "YES"}, {"X-Spam-Status": "Yes, score=9"}, {"List-Id": "<l.x.example>"}]
)
def test_spam_and_list_mail_are_for_a_person_and_get_no_answer(headers: dict[str, str | None]) -> None:
    told = judged(a_mail(pdf_part(), headers=headers))
    assert (told.outcome, told.ack) == (Outcome.NEEDS_REVIEW, False)


def test_a_mail_in_the_junk_folder_is_for_a_person() -> None:
    assert judged(a_mail(pdf_part()), context(junk=True)).review_reason == Reason.SPAM


def test_the_citys_own_group_is_no_mailing_list() -> None:
    headers: dict[str, str | None] = {"List-Id": "<complaints.ethics.bramwell-ky.example>"}
    assert judged(a_mail(pdf_part(), headers=headers)).outcome is Outcome.FILED


def test_an_invitation_is_for_a_person() -> None:
    invitation = b"Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    told = judged(a_mail(invitation, headers=STRANGER))
    assert (told.review_reason, told.ack) == (Reason.CALENDAR, False)


# --- the City Manager -------------------------------------------------------------------------------------


def a_forward(inner: dict[str, str | None] | None = None, **headers: str | None) -> bytes:
    original = a_mail(pdf_part(), headers={**FROM_HAL, **(inner or {})})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return a_mail(forwarded_part(original), text="Referred.", headers={**FROM_MANAGER, **named})


def test_the_city_managers_proven_forward_is_his_referral() -> None:
    told = judged(a_forward())
    assert (told.outcome, told.referral) == (Outcome.FILED, Referral.BY_CITY_MANAGER)
    assert (told.complainants, told.ack_to) == (
        ("hal.doyle@riverbend.example",),
        ("hal.doyle@riverbend.example",),
    )


def test_each_of_two_managers_may_refer() -> None:
    known = context(city_manager=(MANAGER, "acting@bramwell-ky.example"))
    assert judged(a_forward(From="Acting@Bramwell-KY.example"), known).referral is Referral.BY_CITY_MANAGER


@pytest.mark.parametrize(
    "results",
    [
        None,
        "mail.bramwell-ky.example; dkim=pass header.d=bramwell-ky.example; spf=pass",
        "mail.bramwell-ky.example.evil.example; dmarc=pass header.from=bramwell-ky.example",
        "mx.evil.example; dmarc=pass header.from=bramwell-ky.example",
        "mail.bramwell-ky.example; dmarc=pass header.from=evil.example",
        "mail.bramwell-ky.example; dmarc=none header.from=bramwell-ky.example",
        f"{PASSES}\r\nAuthentication-Results: mail.bramwell-ky.example; dmarc=fail header.from=bramwell-ky.example",
    ],
)
def test_without_our_own_servers_word_nobody_refers(results: str | None) -> None:
    told = judged(a_forward(Authentication_Results=results))
    assert (told.outcome, told.referral, told.ack) == (Outcome.NEEDS_REVIEW, None, False)


def test_without_a_name_for_our_server_no_result_is_believed() -> None:
    assert judged(a_forward(), context(authserv_id="")).referral is None


def test_an_unsigned_complaint_that_is_referred_is_referred_and_asked_for() -> None:
    told = judged(a_forward(), findings={sha256(PDF): a_finding(Signature.NONE_FOUND)})
    assert (told.outcome, told.referral) == (Outcome.CURE_NOTICE, Referral.BY_CITY_MANAGER)


@pytest.mark.parametrize(
    "inner", [{"From": None}, {"From": "a@x.example, b@x.example"}, {"From": BOX}, {"From": MANAGER}]
)
def test_a_forwarded_mail_without_one_clear_complainant_goes_to_a_person(
    inner: dict[str, str | None],
) -> None:
    told = judged(a_forward(inner))
    assert (told.outcome, told.ack) == (Outcome.NEEDS_REVIEW, False)


def test_a_forward_of_a_forward_suggests_the_innermost_writer() -> None:
    innermost = a_mail(pdf_part(), headers=FROM_HAL)
    assistant = a_mail(forwarded_part(innermost), headers={"From": "assistant@bramwell-ky.example"})
    told = judged(a_mail(forwarded_part(assistant), headers=FROM_MANAGER))
    assert (told.outcome, told.complainants) == (Outcome.NEEDS_REVIEW, ("hal.doyle@riverbend.example",))
    assert told.complainant_is_suggested


def test_two_mails_in_one_forward_are_for_a_person() -> None:
    inner = forwarded_part(a_mail(pdf_part(), headers=FROM_HAL))
    assert judged(a_mail(inner, inner, headers=FROM_MANAGER)).review_reason == Reason.MANAGER_SEVERAL


def test_the_referral_of_a_complaint_that_reached_the_board_itself_opens_no_second_case() -> None:
    inner = a_mail(pdf_part(), headers={**FROM_HAL, "Message-ID": "<hal@x.example>"})
    told = judged(a_mail(forwarded_part(inner), headers=FROM_MANAGER), context(seen=(_seen(inner),)))
    assert (told.outcome, told.review_reason) == (Outcome.NEEDS_REVIEW, Reason.REFERS_FILED)
    assert (told.referral, told.suggested_number) == (Referral.BY_CITY_MANAGER, "EC-2026-0010")


def test_a_city_manager_who_is_a_party_answers_as_a_party() -> None:
    known = context()
    known = context(cases=tuple(replace(one, respondents=(*one.respondents, MANAGER)) for one in known.cases))
    told = judged(a_mail(pdf_part(), headers={**FROM_MANAGER, "In-Reply-To": NOTICE}), known)
    assert (told.outcome, told.number) == (Outcome.RESPONSE_RECEIVED, "EC-2026-0007")


QUOTES = [
    "-----Original Message-----\nFrom: Tobias Renn [mailto:t.renn@hollow.example]\nSent: Friday\n\nsee attached",
    "---------- Forwarded message ---------\nFrom: Tobias Renn <t.renn@hollow.example>\nDate: x\n\nhi",
    "Begin forwarded message:\n\n> From: Tobias Renn <t.renn@hollow.example>\n> Subject: x",
    "________________________________\nVon: Tobias Renn <t.renn@hollow.example>\nGesendet: x",
]


@pytest.mark.parametrize("quote", QUOTES)
def test_the_writer_of_a_quoted_mail_is_only_suggested(quote: str) -> None:
    told = judged(a_mail(pdf_part(), text=f"For the Board.\n\n{quote}", headers=FROM_MANAGER))
    assert (told.outcome, told.complainants, told.ack) == (
        Outcome.NEEDS_REVIEW,
        ("t.renn@hollow.example",),
        False,
    )
    assert told.complainant_is_suggested


def test_a_text_without_quoted_headers_names_nobody() -> None:
    assert quoted_writers("I wrote to x@y.example yesterday.") == ()


def test_what_a_sender_wrote_himself_ends_where_the_quote_begins() -> None:
    assert own_words("I deny it.\n> I withdraw\nOn Monday, the Board wrote:\nwithdraw") == "I deny it."


# --- replies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "match"),
    [
        ({"To": "complaints+r.t8w3nb@ethics.bramwell-ky.example"}, MatchKind.TOKEN),
        ({"To": "COMPLAINTS+R.T8W3NB@ethics.bramwell-ky.example"}, MatchKind.TOKEN),
        ({"Delivered-To": "complaints+r.t8w3nb@ethics.bramwell-ky.example"}, MatchKind.TOKEN),
        ({"In-Reply-To": CURE}, MatchKind.IN_REPLY_TO),
        ({"References": f"<first@x.example> {CURE} <last@x.example>"}, MatchKind.IN_REPLY_TO),
    ],
)
def test_a_reply_finds_its_case_by_token_then_by_identifier(
    headers: dict[str, str | None], match: MatchKind
) -> None:
    told = judged(a_mail(pdf_part(), headers={**FROM_OLA, **headers}))
    assert (told.outcome, told.number, told.match) == (Outcome.CURE_RECEIVED, "EC-2026-0009", match)


CODE = check_code("EC-2026-0009", b"secret")


def test_a_check_code_is_the_same_for_the_same_key_and_differs_by_number_and_key() -> None:
    assert check_code("EC-2026-0009", b"secret") == check_code("ec-2026-0009", b"secret")
    assert len({CODE, check_code("EC-2026-0010", b"secret"), check_code("EC-2026-0009", b"other")}) == 3


@pytest.mark.parametrize(
    ("subject", "headers", "outcome"),
    [
        (f"Re: [EC-2026-0009-{CODE}] signature", FROM_OLA, Outcome.CURE_RECEIVED),
        (f"Re: [ec-2026-0009-{CODE.upper()}] signature", FROM_OLA, Outcome.CURE_RECEIVED),
        ("Re: [EC-2026-0009] signature", FROM_OLA, Outcome.NEEDS_REVIEW),
        ("Re: [EC-2026-0009-zzzzzz] signature", FROM_OLA, Outcome.NEEDS_REVIEW),
        (f"Re: [EC-2026-0009-{CODE}] signature", STRANGER, Outcome.NEEDS_REVIEW),
    ],
)
def test_a_number_counts_with_its_code_and_a_partys_address_only(
    subject: str, headers: dict[str, str | None], outcome: Outcome
) -> None:
    known = context()
    known = context(cases=tuple(replace(one, code=check_code(one.number, b"secret")) for one in known.cases))
    told = judged(a_mail(pdf_part(), headers={**headers, "Subject": subject}), known)
    assert told.outcome is outcome
    assert told.number == ("EC-2026-0009" if outcome is Outcome.CURE_RECEIVED else None)


@pytest.mark.parametrize("number", ["EC-2026-0007", "EC-2026-9999", "2026-0007"])
def test_the_answer_to_a_stranger_is_the_same_whether_or_not_the_case_exists(number: str) -> None:
    told = judged(a_mail(pdf_part(), headers={**STRANGER, "Subject": f"About {number}"}))
    assert (told.outcome, told.number, told.ack) == (Outcome.NEEDS_REVIEW, None, False)
    assert told.review_reason == Reason.NUMBER_ALONE


def test_the_number_of_an_ordinance_is_no_case_number() -> None:
    assert (
        judged(a_mail(pdf_part(), headers={"Subject": "Breach of Ordinance No. 2019-044"})).outcome
        is Outcome.FILED
    )


@pytest.mark.parametrize(
    "headers", [{"To": "complaints+r.t8w3nb@ethics.bramwell-ky.example"}, {"In-Reply-To": CURE}]
)
def test_a_stolen_token_gives_a_stranger_nothing(headers: dict[str, str | None]) -> None:
    told = judged(a_mail(pdf_part(), headers={**STRANGER, **headers}))
    assert (told.outcome, told.number, told.match, told.ack) == (Outcome.NEEDS_REVIEW, None, None, False)


def test_a_party_of_another_case_is_a_stranger_here() -> None:
    assert judged(a_mail(pdf_part(), headers={**FROM_DALE, "In-Reply-To": CURE})).number is None


def test_a_party_with_the_other_sides_token_goes_to_a_person() -> None:
    headers = {"From": "marta.quill@riverbend.example", "To": BOX, "In-Reply-To": NOTICE}
    assert judged(a_mail(pdf_part(), headers=headers)).review_reason == Reason.OTHER_SIDES_TOKEN


def test_an_unknown_token_goes_to_a_person() -> None:
    headers = {**STRANGER, "To": "complaints+r.zzzzzz@ethics.bramwell-ky.example"}
    assert judged(a_mail(pdf_part(), headers=headers)).review_reason == Reason.UNKNOWN_TOKEN


def test_a_mail_that_points_to_two_cases_goes_to_a_person() -> None:
    headers = {**FROM_DALE, "To": "complaints+r.t8w3nb@ethics.bramwell-ky.example", "In-Reply-To": NOTICE}
    assert judged(a_mail(pdf_part(), headers=headers)).review_reason == Reason.TWO_CASES


def test_a_partys_address_that_fails_authentication_goes_to_a_person() -> None:
    fails = {"Authentication-Results": "mail.bramwell-ky.example; dmarc=fail header.from=quarry.example"}
    told = judged(a_mail(pdf_part(), headers={**FROM_OLA, **fails, "In-Reply-To": CURE}))
    assert (told.review_reason, told.number, told.ack) == (Reason.REPLY_FAILS, None, False)


def test_respondents_counsel_answers_for_him() -> None:
    known = context()
    known = context(cases=tuple(replace(one, counsel=("counsel@lawyer.example",)) for one in known.cases))
    headers = {"From": "counsel@lawyer.example", "To": BOX, "In-Reply-To": NOTICE}
    assert judged(a_mail(pdf_part(), headers=headers), known).outcome is Outcome.RESPONSE_RECEIVED


def test_a_response_may_be_written_in_the_mail_itself() -> None:
    told = judged(a_mail(text="I deny it.", headers={**FROM_DALE, "In-Reply-To": NOTICE}))
    assert told.outcome is Outcome.RESPONSE_RECEIVED
    assert Flag.NO_DOCUMENT in told.flags


@pytest.mark.parametrize(
    "attached", [IMAGE, part(b"", "application/pdf", "a.pdf"), pdf_part(b"%PDF-1.4 cut")]
)
def test_a_partys_paper_that_cannot_be_read_goes_to_a_person_with_its_case(attached: bytes) -> None:
    told = judged(a_mail(attached, headers={**FROM_OLA, "In-Reply-To": CURE}))
    assert (told.outcome, told.number, told.ack) == (Outcome.NEEDS_REVIEW, "EC-2026-0009", True)


@pytest.mark.parametrize(
    ("text", "parts", "reason"),
    [
        ("I withdraw my complaint.", (pdf_part(),), Reason.WITHDRAWAL),
        ("I will send it next week.", (), Reason.PARTY_WRITES),
    ],
)
def test_a_complainant_who_sends_something_else_goes_to_a_person(
    text: str, parts: tuple[bytes, ...], reason: str
) -> None:
    told = judged(a_mail(*parts, text=text, headers={**FROM_OLA, "In-Reply-To": CURE}))
    assert (told.outcome, told.review_reason, told.number) == (Outcome.NEEDS_REVIEW, reason, "EC-2026-0009")


def test_further_papers_are_no_cure_where_none_is_waited_for() -> None:
    headers = {
        "From": "marta.quill@riverbend.example",
        "To": "complaints+r.q7m2zt@ethics.bramwell-ky.example",
    }
    assert judged(a_mail(pdf_part(), headers=headers)).review_reason == Reason.FURTHER_PAPERS


FROM_STANG = {"From": "R. Stang <r.stang@bramwell-ky.example>", "To": BOX, "In-Reply-To": REPRIMAND}


@pytest.mark.parametrize(
    ("text", "parts", "finding", "outcome"),
    [
        ("I demand a public hearing.", (), None, Outcome.HEARING_DEMAND_RECEIVED),
        (
            "Attached.",
            (pdf_part(),),
            a_finding(text="DEMAND FOR PUBLIC HEARING"),
            Outcome.HEARING_DEMAND_RECEIVED,
        ),
        ("Attached.", (pdf_part(),), a_finding(text="", screened=False), Outcome.HEARING_DEMAND_RECEIVED),
        ("Attached.", (pdf_part(),), a_finding(text="Thank you"), Outcome.NEEDS_REVIEW),
        ("Received, thank you.", (), None, Outcome.NEEDS_REVIEW),
    ],
)
def test_no_demand_in_an_answer_to_a_reprimand_is_missed(
    text: str, parts: tuple[bytes, ...], finding: Finding | None, outcome: Outcome
) -> None:
    findings = {sha256(PDF): finding} if finding else {}
    told = judged(
        a_mail(*parts, text=text, headers={**FROM_STANG, "Subject": "Re: Decision"}), findings=findings
    )
    assert (told.outcome, told.number) == (outcome, "EC-2026-0005")


def test_a_known_complainant_without_any_reference_files_a_new_complaint() -> None:
    told = judged(a_mail(pdf_part(), headers={"From": "marta.quill@riverbend.example"}))
    assert (told.outcome, told.number) == (Outcome.FILED, None)


# --- new complaints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "referral"),
    [(f"{MANAGER}, {BOX}", Referral.NEEDED), (BOX, Referral.NEEDED_DIRECT), ("list:;", Referral.NEEDED)],
)
def test_a_complaint_straight_to_the_board_is_filed_and_must_be_referred(to: str, referral: Referral) -> None:
    told = judged(a_mail(pdf_part(), headers={"To": to}))
    assert (told.outcome, told.referral) == (Outcome.FILED, referral)


def test_joint_complainants_are_each_owed_a_receipt() -> None:
    told = judged(a_mail(pdf_part(), headers={"From": "a@x.example, b@y.example"}))
    assert (told.outcome, told.ack_to) == (Outcome.NEEDS_REVIEW, ("a@x.example", "b@y.example"))


@pytest.mark.parametrize("text", ["On behalf of my client.", "I represent Mr Renn.", "I am an attorney."])
def test_who_files_for_another_goes_to_a_person(text: str) -> None:
    told = judged(a_mail(pdf_part(), text=text))
    assert (told.review_reason, told.ack) == (Reason.NOT_THE_SIGNER, True)


@pytest.mark.parametrize(
    ("writer", "outcome"),
    [("hal@x.example", Outcome.NEEDS_REVIEW), ("ines.calloway@riverbend.example", Outcome.FILED)],
)
def test_only_ones_own_mail_may_be_forwarded_as_a_complaint(writer: str, outcome: Outcome) -> None:
    assert judged(a_mail(forwarded_part(a_mail(pdf_part(), headers={"From": writer})))).outcome is outcome


def test_an_answer_to_no_letter_of_ours_goes_to_a_person() -> None:
    assert (
        judged(a_mail(text="Thanks.", headers={"Subject": "Re: hello"})).review_reason == Reason.LOOSE_ANSWER
    )


def test_a_mail_names_what_must_be_looked_up_for_it() -> None:
    asked = mentions(read_mail(raw_of("024")))
    assert CURE in asked.message_ids
    assert asked.numbers == ("EC-2026-0009",)
    assert asked.addresses == ("ola.fenn@quarry.example",)
    assert mentions(read_mail(raw_of("031"))).tokens == ("q7m2zt",)
    assert mentions(read_mail(raw_of("025"))).tokens == ("t8w3nb",)


def test_what_is_mentioned_is_enough_to_judge_by() -> None:
    raw, known = raw_of("024"), context()
    asked = mentions(read_mail(raw))
    fewer = replace(
        known,
        cases=tuple(one for one in known.cases if one.number in asked.numbers),
        sent=tuple(
            one for one in known.sent if one.message_id in asked.message_ids or one.token in asked.tokens
        ),
    )
    assert judged(raw, fewer) == judged(raw, known)


def test_the_address_we_wrote_to_is_a_partys_address() -> None:
    letter = SentLetter(
        "EC-2026-0050", LetterKind.CURE_REQUEST, "new@x.example", "<l1@ethics.example>", "tok50x"
    )
    told = judged(
        a_mail(pdf_part(), headers={"From": "new@x.example", "In-Reply-To": "<l1@ethics.example>"}),
        context(sent=(letter,)),
    )
    assert (told.outcome, told.number) == (Outcome.CURE_RECEIVED, "EC-2026-0050")


def _after_an_undone_merger() -> Known:
    """Ola Fenn had joined case 9 by a merger and went back to case 60; a letter of case 9 reached her meanwhile."""
    letter = SentLetter(
        "EC-2026-0009",
        LetterKind.ACKNOWLEDGEMENT,
        "ola.fenn@quarry.example",
        "<ack9@ethics.example>",
        "tok9x",
    )
    other = KnownCase("EC-2026-0009", ("hal.doyle@riverbend.example",), code="abcde")
    own = KnownCase("EC-2026-0060", ("ola.fenn@quarry.example",))
    left = replace(other, moved=(("ola.fenn@quarry.example", own.number),))
    return context(sent=(letter,), cases=(left, own))


@pytest.mark.parametrize(
    ("headers", "number"),
    [
        ({"In-Reply-To": "<ack9@ethics.example>"}, "EC-2026-0060"),
        ({"In-Reply-To": "<ack9@ethics.example>", "Subject": "Re: EC-2026-0009-abcde"}, "EC-2026-0060"),
        ({"Subject": "EC-2026-0009-abcde"}, "EC-2026-0060"),
    ],
)
def test_who_went_back_to_his_own_case_answers_for_that_case(headers: dict[str, str], number: str) -> None:
    told = judged(a_mail(text="Thank you.", headers={**FROM_OLA, **headers}), _after_an_undone_merger())
    assert number in {told.number, told.suggested_number}
    assert told.review_reason not in {Reason.STRANGER, Reason.TWO_CASES}


def test_what_only_a_person_can_place_is_suggested_to_the_case_that_its_reader_went_back_to() -> None:
    known = _after_an_undone_merger()
    told = judged(a_mail(headers={**STRANGER, "In-Reply-To": "<ack9@ethics.example>"}), known)
    assert (told.review_reason, told.suggested_number) == (Reason.STRANGER, "EC-2026-0060")
    told = judged(a_mail(headers={**FROM_OLA, "Subject": "Re: EC-2026-0009"}), known)
    assert (told.review_reason, told.suggested_number) == (Reason.NUMBER_ALONE_PARTY, "EC-2026-0060")


def test_a_report_of_a_letter_stays_with_the_case_that_wrote_it() -> None:
    report = (
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; "
        b"ola.fenn@quarry.example\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    )
    returned = b"Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: <ack9@ethics.example>\r\n"
    headers = {"From": "MAILER-DAEMON@mx.example", "To": BOX, "Return-Path": "<>"}
    told = judged(
        a_mail(report, returned, subtype="report", headers=dict(headers)), _after_an_undone_merger()
    )
    assert (told.outcome, told.number) == (Outcome.BOUNCE_MATCHED, "EC-2026-0009")


def test_a_disposition_shows_nothing_confidential_when_it_is_printed() -> None:
    printed = repr(judged(raw_of("024")))
    assert not any(word in printed for word in ("fenn", "quarry", "t8w3nb"))
    assert Awaiting.CURE in context().cases[2].awaiting


# --- a machine that answers every receipt ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("papers", "numbered", "held"),
    [(0, 4, False), (0, 5, True), (1, 5, False), (1, 500, False)],
)
def test_a_sender_of_many_complaints_without_papers_within_a_day_is_left_to_a_person(
    papers: int, numbered: int, held: bool
) -> None:
    """A new number always brings a receipt (decisions 29): a machine that answers it unmarked would never end."""
    told = judged(a_mail(*(pdf_part() for _one in range(papers))), context(bare_lately=numbered))
    assert (told.review_reason == Reason.MANY) is held
    if held:
        assert told.outcome is Outcome.NEEDS_REVIEW
        assert told.complainants == told.senders
