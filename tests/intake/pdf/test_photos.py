"""Photos become one PDF for looking; what cannot be read makes none (I6)."""

import io

import pillow_heif
import pypdf
import pytest
from PIL import Image

from intake.pdf.photos import MOST_PHOTOS, PhotosUnreadable, as_one_pdf

pillow_heif.register_heif_opener()


def a_photo(kind: str, colour: str = "white", mode: str = "RGB", **more: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, (64, 48), colour).save(out, kind, **more)
    return out.getvalue()


def test_each_photo_is_a_page_in_its_order() -> None:
    photos = [
        a_photo("JPEG"),
        a_photo("PNG"),
        a_photo("HEIF"),
        a_photo("PNG", mode="RGBA"),
        a_photo("GIF"),
        a_photo("TIFF"),
    ]
    made = as_one_pdf(photos)
    assert len(pypdf.PdfReader(io.BytesIO(made)).pages) == len(photos)


def test_a_jpeg_goes_in_as_it_is() -> None:
    photo = a_photo("JPEG", "red")
    assert photo in as_one_pdf([photo])


def test_a_photo_held_upright_is_shown_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    made = as_one_pdf([a_photo("JPEG", exif=exif)])
    page = pypdf.PdfReader(io.BytesIO(made)).pages[0]
    assert (page.rotation % 180 == 90) != (page.mediabox.height > page.mediabox.width)


@pytest.mark.parametrize(
    "photo",
    [b"", b"not a photo", b"\xff\xd8\xff\xe0 cut off", a_photo("PNG")[:-30], a_photo("JPEG")[:-300]],
    ids=["empty", "text", "no photo", "cut PNG", "cut JPEG"],
)
def test_what_is_no_whole_photo_makes_no_pdf(photo: bytes) -> None:
    with pytest.raises(PhotosUnreadable):
        as_one_pdf([a_photo("JPEG"), photo])


def test_a_photo_of_endless_size_makes_no_pdf() -> None:
    bomb = a_photo("PNG").replace(
        b"IHDR\x00\x00\x00\x40\x00\x00\x00\x30", b"IHDR\x00\x03\x00\x00\x00\x03\x00\x00"
    )
    with pytest.raises(PhotosUnreadable):
        as_one_pdf([bomb])


@pytest.mark.parametrize("count", [0, MOST_PHOTOS + 1])
def test_no_photo_or_too_many_make_no_pdf(count: int) -> None:
    with pytest.raises(PhotosUnreadable):
        as_one_pdf([a_photo("JPEG")] * count)


def test_the_same_photos_make_the_same_pdf() -> None:
    made = as_one_pdf([a_photo("PNG")])
    assert made == as_one_pdf([a_photo("PNG")])
    assert b"/ID" not in made  # an identifier would carry the time
