"""The doctor's look at what the world is told of the Board's sending domain."""

from collections.abc import Iterator

from bot.doctor import Check, ok, warn
from bot.settings import Settings
from intake.sending_domain import Texts, is_for_practice, look_at_domain


def look_at_sending_domain(settings: Settings, ask: Texts | None = None) -> Iterator[Check]:
    """Look up SPF and DMARC of the Board's domain, where somebody can own it.

    Args:
        settings: who we are.
        ask: for TXT records; the system's resolver where None.
    """
    domain = (settings.mail_from or "").rpartition("@")[2]
    if not domain:
        return
    if is_for_practice(domain):
        yield ok("sending domain", "one for practice; nothing is looked up")
        return
    for told in look_at_domain(domain, ask):
        yield ok(told.what, told.detail) if told.well else warn(told.what, told.detail, told.mend)
