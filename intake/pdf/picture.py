"""Pictures of pages, for the person who decides: drawn in a limited child, never by opening the file."""

from dataclasses import dataclass, field

from intake.pdf.finding import Finding
from intake.pdf.limits import Limits
from intake.pdf.sandbox import SHARED, Sandbox

_TASK = "intake.pdf.picture_child:draw_page"
_PNG = b"\x89PNG\r\n\x1a\n"
MAX_PX = 1_100


class PictureUnavailable(Exception):
    """A page could not be drawn; the file is kept as it came."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One page drawn.

    Attributes:
        page_index: zero-based page.
        png: the picture.
    """

    page_index: int
    png: bytes = field(repr=False)


def picture(
    data: bytes,
    page_index: int,
    *,
    max_px: int = MAX_PX,
    limits: Limits | None = None,
    sandbox: Sandbox | None = None,
) -> bytes:
    """Draw one page with its form and annotations, as PNG.

    Args:
        data: the file.
        page_index: zero-based page.
        max_px: longer side in pixels at most.
        limits: bounds of the child; None takes those of the product.
        sandbox: the standing process to use; None takes the one shared by this process.

    Raises:
        PictureUnavailable: the page does not exist, is locked, or could not be drawn within the limits.
        SandboxUnavailable: no child could be started on this machine.
    """
    request = {"page_index": page_index, "max_px": max_px}
    bounds = Limits() if limits is None else limits
    answer = (sandbox or SHARED).run(_TASK, data, limits=bounds, request=request)
    if answer.stopped or not answer.binary.startswith(_PNG):
        raise PictureUnavailable(
            f"Page {page_index + 1} could not be drawn. The file is kept as it came; "
            "open it on a machine set apart for that, or ask the sender for a scan."
        )
    return answer.binary


def pictures(
    data: bytes,
    finding: Finding,
    *,
    max_px: int = MAX_PX,
    limits: Limits | None = None,
    sandbox: Sandbox | None = None,
) -> tuple[Picture, ...]:
    """Draw the first, the last and the signature page, each once, in page order.

    Pages that cannot be drawn are left out; a file without a known number of pages gives none.

    Raises:
        SandboxUnavailable: no child could be started on this machine.
    """
    if not finding.pages:
        return ()
    wanted = {0, finding.pages - 1}
    if finding.signature_page is not None and finding.signature_page < finding.pages:
        wanted.add(finding.signature_page)
    drawn: list[Picture] = []
    for index in sorted(wanted):
        try:
            drawn.append(Picture(index, picture(data, index, max_px=max_px, limits=limits, sandbox=sandbox)))
        except PictureUnavailable:
            continue
    return tuple(drawn)
