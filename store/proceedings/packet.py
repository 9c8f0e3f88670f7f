"""The packet: what is handed over when a letter is served on paper (clause A; L3).

An address label for the outside, a cover with the record of service to fill in, the letter as it was written,
and its enclosures byte for byte as they came. Printing one is no service: that is recorded when it was made.
"""

import hashlib
from dataclasses import dataclass, field, replace

from store.cases import Act, Actor, Docket, Paper, act, paper_bytes
from store.letters.address_label import AddressLabel
from store.letters.letter import Addressee, Document, LetterKind
from store.letters.packet_cover import PacketCover
from store.proceedings import offices, writing
from store.proceedings.enclosed import MANIFEST, ending_of, names_of
from store.rules.access import Deed
from store.rules.casefile import LetterState, LetterView
from store.rules.errors import BadInput
from store.rules.facts import DocumentShown
from store.rules.ordinance import Office

WAY = "by hand, or by certified mail, return receipt requested"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file of a packet; its name names nobody."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet in the order of printing: the label, the cover, the letter, its enclosures.

    Attributes:
        number: the case's number.
        letter: the letter's id.
        sheets: its files.
        has_manifest: a manifest of hashes is among them.
        listed: names of the files that go by a manifest, its own too; none where it is of an older record.
    """

    number: str
    letter: int
    sheets: tuple[Sheet, ...]
    has_manifest: bool = False
    listed: frozenset[str] = frozenset()


def print_packet(
    docket: Docket, actor: Actor, number: str, letter: int, *, where: str, way: str = ""
) -> Packet:
    """Give the packet of one letter, for one recipient; that it was delivered is recorded.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        letter: the letter's id.
        where: where it is delivered: ``slack``, ``cli``.
        way: how it is to be served, as the cover says; `WAY` if empty.

    Raises:
        BadInput: there is no such letter in this case, it was taken back, or it is served on nobody.
    """
    with act(docket, actor, Deed.RECORD_SERVICE, number=number) as step:
        view = _letter(step, letter)
        kept = [
            paper_bytes(docket, step.session, one)
            for one in (view.document, *view.queued.enclosures)
            if one is not None
        ]
        served = " ".join(way.split()) or WAY
        label, cover = _around(step, view, [paper for paper, _content in kept], served)
        names = names_of(kept)
        inside = [
            Sheet(names.get(paper.id, _named(place, paper)), content)
            for place, (paper, content) in enumerate(kept, 2)
        ]
        for paper, _content in kept:
            step.record(DocumentShown(paper.id, actor.person or 0, where))
        sheets = (Sheet("0-label.pdf", label), Sheet("1-cover.pdf", cover), *inside)
        step.note["packet"] = {
            "letter": letter,
            "sha256": [hashlib.sha256(one.content).hexdigest() for one in sheets],
        }
    has_manifest = any(paper.kind == MANIFEST for paper, _content in kept)
    return Packet(number, letter, sheets, has_manifest, frozenset(names.values()))


def _letter(step: Act, letter: int) -> LetterView:
    found = next((one for one in step.case.letters if one.id == letter), None)
    if found is None or found.state is LetterState.WITHDRAWN:
        raise BadInput(
            "There is no such letter in this case, or it was taken back.",
            mend="docket case shows the letters with their ids.",
        )
    return found


def _around(step: Act, view: LetterView, papers: list[Paper], way: str) -> tuple[bytes, bytes]:
    """Set the label and the cover."""
    to = replace(_whom(step, view), delivery=way[:1].upper() + way[1:])
    label = AddressLabel(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=to,
        dated=step.today,
        case_number="",
    )
    cover = PacketCover(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=to,
        dated=step.today,
        case_number=step.case.number,
        contents=tuple(_listed(step, one) for one in papers),
        way=way,
    )
    press = step.docket.typesetter
    return press.set(label, step.now).pdf, press.set(cover, step.now).pdf


def _whom(step: Act, view: LetterView) -> Addressee:
    party = step.case.party(view.queued.to_party)
    if party is not None:
        return writing.addressee(party)
    if view.queued.to_role not in {one.value for one in Office}:
        raise BadInput(
            "This letter is served on nobody: it answered who sent the mail, or whom it went to is a party no longer.",
            mend="docket document saves its page.",
        )
    return offices.addressee(step.profile.address(Office(view.queued.to_role)))


def _listed(step: Act, paper: Paper) -> Document:
    """Give a paper as the cover lists it."""
    if paper.kind.startswith(offices.LETTER):
        return Document(_TITLES[LetterKind(paper.kind.removeprefix(offices.LETTER))], paper.sha256)
    (document,) = offices.listed(step, [paper])
    return replace(document, title=f"Copy: {document.title}")


def _named(place: int, paper: Paper) -> str:
    """Name a file of the packet by its place and kind."""
    kind = paper.kind.removeprefix(offices.LETTER).replace("_", "-")
    return f"{place}-{kind}{ending_of(paper)}"


_TITLES = {kind: kind.value.replace("_", " ").capitalize() for kind in LetterKind} | {
    LetterKind.NOTICE: "Notice of a complaint",
    LetterKind.ACKNOWLEDGEMENT: "Acknowledgement of the complaint",
    LetterKind.CURE_NOTICE: "What the complaint still needs",
    LetterKind.DECISION_OF_TERMINATION: "Decision of the Board",
    LetterKind.NOTIFICATION: "Notification by the Board",
    LetterKind.REPRIMAND: "Confidential letter of the Board",
    LetterKind.REPRIMAND_COPY: "Confidential letter of the Board",
    LetterKind.DEMAND_COVER: "Confidential letter of the Board",
    LetterKind.HEARING_NOTICE: "Notice of hearing",
    LetterKind.HEARING_RESULT: "Result of the hearing",
}
