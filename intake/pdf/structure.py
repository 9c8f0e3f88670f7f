"""How a file is built, read by pypdf: lock, pages, active content, enclosures, form, annotations.

Runs in the limited child only. pypdf raises far more than its own errors on hostile input, so each
separate reading names the faults it may meet (`FAULTS`) and leaves a sentence instead of a result.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdf
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NameObject, StreamObject

from intake.pdf.finding import Encryption
from intake.pdf.limits import Limits

FAULTS = (
    pypdf.errors.PyPdfError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    DeprecationWarning,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    Warning,
    pypdf.errors.DeprecationError,
    pypdf.errors.DependencyError,
)

_ACTIVE_ACTIONS = {
    "/JavaScript": "JavaScript",
    "/Launch": "a command that starts a program",
    "/SubmitForm": "a command that sends the form to an address",
    "/GoToR": "a command that opens another file",
    "/GoToE": "a command that opens an enclosed file",
    "/ImportData": "a command that fetches values from a file",
}
_PROGRAM_ENDINGS = frozenset(
    [
        "app",
        "apk",
        "appimage",
        "bat",
        "bin",
        "chm",
        "cmd",
        "com",
        "cpl",
        "deb",
        "dll",
        "dmg",
        "docm",
        "dotm",
        "elf",
        "exe",
        "hta",
        "inf",
        "iso",
        "jar",
        "js",
        "jse",
        "lnk",
        "mjs",
        "msi",
        "msp",
        "msix",
        "pif",
        "pl",
        "pptm",
        "ps1",
        "psm1",
        "py",
        "pyw",
        "reg",
        "rpm",
        "run",
        "scf",
        "scr",
        "settingcontent-ms",
        "sh",
        "so",
        "swf",
        "sys",
        "vb",
        "vbe",
        "vbs",
        "vhd",
        "wsf",
        "wsh",
        "xlsm",
        "xltm",
        "xlam",
        "command",
    ]
)
_PROGRAM_STARTS = (
    b"MZ",
    b"\x7fELF",
    b"#!",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"FWS",
    b"CWS",
)
_DOCUMENT_ENDINGS = frozenset(
    ["pdf", "doc", "docx", "odt", "rtf", "jpg", "jpeg", "png", "tif", "tiff", "heic", "gif", "bmp"]
)
_MOST_DEPTH = 100
_MOST_NODES = 400_000
_MOST_ENCLOSED_BYTES = 100_000_000
_LAID_OVER = frozenset({"/Ink", "/Stamp", "/FreeText"})
_HEADER = b"%PDF-"
_END = b"%%EOF"
_FIELD_SIGNATURE = re.compile(
    r"(?<![a-z])(?:e-?)?(?:signature|signed|sign|firma|unterschrift|assinatura|handtekening|podpis)(?![a-z])",
    re.IGNORECASE,
)


class _TooManyPages(ValueError):
    """The page tree has more leaves than any complaint; a few bytes can claim millions."""


class NotAPdf(Exception):
    """The file has no PDF header."""


@dataclass(slots=True)
class Structure:
    """What pypdf makes out of a file.

    Attributes:
        encrypted: how it is locked.
        locked: it cannot be opened without a secret.
        pages: number of pages; None where it could not be counted.
        page_objects: the page dictionaries, in order.
        active_content: it carries JavaScript, Launch, SubmitForm, GoToR/GoToE, ImportData or a program.
        embedded: names of embedded files.
        enclosures: the embedded files with their bytes, as far as they fit the limits.
        embedded_documents: one of them may be a document of its own.
        portfolio: the file is a wrapper of embedded files.
        xfa: its form is an XFA form.
        rebuilt: its table of contents was broken and made anew.
        damaged: its structure is broken beyond that.
        joined: more than one PDF stands in the file.
        trailing: something other than line ends follows the last end mark of the file.
        endless: its list of pages claims more than any complaint has.
        cyclic_form: a drawing draws itself.
        unsure_fonts: fonts that look like handwriting, or whose letters are drawings.
        usage_rights: it carries a usage-rights signature, which is no person's.
        byte_ranges: signature dictionaries met anywhere in the file.
        pictures: pictures met anywhere in the file, shown on a page or not.
        laid_over: ink, stamps and free texts met anywhere in the file, belonging to a page or not.
        walked: all objects were looked at.
        reader: the open file; None where pypdf cannot open it.
        mended: the bytes with an end of our own, where the file's own is lost; for looking only.
        reasons: sentences for the person who decides.
    """

    encrypted: Encryption = Encryption.NO
    locked: bool = False
    pages: int | None = None
    page_objects: list[DictionaryObject] = field(default_factory=list)
    active_content: bool = False
    embedded: list[str] = field(default_factory=list)
    enclosures: list[tuple[str, bytes]] = field(default_factory=list)
    embedded_documents: bool = False
    portfolio: bool = False
    xfa: bool = False
    rebuilt: bool = False
    damaged: bool = False
    joined: bool = False
    trailing: bool = False
    endless: bool = False
    cyclic_form: bool = False
    unsure_fonts: bool = False
    usage_rights: bool = False
    byte_ranges: int = 0
    pictures: int = 0
    laid_over: int = 0
    walked: bool = True
    reasons: list[str] = field(default_factory=list)
    reader: pypdf.PdfReader | None = None
    mended: bytes | None = None

    def add(self, sentence: str) -> None:
        """Keep a sentence once."""
        if sentence not in self.reasons:
            self.reasons.append(sentence)


def tighten() -> None:
    """Lower pypdf's own limits for this process: a complaint is small, a bomb is not."""
    pypdf.overwrite_configuration(
        maximum_declared_stream_length=40_000_000,
        array_based_stream_maximum_output_length=20_000_000,
        lzw_maximum_output_length=20_000_000,
        run_length_maximum_output_length=20_000_000,
        zlib_maximum_output_length=20_000_000,
        brotli_maximum_output_length=20_000_000,
        jbig2_maximum_output_length=20_000_000,
        image_maximum_buffer_size=40_000_000,
        stream_decoding_work_maximum_length=60_000_000,
        stream_filters_maximum_length=6,
        page_tree_maximum_depth=_MOST_DEPTH,
        jbig2dec_binary=None,
        disable_legacy_handling=True,
    )


def read_structure(content: bytes, limits: Limits) -> Structure:
    """Read how a file is built; what cannot be read is said in the reasons, never raised.

    Raises:
        NotAPdf: no PDF header stands in the file.
    """
    if content.find(_HEADER) < 0:
        raise NotAPdf
    found = Structure()
    found.joined = _joined(content)
    if found.joined:
        found.add("More than one PDF stands in this file, one after another; only one of them is shown.")
    found.trailing = bool(content[content.rfind(_END) + len(_END) :].strip(b"\0 \t\r\n"))
    reader = _open(content, found)
    if reader is None:
        return found
    found.reader = reader
    if not _unlock(reader, found):
        return found
    _count_pages(reader, found, limits)
    _walk_objects(reader, found, limits)
    _read_catalog(reader, found)
    # an earlier version of the file may have been signed and its signature taken out since
    found.byte_ranges = max(found.byte_ranges, content.count(b"/ByteRange"))
    return found


def _joined(content: bytes) -> bool:
    """Say whether a second header follows the end of a first file (PDFs enclosed as streams do not)."""
    return re.search(rb"%%EOF[\s\x00]{0,64}%PDF-\d", content) is not None


def _open(content: bytes, found: Structure) -> pypdf.PdfReader | None:
    try:
        reader = pypdf.PdfReader(io.BytesIO(content), strict=False)
        if not reader.is_encrypted:
            _ = _root(reader)["/Pages"]
    except NotImplementedError:
        if b"/Encrypt" not in content:
            return _open_rebuilt(content, found)
        _lock_to_a_key(found)
        return None
    except FAULTS:
        return _open_rebuilt(content, found)
    if content.startswith(_HEADER) and not _points_at_a_table(content):
        found.rebuilt = True
    if not content.startswith(_HEADER):
        found.add("Other bytes stand before the beginning of the PDF.")
    return reader


def _root(reader: pypdf.PdfReader) -> DictionaryObject:
    return _dictionary(reader.trailer["/Root"])


def _dictionary(value: Any) -> DictionaryObject:
    """Follow a reference to a dictionary.

    Raises:
        ValueError: something else stands there.
    """
    found = value.get_object()
    if not isinstance(found, DictionaryObject):
        raise ValueError("a dictionary is missing")  # noqa: TRY004  one kind of fault for the caller
    return found


def _points_at_a_table(content: bytes) -> bool:
    """Say whether the last pointer to the table of contents points at one."""
    pointers = re.findall(rb"startxref\s+(\d{1,12})", content[-2048:])
    if not pointers:
        return False
    place = int(pointers[-1])
    return re.match(rb"\s*(?:xref|\d+\s+\d+\s+obj)", content[place : place + 40]) is not None


def _open_rebuilt(content: bytes, found: Structure) -> pypdf.PdfReader | None:
    """Open a file whose end is lost, with an end of our own; for reading only, never for validating."""
    found.rebuilt = found.damaged = True
    catalogs = re.findall(
        rb"(\d{1,9})\s+(\d{1,5})\s+obj\s*<<(?:(?!endobj).){0,4096}?/Type\s*/Catalog", content, re.DOTALL
    )
    found.add("The end of this file is missing or broken.")
    for number, generation in reversed(catalogs[-3:]):
        end = b"\ntrailer\n<< /Root %s %s R >>\nstartxref\n0\n%%%%EOF\n" % (number, generation)
        try:
            reader = pypdf.PdfReader(io.BytesIO(content + end), strict=False)
            _ = _dictionary(_root(reader)["/Pages"])["/Kids"]
        except FAULTS:
            continue
        found.mended = content + end
        return reader
    return None


def _lock_to_a_key(found: Structure) -> None:
    found.encrypted, found.locked = Encryption.PUBLIC_KEY, True
    found.add("This file is locked to the holder of a certificate; it cannot be opened here.")


def _unlock(reader: pypdf.PdfReader, found: Structure) -> bool:
    """Open a locked file with the empty password; False where a secret is needed."""
    try:
        if not reader.is_encrypted:
            return True
        handler = _dictionary(reader.trailer["/Encrypt"]).get("/Filter")
    except FAULTS:
        handler = None
    if handler is not None and handler != "/Standard":
        _lock_to_a_key(found)
        return False
    try:
        opened = bool(reader.decrypt(""))
    except FAULTS:
        opened = False
    found.encrypted = Encryption.OWNER_ONLY if opened else Encryption.USER_PASSWORD
    found.locked = not opened
    found.add(
        "This file can be read by anyone; a password restricts changing or printing it."
        if opened
        else "This file needs a password to be opened; ask the sender for a copy without one."
    )
    return opened


def _count_pages(reader: pypdf.PdfReader, found: Structure, limits: Limits) -> None:
    try:
        root = _root(reader)["/Pages"]
        for page in _leaves(root, limits):
            found.page_objects.append(page)
    except FAULTS as fault:
        found.damaged = True
        found.endless = isinstance(fault, _TooManyPages)
        found.page_objects.clear()
        found.add("The list of pages is broken: it runs in a circle, has no end, or points at nothing.")
        return
    if found.mended is not None and any(_lost_contents(page) for page in found.page_objects):
        found.add("Part of this file is lost, and pages with it.")
        found.page_objects.clear()
        return
    found.pages = len(found.page_objects)
    if not found.pages:
        found.damaged = True
        found.add("This file has no page.")


def _lost_contents(page: DictionaryObject) -> bool:
    """Say whether a page names a drawing that is not in the file."""
    contents = dict.get(page, NameObject("/Contents"))
    if contents is None:
        return False
    try:
        parts = contents.get_object()
        drawings = [part.get_object() for part in parts] if isinstance(parts, ArrayObject) else [parts]
        return not all(
            isinstance(drawing, StreamObject) and drawing.get_data() is not None for drawing in drawings
        )
    except FAULTS:
        return True


def _leaves(root: Any, limits: Limits) -> Iterator[DictionaryObject]:
    """Give each page of the tree in order.

    Raises:
        ValueError: a node is its own ancestor, or there are more leaves or nodes than the limits say.
    """
    stack: list[tuple[Any, tuple[int, ...]]] = [(root, ())]
    leaves = nodes = 0
    while stack:
        reference, ancestors = stack.pop()
        nodes += 1
        node = reference.get_object()
        if not isinstance(node, DictionaryObject):
            raise ValueError("a page is missing")  # noqa: TRY004  one kind of fault for the caller
        kids = node.get("/Kids")
        kids = kids.get_object() if kids is not None else None
        if not isinstance(kids, ArrayObject) or node.get("/Type") == "/Page":
            leaves += 1
            yield node
        else:
            key = id(node)
            if key in ancestors or len(ancestors) > _MOST_DEPTH:
                raise ValueError("a circle of pages")
            stack.extend((kid, (*ancestors, key)) for kid in reversed(kids))
        if (
            leaves > limits.pages_counted
            or nodes > 4 * limits.pages_counted
            or len(stack) > 4 * limits.pages_counted
        ):
            raise _TooManyPages


def _references(reader: pypdf.PdfReader) -> Iterator[IndirectObject]:
    for generation, table in reader.xref.items():
        for number in table:
            yield IndirectObject(number, generation, reader)
    for number in reader.xref_objStm:
        yield IndirectObject(number, 0, reader)


def _walk_objects(reader: pypdf.PdfReader, found: Structure, limits: Limits) -> None:
    """Look at every object of the file, reached from a page or not, for what can act."""
    drawings: dict[int, set[int]] = {}
    nodes = 0
    _look_into(reader.trailer, found)
    for count, reference in enumerate(list(_references(reader))):
        if count >= limits.objects_walked or nodes > _MOST_NODES:
            found.walked = False
            break
        try:
            thing = reader.get_object(reference)
        except FAULTS:
            continue
        nodes += _walk_one(thing, found)
        if isinstance(thing, StreamObject) and thing.get("/Subtype") == "/Form":
            drawings[reference.idnum] = _drawn_by(thing)
        if isinstance(thing, StreamObject) and thing.get("/Subtype") == "/Image":
            found.pictures += 1
    found.cyclic_form = _has_circle(drawings)
    if found.cyclic_form:
        found.add("A drawing in this file draws itself; its pages are not shown.")
    if not found.walked:
        found.active_content = True
        found.add("This file has too many parts to search them all for active content; treat it as active.")


def _walk_one(thing: Any, found: Structure) -> int:
    stack, nodes = [thing], 0
    while stack and nodes < 50_000:  # noqa: PLR2004  one object larger than this is no part of a letter
        nodes += 1
        value = stack.pop()
        if isinstance(value, DictionaryObject):
            _look_into(value, found)
            stack.extend(value.values())
        elif isinstance(value, ArrayObject):
            stack.extend(item for item in value if isinstance(item, DictionaryObject | ArrayObject))
    return nodes


def _resolved(holder: DictionaryObject, key: str) -> Any:
    """Give a value of a dictionary with its reference followed; None where it is missing or broken."""
    try:
        value = dict.get(holder, NameObject(key))
        return value.get_object() if value is not None else None
    except FAULTS:
        return None


def _look_into(holder: DictionaryObject, found: Structure) -> None:
    action = _resolved(holder, "/S")
    if isinstance(action, str):
        _note_action(str(action), holder, found)
    if "/JS" in holder and not found.active_content:
        _flag(found, "JavaScript")
    if "/EF" in holder:
        _note_enclosure(holder, found)
    if "/Rect" in holder and dict.get(holder, "/Subtype") in _LAID_OVER:
        found.laid_over += 1
    if "/ByteRange" in holder:
        found.byte_ranges += 1
    if holder.get("/Subtype") == "/Type3" or re.search(
        r"script|hand|brush|signature|cursive|vibes|pacifico|dancing|allura|sacramento|snell|zapfin|mistral|caveat|satisfy"
        r"|edwardian|roundhand|chancery|parisienne|tangerine|alex|homemade|markerfelt|marker felt|lobster|kristi|cedarville",
        str(dict.get(holder, "/BaseFont", "")),
        re.IGNORECASE,
    ):
        found.unsure_fonts = True


def _note_action(action: str, holder: DictionaryObject, found: Structure) -> None:
    if action in _ACTIVE_ACTIONS and dict.get(holder, "/Type", "/Action") == "/Action":
        _flag(found, _ACTIVE_ACTIONS[action])
    elif action == "/URI" and str(_resolved(holder, "/URI")).strip().casefold().startswith("javascript:"):
        _flag(found, "JavaScript")


def _flag(found: Structure, what: str) -> None:
    found.active_content = True
    found.add(
        f"This file carries active content: {what}. Look at the pictures of its pages, not at the file."
    )


def _note_enclosure(holder: DictionaryObject, found: Structure) -> None:
    names = [_resolved(holder, key) for key in ("/UF", "/F", "/Unix", "/DOS", "/Mac")]
    name = next((str(one) for one in names if isinstance(one, str | bytes)), "")
    files = _resolved(holder, "/EF")
    streams = [_resolved(files, key) for key in files] if isinstance(files, DictionaryObject) else []
    begin = b""
    for stream in streams:
        if isinstance(stream, StreamObject):
            try:
                begin = stream.get_data()
            except FAULTS:
                found.add("An enclosed file could not be opened.")
            break
    label = re.sub(r"[\x00-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", name).strip()[:200] or "unnamed"
    found.embedded.append(label)
    if sum(len(kept) for _, kept in found.enclosures) + len(begin) <= _MOST_ENCLOSED_BYTES:
        found.enclosures.append((label, begin))
    ending = label.rstrip(". ").rpartition(".")[2].casefold()
    if ending in _PROGRAM_ENDINGS or begin.startswith(_PROGRAM_STARTS) or _archive_holds_program(begin):
        _flag(found, "an enclosed program")
    if (
        ending in _DOCUMENT_ENDINGS
        or _HEADER in begin[:1024]
        or begin.startswith((b"\xff\xd8\xff", b"\x89PNG"))
    ):
        found.embedded_documents = True


def _archive_holds_program(begin: bytes) -> bool:
    if not begin.startswith(b"PK\x03\x04"):
        return False
    try:
        names = zipfile.ZipFile(io.BytesIO(begin)).namelist()
    except (zipfile.BadZipFile, *FAULTS):
        return False
    return any(
        name.rstrip(". ").rpartition(".")[2].casefold() in _PROGRAM_ENDINGS or name.endswith("vbaProject.bin")
        for name in names[:5_000]
    )


def _drawn_by(drawing: StreamObject) -> set[int]:
    resources = _resolved(drawing, "/Resources")
    drawn = _resolved(resources, "/XObject") if isinstance(resources, DictionaryObject) else None
    if not isinstance(drawn, DictionaryObject):
        return set()
    return {value.idnum for value in dict.values(drawn) if isinstance(value, IndirectObject)}


def _has_circle(drawings: dict[int, set[int]]) -> bool:
    """Say whether any drawing reaches itself (depth-first search with three colours)."""
    done: set[int] = set()
    for start in drawings:
        path: set[int] = set()
        stack: list[tuple[int, bool]] = [(start, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                path.discard(node)
                done.add(node)
            elif node in path:
                return True
            elif node not in done and node in drawings:
                path.add(node)
                stack.append((node, True))
                stack.extend((child, False) for child in drawings[node])
    return False


def _read_catalog(reader: pypdf.PdfReader, found: Structure) -> None:
    try:
        root = _root(reader)
    except FAULTS:
        return
    found.portfolio = isinstance(_resolved(root, "/Collection"), DictionaryObject)
    rights = _resolved(root, "/Perms")
    if isinstance(rights, DictionaryObject):
        found.usage_rights = "/UR3" in rights or "/UR" in rights
    form = _resolved(root, "/AcroForm")
    if isinstance(form, DictionaryObject) and "/XFA" in form:
        found.xfa = True
        _read_xfa(_resolved(form, "/XFA"), found)
    if found.portfolio:
        found.add("This file is a folder of other files (a portfolio); each must be looked at by itself.")
    elif found.embedded:
        found.add("This file encloses other files.")


def _read_xfa(packets: Any, found: Structure) -> None:
    found.add(
        "This is an XFA form: what its pages show is not what was filled in; open it with Adobe Reader."
    )
    parts = packets if isinstance(packets, ArrayObject) else [packets]
    for part in parts:
        try:
            stream = part.get_object()
            body = stream.get_data() if isinstance(stream, StreamObject) else b""
        except FAULTS:
            continue
        if re.search(rb"<(?:\w+:)?script\b[^>]*javascript", body, re.IGNORECASE):
            _flag(found, "JavaScript")


def is_signature_name(name: str) -> bool:
    """Say whether a form field's name asks for a signature ("Signature1", "sign_here", not "Designation")."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = re.sub(r"[\W\d_]+", " ", plain)
    return (
        _FIELD_SIGNATURE.search(plain) is not None
        and re.search(r"date|fecha|name|title|phone", plain, re.IGNORECASE) is None
    )
