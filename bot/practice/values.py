"""What a person types or chooses, in the form in which Slack reports it in `actions` and `state.values`."""

from collections.abc import Mapping

from bot.practice.blocks_check import STATEFUL, Json, elements, offered_options

Choice = str | list[str] | None
"""What is typed or chosen: a text, an option's value, an id, a date; several for what takes several; None to clear."""

_ONE: Mapping[str, tuple[str, str]] = {
    "users_select": ("selected_user", "initial_user"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "channels_select": ("selected_channel", "initial_channel"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "plain_text_input": ("value", "initial_value"),
    "email_text_input": ("value", "initial_value"),
    "url_text_input": ("value", "initial_value"),
    "number_input": ("value", "initial_value"),
    "rich_text_input": ("rich_text_value", "initial_value"),
}
_SEVERAL: Mapping[str, tuple[str, str]] = {
    "multi_users_select": ("selected_users", "initial_users"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
    "file_input": ("files", ""),
}
_ONE_OPTION = frozenset({"static_select", "external_select", "radio_buttons", "overflow"})
_OPTIONS = frozenset({"multi_static_select", "multi_external_select", "checkboxes"})
_TYPED = frozenset({"plain_text_input", "email_text_input", "url_text_input", "number_input"})


class NotOffered(ValueError):
    """The element does not offer what was to be chosen."""


def _option(element: Json, value: str, suggested: list[Json]) -> Json:
    for option in (*offered_options(element), *suggested):
        if option["value"] == value:
            return {name: option[name] for name in ("text", "value", "description") if name in option}
    raise NotOffered(f"This {element['type']} offers no option with the value {value!r}.")


def _one(choice: Choice) -> str | None:
    if isinstance(choice, list):
        raise NotOffered("This takes one value, not several.")
    return choice


def _several(choice: Choice) -> list[str]:
    if isinstance(choice, str):
        return [choice]
    return choice or []


def chosen(element: Json, choice: Choice, suggested: list[Json] | None = None) -> Json:
    """A choice as Slack reports it, `type` included.

    Args:
        element: the element, as checked.
        choice: what the person typed or picked.
        suggested: options an external menu was last given.

    Raises:
        NotOffered: the element has no such option, or takes no value of this kind.
    """
    kind = element["type"]
    offers = suggested or []
    if kind in _ONE:
        value = _one(choice)
        return {"type": kind, _ONE[kind][0]: (value or None) if kind in _TYPED else value}
    if kind in _SEVERAL:
        return {"type": kind, _SEVERAL[kind][0]: _several(choice)}
    if kind in _ONE_OPTION:
        value = _one(choice)
        return {
            "type": kind,
            "selected_option": None if value is None else _option(element, value, offers),
        }
    if kind in _OPTIONS:
        picked = [_option(element, value, offers) for value in _several(choice)]
        return {"type": kind, "selected_options": picked}
    if kind == "datetimepicker":
        value = _one(choice)
        return {"type": kind, "selected_date_time": None if value is None else int(value)}
    raise NotOffered(f"A {kind} takes no value.")


def at_first(element: Json) -> Json:
    """The value an element holds before anybody touched it."""
    kind = element["type"]
    if kind in _ONE:
        return {"type": kind, _ONE[kind][0]: element.get(_ONE[kind][1])}
    if kind in _SEVERAL:
        return {"type": kind, _SEVERAL[kind][0]: element.get(_SEVERAL[kind][1], [])}
    if kind in _ONE_OPTION:
        return {"type": kind, "selected_option": element.get("initial_option")}
    if kind in _OPTIONS:
        return {"type": kind, "selected_options": element.get("initial_options", [])}
    return {"type": kind, "selected_date_time": element.get("initial_date_time")}


def state_values(
    blocks: list[Json], held: dict[str, dict[str, Json]], *, untouched: bool
) -> dict[str, dict[str, Json]]:
    """`state.values` of a surface.

    Args:
        blocks: as stored, with ids.
        held: what the person typed or chose there, by block and action.
        untouched: whether elements nobody touched are reported too (in views and on messages they are).
    """
    values: dict[str, dict[str, Json]] = {}
    for block, element in elements(blocks):
        if element["type"] not in STATEFUL:
            continue
        touched = held.get(block["block_id"], {}).get(element["action_id"])
        if touched is not None and touched["type"] == element["type"]:
            values.setdefault(block["block_id"], {})[element["action_id"]] = touched
        elif untouched:
            values.setdefault(block["block_id"], {})[element["action_id"]] = at_first(element)
    return values


def _empty(value: Json) -> bool:
    return not any(part for name, part in value.items() if name != "type")


def lacking(blocks: list[Json], values: dict[str, dict[str, Json]]) -> dict[str, str]:
    """What Slack's own window refuses before it sends a submission: block_id to complaint."""
    faults: dict[str, str] = {}
    for block, element in elements(blocks):
        if block["type"] != "input":
            continue
        value = values[block["block_id"]][element["action_id"]]
        if _empty(value):
            if not block.get("optional", False):
                faults[block["block_id"]] = "Please complete this required field."
            continue
        complaint = _length_fault(element, value)
        if complaint:
            faults[block["block_id"]] = complaint
    return faults


def _length_fault(element: Json, value: Json) -> str:
    if element["type"] != "plain_text_input":
        return ""
    typed = len(value["value"])
    if typed < element.get("min_length", 0):
        return f"Please enter at least {element['min_length']} characters."
    if typed > element.get("max_length", 3000):
        return f"Please enter at most {element.get('max_length', 3000)} characters."
    return ""
