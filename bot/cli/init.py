"""`docket init`: settings, keys, profile, closures, roster and the Slack app's manifest; five clicks are left.

Each answer is tried at once; what cannot be used is told in one line and asked again. What stands already is
never written over: neither keys nor settings nor files.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import click
from cryptography.fernet import Fernet

from bot.cli.city_files import city_profile, closures_proposal, roster_to_fill_in
from bot.cli.common import RecordCommand, Unusable, account, say
from bot.cli.env_file import put_into_env, read_env
from bot.cli.mail_servers import mail_servers
from bot.clock import SystemClock
from bot.errors import StartFault
from bot.manifest import manifest
from bot.opening import opened_at
from bot.settings import SHIPPED_PROFILES, fault_of, load_settings
from intake.mailbox import CertificateRefused, LoginRefused, MailboxError
from store.cases import profile_in_force, roster_of
from store.database import RecordUnavailable
from store.proceedings.roster import parse_roster, seed_roster
from store.rules.calendar import city_zone
from store.rules.counted import counted
from store.rules.dates import local_date
from store.rules.errors import Refusal

PROVIDERS: Mapping[str, tuple[str, str]] = {
    "microsoft": (
        "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
        "https://outlook.office365.com/.default",
    ),
    "google": ("https://oauth2.googleapis.com/token", ""),
}
_ZONES = "America/New_York, or America/Chicago in western Kentucky"
_NEXT_YEAR_FROM = 10
_TOKENS = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN")
_CHANNEL = ("SLACK_STAFF_CHANNEL",)
_CLICKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "In Slack, as an administrator: https://api.slack.com/apps, Create New App, From a manifest, paste {manifest}.",
        _TOKENS,
    ),
    ("Install App to the workspace; copy the bot token (xoxb-) into SLACK_BOT_TOKEN in {env}.", _TOKENS[:1]),
    (
        "Basic Information, App-Level Tokens: make one with connections:write; copy it (xapp-) into SLACK_APP_TOKEN.",
        _TOKENS[1:],
    ),
    ("Make a private channel for staff, and invite the app into it.", _TOKENS + _CHANNEL),
    ("The channel's name, About, at the bottom: copy the channel's id into SLACK_STAFF_CHANNEL.", _CHANNEL),
)
"""What is left to click in Slack, each with the settings that show that it was done."""
_AFTER = (
    "Fill in roster.toml, then: docket roster load {folder}/roster.toml --data {folder}",
    (
        "Have the clerk go through closures.toml, then: "
        'docket calendar adopt {folder}/closures.toml --cause "adopted by the city" --data {folder}'
    ),
    "Try everything: docket doctor --data {folder}",
    "Start it: docket run --data {folder} (as a service: bot/deploy/README.md)",
)
_NO_WORKSPACE = (
    "No workspace yet? docket practice --help: one on this machine, for a trial of mailbox and relay."
)
_LATER = (
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
    "SLACK_STAFF_CHANNEL",
    "DOCKET_IMAP_PASSWORD",
    "DOCKET_SMTP_PASSWORD",
)
_PASSWORDS: Mapping[str, str] = {
    "DOCKET_IMAP_URL": "DOCKET_IMAP_PASSWORD",
    "DOCKET_SMTP_URL": "DOCKET_SMTP_PASSWORD",
}
Fault = Callable[[str], str]
"""What was answered -> what is wrong with it, in a line; empty where it can be used."""


@click.command("init", cls=RecordCommand)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--city", help="The city's name, such as: City of Bramwell. Makes a profile of its own.")
@click.option("--zone", help=f"The city's zone: {_ZONES}.")
@click.option("--profile", help="A shipped profile's name, or your own TOML file.")
@click.option("--roster", help="A roster file to load at once; without it one to fill in is written.")
@click.option(
    "--imap",
    help="The mailbox: imaps://ACCOUNT@HOST/INBOX, or imap+starttls://ACCOUNT@HOST/INBOX for port 143.",
)
@click.option("--login", type=click.Choice(["password", "xoauth2"]), help="How the mail account logs in.")
@click.option("--since", help="From which day on mail is read, such as 2026-12-01; older mail is left alone.")
@click.option("--smtp", help="The relay: smtps://ACCOUNT@HOST, or smtp+starttls://ACCOUNT@HOST.")
@click.option("--mail-from", help="The Board's own address.")
@click.option("--authserv", help="The name in your mail server's Authentication-Results.")
@click.option("--alert-to", help="Who is mailed when something fails.")
@click.option("--slack-channel", help="The id of the staff channel, where it is there already.")
@click.option("--ask/--no-ask", default=True, help="Ask for what no option gives.")
def init(folder: Path, *, ask: bool, **given: str | None) -> None:
    """Write FOLDER/.env with new keys, FOLDER/data, profile, closures, roster and the Slack app's manifest.

    Safe to run again: what is written already stays as it is, the keys above all; only what is missing is asked.
    """
    setting_up = _SettingUp(folder, {name: value for name, value in given.items() if value}, ask)
    setting_up.refuse_bad_options()
    (folder / "data").mkdir(mode=0o700, parents=True, exist_ok=True)
    setting_up.keys()
    setting_up.city()
    setting_up.mail()
    setting_up.slack()
    setting_up.files()
    setting_up.told()


@dataclass
class _SettingUp:
    """One run of `docket init`.

    Attributes:
        folder: what is set up.
        given: options, by name.
        ask: whether somebody is there to answer.
    """

    folder: Path
    given: dict[str, str]
    ask: bool
    written: dict[str, str] = field(init=False)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.written = read_env(self.env)

    @property
    def env(self) -> Path:
        """The settings file."""
        return self.folder / ".env"

    # -- answers ----------------------------------------------------------------------------------------

    def refuse_bad_options(self) -> None:
        """Hold every option against what it must be, before anything is written.

        Raises:
            Unusable: one cannot be used.
        """
        checks: dict[str, Fault] = {option: self._setting(name) for option, name in _OPTIONS.items()}
        checks |= {"city": _city_fault, "zone": _zone_fault, "roster": _roster_fault}
        for option, fault in checks.items():
            wrong = fault(self.given[option]) if option in self.given else ""
            if wrong:
                raise Unusable(f"--{option.replace('_', '-')}: {wrong} Nothing was written.")

    def _setting(self, name: str) -> Fault:
        return lambda value: fault_of(name, value, self.env)

    def answer(
        self, option: str, question: str, fault: Fault, *, usual: str = "", secret: bool = False
    ) -> str:
        """Give what an option says, or ask until the answer can be used; empty where it is left for later."""
        if option in self.given:
            return self.given[option]
        if not self.ask:
            return usual
        while True:
            said = click.prompt(question, default=usual, show_default=bool(usual), hide_input=secret)
            value = str(said).strip()
            wrong = fault(value) if value else ""
            if not wrong:
                return value
            say(f"  That cannot be used: {wrong}")

    def or_none(self, name: str, question: str) -> str:
        """Have a setting answered that may be none; who answered so is not asked again."""
        given = _BY_SETTING.get(name, name) in self.given
        if not given and (name in self.written or not self.ask):
            return self.written.get(name, "")
        return self.setting(name, question)

    def setting(self, name: str, question: str, *, usual: str = "", secret: bool = False) -> str:
        """Have a setting answered and written, unless it stands there already; give it."""
        option = _BY_SETTING.get(name, name)
        if self.written.get(name):
            if self.given.get(option, self.written[name]) != self.written[name]:
                self.said.append(f"{name} stays as it is in {self.env}; change it there if that is meant.")
            return self.written[name]
        value = self.answer(option, question, self._setting(name), usual=usual, secret=secret)
        self.write(name, value)
        return value

    def write(self, name: str, value: str) -> None:
        """Write one setting at the end of the file, which only its owner can read; an empty one keeps its place."""
        if name in self.written and (self.written[name] or not value):
            return
        put_into_env(self.env, {name: value})
        self.written[name] = value

    # -- what is set up -----------------------------------------------------------------------------------

    def keys(self) -> None:
        """Make the keys, where there are none; never others in their place."""
        self.write("DOCKET_DATA_DIR", "data")
        if not self.written.get("DOCKET_KEYS"):
            self.write("DOCKET_KEYS", Fernet.generate_key().decode())

    def city(self) -> None:
        """Choose the profile: the city's own copy of a shipped one, a shipped one as it is, or the city's file."""
        if self.written.get("DOCKET_PROFILE"):
            self.setting("DOCKET_PROFILE", "")
            return
        if "profile" not in self.given:
            name = self.answer("city", "The city's name, such as City of Bramwell", _city_fault)
            if name:
                self._own_profile(name)
                return
        shipped = ", ".join(sorted(path.stem for path in SHIPPED_PROFILES.glob("*.toml")))
        self.setting("DOCKET_PROFILE", f"The ordinance profile ({shipped}, or your file)", usual="bramwell")

    def _own_profile(self, name: str) -> None:
        zone = self.answer("zone", f"The city's zone ({_ZONES})", _zone_fault, usual="America/New_York")
        shipped = (SHIPPED_PROFILES / "bramwell.toml").read_text(encoding="utf-8")
        self._put("profile.toml", city_profile(shipped, name, zone))
        self.write("DOCKET_PROFILE", "./profile.toml")
        self.said.append(
            "profile.toml is a copy: counsel puts in the ordinance, its numbers, addresses and sections."
        )

    def mail(self) -> None:
        """Ask for mailbox and relay, and how they are logged in to."""
        before = {name for name, value in self.written.items() if value}
        url = self.setting("DOCKET_IMAP_URL", "The mailbox: imaps://ACCOUNT@HOST/INBOX (Enter: later)")
        by_token = ";AUTH=XOAUTH2" in url.upper()
        if url and not by_token and "DOCKET_IMAP_URL" not in before and self._wants_tokens():
            self._by_token("DOCKET_IMAP_URL", url)
            by_token = True
        if url and by_token:
            if not self.written.get("DOCKET_OAUTH_TOKEN_URL"):
                self._provider()
        elif url and self.ask:
            self.setting("DOCKET_IMAP_PASSWORD", "Its password or app password (Enter: later)", secret=True)
        self._look_into_mailbox()
        self.setting(
            "DOCKET_IMAP_SINCE",
            "From which day on mail is read; older mail is never answered",
            usual=self._today(),
        )
        relay = self.setting("DOCKET_SMTP_URL", "The relay: smtps://ACCOUNT@HOST (Enter: later)")
        if by_token and "@" in relay and "DOCKET_SMTP_URL" not in before and ";AUTH=" not in relay.upper():
            self._by_token("DOCKET_SMTP_URL", relay)
        elif "@" in relay and ";AUTH=" not in relay.upper() and self.ask:
            self.setting("DOCKET_SMTP_PASSWORD", "The relay's password (Enter: later)", secret=True)
        self.setting("DOCKET_MAIL_FROM", "The Board's own address")
        self._try_relay(before)
        self.or_none(
            "DOCKET_AUTHSERV_ID", "The name your mail server writes in Authentication-Results (Enter: none)"
        )
        self.setting("DOCKET_ALERT_TO", "Who is mailed when something fails")

    def _today(self) -> str:
        return local_date(SystemClock().now(), city_zone("America/New_York")).isoformat() if self.ask else ""

    def _wants_tokens(self) -> bool:
        def fault(value: str) -> str:
            return "" if value in {"password", "xoauth2"} else "Write password or xoauth2."

        question = (
            "How the account logs in: password (also an app password) or xoauth2 (Microsoft 365, Google)"
        )
        return self.answer("login", question, fault, usual="password") == "xoauth2"

    def _by_token(self, name: str, url: str) -> None:
        """Write into an address that the account shows a token (RFC 5092's form)."""
        scheme, _, rest = url.partition("://")
        account_, _, host = rest.rpartition("@")
        del self.written[name]
        self.write(name, f"{scheme}://{account_};AUTH=XOAUTH2@{host}")

    def _provider(self) -> None:
        if not self.ask:
            for name in ("TOKEN_URL", "CLIENT_ID", "CLIENT_SECRET", "REFRESH_TOKEN", "SCOPE"):
                self.write(f"DOCKET_OAUTH_{name}", "")
            return
        which = self.answer(
            "provider", "Whose tokens: microsoft, google, or a token endpoint's address", _provider_fault
        )
        if which in PROVIDERS:
            url, scope = PROVIDERS[which]
            tenant = self.answer("tenant", "Your tenant's id", lambda _: "") if "{tenant}" in url else ""
            self.write("DOCKET_OAUTH_TOKEN_URL", url.format(tenant=tenant or "TENANT"))
            self.write("DOCKET_OAUTH_SCOPE", scope)
        else:
            self.write("DOCKET_OAUTH_TOKEN_URL", which)
            self.setting("DOCKET_OAUTH_SCOPE", "The scope to ask for (Enter: none)")
        self.setting("DOCKET_OAUTH_CLIENT_ID", "The application's (client) id")
        self.setting("DOCKET_OAUTH_CLIENT_SECRET", "Its secret (Enter: none)", secret=True)
        self.setting(
            "DOCKET_OAUTH_REFRESH_TOKEN",
            "The account's refresh token (Enter: the application's own, or docket sign-in fetches it)",
            secret=True,
        )

    def _look_into_mailbox(self) -> None:
        """Say how old the mailbox is before it is asked from when to read (I10); nothing in it is changed."""
        if not self.ask or self.written.get("DOCKET_IMAP_SINCE") or not self.written.get("DOCKET_IMAP_URL"):
            return
        try:
            mailbox = mail_servers(load_settings(self.env, {})).mailbox()
            if mailbox is None:
                return
            with mailbox:
                say("  Looking into the mailbox; nothing in it is changed ...")
                days = [
                    one.internaldate.date()
                    for folder in mailbox.folders
                    for one in mailbox.sync(folder, lambda _folder, _uidvalidity: (), read_from=None)
                ]
        except LoginRefused as fault:
            say(f"  The mailbox cannot be read yet: {fault}")
            if self.written.get("DOCKET_IMAP_PASSWORD") and self._another_password():
                self._look_into_mailbox()
            return
        except CertificateRefused as fault:
            say(f"  The mailbox cannot be read yet: {fault}")
            if not self.written.get("DOCKET_MAIL_CA") and self.setting(
                "DOCKET_MAIL_CA", "The file of your authority's certificates, PEM (Enter: none)"
            ):
                self._look_into_mailbox()
            return
        except (MailboxError, StartFault) as fault:
            say(f"  The mailbox cannot be read yet: {fault}")
            return
        say(f"  It holds {counted(len(days), 'message')}{f', the oldest of {min(days)}' if days else ''}.")

    def _try_relay(self, before: set[str]) -> None:
        """Say whether the relay lets us in, where its address was just answered; nothing is sent."""
        if not self.ask or "DOCKET_SMTP_URL" in before or not self.written.get("DOCKET_SMTP_URL"):
            return
        try:
            postman = mail_servers(load_settings(self.env, {})).postman()
        except StartFault as fault:
            say(f"  The relay cannot be tried yet: {fault}")
            return
        box = self.written.get("DOCKET_MAIL_FROM")
        if postman is None or not box or (postman.server.account and postman.login is None):
            return
        say("  Trying the relay; nothing is sent ...")
        wrong = [said for _hitch, said in postman.hitches(box)]
        say(*(f"  Not yet: {one}. docket doctor says the mend." for one in wrong))
        if not wrong:
            say("  It lets us in, and takes the Board's address as sender.")

    def _another_password(self) -> bool:
        """Ask for the mailbox's password again, which the server refused; say whether there is another one."""
        asked = "Its password once more (Enter: keep what was typed)"
        value = str(click.prompt(asked, default="", show_default=False, hide_input=True)).strip()
        if not value:
            return False
        del self.written["DOCKET_IMAP_PASSWORD"]
        self.write("DOCKET_IMAP_PASSWORD", value)
        return True

    def slack(self) -> None:
        """Ask for what is there of Slack already; the clicks that are left are said at the end."""
        if self.ask:
            self.setting("SLACK_STAFF_CHANNEL", "The id of Slack's staff channel (Enter: later)")
            self.setting("SLACK_BOT_TOKEN", "The app's bot token, xoxb- (Enter: later)", secret=True)
            self.setting("SLACK_APP_TOKEN", "Its app-level token, xapp- (Enter: later)", secret=True)
        elif "slack_channel" in self.given:
            self.setting("SLACK_STAFF_CHANNEL", "")
        for name in _LATER:
            self.write(name, "")

    def files(self) -> None:
        """Write the files that the city begins with, and load the roster where one was named."""
        today = SystemClock().now().date()
        years = [today.year, *([today.year + 1] if today.month >= _NEXT_YEAR_FROM else [])]
        self._put("closures.toml", closures_proposal(years))
        self._put("slack-manifest.json", json.dumps(manifest(), indent=2) + "\n")
        if (self.folder / "roster.toml").exists() and "roster" not in self.given:
            return
        roster = self.answer(
            "roster", "A roster file to load now (Enter: write one to fill in)", _roster_fault
        )
        if roster:
            self._load(Path(roster))
        else:
            self._put("roster.toml", roster_to_fill_in(date(today.year, 1, 1), account()))

    def _put(self, name: str, text: str) -> None:
        """Write a file, unless it is there."""
        path = self.folder / name
        if path.exists():
            if path.read_text(encoding="utf-8") != text:
                self.said.append(f"{name} is there already and stays as it is.")
            return
        path.write_text(text, encoding="utf-8")

    def _load(self, roster: Path) -> None:
        try:
            record = opened_at(self.folder)
        except StartFault as fault:
            self.said.append(f"The roster was not loaded: {' '.join(fault.lines)}")
            return
        try:
            with record.docket.database.read() as session:
                profile, _digest = profile_in_force(session)
                today = local_date(record.clock.now(), profile.city.time_zone)
                known = any(one.roles(today) for one in roster_of(record.docket, session).members.values())
            if known:
                self.said.append("The record has a roster; load changes with docket roster load.")
                return
            count = seed_roster(record.docket, roster.read_text(encoding="utf-8"))
            self.said.append(f"The roster was loaded: {counted(count, 'change')}.")
        except (Refusal, RecordUnavailable) as fault:
            self.said.append(f"The roster was not loaded: {fault}")
        finally:
            record.docket.database.engine.dispose()
            record.press.close()

    def told(self) -> None:
        """Say what was written, what stayed, and what is left to do."""
        say(
            f"Set up in {self.folder}: .env (only its owner can read it), data and {', '.join(self._files())}."
        )
        say(*self.said)
        say(
            "Keep a copy of DOCKET_KEYS away from this machine and from the backups: without it nothing can be read."
        )
        words = {"manifest": "slack-manifest.json", "env": str(self.env), "folder": str(self.folder)}
        clicks = [one for one, settings in _CLICKS if not all(map(self.written.get, settings))]
        if clicks:
            say(f"Left to do in Slack, {counted(len(clicks), 'click')}:")
            say(*(f"  {number}. {one.format(**words)}" for number, one in enumerate(clicks, 1)))
            say(_NO_WORKSPACE)
        say("Then:" if clicks else "Slack is set. Then:")
        after = [*self._passwords_left(), *(one.format(**words) for one in _AFTER)]
        say(*(f"  {number}. {one}" for number, one in enumerate(after, len(clicks) + 1)))

    def _files(self) -> list[str]:
        names = ("profile.toml", "closures.toml", "roster.toml", "slack-manifest.json")
        return [name for name in names if (self.folder / name).exists()]

    def _passwords_left(self) -> list[str]:
        """Name the passwords that an account needs and nobody gave yet."""
        left = [
            password
            for url, password in _PASSWORDS.items()
            if "@" in self.written.get(url, "")
            and ";AUTH=" not in self.written[url].upper()
            and not self.written.get(password)
        ]
        return [
            *([f"Put the mail account's password into {' and '.join(left)} in {self.env}."] if left else []),
            *(
                [f"Let the mail account consent: docket sign-in --data {self.folder}"]
                if self._consent_left()
                else []
            ),
        ]

    def _consent_left(self) -> bool:
        """Say whether the provider's tokens belong to an account that has not consented yet."""
        written = self.written.get
        return written("DOCKET_OAUTH_TOKEN_URL") == PROVIDERS["google"][0] and not written(
            "DOCKET_OAUTH_REFRESH_TOKEN"
        )


_OPTIONS: Mapping[str, str] = {
    "profile": "DOCKET_PROFILE",
    "imap": "DOCKET_IMAP_URL",
    "since": "DOCKET_IMAP_SINCE",
    "smtp": "DOCKET_SMTP_URL",
    "mail_from": "DOCKET_MAIL_FROM",
    "authserv": "DOCKET_AUTHSERV_ID",
    "alert_to": "DOCKET_ALERT_TO",
    "slack_channel": "SLACK_STAFF_CHANNEL",
}
_BY_SETTING = {name: option for option, name in _OPTIONS.items()}


def _city_fault(value: str) -> str:
    if '"' in value or "\\" in value or not value.isprintable():
        return "A city's name has no quotation mark or backslash in it."
    return ""


def _zone_fault(value: str) -> str:
    try:
        city_zone(value)
    except Refusal as refusal:
        return str(refusal)
    return ""


def _roster_fault(value: str) -> str:
    try:
        parse_roster(Path(value).expanduser().read_text(encoding="utf-8"))
    except (OSError, RuntimeError):  # RuntimeError: "~name" of an account that is not there
        return "There is no such file that can be read. Write the path of a TOML file."
    except UnicodeDecodeError:
        return "It is not UTF-8 text. Save it as UTF-8."
    except Refusal as refusal:
        return str(refusal)
    return ""


def _provider_fault(value: str) -> str:
    if value in PROVIDERS:
        return ""
    return fault_of("DOCKET_OAUTH_TOKEN_URL", value, Path(".env"))
