"""Slack actions, one file each; this is their list."""

from types import ModuleType

from bot.actions import (
    acknowledgement,
    ballots,
    determination,
    file,
    form_check,
    held_mail,
    letters,
    meetings,
    notice,
    recusal,
    referral,
    respondents,
    screening,
)

ACTIONS: tuple[ModuleType, ...] = (
    screening,
    form_check,
    referral,
    acknowledgement,
    respondents,
    notice,
    letters,
    meetings,
    ballots,
    determination,
    recusal,
    file,
    held_mail,
)
