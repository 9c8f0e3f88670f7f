"""Photos of a paper, offered to staff as one PDF; the photos themselves are kept as they came (I6).

Read in a limited child, since a picture can be as hostile as a PDF.
"""

from collections.abc import Sequence
from dataclasses import replace

from intake.pdf.limits import MEBIBYTE, Limits
from intake.pdf.sandbox import SHARED, Sandbox

_TASK = "intake.pdf.photos_child:one_pdf"
_PDF = b"%PDF-"
LIMITS = replace(Limits(), result_bytes=200 * MEBIBYTE, reading_s=20.0)
MOST_PHOTOS = 50


class PhotosUnreadable(Exception):
    """The photos could not be put into a PDF; they are kept as they came."""


def as_one_pdf(photos: Sequence[bytes], *, limits: Limits = LIMITS, sandbox: Sandbox | None = None) -> bytes:
    """Put photos (JPEG, PNG, HEIC and what else Pillow reads) into one PDF, a page each, in their order.

    JPEG and PNG go in without being compressed anew; others are drawn. Each page is turned as the camera held it.

    Args:
        photos: the files, at most `MOST_PHOTOS`.
        limits: bounds of the child.
        sandbox: the standing process to use; None takes the one shared by this process.

    Raises:
        PhotosUnreadable: there is none, there are too many, or one of them cannot be read within the limits.
        SandboxUnavailable: no child could be started on this machine.
    """
    if not 0 < len(photos) <= MOST_PHOTOS:
        raise PhotosUnreadable(f"Between 1 and {MOST_PHOTOS} photos can be put into one PDF.")
    request = {"lengths": [len(one) for one in photos]}
    answer = (sandbox or SHARED).run(_TASK, b"".join(photos), limits=limits, request=request)
    if answer.stopped or not answer.binary.startswith(_PDF):
        raise PhotosUnreadable(
            "A photo could not be read, so no PDF was made. The photos are kept as they came; look at each by itself."
        )
    return answer.binary
