"""Practice stays in a folder of its own."""

from pathlib import Path

import pytest

from bot.cli import main


@pytest.mark.parametrize(
    "held", [".env", "data/docket.sqlite3", "docket.sqlite3", "vault/aa/b", "data/practice"]
)
def test_practice_touches_no_folder_in_which_anything_lies(
    held: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that was set up holds the only keys of a record; one with a record would not open any more."""
    kept = tmp_path / held
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("DOCKET_KEYS=the-only-one\n")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SystemExit) as end:
        main(["demo", "--exit", "--data", str(tmp_path)])
    (line,) = capsys.readouterr().err.splitlines()
    assert end.value.code == 2
    assert "nothing was changed" in line
    assert (sorted(tmp_path.rglob("*")), kept.read_text()) == (before, "DOCKET_KEYS=the-only-one\n")
