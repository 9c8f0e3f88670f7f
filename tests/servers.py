"""The real servers that some tests need: where they are, and what to install where they are not.

`python -m tests.servers` says in one line each what is missing. With `CI=true` an absent server is a failure.
"""

import os
import pwd
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

# Debian keeps daemons and PostgreSQL's own programs out of an ordinary PATH.
DAEMON_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/sbin")
POSTGRES_FOLDERS = Path("/usr/lib/postgresql")
POSTGRES_ACCOUNT = "postgres"


@dataclass(frozen=True)
class Server:
    """A program that is not ours and that some tests run.

    Attributes:
        name: what a test's `needs` mark calls it.
        package: the Debian package that brings it.
        find: gives the program (PostgreSQL: the folder of its programs), or None where it is not found.
    """

    name: str
    package: str
    find: Callable[[], Path | None]

    def missing_line(self) -> str:
        """Say in one line which tests are left out and what brings them back."""
        return f"{self.name} not found: its tests are left out. To run them: apt-get install {self.package}"


def _program(*names: str) -> Path | None:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *DAEMON_FOLDERS])
    found = (shutil.which(name, path=path) for name in names)
    return next((Path(one) for one in found if one), None)


def _account_exists(account: str) -> bool:
    try:
        pwd.getpwnam(account)
    except KeyError:
        return False
    return True


def find_dovecot() -> Path | None:
    """Give the IMAP server's program."""
    return _program("dovecot")


def find_postgres() -> Path | None:
    """Give the folder of the newest PostgreSQL's initdb and pg_ctl.

    For root there must also be an account to run it, as PostgreSQL refuses to run as root.
    """
    if os.geteuid() == 0 and not (_account_exists(POSTGRES_ACCOUNT) and _program("runuser")):
        return None
    versions = sorted(POSTGRES_FOLDERS.glob("*/bin"), key=lambda folder: _version(folder.parent.name))
    complete = [
        folder for folder in versions if (folder / "initdb").is_file() and (folder / "pg_ctl").is_file()
    ]
    return complete[-1] if complete else None


def _version(folder_name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in folder_name.split(".") if part.isdigit())


def find_chromium() -> Path | None:
    """Give the browser's program."""
    return _program("chromium", "chromium-browser", "google-chrome")


def find_systemd_analyze() -> Path | None:
    """Give the program that checks unit files."""
    return _program("systemd-analyze")


def find_openssl() -> Path | None:
    """Give OpenSSL's program, which stamps and checks time stamps."""
    return _program("openssl")


SERVERS = {
    server.name: server
    for server in (
        Server("dovecot", "dovecot-imapd", find_dovecot),
        Server("postgresql", "postgresql", find_postgres),
        Server("chromium", "chromium", find_chromium),
        Server("systemd-analyze", "systemd", find_systemd_analyze),
        Server("openssl", "openssl", find_openssl),
    )
}


def absent(servers: Iterable[Server] = SERVERS.values()) -> tuple[Server, ...]:
    """Give those that are not on this machine."""
    return tuple(server for server in servers if server.find() is None)


def on_ci(environ: Mapping[str, str] = os.environ) -> bool:
    """Say whether absence and skipping count as failures here."""
    return environ.get("CI", "").lower() == "true"


def main(servers: Iterable[Server] = SERVERS.values(), *, strict: bool | None = None) -> int:
    """Print a line for each absent server; give the exit status.

    Args:
        servers: those to look for.
        strict: absence is a failure; None asks the environment (`CI=true`).
    """
    strict = on_ci() if strict is None else strict
    missing = absent(servers)
    for server in missing:
        sys.stdout.write(server.missing_line() + "\n")
    return 1 if missing and strict else 0


if __name__ == "__main__":
    sys.exit(main())
