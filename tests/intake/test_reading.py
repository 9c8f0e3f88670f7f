"""A message read against the record: what came before is known by its identifiers, in the database too."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from intake.pdf.finding import Finding, Signature
from intake.poller import Mailroom
from intake.reading import Arrival, Desk, Read, read
from intake.triage import Outcome, Reason
from store.cases import Docket
from store.ports import NoFaults
from store.proceedings.mail import Spot, place_of, take_mail
from store.rules.ordinance import parse_profile
from tests.intake.mail_builders import BOX, PASSES, a_finding, a_mail, forwarded_part, part, pdf_part
from tests.kill_filing import INTAKE, RECEIVED, a_docket

PROFILE = Path(__file__).parents[2] / "store" / "profiles" / "bramwell.toml"
MANAGER = next(
    email
    for one in parse_profile(PROFILE.read_text()).addresses
    if one.office.value == "city_manager"
    for email in one.emails
)
COMPLAINT = a_mail(
    pdf_part(),
    headers={"From": "Hal Doyle <hal@riverbend.example>", "To": BOX, "Message-ID": "<hal@riverbend.example>"},
)


def _judge(_content: bytes, _moment: datetime) -> Finding:
    return a_finding(Signature.NEEDS_HUMAN)


@pytest.fixture
def docket(tmp_path: Path) -> Iterator[Docket]:
    """An empty record."""
    with a_docket(tmp_path, Fernet.generate_key().decode(), NoFaults()) as made:
        yield made


def _arrives(docket: Docket, raw: bytes, uid: int) -> tuple[Read, int]:
    """Take a mail, read it, and let the mailroom place it."""
    at = RECEIVED + timedelta(minutes=uid)
    item = take_mail(docket, Spot("host", "box", "INBOX", 1, uid, len(raw), at), raw).item
    desk = Desk(docket, INTAKE, "mail.bramwell-ky.example", _judge)
    found = read(desk, Arrival(raw, at, at, item=item))
    Mailroom(desk, 1 << 20).read_waiting()
    return found, item


def test_the_city_managers_forward_of_a_complaint_that_is_filed_opens_no_second_case(docket: Docket) -> None:
    _found, first = _arrives(docket, COMPLAINT, 1)
    domain = MANAGER.rpartition("@")[2]
    passes = PASSES.replace("header.from=bramwell-ky.example", f"header.from={domain}")
    headers = {"From": MANAGER, "To": BOX, "Authentication-Results": passes}
    found, item = _arrives(docket, a_mail(forwarded_part(COMPLAINT), headers=dict(headers)), 2)
    assert found.told.review_reason == Reason.REFERS_FILED
    assert found.told.suggested_number == place_of(docket, first)[1]
    assert place_of(docket, item) == ("holding-pen", "")


def test_an_answer_to_ones_own_filed_complaint_is_left_to_a_person_who_attaches_it(docket: Docket) -> None:
    _arrives(docket, COMPLAINT, 1)
    more = {"In-Reply-To": "<hal@riverbend.example>", "Message-ID": "<more@riverbend.example>"}
    photo = part(b"\xff\xd8\xff" + bytes(50_000), "image/jpeg", "page.jpg")
    found, item = _arrives(docket, a_mail(photo, headers={"Subject": "The page I forgot", **more}), 2)
    assert (found.told.outcome, found.told.review_reason) == (Outcome.NEEDS_REVIEW, Reason.FOLLOWS_FILED)
    assert found.told.ack
    assert place_of(docket, item) == ("holding-pen", "")
