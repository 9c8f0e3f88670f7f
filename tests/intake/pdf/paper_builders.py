"""Plain PDFs made line by line, for what the cases do not show."""

COMPLAINT = (
    "I, Jane Q. Public, of 412 Elm Street, Testburg, complain of",
    "Harold Finch, Purchasing Director, and say:",
    "On March 3 the officer named above took part in an award.",
)
BLANK_LINE = "Signature: ______________________________"


def a_letter(*signature: str, drawn: str = "", catalog: str = "", annotation: str = "") -> bytes:
    """Make one page of a complaint.

    Args:
        signature: lines below the complaint, each 18 points under the other, the first at 640.
        drawn: operators after them; the font is /F1.
        catalog: further entries of the catalog.
        annotation: an annotation of the page.
    """
    body = "".join(
        f"BT /F1 11 Tf 72 {740 - 18 * number} Td ({line}) Tj ET\n" for number, line in enumerate(COMPLAINT)
    )
    body += "".join(
        f"BT /F1 11 Tf 72 {640 - 18 * number} Td ({line}) Tj ET\n" for number, line in enumerate(signature)
    )
    body += drawn
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R "
            "/Resources << /Font << /F1 3 0 R >> /Properties << /P1 6 0 R >> >> "
            f"{'/Annots [7 0 R]' if annotation else ''} >>"
        ),
        f"<< /Length {len(body.encode('cp1252'))} >>\nstream\n{body}\nendstream",
        "<< /Type /OCG /Name (layer) >>",
        annotation or "null",
    ]
    return _file([one.encode("cp1252") for one in objects])


def _file(objects: list[bytes]) -> bytes:
    whole = b"%PDF-1.7\n"
    places: list[int] = []
    for number, one in enumerate(objects, start=1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = (len(objects) + 1, table, len(objects) + 1, len(whole))
    return whole + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % end
    )
