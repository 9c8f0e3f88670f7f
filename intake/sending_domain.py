"""What the world is told of the Board's sending domain: SPF, DMARC, and whether ours would align (RFC 7208, 7489).

DKIM is the city's server's work: its key stands under a selector that nobody outside can know, so it is
only seen in a letter that arrived somewhere. The only importer of dnspython.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import dns.exception
import dns.name
import dns.resolver

Texts = Callable[[str], tuple[str, ...]]
"""A domain's name -> its TXT records, none where there are none; OSError where nobody answers."""

_PRACTICE = re.compile(
    r"(?:^|\.)(?:example|test|invalid|localhost|local|example\.(?:com|net|org))$", re.IGNORECASE
)
_WAIT_S = 5.0


@dataclass(frozen=True, slots=True)
class Told:
    """One thing seen: whether it is well, what it is, and what to do; a mend is empty where nothing is."""

    what: str
    well: bool
    detail: str
    mend: str = ""


def is_for_practice(domain: str) -> bool:
    """Tell whether a domain is one that nobody can own (RFC 2606, RFC 6761), so that nothing is looked up."""
    return bool(_PRACTICE.search(domain))


def texts_by(resolver: dns.resolver.Resolver) -> Texts:
    """Make the question for TXT records of a resolver."""

    def ask(name: str) -> tuple[str, ...]:
        try:
            answer = resolver.resolve(name, "TXT", lifetime=_WAIT_S)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.name.EmptyLabel, dns.name.LabelTooLong):
            return ()
        except dns.exception.DNSException as error:
            raise OSError(type(error).__name__) from error
        return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)

    return ask


def look_at_domain(domain: str, ask: Texts | None = None) -> tuple[Told, ...]:
    """Say what SPF and DMARC tell of a domain.

    Our envelope sender and From are of one domain, so a pass of SPF aligns whatever the policy asks (RFC 7489,
    3.1.2).

    Args:
        domain: that of the Board's address.
        ask: for its TXT records; the system's resolver where None.
    """
    try:
        asked = ask or texts_by(dns.resolver.Resolver())
        return _spf(asked(domain)), _dmarc(*_policy_of(domain, asked))
    except (OSError, dns.exception.DNSException):
        mend = "See the network; then ask docket doctor again."
        return (Told("sending domain", well=False, detail="its records could not be looked up", mend=mend),)


def _spf(texts: tuple[str, ...]) -> Told:
    found = [one for one in texts if re.match(r"v=spf1(?:\s|$)", one, re.IGNORECASE)]
    mend = "Ask whoever keeps the city's DNS for one record v=spf1 that names the relay and ends in -all or ~all."
    if len(found) != 1:
        said = "no SPF record" if not found else f"{len(found)} SPF records, which counts as none"
        return Told("SPF", well=False, detail=said, mend=mend)
    if re.search(r"(?:^|\s)\+?all(?:\s|$)", found[0], re.IGNORECASE):
        return Told("SPF", well=False, detail="it lets everybody send in the city's name (+all)", mend=mend)
    return Told(
        "SPF", well=True, detail="one record; our envelope sender is of the same domain, so it aligns"
    )


def _policy_of(domain: str, ask: Texts) -> tuple[str, str]:
    """Give the DMARC policy, and the domain it stands at: that of the address, or a parent's (RFC 7489, 6.6.3)."""
    labels = domain.split(".")
    for start in range(len(labels) - 1):
        at = ".".join(labels[start:])
        for text in ask(f"_dmarc.{at}"):
            if re.match(r"v\s*=\s*DMARC1\s*(?:;|$)", text):
                return text, at
    return "", ""


def _dmarc(policy: str, at: str) -> Told:
    wanted = re.search(r"(?:^|;)\s*p\s*=\s*(none|quarantine|reject)", policy, re.IGNORECASE)
    if wanted is None:
        mend = "Ask whoever keeps the city's DNS for a record _dmarc with v=DMARC1; others can write in your name."
        return Told("DMARC", well=False, detail="no policy", mend=mend)
    said = (
        f"p={wanted.group(1).lower()} at {at}; SPF aligns; DKIM shows only in a letter that arrived outside"
    )
    if wanted.group(1).lower() == "none":
        mend = "When the reports show that the city's own mail passes, raise it to quarantine or reject."
        return Told("DMARC", well=False, detail=said, mend=mend)
    return Told("DMARC", well=True, detail=said)
