"""Packet cover: the first sheet of what is served on paper, with the record of service to fill in."""

from dataclasses import dataclass
from typing import ClassVar

from store.letters.letter import Document, Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class PacketCover(Letter):
    """The cover of a paper packet: what lies in it, and lines for the server's record.

    Attributes:
        contents: each paper in order.
        way: how it is to be served, such as ``certified mail, return receipt``.

    Source: product.md L3.
    """

    kind: ClassVar = LetterKind.PACKET_COVER
    clause: ClassVar = "A-forward"
    required: ClassVar = ("case_number", "contents", "way")
    confidential: ClassVar = True

    contents: tuple[Document, ...]
    way: str

    def subject(self) -> str:
        """Say the case number and that this is a packet."""
        return self._numbered("papers served by the Board")
