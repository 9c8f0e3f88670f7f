"""The frame that tests stand in: the network shut, absent servers left out, and nothing skipped unseen."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests import network
from tests.network import NetworkShut
from tests.servers import SERVERS, Server, main

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = "192.0.2.1"  # RFC 5737: an address that is nobody's


def test_a_connection_to_another_machine_is_refused() -> None:
    with socket.socket() as plain, pytest.raises(NetworkShut):
        plain.connect((ELSEWHERE, 80))
    with socket.socket(type=socket.SOCK_DGRAM) as datagram, pytest.raises(NetworkShut):
        datagram.sendto(b"x", (ELSEWHERE, 53))


def test_no_name_server_is_asked() -> None:
    with pytest.raises(NetworkShut):
        socket.create_connection(("mail.city.example", 25))


def test_this_machine_can_be_reached() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as caller,
    ):
        assert caller.getpeername() == server.getsockname()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", b"localhost", None, ""])
def test_this_machine_has_many_names(host: object) -> None:
    assert network.is_this_machine(host)


@pytest.mark.parametrize("host", ["10.0.0.1", "localhost.example", "::2", b"mail.example", "2130706433x"])
def test_what_only_resembles_them_is_another_machine(host: object) -> None:
    assert not network.is_this_machine(host)


def _absent() -> None:
    return None


HERE = Server("here", "here-pkg", lambda: Path("/bin/sh"))
AWAY = Server("away", "away-pkg", _absent)


@pytest.mark.parametrize(("strict", "status"), [(False, 0), (True, 1)])
def test_an_absent_server_is_one_line_and_on_ci_a_failure(
    capsys: pytest.CaptureFixture[str], strict: bool, status: int
) -> None:
    assert main([HERE, AWAY], strict=strict) == status
    assert (
        capsys.readouterr().out
        == "away not found: its tests are left out. To run them: apt-get install away-pkg\n"
    )


def test_with_all_servers_there_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([HERE], strict=True) == 0
    assert capsys.readouterr().out == ""


SKIPS = "import pytest\ndef test_one(): pytest.skip('no reason')\ndef test_two(): pass\n"
AT_IMPORT = "import pytest\npytest.skip('no reason', allow_module_level=True)\n"
XFAILS = "import pytest\n@pytest.mark.xfail\ndef test_one(): assert False\n"
PASSES = "def test_one(): pass\n"
NEEDS = "import pytest\n@pytest.mark.needs('away')\ndef test_one(): assert False\ndef test_two(): pass\n"

# The frame as a plugin, with one more server that is nowhere.
FRAME = """
from pathlib import Path
from tests import servers
servers.SERVERS["away"] = servers.Server("away", "away-pkg", lambda: None)
from tests.conftest import *
"""


def _session(folder: Path, text: str, *, ci: bool, workers: int = 0) -> tuple[int, str]:
    (folder / "frame.py").write_text(FRAME)
    (folder / "test_it.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = needs: a server\n")
    environ = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")}
    environ |= {"PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])} | ({"CI": "true"} if ci else {})
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "frame", "-p", "no:cacheprovider"),
            *(f"--numprocesses={workers}", str(folder / "test_it.py")),
        ],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return ended.returncode, ended.stdout + ended.stderr


@pytest.mark.end_to_end
@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("text", [SKIPS, AT_IMPORT, XFAILS])
def test_on_ci_a_test_that_did_not_run_to_its_end_fails_the_session(
    tmp_path: Path, text: str, workers: int
) -> None:
    status, said = _session(tmp_path, text, ci=True, workers=workers)
    assert status == 1, said
    assert "skipped, which counts as a failure here: " in said


@pytest.mark.end_to_end
def test_elsewhere_a_skip_is_no_failure_and_on_ci_a_session_that_passed_passes(tmp_path: Path) -> None:
    assert _session(tmp_path, SKIPS, ci=False)[0] == 0
    assert _session(tmp_path, PASSES, ci=True)[0] == 0


@pytest.mark.end_to_end
def test_a_test_of_an_absent_server_is_left_out_with_a_line_saying_what_to_install(tmp_path: Path) -> None:
    status, said = _session(tmp_path, NEEDS, ci=False)
    assert status == 0, said
    assert "1 left out: away not found" in said
    assert "apt-get install away-pkg" in said
    assert "1 passed, 1 deselected" in said


@pytest.mark.end_to_end
def test_several_processes_say_together_what_was_left_out_and_how_to_run_it(tmp_path: Path) -> None:
    status, said = _session(tmp_path, NEEDS, ci=False, workers=2)
    assert status == 0, said
    assert said.count("1 left out: away not found") == 1
    assert "1 passed" in said


@pytest.mark.end_to_end
def test_on_ci_an_absent_server_is_an_error(tmp_path: Path) -> None:
    status, said = _session(tmp_path, NEEDS, ci=True)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "apt-get install away-pkg" in said


@pytest.mark.end_to_end
def test_a_mark_that_names_no_known_server_is_an_error(tmp_path: Path) -> None:
    status, said = _session(tmp_path, NEEDS.replace("away", "nowhere"), ci=False)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "does not know" in said


def test_the_servers_are_those_that_ci_installs() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert {server.package for server in SERVERS.values()} <= set(script.split())
