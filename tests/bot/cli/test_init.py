"""`docket init`: each answer is tried at once, what stands stays, and what comes out can be used."""

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import docket
from bot.cli.city_files import city_profile, closures_proposal, roster_to_fill_in
from bot.cli.init import init
from bot.cli.town import town
from bot.clock import SystemClock
from bot.errors import StartFault
from bot.opening import opened_at
from bot.practice.mailserver import PracticeMail
from bot.settings import SHIPPED_PROFILES, load_settings
from store.cases import roster_of
from store.proceedings.roster import parse_roster
from store.rules.calendar import city_zone, parse_calendar
from store.rules.ordinance import Standing, parse_profile
from tests.contract.certificates import Authority
from tests.contract.dovecot import ACCOUNT, SECRET, Dovecot
from tests.proceedings.builders import ROSTER

ANSWERS = [
    *('City of "Elm"', "City of Elmridge"),  # the city, first wrongly
    *("America/Elmridge", "America/Chicago"),
    *("imap.elm.example", "imap://board@127.0.0.1:1/INBOX", "password", "hunter 2#'x"),
    *("yesterday", "2026-12-01"),
    "smtp://127.0.0.1:1",
    *("Board <b@elm.example>", "b@elm.example", "mx.elm.example", "it@elm.example"),
    *("#staff", "C0123456", "xoxb-1-secret", "xapp-1-secret"),
    "",
]


def asked(folder: Path, *answers: str, options: tuple[str, ...] = ()) -> str:
    done = CliRunner().invoke(init, [str(folder), *options], input="".join(f"{one}\n" for one in answers))
    assert done.exit_code == 0, done.output
    return done.output


def test_wrong_answers_are_told_in_a_line_and_asked_again(tmp_path: Path) -> None:
    told = asked(tmp_path / "city", *ANSWERS)
    assert told.count("That cannot be used:") == 6
    settings = load_settings(tmp_path / "city" / ".env", {})
    assert settings.imap_password is not None
    assert settings.imap_password.get_secret_value() == "hunter 2#'x"
    assert settings.mail_from == "b@elm.example"
    assert settings.slack_staff_channel == "C0123456"
    assert "hunter" not in told
    assert "xoxb-1" not in told


def test_what_was_written_and_the_passwords_that_are_left_are_named(tmp_path: Path) -> None:
    accounts = ("--imap", "imap://board@127.0.0.1:1/INBOX", "--smtp", "smtp://board@127.0.0.1:1")
    told = asked(tmp_path / "left", options=("--no-ask", *accounts))
    assert "DOCKET_IMAP_PASSWORD and DOCKET_SMTP_PASSWORD" in told
    assert "closures.toml, roster.toml, slack-manifest.json" in told
    by_token = ("--login", "xoauth2", "--imap", "imap://board;AUTH=XOAUTH2@127.0.0.1:1/INBOX")
    assert "PASSWORD" not in asked(tmp_path / "token", options=("--no-ask", *by_token))
    assert "password into" not in asked(tmp_path / "given", *ANSWERS)


@pytest.mark.parametrize(("again", "kept"), [(("wrong too", "SECRET"), "SECRET"), (("",), "wrong")])
def test_a_mailbox_password_that_the_server_refuses_is_asked_for_again_until_it_is_let_in_or_kept(
    tmp_path: Path, again: tuple[str, ...], kept: str
) -> None:
    with PracticeMail("board@elm.example", SystemClock().now) as mail:
        typed = [mail.password if one == "SECRET" else one for one in again]
        before, after = ANSWERS[:5], ANSWERS[8:]
        told = asked(tmp_path / "city", *before, mail.imap_url, "password", "wrong", *typed, *after)
        settings = load_settings(tmp_path / "city" / ".env", {})
        assert settings.imap_password is not None
        assert settings.imap_password.get_secret_value() == (mail.password if kept == "SECRET" else kept)
        assert ("It holds 0 messages" in told) is (kept == "SECRET")
        assert told.count("refused the login") == (2 if kept == "SECRET" else 1)


@pytest.mark.contract
@pytest.mark.needs("dovecot")
def test_where_nobody_vouches_for_the_mail_servers_certificate_the_authoritys_file_is_asked_for(
    tmp_path: Path,
) -> None:
    authority = Authority(tmp_path)
    with Dovecot(certificate=authority.certify("localhost")) as server:
        url = f"imaps://{ACCOUNT}@localhost:{server.tls_place.port}/INBOX"
        before, after = ANSWERS[:5], ANSWERS[8:]
        typed = (url, "password", SECRET, str(tmp_path / "nowhere.pem"), str(authority.root))
        told = asked(tmp_path / "city", *before, *typed, *after)
    assert told.count("certificate is not trusted") == 1
    assert "It holds 0 messages" in told
    assert load_settings(tmp_path / "city" / ".env", {}).mail_ca == authority.root


def test_a_relay_is_tried_at_once_and_what_is_wrong_is_told(tmp_path: Path) -> None:
    told = asked(tmp_path / "away", *ANSWERS)
    assert "Not yet: the relay cannot be reached" in told
    with PracticeMail("b@elm.example", SystemClock().now) as mail:
        answers = [mail.smtp_url if one == "smtp://127.0.0.1:1" else one for one in ANSWERS]
        told = asked(tmp_path / "there", *answers)
        assert mail.inbox("it@elm.example") == []
    assert "It lets us in, and takes the Board's address as sender." in told


def test_where_no_more_answers_come_it_says_so_and_blames_no_key(tmp_path: Path) -> None:
    done = CliRunner().invoke(docket, ["init", str(tmp_path / "city")], input="")
    assert done.exit_code == 130
    assert "Stopped before the question was answered" in done.output
    assert "Ctrl-C" not in done.output


def test_the_citys_own_profile_is_a_copy_that_still_says_example(tmp_path: Path) -> None:
    asked(tmp_path / "city", *ANSWERS)
    profile = parse_profile((tmp_path / "city" / "profile.toml").read_text())
    assert profile.city.name == "City of Elmridge"
    assert profile.city.zone == "America/Chicago"
    assert profile.standing is Standing.EXAMPLE


def test_a_second_run_asks_only_what_is_missing_and_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "city"
    asked(folder, *ANSWERS)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    told = asked(folder, options=("--mail-from", "other@elm.example"))
    assert "DOCKET_MAIL_FROM stays as it is" in told
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_who_answered_that_there_is_none_is_not_asked_again(tmp_path: Path) -> None:
    question = "Authentication-Results"
    answers = [one if one != "mx.elm.example" else "" for one in ANSWERS]
    assert question in asked(tmp_path / "city", *answers)
    assert question not in asked(tmp_path / "city", "")
    asked(tmp_path / "other", options=("--no-ask",))
    assert question in asked(tmp_path / "other", *[""] * 20)  # nobody was asked before
    asked(tmp_path / "city", options=("--no-ask", "--authserv", "mx.elm.example"))
    assert load_settings(tmp_path / "city" / ".env", {}).authserv_id == "mx.elm.example"


def test_a_file_that_the_city_changed_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "city"
    asked(folder, *ANSWERS)
    (folder / "closures.toml").write_text("adopted_years = [2026]\n")
    assert "closures.toml is there already" in asked(folder)
    assert (folder / "closures.toml").read_text() == "adopted_years = [2026]\n"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--imap", "https://mail.example"),
        ("--since", "soon"),
        ("--profile", "nowhere"),
        ("--zone", "Mars/Olympus"),
        ("--roster", "nowhere.toml"),
    ],
)
def test_an_option_that_cannot_be_used_writes_nothing(tmp_path: Path, option: str, value: str) -> None:
    done = CliRunner().invoke(init, [str(tmp_path / "city"), "--no-ask", option, value])
    assert done.exit_code == 2
    assert option in done.output
    assert not (tmp_path / "city").exists()


def test_a_roster_file_is_loaded_at_once_and_once(tmp_path: Path) -> None:
    roster = tmp_path / "people.toml"
    roster.write_text(ROSTER)
    options = ("--no-ask", "--profile", "bramwell", "--roster", str(roster))
    assert "The roster was loaded" in asked(tmp_path / "city", options=options)
    assert "The record has a roster" in asked(tmp_path / "city", options=options)
    record = opened_at(tmp_path / "city")
    with record.docket.database.read() as session:
        assert len(roster_of(record.docket, session).members) == ROSTER.count("[[person]]")
    record.docket.database.engine.dispose()
    record.press.close()


def test_tokens_instead_of_a_password_are_written_as_the_settings_read_them(tmp_path: Path) -> None:
    options = ("--profile", "bramwell", "--imap", "imap://board@127.0.0.1:1/INBOX", "--login", "xoauth2")
    options += ("--smtp", "smtp://board@127.0.0.1:1", "--mail-from", "b@elm.example", "--authserv", "mx")
    options += ("--since", "2026-12-01", "--alert-to", "it@elm.example", "--slack-channel", "C0123456")
    answers = ("microsoft", "tenant-1", "client-1", "secret 1", "refresh 1", "", "", "")
    asked(tmp_path / "city", *answers, options=options)
    settings = load_settings(tmp_path / "city" / ".env", {})
    assert settings.oauth_token_url == "https://login.microsoftonline.com/tenant-1/oauth2/v2.0/token"
    assert settings.oauth_refresh_token is not None
    assert settings.oauth_refresh_token.get_secret_value() == "refresh 1"
    assert settings.imap_url is not None
    assert settings.smtp_url is not None
    assert settings.imap_url.login.value == settings.smtp_url.login.value == "xoauth2"


def test_an_account_that_must_consent_first_is_told_how(tmp_path: Path) -> None:
    options = ("--profile", "bramwell", "--imap", "imap://board@127.0.0.1:1/INBOX", "--login", "xoauth2")
    google = asked(tmp_path / "google", "google", "client-1", *[""] * 20, options=options)
    assert f"docket sign-in --data {tmp_path / 'google'}" in google
    microsoft = asked(
        tmp_path / "microsoft", "microsoft", "tenant-1", "client-1", *[""] * 20, options=options
    )
    assert "Let the mail account consent" not in microsoft


@pytest.mark.parametrize("path", sorted(SHIPPED_PROFILES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_profile_can_be_copied_for_another_city(path: Path) -> None:
    text = city_profile(path.read_text(), "Town of Fen & Hill", "America/Chicago")
    profile = parse_profile(text)
    assert profile.city.name == "Town of Fen & Hill"
    assert tomllib.loads(text)["standing"] == "example"


@pytest.mark.parametrize("path", ["~nobody-of-this-name/x.toml", "ring", "ring/x.toml"])
def test_a_path_that_no_file_can_have_is_a_plain_line_where_a_city_is_set_up_or_practised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring").symlink_to("ring")
    asked = CliRunner().invoke(init, ["city", "--no-ask", "--roster", path])
    assert (asked.exit_code, "docket: --roster" in asked.output) == (2, True)
    assert CliRunner().invoke(init, ["ring", "--no-ask"]).output.startswith("docket: ")
    with pytest.raises(StartFault, match="cannot be read"):
        town(path)


def test_the_proposed_closures_and_the_roster_to_fill_in_can_be_read() -> None:
    calendar = parse_calendar(closures_proposal([2026, 2027]), city_zone("America/New_York"))
    assert calendar.adopted_years == {2026, 2027}
    assert all(one.on.weekday() < 5 for one in calendar.closures)
    from datetime import date

    filled = roster_to_fill_in(date(2026, 1, 1), "ralden")
    assert parse_roster(filled).people == ()
    uncommented = "\n".join(
        line[2:] if line.startswith("# [") or (line.startswith("# ") and " = " in line) else line
        for line in filled.splitlines()[2:]
    )
    assert len(tomllib.loads(uncommented)["person"]) == 7


def test_only_the_clicks_in_slack_that_are_left_are_said(tmp_path: Path) -> None:
    folder = tmp_path / "city"
    env = folder / ".env"
    said = asked(folder, options=("--no-ask",))
    assert "Left to do in Slack, 5 clicks:" in said

    def put(name: str, value: str) -> str:
        env.write_text(env.read_text().replace(f"{name}=\n", f"{name}={value}\n"))
        return asked(folder, options=("--no-ask",))

    assert "invite the app into it" in put("SLACK_STAFF_CHANNEL", "C0STAFF")
    put_back = env.read_text().replace("SLACK_STAFF_CHANNEL=C0STAFF", "SLACK_STAFF_CHANNEL=")
    env.write_text(put_back)
    assert "xoxb-" not in put("SLACK_BOT_TOKEN", "xoxb-1")
    said = put("SLACK_APP_TOKEN", "xapp-1")
    assert "Left to do in Slack, 2 clicks:" in said
    assert "manifest, paste" not in said
    said = put("SLACK_STAFF_CHANNEL", "C0STAFF")
    assert "Left to do in Slack" not in said
    assert "  1. " in said
