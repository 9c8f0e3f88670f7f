"""`docket triage`: what would happen to these mails. Files nothing, sends nothing, asks no network."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from bot.cli.common import RecordCommand, as_option, at_the_record, data_option, json_option, say
from bot.cli.given import read_given
from bot.cli.mailroom import desk_of, judge_with, limits_of, roots_of
from bot.settings import ENV_FILE, Settings, load_settings
from intake.known import Awaiting, Known, KnownCase, LetterKind, SentLetter, Sighting, mentions, senders_of
from intake.message import IncomingMail, Limits, read_mail
from intake.pdf.finding import Finding
from intake.reading import Desk, JudgePdf, as_known
from intake.sniff import Kind
from intake.triage import Disposition, Outcome, triage
from store.cases import act, number_pattern
from store.proceedings.known import what_we_know
from store.rules.access import Deed
from store.rules.errors import BadInput

NOTHING_KNOWN = Known(intake_address="")


Ask = Callable[[IncomingMail], Known]
"""A mail -> what the record knows of what it mentions."""


@click.command("triage", cls=RecordCommand)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--context",
    "context_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON of cases, sent letters and addresses to judge by, instead of the record.",
)
@click.option(
    "--received", help="The instant of receipt, as 2026-11-02T14:14:12+00:00; stands for the server's."
)
@json_option
@data_option
@as_option
def triage_mail(
    files: tuple[Path, ...],
    context_file: Path | None,
    received: str | None,
    *,
    as_json: bool,
    data: Path | None,
    acting_as: str | None,
) -> None:
    """Say what would happen to mail FILES, judged in order as if each were filed before the next.

    They are judged by --context, else by the record that the settings name, for a clerk; where there is
    neither, as the first mails that ever came.
    """
    mails = [(path.name, read_given(path)) for path in files]
    moment = instant_given(received)
    settings = load_settings(data / ENV_FILE if data is not None else None)
    judge_pdf = judge_with(roots_of(settings))
    if context_file is not None:
        known = read_context(read_given(context_file))
        results = judge_files(mails, known, moment, judge_pdf=judge_pdf, limits=limits_of(settings))
    elif data is None and not has_record(settings):
        results = judge_files(mails, NOTHING_KNOWN, moment, judge_pdf=judge_pdf, limits=limits_of(settings))
    else:
        with at_the_record(data, acting_as) as caller:
            with act(caller.docket, caller.actor, Deed.SEE_HOLDING_PEN) as step:
                step.note.update({"what": "triage", "mails": len(mails)})
            desk = desk_of(caller.opened)
            results = judge_files(
                mails, NOTHING_KNOWN, moment, judge_pdf=judge_pdf, ask=asking(desk), limits=desk.limits
            )
    if as_json:
        click.echo(json.dumps([one.as_json() for one in results], indent=2, ensure_ascii=False))
        return
    say(*(one.as_line() for one in results))


def has_record(settings: Settings) -> bool:
    """Say whether a record is there to ask: keys are set, and a file is where SQLite's would be."""
    scheme, _, file = settings.database_url.get_secret_value().partition(":///")
    return bool(settings.keys) and (scheme != "sqlite" or Path(file).is_file())


def asking(desk: Desk) -> Ask:
    """Make the question what the record knows of a mail."""
    pattern = number_pattern(desk.docket)

    def asked(mail: IncomingMail) -> Known:
        named = mentions(mail, pattern)
        facts = what_we_know(
            desk.docket,
            item=None,
            raw_sha256=named.raw_sha256,
            message_id=named.message_id or "",
            tokens=named.tokens,
            message_ids=named.message_ids,
            numbers=named.numbers,
            pdf_hashes=named.pdf_hashes,
            senders=senders_of(mail),
        )
        return replace(as_known(desk, facts), number_pattern=pattern)

    return asked


def instant_given(text: str | None) -> datetime | None:
    """Read the instant of `--received`; without a zone it is UTC.

    Raises:
        BadInput: it is no instant.
    """
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadInput(
            f"--received {text!r} is no instant.", mend="Write it as 2026-11-02T14:14:12+00:00."
        ) from error


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
    files: Iterable[tuple[str, bytes]],
    known: Known,
    received_at: datetime | None,
    *,
    judge_pdf: JudgePdf,
    ask: Ask | None = None,
    limits: Limits | None = None,
) -> list[Judged]:
    """Judge mails in order; each is known to the next as if it had been filed.

    Args:
        files: name and bytes of each.
        known: what is known before the first.
        received_at: the instant of receipt of all of them; None where it is not given.
        judge_pdf: judges one PDF; each is judged once.
        ask: asks the record about each mail; what was judged here before is added to its answer.
        limits: how large a mail may be and still be opened.
    """
    results: list[Judged] = []
    findings: dict[str, Finding] = {}
    for name, raw in files:
        mail = read_mail(raw, limits)
        moment = received_at or mail.date or datetime(1970, 1, 1, tzinfo=UTC)
        for sha256, content in _new_pdfs(mail, findings).items():
            findings[sha256] = judge_pdf(content, moment)
        here = known if ask is None else _joined(ask(mail), known)
        told = triage(mail, here, findings, received_at=received_at)
        results.append(Judged(name, mail, told))
        known = with_sighting(known, Path(name).stem, mail, told)
    return results


def _joined(record: Known, here: Known) -> Known:
    """Add the mails that were judged here before to what the record knows."""
    return replace(record, seen=(*record.seen, *here.seen), papers={**here.papers, **record.papers})


def _new_pdfs(mail: IncomingMail, before: Mapping[str, Finding]) -> dict[str, bytes]:
    pdfs = [one for one in mail.exhibits() if one.kind is Kind.PDF]
    return {one.sha256: one.content for one in pdfs if one.sha256 not in before}


def with_sighting(known: Known, name: str, mail: IncomingMail, told: Disposition) -> Known:
    """Give what is known after a mail was filed under a name."""
    if told.outcome is Outcome.DUPLICATE:
        return known
    filed = told.outcome in {Outcome.FILED, Outcome.CURE_NOTICE}
    seen = Sighting(mail.raw_sha256, mail.message_id, mail.content_sha256, name, told.number, filed=filed)
    papers = dict(known.papers)
    for one in mail.exhibits():
        if one.kind is Kind.PDF:
            papers.setdefault(one.sha256, name)
    return replace(known, seen=(*known.seen, seen), papers=papers)


def read_context(raw: bytes) -> Known:
    """Read a context file; what is null or absent is empty, and what it does not know is passed over.

    Args:
        raw: JSON: an object of intake_address, own_addresses, city_manager, authserv_id, complaints and sent,
            or an object that holds one under "context".

    Raises:
        BadInput: it is no such JSON; the text says where.
    """
    try:
        given = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise _wrong_context("is no JSON that can be read") from error
    whole = _Given(given, "")
    context = _Given(whole.fields["context"], "context") if "context" in whole.fields else whole
    return Known(
        intake_address=context.text("intake_address"),
        own_addresses=context.texts("own_addresses"),
        city_manager=context.texts("city_manager"),
        authserv_id=context.text("authserv_id", needed=False),
        cases=tuple(_case(one) for one in context.several("complaints")),
        sent=tuple(_letter(one) for one in context.several("sent")),
        roster_names=context.texts("roster_names"),
        roster_addresses=context.texts("roster_addresses"),
    )


def _wrong_context(what: str) -> BadInput:
    return BadInput(f"The context file {what}.", mend="Nothing was changed; correct the file.")


class _Given:
    """An object of the context file, and where it stands; it says what is wrong with it."""

    def __init__(self, given: object, place: str) -> None:
        if not isinstance(given, dict):
            raise _wrong_context(f"holds no JSON object{f' at {place}' if place else ''}")
        self.fields: dict[str, object] = {key: one for key, one in given.items() if one is not None}
        self._place = place

    def _at(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name

    def text(self, name: str, *, needed: bool = True) -> str:
        """Give a text; "" where it may be absent and is."""
        given = self.fields.get(name, "")
        if not isinstance(given, str):
            raise _wrong_context(f"has something other than a text at {self._at(name)}")
        if needed and not given.strip():
            raise _wrong_context(f"lacks {self._at(name)}")
        return given

    def texts(self, name: str) -> tuple[str, ...]:
        """Give the texts of a list; one text alone counts as a list of one."""
        given = self.fields.get(name, [])
        every = [given] if isinstance(given, str) else given
        if not isinstance(every, list) or not all(isinstance(one, str) for one in every):
            raise _wrong_context(f"has something other than texts at {self._at(name)}")
        return tuple(every)

    def several(self, name: str) -> "tuple[_Given, ...]":
        """Give the objects of a list."""
        given = self.fields.get(name, [])
        if not isinstance(given, list):
            raise _wrong_context(f"has something other than a list at {self._at(name)}")
        return tuple(_Given(one, f"{self._at(name)}[{place}]") for place, one in enumerate(given))


def _case(given: _Given) -> KnownCase:
    return KnownCase(
        number=given.text("number"),
        complainants=(*given.texts("complainant"), *given.texts("complainants")),
        respondents=(*given.texts("respondent"), *given.texts("respondents")),
        counsel=given.texts("counsel"),
        awaiting=_awaiting(given.text("state", needed=False)),
        code=given.text("check_code", needed=False) or None,
    )


def _awaiting(state: str) -> frozenset[Awaiting]:
    words = {"cure": Awaiting.CURE, "inquiry": Awaiting.RESPONSE, "reprimand": Awaiting.DEMAND}
    return frozenset(what for word, what in words.items() if word in state.lower())


def _letter(given: _Given) -> SentLetter:
    return SentLetter(
        number=given.text("complaint"),
        kind=LetterKind.of(given.text("type", needed=False)),
        to=given.text("to"),
        message_id=given.text("message_id"),
        token=given.text("token"),
        envid=given.text("envid", needed=False) or None,
    )
