"""Access tokens: fetched, renewed before they age and once when refused; a refusal is a refused login (I3)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.cli.mail_servers import SEALED_TOKEN, SealedToken, mail_servers
from bot.settings import Part, SettingsFault, load_settings, require
from intake.mail_login import AccessToken, TokenRefused, TokenUnreachable
from intake.mailbox import LoginRefused, MailboxUnreachable
from intake.tokens import TokenEndpoint, Tokens
from store.ports import DeliveryState
from tests.contract.conftest import OpenMailbox
from tests.contract.dovecot import Dovecot
from tests.contract.mailbox_steps import Record, a_mail
from tests.contract.relays import ScriptedRelay
from tests.contract.test_smtp_relay import a_letter, sent
from tests.contract.tokens import Provider, identity_provider, oauth_file, oauth_settings

pytestmark = pytest.mark.contract


@contextmanager
def a_mailbox_by_token(provider: Provider) -> Iterator[tuple[Dovecot, Tokens]]:
    """A Dovecot that asks the provider who a token belongs to."""
    with identity_provider(provider), Dovecot() as dovecot:
        dovecot.stop()
        (dovecot.folder / "oauth2.conf").write_text(oauth_file(provider.port))
        dovecot.settings = oauth_settings(provider.port, str(dovecot.folder))
        dovecot.start()
        yield dovecot, Tokens(TokenEndpoint(provider.url, "docket", "hush", "refresh-1"))


def login(tokens: Tokens) -> AccessToken:
    return AccessToken(tokens.current, tokens.renewed)


@pytest.mark.needs("dovecot")
def test_a_token_is_fetched_once_and_serves_every_login_until_it_ages(open_mailbox: OpenMailbox) -> None:
    with a_mailbox_by_token(Provider()) as (dovecot, tokens):
        dovecot.deliver(a_mail())
        record = Record()
        for _ in range(3):
            mailbox = open_mailbox(dovecot.place, login(tokens))
            record.read(mailbox)
            mailbox.close()
        assert record.raws == [a_mail()]


def test_a_token_near_its_end_is_renewed_and_one_that_lives_is_not() -> None:
    for life, asked in ((3600, 1), ("3600", 1), (30, 3), (None, 1), ("soon", 1)):
        with identity_provider(Provider(expires_in=life)) as provider:
            tokens = Tokens(TokenEndpoint(provider.url, "docket", "hush", "refresh-1", "mail"))
            assert len({tokens.current() for _ in range(3)}) == asked
            assert provider.forms[0] == {
                "grant_type": "refresh_token",
                "refresh_token": "refresh-1",
                "client_id": "docket",
                "client_secret": "hush",
                "scope": "mail",
            }


@pytest.mark.needs("dovecot")
def test_a_token_withdrawn_before_its_end_is_renewed_once_and_the_mail_is_read(
    open_mailbox: OpenMailbox,
) -> None:
    provider = Provider()
    with a_mailbox_by_token(provider) as (dovecot, tokens):
        dovecot.deliver(a_mail())
        tokens.current()
        provider.good.clear()
        mailbox, record = open_mailbox(dovecot.place, login(tokens)), Record()
        record.read(mailbox)
        assert record.raws == [a_mail()]
        assert len(provider.forms) == 2
        mailbox.close()


@pytest.mark.needs("dovecot")
def test_a_fresh_token_that_is_refused_too_is_a_refused_login(open_mailbox: OpenMailbox) -> None:
    provider = Provider(answer=(200, {"access_token": "of somebody else", "expires_in": 3600}))
    with a_mailbox_by_token(provider) as (dovecot, tokens):
        with pytest.raises(LoginRefused):
            open_mailbox(dovecot.place, login(tokens)).connect()
        assert len(provider.forms) == 2


@pytest.mark.needs("dovecot")
@pytest.mark.parametrize("error", ["invalid_grant", "invalid_client", "unauthorized_client"])
def test_a_provider_that_refuses_is_a_refused_login(open_mailbox: OpenMailbox, error: str) -> None:
    with (
        a_mailbox_by_token(Provider(answer=(400, {"error": error}))) as (dovecot, tokens),
        pytest.raises(LoginRefused),
    ):
        open_mailbox(dovecot.place, login(tokens)).connect()


@pytest.mark.needs("dovecot")
@pytest.mark.parametrize("status", [302, 429, 500, 503])
def test_a_provider_in_trouble_is_tried_again_and_named(open_mailbox: OpenMailbox, status: int) -> None:
    with (
        a_mailbox_by_token(Provider(answer=(status, {"error": "temporarily_unavailable"}))) as (
            dovecot,
            tokens,
        ),
        pytest.raises(MailboxUnreachable, match="identity provider") as told,
    ):
        open_mailbox(dovecot.place, login(tokens)).connect()
    assert "hush" not in str(told.value)


def test_an_answer_that_is_no_token_is_no_token() -> None:
    for said in ({}, {"access_token": ""}, {"access_token": 7}):
        with (
            identity_provider(Provider(answer=(200, dict(said)))) as provider,
            pytest.raises(TokenUnreachable),
        ):
            Tokens(TokenEndpoint(provider.url, "docket")).current()
    with pytest.raises(TokenUnreachable, match="cannot be reached"):
        Tokens(TokenEndpoint(provider.url, "docket", timeout_s=2.0)).current()


def test_without_a_refresh_token_the_application_asks_for_itself() -> None:
    with identity_provider(Provider()) as provider:
        Tokens(TokenEndpoint(provider.url, "docket", "hush", scope="all")).current()
        assert provider.forms[0]["grant_type"] == "client_credentials"


def test_the_relay_is_shown_a_fresh_token_when_it_refuses_the_first(tmp_path: Path) -> None:
    with identity_provider(Provider()) as provider:
        tokens = Tokens(TokenEndpoint(provider.url, "docket", "hush", "refresh-1"))
        with ScriptedRelay({"AUTH": b"535 5.7.8 stale"}) as server:
            assert sent(server.place, a_letter(), login=login(tokens)).state is DeliveryState.TRY_LATER
        assert len([line for line in server.lines if line.startswith("AUTH")]) == 2
        assert len(provider.forms) == 2
        provider.answer = (400, {"error": "invalid_grant"})
        with ScriptedRelay({}) as server:
            told = sent(server.place, a_letter(), login=AccessToken(tokens.renewed))
    assert told.state is DeliveryState.TRY_LATER
    assert "identity provider refuses a token (invalid_grant)" in told.detail


def test_a_refresh_token_that_is_replaced_is_kept_sealed_and_outlives_the_process(tmp_path: Path) -> None:
    key = Fernet.generate_key()
    sealed = SealedToken(tmp_path / SEALED_TOKEN, (key,), "refresh-1")
    with identity_provider(Provider(rotates=True, expires_in=0)) as provider:
        endpoint = TokenEndpoint(provider.url, "docket", "", "refresh-1")
        Tokens(endpoint, sealed.read, sealed.keep).current()
        Tokens(endpoint, sealed.read, sealed.keep).current()  # as after a restart
        assert [one["refresh_token"] for one in provider.forms] == ["refresh-1", "refresh-2"]
        with pytest.raises(TokenRefused, match="invalid_grant"):
            Tokens(endpoint).current()  # the one in the settings has ended
    assert b"refresh" not in sealed.file.read_bytes()
    assert sealed.file.stat().st_mode & 0o077 == 0
    assert SealedToken(sealed.file, (Fernet.generate_key(), key), "refresh-1").read() == "refresh-3"
    assert SealedToken(sealed.file, (key,), "a new one in the settings").read() == ""
    assert SealedToken(sealed.file, (Fernet.generate_key(),), "refresh-1").read() == ""


def test_with_a_provider_neither_mailbox_nor_relay_needs_a_password(tmp_path: Path) -> None:
    given = {
        "DOCKET_IMAP_URL": "imaps://a%40b.example;AUTH=XOAUTH2@host/",
        "DOCKET_IMAP_SINCE": "2026-03-02",
        "DOCKET_SMTP_URL": "smtps://a%40b.example;AUTH=XOAUTH2@host",
        "DOCKET_MAIL_FROM": "a@b.example",
        "DOCKET_OAUTH_TOKEN_URL": "https://login.example/token",
        "DOCKET_OAUTH_CLIENT_ID": "docket",
    }
    (tmp_path / ".env").touch()
    settings = load_settings(tmp_path / ".env", given, parts=(Part.IMAP, Part.SMTP))
    require(settings, Part.IMAP, Part.SMTP)
    servers = mail_servers(settings)
    assert settings.imap_url is not None
    assert settings.smtp_url is not None
    assert isinstance(servers.login_of(settings.imap_url, None), AccessToken)
    assert isinstance(servers.login_of(settings.smtp_url, None), AccessToken)
    without = {name: value for name, value in given.items() if "OAUTH" not in name}
    with pytest.raises(SettingsFault, match="DOCKET_IMAP_PASSWORD is missing"):
        load_settings(tmp_path / ".env", without, parts=(Part.IMAP,))
