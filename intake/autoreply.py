"""Is this an automatic answer? Told by RFC 3834 and by vendors' ways, never by one weak header alone.

X-Auto-Response-Suppress is no sign (Exchange puts it on ordinary mail), neither are Precedence or List
headers: a person's complaint carries them too (mail.md, judging).
"""

import re

from intake.message import IncomingMail

_SUBJECT = re.compile(
    r"^\s*(?:auto(?:matic|mated|matisch\w*)?[ -]?(?:reply|response|answer|antwoord|antwort|svar)\b|auto\s*:|autoreply\b|autosvar\b|"
    r"automatisk\w* svar|automatische antwort|out[ -]of[ -](?:the[ -])?office|ooo\s*:|away from (?:my )?(?:the )?office|on vacation|vacation reply|"
    r"abwesenheit\w*|abwesend\b|nicht im b(?:ü|ue)ro|r[eé]ponse automatique|absen(?:t|ce) du bureau|message d'absence|"
    r"respuesta autom[aá]tica|contestaci[oó]n autom[aá]tica|fuera de (?:la )?oficina|ausente\b|"
    r"resposta autom[aá]tica|fora do escrit[oó]rio|risposta automatica|fuori (?:sede|ufficio)|assente\b|"
    r"odpowied[zź] automatyczna|automatick[aá] odpov[eě][dď]|automatikus v[aá]lasz|afwezig\w*|"
    r"автоответ|автоматический ответ|нет на месте|自动回复|自動回覆|自动答复|外出|休假|不在|自動応答|自動返信|자동 ?회신|부재중|"
    r"otomatik yan[ıi]t|αυτόματη απάντηση|poissaoloviesti|automaattinen vastaus)",
    re.IGNORECASE,
)
_ANYWHERE = re.compile(
    r"\b(?:is|am|i'm) (?:currently )?out of (?:the )?office|\bout of (?:the )?office\b.{0,60}\breturning\b|\[auto[- ]?reply\]|\(auto(?:matic)?[- ]?(?:reply|response)\)|"
    r"ist (?:au(?:ß|ss)er haus|nicht im b(?:ü|ue)ro)|est[aá] fuera de la oficina",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"\bauto(?:matic|mated|mat(?:ed)?)?[ -]?(?:reply|replies|response|responder|answer)\b|\b(?:vacation|holiday|leave|absence) "
    r"(?:notice|message|response|notification)\b|\b(?:is|am|are) (?:currently |now )?(?:on|away on) (?:vacation|leave|holiday|annual leave|"
    r"maternity leave|parental leave)\b|\bcurrently (?:away|unavailable)\b",
    re.IGNORECASE,
)
_ANSWERS_FIRST = re.compile(r"^\s*(?:re|aw|sv|antw|fwd?|wg)\s*:", re.IGNORECASE)
_VENDOR_HEADERS = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-auto-reply",
    "x-vacation",
    "x-fc-machinegenerated",
    "x-ms-exchange-generated-message-source",
)


def auto_submitted(mail: IncomingMail) -> str | None:
    """Give the word of Auto-Submitted; None where it is missing or "no" (RFC 3834, section 5)."""
    for value in mail.all_headers("auto-submitted"):
        word = re.split(r"[\s;(]", value.strip().lower(), maxsplit=1)[0]
        if word and word != "no":
            return word
    return None


def is_out_of_office(subject: str) -> bool:
    """Tell whether a subject is one that vendors give to an absence notice, in any of their languages."""
    if _ANSWERS_FIRST.match(subject) and not _ANYWHERE.search(subject):
        return False
    inside = _INSIDE.search(subject) is not None and not _ANSWERS_FIRST.match(subject)
    return inside or bool(_SUBJECT.match(subject) or _ANYWHERE.search(subject))


def is_auto_reply(mail: IncomingMail, *, answers_us: bool) -> bool:
    """Tell whether a mail is an automatic answer.

    Args:
        mail: the mail.
        answers_us: it came to a plus-address of ours, or answers a Message-ID that we sent.
    """
    if auto_submitted(mail) is not None:
        return True
    subject = is_out_of_office(mail.subject)
    vendor = any(mail.header(name) for name in _VENDOR_HEADERS) or _vendor_value(mail)
    null_path = mail.return_path == ""
    return (subject and (null_path or answers_us or vendor)) or (vendor and (null_path or answers_us))


def _vendor_value(mail: IncomingMail) -> bool:
    autoresponder = "autoresponder" in mail.header("delivered-to").lower()
    by_class = "autoresponder" in mail.header("x-post-messageclass").lower()
    return (
        autoresponder or by_class or mail.header("precedence").strip().lower() in {"auto_reply", "auto-reply"}
    )
