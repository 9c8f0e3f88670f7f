"""Several papers as one PDF for the printer; the papers themselves are served as they came.

They are read in limited children, since a paper that came by mail can be hostile: what cannot be read is left out
and named, and stops no other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from intake.pdf.limits import MEBIBYTE, Limits
from intake.pdf.sandbox import SHARED, Sandbox

_TASK = "intake.pdf.one_print_child:join"
_PDF = b"%PDF-"
LIMITS = replace(Limits(), result_bytes=200 * MEBIBYTE, wall_s=30.0, cpu_s=30)


@dataclass(frozen=True, slots=True)
class OnePrint:
    """One PDF for the printer.

    Attributes:
        pdf: the pages of all papers in their order; empty where none could be read.
        left_out: zero-based places of the papers that are not in it and must be printed by themselves.
    """

    pdf: bytes = field(repr=False)
    left_out: tuple[int, ...]


def as_one_print(
    papers: Sequence[bytes], *, limits: Limits = LIMITS, sandbox: Sandbox | None = None
) -> OnePrint:
    """Put papers one after another into one PDF: their pages as they print, without anything that acts.

    Notes, stamps and filled fields become part of the page. A paper that is no PDF, is locked, or cannot be read
    within the limits is left out.

    Args:
        papers: the files, in the order of printing.
        limits: bounds of each child.
        sandbox: the standing process to use; None takes the one shared by this process.

    Raises:
        SandboxUnavailable: no child could be started on this machine.
    """
    run = sandbox or SHARED
    wanted = [place for place, one in enumerate(papers) if _PDF in one[:1024]]
    made = _join(run, [papers[one] for one in wanted], limits)
    if made is None:
        # one of them ended the child: each is tried by itself, and those that end theirs are left out
        wanted = [one for one in wanted if (alone := _join(run, [papers[one]], limits)) and alone.pdf]
        made = _join(run, [papers[one] for one in wanted], limits)
    if made is None or not made.pdf:
        return OnePrint(b"", tuple(range(len(papers))))
    put_in = {wanted[one] for one in range(len(wanted)) if one not in made.left_out}
    return OnePrint(made.pdf, tuple(one for one in range(len(papers)) if one not in put_in))


def _join(sandbox: Sandbox, papers: Sequence[bytes], limits: Limits) -> OnePrint | None:
    """Run one child; None where it did not come to its end."""
    if not papers:
        return OnePrint(b"", ())
    request = {"lengths": [len(one) for one in papers]}
    answer = sandbox.run(_TASK, b"".join(papers), limits=limits, request=request)
    if answer.stopped or not answer.messages:
        return None
    left_out = answer.messages[-1].get("left_out")
    if not isinstance(left_out, list) or not all(isinstance(one, int) for one in left_out):
        return None
    return OnePrint(answer.binary if answer.binary.startswith(_PDF) else b"", tuple(left_out))
