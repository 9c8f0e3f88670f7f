"""`docket intake`: papers and mail that staff file by hand, through the same rooms as the mailbox (I9)."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import click

from bot import words
from bot.cli.common import (
    FILE,
    INSTANT,
    WORDS,
    Caller,
    RecordCommand,
    iso,
    json_option,
    on_record,
    say,
    say_json,
)
from bot.cli.given import read_given
from bot.cli.mailroom import desk_of
from intake.poller import carry_out
from intake.reading import Arrival, Desk, evidence_of, read
from intake.sniff import Kind, kind_of
from store.cases import act
from store.proceedings.cure import record_cure
from store.proceedings.mail import Spot, Taken, place_of, take_mail
from store.proceedings.receipt import Filing, Paper, Sender, file_complaint
from store.rules.access import Deed
from store.rules.casefile import CURE
from store.rules.conflict import Passage, Where
from store.rules.errors import BadInput
from store.rules.facts import Basis, ReceiptEvidence
from store.rules.spoken import spoken

_BY_HAND = "by hand"


_MEDIA_TYPES = {Kind.PDF: "application/pdf", Kind.IMAGE: "image/*", Kind.TEXT: "text/plain"}
_HEADER_LINE = re.compile(
    rb"\A(?:From |(?:Return-Path|Received|From|To|Date|Subject|Message-ID|MIME-Version):)", re.IGNORECASE
)


def _is_mail(path: Path, content: bytes, kind: Kind) -> bool:
    """Say whether a file is a mail as a mail program saves it: by its name, or by its first line."""
    texty = kind in {Kind.TEXT, Kind.OTHER}
    return path.suffix.lower() == ".eml" or (texty and _HEADER_LINE.match(content) is not None)


@dataclass(frozen=True, slots=True)
class Filed:
    """What became of one file."""

    file: str
    outcome: str
    number: str
    received_at: datetime
    reason: str = ""


@click.command("intake", cls=RecordCommand)
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option(
    "--received",
    type=INSTANT,
    help="When it was received, with offset: 2026-03-02T10:00:00-05:00. Without it: now.",
)
@click.option(
    "--how",
    type=WORDS,
    default="",
    help="How the instant of receipt is known, such as: date stamp of the counter.",
)
@click.option(
    "--complainant", type=WORDS, default="", help="Who complains, for a paper of any kind; - reads it."
)
@click.option(
    "--email", type=WORDS, default="", help="The complainant's address, for a paper of any kind; - reads it."
)
@json_option
@on_record
def intake(
    caller: Caller,
    files: tuple[Path, ...],
    received: datetime | None,
    *,
    how: str,
    complainant: str,
    email: str,
    as_json: bool,
) -> None:
    """File FILES (mail as .eml, PDF, or a picture of a page) for paper and walk-ins.

    A mail is judged as if it had come to the mailbox: it may become a case, join one, or wait for a person.
    A PDF or a picture becomes a case, and so does any other file that --complainant or --email goes with.
    Each is kept as it is, byte for byte.
    """
    caller.check(Deed.INTAKE_BY_HAND)
    at = received or caller.opened.clock.now()
    if at > caller.opened.clock.now():
        raise BadInput("A receipt cannot lie in the future; nothing was filed.")
    hand = _Hand(caller, desk_of(caller.opened), at, how, Sender(complainant, email))
    told = [hand.file(path) for path in files]
    if as_json:
        say_json(
            [
                {
                    "file": one.file,
                    "outcome": one.outcome,
                    "complaint": one.number or None,
                    "received_at": iso(one.received_at),
                    "reason": one.reason or None,
                }
                for one in told
            ]
        )
        return
    for one in told:
        say(" | ".join(part for part in (one.file, spoken(one.outcome), one.number, one.reason) if part))


@dataclass(frozen=True, slots=True)
class _Hand:
    """The clerk's hand: who files, from when, and how that is known."""

    caller: Caller
    desk: Desk
    at: datetime
    how: str
    complainant: Sender

    def file(self, path: Path) -> Filed:
        """File one file."""
        content = read_given(path)
        if not content:
            raise BadInput(f"{path.name} is empty.", mend="Get it again; nothing of it was filed.")
        kind = kind_of(content, name=path.name)
        if self.complainant.name or self.complainant.address:
            if _is_mail(path, content, kind):
                raise BadInput(
                    f"{path.name} is a mail, which says itself who sent it; nothing of it was filed.",
                    mend="Leave out --complainant and --email.",
                )
            return self._file_paper(path, content, kind)
        if kind in {Kind.PDF, Kind.IMAGE}:
            return self._file_paper(path, content, kind)
        return self._file_mail(path, content)

    def _file_mail(self, path: Path, raw: bytes) -> Filed:
        docket = self.caller.docket
        with act(docket, self.caller.actor, Deed.INTAKE_BY_HAND) as step:
            step.note.update({"sha256": hashlib.sha256(raw).hexdigest(), "how": self.how})
        taken = self._take(raw)
        if taken.again:
            place, number = place_of(docket, taken.item)
            return Filed(path.name, "duplicate", number, self.at, f"these bytes were taken before ({place})")
        arrival = Arrival(raw, self.at, self.caller.opened.clock.now(), item=taken.item)
        found = read(self.desk, arrival)
        evidence = replace(found.filing.evidence, words=self.how)
        found = replace(found, filing=replace(found.filing, basis=Basis.RECORDED_BY_STAFF, evidence=evidence))
        carry_out(self.desk, taken.item, found)
        _place, number = place_of(docket, taken.item)
        return Filed(path.name, found.told.outcome.value, number, self.at, found.told.review_reason or "")

    def _take(self, raw: bytes) -> Taken:
        """Keep the bytes first; a mail filed by hand has no place in a mailbox but this one."""
        digest = int.from_bytes(hashlib.sha256(raw).digest()[:6], "big")
        spot = Spot(_BY_HAND, "", "", 0, digest, len(raw), self.at)
        return take_mail(self.caller.docket, spot, raw)

    def paper(self, path: Path) -> Filing:
        """Read one paper that is handed in for a case, judged and searched as what comes by mail."""
        content = read_given(path)
        if not content:
            raise BadInput(f"{path.name} is empty.", mend="Get it again; nothing of it was filed.")
        return self._filing(path, content, kind_of(content, name=path.name))

    def _file_paper(self, path: Path, content: bytes, kind: Kind) -> Filed:
        filing = self._filing(path, content, kind)
        number = file_complaint(self.caller.docket, None, filing, actor=self.caller.actor)
        return Filed(path.name, filing.outcome, number, self.at)

    def _filing(self, path: Path, content: bytes, kind: Kind) -> Filing:
        found = self.desk.judge_pdf(content, self.at) if kind is Kind.PDF else None
        paper = Paper(
            content,
            path.name,
            _MEDIA_TYPES.get(kind, "application/octet-stream"),
            evidence=evidence_of(found).to_json() if found else "",
            searched=found is not None and found.screened,
        )
        named = self.complainant.name or self.complainant.address
        return Filing(
            outcome="filed",
            received_at=self.at,
            basis=Basis.RECORDED_BY_STAFF,
            evidence=ReceiptEvidence(ingested_at=self.caller.opened.clock.now(), words=self.how),
            complainants=(self.complainant,) if named else (),
            papers=(paper,),
            passages=(
                Passage(Where.FILE_NAME, path.name),
                *(
                    (
                        Passage(Where.PAGE_TEXT, found.text),
                        Passage(Where.ENCLOSED_TEXT, found.enclosed_text),
                        *(Passage(Where.FILE_NAME, one.name) for one in found.enclosed),
                    )
                    if found
                    else ()
                ),
            ),
            addresses=(self.complainant.address,) if self.complainant.address else (),
            readable=found is not None and found.screened,
            ack_to=self.complainant.address,
        )


# -- a paper that mends a complaint -------------------------------------------------------------------


@click.command("cure", cls=RecordCommand)
@click.argument("number")
@click.argument("files", nargs=-1, type=FILE)
@click.option(
    "--received", required=True, type=INSTANT, help="When it was received, such as 2026-03-02T10:00:00-05:00."
)
@click.option(
    "--how",
    type=WORDS,
    default="",
    help="How the instant of receipt is known, such as: date stamp of the counter.",
)
@click.option("--party", type=int, metavar="ID", help="Whose it is; needed where several complain.")
@click.option(
    "--document", "documents", multiple=True, type=int, metavar="ID", help="A paper of the case instead."
)
@on_record
def cure(
    caller: Caller,
    number: str,
    files: tuple[Path, ...],
    *,
    received: datetime,
    how: str,
    party: int | None,
    documents: tuple[int, ...],
) -> None:
    """File FILES as a paper, brought in by hand, that mends what the complaint of case NUMBER lacks.

    The scan is kept byte for byte. Decide the form afterwards: the 30 days of (B) run from the receipt that you
    state here. What the complainant mails joins the case by itself.
    """
    if files and documents:
        raise BadInput(
            "Either scans or papers of the case are taken, and one of them is.",
            mend="Give the scans, or name papers with --document.",
        )
    hand = _Hand(caller, desk_of(caller.opened), received, how, Sender("", ""))
    filing = _together([hand.paper(path) for path in files], received, how, caller.opened.clock.now())
    key = record_cure(caller.docket, caller.actor, number, filing, party=party, documents=documents)
    say(
        f"Recorded: receipt {key}, {words.instant(received, caller.zone)}.",
        f"Look at it, then decide: docket form {number} --proper. The 30 days run from that receipt.",
    )


def _together(read: Sequence[Filing], at: datetime, how: str, now: datetime) -> Filing:
    """Make one filing of papers that were handed in together."""
    return Filing(
        outcome="filed",
        received_at=at,
        basis=Basis.RECORDED_BY_STAFF,
        evidence=ReceiptEvidence(ingested_at=now, words=how),
        papers=tuple(paper for one in read for paper in one.papers),
        passages=tuple(passage for one in read for passage in one.passages),
        readable=all(one.readable for one in read),
        what=CURE,
    )
