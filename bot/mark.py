"""Test mode in Slack: whatever Docket shows bears a mark, in one place for every message and view (R8)."""

from collections.abc import Mapping
from typing import Any

from slack_sdk import WebClient
from slack_sdk.web import SlackResponse
from typing_extensions import override

from bot.blocks import MESSAGE_BLOCKS, Json

MARK = "TEST"
SAYS = ":test_tube: *TEST* This is not a real case. Nothing here counts."
_MESSAGES = frozenset({"chat.postMessage", "chat.update", "chat.postEphemeral"})
_VIEWS = frozenset({"views.open", "views.push", "views.update", "views.publish"})
_MOST_IN_A_VIEW = 100


class MarkedClient(WebClient):
    """Slack's Web API for a record in test mode: every message and view is marked before it goes."""

    @override
    def api_call(self, api_method: str, *args: Any, **kwargs: Any) -> SlackResponse:
        """Mark what is shown, and call."""
        for way in ("json", "params", "data"):
            if isinstance(kwargs.get(way), dict):
                kwargs[way] = marked(api_method, kwargs[way])
        return super().api_call(api_method, *args, **kwargs)


def marked(method: str, words: Mapping[str, Any]) -> dict[str, Any]:
    """Give the words of a call with the mark in them; those of other calls as they are.

    Args:
        method: Slack's name of it.
        words: its arguments.
    """
    changed = dict(words)
    if method in _MESSAGES:
        changed["text"] = f"{MARK}: {changed.get('text', '')}"
        if changed.get("blocks"):
            changed["blocks"] = [_block(), *changed["blocks"]][:MESSAGE_BLOCKS]
    elif method in _VIEWS and isinstance(changed.get("view"), dict):
        view = dict(changed["view"])
        view["blocks"] = [_block(), *view.get("blocks", ())][:_MOST_IN_A_VIEW]
        changed["view"] = view
    return changed


def _block() -> Json:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": SAYS}]}
