"""Address label: the outside of the packet. It shows no case and no Board business."""

from dataclasses import dataclass
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class AddressLabel(Letter):
    """A label of 4 by 6 inches: the return address, the addressee, and the way of service.

    Source: product.md L3, C1.
    """

    kind: ClassVar = LetterKind.ADDRESS_LABEL
    clause: ClassVar = "A-forward"
    required: ClassVar = ("addressee",)

    def subject(self) -> str:
        """Say what it is; a label is never mailed by itself."""
        return "Address label"
