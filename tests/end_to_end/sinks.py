"""Invented words that are planted wherever somebody can write, and the places in which they are looked for."""

import base64
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

STEM = "zqplanted"
_TAIL = "qz"
_WORD = re.compile(rf"{STEM}([a-z2-7]+){_TAIL}")


def planted(site: str) -> str:
    """Give the word of a site: it stands nowhere else, and has no letter that an encoding would change."""
    return f"{STEM}{base64.b32encode(site.encode()).decode().rstrip('=').lower()}{_TAIL}"


def site_of(coded: str) -> str:
    """Give the site whose word holds this."""
    return base64.b32decode(coded.upper() + "=" * (-len(coded) % 8)).decode()


def forms(word: str) -> Iterator[bytes]:
    """Give a word as it may stand: in the clear, in UTF-16, quoted-printable, and base64 at each offset."""
    plain = word.encode()
    yield plain
    yield word.encode("utf-16-le")
    yield word.encode("utf-16-be")
    yield plain.hex().encode()
    yield quopri.encodestring(plain).strip()
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + plain)
        yield coded[4 if shift else 0 : -4].lower()


_FORMS = tuple(forms(STEM))


@dataclass
class Sinks:
    """Everything that must name nobody, by what it is.

    Attributes:
        found: what stands in each place.
        shown: site to the beginning of the name of each place where it may stand, with a reason beside the list.
    """

    found: dict[str, bytes] = field(default_factory=dict)
    shown: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, name: str, content: bytes | str) -> None:
        """Add what stands in one place."""
        self.found[name] = content.encode() if isinstance(content, str) else content

    def leaks(self) -> list[str]:
        """Give each planted word that came out, with where; in another form than the clear, the place alone."""
        leaks = []
        for sink, content in self.found.items():
            lower = content.lower()
            if not any(form in lower for form in _FORMS):
                continue
            sites = {site_of(one) for one in _WORD.findall(lower.decode("utf-8", "replace"))}
            named = [site for site in sites if not sink.startswith(self.shown.get(site, ("\n",)))]
            leaks += [f"{site} in {sink}" for site in sorted(named)]
            leaks += [] if sites else [f"coded, in {sink}"]
        return sorted(leaks)
