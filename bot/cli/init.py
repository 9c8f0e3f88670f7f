"""`docket init`: settings, keys and the Slack app's manifest, so that five clicks are left to do."""

import json
from pathlib import Path

import click
from cryptography.fernet import Fernet

from bot.cli.common import say
from bot.manifest import manifest

_ASKED = {
    "DOCKET_PROFILE": ("profile", "bramwell", "A shipped profile's name, or your own TOML file"),
    "DOCKET_IMAP_URL": ("imap", "", "The mailbox: imaps://ACCOUNT@HOST/INBOX"),
    "DOCKET_IMAP_SINCE": ("since", "", "From which day mail is read, such as 2026-12-01"),
    "DOCKET_SMTP_URL": ("smtp", "", "The relay: smtps://ACCOUNT@HOST"),
    "DOCKET_MAIL_FROM": ("mail_from", "", "The Board's own address"),
    "DOCKET_AUTHSERV_ID": ("authserv", "", "The name in your mail server's Authentication-Results"),
    "DOCKET_ALERT_TO": ("alert_to", "", "Who is mailed when something fails"),
}
_LATER = (
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
    "SLACK_STAFF_CHANNEL",
    "DOCKET_IMAP_PASSWORD",
    "DOCKET_SMTP_PASSWORD",
)
_CLICKS = (
    "In Slack, as an administrator: https://api.slack.com/apps, Create New App, From a manifest, paste {manifest}.",
    "Install App to the workspace; copy the bot token (xoxb-) into SLACK_BOT_TOKEN.",
    "Basic Information, App-Level Tokens: make one with connections:write; copy it (xapp-) into SLACK_APP_TOKEN.",
    "Make a private channel for staff, invite the app, copy the channel's id into SLACK_STAFF_CHANNEL.",
    (
        "Write the mail passwords into {env}; load the roster (docket roster load FILE) and the closures "
        "(docket calendar adopt FILE --cause WORDS); then run docket doctor."
    ),
)


@click.command("init")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--profile", help=_ASKED["DOCKET_PROFILE"][2])
@click.option("--imap", help=_ASKED["DOCKET_IMAP_URL"][2])
@click.option("--since", help=_ASKED["DOCKET_IMAP_SINCE"][2])
@click.option("--smtp", help=_ASKED["DOCKET_SMTP_URL"][2])
@click.option("--mail-from", help=_ASKED["DOCKET_MAIL_FROM"][2])
@click.option("--authserv", help=_ASKED["DOCKET_AUTHSERV_ID"][2])
@click.option("--alert-to", help=_ASKED["DOCKET_ALERT_TO"][2])
@click.option("--ask/--no-ask", default=True, help="Ask for what no option gives.")
def init(folder: Path, *, ask: bool, **given: str | None) -> None:
    """Write FOLDER/.env with new keys, FOLDER/data and the Slack app's manifest.

    Safe to run again: what is written already stays as it is, the keys above all.
    """
    (folder / "data").mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / ".env"
    written = _written(path)
    made = {name: _answer(name, written, given, ask=ask) for name in _ASKED}
    made |= dict.fromkeys(_LATER, "")
    made |= {"DOCKET_DATA_DIR": "data"}
    if "DOCKET_KEYS" not in written:
        made["DOCKET_KEYS"] = Fernet.generate_key().decode()
    _append(path, {name: value for name, value in made.items() if name not in written})
    slack = folder / "slack-manifest.json"
    slack.write_text(json.dumps(manifest(), indent=2) + "\n")
    say(f"Written: {path} (only its owner can read it), {folder / 'data'}, {slack}.")
    say(
        "Keep a copy of DOCKET_KEYS away from this machine and from the backups: without it nothing can be read."
    )
    say("Left to do:")
    for number, click_ in enumerate(_CLICKS, 1):
        say(f"  {number}. {click_.format(manifest=slack.name, env=path.name)}")


def _written(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    lines = [line for line in path.read_text().splitlines() if "=" in line and not line.startswith("#")]
    return {name.strip(): value for name, _, value in (line.partition("=") for line in lines)}


def _answer(name: str, written: dict[str, str], given: dict[str, str | None], *, ask: bool) -> str:
    option, usual, question = _ASKED[name]
    if name in written:
        return written[name]
    if given.get(option):
        return str(given[option])
    return str(click.prompt(question, default=usual, show_default=bool(usual))) if ask else usual


def _append(path: Path, settings: dict[str, str]) -> None:
    path.touch(mode=0o600)
    path.chmod(0o600)
    with path.open("a") as file:
        for name, value in settings.items():
            file.write(f"{name}={value}\n")
