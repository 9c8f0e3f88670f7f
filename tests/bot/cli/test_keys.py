"""`docket keys` and `docket settings`, typed: no secret is ever shown."""

import json
import os
from pathlib import Path

import pytest

from bot.cli.common import account
from bot.cli.env_file import put_into_env
from bot.cli.keys import _the_only_one
from bot.errors import StartFault
from bot.opening import only_copy
from bot.settings import load_settings
from store.proceedings.roster import link, unlink
from store.rules.facts import LinkKind
from tests.bot.cli.shell import Shell
from tests.kill_acts import KillAt
from tests.proceedings.builders import KEY, Board


def _keys(shell: Shell) -> list[str]:
    lines = (shell.folder / ".env").read_text().splitlines()
    return next(line for line in lines if line.startswith("DOCKET_KEYS=")).partition("=")[2].split(",")


def _typed(shell: Shell, *words: str) -> tuple[int, str, str]:
    said = shell.try_(*words)
    return said.status, said.out, said.err


@pytest.fixture
def it(shell: Shell, board: Board) -> Shell:
    """The command line, run by IT and no clerk."""
    unlink(board.docket, board.clerk, board.person("Clara Clerk"), LinkKind.SYSTEM_ACCOUNT, account())
    link(board.docket, board.clerk, board.person("Ivo Machinist"), LinkKind.SYSTEM_ACCOUNT, account())
    return shell


def test_keys_are_rotated_the_old_one_kept_and_then_retired(it: Shell, board: Board) -> None:
    number = board.case()
    assert "No older key is set." in _typed(it, "keys", "show")[1]
    status, out, err = _typed(it, "keys", "rotate")
    assert status == 0, err
    new, old = _keys(it)
    assert old == KEY
    assert new not in out + err
    assert KEY not in out + err
    assert "Older keys can go" in _typed(it, "keys", "show")[1]
    status, out, err = _typed(it, "keys", "rotate", "--retire")
    assert status == 0, err
    (newest,) = _keys(it)
    assert newest not in {new, old}
    assert it.try_("verify").out.startswith("All is well")
    assert board.file(number).number == number
    assert (it.folder / ".env").stat().st_mode & 0o077 == 0


def test_of_two_rotations_at_once_the_second_stops_whatever_database_it_is(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.touch()
    second = _the_only_one(env)
    with _the_only_one(env), pytest.raises(StartFault, match="Another `docket keys rotate`"):
        second.__enter__()
    with _the_only_one(env):
        pass


def test_keys_that_a_killed_rotation_left_beside_the_settings_go_with_the_next(it: Shell) -> None:
    (it.folder / "..env.0123abcd").write_text("DOCKET_KEYS=x\n")
    (it.folder / "..env.of-mine").touch()
    assert _typed(it, "keys", "rotate")[0] == 0
    assert not (it.folder / "..env.0123abcd").exists()
    assert (it.folder / "..env.of-mine").exists()


def test_nothing_is_rotated_while_docket_runs(it: Shell) -> None:
    with only_copy(load_settings(it.folder / ".env")):
        said = it.refused("keys", "rotate")
    steps = [said.index(one) for one in ("systemctl stop", "docket keys rotate", "systemctl start")]
    assert steps == sorted(steps)
    assert "this one stops" not in said
    assert _keys(it) == [KEY]


def test_keys_that_do_not_come_from_the_file_are_not_touched(
    it: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = it.folder / ".env"
    env.write_text("\n".join(line for line in env.read_text().splitlines() if "KEYS" not in line) + "\n")
    monkeypatch.setenv("DOCKET_KEYS", KEY)
    assert "does not come from the .env file" in it.refused("keys", "rotate")


def test_settings_are_shown_without_any_secret(shell: Shell, board: Board, tmp_path: Path) -> None:
    with (shell.folder / ".env").open("a") as file:
        file.write(
            "SLACK_BOT_TOKEN=xoxb-very-secret\nDOCKET_IMAP_URL=imaps://box@mail.example/INBOX\n"
            "DOCKET_IMAP_PASSWORD=hunter2\nDOCKET_DATABASE_URL=postgresql://me:pa55@db.example/docket?sslmode=verify-full\n"
        )
    said = shell.run("settings", "show")
    found = json.loads(shell.run("settings", "show", "--json").out)
    assert found["SLACK_BOT_TOKEN"] == "set"
    assert found["SLACK_APP_TOKEN"] == "not set"
    assert found["DOCKET_KEYS"] == "set (1)"
    assert found["DOCKET_IMAP_URL"].startswith("mail.example:993")
    assert found["DOCKET_DATABASE_URL"] == "set"
    for secret in (KEY, "very-secret", "hunter2", "pa55"):
        assert secret not in said.out + json.dumps(found)


@pytest.mark.parametrize("written", ["export DOCKET_KEYS={}", "DOCKET_KEYS = '{}'", '  DOCKET_KEYS="{}"'])
def test_the_new_key_is_put_there_however_the_line_is_written(it: Shell, written: str) -> None:
    env = it.folder / ".env"
    env.write_text(env.read_text().replace(f"DOCKET_KEYS={KEY}", written.format(KEY)))
    status, _out, err = _typed(it, "keys", "rotate", "--retire")
    assert status == 0, err
    assert KEY not in env.read_text()
    assert it.try_("verify").out.startswith("All is well")


def test_keys_in_a_form_that_cannot_be_rewritten_stay_as_they_are(it: Shell) -> None:
    env = it.folder / ".env"
    env.write_text(env.read_text().replace(f"DOCKET_KEYS={KEY}", f"CITY_KEY={KEY}\nDOCKET_KEYS='\n{KEY}\n'"))
    before = env.read_text()
    assert it.try_("keys", "rotate").status == 1
    assert env.read_text() == before


def test_a_linked_settings_file_stays_a_link_and_its_group_keeps_reading_it(
    it: Shell, tmp_path: Path
) -> None:
    env, real = it.folder / ".env", tmp_path / "docket.env"
    env.replace(real)
    real.chmod(0o640)
    env.symlink_to(real)
    status, _out, err = _typed(it, "keys", "rotate")
    assert status == 0, err
    assert env.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640


def test_whoever_may_not_rotate_the_keys_changes_nothing_in_the_settings_file(shell: Shell) -> None:
    before = (shell.folder / ".env").read_bytes()
    assert "not yours" in shell.refused("keys", "rotate")
    assert (shell.folder / ".env").read_bytes() == before


def test_the_settings_file_is_the_old_or_the_new_one_wherever_the_process_dies(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    old = "# the city\nDOCKET_KEYS=AAAA\nDOCKET_MAIL_FROM=board@city.example\n"
    new = old.replace("AAAA", "BBBB,AAAA")
    seen = set()
    for place in range(1, 12):
        env.write_text(old)
        child = os.fork()
        if child == 0:
            faults = KillAt(place, str(tmp_path))
            faults.watch_files()
            put_into_env(env, {"DOCKET_KEYS": "BBBB,AAAA"})
            os._exit(0)
        _pid, status = os.waitpid(child, 0)
        seen.add((os.WIFSIGNALED(status), env.read_text() == new))
        assert env.read_text() in {old, new}
    assert (True, False) in seen
    assert (False, True) in seen
