"""Signed HTTP requests, as Slack sends them to an app without Socket Mode.

Several addresses stand for several copies behind one proxy: each request goes to the next of them.

Source: Slack's pages on verifying requests, on interactivity and on slash commands.
"""

import json
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout
from slack_sdk.signature import SignatureVerifier

from bot.practice.blocks_check import Json
from bot.practice.carriage import Ack, Envelope, Failure


@dataclass
class SignedRequests:
    """Sends to request addresses.

    Attributes:
        signing_secret: the app's.
        ack_within_s: for an answer; Slack's is 3.
        urls: the addresses; none means that the app uses Socket Mode.
    """

    signing_secret: str
    ack_within_s: float
    urls: list[str] = field(default_factory=list)
    _turn: int = 0

    async def deliver(self, kind: Envelope, payload: Json, *, attempt: int, reason: str) -> Ack | Failure:
        """Send one payload to one address and read the answer; one that is away is passed over, as a proxy does."""
        for _ in self.urls:
            self._turn += 1
            answer = await self._post(self.urls[self._turn % len(self.urls)], kind, payload, attempt, reason)
            if answer is not Failure.NO_CONNECTION:
                return answer
        return Failure.NO_CONNECTION

    async def _post(
        self, url: str, kind: Envelope, payload: Json, attempt: int, reason: str
    ) -> Ack | Failure:
        content_type, body = _written(kind, payload)
        headers = self._signed(body) | {"Content-Type": content_type}
        if attempt:
            headers |= {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": reason}
        timeout = ClientTimeout(total=self.ack_within_s)
        try:
            async with (
                ClientSession(timeout=timeout) as session,
                session.post(url, data=body, headers=headers) as got,
            ):
                text = await got.text()
                return Ack(_read(text)) if got.ok else Failure.TIMEOUT
        except TimeoutError:
            return Failure.TIMEOUT
        except (ClientError, OSError):
            return Failure.NO_CONNECTION

    def _signed(self, body: str) -> dict[str, str]:
        stamp = str(int(time.time()))  # noqa: TID251  Slack signs with the real time, which is no date of a case
        signature = SignatureVerifier(self.signing_secret).generate_signature(timestamp=stamp, body=body)
        assert signature is not None
        return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature}


def _written(kind: Envelope, payload: Json) -> tuple[str, str]:
    """Write a payload as Slack writes that kind: content type and body."""
    match kind:
        case Envelope.EVENT:
            return "application/json", json.dumps(payload)
        case Envelope.INTERACTION:
            return "application/x-www-form-urlencoded", urlencode({"payload": json.dumps(payload)})
        case Envelope.COMMAND:
            return "application/x-www-form-urlencoded", urlencode(payload)


def _read(text: str) -> Json:
    """Read an answer's body: JSON, words (which a command shows), or nothing."""
    if not text:
        return {}
    try:
        found = json.loads(text)
    except ValueError:
        return {"text": text}
    return found if isinstance(found, dict) else {}
