"""Settings: the environment and one `.env` file, read into one frozen `Settings`.

The only module that reads the environment. All faults are told at once, one plain line each: the setting,
what is wrong with it, and the mend. A value is never repeated in a fault, as it may be a secret.
"""

import difflib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit
from zoneinfo import ZoneInfo

from cryptography.fernet import Fernet
from dotenv.parser import Binding, parse_stream
from email_validator import EmailNotValidError, validate_email
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
)
from pydantic_settings import BaseSettings, DotEnvSettingsSource, SettingsConfigDict

import store
from bot.errors import StartFault

SLACK_API: Final = "https://slack.com/api/"
DEFAULT_PROFILE: Final = "bramwell"
ENV_FILE: Final = ".env"
PREFIXES: Final = ("SLACK_", "DOCKET_")
SHIPPED_PROFILES: Final = Path(store.__path__[0]) / "profiles"
DATABASE_FILE: Final = "docket.sqlite3"
_FILE: Final = "file"


class SettingsFault(StartFault):
    """Settings are missing, wrong or unknown: a line each, without the values."""


class Part(StrEnum):
    """What a command works with; each part needs its settings (`NEEDS`)."""

    RECORD = "record"
    SLACK = "slack"
    SLACK_HTTP = "slack-http"
    IMAP = "imap"
    SMTP = "smtp"
    ALERT = "alert"


NEEDS: Final[Mapping[Part, tuple[str, ...]]] = {
    Part.RECORD: ("DOCKET_KEYS",),
    Part.SLACK: ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_STAFF_CHANNEL"),
    Part.SLACK_HTTP: ("SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET", "SLACK_STAFF_CHANNEL"),
    Part.IMAP: ("DOCKET_IMAP_URL", "DOCKET_IMAP_PASSWORD", "DOCKET_IMAP_SINCE"),
    Part.SMTP: ("DOCKET_SMTP_URL", "DOCKET_MAIL_FROM"),
    Part.ALERT: ("DOCKET_ALERT_TO",),
}

MENDS: Final[Mapping[str, str]] = {
    "DOCKET_KEYS": "Set it to one or more Fernet keys, the newest first, separated by commas; `docket init` makes one.",
    "SLACK_BOT_TOKEN": "Set it to the bot token of the Slack app, which begins with xoxb-.",
    "SLACK_APP_TOKEN": "Set it to an app-level token with connections:write, which begins with xapp-.",
    "SLACK_SIGNING_SECRET": "Copy the signing secret from the Slack app's Basic Information page.",
    "SLACK_STAFF_CHANNEL": "Set it to the id of the staff's channel, such as C0123456789; a name will not do.",
    "SLACK_API_URL": f"Leave it out for {SLACK_API}, or write https://HOST/api/ (http only to this machine).",
    "DOCKET_DATABASE_URL": (
        "Leave it out for SQLite in the data folder, or write sqlite:////PATH or "
        "postgresql://ACCOUNT@HOST/NAME?sslmode=verify-full (sslmode=disable only within a closed network)."
    ),
    "DOCKET_IMAP_URL": (
        "Write imaps://ACCOUNT@HOST/INBOX,Junk, or imap+starttls://ACCOUNT@HOST/INBOX for port 143 "
        "(imap:// only to this machine)."
    ),
    "DOCKET_IMAP_PASSWORD": "Set it to the password of the account that DOCKET_IMAP_URL names.",
    "DOCKET_IMAP_SINCE": "Set it to the day from which mail is to be read, such as 2026-03-02; older mail is left alone.",
    "DOCKET_SMTP_URL": (
        "Write smtps://ACCOUNT@HOST, or smtp+starttls://ACCOUNT@HOST for port 587 (smtp:// only to this machine)."
    ),
    "DOCKET_SMTP_PASSWORD": "Set it to the password of the account that DOCKET_SMTP_URL names.",
    "DOCKET_MAIL_FROM": "Set it to the Board's own address, the bare address without a name.",
    "DOCKET_ALERT_TO": "Set it to the address that is told when Slack or the mailbox is away; several are parted by commas.",
    "DOCKET_PROFILE": "Leave it out for bramwell, or name a shipped profile or a TOML file.",
    "DOCKET_DATA_DIR": "Name a folder that holds nothing but Docket's data, such as data beside the .env file.",
    "DOCKET_TSA_URL": "Leave it out for none, or write the address of a time-stamping authority (RFC 3161), http or https.",
    "DOCKET_LOG_LEVEL": "Write debug, info, warning or error.",
    "DOCKET_AUTHSERV_ID": "Write the name with which your mail server signs Authentication-Results, such as mx.city.example.",
    "DOCKET_TRUST_ROOTS": "Name a folder with the certificates (PEM or DER) that signatures are checked against.",
    "DOCKET_MAX_MAIL_MB": "Write a whole number from 1 to 500.",
    "SLACK_LISTEN": "Leave it out for Socket Mode, or write IP-ADDRESS:PORT, such as 127.0.0.1:3000.",
    "DOCKET_HEALTH_PORT": "Leave it out for none, or write a port from 1 to 65535, such as 9107.",
    "DOCKET_MAX_ATTACHMENTS": "Write a whole number from 1 to 1000.",
    "DOCKET_MAX_PARTS": "Write a whole number from 10 to 5000.",
    "DOCKET_MAIL_CA": "Name a PEM file with the certificate of the city's own authority, or leave it out.",
    "DOCKET_OAUTH_TOKEN_URL": "Write the provider's token endpoint, https://... (http only to this machine).",
    "DOCKET_OAUTH_CLIENT_ID": "Set it to the id of the application that the provider knows.",
    "DOCKET_OAUTH_CLIENT_SECRET": "Set it to the application's secret, or leave it out where there is none.",
    "DOCKET_OAUTH_REFRESH_TOKEN": "Set it to the account's refresh token, or leave it out for an application's own token.",
    "DOCKET_OAUTH_SCOPE": "Write the scopes that the provider asks for, parted by spaces, or leave it out.",
    "DOCKET_TEST_MODE": "Write true for a trial on a record of its own; leave it out otherwise.",
    "DOCKET_TEST_DATABASE_URL": "Name another database than DOCKET_DATABASE_URL does, or leave it out for SQLite.",
    "DOCKET_TEST_MAIL_TO": "Write the addresses that get mail in test mode, parted by commas; @city.example names a domain.",
    "DOCKET_PLUS_ADDRESSES": "Write yes, or no where the city's mail server takes no box+tag@ addresses.",
}


class LogLevel(StrEnum):
    """From which level on log lines are written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Encryption(StrEnum):
    """How a connection to a mail server is protected."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


class Login(StrEnum):
    """How the account proves itself (RFC 5092 writes the second as `ACCOUNT;AUTH=XOAUTH2@HOST`)."""

    PASSWORD = "password"  # noqa: S105  the kind, no password
    XOAUTH2 = "xoauth2"


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server as an address names it.

    Attributes:
        host: name or IP address.
        port: TCP port.
        encryption: how the connection is protected; none only to this machine.
        account: who logs in; empty where the server asks for no login.
        login: how.
        folders: mailboxes to read, in order; empty for SMTP.
    """

    host: str
    port: int
    encryption: Encryption
    account: str = ""
    login: Login = Login.PASSWORD
    folders: tuple[str, ...] = ()


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine by its very name or number; no name server is asked."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _wrong(what: str) -> ValueError:
    return ValueError(what)


def _split_url(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise _wrong("is no address that can be read") from None
    if not parts.hostname:
        raise _wrong("names no host")
    if parts.password is not None:
        raise _wrong("has a password in it, which would be shown with the address")
    if parts.query or parts.fragment:
        raise _wrong("has a part after ? or #, which means nothing here")
    return parts


def _account(parts: SplitResult) -> tuple[str, Login]:
    account, mark, kind = unquote(parts.username or "").partition(";AUTH=")
    if mark and kind.upper() not in ("XOAUTH2", "*"):
        raise _wrong("asks for a way to log in that is not known")
    return account, Login.XOAUTH2 if kind.upper() == "XOAUTH2" else Login.PASSWORD


def _mail_server(text: str, kinds: Mapping[str, tuple[int, Encryption]]) -> tuple[SplitResult, MailServer]:
    parts = _split_url(text)
    host = parts.hostname or ""
    if parts.scheme not in kinds:
        raise _wrong(f"does not begin with {' or '.join(f'{kind}://' for kind in kinds)}")
    port, encryption = kinds[parts.scheme]
    if encryption is Encryption.NONE and not is_loopback(host):
        raise _wrong("would send the password and the mail unencrypted to another machine")
    account, login = _account(parts)
    return parts, MailServer(host, parts.port or port, encryption, account=account, login=login)


def _read_imap(text: str) -> MailServer:
    kinds = {
        "imaps": (993, Encryption.TLS),
        "imap+starttls": (143, Encryption.STARTTLS),
        "imap": (143, Encryption.NONE),
    }
    parts, server = _mail_server(text, kinds)
    if not server.account:
        raise _wrong("names no account")
    folders = tuple(unquote(name) for name in parts.path.lstrip("/").split(",") if name) or ("INBOX",)
    if len(set(folders)) != len(folders):
        raise _wrong("names a folder twice")
    return MailServer(server.host, server.port, server.encryption, server.account, server.login, folders)


def _read_smtp(text: str) -> MailServer:
    kinds = {
        "smtps": (465, Encryption.TLS),
        "smtp+starttls": (587, Encryption.STARTTLS),
        "smtp": (25, Encryption.NONE),
    }
    parts, server = _mail_server(text, kinds)
    if parts.path.strip("/"):
        raise _wrong("has a path, which means nothing here")
    return server


def _read_slack_api(text: str) -> str:
    parts = _split_url(text)
    if parts.scheme not in ("http", "https"):
        raise _wrong("does not begin with https://")
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise _wrong("would send the tokens unencrypted to another machine")
    return text.rstrip("/") + "/"


def _begins(prefix: str, what: str) -> AfterValidator:
    def check(token: SecretStr) -> SecretStr:
        text = token.get_secret_value()
        if not re.fullmatch(re.escape(prefix) + r"[!-~]+", text):
            raise _wrong(f"is no {what}")
        return token

    return AfterValidator(check)


def _check_signing_secret(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[0-9A-Za-z]{16,}", secret.get_secret_value()):
        raise _wrong("is no signing secret")
    return secret


def _check_channel(text: str) -> str:
    if not re.fullmatch(r"[CG][A-Z0-9]{2,}", text):
        raise _wrong("is no channel id")
    return text


def _bare_address(text: str) -> str:
    """Read one address, as it is; that the domain exists is not asked (an internal server's may not)."""
    try:
        return validate_email(
            text.strip(), check_deliverability=False, globally_deliverable=False, test_environment=True
        ).normalized
    except EmailNotValidError:
        raise _wrong("is no bare e-mail address") from None


def _addresses(text: str) -> tuple[str, ...]:
    return tuple(_bare_address(one) for one in text.split(",") if one.strip())


def _allowed(text: str) -> tuple[str, ...]:
    """Read addresses, and whole domains written with an @ before them; all in small letters."""
    every = [one.strip().casefold() for one in text.split(",") if one.strip()]
    return tuple(
        one if re.fullmatch(r"@[a-z0-9.-]+", one) else _bare_address(one).casefold() for one in every
    )


def _read_keys(text: str) -> tuple[SecretStr, ...]:
    keys = [one.strip() for one in text.split(",") if one.strip()]
    for place, key in enumerate(keys, start=1):
        try:
            Fernet(key)
        except ValueError:
            raise _wrong(f"holds something that is no Fernet key (number {place} of {len(keys)})") from None
    if len(set(keys)) != len(keys):
        raise _wrong("holds the same key twice")
    return tuple(SecretStr(key) for key in keys)


def _env_file(info: ValidationInfo) -> Path:
    file = (info.context or {})[_FILE]
    assert isinstance(file, Path)
    return file


def _path(text: str, info: ValidationInfo) -> Path:
    try:
        path = Path(os.path.abspath(_env_file(info).parent / Path(text).expanduser()))  # noqa: PTH100  links stay links
        path.exists()
        path.resolve()
    except (
        OSError,
        RuntimeError,
    ) as error:  # too long, in a closed folder, a home of nobody, a ring of links
        raise _wrong("is no path that can be used here") from error
    return path


def _read_data_dir(text: str, info: ValidationInfo) -> Path:
    """Read the data folder, which is what a backup takes: the file with the keys must not lie in it."""
    path = _path(text, info)
    if path.exists() and not path.is_dir():
        raise _wrong("is no folder")
    file = _env_file(info)
    inside = file.is_relative_to(path) or file.resolve().is_relative_to(path.resolve())
    if (inside and file.exists()) or (path / ENV_FILE).exists():
        raise _wrong("holds the .env file, so a stolen backup would bring the keys that open it")
    return path


def _read_trust_roots(text: str, info: ValidationInfo) -> Path:
    path = _path(text, info)
    if not path.is_dir():
        raise _wrong("names a folder that is not there")
    return path


def _read_profile(text: str, info: ValidationInfo) -> Path:
    if re.fullmatch(r"[a-z0-9_-]+", text):
        shipped = SHIPPED_PROFILES / f"{text}.toml"
        if not shipped.is_file():
            raise _wrong("names a profile that is not shipped")
        return shipped
    path = _path(text, info)
    if not path.is_file():
        raise _wrong("names a file that is not there")
    return path


def _read_database(text: str, info: ValidationInfo) -> SecretStr:
    scheme, mark, rest = text.partition("://")
    if not mark or scheme not in ("sqlite", "postgresql", "postgresql+psycopg"):
        raise _wrong("is neither a sqlite: nor a postgresql: address")
    if scheme != "sqlite":
        _check_protection(rest)
        return SecretStr(f"postgresql+psycopg://{rest}")
    path = rest.removeprefix("/")
    if not rest.startswith("/") or not path or path.startswith(":") or "?" in path:
        raise _wrong("names no database file")
    return SecretStr(f"sqlite:///{_path(path, info)}")


def _check_protection(rest: str) -> None:
    """Refuse a database on another machine without a word on how the connection is protected (libpq falls back in silence)."""
    parts = urlsplit(f"//{rest}")
    asked = parse_qs(parts.query)
    named = [one.rpartition("@")[2] for one in parts.netloc.split(",")] + asked.get("host", [])
    hosts = [re.sub(r":\d*$", "", one).strip("[]") for host in named for one in host.split(",")]
    if all(not host or host.startswith(("/", "%2F", "%2f")) or is_loopback(host) for host in hosts):
        return
    if asked.get("sslmode", [""])[-1] not in _SAID_PROTECTION:
        raise _wrong("does not say how the connection to another machine is protected")


def _read_since(text: str) -> date | datetime:
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return date.fromisoformat(text)
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise _wrong("is neither a day nor an instant") from None
    if instant.tzinfo is None:
        raise _wrong("is an instant without a zone")
    return instant.astimezone(UTC)


def _check_tsa(text: str) -> str:
    """Check the address of a time-stamping authority; plain http will do, as its answers are signed."""
    if _split_url(text).scheme not in ("http", "https"):
        raise _wrong("does not begin with https:// or http://")
    return text


def _check_authserv(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]+", text):
        raise _wrong("is no server name")
    return text


def _read_level(text: str) -> LogLevel:
    try:
        return LogLevel(text.strip().lower())
    except ValueError:
        raise _wrong("is no level") from None


def _read_ca(text: str, info: ValidationInfo) -> Path:
    path = _path(text, info)
    if not path.is_file():
        raise _wrong("names a file that is not there")
    return path


def _read_token_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise _wrong("is no address of a token endpoint")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise _wrong("would send the secrets unencrypted to another machine")
    return text


def _read_yes(text: str) -> bool:
    said = text.strip().lower()
    if said not in ("yes", "no", "true", "false"):
        raise _wrong("is neither yes nor no")
    return said in ("yes", "true")


def _count(least: int, most: int) -> BeforeValidator:
    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,5}", text.strip()) or not least <= int(text) <= most:
            raise _wrong("is no number that can be")
        return int(text)

    return BeforeValidator(read)


def _read_megabytes(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text.strip()) or not 1 <= int(text) <= 500:  # noqa: PLR2004  said in the mend
        raise _wrong("is no number of megabytes that can be")
    return int(text)


@dataclass(frozen=True, slots=True)
class Listen:
    """Where requests are taken: an IP address of this machine and a port."""

    host: str
    port: int


def _read_listen(text: str) -> Listen:
    host, colon, port = text.strip().rpartition(":")
    try:
        address = ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        raise _wrong("names no IP address") from None
    if not colon:
        raise _wrong("names no port")
    return Listen(str(address), _read_port(port))


def _read_port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text.strip()) or not 1 <= int(text) <= 65535:  # noqa: PLR2004  the last port
        raise _wrong("is no port")
    return int(text)


_BotToken = Annotated[SecretStr, _begins("xoxb-", "bot token")]
_AppToken = Annotated[SecretStr, _begins("xapp-", "app-level token")]


def _name_of(field: str) -> str:
    return field.upper() if field.startswith("slack_") else f"DOCKET_{field.upper()}"


def _default_database(validated: Mapping[str, object]) -> SecretStr:
    return SecretStr(f"sqlite:///{validated['data_dir']}/{DATABASE_FILE}")


class Settings(BaseModel):
    """Everything that is set, checked; fields are named as the settings are, in lower case without `DOCKET_`.

    Relative paths are seen from the folder of the `.env` file. What is optional here may still be needed by a
    command: it says so with `require`.

    Attributes:
        slack_bot_token: `xoxb-`.
        slack_app_token: `xapp-`, for Socket Mode.
        slack_signing_secret: for HTTP mode.
        slack_api_url: base of the Web API, ends with a slash.
        slack_staff_channel: channel id; alarms without content go there (decisions: 13).
        database_url: SQLAlchemy address; secret, as it may bear a password.
        imap_url: the mailbox that is read.
        imap_password: password or, for XOAUTH2, the access token.
        imap_since: read mail from then on: a day of the city's zone, or an instant in UTC.
        smtp_url: the relay that letters go to.
        smtp_password: empty where the relay asks for no login.
        mail_from: the Board's address, bare.
        authserv_id: whose Authentication-Results are believed.
        alert_to: who is told by mail when Slack or the mailbox is away.
        profile: the ordinance's TOML file.
        keys: Fernet keys, newest first.
        data_dir: the folder that is backed up; the keys never lie in it (decisions: 22).
        log_level: from which level on.
        trust_roots: folder of certificates that signatures are checked against.
        max_mail_mb: larger mail is not fetched, in MiB.
        slack_listen: address and port for what Slack sends over HTTP; None for Socket Mode.
        tsa_url: a time-stamping authority that stamps the journal's head each day; None for none.
        health_port: port on loopback for health and metrics; None for none.
        max_attachments: of a mail with more files only the header is read.
        max_parts: of a mail with more MIME parts likewise.
        mail_ca: certificates (PEM) that mailbox, relay and identity provider may show beside the system's own.
        oauth_token_url: where access tokens come from; None: the password is the token itself.
        oauth_client_id: the application's id there.
        oauth_client_secret: its secret, if it has one.
        oauth_refresh_token: the account's; None: the application asks for itself.
        oauth_scope: what is asked for.
        plus_addresses: the city's server takes box+tag@ addresses (decisions: 28).
        test_mode: another record, everything that leaves is marked, mail only to `test_mail_to` (R8).
        test_database_url: the record of the test mode; None: SQLite in the test's own data folder.
        test_mail_to: addresses, or domains as @city.example, that get mail in test mode.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        str_strip_whitespace=True,
        alias_generator=_name_of,
    )

    slack_bot_token: _BotToken | None = None
    slack_app_token: _AppToken | None = None
    slack_signing_secret: Annotated[SecretStr, AfterValidator(_check_signing_secret)] | None = None
    slack_api_url: Annotated[str, AfterValidator(_read_slack_api)] = SLACK_API
    slack_staff_channel: Annotated[str, AfterValidator(_check_channel)] | None = None
    data_dir: Annotated[Path, BeforeValidator(_read_data_dir)]
    database_url: Annotated[SecretStr, BeforeValidator(_read_database)] = Field(
        default_factory=_default_database
    )
    imap_url: Annotated[MailServer, BeforeValidator(_read_imap)] | None = None
    imap_password: SecretStr | None = None
    imap_since: Annotated[date | datetime, BeforeValidator(_read_since)] | None = None
    smtp_url: Annotated[MailServer, BeforeValidator(_read_smtp)] | None = None
    smtp_password: SecretStr | None = None
    mail_from: Annotated[str, AfterValidator(_bare_address)] | None = None
    authserv_id: Annotated[str, AfterValidator(_check_authserv)] | None = None
    alert_to: Annotated[tuple[str, ...], BeforeValidator(_addresses)] = ()
    profile: Annotated[Path, BeforeValidator(_read_profile)]
    keys: Annotated[tuple[SecretStr, ...], BeforeValidator(_read_keys)] = ()
    log_level: Annotated[LogLevel, BeforeValidator(_read_level)] = LogLevel.INFO
    trust_roots: Annotated[Path, BeforeValidator(_read_trust_roots)] | None = None
    max_mail_mb: Annotated[int, BeforeValidator(_read_megabytes)] = 50
    slack_listen: Annotated[Listen, BeforeValidator(_read_listen)] | None = None
    health_port: Annotated[int, BeforeValidator(_read_port)] | None = None
    tsa_url: Annotated[str, AfterValidator(_check_tsa)] | None = None
    max_attachments: Annotated[int, _count(1, 1000)] = 100
    max_parts: Annotated[int, _count(10, 5000)] = 500
    mail_ca: Annotated[Path, BeforeValidator(_read_ca)] | None = None
    oauth_token_url: Annotated[str, AfterValidator(_read_token_url)] | None = None
    oauth_client_id: str = ""
    oauth_client_secret: SecretStr | None = None
    oauth_refresh_token: SecretStr | None = None
    oauth_scope: str = ""
    plus_addresses: Annotated[bool, BeforeValidator(_read_yes)] = True
    test_mode: Annotated[bool, BeforeValidator(_read_yes)] = False
    test_database_url: Annotated[SecretStr, BeforeValidator(_read_database)] | None = None
    test_mail_to: Annotated[tuple[str, ...], BeforeValidator(_allowed)] = ()

    def may_mail(self, address: str) -> bool:
        """Say whether a letter may go to an address: in test mode only to those that are named (R8)."""
        if not self.test_mode:
            return True
        plain = address.strip().casefold()
        return any(plain == one or (one.startswith("@") and plain.endswith(one)) for one in self.test_mail_to)

    def key_ring(self) -> tuple[bytes, ...]:
        """Give the Fernet keys, newest first, as the vault takes them."""
        return tuple(key.get_secret_value().encode("ascii") for key in self.keys)

    def in_force(self) -> dict[str, str]:
        """Give every setting that is set, name to its value as text, secrets too: for a digest, never to be shown."""
        given = {_name_of(field): getattr(self, field) for field in type(self).model_fields}
        return {name: _as_text(value) for name, value in given.items() if value not in (None, (), "")}

    def reads_mail_from(self, zone: ZoneInfo) -> datetime | None:
        """Give the instant (UTC) from which on mail is read; a day begins at midnight in the city's zone."""
        since = self.imap_since
        if since is None or isinstance(since, datetime):
            return since
        return datetime.combine(since, time(0), tzinfo=zone).astimezone(UTC)


def _as_text(value: object) -> str:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return ",".join(_as_text(one) for one in value) if isinstance(value, tuple) else str(value)


NAMES: Final = tuple(_name_of(field) for field in Settings.model_fields)
_SERVERS: Final = ("DOCKET_IMAP_URL", "DOCKET_SMTP_URL")
# libpq's other words protect against nobody who stands in between, or are given up in silence
_SAID_PROTECTION: Final = frozenset({"verify-full", "verify-ca", "disable"})
_DEFAULTS: Final = {"DOCKET_DATA_DIR": "data", "DOCKET_PROFILE": DEFAULT_PROFILE}


class _EnvFile(BaseSettings):
    """Tells pydantic-settings how a `.env` file is read: names as written, values as text."""

    model_config = SettingsConfigDict(case_sensitive=True, env_file_encoding="utf-8")


def load_settings(
    env_file: Path | None = None, environ: Mapping[str, str] | None = None, *, parts: Iterable[Part] = ()
) -> Settings:
    """Read and check all settings; the environment wins over the file, and an empty value counts as none.

    Args:
        env_file: the settings file; None takes `.env` in the working folder where there is one.
        environ: the environment; None takes that of the process.
        parts: what the command works with: their settings are required.

    Raises:
        SettingsFault: with a line for each setting that is missing, wrong or unknown.
    """
    file = Path(os.path.abspath(env_file or ENV_FILE))  # noqa: PTH100  a link in the data folder is to be seen
    environ = os.environ if environ is None else environ
    written, faults = _read_file(file, required=env_file is not None)
    here = {name: value for name, value in environ.items() if name in NAMES or name.startswith("DOCKET_")}
    given = {name: value for source in (written, here) for name, value in source.items() if value.strip()}
    faults += _unknown(given)
    given, mixed = _for_test_mode(given)
    faults += mixed
    settings, wrong = _check(given, file)
    faults += wrong
    by_token = [name for name in _SERVERS if ";AUTH=" in unquote(given.get(name, "")).upper()]
    login = "@" in given.get("DOCKET_SMTP_URL", "")
    faults += _missing(given, tuple(parts), smtp_login=login, by_token=by_token)
    if settings is None or faults:
        raise SettingsFault(faults)
    return settings


def _for_test_mode(given: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Turn to the test mode's own data folder and database, where it is on."""
    if given.get("DOCKET_TEST_MODE", "").strip().lower() not in ("true", "yes"):
        return given, []
    real, test = given.get("DOCKET_DATABASE_URL"), given.get("DOCKET_TEST_DATABASE_URL")
    data = given.get("DOCKET_DATA_DIR", _DEFAULTS["DOCKET_DATA_DIR"]).rstrip("/")
    changed = {name: value for name, value in given.items() if name != "DOCKET_DATABASE_URL"}
    changed["DOCKET_DATA_DIR"] = f"{data}-test"
    if test is None:
        return changed, []
    mend = MENDS["DOCKET_TEST_DATABASE_URL"]
    faults = [f"DOCKET_TEST_DATABASE_URL names the real record's database. {mend}"] if test == real else []
    return changed | {"DOCKET_DATABASE_URL": test}, faults


def require(settings: Settings, *parts: Part) -> None:
    """Check that what these parts need is set.

    Raises:
        SettingsFault: with a line for each missing setting.
    """
    present = {_name_of(field) for field in Settings.model_fields if getattr(settings, field)}
    login = settings.smtp_url is not None and bool(settings.smtp_url.account)
    servers = {"DOCKET_IMAP_URL": settings.imap_url, "DOCKET_SMTP_URL": settings.smtp_url}
    by_token = [name for name, one in servers.items() if one is not None and one.login is Login.XOAUTH2]
    faults = _missing(present, parts, smtp_login=login, by_token=by_token)
    if faults:
        raise SettingsFault(faults)


def _read_file(file: Path, *, required: bool) -> tuple[dict[str, str], list[str]]:
    if not file.is_file():
        return {}, [f"The settings file {file} is not there. Make it with `docket init`."] if required else []
    try:
        with file.open(encoding="utf-8") as stream:
            faults = _faulty_lines(list(parse_stream(stream)))
        values = DotEnvSettingsSource(_EnvFile, env_file=file).env_vars
    except (OSError, UnicodeDecodeError):
        return {}, [
            f"The settings file {file} cannot be read. Make it UTF-8 text that this account may read."
        ]
    return {name: value or "" for name, value in values.items() if name.startswith(PREFIXES)}, faults


def _faulty_lines(lines: Sequence[Binding]) -> list[str]:
    """Name what the reader of `.env` files would silently drop or change."""
    faults = [
        f"Line {line.original.line} of the settings file cannot be read. Write NAME=value."
        for line in lines
        if line.error
    ]
    ours = [(line.key, line.value or "") for line in lines if line.key and line.key.startswith(PREFIXES)]
    twice = Counter(name for name, _ in ours)
    faults += [
        f"{name} stands in the settings file more than once. Keep one." for name in twice if twice[name] > 1
    ]
    faults += [
        f"{name} holds a dollar sign before a brace, which would be replaced. Set it in the environment instead."
        for name, value in ours
        if "${" in value
    ]
    return faults


def _unknown(given: Iterable[str]) -> list[str]:
    lines = []
    for name in sorted(set(given) - set(NAMES)):
        near = difflib.get_close_matches(name, NAMES, n=1)
        lines.append(f"{name} is no setting. {f'Did you mean {near[0]}?' if near else 'Take it out.'}")
    return lines


def _missing(
    present: Collection[str], parts: Collection[Part], *, smtp_login: bool, by_token: Collection[str]
) -> list[str]:
    """Name what is missing; a server that is shown a token of the identity provider's needs no password."""
    over_http = "SLACK_LISTEN" in present
    taken = [Part.SLACK_HTTP if part is Part.SLACK and over_http else part for part in parts]
    needed = dict.fromkeys(name for part in taken for name in NEEDS[part])
    if smtp_login and Part.SMTP in parts:
        needed["DOCKET_SMTP_PASSWORD"] = None
    if "DOCKET_OAUTH_TOKEN_URL" in present:
        for name in by_token:
            needed.pop(name.replace("_URL", "_PASSWORD"), None)
        needed |= {"DOCKET_OAUTH_CLIENT_ID": None} if by_token else {}
    return [f"{name} is missing. {MENDS[name]}" for name in needed if name not in present]


def fault_of(name: str, value: str, env_file: Path) -> str:
    """Say what is wrong with one setting, before it is written.

    Args:
        name: the setting, such as ``DOCKET_IMAP_URL``.
        value: what was given; never repeated.
        env_file: the settings file it is meant for; relative paths are seen from its folder.

    Returns:
        One line with the mend, without the setting's name; empty where it can be used.
    """
    if name not in NAMES:
        return "is no setting."
    if "${" in value:
        return (
            "holds a dollar sign before a brace, which would be replaced. Set it in the environment instead."
        )
    _settings, faults = _check({name: value}, Path(os.path.abspath(env_file)))  # noqa: PTH100  as load_settings sees it
    begins = f"{name} "
    return next((line.removeprefix(begins) for line in faults if line.startswith(begins)), "")


def _check(given: Mapping[str, str], file: Path) -> tuple[Settings | None, list[str]]:
    try:
        return Settings.model_validate({**_DEFAULTS, **given}, context={_FILE: file}), []
    except ValidationError as error:
        # The error itself holds what was given; nothing of it leaves this function but our own words.
        return None, [
            f"{fault['loc'][0]} {fault.get('ctx', {}).get('error', 'cannot be read')}. {MENDS[str(fault['loc'][0])]}"
            for fault in error.errors(include_input=False, include_url=False)
            if fault["type"] != "default_factory_not_called"
        ]
