"""One small paper of our own, read once by the standing process, so that no child does the first-time work again.

What a library makes at its first use (tables, compiled patterns, its own fonts) is then there before the fork.
"""

import dataclasses
from datetime import UTC, datetime

from intake.pdf.child import judge_file
from intake.pdf.limits import Limits

_LINES = (
    "Complaint to the Board of Ethics",
    "My name is Ann Example and I complain about the paving of Elm Street.",
    "Signature: ____________________",
    "/s/ Ann Example",
)
_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
    b" /Resources << /Font << /F 5 0 R >> >> >>"
)


def warm_up() -> None:
    """Judge the small paper; what is found is of no interest."""
    header = {
        "limits": dataclasses.asdict(Limits()),
        "moment": datetime(2026, 1, 1, tzinfo=UTC).isoformat(),
        "trust": [[], [], []],
    }
    judge_file(header, small_paper(), lambda _kind, _payload: None)


def small_paper() -> bytes:
    """Give a PDF of one page with a typed signature (ISO 32000-1, 7.5)."""
    drawing = (
        b"BT /F 12 Tf 72 700 Td 20 TL " + b" ".join(b"(%s) Tj T*" % one.encode() for one in _LINES) + b" ET"
    )
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        _PAGE,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    paper = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(paper))
        paper += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return (
        paper
        + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (
            count,
            table,
            count,
            len(paper),
        )
    )
