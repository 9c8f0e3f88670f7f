"""The list of all letters. A new letter is one module, one template, and one line here."""

import re
from typing import Final

from store.letters.acknowledgement import Acknowledgement
from store.letters.address_label import AddressLabel
from store.letters.annual_report import AnnualReport
from store.letters.auto_receipt import AutoReceipt
from store.letters.case_index import CaseIndex
from store.letters.cure_notice import CureNotice
from store.letters.decision_of_termination import DecisionOfTermination
from store.letters.demand_cover import DemandCover
from store.letters.evidence_cover import EvidenceCover
from store.letters.hearing_notice import HearingNotice
from store.letters.hearing_result import HearingResult
from store.letters.letter import Letter, LetterKind
from store.letters.minutes import Minutes
from store.letters.minutes_annex import MinutesAnnex
from store.letters.notice import Notice
from store.letters.notification import Notification
from store.letters.packet_cover import PacketCover
from store.letters.referral_cover import ReferralCover
from store.letters.reprimand import Reprimand
from store.letters.reprimand_copy import ReprimandCopy

LETTERS: Final[dict[LetterKind, type[Letter]]] = {
    letter.kind: letter
    for letter in (
        AutoReceipt,
        CureNotice,
        Acknowledgement,
        Notice,
        DecisionOfTermination,
        Notification,
        Reprimand,
        ReprimandCopy,
        HearingNotice,
        HearingResult,
        DemandCover,
        ReferralCover,
        EvidenceCover,
        Minutes,
        MinutesAnnex,
        AnnualReport,
        CaseIndex,
        PacketCover,
        AddressLabel,
    )
}

_COMMENT = re.compile(r"(?<!:)//[^\n]*|/\*.*?\*/", re.DOTALL)
_SHEET = re.compile(r"#show:\s*(sheet|paper|body => label-sheet\(body\))")


def check_template(kind: LetterKind, template: bytes) -> list[str]:
    """Name what a city's template lost: the values that its letter must show, and the common sheet.

    Args:
        kind: which letter the template is for.
        template: its bytes, without the letterhead.

    Returns:
        The missing placeholders, such as ``letter.answer_by``, in the letter's order; empty when all is there.
        ``#show: sheet`` stands for a missing sheet; one line says when the file is not UTF-8.
    """
    try:
        text = _COMMENT.sub("", template.decode())
    except UnicodeDecodeError:
        return ["text in UTF-8"]
    missing = [] if _SHEET.search(text) else ["#show: sheet"]
    return missing + [f"letter.{name}" for name in LETTERS[kind].required if not _shows(text, name)]


def check_letterhead(letterhead: bytes) -> list[str]:
    """Name what a city's letterhead lost: the parts that letters call, and the values that all must show."""
    try:
        text = _COMMENT.sub("", letterhead.decode())
    except UnicodeDecodeError:
        return ["text in UTF-8"]
    parts = (
        "sheet",
        "paper",
        "label-sheet",
        "facts",
        "listing",
        "prose",
        "due",
        "lines",
        "hash",
        "address",
        "closing",
    )
    missing = [f"#let {part}" for part in parts if not re.search(rf"#let {part}\b", text)]
    values = ("addressee", "dated", "subject", "signatory", "confidential", "enclosures", "copies_to")
    missing += [f"letter.{name}" for name in values if not _shows(text, name)]
    return missing if "<twin>" in text else [*missing, "<twin>"]


def _shows(text: str, name: str) -> bool:
    """Tell whether a template uses a value."""
    return re.search(rf"\bletter\.{name}\b", text) is not None
