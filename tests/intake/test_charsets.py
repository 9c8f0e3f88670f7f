"""Charsets as mail names them: the text comes out, whatever name Python has for it or has not."""

import pytest

from intake.charsets import charset_of
from intake.headers import decoded
from intake.message import read_mail
from tests.intake.mail_builders import a_mail


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [
        ("x-mac-roman", "mac_roman", "Ünïcode"),
        ("macintosh", "mac_roman", "señor"),
        ("X-MAC-CYRILLIC", "mac_cyrillic", "Жалоба"),
        ("x-mac-ce", "mac_latin2", "Žaloba"),
        ("x-mac-greek", "mac_greek", "Καταγγελία"),
        ("x-mac-turkish", "mac_turkish", "Şikâyet"),
        ("x-mac-japanese", "cp932", "苦情"),
        ("x-mac-chinesesimp", "gb18030", "投诉"),
        ("iso-8859-8-i", "iso8859_8", "תלונה"),
        ("ISO-8859-8-E", "iso8859_8", "תלונה"),
        ("windows-874", "cp874", "ร้องเรียน"),
        ("tis-620", "cp874", "ร้องเรียน"),
        ("iso-8859-11", "cp874", "ร้องเรียน"),
        ("unicode-1-1-utf-7", "utf-7", "Beschwerde für Zoë"),
        ("x-unicode-2-0-utf-7", "utf-7", "Zoë"),
        ("utf-7", "utf-7", "Zoë"),
        ("ks_c_5601-1987", "cp949", "민원 똠"),
        ("ks_c_5601", "cp949", "민원"),
        ("x-windows-949", "cp949", "민원"),
        ("euc-kr", "cp949", "똠방각하"),
        ("gb2312", "gb18030", "投訴 镕"),
        ("GB_2312-80", "gb18030", "投诉"),
        ("x-gbk", "gb18030", "投訴"),
        ("hz-gb-2312", "hz", "投诉"),
        ("big5", "big5hkscs", "投訴 嘅"),
        ("x-x-big5", "big5hkscs", "投訴"),
        ("shift_jis", "cp932", "苦情①"),
        ("windows-31j", "cp932", "苦情①"),
        ("x-ms-cp932", "cp932", "㈱"),
        ("iso-2022-jp", "iso2022_jp_ext", "苦情"),
        ("cp50221", "iso2022_jp_ext", "苦情"),
        ("cp51932", "euc_jp", "苦情"),
        ("iso-8859-1", "cp1252", "“quoted” €"),
        ("us-ascii", "utf-8", "naïve"),
        ("ISO_8859-1:1987", "latin-1", "señor"),
        ("iso88592", "iso8859_2", "Żółć"),
        ("x-user-defined", "cp1252", "caf\xe9"),
        ("unknown-8bit", "utf-8", "señor"),
        ("windows1251", "cp1251", "Жалоба"),
        ("koi8-ru", "koi8_u", "Скарга"),
        ("cp65001", "utf-8", "señor"),
        ("cp28592", "iso8859_2", "Żółć"),
        ("ibm850", "cp850", "señor"),
        ("utf8mb4", "utf-8", "😀"),
        ("utf-8; format=flowed", "utf-8", "señor"),
        ("'UTF-8'", "utf-8", "señor"),
        ("ucs-2", "utf-16-le", "plain words"),
    ],
)
def test_a_name_gives_its_text(name: str, codec: str, text: str) -> None:
    raw = text.encode(codec)
    assert decoded(raw, name) == text
    mail = a_mail(headers={"Subject": "x"}, text="").replace(b"charset=utf-8", f'charset="{name}"'.encode())
    assert read_mail(mail + raw).text == text


@pytest.mark.parametrize(
    "name", ["", "x", "base64", "rot13", "unicode_escape", "raw_unicode_escape", "zip", "a\0b", "idna"]
)
def test_what_is_no_charset_is_none_and_its_bytes_are_read_all_the_same(name: str) -> None:
    assert charset_of(name) is None
    assert decoded(b"caf\xe9", name) == "café"
