"""The doctor: each thing that Docket stands on is tried, and what is wrong is named with its mend (R2).

A check never raises and shows no secret, name or address. What speaks IMAP and SMTP is joined by the
command line (`bot/cli/doctor_mail.py`), as it belongs to the mailroom.
"""

from bot.doctor.checks import Check, Status, fail, ok, warn
from bot.doctor.machine import look_at_machine
from bot.doctor.record import look_at_database, look_at_profile_file, look_at_record
from bot.doctor.slack import look_at_slack
from bot.doctor.stamping import look_at_stamping

__all__ = [
    "Check",
    "Status",
    "fail",
    "look_at_database",
    "look_at_machine",
    "look_at_profile_file",
    "look_at_record",
    "look_at_slack",
    "look_at_stamping",
    "ok",
    "warn",
]
