"""`docket sign-in`: an account's consent, given in a browser somewhere, becomes the refresh token in `.env`."""

import base64
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from bot.cli.env_file import put_into_env, read_env
from bot.cli.sign_in import REDIRECT, REFRESH, Consent, consent_for, sign_in
from bot.errors import StartFault
from bot.settings import load_settings
from intake.tokens import TokenEndpoint, Tokens, redeem
from tests.contract.tokens import Provider, identity_provider

pytestmark = pytest.mark.contract
GOOGLE = "https://oauth2.googleapis.com/token"
PAGE = "https://id.city.example/authorize"


@pytest.fixture
def identity() -> Iterator[Provider]:
    with identity_provider(Provider()) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path, identity: Provider) -> Path:
    put_into_env(
        tmp_path / ".env",
        {
            "DOCKET_DATA_DIR": "data",
            "DOCKET_IMAP_URL": "imaps://ethics@city.example;AUTH=XOAUTH2@imap.gmail.com/INBOX",
            "DOCKET_OAUTH_TOKEN_URL": identity.url,
            "DOCKET_OAUTH_CLIENT_ID": "an-app",
            "DOCKET_OAUTH_CLIENT_SECRET": "its-secret",
        },
    )
    return tmp_path


def test_google_is_asked_for_the_mail_scope_and_a_token_that_lasts(folder: Path) -> None:
    put_into_env(folder / ".env", {"DOCKET_OAUTH_TOKEN_URL": GOOGLE})
    consent = consent_for(load_settings(folder / ".env", {}), None)
    asked = {name: value[0] for name, value in parse_qs(urlsplit(consent.address).query).items()}
    assert consent.address.startswith("https://accounts.google.com/o/oauth2/v2/auth?")
    assert asked["scope"] == "https://mail.google.com/"
    assert (asked["access_type"], asked["prompt"]) == ("offline", "consent")
    assert asked["login_hint"] == "ethics@city.example"
    assert asked["redirect_uri"] == REDIRECT
    digest = hashlib.sha256(consent.verifier.encode()).digest()
    assert asked["code_challenge"] == base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert consent.verifier not in consent.address
    assert "its-secret" not in consent.address


def test_the_code_becomes_a_refresh_token_with_which_tokens_are_fetched(identity: Provider) -> None:
    endpoint = TokenEndpoint(identity.url, "an-app", "its-secret")
    identity.answer = (200, {"access_token": "first", "refresh_token": "refresh-1"})
    token = redeem(endpoint, "a-code", redirect=REDIRECT, verifier="v" * 64)
    assert identity.forms[-1] == {
        "grant_type": "authorization_code",
        "code": "a-code",
        "redirect_uri": REDIRECT,
        "code_verifier": "v" * 64,
        "client_id": "an-app",
        "client_secret": "its-secret",
    }
    identity.answer = None
    assert Tokens(TokenEndpoint(identity.url, "an-app", "its-secret", token)).current() in identity.good


def _consent() -> Consent:
    return Consent(PAGE, TokenEndpoint("https://id.city.example/token", "an-app"), "", state="the-state")


def test_the_code_is_read_out_of_the_whole_address_that_was_pasted() -> None:
    assert _consent().code_in(f"  {REDIRECT}/?state=the-state&code=4%2F0Ab&scope=x \n") == "4/0Ab"


@pytest.mark.parametrize(
    ("pasted", "says"),
    [
        (f"{REDIRECT}/?state=another&code=4", "no answer to this sign-in"),
        ("4/0AbCdEf", "no answer to this sign-in"),
        (f"{REDIRECT}/?state=the-state", "no code"),
        (f"{REDIRECT}/?error=access_denied&state=the-state", "did not let"),
    ],
)
def test_what_is_no_answer_to_this_sign_in_changes_nothing(folder: Path, pasted: str, says: str) -> None:
    before = (folder / ".env").read_bytes()
    done = CliRunner().invoke(sign_in, ["--data", str(folder), "--page", PAGE], input=f"{pasted}\n")
    assert done.exit_code == 2
    assert (folder / ".env").read_bytes() == before
    with pytest.raises(Exception, match=says):
        _consent().code_in(pasted)


def test_a_provider_that_refuses_the_code_changes_nothing(folder: Path, identity: Provider) -> None:
    identity.answer = (400, {"error": "invalid_grant"})
    before = (folder / ".env").read_bytes()
    assert "invalid_grant" in _signed_in(folder, status=1)
    assert (folder / ".env").read_bytes() == before


def test_a_sign_in_writes_the_refresh_token_and_shows_it_nowhere(folder: Path, identity: Provider) -> None:
    identity.answer = (200, {"access_token": "first", "refresh_token": "the-refresh-token"})
    said = _signed_in(folder, status=0)
    assert read_env(folder / ".env")[REFRESH] == "the-refresh-token"
    assert (folder / ".env").stat().st_mode & 0o077 == 0
    assert "the-refresh-token" not in said
    assert "its-secret" not in said


def _signed_in(folder: Path, *, status: int) -> str:
    """Play the person: open the address shown, consent, paste where the browser was sent; give all that was said."""
    command = [sys.executable, "-c", "from bot.cli import main; main()", "sign-in", "--data", str(folder)]
    with subprocess.Popen(
        [*command, "--page", PAGE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = next(line.strip() for line in process.stdout if PAGE in line)
        (state,) = parse_qs(urlsplit(address).query)["state"]
        said, _none = process.communicate(f"{REDIRECT}/?code=a-code&state={state}\n", timeout=60)
        assert process.returncode == status, said
    return address + said


def test_without_a_provider_or_its_page_it_says_what_to_set(folder: Path) -> None:
    with pytest.raises(StartFault, match="--page"):
        consent_for(load_settings(folder / ".env", {}), None)
    put_into_env(folder / ".env", {"DOCKET_OAUTH_TOKEN_URL": ""})
    with pytest.raises(StartFault, match="DOCKET_OAUTH_TOKEN_URL"):
        consent_for(load_settings(folder / ".env", {}), None)
