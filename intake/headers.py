"""Header fields as they really come: decoded with fallbacks, never raising.

The standard library's structured policies raise on real mail, so every field is read here from its raw
text. Sources: RFC 5322 (fields, addresses, dates), RFC 2047 and 2231 (encoded text), RFC 6532 (UTF-8),
RFC 8601 (Authentication-Results).
"""

import binascii
import codecs
import re
import struct
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import authres
from email_validator import EmailNotValidError, validate_email

from intake.charsets import charset_of

LONGEST_VALUE = 65_536
"""Characters of one header value that are read; the raw mail keeps the rest."""

MOST_MAILBOXES = 500

LONGEST_ADDRESS = 400
"""Characters; RFC 5321 allows 254 octets."""

UNREADABLE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    EOFError,
    OSError,
    struct.error,
    binascii.Error,
)
"""What parsers of hostile bytes raise besides their own errors; RecursionError is a RuntimeError."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_INVISIBLE = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u00ad]")
_BLANKS = re.compile(r"\s+")
_ENCODED_WORD = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]*)\?=")
_SEPARATOR = re.compile(r"[\s:;,<>@()\[\]\\\"]", re.ASCII)
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t\r\n]+(?==\?)")
_CONTINUED = re.compile(r"^([^*]+)\*(?:(\d{1,3})(\*)?)?$")
_MESSAGE_ID = re.compile(r"<\s*([^<>\s]{1,500})\s*>")
_COMMENT = re.compile(r"\([^()]*\)")


def decoded(raw: bytes, charset: str | None = None) -> str:
    """Decode bytes by the charset that is declared, else UTF-8, else Windows-1252; never raises."""
    wide = _by_byte_order_mark(raw)
    declared = charset_of(charset) if charset else None
    for name in (wide, declared, "utf-8"):
        if name is None:
            continue
        try:
            return raw.decode(name)
        except UNREADABLE:
            continue
    fallback = declared if declared and not declared.startswith("utf") else "cp1252"
    try:
        return raw.decode(fallback, "replace")
    except UNREADABLE:
        return raw.decode("latin-1")


def _by_byte_order_mark(raw: bytes) -> str | None:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8-sig" if raw.startswith(codecs.BOM_UTF8) else None


def shown(text: str) -> str:
    """Give one line that is safe to show and to store: no control, no bidi override, no lone surrogate."""
    return _BLANKS.sub(" ", _INVISIBLE.sub("", _CONTROL.sub(_blank_for, text))).strip()


def _blank_for(found: re.Match[str]) -> str:
    return " " if found.group() in "\r\n\x0b\x0c\u2028\u2029\x85" else ""


def readable(text: str) -> str:
    """Give text of several lines without control characters; line ends become a line feed."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def raw_text(value: str) -> str:
    """Give a raw header value, in which the parser hid 8-bit bytes as surrogates, as text."""
    value = value[:LONGEST_VALUE]
    try:
        return decoded(value.encode("ascii", "surrogateescape"))
    except UnicodeError:
        return value


def decoded_words(value: str) -> str:
    """Decode the encoded words of a header value; what cannot be decoded stays as it was (RFC 2047)."""
    joined = _BETWEEN_WORDS.sub(r"\1", value[:LONGEST_VALUE])
    pieces: list[str | tuple[str, bytes]] = []
    end = 0
    for found in _ENCODED_WORD.finditer(joined):
        pieces.append(joined[end : found.start()])
        raw = _word_bytes(found.group(2), found.group(3))
        pieces.append(found.group() if raw is None else (found.group(1), raw))
        end = found.end()
    pieces.append(joined[end:])
    return "".join(_joined_pieces(pieces))


def _word_bytes(way: str, text: str) -> bytes | None:
    ascii_text = text.encode("utf-8", "replace")
    if way in "qQ":
        return binascii.a2b_qp(ascii_text, header=True)
    try:
        return binascii.a2b_base64(ascii_text + b"===")
    except UNREADABLE:
        return None


def _joined_pieces(pieces: list[str | tuple[str, bytes]]) -> Iterator[str]:
    """Decode neighbours of one charset together: senders cut words inside a character."""
    charset, gathered = "", b""
    for piece in pieces:
        if isinstance(piece, tuple) and piece[0].lower() == charset:
            gathered += piece[1]
            continue
        if piece == "":
            continue
        if gathered:
            yield decoded(gathered, charset)
        charset, gathered = "", b""
        if isinstance(piece, tuple):
            charset, gathered = piece[0].lower(), piece[1]
        else:
            yield piece
    if gathered:
        yield decoded(gathered, charset)


def header_text(value: str) -> str:
    """Give a raw unstructured header value as one line of text, fit to be shown."""
    return shown(decoded_words(raw_text(value)))


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """Split a Content-Type or Content-Disposition into its word and its parameters (RFC 2045, 2231).

    Returns:
        the word in lower case, and parameters by lower-case name, decoded and on one line.
    """
    text = raw_text(value)
    first, *rest = _split_outside_quotes(text, ";")
    plain: dict[str, str] = {}
    continued: dict[str, dict[int, tuple[str, bool]]] = {}
    for piece in rest[:200]:
        name, separator, given = piece.partition("=")
        name = name.strip().lower()
        if not separator or not name:
            continue
        found = _CONTINUED.match(name)
        if found is None:
            plain.setdefault(name, _unquoted(given))
        else:
            number = int(found.group(2) or 0)
            extended = found.group(2) is None or found.group(3) is not None
            continued.setdefault(found.group(1), {}).setdefault(number, (_unquoted(given), extended))
    read = {name: shown(decoded_words(given)) for name, given in plain.items()}
    read.update({name: shown(_rfc2231(parts)) for name, parts in continued.items()})
    return shown(_without_comments(first)).lower(), read


def _rfc2231(parts: Mapping[int, tuple[str, bool]]) -> str:
    charset = ""
    raw = b""
    for number in sorted(parts):
        text, extended = parts[number]
        if extended and number == min(parts) and text.count("'") > 1:
            charset, _, text = text.split("'", 2)
        as_bytes = text.encode("utf-8", "surrogateescape")
        raw += unquote_to_bytes(as_bytes) if extended else as_bytes
    text = decoded(raw, charset or None)
    return text if charset else decoded_words(text)


def _unquoted(text: str) -> str:
    text = text.strip()
    if not text.startswith('"'):
        return text
    inner = text[1:]
    end = re.search(r'(?<!\\)"', inner)
    # only these two are ever quoted so; a path of Windows carries plain backslashes
    return re.sub(r'\\(["\\])', r"\1", inner[: end.start()] if end else inner)


def _without_comments(text: str) -> str:
    for _ in range(5):
        shorter = _COMMENT.sub(" ", text)
        if shorter == text:
            break
        text = shorter
    return text


def _split_outside_quotes(text: str, separator: str) -> list[str]:
    pieces: list[str] = []
    start, quoted, escaped = 0, False, False
    for at, character in enumerate(text):
        if escaped:
            escaped = False
        elif character == "\\" and quoted:
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character == separator and not quoted:
            pieces.append(text[start:at])
            start = at + 1
    pieces.append(text[start:])
    return pieces


# a message asks for the same few addresses some twenty times
_ADDRESSES_REMEMBERED = 2_048


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One mailbox of an address header.

    Attributes:
        name: the display name, decoded, on one line; empty where there is none.
        address: the address in its normal form (domain in lower case and Unicode), or as it was given
            where it is not a valid one.
        valid: the address can be written to, as far as its form shows.
    """

    name: str = field(repr=False)
    address: str = field(repr=False)
    valid: bool

    @property
    def key(self) -> str:
        """Give the address in the form in which addresses are compared."""
        return address_key(self.address)

    @property
    def domain(self) -> str:
        """Give the domain in lower case; empty where there is none."""
        return self.key.rpartition("@")[2]


def address_key(address: str) -> str:
    """Give an address in the form in which two are compared: NFC, lower case, Unicode domain."""
    checked = _normal(address)
    return unicodedata.normalize("NFC", checked if checked is not None else address.strip()).casefold()


@lru_cache(maxsize=_ADDRESSES_REMEMBERED)
def _normal(address: str) -> str | None:
    if len(address) > LONGEST_ADDRESS:
        return None
    try:
        return validate_email(address, check_deliverability=False, allow_quoted_local=True).normalized
    except EmailNotValidError:
        return None
    except UNREADABLE:
        return None


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """An address header read.

    Attributes:
        boxes: the mailboxes, in order; invalid ones are kept and say so.
        malformed: something in the value is neither a mailbox nor a group nor a comment.
        repaired: words stood where a mailbox should (an unquoted comma in a name) and were taken as its name.
    """

    boxes: tuple[Mailbox, ...] = ()
    malformed: bool = False
    repaired: bool = False


def mailboxes(value: str) -> Mailboxes:
    """Read a raw address header: names, addresses, groups, comments, 8-bit and encoded words."""
    text = _ENCODED_WORD.sub(_without_separators, raw_text(value))
    pieces = _address_pieces(text)[:MOST_MAILBOXES]
    boxes: list[Mailbox] = []
    loose: list[str] = []
    malformed = repaired = False
    for name, address in pieces:
        if not address:
            loose.append(name)
            continue
        full_name = ", ".join([*loose, *([name] if name else [])])
        loose, repaired = [], repaired or bool(loose)
        normal = _normal(address)
        malformed = malformed or normal is None
        boxes.append(Mailbox(shown(decoded_words(full_name)), normal or shown(address), normal is not None))
    return Mailboxes(tuple(boxes), malformed or bool(loose), repaired)


def _without_separators(word: re.Match[str]) -> str:
    """Give an encoded word in which nothing separates mailboxes: senders leave colons and at-signs bare in it."""
    if word.group(2) not in "qQ":
        return word.group()
    plain = _SEPARATOR.sub(lambda one: f"={ord(one.group()):02X}", word.group(3))
    return word.group()[: word.start(3) - word.start()] + plain + "?="


def _address_pieces(text: str) -> list[tuple[str, str]]:
    """Split an address list into (display name, address), linear in its length and without recursion."""
    pieces: list[tuple[str, str]] = []
    reader = _AddressReader()
    for character in text:
        if reader.takes(character):
            continue
        if character == ":" and not reader.address:
            reader.start_group()
        elif character in ",;":
            pieces.append(reader.finished())
            reader = _AddressReader()
    pieces.append(reader.finished())
    return [(name, address) for name, address in pieces if name or address]


class _AddressReader:
    """One mailbox being read, character by character."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.address = ""
        self._comment: list[str] = []
        self._quoted = self._escaped = self._angled = self._was_quoted = self._just_quoted = False
        self._quoted_local = False
        self._depth = 0

    def takes(self, character: str) -> bool:
        """Take a character; False where it separates mailboxes."""
        if self._escaped:
            self._escaped = False
            self._keep(character)
        elif character == "\\" and (self._quoted or self._depth):
            self._escaped = True
        elif self._quoted or self._depth:
            self._take_inside(character)
        elif self._angled:
            self._angled = character != ">"
            self.address += character if self._angled and len(self.address) < LONGEST_VALUE else ""
        else:
            return self._take_outside(character)
        return True

    def start_group(self) -> None:
        """Forget the words read: they named a group."""
        self.words = []

    def finished(self) -> tuple[str, str]:
        """Give the display name and the address."""
        name = "".join(self.words).strip()
        if self.address:
            # a route before the address is of no use any more (RFC 5322, 4.4)
            return name, re.sub(r"^\s*@[^:<>]*:", "", self.address).strip()
        if self._quoted_local:
            local, _, domain = name.rpartition("@")
            return "".join(self._comment).strip(), f'"{local}"@{domain}'
        if "@" in name and not self._was_quoted:
            return "".join(self._comment).strip(), _BLANKS.sub(
                "", name
            ) if " @" in name or "@ " in name else name
        return name, ""

    def _keep(self, character: str) -> None:
        (self._comment if self._depth else self.words).append(character)

    def _take_inside(self, character: str) -> None:
        if self._quoted and character == '"':
            self._quoted, self._just_quoted = False, True
        elif self._depth and character == "(":
            self._depth += 1
        elif self._depth and character == ")":
            self._depth -= 1
        else:
            self._keep(character)

    def _take_outside(self, character: str) -> bool:
        self._quoted_local = self._quoted_local or (self._just_quoted and character == "@")
        self._just_quoted = False
        if character == '"':
            self._quoted = self._was_quoted = True
        elif character == "(":
            self._depth = 1
        elif character == "<":
            self._angled = True
        elif character in ",;:":
            return False
        else:
            self.words.append(character)
        return True


def message_ids(value: str) -> tuple[str, ...]:
    """Give the message identifiers of a raw Message-ID, In-Reply-To or References, with their brackets."""
    text = shown(raw_text(value))
    found = tuple(f"<{one}>" for one in _MESSAGE_ID.findall(text)[:200])
    if found or not text or " " in text or "@" not in text:
        return found
    return (f"<{text.strip('<>')[:500]}>",)


def instant(value: str) -> datetime | None:
    """Read a Date as an aware UTC instant; None where it is none. A zone that is missing is UTC (RFC 5322)."""
    try:
        read = parsedate_to_datetime(shown(raw_text(value))[:200])
        aware = read if read.tzinfo is not None else read.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except UNREADABLE:
        return None


@dataclass(frozen=True, slots=True)
class AuthenticationResult:
    """What one server says of one method (RFC 8601).

    Attributes:
        authserv_id: the server that says so, in lower case; anybody can write any name here.
        method: such as ``dmarc``.
        result: such as ``pass`` or ``fail``.
        header_from: the domain of the From that it is about; empty where it is not said.
    """

    authserv_id: str
    method: str
    result: str
    header_from: str = ""


def authentication_results(value: str) -> tuple[AuthenticationResult, ...]:
    """Read one Authentication-Results value; empty where it cannot be read."""
    text = shown(raw_text(value))[:8_192]
    try:
        parsed = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}")
        return tuple(
            AuthenticationResult(
                authserv_id=str(parsed.authserv_id).lower(),
                method=str(one.method).lower(),
                result=str(one.result).lower(),
                header_from=_header_from(one),
            )
            for one in parsed.results
        )
    except (authres.AuthResError, *UNREADABLE):
        return ()


def _header_from(result: authres.AuthenticationResult) -> str:
    for one in result.properties:
        if (one.type, one.name) == ("header", "from"):
            return str(one.value).lower().rpartition("@")[2]
    return ""
