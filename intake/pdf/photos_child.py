"""Put photos into one PDF, in the limited child (img2pdf; HEIC by pillow-heif)."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import img2pdf
import pillow_heif
from PIL import Image, ImageOps, UnidentifiedImageError

from intake.pdf.forkserver import BINARY_FRAME, JSON_FRAME, Send

_AS_THEY_ARE = frozenset({"JPEG", "PNG"})
_MOST_PIXELS = 120_000_000
_QUALITY = 92
_FAULTS = (
    img2pdf.ImageOpenError,
    img2pdf.JpegColorspaceError,
    img2pdf.PdfTooLargeError,
    img2pdf.AlphaChannelError,
    img2pdf.ExifOrientationError,
    Image.DecompressionBombError,
    UnidentifiedImageError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    NotImplementedError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
pillow_heif.register_heif_opener()


def one_pdf(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    """Send the photos as one PDF.

    Args:
        header: `lengths`: the length of each photo in bytes; they follow each other in the content.
        content: the photos.
        send: takes a frame's kind and payload.
    """
    Image.MAX_IMAGE_PIXELS = _MOST_PIXELS
    try:
        pages = [_page(one) for one in _apart(content, header["lengths"])]
        # the engine of img2pdf's own: the other one puts the time into the identifier of the file
        made = img2pdf.convert(
            pages,
            nodate=True,
            creator="",
            producer="",
            rotation=img2pdf.Rotation.ifvalid,
            engine=img2pdf.Engine.internal,
        )
    except _FAULTS:
        send(JSON_FRAME, json.dumps({"done": True, "made": False}).encode())
        return
    send(BINARY_FRAME, made)
    send(JSON_FRAME, json.dumps({"done": True, "made": True}).encode())


def _apart(content: bytes, lengths: Sequence[int]) -> Iterator[bytes]:
    place = 0
    for length in lengths:
        yield content[place : place + length]
        place += length


def _page(photo: bytes) -> bytes:
    """Give a photo as it goes into the PDF: as it is where a PDF can hold that, else drawn as JPEG."""
    with Image.open(io.BytesIO(photo)) as picture:
        plain = picture.mode in {"1", "L", "RGB"} and "transparency" not in picture.info
        if picture.format in _AS_THEY_ARE and plain and getattr(picture, "n_frames", 1) == 1:
            picture.load()  # a photo that is cut off is refused here, not on somebody's screen
            return photo
        turned = ImageOps.exif_transpose(picture)
        paper = Image.new("RGB", turned.size, "white")
        shown = turned.convert("RGBA")
        paper.paste(shown, mask=shown.getchannel("A"))
    out = io.BytesIO()
    paper.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    return out.getvalue()
