"""Persons, channels, messages and files as Slack's payloads show them."""

from bot.practice.blocks_check import Json
from bot.practice.state import TEAM_DOMAIN, TEAM_ID, Channel, Filed, Message, Person, Role, Workspace


def person_payload(person: Person, *, with_email: bool) -> Json:
    """A user object; the address only where the app may read addresses."""
    profile: Json = {
        "title": person.title,
        "real_name": person.name,
        "real_name_normalized": person.name,
        "display_name": person.handle,
        "display_name_normalized": person.handle,
        "team": person.team,
    }
    if with_email and person.email:
        profile["email"] = person.email
    gone = person.role == Role.DEACTIVATED
    return {
        "id": person.id,
        "team_id": person.team,
        "name": person.handle,
        "deleted": gone,
        "real_name": person.name,
        "tz": person.zone,
        "profile": profile,
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": person.role in {Role.GUEST, Role.RESTRICTED},
        "is_ultra_restricted": person.role == Role.RESTRICTED,
        "is_bot": person.role == Role.BOT,
        "is_stranger": person.team != TEAM_ID,
        "is_app_user": False,
        "updated": 0,
    }


def person_in_payload(person: Person) -> Json:
    """The `user` of an interaction."""
    return {"id": person.id, "username": person.handle, "name": person.handle, "team_id": person.team}


def team_payload() -> Json:
    """The `team` of an interaction."""
    return {"id": TEAM_ID, "domain": TEAM_DOMAIN}


def channel_payload(channel: Channel, *, bot_user: str) -> Json:
    """A conversation object."""
    shape: Json = {
        "id": channel.id,
        "created": channel.created,
        "is_archived": channel.archived,
        "is_im": channel.direct and len(channel.members) == 2,
        "is_mpim": channel.direct and len(channel.members) > 2,
        "is_channel": not channel.direct,
        "is_group": channel.private and not channel.direct,
        "is_private": channel.private,
        "is_org_shared": False,
        "context_team_id": TEAM_ID,
    }
    if channel.direct:
        others = [member for member in channel.members if member != bot_user]
        return shape | {"user": others[0] if others else bot_user}
    return shape | {
        "name": channel.name,
        "name_normalized": channel.name,
        "creator": channel.creator,
        "is_member": bot_user in channel.members,
        "is_general": False,
        "topic": {"value": channel.topic, "creator": channel.creator, "last_set": 0},
        "purpose": {"value": channel.purpose, "creator": channel.creator, "last_set": 0},
        "num_members": len(channel.members),
    }


def channel_in_payload(channel: Channel) -> Json:
    """The `channel` of an interaction: private names are not given away."""
    if channel.direct:
        return {"id": channel.id, "name": "directmessage"}
    return {"id": channel.id, "name": "privategroup" if channel.private else channel.name}


def file_payload(filed: Filed, base: str) -> Json:
    """A file object; `base` is the server's address."""
    mimetype = "application/pdf" if filed.name.lower().endswith(".pdf") else "application/octet-stream"
    return {
        "id": filed.id,
        "created": filed.created,
        "timestamp": filed.created,
        "name": filed.name,
        "title": filed.title or filed.name,
        "mimetype": mimetype,
        "filetype": filed.name.rpartition(".")[2].lower(),
        "user": filed.uploader,
        "size": filed.size,
        "mode": "hosted",
        "url_private": f"{base}/files-pri/{filed.id}",
        "url_private_download": f"{base}/files-pri/{filed.id}",
        "channels": [],
        "groups": list(filed.channels),
        "ims": [],
    }


def message_payload(message: Message, workspace: Workspace, base: str) -> Json:
    """A message object."""
    app = workspace.app
    shape: Json = {
        "type": "message",
        "user": message.author,
        "ts": message.ts,
        "text": message.text,
        "team": TEAM_ID,
    }
    if message.by_app:
        shape |= {"bot_id": app.bot_id, "app_id": app.app_id}
    if message.blocks:
        shape["blocks"] = message.blocks
    if message.thread_ts:
        shape["thread_ts"] = message.thread_ts
    if message.edited:
        shape["edited"] = {"user": message.author, "ts": message.edited}
    if message.metadata:
        shape["metadata"] = message.metadata
    if message.files:
        known = (workspace.files[name] for name in message.files if name in workspace.files)
        shape["files"] = [file_payload(filed, base) for filed in known]
    return shape
