"""`docket sign-in`: the Board's mail account consents once, in any browser, and its refresh token goes into `.env`.

For providers whose tokens belong to an account (Google). The browser may stand on another machine: it is sent to an
address at which nobody listens, and that address is pasted here (RFC 8252, section 7.3; RFC 7636).
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import click

from bot.cli.common import RecordCommand, Told, Unusable, data_option, say
from bot.cli.env_file import put_into_env
from bot.cli.mail_servers import token_endpoint
from bot.errors import StartFault
from bot.settings import ENV_FILE, Settings, load_settings
from intake.mail_login import TokenRefused, TokenUnreachable
from intake.tokens import TokenEndpoint, redeem

REFRESH = "DOCKET_OAUTH_REFRESH_TOKEN"
REDIRECT = "http://127.0.0.1:8765"
"""Where the browser is sent afterwards. Nobody listens there; the address bar is all that is needed."""
_CONSENT: Mapping[str, str] = {
    "https://oauth2.googleapis.com/token": "https://accounts.google.com/o/oauth2/v2/auth"
}
_SCOPES: Mapping[str, str] = {"https://oauth2.googleapis.com/token": "https://mail.google.com/"}


@dataclass(frozen=True)
class Consent:
    """One try at an account's consent.

    Attributes:
        page: the provider's authorization endpoint.
        endpoint: where its code is redeemed.
        account: who is to consent; proposed to the provider.
        state: ties the answer to this try.
        verifier: proves that whoever redeems the code asked for it.
    """

    page: str
    endpoint: TokenEndpoint
    account: str
    state: str = field(default_factory=lambda: secrets.token_urlsafe(16), repr=False)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48), repr=False)

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        digest = hashlib.sha256(self.verifier.encode("ascii")).digest()
        asked = {
            "client_id": self.endpoint.client_id,
            "redirect_uri": REDIRECT,
            "response_type": "code",
            "scope": self.endpoint.scope or _SCOPES.get(self.endpoint.url, ""),
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode("ascii").rstrip("="),
            "code_challenge_method": "S256",
            "access_type": "offline",
            "prompt": "consent",
            "login_hint": self.account,
        }
        return f"{self.page}?{urlencode({name: value for name, value in asked.items() if value})}"

    def code_in(self, pasted: str) -> str:
        """Read the provider's answer out of the address to which the browser was sent.

        Raises:
            Unusable: it is no answer to this try, or the provider said no.
        """
        given = parse_qs(urlsplit(pasted.strip()).query)
        if given.get("error"):
            raise Unusable("The provider did not let the account consent. Nothing was changed. Begin anew.")
        if not secrets.compare_digest(given.get("state", [""])[0].encode(), self.state.encode()):
            raise Unusable(
                f"That is no answer to this sign-in. Nothing was changed. Begin anew, and paste the whole address "
                f"that begins with {REDIRECT}."
            )
        if not given.get("code"):
            raise Unusable("That address has no code in it. Nothing was changed. Begin anew.")
        return given["code"][0]


@click.command("sign-in", cls=RecordCommand)
@data_option
@click.option("--page", help="The provider's authorization endpoint, where it is not known (Google's is).")
def sign_in(data: Path | None, page: str | None) -> None:
    """Let the Board's mail account consent in a browser, and write its refresh token into .env.

    Set DOCKET_OAUTH_TOKEN_URL and DOCKET_OAUTH_CLIENT_ID before, and the client's secret where it has one.
    """
    env = (data or Path()) / ENV_FILE
    consent = consent_for(load_settings(env), page)
    say(
        f"Open this address in a browser, and sign in as {consent.account or 'the account of the Board'}:",
        f"  {consent.address}",
        f"Afterwards the browser is sent to an address that begins with {REDIRECT}, and cannot open it: that is as it "
        "must be. Copy that whole address from the address bar.",
    )
    code = consent.code_in(click.prompt("The address"))
    try:
        token = redeem(consent.endpoint, code, redirect=REDIRECT, verifier=consent.verifier)
    except (TokenRefused, TokenUnreachable) as fault:
        raise Told(
            f"The identity provider gave no token ({fault}). Nothing was changed. Check DOCKET_OAUTH_TOKEN_URL, client "
            "id and secret, and begin anew: an answer can be used once, within minutes."
        ) from fault
    put_into_env(env, {REFRESH: token})
    say(f"The account consented; {REFRESH} stands in {env}. Try it: docket doctor --data {env.parent}")


def consent_for(settings: Settings, page: str | None) -> Consent:
    """Prepare the sign-in that the settings name.

    Raises:
        StartFault: the settings name no provider, or one whose page is not known.
    """
    endpoint = token_endpoint(settings)
    if endpoint is None or not endpoint.client_id:
        raise StartFault(
            "No identity provider is set; nothing was changed. Set DOCKET_OAUTH_TOKEN_URL and DOCKET_OAUTH_CLIENT_ID "
            "in .env: bot/MAIL.md."
        )
    known = page or _CONSENT.get(endpoint.url)
    if known is None:
        raise StartFault(
            "Where this provider asks for consent is not known; nothing was changed. Name it: --page https://... Microsoft "
            "365 needs no sign-in where the application has its own permissions (bot/MAIL.md)."
        )
    account = settings.imap_url.account if settings.imap_url is not None else ""
    return Consent(known, endpoint, account)
