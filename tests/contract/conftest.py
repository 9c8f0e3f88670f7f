"""Mail servers for the contract tests: one test body, every server that can take it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from intake.mail_login import Login, Password
from intake.mail_urls import MailServer
from intake.mailbox import Mailbox, Patience
from tests.contract.certificates import Authority
from tests.contract.dovecot import SECRET, Dovecot
from tests.contract.embedded_mail import EmbeddedMail

# Short enough that a broken server fails a test soon, long enough for two busy cores.
PATIENCE = Patience(connect_s=10.0, read_s=20.0)

OpenMailbox = Callable[..., Mailbox]


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    """A Dovecot with an empty mailbox."""
    with Dovecot() as server:
        yield server


@pytest.fixture(
    params=[
        pytest.param(Dovecot, id="dovecot", marks=pytest.mark.needs("dovecot")),
        pytest.param(EmbeddedMail, id="embedded"),
    ]
)
def mail_server(request: pytest.FixtureRequest) -> Iterator[Dovecot | EmbeddedMail]:
    """Each mail server in turn, with an empty mailbox."""
    with request.param() as server:
        yield server


@pytest.fixture
def open_mailbox() -> Iterator[OpenMailbox]:
    """Make mailboxes that are closed when the test ends."""
    with ExitStack() as stack:

        def make(
            place: MailServer,
            login: Login | None = None,
            *,
            authority: Authority | None = None,
            patience: Patience = PATIENCE,
        ) -> Mailbox:
            ca = authority.root if authority else None
            mailbox = Mailbox(place, login or Password(SECRET), private_ca=ca, patience=patience)
            return stack.enter_context(mailbox)

        yield make


@pytest.fixture
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A throw-away certificate authority; readable by a server that gives up root."""
    return Authority(tmp_path_factory.mktemp("authority"))
