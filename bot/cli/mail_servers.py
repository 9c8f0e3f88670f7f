"""Mailbox and relay as the settings name them: where they are, and what they are shown."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import SecretStr

from bot.settings import Encryption, MailServer, Settings
from bot.settings import Login as HowToLogIn
from intake import mail_urls
from intake.mail_login import AccessToken, Login, Password
from intake.mailbox import Mailbox
from intake.smtp import SmtpPostman
from intake.tokens import TokenEndpoint, Tokens

SEALED_TOKEN = "oauth-refresh.sealed"  # noqa: S105  a file's name
_SECURITY = {
    Encryption.TLS: mail_urls.Security.TLS,
    Encryption.STARTTLS: mail_urls.Security.STARTTLS,
    Encryption.NONE: mail_urls.Security.PLAIN,
}


def server_of(server: MailServer) -> mail_urls.MailServer:
    """Give a server of the settings in the mailroom's words."""
    return mail_urls.MailServer(
        server.host, server.port, server.account, _SECURITY[server.encryption], server.folders
    )


@dataclass(frozen=True, slots=True)
class SealedToken:
    """A refresh token that the provider put in place of the one in the settings, sealed in the data folder.

    It counts only for the very token that it took the place of: a new one in the settings wins.

    Attributes:
        file: where it lies; without the keys, which are not there, it opens nothing.
        keys: the record's keys, newest first.
        of: the refresh token in the settings.
    """

    file: Path
    keys: tuple[bytes, ...]
    of: str

    def read(self) -> str:
        """Give it; empty where there is none for this setting."""
        try:
            held = json.loads(self._seal().decrypt(self.file.read_bytes()))
        except (OSError, InvalidToken, ValueError):
            return ""
        return str(held["token"]) if held.get("of") == self._mark() else ""

    def keep(self, token: str) -> None:
        """Keep it; the file is whole at any instant."""
        sealed = self._seal().encrypt(json.dumps({"of": self._mark(), "token": token}).encode())
        beside = self.file.with_suffix(".new")
        beside.touch(mode=0o600)
        beside.write_bytes(sealed)
        beside.replace(self.file)

    def _seal(self) -> MultiFernet:
        return MultiFernet([Fernet(key) for key in self.keys])

    def _mark(self) -> str:
        return hashlib.sha256(self.of.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MailServers:
    """How mailbox and relay are reached and logged in to; one token serves both.

    Attributes:
        settings: where they are.
        tokens: where access tokens come from; None where no provider is set.
    """

    settings: Settings
    tokens: Tokens | None

    def login_of(self, server: MailServer, secret: SecretStr | None) -> Login | None:
        """Give what a server is shown: a password or an access token, as its address says; None for nothing."""
        if not server.account:
            return None
        if server.login is HowToLogIn.XOAUTH2 and self.tokens is not None:
            return AccessToken(self.tokens.current, self.tokens.renewed)
        if secret is None:
            return None
        if server.login is HowToLogIn.XOAUTH2:
            return AccessToken(secret.get_secret_value)
        return Password(secret.get_secret_value())

    def mailbox(self) -> Mailbox | None:
        """Give the mailbox; None where its address, account or secret is not set."""
        settings = self.settings
        login = self.login_of(settings.imap_url, settings.imap_password) if settings.imap_url else None
        if settings.imap_url is None or login is None:
            return None
        return Mailbox(server_of(settings.imap_url), login, private_ca=settings.mail_ca)

    def postman(self) -> SmtpPostman | None:
        """Give the way to the relay; None where its address is not set."""
        settings = self.settings
        if settings.smtp_url is None:
            return None
        login = self.login_of(settings.smtp_url, settings.smtp_password)
        return SmtpPostman(server_of(settings.smtp_url), login, settings.mail_ca)


def mail_servers(settings: Settings) -> MailServers:
    """Read from the settings how mailbox and relay are reached."""
    return MailServers(settings, _tokens(settings))


def token_endpoint(settings: Settings) -> TokenEndpoint | None:
    """Give the identity provider's token endpoint and what is shown there; None where none is set."""
    if settings.oauth_token_url is None:
        return None
    secret, refresh = settings.oauth_client_secret, settings.oauth_refresh_token
    return TokenEndpoint(
        settings.oauth_token_url,
        settings.oauth_client_id,
        secret.get_secret_value() if secret else "",
        refresh.get_secret_value() if refresh else "",
        settings.oauth_scope,
        settings.mail_ca,
    )


def _tokens(settings: Settings) -> Tokens | None:
    endpoint = token_endpoint(settings)
    if endpoint is None:
        return None
    if not endpoint.refresh_token or not settings.keys:
        return Tokens(endpoint)
    sealed = SealedToken(settings.data_dir / SEALED_TOKEN, settings.key_ring(), endpoint.refresh_token)
    return Tokens(endpoint, sealed.read, sealed.keep)
