"""Settings: each one read, each fault named in one plain line with its mend, no secret shown."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.settings import (
    MENDS,
    NAMES,
    NEEDS,
    Encryption,
    Login,
    LogLevel,
    MailServer,
    Part,
    Settings,
    SettingsFault,
    load_settings,
    require,
)

EASTERN = ZoneInfo("America/New_York")
# The same in each process: they are in the names of tests, and two runs side by side must name them alike.
NEW_KEY, OLD_KEY = (urlsafe_b64encode(bytes([number]) * 32).decode() for number in (1, 2))
GOOD = {
    "SLACK_BOT_TOKEN": "xoxb-1-abc",
    "SLACK_APP_TOKEN": "xapp-1-abc",
    "SLACK_SIGNING_SECRET": "0123456789abcdef",
    "SLACK_API_URL": "http://127.0.0.1:8080/api",
    "SLACK_STAFF_CHANNEL": "C0123456789",
    "DOCKET_IMAP_URL": "imaps://ethics@city.example@imap.city.example/INBOX,Junk",
    "DOCKET_IMAP_PASSWORD": "imap password",
    "DOCKET_IMAP_SINCE": "2026-03-02",
    "DOCKET_SMTP_URL": "smtp+starttls://ethics@smtp.city.example",
    "DOCKET_SMTP_PASSWORD": "smtp password",
    "DOCKET_MAIL_FROM": "ethics@city.example",
    "DOCKET_KEYS": f"{NEW_KEY},{OLD_KEY}",
    "DOCKET_PROFILE": "./city.toml",
    "DOCKET_ALERT_TO": "it@city.example, clerk@city.example",
    "DOCKET_AUTHSERV_ID": "mx.city.example",
    "DOCKET_MAX_MAIL_MB": "25",
    "DOCKET_LOG_LEVEL": "Warning",
    "DOCKET_TRUST_ROOTS": "roots",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder as `docket` is run in: profile, certificates, and a settings file without content."""
    (tmp_path / "city.toml").touch()
    (tmp_path / "roots").mkdir()
    (tmp_path / ".env").touch()
    return tmp_path


def _load(home: Path, changed: Mapping[str, str] | None = None, *parts: Part) -> Settings:
    return load_settings(home / ".env", {**GOOD, **(changed or {})}, parts=parts)


def _faults(home: Path, changed: Mapping[str, str], *parts: Part) -> tuple[str, ...]:
    with pytest.raises(SettingsFault) as caught:
        _load(home, changed, *parts)
    return caught.value.lines


def test_good_settings_are_read_as_they_stand(home: Path) -> None:
    settings = _load(home, None, *Part)
    assert settings.slack_api_url == "http://127.0.0.1:8080/api/"
    assert settings.imap_url == MailServer(
        "imap.city.example", 993, Encryption.TLS, "ethics@city.example", Login.PASSWORD, ("INBOX", "Junk")
    )
    assert settings.smtp_url == MailServer("smtp.city.example", 587, Encryption.STARTTLS, "ethics")
    assert settings.key_ring() == (NEW_KEY.encode(), OLD_KEY.encode())
    assert settings.alert_to == ("it@city.example", "clerk@city.example")
    assert settings.log_level is LogLevel.WARNING
    assert settings.max_mail_mb == 25
    assert settings.profile == home / "city.toml"
    assert settings.trust_roots == home / "roots"
    assert settings.data_dir == home / "data"
    assert settings.database_url.get_secret_value() == f"sqlite:///{home}/data/docket.sqlite3"


def test_the_environment_wins_over_the_file_and_an_empty_value_counts_as_none(home: Path) -> None:
    (home / ".env").write_text(
        "DOCKET_MAX_MAIL_MB=10\nDOCKET_LOG_LEVEL=error\nexport DOCKET_MAIL_FROM='a@b.example'\n"
    )
    settings = load_settings(
        home / ".env", {"DOCKET_MAX_MAIL_MB": "11", "DOCKET_LOG_LEVEL": "", "DOCKET_PROFILE": "./city.toml"}
    )
    assert (settings.max_mail_mb, settings.log_level, settings.mail_from) == (
        11,
        LogLevel.ERROR,
        "a@b.example",
    )


def test_nothing_but_the_given_environment_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKET_MAX_MAIL_MB", "12")
    monkeypatch.setenv("DOCKET_PROFILE", str(home / "city.toml"))
    assert load_settings(home / ".env", {"DOCKET_PROFILE": "./city.toml"}).max_mail_mb == 50
    assert load_settings(home / ".env", None, parts=()).max_mail_mb == 12


def test_settings_cannot_be_changed(home: Path) -> None:
    with pytest.raises(ValueError, match="frozen"):
        _load(home).max_mail_mb = 3  # type: ignore[misc]


def test_no_secret_is_shown(home: Path) -> None:
    settings = _load(
        home,
        {"DOCKET_DATABASE_URL": "postgresql://docket:topsecret@db.city.example/docket?sslmode=verify-full"},
    )
    shown = repr(settings) + str(settings) + str(settings.model_dump()) + settings.model_dump_json()
    for secret in (
        "xoxb-1",
        "xapp-1",
        "0123456789abcdef",
        "imap password",
        "smtp password",
        NEW_KEY,
        OLD_KEY,
        "topsecret",
    ):
        assert secret not in shown


WRONG = [
    ("SLACK_BOT_TOKEN", "xoxp-1-hush", "is no bot token"),
    ("SLACK_BOT_TOKEN", "xoxb-hush hush", "is no bot token"),
    ("SLACK_APP_TOKEN", "xoxb-1-hush", "is no app-level token"),
    ("SLACK_SIGNING_SECRET", "hush", "is no signing secret"),
    ("SLACK_API_URL", "http://hush.example/api/", "unencrypted"),
    ("SLACK_API_URL", "hush", "names no host"),
    ("SLACK_API_URL", "ftp://hush.example", "does not begin with https://"),
    ("SLACK_STAFF_CHANNEL", "#hush", "is no channel id"),
    ("DOCKET_DATABASE_URL", "mysql://hush/x", "neither"),
    ("DOCKET_DATABASE_URL", "sqlite://", "names no database file"),
    ("DOCKET_DATABASE_URL", "sqlite:///:memory:", "names no database file"),
    ("DOCKET_DATABASE_URL", "postgresql://d:hush@db.city.example/docket", "how the connection"),
    (
        "DOCKET_DATABASE_URL",
        "postgresql://d:hush@db.city.example/docket?sslmode=prefer",
        "how the connection",
    ),
    (
        "DOCKET_DATABASE_URL",
        "postgresql://d:hush@db.city.example/docket?sslmode=require",
        "how the connection",
    ),
    ("DOCKET_DATABASE_URL", "postgresql://d:hush@/docket?host=db.city.example", "how the connection"),
    ("DOCKET_DATABASE_URL", "postgresql://d:hush@127.0.0.1,db.city.example/docket", "how the connection"),
    ("DOCKET_DATABASE_URL", "postgresql://d:hush@localhost.city.example/docket", "how the connection"),
    ("DOCKET_TEST_DATABASE_URL", "postgresql://d:hush@10.0.0.5:5432/docket", "how the connection"),
    ("DOCKET_IMAP_URL", "imap://hush@imap.city.example/", "unencrypted"),
    ("DOCKET_IMAP_URL", "imaps://imap.hush.example/", "names no account"),
    ("DOCKET_IMAP_URL", "imaps://a:hush@imap.city.example/", "has a password in it"),
    ("DOCKET_IMAP_URL", "imaps://hush@host:port/", "is no address that can be read"),
    ("DOCKET_IMAP_URL", "imaps://hush@host:70000/", "is no address that can be read"),
    ("DOCKET_IMAP_URL", "imaps://hush@[::1/", "is no address that can be read"),
    ("DOCKET_IMAP_URL", "https://hush@host/", "does not begin with imaps://"),
    ("DOCKET_IMAP_URL", "imaps://hush@host/INBOX,INBOX", "names a folder twice"),
    ("DOCKET_IMAP_URL", "imaps://hush;AUTH=MAGIC@host/", "a way to log in"),
    ("DOCKET_IMAP_SINCE", "hush", "neither a day nor an instant"),
    ("DOCKET_IMAP_SINCE", "2026-02-30", "neither a day nor an instant"),
    ("DOCKET_IMAP_SINCE", "2026-03-02T08:00:00", "without a zone"),
    ("DOCKET_SMTP_URL", "smtp://hush@smtp.city.example", "unencrypted"),
    ("DOCKET_SMTP_URL", "smtps://hush@smtp.city.example/INBOX", "has a path"),
    ("DOCKET_SMTP_URL", "smtps://smtp.city.example?hush=1", "after ? or #"),
    ("DOCKET_MAIL_FROM", "Hush <ethics@city.example>", "is no bare e-mail address"),
    ("DOCKET_ALERT_TO", "it@city.example,hush", "is no bare e-mail address"),
    ("DOCKET_PROFILE", "hush", "not shipped"),
    ("DOCKET_PROFILE", "./hush.toml", "not there"),
    ("DOCKET_KEYS", f"{NEW_KEY},hush", "number 2 of 2"),
    ("DOCKET_KEYS", f"{NEW_KEY},{NEW_KEY}", "the same key twice"),
    ("DOCKET_DATA_DIR", "city.toml", "is no folder"),
    ("DOCKET_LOG_LEVEL", "hush", "is no level"),
    ("DOCKET_AUTHSERV_ID", "mx hush", "is no server name"),
    ("DOCKET_TRUST_ROOTS", "hush", "not there"),
    ("DOCKET_MAX_MAIL_MB", "0", "is no number"),
    ("DOCKET_MAX_MAIL_MB", "501", "is no number"),
    ("DOCKET_MAX_MAIL_MB", "1.5", "is no number"),
]


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://d@/docket",
        "postgresql://d@localhost/docket",
        "postgresql://d@127.0.0.1:5433/docket",
        "postgresql://d@[::1]:5433/docket",
        "postgresql://d@/docket?host=%2Frun%2Fpostgresql",
        "postgresql://d@%2Frun%2Fpostgresql/docket",
        "postgresql://d@db.city.example/docket?sslmode=verify-full",
        "postgresql+psycopg://d@db.city.example:5432/docket?sslmode=verify-ca",
        "postgresql://d@database/docket?sslmode=disable",
    ],
)
def test_a_database_of_this_machine_needs_no_word_on_protection_and_another_has_one(
    home: Path, url: str
) -> None:
    assert _load(home, {"DOCKET_DATABASE_URL": url}).database_url.get_secret_value().startswith("postgresql+")


@pytest.mark.parametrize(("name", "value", "what"), WRONG)
def test_a_wrong_setting_is_one_line_with_its_name_what_is_wrong_and_the_mend(
    home: Path, name: str, value: str, what: str
) -> None:
    (line,) = _faults(home, {name: value})
    assert line.startswith(f"{name} ")
    assert what in line
    assert line.endswith(MENDS[name])
    assert "\n" not in line


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, value, _ in WRONG if "hush" in value])
def test_a_fault_never_repeats_the_value_nor_carries_it_along(home: Path, name: str, value: str) -> None:
    with pytest.raises(SettingsFault) as caught:
        _load(home, {name: value})
    assert "hush" not in str(caught.value).lower()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DOCKET_IMAP_URL", "imap://a@127.0.0.1:1143/"),
        ("DOCKET_IMAP_URL", "imap://a@localhost/"),
        ("DOCKET_IMAP_URL", "imap://a@[::1]/"),
        ("DOCKET_SMTP_URL", "smtp://127.0.0.1:2525"),
        ("SLACK_API_URL", "http://localhost:3000/api/"),
        ("DOCKET_MAX_MAIL_MB", "1"),
        ("DOCKET_MAX_MAIL_MB", "500"),
        ("DOCKET_MAIL_FROM", "ethics@mail.test"),
    ],
)
def test_unencrypted_is_taken_for_this_machine_and_limits_are_taken_themselves(
    home: Path, name: str, value: str
) -> None:
    _load(home, {name: value})


@pytest.mark.parametrize(
    "host", ["127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", "10.0.0.1", "[::]"]
)
def test_what_only_looks_like_this_machine_gets_nothing_unencrypted(home: Path, host: str) -> None:
    (line,) = _faults(home, {"DOCKET_SMTP_URL": f"smtp://{host}:25"})
    assert "unencrypted" in line


def test_an_access_token_and_folder_names_with_odd_signs_can_be_written(home: Path) -> None:
    server = _load(
        home, {"DOCKET_IMAP_URL": "imaps://a%40b.example;AUTH=XOAUTH2@host:994/In%2CBox,A%20B"}
    ).imap_url
    assert server == MailServer("host", 994, Encryption.TLS, "a@b.example", Login.XOAUTH2, ("In,Box", "A B"))


def test_a_mailbox_behind_starttls_may_lie_on_another_machine(home: Path) -> None:
    server = _load(home, {"DOCKET_IMAP_URL": "imap+starttls://ethics@imap.city.example"}).imap_url
    assert server == MailServer("imap.city.example", 143, Encryption.STARTTLS, "ethics", folders=("INBOX",))


def test_all_faults_are_told_at_once_with_what_is_missing_and_what_is_unknown(home: Path) -> None:
    lines = _faults(
        home,
        {
            "DOCKET_KEYS": "",
            "DOCKET_LOG_LEVEL": "loud",
            "SLACK_BOT_TOKEN": "x",
            "DOCKET_IMAP_ULR": "imaps://a@b/",
        },
        Part.RECORD,
    )
    assert [line.partition(" ")[0] for line in lines] == [
        "DOCKET_IMAP_ULR",
        "SLACK_BOT_TOKEN",
        "DOCKET_LOG_LEVEL",
        "DOCKET_KEYS",
    ]
    assert lines[0] == "DOCKET_IMAP_ULR is no setting. Did you mean DOCKET_IMAP_URL?"
    assert lines[3] == f"DOCKET_KEYS is missing. {MENDS['DOCKET_KEYS']}"


@pytest.mark.parametrize("part", list(Part))
def test_only_what_a_part_needs_is_required(home: Path, part: Part) -> None:
    bare = dict.fromkeys(GOOD, "") | {"DOCKET_PROFILE": "./city.toml"}
    assert [line.partition(" ")[0] for line in _faults(home, bare, part)] == list(NEEDS[part])
    settings = _load(home, bare)
    with pytest.raises(SettingsFault) as caught:
        require(settings, part)
    assert caught.value.lines == _faults(home, bare, part)
    require(
        _load(home, bare | {name: GOOD[name] for name in NEEDS[part]} | {"DOCKET_SMTP_PASSWORD": "x"}), part
    )


def test_an_smtp_password_is_needed_just_where_there_is_an_account(home: Path) -> None:
    (line,) = _faults(home, {"DOCKET_SMTP_PASSWORD": ""}, Part.SMTP)
    assert line.startswith("DOCKET_SMTP_PASSWORD is missing.")
    _load(home, {"DOCKET_SMTP_PASSWORD": "", "DOCKET_SMTP_URL": "smtps://relay.city.example"}, Part.SMTP)


@pytest.mark.parametrize("folder", [".", "..", "sub/..", "link"])
def test_the_keys_never_lie_in_the_folder_that_is_backed_up(home: Path, folder: str) -> None:
    (home / "link").symlink_to(home)
    (line,) = _faults(home, {"DOCKET_DATA_DIR": folder})
    assert line.startswith("DOCKET_DATA_DIR holds the .env file")


def test_keys_copied_into_the_data_folder_or_linked_from_there_are_seen(home: Path) -> None:
    data = home / "data"
    data.mkdir()
    _load(home)
    (data / ".env").symlink_to(home / ".env")
    for env_file in (home / ".env", data / ".env"):
        with pytest.raises(SettingsFault, match=r"DOCKET_DATA_DIR holds the \.env file"):
            load_settings(
                env_file,
                GOOD
                | {"DOCKET_DATA_DIR": str(data), "DOCKET_PROFILE": str(home / "city.toml")}
                | {"DOCKET_TRUST_ROOTS": ""},
            )


def test_relative_paths_are_seen_from_the_settings_files_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    settings = _load(home, {"DOCKET_DATA_DIR": "record", "DOCKET_DATABASE_URL": "sqlite:///record/x.sqlite3"})
    assert settings.data_dir == home / "record"
    assert settings.database_url.get_secret_value() == f"sqlite:///{home}/record/x.sqlite3"


def test_an_absolute_database_file_and_a_postgresql_one_are_taken(home: Path) -> None:
    there = _load(home, {"DOCKET_DATABASE_URL": "sqlite:////srv/x.sqlite3"}).database_url
    assert there.get_secret_value() == "sqlite:////srv/x.sqlite3"
    server = _load(home, {"DOCKET_DATABASE_URL": "postgresql://d@/docket?host=%2Frun"}).database_url
    assert server.get_secret_value() == "postgresql+psycopg://d@/docket?host=%2Frun"


def test_a_named_settings_file_that_is_not_there_is_a_fault(home: Path) -> None:
    with pytest.raises(SettingsFault, match="is not there"):
        load_settings(home / "nowhere.env", GOOD)


def test_a_settings_file_that_is_no_text_is_a_fault(home: Path) -> None:
    (home / ".env").write_bytes(b"DOCKET_KEYS=\xff\xfe\n")
    assert "cannot be read" in _faults(home, {})[0]


def test_lines_that_would_be_dropped_or_changed_unseen_are_faults(home: Path) -> None:
    (home / ".env").write_text(
        "# a comment\n\nOTHER=${HOME}\nnonsense 'here\nDOCKET_MAX_MAIL_MB=3\nDOCKET_MAX_MAIL_MB=4\nDOCKET_SMTP_PASSWORD='a${b}'\n"
    )
    lines = _faults(home, {})
    assert len(lines) == 3
    assert lines[0].startswith("Line 4 of the settings file")
    assert lines[1].startswith("DOCKET_MAX_MAIL_MB stands in the settings file more than once.")
    assert lines[2].startswith("DOCKET_SMTP_PASSWORD holds a dollar sign")


def test_a_starting_day_begins_at_midnight_in_the_citys_zone_on_either_side_of_the_clock_change(
    home: Path,
) -> None:
    winter = _load(home, {"DOCKET_IMAP_SINCE": "2026-03-08"})
    assert winter.imap_since == date(2026, 3, 8)
    assert winter.reads_mail_from(EASTERN) == datetime(2026, 3, 8, 5, tzinfo=UTC)
    summer = _load(home, {"DOCKET_IMAP_SINCE": "2026-03-09"})
    assert summer.reads_mail_from(EASTERN) == datetime(2026, 3, 9, 4, tzinfo=UTC)


def test_a_starting_instant_is_the_same_in_every_zone(home: Path) -> None:
    settings = _load(home, {"DOCKET_IMAP_SINCE": "2026-03-02T08:00:00-05:00"})
    assert settings.reads_mail_from(EASTERN) == datetime(2026, 3, 2, 13, tzinfo=UTC)
    assert settings.reads_mail_from(ZoneInfo("UTC")) == datetime(2026, 3, 2, 13, tzinfo=UTC)


def test_each_setting_has_a_mend() -> None:
    assert set(MENDS) == set(NAMES)


@given(
    name=st.sampled_from(NAMES),
    value=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40),
)
def test_whatever_a_setting_holds_it_is_taken_or_named_in_one_line(name: str, value: str) -> None:
    lines: tuple[str, ...] = ()
    try:
        load_settings(None, {name: value.replace("\0", "")})
    except SettingsFault as fault:
        lines = fault.lines
    assert all(line.startswith(("DOCKET_", "SLACK_")) and "\n" not in line for line in lines)


@pytest.mark.parametrize(
    "name", ["DOCKET_DATA_DIR", "DOCKET_PROFILE", "DOCKET_TRUST_ROOTS", "DOCKET_DATABASE_URL"]
)
@pytest.mark.parametrize("path", ["./" + "x" * 300, "~nobody-of-this-name/x", "./ring/x"])
def test_a_path_that_no_file_can_have_is_one_plain_line(home: Path, name: str, path: str) -> None:
    (home / "ring").symlink_to("ring")
    value = f"sqlite:///{path}" if name == "DOCKET_DATABASE_URL" else path
    (line,) = _faults(home, {name: value})
    assert line.startswith(name)
