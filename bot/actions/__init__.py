"""Slack actions, one file each; this is their list."""

from types import ModuleType

from bot.actions import (
    acknowledgement,
    ballots,
    decision,
    determination,
    file,
    form_check,
    held_mail,
    inquiry,
    letters,
    meetings,
    notice,
    recusal,
    referral,
    respondents,
    screening,
    service,
)

ACTIONS: tuple[ModuleType, ...] = (
    screening,
    form_check,
    referral,
    acknowledgement,
    respondents,
    notice,
    letters,
    service,
    meetings,
    inquiry,
    ballots,
    determination,
    decision,
    recusal,
    file,
    held_mail,
)
