"""Papers of privileged counsel, marked as such, so that an export leaves them out unless they are chosen (C8)."""

from store.cases import Actor, Docket, act
from store.cases import papers as papers_of
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, BadInput
from store.rules.facts import PrivilegeMarked


def mark_privileged(
    docket: Docket, actor: Actor, number: str, document: int, *, privileged: bool = True, reason: str
) -> None:
    """Record that a paper of a case is privileged, or is so no longer.

    Args:
        docket: the record.
        actor: the clerk or counsel.
        number: the case's number.
        document: the paper's id.
        privileged: whether it is.
        reason: why, in his words.

    Raises:
        BadInput: there is no such paper in the case, or no reason.
        AlreadyDone: it is marked so.

    Source: KRE 503; product.md C8.
    """
    with act(docket, actor, Deed.MARK_PRIVILEGED, number=number) as step:
        if not reason.strip():
            raise BadInput("A paper is marked with a reason only.", mend="Say why.")
        if all(one.id != document for one in papers_of(docket, step.session, step.case.key)):
            raise BadInput("There is no such paper in this case.", mend="See: docket case NUMBER.")
        if (document in step.case.privileged) is privileged:
            raise AlreadyDone(
                f"The paper is marked as {'' if privileged else 'not '}privileged.", clause="KRE 503"
            )
        step.record(PrivilegeMarked(document, privileged, reason.strip()))
