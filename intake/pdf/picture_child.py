"""Draw one page in the limited child (pypdfium2), forms and annotations included."""

import io
import json
from collections.abc import Mapping
from typing import Any

import PIL.PngImagePlugin  # noqa: F401  loaded before the fork, once for all children
import pypdfium2

from intake.pdf.forkserver import BINARY_FRAME, JSON_FRAME, Send

_LARGEST_SCALE = 3.0  # 216 dpi: enough for a page the size of a stamp


def draw_page(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    """Send one page as PNG.

    Args:
        header: `page_index`, zero-based, and `max_px`, the longer side in pixels.
        content: the file.
        send: takes a frame's kind and payload.
    """
    try:
        document = pypdfium2.PdfDocument(content)
        document.init_forms()
        page = document[header["page_index"]]
        width, height = page.get_size()
        longer = max(width, height, 1.0)
        scale = min(_LARGEST_SCALE, header["max_px"] / longer)
        picture = page.render(scale=scale, may_draw_forms=True, draw_annots=True).to_pil()
    except (pypdfium2.PdfiumError, IndexError, ValueError, OverflowError, MemoryError):
        send(JSON_FRAME, json.dumps({"done": True, "drawn": False}).encode())
        return
    picture.thumbnail((header["max_px"], header["max_px"]))
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=6)
    send(BINARY_FRAME, out.getvalue())
    send(JSON_FRAME, json.dumps({"done": True, "drawn": True}).encode())
