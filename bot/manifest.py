"""The Slack app's manifest: exactly the scopes, events and command that Docket uses.

Source: slack.md, App; a test holds it against the scopes that the doctor asks for.
"""

from typing import Any

from bot.doctor import SCOPES

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
