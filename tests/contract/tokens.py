"""An identity provider: gives access tokens for refresh tokens, and says who a token belongs to."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from tests.contract.dovecot import ACCOUNT

GOOD_TOKEN = "good-token"


class _Introspection(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        good = parse_qs(body).get("token") == [GOOD_TOKEN]
        said = json.dumps({"active": True, "username": ACCOUNT} if good else {"active": False}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@dataclass
class Provider:
    """What an identity provider knows and was asked.

    Attributes:
        refresh_token: the one that it takes; it gives another with each token where `rotates`.
        expires_in: how long it says a token lives.
        answer: status and JSON instead of a token; None gives one.
        good: tokens that introspection calls active.
        forms: what was posted to the token endpoint.
    """

    refresh_token: str = "refresh-1"
    expires_in: object = 3600
    rotates: bool = False
    answer: tuple[int, dict[str, object]] | None = None
    good: set[str] = field(default_factory=set)
    forms: list[dict[str, str]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        """The token endpoint."""
        return f"http://127.0.0.1:{self.port}/token"

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        """Answer at the token endpoint (RFC 6749, 5.1 and 5.2)."""
        self.forms.append(form)
        if self.answer is not None:
            return self.answer
        if form["grant_type"] == "refresh_token" and form["refresh_token"] != self.refresh_token:
            return 400, {"error": "invalid_grant"}
        token = f"access-{len(self.forms)}"
        self.good.add(token)
        said: dict[str, object] = {"access_token": token, "expires_in": self.expires_in}
        if self.rotates:
            self.refresh_token = f"refresh-{len(self.forms) + 1}"
            said["refresh_token"] = self.refresh_token
        return 200, said


@contextmanager
def identity_provider(provider: Provider) -> Iterator[Provider]:
    """Run one: `/token` gives tokens, every other path says whether a token is good."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            if self.path == "/token":
                status, said = provider.token(form)
            else:
                good = form.get("token") in provider.good
                status, said = 200, {"active": good, "username": ACCOUNT if good else ""}
            sent = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        provider.port = server.server_address[1]
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def token_server() -> Iterator[int]:
    """Run one; give its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Introspection) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def oauth_settings(port: int, folder: str) -> str:
    """Give the lines that make Dovecot ask the token server; to be written with `oauth_file`."""
    return f"""
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
# asks the token server on port {port}
"""


def oauth_file(port: int) -> str:
    """Give the file that `oauth_settings` names."""
    return f"""
introspection_url = http://127.0.0.1:{port}/
introspection_mode = post
username_attribute = username
active_attribute = active
active_value = true
"""
