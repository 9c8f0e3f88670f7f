"""Charsets as mail names them: for each name Python's codec, by alias, by code page, or None.

Sources: the IANA registry of character sets and its aliases, the WHATWG Encoding Standard (which narrow names
mean their wider relatives), Microsoft's code page numbers, which winmail.dat states.
"""

import codecs
import re
from collections.abc import Mapping

# A narrow name stands for its wider relative: senders write the first and mean the second.
_CHARSETS: Mapping[str, str] = {
    "8859-1": "cp1252",
    "adobe-standard-encoding": "cp1252",
    "ansi": "cp1252",
    "ansi_x3.4-1968": "utf-8",
    "ascii": "utf-8",
    "us-ascii": "utf-8",
    "us": "utf-8",
    "7bit": "utf-8",
    "8bit": "utf-8",
    "binary": "utf-8",
    "default": "utf-8",
    "none": "utf-8",
    "null": "utf-8",
    "undefined": "utf-8",
    "unknown": "utf-8",
    "unknown-8bit": "utf-8",
    "charset_unknown": "utf-8",
    "user-defined": "utf-8",
    "utf-8n": "utf-8",
    "utf-8-mac": "utf-8",
    "utf-8mb4": "utf-8",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso_8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-1-windows-3.1-latin-1": "cp1252",
    "iso-8859": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "tis620": "cp874",
    "iso-8859-6-i": "iso8859_6",
    "iso-8859-6-e": "iso8859_6",
    "iso-8859-8-i": "iso8859_8",
    "iso-8859-8-e": "iso8859_8",
    "iso88598i": "iso8859_8",
    "asmo-708": "iso8859_6",
    "mac": "mac_roman",
    "macintosh": "mac_roman",
    "mac-roman": "mac_roman",
    "mac-ce": "mac_latin2",
    "mac-centraleurroman": "mac_latin2",
    "mac-cyrillic": "mac_cyrillic",
    "mac-ukrainian": "mac_cyrillic",
    "mac-greek": "mac_greek",
    "mac-turkish": "mac_turkish",
    "mac-croatian": "mac_croatian",
    "mac-romanian": "mac_romanian",
    "mac-icelandic": "mac_iceland",
    "mac-arabic": "mac_arabic",
    "mac-farsi": "mac_farsi",
    "mac-hebrew": "cp1255",
    "mac-thai": "cp874",
    "mac-japanese": "cp932",
    "mac-korean": "cp949",
    "mac-chinesesimp": "gb18030",
    "mac-chinesetrad": "cp950",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-2-0-utf-7": "utf-7",
    "unicode11utf7": "utf-7",
    "unicode": "utf-16",
    "unicode-1-1": "utf-16",
    "ucs-2": "utf-16",
    "ucs2": "utf-16",
    "iso-10646-ucs-2": "utf-16",
    "ucs-4": "utf-32",
    "iso-10646-ucs-4": "utf-32",
    "gb2312": "gb18030",
    "gb_2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "gb18030-2022": "gb18030",
    "euc-cn": "gb18030",
    "cn-gb": "gb18030",
    "chinese": "gb18030",
    "iso-ir-58": "gb18030",
    "big5": "big5hkscs",
    "big-5": "big5hkscs",
    "cn-big5": "big5hkscs",
    "x-big5": "big5hkscs",
    "ks_c_5601": "cp949",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949",
    "ksc5601": "cp949",
    "ksc_5601": "cp949",
    "iso-ir-149": "cp949",
    "korean": "cp949",
    "euc-kr": "cp949",
    "euckr": "cp949",
    "uhc": "cp949",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "ms_kanji": "cp932",
    "ms-kanji": "cp932",
    "windows-31j": "cp932",
    "windows31j": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-2022-jp-ms": "iso2022_jp_ext",
    "koi8": "koi8_r",
    "koi-8-r": "koi8_r",
    "koi8-ru": "koi8_u",
    "dos-720": "cp720",
    "dos-862": "cp862",
    "ebcdic-us": "cp037",
}

_CODE_PAGES: Mapping[int, str] = {
    708: "iso8859_6",
    936: "gb18030",
    1200: "utf-16-le",
    1201: "utf-16-be",
    1252: "cp1252",
    10000: "mac_roman",
    10001: "cp932",
    10003: "cp949",
    10006: "mac_greek",
    10007: "mac_cyrillic",
    10029: "mac_latin2",
    10081: "mac_turkish",
    20127: "cp1252",
    20866: "koi8_r",
    20932: "euc_jp",
    20936: "gb18030",
    20949: "cp949",
    21866: "koi8_u",
    28591: "cp1252",
    28605: "iso8859_15",
    38598: "iso8859_8",
    50220: "iso2022_jp_ext",
    50221: "iso2022_jp_ext",
    50222: "iso2022_jp_ext",
    50225: "iso2022_kr",
    51932: "euc_jp",
    51936: "gb18030",
    51949: "cp949",
    52936: "hz",
    54936: "gb18030",
    65000: "utf-7",
    65001: "utf-8",
}
_ISO_8859_PAGES = range(28592, 28607)
_CODE_PAGE = re.compile(
    r"(?:ms-cp|windows|win|cp|ibm|ms|msdos|dos|ansi|codepage|oem|ccsid)[-_ ]?0*(\d{3,5})(?:\D.*)?"
)
_NO_TEXT = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"})


def charset_of(name: str) -> str | None:
    """Give Python's name for a charset of a mail, or None where it is unknown or no text codec."""
    asked = re.split(r"[;,?\s]", name.strip().strip("\"'_*?"), maxsplit=1)[0].strip("\"'").lower()[:60]
    for one in dict.fromkeys((asked, *_shorter(asked))):
        found = _codec(_CHARSETS.get(one) or _by_code_page(one) or one)
        if found is not None:
            return found
    return None


def _shorter(name: str) -> tuple[str, ...]:
    """Give a name without the marks of the unregistered (x-) and of the registry's aliases (cs)."""
    bare = re.sub(r"^iso[-_ ]?8859[-_ ]?(?=\d)", "iso-8859-", re.sub(r"^(?:x-)+", "", name))
    return bare, bare.removeprefix("cs"), re.sub(r"^cs(?=iso)", "", bare).replace("isolatin", "latin")


def _by_code_page(name: str) -> str | None:
    found = _CODE_PAGE.fullmatch(name)
    if found is None:
        return None
    page = int(found.group(1))
    if page in _ISO_8859_PAGES and page not in _CODE_PAGES:
        return f"iso8859_{page - 28590}"
    return _CODE_PAGES.get(page, f"cp{page:03d}")


def _codec(name: str) -> str | None:
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError, TypeError):  # a NUL in the name is a ValueError
        return None
    # base64, zip, rot13 and the like answer to look-up too, and escapes run as code would
    is_text = getattr(found, "_is_text_encoding", False)
    return found.name if is_text and found.name.replace("-", "_") not in _NO_TEXT else None
