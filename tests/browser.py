"""A real Chromium driven over its DevTools protocol: clicks by mouse, typing by keyboard, no package beyond aiohttp."""

import asyncio
import base64
import itertools
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from tests.servers import find_chromium

PATIENCE_S = 25.0
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-port=0",
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

_LOOK_OVER = """axe.run(document, {
  resultTypes: ["violations"], rules: {"target-size": {enabled: true}}}).then((found) => found.violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .flatMap((one) => one.nodes.map((node) => `${one.impact} ${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`)))"""


class NotShown(AssertionError):
    """The page did not come to show what was waited for."""


class Page:
    """One tab. `within` narrows a search to the last element shown that a CSS selector finds."""

    def __init__(self, runner: asyncio.Runner, line: aiohttp.ClientWebSocketResponse) -> None:
        self._runner = runner
        self._line = line
        self._numbers = itertools.count(1)
        self.faults: list[str] = []
        self.asked: list[str] = []

    def call(self, method: str, **arguments: object) -> dict[str, Any]:
        """Send a command of the protocol and give its result."""
        return self._runner.run(self._call(method, arguments))

    async def _call(self, method: str, arguments: dict[str, object]) -> dict[str, Any]:
        number = next(self._numbers)
        await self._line.send_json({"id": number, "method": method, "params": arguments})
        while True:
            said = json.loads((await self._line.receive(PATIENCE_S * 2)).data)
            if said.get("id") == number:
                if "error" in said:
                    raise AssertionError(f"{method}: {said['error']['message']}")
                return dict(said["result"])
            self._note(said)

    def _note(self, said: dict[str, Any]) -> None:
        match said.get("method"):
            case "Runtime.exceptionThrown":
                self.faults.append(str(said["params"]["exceptionDetails"]))
            case "Log.entryAdded" if said["params"]["entry"]["level"] == "error":
                self.faults.append(str(said["params"]["entry"]))
            case "Network.requestWillBeSent":
                self.asked.append(said["params"]["request"]["url"])
            case _:
                pass

    def start(self, url: str) -> None:
        """Load an address."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """Evaluate an expression in the page and give its value."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def until(self, condition: str, timeout_s: float = PATIENCE_S) -> Any:
        """Wait until an expression is true in the page."""
        deadline = time.monotonic() + timeout_s
        look = (
            f"(() => {{ {_FIND}; const end = performance.now() + 2000; return new Promise((settle) => {{ "
            f"const again = () => {{ const now = ({condition}); if (now || performance.now() > end) "
            "settle(Boolean(now)); else setTimeout(again, 30); }; again(); }); })()"
        )
        while not self.run(look):
            if time.monotonic() > deadline:
                raise NotShown(f"{condition}\n--\n{self.run('document.body.innerText')[:4000]}")

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
        self.until(f"found.field({place})")
        if self.run(f"found.field({place}).matches('select')"):
            self.run(
                f"(() => {{ const menu = found.field({place}); const wanted = [...menu.options].find((one) => "
                f"one.text.startsWith({json.dumps(option)})); wanted.selected = true; "
                "menu.dispatchEvent(new Event('change', {bubbles: true})); })()"
            )
        else:
            self._click(f"found.choice({json.dumps(label)}, {json.dumps(option)}, {json.dumps(within)})")

    def fill(self, label: str, text: str, within: str = "") -> None:
        """Type into a field, in place of what it holds."""
        place = f"found.field({json.dumps(label)}, {json.dumps(within)})"
        self.until(place)
        self.run(f"(() => {{ const one = {place}; one.focus(); one.select(); }})()")
        self.call("Input.insertText", text=text)

    def upload(self, selector: str, path: Path, content: bytes) -> None:
        """Choose a file, made for it, in a file field."""
        path.write_bytes(content)
        field = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=field["result"]["objectId"])

    def key(self, name: str, code: int = 0) -> None:
        """Press and release a key."""
        key: dict[str, object] = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        if name == "Enter":
            key["text"] = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def _click(self, element: str) -> None:
        """Click an element in its middle, once it stands still and nothing lies over it.

        A page that draws itself anew between press and release takes the click from under the mouse, as it does
        from under a hand; then it is clicked again.
        """
        for _try in range(5):
            self.until(
                f"(() => {{ const one = {element}; if (!one) return false; "
                "one.scrollIntoView({block: 'nearest'}); const box = one.getBoundingClientRect(); "
                "const spot = [box.x + box.width / 2, box.y + box.height / 2]; const before = window.aim; "
                "window.aim = {one, spot, looks: before?.one === one && String(before.spot) === String(spot) "
                "? before.looks + 1 : 0}; if (window.aim.looks < 3) return false; "
                "if (!one.contains(document.elementFromPoint(...spot))) return false; window.landed = false; "
                "one.addEventListener('click', () => { window.landed = true; }, {once: true, capture: true}); "
                "return true; })()"
            )
            x, y = self.run("window.aim.spot")
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
            if self.run("window.landed"):
                return
        raise NotShown(f"no click reached {element}")

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """Give the tab another size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )

    def barriers(self) -> list[str]:
        """Give what axe-core calls a serious or critical fault of what is shown now, one line for each element."""
        if not self.run("'axe' in window"):
            self.run((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8") + "; null")
        return list(self.run(_LOOK_OVER))

    def picture(self, path: Path) -> None:
        """Write what is shown as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def asked_elsewhere(self, url: str) -> list[str]:
        """Give the addresses asked for that are not the page's own."""
        own = urlsplit(url).netloc
        return [one for one in self.asked if one.startswith("http") and urlsplit(one).netloc != own]


def _debugging_address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + PATIENCE_S
    told = folder / "DevToolsActivePort"
    while time.monotonic() < deadline and process.poll() is None:
        lines = told.read_text().splitlines() if told.exists() else []
        if len(lines) == 2:
            return f"127.0.0.1:{lines[0]}"
        time.sleep(0.05)
    raise NotShown("Chromium did not start")


@contextmanager
def chromium(folder: Path) -> Iterator[Page]:
    """Start Chromium with a fresh profile in a folder and give its tab; ends it in the end."""
    program = find_chromium()
    assert program is not None
    profile = folder / "chromium"
    profile.mkdir()
    command = [str(program), *_FLAGS, f"--user-data-dir={profile}", "--window-size=1440,900", "about:blank"]
    with ExitStack() as stack:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        stack.callback(process.wait, PATIENCE_S)
        stack.callback(process.terminate)
        address = _debugging_address(profile, process)
        runner = stack.enter_context(asyncio.Runner())
        session, line = runner.run(_attach(address))
        stack.callback(lambda: runner.run(session.close()))
        page = Page(runner, line)
        page.resize(1440, 900)
        yield page


async def _attach(address: str) -> tuple[aiohttp.ClientSession, aiohttp.ClientWebSocketResponse]:
    session = aiohttp.ClientSession()
    async with session.get(f"http://{address}/json/list") as answer:
        tabs = await answer.json(content_type=None)
    tab = next(one for one in tabs if one["type"] == "page")
    return session, await session.ws_connect(tab["webSocketDebuggerUrl"], max_msg_size=0)
