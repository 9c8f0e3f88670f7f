"""Documents of a case: listed, read, and delivered to people with a record of it (C3)."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from store.cases.acts import Act, act
from store.cases.record import (
    Actor,
    Docket,
)
from store.cases.rights import about_paper, situation_of, standing_of
from store.rules import access, facts
from store.rules.access import Deed
from store.rules.errors import NoSuchCase
from store.tables import (
    Document,
)
from store.vault import KeyRef, Owner


@dataclass(frozen=True, slots=True)
class Paper:
    """A document as it is listed: its name is for those who may read it."""

    id: int
    kind: str
    media_type: str
    size: int
    sha256: str
    received_at: datetime
    name: str
    finding: str


MOST_PHOTOS = 50
"""As many photos go into one PDF that is made of them."""


def is_photo(paper: Paper) -> bool:
    """Say whether a paper that came is a picture."""
    return paper.media_type.startswith("image/")


def papers(docket: Docket, session: Session, case_id: int) -> list[Paper]:
    """Give a case's documents in the order in which they were kept."""
    rows = session.exec(select(Document).where(Document.case_id == case_id).order_by(col(Document.id))).all()
    return [_paper(docket, session, row) for row in rows]


def _paper(docket: Docket, session: Session, row: Document) -> Paper:
    ref = KeyRef(Owner(row.key_kind), row.key_owner)
    beside = json.loads(docket.keyring.unseal(session, ref, row.sealed))
    assert row.id is not None
    return Paper(
        row.id,
        row.kind,
        row.media_type,
        row.size,
        row.sha256,
        row.received_at,
        beside["name"],
        beside.get("finding", ""),
    )


def paper_bytes(docket: Docket, session: Session, document: int) -> tuple[Paper, bytes]:
    """Give a document and its bytes. For proceedings and letters; people go by `read_document`.

    Raises:
        NoSuchCase: there is no such document.
    """
    row = session.get(Document, document)
    if row is None:
        raise NoSuchCase
    ref = KeyRef(Owner(row.key_kind), row.key_owner)
    return _paper(docket, session, row), docket.vault.fetch(session, ref, row.vault_name)


def check_paper(step: Act, document: int) -> None:
    """Refuse a paper that who acts may not see, though he may know of the case.

    Raises:
        NoSuchCase: nobody has read it yet, and he is not cleared to.

    Source: decisions 12.
    """
    standing = standing_of(step.actor, step.people, step.today)
    situation = situation_of(step.actor, step.case, standing)
    access.check(Deed.READ_DOCUMENT, standing, about_paper(situation, step.case, document))


def read_document(
    docket: Docket, actor: Actor, number: str, document: int, *, where: str
) -> tuple[Paper, bytes]:
    """Deliver a document to somebody entitled; each delivery is recorded (C3).

    Args:
        docket: the record.
        actor: who reads.
        number: the case's number.
        document: the document's id.
        where: where it is delivered: ``slack``, ``cli``.

    Raises:
        NoSuchCase: no such case or document that he may know of.
    """
    with act(docket, actor, Deed.READ_DOCUMENT, number=number) as step:
        row = step.session.get(Document, document)
        if row is None or row.case_id != step.case_id:
            raise NoSuchCase
        check_paper(step, document)
        found = paper_bytes(docket, step.session, document)
        step.record(facts.DocumentShown(document, actor.person or 0, where))
    return found
