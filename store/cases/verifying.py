"""Checking the whole record: chain, contents, facts, documents and raw mail (C5)."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from typing import Any

from sqlmodel import col, select

from store import journal
from store.cases.acts import Act, act
from store.cases.record import (
    Actor,
    Docket,
    case_key,
)
from store.cases.reindexing import first_difference
from store.cases.rights import standing_of
from store.rules import access
from store.rules.access import Deed
from store.rules.errors import Refusal
from store.tables import (
    Document,
    FactRow,
    RawMail,
)
from store.vault import DocumentMissing, KeyRef, Owner


class Pass(StrEnum):
    """The three times that the check goes through the journal, and the one through the cases."""

    CHAIN = "chain"
    FACTS = "facts"
    VAULT = "vault"
    LINES = "docket lines"


CameTo = Callable[[Pass, int], None]
"""(pass, number of the entry that was checked, or of cases whose lines were)."""


def verify(
    docket: Docket,
    actor: Actor,
    *,
    anchor: tuple[int, str] | None = None,
    came_to: CameTo = lambda _pass, _seq: None,
) -> journal.ChainFault | None:
    """Check the journal's chain, its contents, and that every fact is the one that was chained (C5).

    The check reads one snapshot and holds up nobody; that it was made, and what it found, is an entry. Where the
    roster itself was altered nobody's rights can be looked up and no act can be entered: then the check is made for
    whoever asks, since it tells of no case, and names the entry.

    Args:
        docket: the record.
        actor: who asks.
        anchor: number and hash of an earlier head, as mailed out; shows a tail that was cut.
        came_to: told how far each pass has come, for whoever waits (R9).

    Returns:
        The first thing that is wrong, or None.
    """
    fault = None
    with docket.database.read() as session:
        step = Act(docket, session, actor, Deed.VERIFY, docket.clock.now(), None)
        allowed = _may(step)
        if allowed is not False:
            fault = (
                journal.verify(session, docket.keyring, anchor=anchor, came_to=partial(came_to, Pass.CHAIN))
                or _verify_facts(step, partial(came_to, Pass.FACTS))
                or _verify_vault(step, partial(came_to, Pass.VAULT))
                or _verify_lines(step, partial(came_to, Pass.LINES))
            )
    if allowed is None and fault is not None:
        return fault
    with act(docket, actor, Deed.VERIFY) as entry:
        entry.note["fault"] = fault.says if fault else ""
    return fault


def _may(step: Act) -> bool | None:
    """Say whether the asker may have the record checked; None where the roster cannot be read."""
    try:
        return access.may(Deed.VERIFY, standing_of(step.actor, step.people, step.today))
    except DocumentMissing:
        return None


def _verify_facts(step: Act, came_to: Callable[[int], None]) -> journal.ChainFault | None:
    """Check every fact and document against the entry that tells of it; disposed cases by header alone."""
    session = step.session
    chained: set[int] = set()
    for entry in journal.entries(session, step.docket.keyring):
        for told, moved in _told(entry):
            chained.add(told["id"])
            says = _fact_fault(step, entry, told, moved=moved)
            if says:
                return journal.ChainFault(entry.seq, says)
        for kept in _kept(entry):
            paper = session.get(Document, kept["document"])
            if paper is None or (paper.sha256, paper.kind) != (kept["sha256"], kept["kind"]):
                return journal.ChainFault(entry.seq, "a document that it tells of is gone or was altered")
        came_to(entry.seq)
    for row in session.exec(select(FactRow).order_by(col(FactRow.entry), col(FactRow.id))):
        if row.id not in chained and not _is_disposed(step, row.case_id):
            return journal.ChainFault(row.entry, "a fact stands in no entry")
    return None


def _verify_vault(step: Act, came_to: Callable[[int], None]) -> journal.ChainFault | None:
    """Open every kept paper and message, and hold its bytes against the hash that was chained."""
    there, told = set(step.session.exec(select(RawMail.sha256))), set()
    for entry in journal.entries(step.session, step.docket.keyring):
        message = _message(entry)
        told.add(message)
        if message and message not in there:
            return journal.ChainFault(entry.seq, "the message that it tells of is gone or was altered")
        for kept in _kept(entry):
            paper = step.session.get(Document, kept["document"])
            if paper is not None and not _holds(step, KeyRef(Owner(paper.key_kind), paper.key_owner), paper):
                return journal.ChainFault(
                    entry.seq, "a paper that it tells of is missing from the vault, or was altered"
                )
        came_to(entry.seq)
    for mail in step.session.exec(select(RawMail).order_by(col(RawMail.id))):
        if not _holds(step, KeyRef(Owner.MAIL, mail.id or 0), mail):
            return journal.ChainFault(
                0, f"the raw bytes of message {mail.id} are missing from the vault, or were altered"
            )
        if mail.sha256 not in told:
            return journal.ChainFault(0, f"message {mail.id} stands in no entry")
    return None


def _message(entry: journal.Entry) -> str:
    """Give the SHA-256 of the message that an entry tells of as taken; empty for others."""
    content: Any = entry.content or {}
    taken = entry.header["act"] == Deed.TAKE_MAIL.value
    return str(content.get("note", {}).get("sha256", "")) if taken else ""


def _verify_lines(step: Act, came_to: Callable[[int], None]) -> journal.ChainFault | None:
    """Hold what the lists are read from against the facts that it was derived from."""
    says = first_difference(step, came_to)
    return journal.ChainFault(0, says, derived=True) if says else None


def _holds(step: Act, ref: KeyRef, kept: Document | RawMail) -> bool:
    """Say whether the vault has just the bytes of a row; what was lawfully disposed of counts as held."""
    if step.docket.keyring.is_disposed(step.session, ref):
        return True
    try:
        content = step.docket.vault.fetch(step.session, ref, kept.vault_name)
    except DocumentMissing:
        return False
    return hashlib.sha256(content).hexdigest() == kept.sha256


def _is_disposed(step: Act, case_id: int | None) -> bool:
    return case_id is not None and step.docket.keyring.is_disposed(step.session, case_key(case_id))


def _fact_fault(step: Act, entry: journal.Entry, told: Mapping[str, Any], *, moved: bool) -> str:
    """Say what is wrong with a fact that an entry tells of; empty when it is the one that was chained."""
    row = step.session.get(FactRow, told["id"])
    if row is None:
        return "a fact that it tells of is gone"
    if moved and _is_disposed(step, row.case_id):
        return ""  # the Board's entry told of a case that was disposed of since
    beside = (row.kind, row.about, row.supersedes, row.dedupe, row.entry, row.recorded_at, row.recorded_by)
    chained = (told["kind"], told["about"], told["supersedes"], told.get("dedupe", row.dedupe))
    said = (*chained, entry.seq, entry.at, entry.header["actor"])
    try:
        stored = step.docket.keyring.unseal(step.session, case_key(row.case_id), row.body)
    except (DocumentMissing, Refusal):
        return "a fact that it tells of was altered"
    same = json.loads(stored) == told["fact"] and beside == said
    return "" if same else "a fact that it tells of was altered"


def _told(entry: journal.Entry) -> Iterator[tuple[dict[str, Any], bool]]:
    """Give the facts that an entry tells of, and whether each is a case's in an entry of the Board's."""
    content: Any = entry.content or {}
    yield from ((one, False) for one in content.get("facts", ()))
    yield from ((one, True) for one in content.get("note", {}).get("moved", ()))


def _kept(entry: journal.Entry) -> Iterator[dict[str, Any]]:
    content: Any = entry.content or {}
    yield from (one for one in content.get("effects", ()) if "document" in one)
