"""Is a complaint proper, or what does it lack? Written, signed by the complainant, other requirements.

A person decides each point; nothing here judges a signature. What a person decided is put together here, with the
sentences that a cure notice says.

Source: clause (A), second sentence; law.md, records (KRS 369.107, 369.118) and time; decisions.md 3.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from store.rules.errors import BadInput
from store.rules.ordinance import Complaints, Requirement, SignatureKind

CLAUSE = "A-form"
IN_WRITING = "in-writing"
SIGNATURE = "signature"

_NO_SIGNATURE = frozenset({"none-found", "unreadable", "crypto-broken"})


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that is missing.

    Attributes:
        id: ``in-writing``, ``signature``, or the id of a requirement of the profile.
        says: the requirement, as a cure notice says it.
        mend: how to meet it, as a cure notice says it.
    """

    id: str
    says: str
    mend: str


@dataclass(frozen=True, slots=True)
class Proper:
    """The complaint is proper; ``asked_for`` is what the Board asks for and yet does not require."""

    asked_for: tuple[Lack, ...] = ()


@dataclass(frozen=True, slots=True)
class Lacking:
    """The complaint is not proper yet: ``lacks`` is what it needs, ``asked_for`` what is only asked for."""

    lacks: tuple[Lack, ...]
    asked_for: tuple[Lack, ...] = ()


_WRITING_LACKS = Lack(
    IN_WRITING,
    "The complaint must be in writing, in a paper of its own that can be opened and read.",
    "Send the complaint as a PDF in answer to this letter, or bring it on paper to City Hall.",
)
_SIGNATURE_LACKS = Lack(
    SIGNATURE,
    "The complaint must be signed by the complainant; we found no signature that shows it.",
    "Sign the complaint by hand or electronically and send the signed paper as a PDF in answer to this letter, "
    "or bring it to City Hall.",
)


def judge(
    complaints: Complaints, *, in_writing: bool, signed: bool, unmet: Collection[str] = ()
) -> Proper | Lacking:
    """Say whether a complaint is proper.

    Args:
        complaints: what the profile asks of a complaint.
        in_writing: a person found it to be in writing.
        signed: a person decided that the complainant signed it.
        unmet: ids of the profile's requirements that a person found not met.

    Raises:
        BadInput: ``unmet`` names what the profile does not ask for.

    Source: clause (A), second sentence.
    """
    fixed = [] if in_writing else [IN_WRITING]
    fixed += [] if signed else [SIGNATURE]
    optional = {one.id for one in complaints.requirements if not one.required}
    every = lacks_of(complaints, {*fixed, *unmet})
    needed = tuple(one for one in every if one.id not in optional)
    asked_for = tuple(one for one in every if one.id in optional)
    return Lacking(needed, asked_for) if needed else Proper(asked_for)


def lacks_of(complaints: Complaints, ids: Collection[str]) -> tuple[Lack, ...]:
    """Give what is missing as whole sentences, in the order: writing, signature, then the profile's order.

    Raises:
        BadInput: an id is neither ``in-writing``, nor ``signature``, nor one of the profile's requirements.
    """
    known = {one.id: one for one in (_WRITING_LACKS, _SIGNATURE_LACKS, *map(_lack, complaints.requirements))}
    if set(ids) - set(known):
        raise BadInput(
            "A requirement in this list is not one of the Board's; nothing was changed.",
            clause=CLAUSE,
            mend="Choose from the requirements of the profile.",
        )
    return tuple(lack for name, lack in known.items() if name in set(ids))


def overrules_evidence(complaints: Complaints, *, signed: bool, finding: str) -> bool:
    """Say whether a decision on the signature goes against the file's evidence, and so needs a reason.

    Args:
        complaints: what the profile accepts as signed.
        signed: what the person decided.
        finding: the judge's word for the file; empty for paper, where there is none.
    """
    accepted = {one.value for one in complaints.accepted_signatures}
    known = {one.value for one in SignatureKind}
    if signed:
        return finding in _NO_SIGNATURE or finding in known - accepted
    return finding in accepted


def last_day_to_file(
    requirement: Requirement, *, event_on: date, discovered_on: date | None = None
) -> date | None:
    """Give the last day for filing under a limit of years, from the event or from its discovery if that was later.

    Args:
        requirement: a requirement of the profile.
        event_on: local date of the event.
        discovered_on: local date on which it was discovered; None where that is not claimed.

    Returns:
        The same day so many years later, before any rolling; 29 February becomes 1 March, since a right is
        read to the person's favor. None where the requirement sets no limit.
    """
    if requirement.within_years is None:
        return None
    start = max(event_on, discovered_on or event_on)
    year = start.year + requirement.within_years
    try:
        return start.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


def _lack(requirement: Requirement) -> Lack:
    return Lack(requirement.id, requirement.text, requirement.mend)
