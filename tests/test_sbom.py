"""The bill of materials names every locked package with its hashes."""

import json

from tests.sbom import LOCK, ROOT, bill, project_of, read_lock


def test_every_package_of_the_lock_stands_in_the_bill_with_its_hashes() -> None:
    text = LOCK.read_text()
    pinned = list(read_lock(text))
    assert len(pinned) == sum("==" in line and not line.startswith((" ", "#")) for line in text.splitlines())
    assert sum(len(one.hashes) for one in pinned) == text.count("--hash=sha256:")
    assert all(one.hashes for one in pinned)
    made = bill(pinned, project_of((ROOT / "pyproject.toml").read_text()))
    assert json.loads(json.dumps(made))["bomFormat"] == "CycloneDX"
    purls = [one["purl"] for one in made["components"]]  # type: ignore[attr-defined]  # read as JSON
    assert len(set(purls)) == len(pinned)
    assert any(purl.startswith("pkg:pypi/cryptography@") for purl in purls)
