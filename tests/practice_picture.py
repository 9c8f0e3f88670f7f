"""Make README's picture of the practice page anew: `make picture`.

The story is played up to the respondent's answer, in a real Chromium the clerk looks at the first case, and
what is shown is written as a PNG of few colours, small enough to lie in the repository.
"""

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from bot.cli.practice_page import PracticePage
from bot.cli.story import STAGES, Story, world
from bot.clock import SystemClock
from bot.logs import configure_logs
from tests.browser import Page, chromium
from tests.servers import SERVERS

PICTURE = Path(__file__).parents[1] / "bot" / "practice" / "practice-page.png"
SIZE = (1360, 850)
MOST_BYTES = 150_000
_PLAYED = 4
_COLOURS = 128
_TO_THE_CARD = """[...document.querySelectorAll('#log .message')]
  .find((one) => one.innerText.includes('Case EC-2026-0001')).scrollIntoView()"""


def take(tab: Page, path: Path) -> None:
    """Let the clerk look at the first case's card, and write what is shown."""
    tab.resize(*SIZE)
    tab.scheme(dark=False)
    tab.press("Ruth Alden", "#slack-people")
    tab.shows("Case EC-2026-0001", "#log")
    tab.run(_TO_THE_CARD)
    written = BytesIO(tab.screenshot())
    with Image.open(written) as shown:
        few = shown.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)


def main() -> int:
    """Play the story that far, and write the picture."""
    browser = SERVERS["chromium"]
    if browser.find() is None:
        print(browser.missing_line())
        return 1
    configure_logs("error", SystemClock())
    page = PracticePage()
    with (
        tempfile.TemporaryDirectory() as folder,
        world(Path(folder) / "world", token=page.token, routes=page.routes()) as scene,
    ):
        story = Story(scene, print)
        for _name, play in STAGES[:_PLAYED]:
            play(story)
        with chromium() as tab:  # the story comes first: the driver's loop would hold this thread
            tab.start(page.show(scene))
            take(tab, PICTURE)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
