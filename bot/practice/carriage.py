"""What goes from the practice Slack to the app, and what comes back, whichever way it is carried."""

from dataclasses import dataclass
from enum import StrEnum

from bot.practice.blocks_check import Json


class Envelope(StrEnum):
    """Kinds of envelopes."""

    EVENT = "events_api"
    INTERACTION = "interactive"
    COMMAND = "slash_commands"


class Failure(StrEnum):
    """Why an envelope was not acknowledged, in the words of Slack's retry reasons and dialogs."""

    NO_CONNECTION = "connection_failed"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Ack:
    """What the app answered; `payload` is empty where it only acknowledged."""

    payload: Json
