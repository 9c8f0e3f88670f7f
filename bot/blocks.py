"""Small pure builders of Slack blocks, with Slack's limits in one place.

What people wrote (names, reasons, file names) is shown as plain text only, so that it can neither
format, mention nor link; what stands in `mrkdwn` is ours, with every value escaped.

Source: Slack's reference of Block Kit; the limits are those of the modal, message and App Home.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from bot.payloads import TYPED, Target

Json = dict[str, Any]

MESSAGE_BLOCKS = 50
MESSAGE_TEXT = 11_500
VIEW_BLOCKS = 100
SECTION = 3000
HEADER = 150
BUTTON = 75
VALUE = 2000
OPTION = 75
TITLE = 24
INPUT_LABEL = 2000
HINT = 2000
PLACEHOLDER = 150
METADATA = 3000
ACTIONS = 25
OPTIONS = 100
LONG_LIST_OPTION = 40
LONGEST_LIST = 600
RADIOS = 10
PAGE = 30

_ISOLATE, _POP = "\u2068", "\u2069"
_HIDDEN = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff")
_JOINER = "\u200d"
_KEPT_CONTROLS = frozenset("\n\t")


def clip(text: str, limit: int) -> str:
    """Cut a text to a number of characters, with an ellipsis; never between a letter and its marks."""
    if len(text) <= limit:
        return text
    end = limit - 1
    while end > 0 and (
        unicodedata.combining(text[end]) or text[end] in "\u200d\ufe0f" or text[end - 1] == "\u200d"
    ):
        end -= 1
    return text[: end or limit - 1] + "…"


def clean(text: str) -> str:
    """Take out what could turn the reading direction or hide something; line ends and tabs stay."""
    return "".join(
        sign
        for sign in text
        if sign == _JOINER
        or (
            sign not in _HIDDEN and (sign in _KEPT_CONTROLS or not unicodedata.category(sign).startswith("C"))
        )
    )


def name(text: str, limit: int = 200) -> str:
    """Give a name fit for the middle of a line: one line, and its own reading direction kept apart."""
    said = clip(" ".join(clean(text).split()), limit - 2)
    return f"{_ISOLATE}{said or '–'}{_POP}"


def escape(text: str) -> str:
    """Escape what would mention or link in `mrkdwn`: &, < and >."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain(text: str, limit: int = SECTION) -> Json:
    """A plain text object; an empty one shows a dash, as Slack refuses nothing."""
    return {"type": "plain_text", "text": clip(clean(text), limit).strip() or "–", "emoji": False}


def mrkdwn(text: str, limit: int = SECTION) -> Json:
    """A formatted text object: our own words, values escaped by `escape`."""
    return {"type": "mrkdwn", "text": clip(text, limit) or "–", "verbatim": True}


def header(text: str) -> Json:
    """A headline."""
    return {"type": "header", "text": plain(text, HEADER)}


def section(text: str, *, accessory: Json | None = None) -> Json:
    """A paragraph in our own words."""
    block: Json = {"type": "section", "text": mrkdwn(text)}
    return block | ({"accessory": accessory} if accessory else {})


def said(text: str, *, accessory: Json | None = None) -> Json:
    """A paragraph that holds what people wrote: plain text."""
    block: Json = {"type": "section", "text": plain(text)}
    return block | ({"accessory": accessory} if accessory else {})


def small(text: str) -> Json:
    """A line in small print, in our own words."""
    return {"type": "context", "elements": [mrkdwn(text)]}


def divider() -> Json:
    """A line across."""
    return {"type": "divider"}


def button(label: str, action: str, value: str = "", *, style: str = "", confirm: Json | None = None) -> Json:
    """A button.

    Args:
        label: at most 75 characters.
        action: its action id; unique in its row.
        value: keys, never content.
        style: ``primary`` or ``danger``; empty for neither.
        confirm: asked before it counts.
    """
    made: Json = {"type": "button", "text": plain(label, BUTTON), "action_id": action}
    if value:
        made["value"] = clip(value, VALUE)
    if style:
        made["style"] = style
    if confirm is not None:
        made["confirm"] = confirm
    return made


def confirm(title: str, text: str, *, yes: str, no: str) -> Json:
    """A question asked before a button counts."""
    return {
        "title": plain(title, 100),
        "text": plain(text, 300),
        "confirm": plain(yes, 30),
        "deny": plain(no, 30),
    }


def actions(buttons: Sequence[Json], block: str = "") -> list[Json]:
    """Rows of buttons, as many rows as it takes; none for no buttons."""
    rows: list[Json] = []
    for start in range(0, len(buttons), ACTIONS):
        row: Json = {"type": "actions", "elements": list(buttons[start : start + ACTIONS])}
        if block:
            row["block_id"] = f"{block}{start // ACTIONS or ''}"
        rows.append(row)
    return rows


def option(label: str, value: str) -> Json:
    """One choice of a select, radio or checkbox."""
    return {"text": plain(label, OPTION), "value": value}


def _input(block: str, label: str, element: Json, *, optional: bool, hint: str) -> Json:
    made: Json = {
        "type": "input",
        "block_id": block,
        "label": plain(label, INPUT_LABEL),
        "element": {**element, "action_id": block},
        "optional": optional,
    }
    return made | ({"hint": plain(hint, HINT)} if hint else {})


def text_input(
    block: str,
    label: str,
    *,
    lines: bool = False,
    optional: bool = False,
    hint: str = "",
    initial: str = "",
    limit: int = TYPED,
) -> Json:
    """A field to type into; its value is found under the block's id."""
    element: Json = {"type": "plain_text_input", "multiline": lines, "max_length": limit}
    if initial:
        element["initial_value"] = clip(initial, limit)
    return _input(block, label, element, optional=optional, hint=hint)


def date_input(block: str, label: str, *, initial: str = "", optional: bool = False, hint: str = "") -> Json:
    """A day to pick; `initial` as 2026-03-02."""
    element: Json = {"type": "datepicker"}
    if initial:
        element["initial_date"] = initial
    return _input(block, label, element, optional=optional, hint=hint)


def radio(
    block: str, label: str, choices: Sequence[tuple[str, str]], *, initial: str = "", hint: str = ""
) -> Json:
    """One of at most ten choices, each a value with its label."""
    element: Json = {
        "type": "radio_buttons",
        "options": [option(text, value) for value, text in choices[:RADIOS]],
    }
    for value, text in choices[:RADIOS]:
        if value == initial:
            element["initial_option"] = option(text, value)
    return _input(block, label, element, optional=False, hint=hint)


def select(
    block: str,
    label: str,
    choices: Sequence[tuple[str, str]],
    *,
    initial: str = "",
    optional: bool = False,
    hint: str = "",
) -> Json:
    """One choice from a list, of at most `LONGEST_LIST`; beyond a hundred they stand in groups."""
    offered = _options(choices)
    element: Json = {"type": "static_select", **_grouped(offered)}
    for one in offered:
        if one["value"] == initial:
            element["initial_option"] = one
    return _input(block, label, element, optional=optional, hint=hint)


def _options(choices: Sequence[tuple[str, str]]) -> list[Json]:
    """Give the choices of a list; the labels of a long one are cut shorter, so that a view with two of them fits."""
    most = OPTION if len(choices) <= OPTIONS else LONG_LIST_OPTION
    return [option(clip(text, most), value) for value, text in choices[:LONGEST_LIST]]


def _grouped(offered: Sequence[Json]) -> Json:
    """Give options as Slack takes them: a hundred at most, or a hundred in each of several groups."""
    if len(offered) <= OPTIONS:
        return {"options": list(offered)}
    return {
        "option_groups": [
            {
                "label": plain(f"{start + 1} to {min(start + OPTIONS, len(offered))}", OPTION),
                "options": list(offered[start : start + OPTIONS]),
            }
            for start in range(0, len(offered), OPTIONS)
        ]
    }


def account_input(block: str, label: str) -> Json:
    """An account of the workspace to pick; none may be."""
    return _input(block, label, {"type": "users_select"}, optional=True, hint="")


def several(
    block: str,
    label: str,
    choices: Sequence[tuple[str, str]],
    *,
    initial: Iterable[str] = (),
    optional: bool = True,
    hint: str = "",
) -> Json:
    """Any of at most `LONGEST_LIST` choices: boxes for up to ten, a list for more, in groups beyond a hundred."""
    kind = "checkboxes" if len(choices) <= RADIOS else "multi_static_select"
    wanted, offered = set(initial), _options(choices)
    element: Json = {"type": kind, **_grouped(offered)}
    chosen = [one for one in offered if one["value"] in wanted]
    if chosen:
        element["initial_options"] = chosen
    return _input(block, label, element, optional=optional, hint=hint)


def modal(
    title: str,
    blocks: Sequence[Json],
    *,
    callback: str = "",
    submit: str = "",
    metadata: str = "",
    close: str = "Close",
) -> Json:
    """A modal; blocks beyond a hundred are left out, so whoever lists much pages it."""
    view: Json = {
        "type": "modal",
        "title": plain(title, TITLE),
        "close": plain(close, TITLE),
        "blocks": list(blocks[:VIEW_BLOCKS]),
    }
    if callback:
        view["callback_id"] = callback
    if submit:
        view["submit"] = plain(submit, TITLE)
    if metadata:
        view["private_metadata"] = clip(metadata, METADATA)
    return view


def home(blocks: Sequence[Json]) -> Json:
    """An App Home."""
    return {"type": "home", "blocks": fit(blocks, most=VIEW_BLOCKS, letters=200_000)}


def paged(lines: Sequence[Json], target: Target, turn: str, *, most: int = PAGE) -> list[Json]:
    """Give the page of a long list that is asked for, with buttons to the others.

    Args:
        lines: the whole list.
        target: what the list is about, and which page is asked for, from 0; one beyond the last is the last.
        turn: the action id of its buttons.
        most: how many lines a page.
    """
    pages = max(1, -(-len(lines) // most))
    here = min(target.page, pages - 1)
    return [*lines[here * most : (here + 1) * most], *turning(target.at(here), turn, pages)]


def turning(target: Target, turn: str, pages: int) -> list[Json]:
    """Say which page of a long list is shown, with buttons to the others; nothing where there is one page.

    Args:
        target: what the list is about, and the page that is shown, from 0.
        turn: the action id of its buttons.
        pages: how many there are.
    """
    ways = ((target.page - 1, "Earlier", "back"), (target.page + 1, "Further", "on"))
    turns = [
        button(label, f"{turn}:{way}", target.at(page).text())
        for page, label, way in ways
        if 0 <= page < pages
    ]
    return [small(f"Page {target.page + 1} of {pages:,}"), *actions(turns)] if pages > 1 else []


def text_of(block: Json) -> int:
    """Count the characters of text in a block."""
    count = 0
    waiting: list[Any] = [block]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if one.get("type") in {"plain_text", "mrkdwn"} and isinstance(one.get("text"), str):
                count += len(one["text"])
            else:
                waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return count


def fit(
    blocks: Sequence[Json], *, most: int = MESSAGE_BLOCKS, letters: int = MESSAGE_TEXT, left_out: str = ""
) -> list[Json]:
    """Keep the blocks that Slack takes in one message (or a view), and say where some were left out.

    Args:
        blocks: in order; rows of buttons are always kept.
        most: how many blocks.
        letters: how many characters of text together.
        left_out: the sentence that stands where some were left out.
    """
    held = [one for one in blocks if one["type"] == "actions"]
    room, letters = most - len(held) - 1, letters - sum(map(text_of, held)) - 200
    kept: list[Json] = []
    full = False
    for one in blocks:
        if one["type"] == "actions":
            kept.append(one)
            continue
        if full or room <= 0 or text_of(one) > letters:
            if not full:
                kept.append(small(left_out or "There is more than fits here."))
            full = True
            continue
        kept.append(one)
        room -= 1
        letters -= text_of(one)
    return kept[:most]
