"""Block Kit as Slack accepts it: what is refused, and in which words.

The checks are those that cost a posted message or an opened view in the real workspace: lengths, counts, kinds of
elements by place, unknown properties, and ids that must be unique. Each fault reads like Slack's own: the complaint,
then the JSON pointer to the place.

Source: Slack's Block Kit reference (blocks, block elements, composition objects, views).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = dict[str, Any]

MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
MESSAGE_BLOCK_TEXT = 12_000
VIEW_BYTES = 250 * 1024
TITLE = 24
PRIVATE_METADATA = 3000
ID = 255

_PLAIN = ("plain_text",)
_EITHER = ("plain_text", "mrkdwn")
_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")

_SINGLE_SELECTS = frozenset(
    {"static_select", "external_select", "users_select", "conversations_select", "channels_select"}
)
_MULTI_SELECTS = frozenset(f"multi_{kind}" for kind in _SINGLE_SELECTS)
_CHOICES = frozenset({"radio_buttons", "checkboxes"})
_PICKERS = frozenset({"datepicker", "timepicker"})
_WRITTEN = frozenset(
    {
        "plain_text_input",
        "email_text_input",
        "url_text_input",
        "number_input",
        "rich_text_input",
        "file_input",
    }
)
_IN_SECTION = (
    _SINGLE_SELECTS
    | _MULTI_SELECTS
    | _CHOICES
    | _PICKERS
    | {"button", "overflow", "image", "workflow_button"}
)
_IN_ACTIONS = (
    _SINGLE_SELECTS | _CHOICES | _PICKERS | {"button", "overflow", "datetimepicker", "workflow_button"}
)
_IN_INPUT = _SINGLE_SELECTS | _MULTI_SELECTS | _CHOICES | _PICKERS | _WRITTEN | {"datetimepicker"}
_IN_CONTEXT = frozenset({"image", "plain_text", "mrkdwn"})

STATEFUL = _IN_INPUT
"""Kinds of elements that hold a value in `state.values`."""


class Surface(StrEnum):
    """Where blocks are shown."""

    MESSAGE = "message"
    MODAL = "modal"
    HOME = "home"


@dataclass(frozen=True, slots=True)
class _Shape:
    """The properties an object must and may have besides `type`."""

    must: frozenset[str]
    may: frozenset[str]


def _shape(must: str, may: str) -> _Shape:
    return _Shape(frozenset(must.split()), frozenset(may.split()))


_SELECT_MAY = "action_id placeholder confirm focus_on_load"
_ELEMENT_SHAPES: Mapping[str, _Shape] = {
    "button": _shape("text", "action_id url value style confirm accessibility_label"),
    "overflow": _shape("options", "action_id confirm"),
    "image": _shape("alt_text", "image_url slack_file"),
    "static_select": _shape("", f"{_SELECT_MAY} options option_groups initial_option"),
    "multi_static_select": _shape(
        "", f"{_SELECT_MAY} options option_groups initial_options max_selected_items"
    ),
    "external_select": _shape("", f"{_SELECT_MAY} initial_option min_query_length"),
    "multi_external_select": _shape("", f"{_SELECT_MAY} initial_options min_query_length max_selected_items"),
    "users_select": _shape("", f"{_SELECT_MAY} initial_user response_url_enabled"),
    "multi_users_select": _shape("", f"{_SELECT_MAY} initial_users max_selected_items"),
    "conversations_select": _shape(
        "", f"{_SELECT_MAY} initial_conversation default_to_current_conversation response_url_enabled filter"
    ),
    "multi_conversations_select": _shape(
        "",
        f"{_SELECT_MAY} initial_conversations default_to_current_conversation filter max_selected_items",
    ),
    "channels_select": _shape("", f"{_SELECT_MAY} initial_channel response_url_enabled"),
    "multi_channels_select": _shape("", f"{_SELECT_MAY} initial_channels max_selected_items"),
    "radio_buttons": _shape("options", "action_id initial_option confirm focus_on_load"),
    "checkboxes": _shape("options", "action_id initial_options confirm focus_on_load"),
    "datepicker": _shape("", "action_id placeholder initial_date confirm focus_on_load"),
    "timepicker": _shape("", "action_id placeholder initial_time confirm focus_on_load timezone"),
    "datetimepicker": _shape("", "action_id initial_date_time confirm focus_on_load"),
    "plain_text_input": _shape(
        "",
        "action_id placeholder initial_value multiline min_length max_length dispatch_action_config focus_on_load",
    ),
    "email_text_input": _shape(
        "", "action_id placeholder initial_value dispatch_action_config focus_on_load"
    ),
    "url_text_input": _shape("", "action_id placeholder initial_value dispatch_action_config focus_on_load"),
    "number_input": _shape(
        "is_decimal_allowed",
        "action_id placeholder initial_value min_value max_value dispatch_action_config focus_on_load",
    ),
    "rich_text_input": _shape("", "action_id placeholder initial_value dispatch_action_config focus_on_load"),
    "file_input": _shape("", "action_id filetypes max_files"),
    "workflow_button": _shape("text workflow", "action_id style accessibility_label"),
}
_BLOCK_SHAPES: Mapping[str, _Shape] = {
    "section": _shape("", "block_id text fields accessory expand"),
    "header": _shape("text", "block_id"),
    "divider": _shape("", "block_id"),
    "context": _shape("elements", "block_id"),
    "actions": _shape("elements", "block_id"),
    "input": _shape("label element", "block_id hint optional dispatch_action"),
    "image": _shape("alt_text", "block_id image_url slack_file title"),
    "rich_text": _shape("elements", "block_id"),
}
_VIEW_SHAPES: Mapping[str, _Shape] = {
    "modal": _shape(
        "title blocks",
        "submit close private_metadata callback_id clear_on_close notify_on_close external_id submit_disabled",
    ),
    "home": _shape("blocks", "private_metadata callback_id external_id"),
}
_RICH_PARTS = frozenset({"rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"})
_RICH_LEAVES = frozenset(
    {"text", "link", "user", "usergroup", "channel", "emoji", "broadcast", "date", "color", "team"}
)


@dataclass(slots=True)
class _Check:
    """One pass over a message's or view's blocks; collects every fault."""

    surface: Surface
    faults: list[str] = field(default_factory=list)
    block_ids: set[str] = field(default_factory=set)
    focused: int = 0

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{what} [json-pointer:{where}]")

    def keys(self, thing: Json, shape: _Shape, where: str) -> None:
        for name in sorted(shape.must - thing.keys()):
            self.fault(where, f"missing required field: {name}")
        for name in sorted(thing.keys() - shape.must - shape.may - {"type"}):
            self.fault(where, f"invalid additional property: {name}")

    def thing(self, value: Any, where: str) -> Json | None:
        if isinstance(value, dict):
            return value
        self.fault(where, "must provide an object")
        return None

    def things(self, value: Any, where: str, *, fewest: int, most: int) -> list[Any]:
        if not isinstance(value, list):
            self.fault(where, "must provide an array")
            return []
        if len(value) > most:
            self.fault(where, f"no more than {most} items allowed")
        if len(value) < fewest:
            self.fault(where, f"no fewer than {fewest} items allowed")
        return value

    def string(self, thing: Json, name: str, where: str, *, longest: int, shortest: int = 1) -> str:
        if name not in thing:
            return ""
        value = thing[name]
        if not isinstance(value, str):
            self.fault(f"{where}/{name}", "must provide a string")
            return ""
        self.length(value, f"{where}/{name}", longest=longest, shortest=shortest)
        return value

    def length(self, value: str, where: str, *, longest: int, shortest: int = 1) -> None:
        if len(value) > longest:
            self.fault(where, f"must be less than {longest + 1} characters")
        if len(value) < shortest:
            self.fault(where, f"must be more than {shortest - 1} characters")

    def whole(self, thing: Json, name: str, where: str, *, least: int, most: int) -> None:
        value = thing.get(name, least)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(f"{where}/{name}", "must provide an integer")
        elif not least <= value <= most:
            self.fault(f"{where}/{name}", f"must be between {least} and {most}")

    def flag(self, thing: Json, name: str, where: str) -> None:
        if not isinstance(thing.get(name, False), bool):
            self.fault(f"{where}/{name}", "must provide a boolean")

    def text(self, value: Any, where: str, *, longest: int, kinds: tuple[str, ...] = _EITHER) -> None:
        thing = self.thing(value, where)
        if thing is None:
            return
        kind = thing.get("type")
        if kind not in kinds:
            self.fault(f"{where}/type", f"must be one of: {', '.join(kinds)}")
        own = {"emoji"} if kind == "plain_text" else {"verbatim"}
        self.keys(thing, _Shape(frozenset({"text"}), frozenset(own)), where)
        self.string(thing, "text", where, longest=longest)

    def optional_text(
        self, thing: Json, name: str, where: str, *, longest: int, kinds: tuple[str, ...] = _PLAIN
    ) -> None:
        if name in thing:
            self.text(thing[name], f"{where}/{name}", longest=longest, kinds=kinds)

    # composition objects

    def confirm(self, value: Any, where: str) -> None:
        thing = self.thing(value, where)
        if thing is None:
            return
        self.keys(thing, _shape("title text confirm deny", "style"), where)
        self.optional_text(thing, "title", where, longest=100)
        self.optional_text(thing, "text", where, longest=300, kinds=_EITHER)
        self.optional_text(thing, "confirm", where, longest=30)
        self.optional_text(thing, "deny", where, longest=30)
        self.style(thing, where)

    def style(self, thing: Json, where: str) -> None:
        if "style" in thing and thing["style"] not in {"primary", "danger"}:
            self.fault(f"{where}/style", "must be one of: primary, danger")

    def option(self, value: Any, where: str, kinds: tuple[str, ...]) -> None:
        thing = self.thing(value, where)
        if thing is None:
            return
        self.keys(thing, _shape("text value", "description url"), where)
        self.optional_text(thing, "text", where, longest=75, kinds=kinds)
        self.string(thing, "value", where, longest=150)
        self.optional_text(thing, "description", where, longest=75, kinds=kinds)

    def options(self, element: Json, where: str, *, fewest: int, most: int) -> None:
        kinds = _EITHER if element["type"] in _CHOICES else _PLAIN
        offered = self.things(element["options"], f"{where}/options", fewest=fewest, most=most)
        for number, option in enumerate(offered):
            self.option(option, f"{where}/options/{number}", kinds)

    def option_groups(self, element: Json, where: str) -> None:
        groups = self.things(element["option_groups"], f"{where}/option_groups", fewest=1, most=100)
        for number, value in enumerate(groups):
            place = f"{where}/option_groups/{number}"
            group = self.thing(value, place)
            if group is None:
                continue
            self.keys(group, _shape("label options", ""), place)
            self.optional_text(group, "label", place, longest=75)
            if "options" in group:
                self.options({"type": element["type"], **group}, place, fewest=1, most=100)

    # elements

    def element(self, value: Any, where: str, allowed: frozenset[str]) -> str:
        """Check one element; hands back its action_id, empty where it has none."""
        thing = self.thing(value, where)
        if thing is None:
            return ""
        kind = thing.get("type")
        if not isinstance(kind, str) or kind not in allowed:
            self.fault(f"{where}/type", f"unsupported type: {kind}")
            return ""
        if kind in _EITHER:
            self.text(thing, where, longest=3000)
            return ""
        self.known_element(kind, thing, where)
        return self.string(thing, "action_id", where, longest=ID)

    def known_element(self, kind: str, element: Json, where: str) -> None:
        self.keys(element, _ELEMENT_SHAPES[kind], where)
        self.optional_text(element, "placeholder", where, longest=150)
        self.focus(element, where)
        if "confirm" in element:
            self.confirm(element["confirm"], f"{where}/confirm")
        if kind == "file_input" and self.surface is not Surface.MODAL:
            self.fault(f"{where}/type", "unsupported type: file_input")
        check = _ELEMENT_CHECKS.get(kind)
        if check is not None:
            check(self, element, where)

    def focus(self, element: Json, where: str) -> None:
        self.flag(element, "focus_on_load", where)
        if element.get("focus_on_load") is True:
            self.focused += 1
            if self.focused == 2:
                self.fault(f"{where}/focus_on_load", "only one element can have focus_on_load")

    def button(self, element: Json, where: str) -> None:
        self.optional_text(element, "text", where, longest=75)
        self.string(element, "value", where, longest=2000)
        self.string(element, "url", where, longest=3000)
        self.string(element, "accessibility_label", where, longest=75)
        self.style(element, where)

    def overflow(self, element: Json, where: str) -> None:
        if "options" in element:
            self.options(element, where, fewest=1, most=5)

    def choice(self, element: Json, where: str) -> None:
        if "options" in element:
            self.options(element, where, fewest=1, most=10)
        self.initial(element, where)

    def static_select(self, element: Json, where: str) -> None:
        if ("options" in element) == ("option_groups" in element):
            self.fault(where, "must define either options or option_groups")
        if "options" in element:
            self.options(element, where, fewest=1, most=100)
        if "option_groups" in element:
            self.option_groups(element, where)
        self.initial(element, where)

    def initial(self, element: Json, where: str) -> None:
        """What is chosen at first must be on offer, letter for letter."""
        offered = list(offered_options(element))
        if "initial_option" in element and element["initial_option"] not in offered:
            self.fault(f"{where}/initial_option", "must provide an option that is among the options")
        for number, chosen in enumerate(element.get("initial_options", ())):
            if chosen not in offered:
                self.fault(
                    f"{where}/initial_options/{number}", "must provide an option that is among the options"
                )

    def image(self, element: Json, where: str) -> None:
        if ("image_url" in element) == ("slack_file" in element):
            self.fault(where, "must define either `image_url` or `slack_file`")
        self.string(element, "image_url", where, longest=3000)
        self.string(element, "alt_text", where, longest=2000)

    def datepicker(self, element: Json, where: str) -> None:
        if "initial_date" in element and not _DATE.fullmatch(str(element["initial_date"])):
            self.fault(f"{where}/initial_date", "must be a date in the form YYYY-MM-DD")

    def timepicker(self, element: Json, where: str) -> None:
        if "initial_time" in element and not _TIME.fullmatch(str(element["initial_time"])):
            self.fault(f"{where}/initial_time", "must be a time in the form HH:mm")

    def datetimepicker(self, element: Json, where: str) -> None:
        if "initial_date_time" in element:
            self.whole(element, "initial_date_time", where, least=1_000_000_000, most=9_999_999_999)

    def plain_text_input(self, element: Json, where: str) -> None:
        self.whole(element, "min_length", where, least=0, most=3000)
        if "max_length" in element:
            self.whole(element, "max_length", where, least=1, most=3000)
        self.flag(element, "multiline", where)
        self.string(element, "initial_value", where, longest=3000, shortest=0)

    def file_input(self, element: Json, where: str) -> None:
        self.whole(element, "max_files", where, least=1, most=10)

    # blocks

    def blocks(self, value: Any, where: str, most: int) -> None:
        for number, block in enumerate(self.things(value, where, fewest=0, most=most)):
            self.block(block, f"{where}/{number}")

    def block(self, value: Any, where: str) -> None:
        thing = self.thing(value, where)
        if thing is None:
            return
        kind = thing.get("type")
        if not isinstance(kind, str) or kind not in _BLOCK_SHAPES:
            self.fault(f"{where}/type", f"unsupported type: {kind}")
            return
        self.keys(thing, _BLOCK_SHAPES[kind], where)
        block_id = self.string(thing, "block_id", where, longest=ID)
        if block_id and block_id in self.block_ids:
            self.fault(f"{where}/block_id", f"block_id already exists: {block_id}")
        self.block_ids.add(block_id)
        check = _BLOCK_CHECKS.get(kind)
        if check is not None:
            check(self, thing, where)

    def section(self, block: Json, where: str) -> None:
        if "text" not in block and "fields" not in block:
            self.fault(where, "must define either `text` or `fields`")
        self.optional_text(block, "text", where, longest=3000, kinds=_EITHER)
        if "fields" in block:
            for number, text in enumerate(self.things(block["fields"], f"{where}/fields", fewest=1, most=10)):
                self.text(text, f"{where}/fields/{number}", longest=2000)
        if "accessory" in block:
            self.element(block["accessory"], f"{where}/accessory", _IN_SECTION)

    def header(self, block: Json, where: str) -> None:
        self.optional_text(block, "text", where, longest=150)

    def context(self, block: Json, where: str) -> None:
        shown = self.things(block.get("elements", []), f"{where}/elements", fewest=1, most=10)
        for number, element in enumerate(shown):
            self.element(element, f"{where}/elements/{number}", _IN_CONTEXT)

    def actions(self, block: Json, where: str) -> None:
        seen: set[str] = set()
        offered = self.things(block.get("elements", []), f"{where}/elements", fewest=1, most=25)
        for number, element in enumerate(offered):
            action_id = self.element(element, f"{where}/elements/{number}", _IN_ACTIONS)
            if action_id and action_id in seen:
                self.fault(f"{where}/elements/{number}/action_id", f"action_id already exists: {action_id}")
            seen.add(action_id)

    def input(self, block: Json, where: str) -> None:
        self.optional_text(block, "label", where, longest=2000)
        self.optional_text(block, "hint", where, longest=2000)
        self.flag(block, "optional", where)
        self.flag(block, "dispatch_action", where)
        if "element" in block:
            self.element(block["element"], f"{where}/element", _IN_INPUT)

    def image_block(self, block: Json, where: str) -> None:
        self.image(block, where)
        self.optional_text(block, "title", where, longest=2000)

    def rich_text(self, block: Json, where: str) -> None:
        parts = self.things(block.get("elements", []), f"{where}/elements", fewest=1, most=100)
        for number, part in enumerate(parts):
            self.rich_part(part, f"{where}/elements/{number}")

    def rich_part(self, value: Any, where: str) -> None:
        part = self.thing(value, where)
        if part is None:
            return
        if part.get("type") not in _RICH_PARTS:
            self.fault(f"{where}/type", f"unsupported type: {part.get('type')}")
        for number, leaf in enumerate(part.get("elements", ())):
            place = f"{where}/elements/{number}"
            if part.get("type") == "rich_text_list":
                self.rich_part(leaf, place)
            elif not isinstance(leaf, dict) or leaf.get("type") not in _RICH_LEAVES:
                self.fault(place, "failed to match all allowed schemas")

    # views

    def view(self, view: Json) -> None:
        self.keys(view, _VIEW_SHAPES[self.surface.value], "/view")
        for name in ("title", "submit", "close"):
            self.optional_text(view, name, "/view", longest=TITLE)
        self.string(view, "private_metadata", "/view", longest=PRIVATE_METADATA, shortest=0)
        self.string(view, "callback_id", "/view", longest=ID, shortest=0)
        self.string(view, "external_id", "/view", longest=ID, shortest=0)
        self.blocks(view.get("blocks", []), "/view/blocks", VIEW_BLOCKS)
        asks = any(isinstance(block, dict) and block.get("type") == "input" for block in view["blocks"])
        if asks and self.surface is Surface.MODAL and "submit" not in view:
            self.fault("/view/submit", "missing required field: submit")


_Checker = Callable[[_Check, Json, str], None]
_ELEMENT_CHECKS: Mapping[str, _Checker] = {
    "button": _Check.button,
    "overflow": _Check.overflow,
    "image": _Check.image,
    "static_select": _Check.static_select,
    "multi_static_select": _Check.static_select,
    "radio_buttons": _Check.choice,
    "checkboxes": _Check.choice,
    "datepicker": _Check.datepicker,
    "timepicker": _Check.timepicker,
    "datetimepicker": _Check.datetimepicker,
    "plain_text_input": _Check.plain_text_input,
    "file_input": _Check.file_input,
}
_BLOCK_CHECKS: Mapping[str, _Checker] = {
    "section": _Check.section,
    "header": _Check.header,
    "context": _Check.context,
    "actions": _Check.actions,
    "input": _Check.input,
    "image": _Check.image_block,
    "rich_text": _Check.rich_text,
}


def message_faults(blocks: Any) -> list[str]:
    """What Slack would refuse in a message's blocks; empty when nothing."""
    check = _Check(Surface.MESSAGE)
    check.blocks(blocks, "/blocks", MESSAGE_BLOCKS)
    return check.faults


def view_faults(view: Any) -> list[str]:
    """What Slack would refuse in a modal or an App Home; empty when nothing."""
    if not isinstance(view, dict):
        return ["must provide an object [json-pointer:/view]"]
    if view.get("type") not in _VIEW_SHAPES:
        return [f"unsupported type: {view.get('type')} [json-pointer:/view/type]"]
    if not isinstance(view.get("blocks"), list):
        return ["missing required field: blocks [json-pointer:/view]"]
    check = _Check(Surface(view["type"]))
    check.view(view)
    return check.faults


def view_too_large(view: Json) -> bool:
    """Whether a view weighs more than 250 KB as JSON."""
    return len(json.dumps(view).encode()) > VIEW_BYTES


def text_together(blocks: Any) -> int:
    """Characters of all text in these blocks, counted as Slack counts for `msg_blocks_too_long`."""
    match blocks:
        case dict():
            own = blocks.get("text")
            mine = len(own) if isinstance(own, str) else 0
            return mine + sum(text_together(value) for value in blocks.values())
        case list():
            return sum(text_together(value) for value in blocks)
        case _:
            return 0


def offered_options(element: Json) -> Iterator[Json]:
    """The options a menu, radio group or checkbox group offers, groups included."""
    for holder in (element, *_listed(element, "option_groups")):
        yield from _listed(holder, "options")


def _listed(thing: Json, name: str) -> list[Json]:
    values = thing.get(name)
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def elements(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """Every (block, interactive element) pair in checked blocks."""
    for block in blocks:
        match block["type"]:
            case "section" if "accessory" in block:
                yield block, block["accessory"]
            case "actions":
                for element in block["elements"]:
                    yield block, element
            case "input":
                yield block, block["element"]
            case _:
                pass


def with_ids(blocks: list[Json], mint: Callable[[], str]) -> list[Json]:
    """A copy of checked blocks in which each block has a block_id and each element an action_id, as Slack sets them."""
    copied: list[Json] = json.loads(json.dumps(blocks))
    for block in copied:
        block.setdefault("block_id", mint())
    for _, element in elements(copied):
        if element["type"] != "image":
            element.setdefault("action_id", mint())
    return copied
