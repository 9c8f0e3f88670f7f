"""The mail people of the practice world as a JSON API: who they are, their inboxes, and what they send.

Behind the same token, Host and Origin checks as the control API (`bot.practice.control`).
"""

import asyncio
import base64
import secrets
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from aiohttp import web

from bot.practice import papers
from bot.practice.acts import CannotDo
from bot.practice.blocks_check import Json
from bot.practice.control import Handler, body_of, guarded
from bot.practice.mailserver import Delivered, PracticeMail

PREFIX = "/practice/mail"
_SAMPLES: dict[str, str] = {
    "digitally-signed": "Complaint, digitally signed",
    "scanned": "Complaint, signed by pen and scanned",
    "typed": "Complaint, signature typed",
    "unsigned": "Complaint, not signed",
}


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Somebody who is reached by mail.

    Attributes:
        part: what he is in the story, in a word or two.
    """

    name: str
    address: str
    part: str


@dataclass(frozen=True, slots=True)
class Sample:
    """What the sample papers say, whoever sends them."""

    city: str
    respondent: str
    office: str
    allegation: str

    def paper(self, kind: str, complainant: str, at: datetime) -> bytes:
        """Make a sample as PDF.

        Raises:
            CannotDo: there is no such sample.
        """
        said = papers.Complaint(self.city, complainant, self.respondent, self.office, self.allegation)
        match kind:
            case "digitally-signed":
                return papers.digitally_signed(said, at)
            case "scanned":
                return papers.scanned(said)
            case "typed":
                return papers.typed(said)
            case "unsigned":
                return papers.unsigned(said)
            case other:
                raise CannotDo(f"There is no sample called {other}.")


class MailApi:
    """The API's routes.

    Args:
        mail: gives the mail server once it runs.
        people: whom the page offers; whoever else got a letter is added.
        sample: what the sample papers say.
        token: what callers must show.
    """

    def __init__(
        self,
        mail: Callable[[], PracticeMail],
        people: Iterable[Correspondent],
        *,
        sample: Sample,
        token: str,
    ) -> None:
        """Prepare; nothing is asked of the mail server yet."""
        self._mail = mail
        self._people = tuple(people)
        self._sample = sample
        self._token = token

    def routes(self) -> list[web.RouteDef]:
        """All routes, behind the check of the token."""
        table: tuple[tuple[str, str, Handler], ...] = (
            ("GET", f"{PREFIX}/people", self._everybody),
            ("GET", f"{PREFIX}/inbox/{{address}}", self._inbox),
            ("GET", f"{PREFIX}/inbox/{{address}}/{{letter}}/{{part}}", self._attachment),
            ("POST", f"{PREFIX}/send", self._send),
        )
        return [web.route(method, path, guarded(self._token, handler)) for method, path, handler in table]

    async def _everybody(self, _request: web.Request) -> web.Response:
        mail = self._mail()
        known = {one.address.casefold() for one in self._people}
        others = sorted({one.to for one in mail.letters if one.to.casefold() not in known})
        people = [*self._people, *(Correspondent(to, to, "got a letter") for to in others)]
        return web.json_response(
            {
                "board": mail.address,
                "people": [{**asdict(one), "letters": len(mail.inbox(one.address))} for one in people],
                "samples": [{"kind": kind, "label": label} for kind, label in _SAMPLES.items()],
            }
        )

    async def _inbox(self, request: web.Request) -> web.Response:
        letters = self._mail().inbox(request.match_info["address"])
        return web.json_response([_letter(place, one) for place, one in enumerate(letters)])

    async def _attachment(self, request: web.Request) -> web.Response:
        letters = self._mail().inbox(request.match_info["address"])
        letter, part = int(request.match_info["letter"]), int(request.match_info["part"])
        if not 0 <= letter < len(letters):
            raise CannotDo("There is no such letter.")
        parts = list(letters[letter].message.iter_attachments())
        if not 0 <= part < len(parts):
            raise CannotDo("This letter has no such attachment.")
        is_pdf = parts[part].get_content_type() == "application/pdf"
        return web.Response(
            body=_content(parts[part]),
            content_type="application/pdf" if is_pdf else "application/octet-stream",
            headers={"X-Content-Type-Options": "nosniff"},
        )

    async def _send(self, request: web.Request) -> web.Response:
        body, mail = await body_of(request), self._mail()
        letter = await asyncio.to_thread(self._composed, body, mail.clock())
        await asyncio.to_thread(mail.post, letter)
        return web.json_response({"message_id": str(letter["Message-ID"])})

    def _composed(self, body: Json, at: datetime) -> EmailMessage:
        """Make the message that a person wrote.

        Raises:
            ValueError: an address is none.
        """
        sender = str(body["from"])
        name = next((one.name for one in self._people if one.address == sender), "")
        letter = EmailMessage()
        letter["From"] = Address(name, addr_spec=sender)
        letter["To"] = _addresses(body["to"])
        if body.get("cc"):
            letter["Cc"] = _addresses(body["cc"])
        letter["Subject"] = " ".join(str(body.get("subject") or "").split())
        letter["Date"] = format_datetime(at)
        letter["Message-ID"] = f"<{secrets.token_hex(8)}@{sender.rpartition('@')[2]}>"
        if body.get("in_reply_to"):
            letter["In-Reply-To"] = " ".join(str(body["in_reply_to"]).split())
        letter.set_content(str(body.get("text") or ""))
        self._attach(letter, body.get("attachment"), name or sender, at)
        return letter

    def _attach(self, letter: EmailMessage, attachment: Any, complainant: str, at: datetime) -> None:
        if attachment is None:
            return
        if "sample" in attachment:
            content, name = self._sample.paper(attachment["sample"], complainant, at), "complaint.pdf"
        else:
            content = base64.b64decode(attachment["content"], validate=True)
            name = " ".join(str(attachment["name"]).split())
        letter.add_attachment(content, maintype="application", subtype="pdf", filename=name)


def _addresses(text: str) -> tuple[Address, ...]:
    return tuple(Address(addr_spec=one.strip()) for one in str(text).split(",") if one.strip())


def _content(part: Any) -> bytes:
    """An attachment's bytes; a message attached is given as it would be sent."""
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else bytes(part.get_payload(0).as_bytes())


def _letter(place: int, one: Delivered) -> Json:
    message = one.message
    return {
        "place": place,
        "at": one.at.isoformat(),
        "from": str(message["From"] or ""),
        "reply_to": str(message["Reply-To"] or message["From"] or ""),
        "message_id": str(message["Message-ID"] or ""),
        "subject": one.subject,
        "text": one.text,
        "attachments": [
            {"part": place, "name": part.get_filename() or "attachment", "size": len(_content(part))}
            for place, part in enumerate(message.iter_attachments())
        ],
    }
