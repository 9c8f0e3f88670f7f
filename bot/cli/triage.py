"""`docket triage`: what would happen to these mails. Files nothing, sends nothing, asks no network."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from intake.known import Awaiting, Known, KnownCase, LetterKind, SentLetter, Sighting
from intake.message import IncomingMail, read_mail
from intake.pdf.finding import Finding
from intake.sniff import Kind
from intake.triage import Disposition, Outcome, triage
from store.rules.errors import BadInput

JudgePdf = Callable[[bytes, datetime], Finding]
"""Bytes of a PDF and the instant at which its certificates count -> finding."""


@click.command("triage")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--context",
    "context_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON of cases, sent letters and addresses to judge by, instead of the database.",
)
@click.option(
    "--received", help="The instant of receipt, as 2026-11-02T14:14:12+00:00; stands for the server's."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def triage_mail(
    files: tuple[Path, ...], context_file: Path | None, received: str | None, *, as_json: bool
) -> None:
    """Say what would happen to mail FILES, judged in order as if each were filed before the next."""
    known = read_context(context_file.read_bytes()) if context_file else context_from_database()
    results = judge_files(
        [(path.name, path.read_bytes()) for path in files],
        known,
        instant_given(received),
        judge_pdf=in_the_sandbox,
    )
    if as_json:
        click.echo(json.dumps([one.as_json() for one in results], indent=2, ensure_ascii=False))
        return
    for one in results:
        click.echo(one.as_line())


def instant_given(text: str | None) -> datetime | None:
    """Read the instant of `--received`; without a zone it is UTC.

    Raises:
        BadInput: it is no instant.
    """
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(
            f"--received {text!r} is no instant.", mend="Write it as 2026-11-02T14:14:12+00:00."
        ) from error
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)


def in_the_sandbox(content: bytes, moment: datetime) -> Finding:
    """Judge a PDF in a child process with limits, trusting no root: this machine's settings are not read here."""
    from intake.pdf.judge import judge

    from intake.pdf.limits import Limits
    from intake.pdf.trust import NO_ROOTS

    return judge(content, trust=NO_ROOTS, moment=moment, limits=Limits())


def context_from_database() -> Known:
    """Give what the database knows; until a database is joined here, nothing but the defaults."""
    return Known(intake_address="")


@dataclass(frozen=True, slots=True)
class Judged:
    """One file judged."""

    name: str
    mail: IncomingMail
    disposition: Disposition

    def as_line(self) -> str:
        """Give one line for the terminal: file, outcome, case, reason; no name and no address."""
        told = self.disposition
        parts = [
            self.name,
            told.outcome.value,
            told.number or "",
            told.review_reason or "",
            ", ".join(told.flags),
        ]
        return " | ".join(one for one in parts if one)

    def as_json(self) -> dict[str, Any]:
        """Give everything as JSON values."""
        told, papers = self.disposition, self.disposition.papers
        return {
            "file": self.name,
            "outcome": told.outcome.value,
            "complaint": told.number,
            "complainant": _complainant(told),
            "sender": told.sender,
            "senders": list(told.senders),
            "display_name": next((box.name for box in self.mail.from_.boxes), None),
            "subject": self.mail.subject,
            "pdfs": list(papers.pdfs) if papers else [],
            "inner_pdfs": list(papers.inner_pdfs) if papers else [],
            "filenames": [one.name for one in self.mail.exhibits()],
            "container": self.mail.container,
            "smime": self.mail.smime.value if self.mail.smime else None,
            "referral": told.referral.value if told.referral else None,
            "match": told.match.value if told.match else None,
            "bounce": _bounce(told),
            "ack": told.ack,
            "ack_to": ", ".join(told.ack_to) or None,
            "flags": list(told.flags),
            "review_reason": told.review_reason,
            "dup_of": told.earlier,
        }


def _complainant(told: Disposition) -> str | None:
    if not told.complainants:
        return None
    named = ", ".join(told.complainants)
    return f"suggested {named} (from quoted text, staff confirm)" if told.complainant_is_suggested else named


def _bounce(told: Disposition) -> dict[str, str | None] | None:
    if told.bounce is None:
        return None
    letter = told.bounce.letter
    return {
        "action": told.bounce.action.value,
        "status": told.bounce.status,
        "recipient": told.bounce.recipient,
        "letter": letter.message_id if letter else None,
    }


def judge_files(
    files: Iterable[tuple[str, bytes]], known: Known, received_at: datetime | None, *, judge_pdf: JudgePdf
) -> list[Judged]:
    """Judge mails in order; each is known to the next as if it had been filed.

    Args:
        files: name and bytes of each.
        known: what is known before the first.
        received_at: the instant of receipt of all of them; None where it is not given.
        judge_pdf: judges one PDF; each is judged once.
    """
    results: list[Judged] = []
    findings: dict[str, Finding] = {}
    for name, raw in files:
        mail = read_mail(raw)
        moment = received_at or mail.date or datetime(1970, 1, 1, tzinfo=UTC)
        for sha256, content in _new_pdfs(mail, findings).items():
            findings[sha256] = judge_pdf(content, moment)
        told = triage(mail, known, findings, received_at=received_at)
        results.append(Judged(name, mail, told))
        known = with_sighting(known, Path(name).stem, mail, told)
    return results


def _new_pdfs(mail: IncomingMail, before: Mapping[str, Finding]) -> dict[str, bytes]:
    pdfs = [one for one in mail.exhibits() if one.kind is Kind.PDF]
    return {one.sha256: one.content for one in pdfs if one.sha256 not in before}


def with_sighting(known: Known, name: str, mail: IncomingMail, told: Disposition) -> Known:
    """Give what is known after a mail was filed under a name."""
    if told.outcome is Outcome.DUPLICATE:
        return known
    seen = Sighting(mail.raw_sha256, mail.message_id, mail.content_sha256, name, told.number)
    papers = dict(known.papers)
    for one in mail.exhibits():
        if one.kind is Kind.PDF:
            papers.setdefault(one.sha256, name)
    return replace(known, seen=(*known.seen, seen), papers=papers)


def read_context(raw: bytes) -> Known:
    """Read a context file.

    Args:
        raw: JSON: an object of intake_address, own_addresses, city_manager, authserv_id, complaints and sent,
            or an object that holds one under "context".

    Raises:
        BadInput: it is no such JSON.
    """
    try:
        given = json.loads(raw)
        context = given.get("context", given)
        return Known(
            intake_address=context["intake_address"],
            own_addresses=_texts(context.get("own_addresses")),
            city_manager=_texts(context.get("city_manager")),
            authserv_id=context.get("authserv_id") or "",
            cases=tuple(_case(one) for one in context.get("complaints", ())),
            sent=tuple(_letter(one) for one in context.get("sent", ())),
            roster_names=_texts(context.get("roster_names")),
            roster_addresses=_texts(context.get("roster_addresses")),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            "The context file is no JSON object with intake_address, complaints and sent.",
            mend="Nothing was changed; correct the file.",
        ) from error


def _texts(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(str(one) for one in given) if isinstance(given, list) else ()


def _case(given: Mapping[str, Any]) -> KnownCase:
    return KnownCase(
        number=given["number"],
        complainants=(*_texts(given.get("complainant")), *_texts(given.get("complainants"))),
        respondents=_texts(given.get("respondents")),
        counsel=_texts(given.get("counsel")),
        awaiting=_awaiting(str(given.get("state", ""))),
        code=given.get("check_code"),
    )


def _awaiting(state: str) -> frozenset[Awaiting]:
    words = {"cure": Awaiting.CURE, "inquiry": Awaiting.RESPONSE, "reprimand": Awaiting.DEMAND}
    return frozenset(what for word, what in words.items() if word in state.lower())


def _letter(given: Mapping[str, Any]) -> SentLetter:
    return SentLetter(
        number=given["complaint"],
        kind=LetterKind.of(given["type"]),
        to=given["to"],
        message_id=given["message_id"],
        token=given["token"],
        envid=given.get("envid"),
    )
