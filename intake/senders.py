"""Who a mail is from, and every way of not being from whom it says.

A header says what its writer likes: only our own server's Authentication-Results count, and a display name
proves nothing. Sources: RFC 5322 (From, Sender, Resent-), RFC 7489 (DMARC), RFC 8601, UTS 39 (look-alikes).
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from intake.headers import Mailbox, address_key
from intake.known import Known
from intake.message import IncomingMail


class Dmarc(StrEnum):
    """What our own server found about the domain of the From."""

    PASS = "pass"  # noqa: S105  the word of RFC 8601, not a password
    FAIL = "fail"
    ABSENT = "absent"


def dmarc(mail: IncomingMail, authserv_id: str) -> Dmarc:
    """Give our own server's word on the From; any contradiction counts as a failure.

    Args:
        mail: the mail.
        authserv_id: the name under which our server writes; empty: nobody is believed.
    """
    ours = [
        one
        for one in mail.authentication
        if authserv_id and one.authserv_id == authserv_id.strip().lower() and one.method == "dmarc"
    ]
    if any(one.result == "fail" for one in ours):
        return Dmarc.FAIL
    if len({box.key for box in mail.from_.boxes}) != 1 or not ours:
        return Dmarc.ABSENT
    domain = mail.from_.boxes[0].domain
    about_it = all(not one.header_from or _domain_key(one.header_from) == domain for one in ours)
    return Dmarc.PASS if about_it and all(one.result == "pass" for one in ours) else Dmarc.ABSENT


def _domain_key(domain: str) -> str:
    return address_key(f"x@{domain}").rpartition("@")[2]


class SenderFault(StrEnum):
    """Why the sender cannot be told from the From."""

    NONE_GIVEN = "no From address: complainant unknown"
    TWO_HEADERS = "two From headers"
    MALFORMED = "From address malformed: complainant unknown"


def sender_fault(mail: IncomingMail) -> SenderFault | None:
    """Tell what is wrong with the From; None where it holds one or several sound mailboxes."""
    if mail.from_headers > 1:
        return SenderFault.TWO_HEADERS
    if mail.from_headers == 0 or not mail.from_.boxes:
        return SenderFault.MALFORMED if mail.header("from") else SenderFault.NONE_GIVEN
    return SenderFault.MALFORMED if mail.from_.malformed else None


_LOOKALIKES = str.maketrans(
    {
        "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "х": "x", "у": "y", "і": "i", "ј": "j", "ѕ": "s",
        "һ": "h", "ԁ": "d", "ԛ": "q", "ԝ": "w", "к": "k", "м": "m", "т": "t", "в": "b", "н": "h", "г": "r",
        "ν": "v", "ο": "o", "α": "a", "ι": "i", "κ": "k", "ρ": "p", "τ": "t", "υ": "u", "ε": "e", "η": "n",
        "ɡ": "g", "ı": "i", "ℓ": "l", "ł": "l", "ø": "o", "0": "o", "1": "l", "3": "e", "5": "s", "|": "l", "!": "l",
    }
)  # fmt: skip


def skeleton(text: str) -> str:
    """Give the form in which look-alikes are equal: no accents, no case, Latin letters for their doubles."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    bare = folded if folded.isascii() else "".join(one for one in folded if not unicodedata.combining(one))
    plain = bare.translate(_LOOKALIKES)
    return plain.replace("rn", "m").replace("vv", "w").replace("i", "l")


_ADDRESS = re.compile(r"[^\s<>\"'(),;:]{1,100}@[^\s<>\"'(),;:]{1,200}")
_MANAGER = skeleton("citymanager")
_MANAGER_SHORT = (skeleton("managercity"), skeleton("citymgr"))
_MACHINE = re.compile(
    r"^(?:scan(?:ner|s|-?to-?e?mail)?|copier|mfp|mfd|e?print(?:er)?|xerox|ricoh|canon|konica|kyocera|sharp|e?fax|(?:.{1,80}[-_.])?no[-_.]?reply|"
    r"(?:.{1,80}[-_.])?do[-_.]?not[-_.]?reply|mailer[-_.]?daemon|postmaster|daemon|root|nobody|www(?:-data)?|apache|httpd|cron|"
    r"notifications?|alerts?|automailer|system|wordpress|web-?forms?|form-?(?:mail|submissions?)|submissions?|contact-?form|echosign|dse)"
    r"(?:[-+._0-9].*)?@|@(?:.{1,80}\.)?(?:docusign\.(?:net|com)|(?:adobe|echo|hello)sign\.com|pandadoc\.(?:net|com)|signnow\.com)$",
    re.IGNORECASE,
)
"""Names that machines write under, and services that send papers for people who sign there."""
_MACHINE_SUBJECT = re.compile(
    r"^\s*(?:scann?ed (?:from|by|image|document from)|scan from|message from (?:km|rnp|\"?ricoh|kyocera|mfp)|attached image|"
    r"(?:new )?fax (?:from|message|received))",
    re.IGNORECASE,
)


def is_machine(mail: IncomingMail) -> bool:
    """Tell whether a scanner, a fax or another machine sent the mail, so that no complainant is named."""
    boxes = (*mail.from_.boxes, *(mail.sender.boxes if not mail.from_.boxes else ()))
    return any(_MACHINE.search(box.key) for box in boxes) or bool(_MACHINE_SUBJECT.match(mail.subject))


def is_manager(box: Mailbox, known: Known) -> bool:
    """Tell whether a mailbox has exactly the City Manager's address."""
    return box.valid and box.key in known.manager_keys


def claims_manager(box: Mailbox, known: Known) -> bool:
    """Tell whether a mailbox makes itself look like the City Manager's and is not."""
    if is_manager(box, known):
        return False
    name = skeleton(box.name)
    letters = re.sub(r"[^a-z]", "", name)
    # what turns its direction when it is shown was taken out of the name: it may be read backwards
    if any(one in letters for one in (_MANAGER, _MANAGER[::-1], *_MANAGER_SHORT)):
        return True
    return any(skeleton(one) in name or _resembles(box, one) for one in known.manager_keys)


def _resembles(box: Mailbox, manager: str) -> bool:
    local, _, domain = box.key.rpartition("@")
    theirs, _, their_domain = manager.rpartition("@")
    ours, manager_local = (re.sub(r"[\W_]", "", skeleton(one)) for one in (local.partition("+")[0], theirs))
    alike = ours == manager_local or _one_edit(ours, manager_local)
    return alike and (len(theirs) > 4 or skeleton(domain) == skeleton(their_domain))  # noqa: PLR2004  "info" is anybody's


def shows_city_address(box: Mailbox, known: Known) -> bool:
    """Tell whether the display name shows an address of the city that is not the sender's own."""
    shown = [address_key(one) for one in _ADDRESS.findall(box.name)]
    return any(one != box.key and one.rpartition("@")[2] in known.city_domains for one in shown)


@dataclass(frozen=True, slots=True)
class Appearance:
    """How a sender's name and domain look.

    Attributes:
        other_address: the display name shows another address.
        lookalike: the domain looks like one of the city's and is not.
        roster_name: the name is that of a roster person, the address is none of theirs.
    """

    other_address: bool
    lookalike: bool
    roster_name: bool


def appearance(box: Mailbox, known: Known) -> Appearance:
    """Look at a sender's name and domain."""
    shown = [address_key(one) for one in _ADDRESS.findall(box.name)]
    names = {skeleton(one) for one in known.roster_names if one.strip()}
    theirs = {address_key(one) for one in known.roster_addresses}
    return Appearance(
        other_address=any(one != box.key for one in shown),
        lookalike=_is_lookalike(box.domain, known),
        roster_name=skeleton(box.name) in names and box.key not in theirs,
    )


def _is_lookalike(domain: str, known: Known) -> bool:
    if (
        not domain
        or domain in known.city_domains
        or any(domain.endswith(f".{one}") for one in known.city_domains)
    ):
        return False
    return any(
        skeleton(domain) == skeleton(one) or skeleton(one) in skeleton(domain) or _one_edit(domain, one)
        for one in known.city_domains
    )


def _one_edit(left: str, right: str) -> bool:
    if abs(len(left) - len(right)) > 1 or len(right) < 8:  # noqa: PLR2004  short domains are alike by chance
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    return (
        left[start + 1 :] == right[start + 1 :]
        or left[start:] == right[start + 1 :]
        or left[start + 1 :] == right[start:]
    )
