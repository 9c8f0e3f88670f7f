"""A real Chromium driven by Playwright: clicks by mouse, typing by keyboard; waits are for what is shown."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, ElementHandle, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page as Tab
from playwright.sync_api import TimeoutError as NotInTime

from tests.servers import find_chromium

PATIENCE_MS = 25_000.0
_TRIES = 5
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_FIND = """(() => {
  const shown = (one) => one.getClientRects().length > 0 && !one.closest("[inert], [hidden]");
  const words = (one) => (one.getAttribute("aria-label") || one.innerText || "").replace(/\\s+/g, " ").trim();
  const scope = (selector) => [...document.querySelectorAll(selector || "body")].filter(shown).at(-1);
  window.found = {
    button: (name, within) => [...(scope(within)?.querySelectorAll("button") ?? [])]
      .filter((one) => shown(one) && !one.disabled && words(one).includes(name)).at(-1),
    field: (label, within) => {
      const named = [...(scope(within)?.querySelectorAll("label, legend") ?? [])]
        .find((one) => shown(one) && words(one).startsWith(label));
      return named && (named.control ?? named.parentElement);
    },
    choice: (label, option, within) => [...(window.found.field(label, within)?.querySelectorAll("label") ?? [])]
      .find((one) => words(one).startsWith(option)),
    text: (within) => scope(within)?.innerText ?? "",
  };
})()"""

_GRAVE = ("serious", "critical")
_DESK = (1440, 900)


class NotShown(AssertionError):
    """The page did not come to show what was waited for."""


class Page:
    """One tab. `within` narrows a search to the last element shown that a CSS selector finds."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._protocol = tab.context.new_cdp_session(tab)
        self.faults: list[str] = []
        self.asked: list[str] = []
        tab.set_default_timeout(PATIENCE_MS)
        tab.on("pageerror", lambda error: self.faults.append(str(error)))
        tab.on("console", self._note)
        tab.on("request", lambda request: self.asked.append(request.url))

    def _note(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.faults.append(said.text)

    def start(self, url: str) -> None:
        """Load an address."""
        self._tab.goto(url)

    def run(self, script: str) -> Any:
        """Evaluate an expression in the page and give its value."""
        return self._tab.evaluate(f"() => ({script})")

    def until(self, condition: str) -> None:
        """Wait until an expression is true in the page."""
        try:
            self._tab.wait_for_function(f"() => {{ {_FIND}; return Boolean({condition}); }}", polling=30)
        except NotInTime as error:
            raise NotShown(f"{condition}\n--\n{self.run('document.body.innerText')[:4000]}") from error

    def shows(self, text: str, within: str = "") -> None:
        """Wait until a text is shown."""
        self.until(f"found.text({json.dumps(within)}).includes({json.dumps(text)})")

    def text(self, within: str = "") -> str:
        """Give what is shown now."""
        return str(self.run(f"({_FIND}, found.text({json.dumps(within)}))"))

    def press(self, name: str, within: str = "") -> None:
        """Click the last button shown whose name has a text, by the mouse."""
        self._click(f"found.button({json.dumps(name)}, {json.dumps(within)})")

    def has_button(self, name: str, within: str = "") -> bool:
        """Say whether such a button can be pressed now."""
        return bool(self.run(f"({_FIND}, Boolean(found.button({json.dumps(name)}, {json.dumps(within)})))"))

    def choose(self, label: str, option: str, within: str = "") -> None:
        """Choose a radio button or box, or in a list, by the words shown."""
        place = f"{json.dumps(label)}, {json.dumps(within)}"
        field = self._element(f"found.field({place})")
        if field.evaluate("(one) => one.matches('select')"):
            wanted = "(one, option) => [...one.options].find((each) => each.text.startsWith(option)).index"
            field.select_option(index=field.evaluate(wanted, option))
        else:
            self._click(f"found.choice({json.dumps(label)}, {json.dumps(option)}, {json.dumps(within)})")

    def fill(self, label: str, text: str, within: str = "") -> None:
        """Type into a field, in place of what it holds."""
        self._element(f"found.field({json.dumps(label)}, {json.dumps(within)})").fill(text)

    def upload(self, selector: str, path: Path, content: bytes) -> None:
        """Choose a file, made for it, in a file field."""
        path.write_bytes(content)
        self._tab.set_input_files(selector, path)

    def key(self, name: str) -> None:
        """Press and release a key."""
        self._tab.keyboard.press(name)

    def _element(self, element: str) -> ElementHandle:
        self.until(element)
        found = self._tab.evaluate_handle(f"() => {{ {_FIND}; return {element}; }}").as_element()
        if found is None:
            raise NotShown(element)
        return found

    def _click(self, element: str) -> None:
        """Click an element once it stands still and nothing lies over it.

        A page that draws itself anew may take the element away before the click; then it is looked for again.
        """
        for _try in range(_TRIES):
            try:
                self._element(element).click(timeout=PATIENCE_MS / _TRIES)
            except PlaywrightError:
                continue
            return
        self._element(element).click()

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """Give the tab another size, with a phone's screen where asked."""
        self._tab.set_viewport_size({"width": width, "height": height})
        size = {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        self._protocol.send("Emulation.setDeviceMetricsOverride", size)

    def scheme(self, *, dark: bool) -> None:
        """Ask for light or dark, as a person's system does."""
        self._tab.emulate_media(color_scheme="dark" if dark else "light")

    def reload(self) -> None:
        """Load the page anew."""
        self._tab.reload()

    def barriers(self) -> list[str]:
        """Give what axe-core calls a serious or critical fault of what is shown now, one line for each element."""
        options = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
        found = Axe().run(self._tab, options=options).response["violations"]
        return [
            f"{one['impact']} {one['id']}: {node['html'][:160]} {node['failureSummary']}"
            for one in found
            if one["impact"] in _GRAVE
            for node in one["nodes"]
        ]

    def screenshot(self) -> bytes:
        """Give what is shown as PNG."""
        return self._tab.screenshot()

    def picture(self, path: Path) -> None:
        """Write what is shown as PNG."""
        path.write_bytes(self.screenshot())

    def asked_elsewhere(self, url: str) -> list[str]:
        """Give the addresses asked for that are not the page's own."""
        own = urlsplit(url).netloc
        return [one for one in self.asked if one.startswith("http") and urlsplit(one).netloc != own]


@contextmanager
def chromium() -> Iterator[Page]:
    """Start Chromium with a fresh profile and give its tab; ends it in the end."""
    program = find_chromium()
    assert program is not None
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(_FLAGS))
        try:
            yield Page(browser.new_page(viewport={"width": _DESK[0], "height": _DESK[1]}))
        finally:
            browser.close()
