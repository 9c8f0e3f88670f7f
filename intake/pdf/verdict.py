"""From evidence to one word; pure.

The costly errors, in order: a wrong `crypto-valid` (never), `none-found` on something signed (never:
in doubt `needs-human`), `drawn` or `typed` on something unsigned (pdf.md).
"""

from dataclasses import dataclass, field
from typing import assert_never

from intake.pdf.finding import Signature
from intake.pdf.look import PageLook, SeenWording
from intake.pdf.marks import Mark, MarkKind
from intake.pdf.seals import Seal, Signatures, Signed
from intake.pdf.structure import Structure
from intake.pdf.wording import Mention, name_key, same_person, speaks_of_exhibit, stated_names

_SCAN_SHARE = 0.5
_FEW_LETTERS = 20


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was read from one file.

    Attributes:
        structure: how it is built.
        signatures: its digital signatures.
        looks: its pages as seen, by zero-based number; pages that were not read are missing.
        marks: what is laid over the pages.
        complete: every page was read.
    """

    structure: Structure
    signatures: Signatures
    looks: dict[int, PageLook]
    marks: tuple[Mark, ...]
    complete: bool


@dataclass(slots=True)
class Verdict:
    """The one word and what goes with it.

    Attributes:
        signature: the word.
        signers: names in certificates, or typed names.
        reasons: plain sentences.
        page: zero-based page to show; None if unknown.
        signed_bytes: length of the version as signed, where it was changed later.
    """

    signature: Signature
    signers: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    page: int | None = None
    signed_bytes: int | None = None

    def say(self, sentence: str) -> None:
        """Keep a sentence once."""
        if sentence and sentence not in self.reasons:
            self.reasons.append(sentence)


def decide(evidence: Evidence) -> Verdict:
    """Weigh the evidence of one file that could be opened and has pages."""
    names = _complainant(evidence)
    signatures = evidence.signatures
    if signatures.signed:
        verdict = _digital(evidence, names)
    elif signatures.fault:
        verdict = Verdict(Signature.NEEDS_HUMAN)
        verdict.say(signatures.fault)
    else:
        verdict = _seen(evidence, names)
    if verdict.page is None:
        verdict.page = _page_to_show(evidence)
    return verdict


def _complainant(evidence: Evidence) -> tuple[str, ...]:
    """Give the names by which the writer calls himself, on the pages before any exhibit and in form fields."""
    texts: list[str] = []
    for index in sorted(evidence.looks):
        if index and speaks_of_exhibit(evidence.looks[index].text):
            break
        texts.append(evidence.looks[index].text)
        if len(texts) == 30:  # noqa: PLR2004  a complaint says who complains long before
            break
    fields = [
        mark.words
        for mark in evidence.marks
        if mark.kind is MarkKind.VALUE and "name" in mark.field.casefold() and len(name_key(mark.words)) >= 2  # noqa: PLR2004  a first and a last name
    ]
    return (*stated_names("\n".join(texts)), *fields)


def _matches(name: str, names: tuple[str, ...]) -> bool:
    return any(same_person(name, one) for one in names)


# Digital signatures -----------------------------------------------------------------------------


def _digital(evidence: Evidence, names: tuple[str, ...]) -> Verdict:
    signed = evidence.signatures.signed
    worst = max(one.seal for one in signed)
    verdict = Verdict(_word(worst), signers=list(dict.fromkeys(one.signer for one in signed if one.signer)))
    for one in signed:
        for sentence in one.reasons:
            verdict.say(sentence)
    verdict.signed_bytes = _version_as_signed(signed)
    if verdict.signature is Signature.CRYPTO_VALID:
        _doubt_a_valid_one(evidence, verdict)
    _compare_names(verdict, names)
    return verdict


def _word(seal: Seal) -> Signature:
    match seal:
        case Seal.VALID:
            return Signature.CRYPTO_VALID
        case Seal.UNTRUSTED:
            return Signature.CRYPTO_UNTRUSTED
        case Seal.UNSURE:
            return Signature.NEEDS_HUMAN
        case Seal.BROKEN:
            return Signature.CRYPTO_BROKEN
    assert_never(seal)


def _version_as_signed(signed: tuple[Signed, ...]) -> int | None:
    changed = [one.signed_bytes for one in signed if one.seal >= Seal.UNSURE and one.signed_bytes]
    return min(changed) if changed else None


def _doubt_a_valid_one(evidence: Evidence, verdict: Verdict) -> None:
    """Take the word back where the file is not what a validator and a reader both take it to be."""
    structure = evidence.structure
    if (
        structure.joined
        or structure.rebuilt
        or structure.damaged
        or structure.trailing
        or structure.pages is None
    ):
        verdict.signature = Signature.NEEDS_HUMAN
        verdict.say("A digital signature fits, but the file around it is broken; look at it.")
    elif structure.xfa:
        verdict.signature = Signature.NEEDS_HUMAN
    else:
        verdict.say("A digital signature fits the whole file, and the city trusts who vouches for its name.")


def _compare_names(verdict: Verdict, names: tuple[str, ...]) -> None:
    if not verdict.signers or any(_matches(one, names) for one in verdict.signers):
        return
    if names:
        verdict.say(
            f"The certificate names {' and '.join(verdict.signers)}; the paper speaks for {names[0]}. "
            "It may be a signing service's or another person's."
        )
    else:
        verdict.say("The paper does not say for whom it speaks; compare the name in the certificate.")


# What can be seen -------------------------------------------------------------------------------


def _seen(evidence: Evidence, names: tuple[str, ...]) -> Verdict:
    verdict = Verdict(Signature.NEEDS_HUMAN)
    for mark in evidence.marks:
        verdict.say(mark.sentence)
    wrapped = _is_a_wrapper(evidence, verdict)
    drawn = [mark for mark in evidence.marks if mark.kind is MarkKind.DRAWN]
    typed = _typed(evidence, names, verdict)
    if wrapped:
        return verdict
    if drawn and not _is_scan(evidence.looks.get(drawn[0].page)):
        verdict.signature, verdict.page = Signature.DRAWN, drawn[0].page
    elif typed:
        verdict.signature = Signature.TYPED
        verdict.signers = list(dict.fromkeys(name for name, _ in typed))
        verdict.page = typed[0][1]
        verdict.say("A name stands as a typed signature.")
    elif _surely_nothing(evidence, verdict):
        verdict.signature = Signature.NONE_FOUND
        verdict.say("No mark that could be a signature was found.")
    return verdict


def _is_a_wrapper(evidence: Evidence, verdict: Verdict) -> bool:
    """Say whether the pages are not the paper itself, or not all of it."""
    structure = evidence.structure
    if not evidence.complete:
        verdict.say("Not all pages of this file could be read.")
    return (
        structure.portfolio
        or structure.xfa
        or structure.joined
        or structure.cyclic_form
        or not evidence.complete
    )


def _is_scan(look: PageLook | None) -> bool:
    return look is None or sum(look.images) >= _SCAN_SHARE


def _typed(evidence: Evidence, names: tuple[str, ...], verdict: Verdict) -> list[tuple[str, int]]:
    """Give the typed signatures that hold, with their pages; say why others do not."""
    held: list[tuple[str, int]] = []
    blank_before = False
    exhibits = False
    for index in sorted(evidence.looks):
        look = evidence.looks[index]
        exhibits = exhibits or (index > 0 and speaks_of_exhibit(look.text))
        for seen in look.wordings:
            blank_before = blank_before or _is_blank_line(seen)
            name = _typed_name(seen, names)
            if name and _holds(seen, look, name, names, exhibits=exhibits, blank_before=blank_before):
                held.append((name, index))
            elif seen.wording.kind is not Mention.BLANK or seen.over_line:
                verdict.say(_why_it_does_not_hold(seen, index))
    if _blank_line_left(evidence, held):
        held = []
        verdict.say("A signature line is still blank.")
    for mark in evidence.marks:
        if mark.kind is MarkKind.TYPED and (not names or _matches(mark.name, names)):
            held.append((mark.name, mark.page))
    return held


def _is_blank_line(seen: SeenWording) -> bool:
    return seen.wording.kind is Mention.BLANK and not seen.wording.other and not seen.over_line


def _blank_line_left(evidence: Evidence, held: list[tuple[str, int]]) -> bool:
    return bool(held) and any(
        _is_blank_line(seen) for look in evidence.looks.values() for seen in look.wordings
    )


def _typed_name(seen: SeenWording, names: tuple[str, ...]) -> str:
    wording = seen.wording
    if wording.kind is Mention.BLANK:
        return next((name for name in names if seen.over_line and same_person(seen.over_line, name)), "")
    if wording.kind in {Mention.CONFORMED, Mention.LABELLED, Mention.SERVICE}:
        return wording.name
    return ""


def _holds(
    seen: SeenWording,
    look: PageLook,
    name: str,
    names: tuple[str, ...],
    *,
    exhibits: bool,
    blank_before: bool,
) -> bool:
    """Say whether a typed signature is the writer's own, on the paper itself, for all to see."""
    if not seen.visible or _is_scan(look) or blank_before or look.odd_text:
        return False
    if names:
        # Page 300 of "Exhibit page 300 of 300" may still end with the writer's own mark: his name decides.
        return _matches(name, names)
    return (
        seen.wording.kind is Mention.CONFORMED
        and not exhibits
        and not seen.wording.exhibit
        and not seen.wording.other
    )


def _why_it_does_not_hold(seen: SeenWording, index: int) -> str:
    if not seen.visible:
        return f"Words on page {index + 1} read like a signature and cannot be seen on the page."
    return f"Words on page {index + 1} read like a signature, maybe another person's; look at them."


def _surely_nothing(evidence: Evidence, verdict: Verdict) -> bool:
    """Say whether nothing in the file could be a signature; if in doubt, say why and leave it to a person."""
    structure = evidence.structure
    doubts = [
        (structure.rebuilt or structure.damaged, "The file is broken; something may be lost."),
        (structure.trailing, "The file does not end where a PDF ends; something may be lost."),
        (structure.embedded_documents, "An enclosed file may be the signed paper."),
        (structure.unsure_fonts, "A typeface like handwriting is used."),
        (
            structure.byte_ranges > int(structure.usage_rights),
            "Traces of a digital signature stand in the file.",
        ),
        (evidence.signatures.timestamps > 0, "A time stamp seals this file; it names no signer."),
        (any(mark.kind in {MarkKind.UNCLEAR, MarkKind.TYPED, MarkKind.DRAWN} for mark in evidence.marks), ""),
        (any(_is_doubtful(seen) for look in evidence.looks.values() for seen in look.wordings), ""),
        (
            any(look.images for look in evidence.looks.values()),
            "A picture stands on a page: look whether it is a signature.",
        ),
        (
            any(look.strokes for look in evidence.looks.values()),
            "Lines that may be handwriting are drawn on a page.",
        ),
        (
            any(look.odd_text or not look.complete for look in evidence.looks.values()),
            "The words of a page cannot be read.",
        ),
        (_something_is_not_shown(evidence), "The file holds a picture or a mark that no page shows."),
        (_letters(evidence) < _FEW_LETTERS, "The pages hold no words."),
    ]
    for doubtful, sentence in doubts:
        if doubtful:
            verdict.say(sentence)
    return not any(doubtful for doubtful, _ in doubts)


def _something_is_not_shown(evidence: Evidence) -> bool:
    structure = evidence.structure
    marks = sum(mark.kind is not MarkKind.VALUE for mark in evidence.marks)
    pictures = any(look.images for look in evidence.looks.values())
    return structure.laid_over > marks or (structure.pictures > 0 and not pictures)


def _is_doubtful(seen: SeenWording) -> bool:
    return seen.wording.kind is not Mention.BLANK or bool(seen.over_line)


def _letters(evidence: Evidence) -> int:
    return sum(sum(letter.isalpha() for letter in look.text[:2_000]) for look in evidence.looks.values())


def _page_to_show(evidence: Evidence) -> int | None:
    """Give the page that carries or should carry the signature: a mark, a signature line, else the last."""
    for mark in evidence.marks:
        if mark.kind is not MarkKind.VALUE or (mark.sentence and not mark.words):
            return mark.page
    for index in sorted(evidence.looks):
        if any(not seen.wording.other for seen in evidence.looks[index].wordings):
            return index
    pages = evidence.structure.pages
    return pages - 1 if pages else None
