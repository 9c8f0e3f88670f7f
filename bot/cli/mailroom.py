"""The mailroom as the command line and `docket run` set it up: judge of PDFs, trusted roots, desk."""

from datetime import datetime
from pathlib import Path

from bot.errors import StartFault
from bot.opening import Opened
from bot.settings import Settings
from intake.message import Limits
from intake.pdf.finding import Finding
from intake.pdf.trust import NO_ROOTS, TrustFolderUnreadable, TrustRoots, read_trust_roots
from intake.reading import MEBIBYTE, Desk, JudgePdf


def roots_of(settings: Settings) -> TrustRoots:
    """Give the certificates that the city trusts for signatures; none without a folder.

    Raises:
        StartFault: the folder holds what is no certificate and no revocation list.
    """
    folder: Path | None = settings.trust_roots
    try:
        return read_trust_roots(folder) if folder is not None else NO_ROOTS
    except TrustFolderUnreadable as error:
        raise StartFault(str(error)) from error


def judge_with(roots: TrustRoots) -> JudgePdf:
    """Make the judge of PDFs: a fresh limited child process for each.

    Args:
        roots: the certificates that are trusted.
    """

    def judged(content: bytes, moment: datetime) -> Finding:
        from intake.pdf.judge import judge
        from intake.pdf.limits import Limits

        return judge(content, trust=roots, moment=moment, limits=Limits())

    return judged


def limits_of(settings: Settings) -> Limits:
    """Give how large a mail may be and still be opened (I8)."""
    return Limits(
        mail_bytes=settings.max_mail_mb * MEBIBYTE,
        parts=settings.max_parts,
        attachments=settings.max_attachments,
    )


def desk_of(opened: Opened) -> Desk:
    """Give what the mailroom knows of itself."""
    settings = opened.settings
    return Desk(
        opened.docket,
        opened.docket.mail_from,
        settings.authserv_id or "",
        judge_with(roots_of(settings)),
        limits=limits_of(settings),
    )
