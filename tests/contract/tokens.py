"""A token server: says who an access token belongs to, as an identity provider's introspection does."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
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
