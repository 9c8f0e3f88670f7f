"""A record opened from settings: faults told in plain lines before anything starts (R7)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.clock import PracticeClock, SystemClock
from bot.errors import StartFault
from bot.opening import PRACTICE_MARK, Opened, only_copy, opened, opened_at
from bot.settings import Part, SettingsFault, load_settings
from store.cases import Docket
from tests.clocks import A_MONDAY_MORNING
from tests.proceedings.builders import KEY


def a_folder(tmp_path: Path, **more: str) -> Path:
    lines = {"DOCKET_KEYS": KEY, "DOCKET_MAIL_FROM": "board@bramwell-ky.example", **more}
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    return tmp_path


@pytest.fixture
def closing() -> Iterator[list[Opened]]:
    """Records to close at the end."""
    made: list[Opened] = []
    yield made
    for one in made:
        one.docket.database.engine.dispose()
        one.press.close()


def test_a_new_folder_gets_its_record_under_data(tmp_path: Path, closing: list[Opened]) -> None:
    closing.append(opened_at(a_folder(tmp_path)))
    assert isinstance(closing[0].docket, Docket)
    assert (tmp_path / "data" / "docket.sqlite3").is_file()
    assert closing[0].docket.practice is False
    assert isinstance(closing[0].clock, SystemClock)


def test_a_practice_folder_is_marked_and_follows_its_own_clock(tmp_path: Path, closing: list[Opened]) -> None:
    folder = a_folder(tmp_path)
    (folder / "data").mkdir()
    (folder / "data" / PRACTICE_MARK).touch()
    PracticeClock(folder / "data").set_to(A_MONDAY_MORNING)
    closing.append(opened_at(folder))
    assert closing[0].docket.practice is True
    assert closing[0].docket.clock.now().date() == A_MONDAY_MORNING.date()


def test_missing_keys_are_named_with_their_mend(tmp_path: Path) -> None:
    with pytest.raises(SettingsFault, match="DOCKET_KEYS is missing"):
        opened_at(a_folder(tmp_path, DOCKET_KEYS=""))


def test_the_parts_that_a_command_needs_are_asked_for(tmp_path: Path) -> None:
    with pytest.raises(SettingsFault, match="SLACK_BOT_TOKEN"):
        opened_at(a_folder(tmp_path), parts=(Part.RECORD, Part.SLACK))


def test_a_folder_without_settings_is_told(tmp_path: Path) -> None:
    with pytest.raises(StartFault, match=r"no \.env"):
        opened_at(tmp_path)


def test_other_keys_than_the_records_are_told_and_change_nothing(
    tmp_path: Path, closing: list[Opened]
) -> None:
    closing.append(opened_at(a_folder(tmp_path)))
    a_folder(tmp_path, DOCKET_KEYS=Fernet.generate_key().decode())
    with pytest.raises(StartFault, match="key"):
        opened_at(tmp_path)
    a_folder(tmp_path)
    closing.append(opened_at(tmp_path))


def test_a_profile_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    profile = tmp_path / "own.toml"
    profile.write_text("[city]\n")
    with pytest.raises(StartFault):
        opened_at(a_folder(tmp_path, DOCKET_PROFILE=str(profile)))
    profile.write_bytes(b"\xff\xfe")
    with pytest.raises(StartFault, match="profile cannot be read"):
        opened_at(tmp_path)


def test_a_database_file_that_is_none_is_told(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (folder / "data").mkdir()
    (folder / "data" / "docket.sqlite3").write_bytes(b"no database, but long enough to be read as one" * 40)
    with pytest.raises(StartFault, match="damaged"):
        opened_at(folder)


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = a_folder(tmp_path / "city", DOCKET_DATA_DIR=str(tmp_path / "file" / "data"))
    settings = load_settings(folder / ".env", parts=(Part.RECORD,))
    with pytest.raises(StartFault, match="data folder"):
        opened(settings, SystemClock())


# -- two copies ---------------------------------------------------------------------------------------


def test_a_second_copy_on_one_folder_is_told_in_one_line(tmp_path: Path) -> None:
    settings = load_settings(a_folder(tmp_path) / ".env")
    with only_copy(settings), pytest.raises(StartFault, match="Another") as told, only_copy(settings):
        pass
    assert len(told.value.lines) == 1


def test_the_folder_is_free_again_when_the_first_copy_ended(tmp_path: Path) -> None:
    settings = load_settings(a_folder(tmp_path) / ".env")
    for _ in range(2):
        with only_copy(settings):
            pass


def test_on_postgresql_several_copies_may_run(tmp_path: Path) -> None:
    folder = a_folder(
        tmp_path, DOCKET_DATABASE_URL="postgresql://docket@db.city.example/docket?sslmode=verify-full"
    )
    settings = load_settings(folder / ".env")
    with only_copy(settings), only_copy(settings):
        pass


def test_a_data_folder_that_cannot_be_locked_is_told_in_a_plain_line(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (folder / "data" / "docket-run.lock").mkdir(parents=True)
    settings = load_settings(folder / ".env", {})
    with pytest.raises(StartFault, match="data folder cannot be used"), only_copy(settings):
        pass
