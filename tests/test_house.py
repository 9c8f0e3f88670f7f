"""The house itself: one place, arrows that run one way, nothing that speaks of somewhere else."""

import itertools
import re
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

from bot.house import HOUSE, HouseFault, check_house
from bot.settings import NAMES

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"


def _packages(folder: Path, *names: str) -> str:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").touch()
    return str(folder)


def test_the_three_packages_come_from_this_tree() -> None:
    assert check_house() == ROOT


def test_a_stranger_earlier_on_the_path_is_seen(tmp_path: Path) -> None:
    ours = _packages(tmp_path / "ours", *HOUSE)
    theirs = _packages(tmp_path / "theirs", "intake")
    assert check_house([ours, theirs]) == tmp_path / "ours"
    with pytest.raises(HouseFault, match="2 places"):
        check_house([theirs, ours])


@pytest.mark.parametrize("name", HOUSE)
def test_a_missing_package_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(HouseFault, match=rf"packages, {name} cannot be found whole"):
        check_house([_packages(tmp_path, *(other for other in HOUSE if other != name))])


def test_a_lone_file_or_a_folder_without_init_is_no_package_of_ours(tmp_path: Path) -> None:
    folder = _packages(tmp_path, "bot")
    (tmp_path / "intake.py").touch()
    (tmp_path / "store").mkdir()
    with pytest.raises(HouseFault, match="intake, store"):
        check_house([folder])


@pytest.mark.parametrize("name", HOUSE)
def test_a_distribution_that_may_have_overwritten_ours_is_seen(tmp_path: Path, name: str) -> None:
    folder = _packages(tmp_path, *HOUSE)
    record = tmp_path / f"{name}-1.0.dist-info" / "METADATA"
    record.parent.mkdir()
    record.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    with pytest.raises(HouseFault, match=f"named {name} is installed"):
        check_house([folder])


def test_the_arrows_run_one_way() -> None:
    """The contracts stand in pyproject.toml."""
    lint_imports = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run(
        [lint_imports, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("room", ["store.rules", "store.letters"])
def test_rules_and_letters_know_no_other_room(room: str) -> None:
    """Beside the list of forbidden libraries: of our own code they know themselves, and letters the rules."""
    graph = grimp.build_graph(*HOUSE, cache_dir=None)
    may = {"store", "store.rules"} | {room}
    known = {
        imported
        for module in {room, *graph.find_descendants(room)}
        for imported in graph.find_modules_directly_imported_by(module)
    }
    assert {
        one
        for one in known
        if not any(one == it or (one.startswith(f"{it}.") and it != "store") for it in may)
    } == set()


def test_only_settings_reads_the_environment() -> None:
    readers = {
        str(path.relative_to(ROOT))
        for name in HOUSE
        for path in (ROOT / name).rglob("*.py")
        if re.search(
            r"\bos\.(environ|getenv|putenv)|\bimport\b.*\b(environ|getenv)\b",
            path.read_text(encoding="utf-8"),
        )
    }
    assert readers == {"bot/settings.py"}


def test_every_locked_package_is_pinned_with_its_hashes_and_no_address_stands_in_the_lock() -> None:
    text = LOCK.read_text(encoding="ascii")
    assert "://" not in text
    assert not re.search(r"^\s*-", re.sub(r"^ +--hash=", "", text, flags=re.MULTILINE), re.MULTILINE)
    entries = re.findall(r"^[A-Za-z0-9].*(?:\n +--hash=.*)*", text, re.MULTILINE)
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+==[^ ]+ ", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


def test_the_example_names_exactly_the_settings_there_are_each_once_and_holds_no_secret() -> None:
    lines = [line for line in (ROOT / ".env.example").read_text(encoding="utf-8").splitlines() if line]
    named = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    assert sorted(named) == sorted(NAMES)
    assert len(named) == sum(not line.startswith("#") for line in lines)
    assert {name for name, value in named.items() if value} == {
        *("DOCKET_DATA_DIR", "DOCKET_PROFILE", "SLACK_API_URL", "DOCKET_MAX_MAIL_MB", "DOCKET_LOG_LEVEL"),
        *("DOCKET_MAX_ATTACHMENTS", "DOCKET_MAX_PARTS", "DOCKET_PLUS_ADDRESSES"),
    }


def test_each_setting_of_the_example_is_explained() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    for above, line in itertools.pairwise(lines):
        if line and not line.startswith("#"):
            assert above.startswith("# "), line


# Written in pieces, so that this file does not name what it looks for.
ELSEWHERE = re.compile(
    "|".join(
        [
            r"(?<![\w.-])/(?:work|home|root|Users)/[a-z]",
            r"py" + r"pi\.org/simple",
            r"files\.python" + "hosted",
            r"index-" + "url[ =]http",
        ]
    )
)


def _our_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    files = [ROOT / name.decode() for name in listed.split(b"\0") if name]
    return [file for file in files if file.is_file() and not file.is_relative_to(ROOT / "tests" / "data")]


def test_nothing_names_a_path_of_some_machine_or_a_package_host() -> None:
    found = [
        f"{file.relative_to(ROOT)}: {match.group()}"
        for file in _our_files()
        if b"\0" not in (content := file.read_bytes())
        for match in [ELSEWHERE.search(content.decode("utf-8", "replace"))]
        if match
    ]
    assert found == []
