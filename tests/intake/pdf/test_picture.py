"""A person decides by looking at a picture, drawn where the file can do no harm."""

import io

import pytest
from PIL import Image

from intake.pdf.finding import Finding
from intake.pdf.limits import Limits
from intake.pdf.picture import PictureUnavailable, picture, pictures
from tests.intake.pdf.conftest import CASES

QUICK = Limits(wall_s=3.0)


def _drawn(name: str, index: int = 0, max_px: int = 1100) -> Image.Image:
    return Image.open(io.BytesIO(picture((CASES / name).read_bytes(), index, max_px=max_px)))


@pytest.mark.parametrize(
    "name", ["typed-conformed.pdf", "bomb-mediabox-huge.pdf", "scan-rotated.pdf", "enc-owner-only-signed.pdf"]
)
def test_a_picture_has_at_most_eleven_hundred_pixels_a_side(name: str) -> None:
    assert max(_drawn(name).size) <= 1100


def test_the_longer_side_is_as_asked() -> None:
    assert max(_drawn("typed-conformed.pdf", max_px=400).size) == 400


def test_ink_and_form_values_are_drawn() -> None:
    plain, inked, filled = (
        sum(_drawn(name, max_px=600).convert("L").histogram()[:128])
        for name in ("none-blank-line.pdf", "drawn-ink.pdf", "typed-textfield.pdf")
    )
    assert inked > plain
    assert filled > plain


@pytest.mark.parametrize(
    "name", ["bad-zero-bytes.pdf", "bad-html-renamed.pdf", "enc-user-password-aes256.pdf"]
)
def test_a_file_that_cannot_be_opened_has_no_picture_and_is_kept(name: str) -> None:
    with pytest.raises(PictureUnavailable, match="kept as it came"):
        picture((CASES / name).read_bytes(), 0)


@pytest.mark.parametrize("name", ["bomb-deflate-1gib.pdf", "bad-cyclic-xobject.pdf"])
def test_a_page_that_breaks_the_drawer_has_no_picture(name: str) -> None:
    with pytest.raises(PictureUnavailable):
        picture((CASES / name).read_bytes(), 0, limits=QUICK)


def test_a_page_that_does_not_exist_has_no_picture() -> None:
    with pytest.raises(PictureUnavailable):
        picture((CASES / "typed-conformed.pdf").read_bytes(), 7)


def test_first_last_and_signature_page_are_drawn_once_each(findings: dict[str, Finding]) -> None:
    content = (CASES / "typed-exhibit-signed.pdf").read_bytes()
    drawn = pictures(content, findings["typed-exhibit-signed.pdf"], max_px=200)
    assert [one.page_index for one in drawn] == [0, 1]


def test_a_file_without_pages_has_no_pictures(findings: dict[str, Finding]) -> None:
    assert pictures((CASES / "bad-html-renamed.pdf").read_bytes(), findings["bad-html-renamed.pdf"]) == ()
