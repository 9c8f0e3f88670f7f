"""The deployment files name what is there: settings, commands, files, secrets; systemd understands the units."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.bot.test_pages import DEPLOY, ROOT, known
from tests.servers import find_systemd_analyze

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
# What PostgreSQL's own image reads, and libpq; everything else must be a setting of Docket's.
FOREIGN = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD_FILE", "PGPASSFILE"}
OWN = set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))


def _typed(service: dict[str, Any]) -> str:
    """Give what a service of Docket's types: its own command, or else the image's."""
    image = dict(re.findall(r"^(ENTRYPOINT|CMD) (\[.*\])$", CONTAINERFILE, re.MULTILINE))
    assert service.get("entrypoint", json.loads(image["ENTRYPOINT"])) == ["docket"]
    return shlex.join(service.get("command", json.loads(image["CMD"])))


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_sets_what_there_is_and_leans_on_what_is_there(name: str) -> None:
    service = SERVICES[name]
    assert set(service.get("environment", {})) <= FOREIGN | OWN
    named = {one["source"] if isinstance(one, dict) else one for one in service["secrets"]}
    assert named <= set(COMPOSE["secrets"])
    assert set(service["networks"]) <= set(COMPOSE["networks"])
    for wanted, when in service.get("depends_on", {}).items():
        assert when == {"condition": "service_healthy"}
        assert "healthcheck" in SERVICES[wanted]


@pytest.mark.parametrize("name", SERVICES)
def test_each_file_and_volume_that_a_service_names_is_there(name: str) -> None:
    for volume in SERVICES[name]["volumes"]:
        source = volume.partition(":")[0]
        if source.startswith("./"):
            assert (DEPLOY / source).is_file()
        else:
            assert source.startswith("${") or source in COMPOSE["volumes"]
    build = SERVICES[name].get("build")
    if build is not None:
        assert (DEPLOY / build["context"]).resolve() == ROOT
        assert (ROOT / build["dockerfile"]).is_file()


@pytest.mark.parametrize("name", ["docket", "schema"])
def test_the_containers_start_commands_that_exist(name: str) -> None:
    known(_typed(SERVICES[name]))


def test_each_file_of_a_secret_is_made_by_the_page_and_used_by_a_service() -> None:
    page = (DEPLOY / "README.md").read_text()
    for name, secret in COMPOSE["secrets"].items():
        assert secret["file"].endswith(f"/{name}")
        assert f"> {name}\n" in page
        assert any(name in str(service["secrets"]) for service in SERVICES.values())


def test_the_container_of_docket_can_write_its_folders_alone_and_the_database_reaches_nobody() -> None:
    service = SERVICES["docket"]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert SERVICES["database"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_the_container_file_copies_what_is_there_and_leaves_keys_and_record_out() -> None:
    for source in re.findall(r"^COPY (?!--from)(\S+)", CONTAINERFILE, re.MULTILINE):
        assert (ROOT / source).exists()
    assert set(re.findall(r"DOCKET_\w+(?==)", CONTAINERFILE)) <= OWN
    for name in ("Containerfile.dockerignore", "Containerfile.containerignore"):
        assert {".env", "data", ".git"} <= set((DEPLOY / name).read_text().splitlines())


def test_the_account_of_the_container_has_one_number_everywhere() -> None:
    (number,) = re.findall(r"--uid (\d+)", CONTAINERFILE)
    ours = [SERVICES[name] for name in ("docket", "schema")]
    handed = [one for service in ours for one in service["secrets"] if isinstance(one, dict)]
    assert {one["uid"] for one in handed} == {number}
    assert f"chown {number} " in (DEPLOY / "README.md").read_text()


def test_every_secret_that_a_login_other_than_root_reads_is_given_to_that_login_by_the_page() -> None:
    """Compose leaves the files' owner as it is; only the owner's password is read while the database is root still."""
    page = (DEPLOY / "README.md").read_text()
    given = {
        name: number
        for number, names in re.findall(r"^ +chown (\d+) (.+)$", page, re.MULTILINE)
        for name in names.split()
    }
    handed = {
        one["source"]: one["uid"]
        for service in SERVICES.values()
        for one in service["secrets"]
        if isinstance(one, dict)
    }
    assert handed == given
    assert set(COMPOSE["secrets"]) - set(handed) == {"owner_password"}
    read = re.findall(r"/run/secrets/(\w+)", (DEPLOY / "database-roles.sh").read_text())
    assert set(read) <= set(handed)


@pytest.mark.contract
@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("name", ["docket.service", "docket-backup.service", "docket-backup.timer"])
def test_systemd_understands_every_line_of_the_units(tmp_path: Path, name: str) -> None:
    for unit in DEPLOY.glob("docket*"):
        # the program is on the machine that is set up, not on this one
        text = unit.read_text().replace("/opt/docket/.venv/bin/docket", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    command = [str(find_systemd_analyze()), "verify", "--man=no", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / name).write_text((tmp_path / name).read_text() + "NoSuchSetting=yes\n")
    assert "NoSuchSetting" in subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.mark.contract
@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("name", ["docket.service", "docket-backup.service"])
def test_systemd_finds_the_units_little_exposed(tmp_path: Path, name: str) -> None:
    """On systemd's scale of 0 (nothing) to 100 (everything), for a service that must reach mail servers and Slack."""
    command = [str(find_systemd_analyze()), "security", "--offline=true", "--threshold=20"]
    unit = tmp_path / name
    unit.write_text((DEPLOY / name).read_text())
    assert subprocess.run([*command, str(unit)], capture_output=True, check=False).returncode == 0
    kept = [line for line in unit.read_text().splitlines() if not line.startswith(("Protect", "Private"))]
    unit.write_text("\n".join(kept))
    assert subprocess.run([*command, str(unit)], capture_output=True, check=False).returncode != 0
