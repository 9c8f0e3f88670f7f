"""Whether letters can be read on the drawn page: not white, covered, clipped away or switched off.

Runs in the limited child only. Only the small piece of the page around the letters is drawn.
"""

import ctypes
from collections.abc import Sequence

import pypdfium2.raw as pdfium

_SCALE = 2.0
_LARGEST_SIDE = 2_000
_LEAST_CONTRAST = 50  # of 255, between the lightest and the darkest dot of a letter
_SHARE_READABLE = 0.8
_BYTES_A_DOT = 4

Corners = tuple[float, float, float, float]
"""Left, bottom, right, top of a letter, in points of the page's own space."""


def can_be_read(page: pdfium.FPDF_PAGE, letters: Sequence[Corners]) -> bool:
    """Say whether most of the letters stand out from what is behind them.

    Args:
        page: the open page.
        letters: where each letter stands; without any, nothing can be read.
    """
    scale = _SCALE
    places = _on_paper(page, letters, scale)
    if not places:
        return False
    left, top = min(one[0] for one in places), min(one[1] for one in places)
    width, height = max(one[2] for one in places) - left, max(one[3] for one in places) - top
    if not (0 < width <= _LARGEST_SIDE and 0 < height <= _LARGEST_SIDE):
        return False
    dots = _drawn(page, scale, (left, top), (width, height))
    standing_out = sum(
        _contrast(dots, width, (x0 - left, y0 - top, x1 - left, y1 - top)) >= _LEAST_CONTRAST
        for x0, y0, x1, y1 in places
    )
    return standing_out >= _SHARE_READABLE * len(places)


def _size(page: pdfium.FPDF_PAGE, scale: float) -> tuple[int, int]:
    return (
        max(1, round(pdfium.FPDF_GetPageWidthF(page) * scale)),
        max(1, round(pdfium.FPDF_GetPageHeightF(page) * scale)),
    )


def _on_paper(
    page: pdfium.FPDF_PAGE, letters: Sequence[Corners], scale: float
) -> list[tuple[int, int, int, int]]:
    """Give where the letters stand on the drawn page, in dots from its upper left corner."""
    width, height = _size(page, scale)
    x, y = ctypes.c_int(), ctypes.c_int()
    places: list[tuple[int, int, int, int]] = []
    for left, bottom, right, top in letters:
        corners: list[tuple[int, int]] = []
        for point in ((left, bottom), (right, top)):
            pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, *point, ctypes.byref(x), ctypes.byref(y))
            corners.append((x.value, y.value))
        (x0, y0), (x1, y1) = corners
        places.append((min(x0, x1), min(y0, y1), max(x0, x1) + 1, max(y0, y1) + 1))
    return places


def _drawn(page: pdfium.FPDF_PAGE, scale: float, origin: tuple[int, int], size: tuple[int, int]) -> bytes:
    """Draw a piece of the page on white paper; four bytes a dot, line by line."""
    width, height = size
    paper = ctypes.create_string_buffer(width * height * _BYTES_A_DOT)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, paper, width * _BYTES_A_DOT)
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, -origin[0], -origin[1], *_size(page, scale), 0, 0)
        return paper.raw
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)


def _contrast(dots: bytes, width: int, place: tuple[int, int, int, int]) -> int:
    left, top, right, bottom = place
    lines = [
        dots[(y * width + left) * _BYTES_A_DOT : (y * width + right) * _BYTES_A_DOT]
        for y in range(top, bottom)
    ]
    contrasts = []
    for channel in range(3):
        seen = b"".join(line[channel::_BYTES_A_DOT] for line in lines)
        contrasts.append(max(seen) - min(seen) if seen else 0)
    return max(contrasts)
