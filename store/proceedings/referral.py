"""Referral: the City Manager refers a complaint to the Board, in one step (clause A)."""

from store.cases import Actor, Docket, act
from store.proceedings.screening import refresh_cards, refresh_referral
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, NotNow
from store.rules.facts import Basis, ComplaintReceived, ReceiptEvidence, ReceivedBy, Referred, Role


def refer(docket: Docket, actor: Actor, number: str, *, evidence: str = "") -> None:
    """Record the referral of a complaint.

    Args:
        docket: the record.
        actor: the City Manager, or the clerk who records what the City Manager did.
        number: the case's number.
        evidence: how the clerk knows, when the clerk records it.

    Raises:
        AlreadyDone: it was referred before.
        NotNow: the ordinance of this case knows no referral, or the clerk gave no evidence.

    Source: clause (A).
    """
    with act(docket, actor, Deed.REFER, number=number) as step:
        if not step.profile.has_referral:
            raise NotNow(
                "Under this ordinance complaints come to the Board without referral.",
                clause="A-refer",
                mend="Go on with the check of its form.",
            )
        if step.case.referred is not None:
            when = step.case.referred.fact.at.astimezone(step.profile.city.time_zone)
            raise AlreadyDone(f"The complaint was referred on {when:%Y-%m-%d at %H:%M}.", clause="A-refer")
        acts_as = actor.acting_for if actor.acting_for is not None else actor.person
        himself = Role.CITY_MANAGER in step.people.roles(acts_as, step.today)
        if not himself and not evidence.strip():
            raise NotNow(
                "A referral made outside Docket is recorded with its evidence.",
                clause="A-refer",
                mend="Say how and when the City Manager referred it.",
            )
        how = "by the City Manager" if himself else "recorded by staff"
        step.record(Referred(step.now, how, evidence.strip()))
        refresh_cards(step)
        refresh_referral(step)


def record_manager_receipt(docket: Docket, actor: Actor, number: str, received: ComplaintReceived) -> None:
    """Record when the City Manager received the complaint, with evidence (decisions 4).

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        received: the receipt, by the City Manager; its words say how it is known.

    Raises:
        NotNow: no evidence was given, or the instant lies ahead.
        AlreadyDone: staff recorded this instant before.
    """
    with act(docket, actor, Deed.RECORD_RECEIPT, number=number) as step:
        if not received.evidence.words.strip():
            raise NotNow(
                "A receipt is recorded with its evidence.", clause="A-refer", mend="Say how it is known."
            )
        if received.received_at > step.now:
            raise NotNow(
                "A receipt cannot lie in the future; nothing was changed.",
                clause="A-refer",
                mend="Check the day and the hour.",
            )
        before = step.case.received(ReceivedBy.CITY_MANAGER)
        known = before.fact if before and before.fact.basis is Basis.RECORDED_BY_STAFF else None
        if known is not None and known.received_at == received.received_at:
            raise AlreadyDone("This is the instant on the record.", clause="A-refer")
        fact = ComplaintReceived(
            received.received_at,
            ReceivedBy.CITY_MANAGER,
            Basis.RECORDED_BY_STAFF,
            ReceiptEvidence(words=received.evidence.words.strip()),
            received.documents,
        )
        step.record(fact, supersedes=before.id if before else None)
        refresh_cards(step)
