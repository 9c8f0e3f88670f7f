"""Form check: is the complaint in writing, signed, and does it meet the other requirements? Clause (A).

A person decides, with the judge's evidence before him; the judge only finds. What is lacking is asked
for in a cure notice; the 30 days run from the receipt of the paper that made the complaint proper.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from store import outbox
from store.cases import Act, Actor, Docket, act
from store.letters.cure_notice import CureNotice, Lack
from store.proceedings import writing
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import Party
from store.rules.complaint import (
    IN_WRITING,
    SIGNATURE,
    Lacking,
    judge,
    lacks_of,
    overrules_evidence,
)
from store.rules.errors import BadInput, NotNow
from store.rules.facts import ComplaintReceived, FormDecided, PaperReceived, ReceivedBy


@dataclass(frozen=True, slots=True)
class FormView:
    """What a clerk decided about the form.

    Attributes:
        proper: whether the complaint is proper.
        signed: whether he finds it signed by the complainant.
        finding: the judge's evidence that he saw.
        lacking: what is missing: ``in-writing``, ``signature``, or ids of the profile's requirements.
        reason: his words.
        paper: the receipt fact that made it proper; None takes the newest that brought papers.
    """

    proper: bool
    signed: bool
    finding: str = ""
    lacking: tuple[str, ...] = ()
    reason: str = ""
    paper: int | None = None


def decide_form(docket: Docket, actor: Actor, number: str, view: FormView) -> None:
    """Record the decision on form; a later one takes the place of an earlier, with its reason.

    Raises:
        BadInput: the decision contradicts itself, or gives no reason where one is needed.

    Source: clause (A); decisions 3; KRS 369.107, 369.118.
    """
    with act(docket, actor, Deed.DECIDE_FORM, number=number) as step:
        _check(step, view)
        paper = view.paper if view.paper is not None else _newest_paper(step)
        before = step.case.form
        step.record(
            FormDecided(
                view.proper,
                paper if view.proper else None,
                view.signed,
                view.finding,
                view.lacking,
                view.reason.strip(),
            ),
            about=paper,
            supersedes=before.id if before else None,
        )
        refresh_cards(step)


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
            "Say what is lacking.", clause="A-form", mend="Choose at least one requirement that is not met."
        )
    if overrules_evidence(asked, signed=view.signed, finding=view.finding) and not view.reason.strip():
        raise BadInput(
            "This decision on the signature goes against what the file shows, so it needs your reason.",
            clause="A-form",
            mend="Write what you saw.",
        )


def _newest_paper(step: Act) -> int | None:
    """Give the receipt that brought the newest papers."""
    found = None
    for one in step.case.facts:
        fact = one.fact
        if isinstance(fact, ComplaintReceived) and fact.by is ReceivedBy.BOARD:
            found = one.id
        if isinstance(fact, PaperReceived) and fact.what in {"cure", "evidence"} and fact.documents:
            found = one.id
    return found


def send_cure_notice(docket: Docket, actor: Actor, number: str) -> tuple[int, ...]:
    """Ask each complainant for what is lacking, with how to mend it.

    Returns:
        The ids of the letters.

    Raises:
        NotNow: the form was not decided, it is proper, or nobody can be written to.
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
        letters = tuple(_write(step, party, form.fact.lacking) for party in step.case.complainants)
        refresh_cards(step)
    return letters


def _write(step: Act, party: Party, lacking: Sequence[str]) -> int:
    token = outbox.new_token()
    to = party.named.emails[0] if party.named.emails else ""
    letter = CureNotice(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=writing.addressee(party),
        dated=step.today,
        case_number=step.case.number,
        received_at=writing.local(step.case.board_received_at, step.profile.city.time_zone),
        lacks=lacks(step, lacking),
        reply_to=writing.reply_address(step.docket.mail_from, token),
    )
    return writing.send(step, letter, party=party, to=to, to_role=party.role.value, token=token)


def lacks(step: Act, lacking: Sequence[str]) -> tuple[Lack, ...]:
    """Give what is lacking as whole sentences, with how to mend each."""
    return tuple(Lack(one.says, one.mend) for one in lacks_of(step.profile.complaints, lacking))
