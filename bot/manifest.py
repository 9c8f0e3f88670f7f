"""The Slack app's manifest: exactly the scopes, events and command that Docket uses.

A test reads the code for the calls that it makes and holds them against the list here; the scopes follow
from the list, and the doctor asks Slack for them by name.

Source: Slack's documentation of each method, "Required scopes", for private channels and direct messages.
"""

from collections.abc import Mapping
from typing import Any, Final

CALLS: Final[Mapping[str, tuple[str, ...]]] = {
    "apps.connections.open": (),
    "auth.test": (),
    "blocks.validate": (),
    "chat.delete": ("chat:write",),
    "chat.postEphemeral": ("chat:write",),
    "chat.postMessage": ("chat:write",),
    "chat.update": ("chat:write",),
    "conversations.create": ("groups:write",),
    "conversations.info": ("groups:read",),
    "conversations.invite": ("groups:write",),
    "conversations.kick": ("groups:write",),
    "conversations.members": ("groups:read",),
    "conversations.open": ("im:write",),
    "files.completeUploadExternal": ("files:write",),
    "files.delete": ("files:write",),
    "files.getUploadURLExternal": ("files:write",),
    "users.info": ("users:read",),
    "users.lookupByEmail": ("users:read.email",),
    "views.open": (),
    "views.publish": (),
    "views.push": (),
    "views.update": (),
}
"""Each Web API method that Docket calls, and the scopes it needs (the app token's own apart)."""

_FEATURES: Final = ("commands",)
SCOPES: Final = tuple(sorted({*_FEATURES, *(scope for needed in CALLS.values() for scope in needed)}))
"""The bot scopes, by name: those of the calls, and that of the slash command."""

EVENTS = ("app_home_opened", "app_uninstalled", "member_joined_channel", "tokens_revoked", "user_change")
COMMAND = "/ethics"


def manifest(name: str = "Docket") -> dict[str, Any]:
    """Give the manifest as Slack reads it (JSON), for Socket Mode."""
    return {
        "display_information": {
            "name": name,
            "description": "The clerk of the Board of Ethics.",
            "background_color": "#1f3a5f",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": True,
            },
            "bot_user": {"display_name": name, "always_online": True},
            "slash_commands": [
                {
                    "command": COMMAND,
                    "description": "Cases, meetings, calendar, roster",
                    "usage_hint": "help",
                    "should_escape": False,
                }
            ],
        },
        "oauth_config": {"scopes": {"bot": list(SCOPES)}},
        "settings": {
            "event_subscriptions": {"bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True},
            "org_deploy_enabled": False,
            "socket_mode_enabled": True,
            "token_rotation_enabled": False,
        },
    }
