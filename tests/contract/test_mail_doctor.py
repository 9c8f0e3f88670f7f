"""The doctor's look at the sending domain: SPF and DMARC, asked of a name server."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from bot.cli.mail_doctor import look_at_sending_domain
from bot.doctor import Check, Status
from bot.settings import load_settings
from intake.sending_domain import Texts, is_for_practice, texts_by

pytestmark = pytest.mark.contract
GOOD = {"city.gov": ["v=spf1 include:relay.example -all"], "_dmarc.city.gov": ["v=DMARC1; p=reject"]}


@contextmanager
def name_server(records: Mapping[str, list[str]]) -> Iterator[Texts]:
    """A DNS server on loopback that knows these TXT records; every other name is not there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                wire, asker = sock.recvfrom(4_096)
                if wire == b"end":
                    return
                query = dns.message.from_wire(wire)
                answer = dns.message.make_response(query)
                name = query.question[0].name
                texts = records.get(str(name).rstrip("."))
                if texts is None:
                    answer.set_rcode(dns.rcode.NXDOMAIN)
                elif texts:
                    quoted = [f'"{text}"' for text in texts]
                    answer.answer.append(dns.rrset.from_text_list(name, 60, "IN", "TXT", quoted))
                sock.sendto(answer.to_wire(), asker)

        thread = threading.Thread(target=serve)
        thread.start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], sock.getsockname()[1]
        try:
            yield texts_by(resolver)
        finally:
            sock.sendto(b"end", sock.getsockname())
            thread.join()


def looked(folder: Path, records: Mapping[str, list[str]], box: str = "ethics@city.gov") -> dict[str, Check]:
    """What the doctor says of the domain."""
    (folder / ".env").touch()
    settings = load_settings(folder / ".env", {"DOCKET_MAIL_FROM": box})
    with name_server(records) as ask:
        return {one.check: one for one in look_at_sending_domain(settings, ask)}


def test_a_good_domain_is_said_to_be_good(tmp_path: Path) -> None:
    said = looked(tmp_path, GOOD)
    assert {name: one.status for name, one in said.items()} == {"SPF": Status.OK, "DMARC": Status.OK}
    assert "aligns" in said["SPF"].detail


@pytest.mark.parametrize(
    ("records", "check", "words"),
    [
        ({}, "SPF", "no SPF record"),
        ({**GOOD, "city.gov": ["v=spf1 -all", "v=spf1 ~all"]}, "SPF", "2 SPF records"),
        ({**GOOD, "city.gov": ["v=spf1 +all"]}, "SPF", "everybody"),
        ({**GOOD, "city.gov": ["v=spf1 all"]}, "SPF", "everybody"),
        ({**GOOD, "_dmarc.city.gov": []}, "DMARC", "no policy"),
        ({**GOOD, "_dmarc.city.gov": ["v=DMARC1; p=none; rua=mailto:x@y"]}, "DMARC", "p=none"),
    ],
)
def test_what_the_domain_lacks_is_a_warning_with_its_mend(
    tmp_path: Path, records: dict[str, list[str]], check: str, words: str
) -> None:
    told = looked(tmp_path, records)[check]
    assert (told.status, words in told.detail, bool(told.mend)) == (Status.WARN, True, True)


def test_a_policy_of_the_parent_domain_counts(tmp_path: Path) -> None:
    records = {"ethics.city.gov": ["v=spf1 mx -all"], "_dmarc.city.gov": ["v=DMARC1;p=quarantine"]}
    told = looked(tmp_path, records, "board@ethics.city.gov")["DMARC"]
    assert told.status is Status.OK
    assert "at city.gov" in told.detail


def test_a_domain_of_nobody_is_not_looked_up_and_a_silent_resolver_is_a_warning(tmp_path: Path) -> None:
    assert is_for_practice("bramwell-ky.example")
    assert not is_for_practice("example-city.gov")
    (tmp_path / ".env").touch()

    def silent(_name: str) -> tuple[str, ...]:
        raise OSError("nobody")

    for box, status in (("a@b.example", Status.OK), ("a@city.gov", Status.WARN)):
        settings = load_settings(tmp_path / ".env", {"DOCKET_MAIL_FROM": box})
        (said,) = look_at_sending_domain(settings, silent)
        assert (said.check, said.status) == ("sending domain", status)
