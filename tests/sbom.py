"""Write the bill of materials of the locked packages, as CycloneDX 1.6 JSON: `make sbom`.

It is made from `requirements.lock`, which names each package with the hashes of its files; licences are those that
the installed packages state. Source: https://cyclonedx.org/docs/1.6/json/ and the package-url specification.
"""

import json
import re
import sys
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK, OUT = ROOT / "requirements.lock", ROOT / "sbom.cdx.json"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Pinned:
    """A package of the lock: name, version, and the SHA-256 of each of its files."""

    name: str
    version: str
    hashes: tuple[str, ...]

    @property
    def purl(self) -> str:
        """Its package URL."""
        return f"pkg:pypi/{re.sub(r'[-_.]+', '-', self.name).lower()}@{self.version}"


def read_lock(text: str) -> Iterator[Pinned]:
    """Read the pinned packages of a lock file."""
    for block in re.split(r"\n(?=[A-Za-z0-9])", text):
        found = _PINNED.match(block)
        if found:
            yield Pinned(found[1], found[2], tuple(sorted(_HASH.findall(block))))


def licence_of(name: str) -> str:
    """Give what an installed package says of its licence; empty where it says nothing or is not installed."""
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return ""
    expression = said.get("License-Expression", "") or ""
    classified = [
        one.rpartition(" :: ")[2] for one in said.get_all("Classifier", []) if one.startswith("License ::")
    ]
    return expression or " / ".join(classified) or (said.get("License", "") or "").split("\n")[0][:80]


def bill(pinned: list[Pinned], project: Mapping[str, str]) -> dict[str, object]:
    """Give the bill of materials; the same lock gives the same bill."""
    root = f"pkg:pypi/{project['name']}@{project['version']}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ''.join(one.purl for one in pinned))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": project["name"],
                "version": project["version"],
                "purl": root,
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": [_component(one) for one in pinned],
        "dependencies": [{"ref": root, "dependsOn": [one.purl for one in pinned]}],
    }


def _component(one: Pinned) -> dict[str, object]:
    made: dict[str, object] = {
        "type": "library",
        "bom-ref": one.purl,
        "name": one.name,
        "version": one.version,
        "purl": one.purl,
        "externalReferences": [
            {
                "type": "distribution",
                "url": f"https://pypi.org/project/{one.name}/{one.version}/",
                "hashes": [{"alg": "SHA-256", "content": digest} for digest in one.hashes],
            }
        ],
    }
    licence = licence_of(one.name)
    if licence:
        made["licenses"] = [{"license": {"name": licence}}]
    return made


def project_of(pyproject: str) -> dict[str, str]:
    """Read name, version and licence of the project."""
    import tomllib

    found = tomllib.loads(pyproject)["project"]
    return {key: str(found[key]) for key in ("name", "version", "license")}


def main() -> int:
    """Write the bill beside the lock."""
    pinned = sorted(read_lock(LOCK.read_text()), key=lambda one: one.purl)
    made = bill(pinned, project_of((ROOT / "pyproject.toml").read_text()))
    OUT.write_text(json.dumps(made, indent=1) + "\n")
    sys.stdout.write(f"{OUT.name}: {len(pinned)} packages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
