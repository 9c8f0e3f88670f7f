"""Form check: is the complaint in writing, signed, and does it meet the other requirements? Clause (A).

A person decides, with the judge's evidence before him; the judge only finds. What is lacking is asked
for in a cure notice; the 30 days run from the receipt of the paper that made the complaint proper.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from store import outbox
from store.cases import Act, Actor, Docket, act
from store.letters.cure_notice import CureNotice, Lack
from store.proceedings import writing
from store.proceedings.screening import refresh_cards
from store.proceedings.service import STANDING
from store.rules.access import Deed
from store.rules.casefile import CaseFile, Party
from store.rules.complaint import (
    IN_WRITING,
    SIGNATURE,
    Lacking,
    judge,
    lacks_of,
    overrules_evidence,
)
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import FormDecided
from store.rules.stages import waits_for_form


@dataclass(frozen=True, slots=True)
class FormView:
    """What a clerk decided about the form.

    Attributes:
        proper: whether the complaint is proper.
        signed: whether he finds it signed by the complainant.
        finding: the judge's evidence that he saw.
        lacking: what is missing: ``in-writing``, ``signature``, or ids of the profile's requirements.
        reason: his words.
        paper: the receipt fact that made it proper; None takes the complaint itself, and after a decision
            that something is lacking, the newest cure or amendment, else the newest paper of the complainant's side.
    """

    proper: bool
    signed: bool
    finding: str = ""
    lacking: tuple[str, ...] = ()
    reason: str = ""
    paper: int | None = None


def decide_form(docket: Docket, actor: Actor, number: str, view: FormView) -> int | None:
    """Record the decision on form; a later one takes the place of an earlier, with its reason.

    Returns:
        The receipt that the decision is about: where it is proper, the 30 days run from it.

    Raises:
        BadInput: the decision contradicts itself, or gives no reason where one is needed.
        AlreadyDone: the very same decision stands, and no paper came since that may mend the form.

    Source: clause (A); decisions 3; KRS 369.107, 369.118.
    """
    with act(docket, actor, Deed.DECIDE_FORM, number=number) as step:
        _check(step, view)
        paper = _paper(step, view)
        before = step.case.form
        fact = FormDecided(
            view.proper,
            paper if view.proper else None,
            view.signed,
            view.finding,
            view.lacking,
            view.reason.strip(),
        )
        same = before is not None and (before.fact, before.about) == (fact, paper)
        if same and not waits_for_form(step.case):
            raise AlreadyDone(
                "This decision on the form is on the record.",
                clause="A-form",
                mend="Another decision takes its place with its reason.",
            )
        step.record(fact, about=paper, supersedes=before.id if before else None)
        refresh_cards(step)
        return paper


def _check(step: Act, view: FormView) -> None:
    asked = step.profile.complaints
    unmet = set(view.lacking) - {IN_WRITING, SIGNATURE}
    signed = view.signed and SIGNATURE not in view.lacking
    found = judge(asked, in_writing=IN_WRITING not in view.lacking, signed=signed, unmet=unmet)
    if view.proper and isinstance(found, Lacking):
        raise BadInput(
            "A complaint that is unsigned, or lacks what the Board requires, is not proper.",
            clause="A-form",
            mend="Decide that it is not proper and send a cure notice, or correct the list.",
        )
    if not view.proper and not view.lacking:
        raise BadInput(
            "A decision that the complaint is not proper says what is lacking.",
            clause="A-form",
            mend="Choose at least one requirement that is not met.",
        )
    if overrules_evidence(asked, signed=view.signed, finding=view.finding) and not view.reason.strip():
        raise BadInput(
            "This decision on the signature goes against what the file shows, so it needs your reason.",
            clause="A-form",
            mend="Write what you saw.",
        )


def _paper(step: Act, view: FormView) -> int | None:
    """Give the receipt that the decision is about: the one that the clerk named, or what the record says."""
    if view.paper is None:
        return step.case.decided_paper
    if view.paper not in {one.id for one in step.case.mending}:
        raise BadInput(
            "The paper named is not one that the complainant filed in this case; nothing was changed.",
            clause="A-form",
        )
    return view.paper


def send_cure_notice(docket: Docket, actor: Actor, number: str) -> tuple[int, ...]:
    """Ask each complainant for what is lacking, with how to mend it.

    Returns:
        The ids of the letters.

    Raises:
        NotNow: the form was not decided, it is proper, or nobody can be written to.
        AlreadyDone: each was asked since the decision, and the letter did not fail.
    """
    with act(docket, actor, Deed.SEND_CURE_NOTICE, number=number) as step:
        form = step.case.form
        if form is None or form.fact.proper:
            raise NotNow(
                "There is nothing to ask for: no decision says that something is lacking.",
                clause="A-form",
                mend="Decide on the form first.",
            )
        if not step.case.complainants:
            raise NotNow("No complainant is named yet.", clause="A-form", mend="Name the complainant first.")
        every = _recipients(step.case, step.today)
        owed = [(one, of) for one, of in every if not _was_asked(step.case, one, form.id)]
        if not owed:
            raise AlreadyDone("The cure notice was written already; see Letters.", clause="A-form")
        letters = tuple(_write(step, party, of, form.fact.lacking) for party, of in owed)
        refresh_cards(step)
    return letters


def _recipients(case: CaseFile, today: date) -> tuple[tuple[Party, Party], ...]:
    """Give each complainant and counsel of record today, each with the complainant."""
    return tuple(
        (one, complainant)
        for complainant in case.complainants
        for one in (complainant, *case.counsel_of(complainant.id, today))
    )


def _was_asked(case: CaseFile, party: Party, decision: int) -> bool:
    notices = case.letters_to("cure_notice", party.id)
    return any(one.id > decision and one.state in STANDING for one in notices)


def _write(step: Act, party: Party, of: Party, lacking: Sequence[str]) -> int:
    token = outbox.new_token()
    to = party.named.emails[0] if party.named.emails else ""
    letter = CureNotice(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=writing.addressee(party, of),
        dated=step.today,
        case_number=step.case.number,
        received_at=writing.local(step.case.board_received_at, step.profile.city.time_zone),
        lacks=lacks(step, lacking),
        reply_to=writing.reply_address(step.docket, token),
        represented=party.id != of.id,
    )
    return writing.send(step, letter, party=party, to=to, to_role=party.role.value, token=token)


def lacks(step: Act, lacking: Sequence[str]) -> tuple[Lack, ...]:
    """Give what is lacking as whole sentences, with how to mend each."""
    return tuple(Lack(one.says, one.mend) for one in lacks_of(step.profile.complaints, lacking))
