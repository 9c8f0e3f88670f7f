"""The practice page's three files, as they lie in the package, served without the token: they hold nothing.

Everything the page shows it asks of the JSON APIs, with the token that its address carries behind the `#`,
where no server and no log sees it.
"""

from collections.abc import Awaitable, Callable
from importlib.resources import files

from aiohttp import web

PAGE = "/practice/"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_FILES = (
    ("", "index.html", "text/html"),
    ("page.css", "page.css", "text/css"),
    ("page.js", "page.js", "text/javascript"),
    ("blocks.js", "blocks.js", "text/javascript"),
)


def page_routes() -> list[web.RouteDef]:
    """Give the routes of the page and of what it loads."""
    return [web.get(PAGE + path, _serving(name, kind)) for path, name, kind in _FILES]


def page_url(server: str, token: str) -> str:
    """Give the address to open: the server's, with the token behind the `#`."""
    return f"{server}{PAGE}#{token}"


def _serving(name: str, kind: str) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    text = (files("bot.practice") / "page" / name).read_text(encoding="utf-8")

    async def serve(_request: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type=kind, charset="utf-8", headers=_HEADERS)

    return serve
