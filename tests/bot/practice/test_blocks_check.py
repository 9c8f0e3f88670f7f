import pytest

from bot.practice.blocks_check import (
    VIEW_BYTES,
    message_faults,
    text_together,
    view_faults,
    view_too_large,
    with_ids,
)
from tests.bot.practice.conftest import refused


def plain(text):
    return {"type": "plain_text", "text": text}


def marked(text):
    return {"type": "mrkdwn", "text": text}


def section(text="x", **more):
    return {"type": "section", "text": marked(text), **more}


def button(**more):
    return {"type": "button", "text": plain("Go"), **more}


def actions(*elements):
    return {"type": "actions", "elements": list(elements)}


def options(count):
    return [{"text": plain(f"o{n}"), "value": f"{n}"} for n in range(count)]


def select(**more):
    return {"type": "static_select", "options": options(2), **more}


def asked(element, **more):
    return {"type": "input", "label": plain("Reason"), "element": element, **more}


def modal(*blocks, **more):
    return {"type": "modal", "title": plain("Vote"), "submit": plain("Cast"), "blocks": list(blocks), **more}


def confirm(**more):
    return {
        "title": plain("Sure?"),
        "text": plain("It stands."),
        "confirm": plain("Yes"),
        "deny": plain("No"),
    } | more


BOTH_SIDES = {
    "section text": (section("x" * 3000), section("x" * 3001)),
    "section text at all": (section("x"), section("")),
    "section fields": (
        {"type": "section", "fields": [marked("x" * 2000)] * 10},
        {"type": "section", "fields": [marked("x")] * 11},
    ),
    "field text": (
        {"type": "section", "fields": [marked("x" * 2000)]},
        {"type": "section", "fields": [marked("x" * 2001)]},
    ),
    "header": (
        {"type": "header", "text": plain("x" * 150)},
        {"type": "header", "text": plain("x" * 151)},
    ),
    "header kind": ({"type": "header", "text": plain("x")}, {"type": "header", "text": marked("x")}),
    "context": (
        {"type": "context", "elements": [marked("x")] * 10},
        {"type": "context", "elements": [marked("x")] * 11},
    ),
    "actions": (actions(*[button()] * 25), actions(*[button()] * 26)),
    "button text": (actions(button(text=plain("x" * 75))), actions(button(text=plain("x" * 76)))),
    "button value": (actions(button(value="x" * 2000)), actions(button(value="x" * 2001))),
    "button style": (actions(button(style="danger")), actions(button(style="default"))),
    "option text": (
        actions(select(options=[{"text": plain("x" * 75), "value": "1"}])),
        actions(select(options=[{"text": plain("x" * 76), "value": "1"}])),
    ),
    "option value": (
        actions(select(options=[{"text": plain("x"), "value": "1" * 150}])),
        actions(select(options=[{"text": plain("x"), "value": "1" * 151}])),
    ),
    "select": (actions(select(options=options(100))), actions(select(options=options(101)))),
    "select at all": (actions(select(options=options(1))), actions(select(options=[]))),
    "overflow": (
        actions({"type": "overflow", "options": options(5)}),
        actions({"type": "overflow", "options": options(6)}),
    ),
    "radio": (
        actions({"type": "radio_buttons", "options": options(10)}),
        actions({"type": "radio_buttons", "options": options(11)}),
    ),
    "checkboxes": (
        actions({"type": "checkboxes", "options": options(10)}),
        actions({"type": "checkboxes", "options": options(11)}),
    ),
    "confirm title": (
        actions(button(confirm=confirm(title=plain("x" * 100)))),
        actions(button(confirm=confirm(title=plain("x" * 101)))),
    ),
    "confirm text": (
        actions(button(confirm=confirm(text=plain("x" * 300)))),
        actions(button(confirm=confirm(text=plain("x" * 301)))),
    ),
    "confirm button": (
        actions(button(confirm=confirm(deny=plain("x" * 30)))),
        actions(button(confirm=confirm(deny=plain("x" * 31)))),
    ),
    "action_id": (actions(button(action_id="x" * 255)), actions(button(action_id="x" * 256))),
    "block_id": (section(block_id="x" * 255), section(block_id="x" * 256)),
    "same action_id": (
        actions(button(action_id="a"), button(action_id="b")),
        actions(button(action_id="a"), button(action_id="a")),
    ),
    "unknown property": (section(), section(colour="red")),
    "emoji is for plain text": (
        section() | {"text": plain("x") | {"emoji": True}},
        section() | {"text": marked("x") | {"emoji": True}},
    ),
    "initial option": (
        actions(select(initial_option=options(2)[1])),
        actions(select(initial_option={"text": plain("other"), "value": "9"})),
    ),
    "initial date": (
        actions({"type": "datepicker", "initial_date": "2026-02-28"}),
        actions({"type": "datepicker", "initial_date": "28.02.2026"}),
    ),
    "initial time": (
        actions({"type": "timepicker", "initial_time": "09:30"}),
        actions({"type": "timepicker", "initial_time": "24:00"}),
    ),
    "known block": ({"type": "divider"}, {"type": "carousel"}),
    "an input is no accessory": (
        section(accessory=button()),
        section(accessory={"type": "plain_text_input"}),
    ),
    "an image needs its words": (
        {"type": "image", "image_url": "http://127.0.0.1/x.png", "alt_text": "timeline"},
        {"type": "image", "image_url": "http://127.0.0.1/x.png"},
    ),
    "rich text": (
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]}],
        },
        {"type": "rich_text", "elements": [{"type": "paragraph", "elements": []}]},
    ),
}


@pytest.mark.parametrize("limit", BOTH_SIDES, ids=lambda name: name.replace(" ", "_"))
def test_what_stays_within_a_limit_is_taken_and_what_passes_it_is_refused(limit):
    within, beyond = BOTH_SIDES[limit]
    assert message_faults([within]) == []
    assert message_faults([beyond]) != []


MODALS = {
    "title": (modal(section(), title=plain("x" * 24)), modal(section(), title=plain("x" * 25))),
    "submit": (modal(section(), submit=plain("x" * 24)), modal(section(), submit=plain("x" * 25))),
    "close": (modal(section(), close=plain("x" * 24)), modal(section(), close=plain("x" * 25))),
    "private_metadata": (
        modal(section(), private_metadata="x" * 3000),
        modal(section(), private_metadata="x" * 3001),
    ),
    "callback_id": (modal(section(), callback_id="x" * 255), modal(section(), callback_id="x" * 256)),
    "blocks": (modal(*[section()] * 100), modal(*[section()] * 101)),
    "input needs submit": (
        modal(asked({"type": "plain_text_input"})),
        {"type": "modal", "title": plain("x"), "blocks": [asked({"type": "plain_text_input"})]},
    ),
    "file input": (
        modal(asked({"type": "file_input", "max_files": 10})),
        modal(asked({"type": "file_input", "max_files": 11})),
    ),
    "typed length": (
        modal(asked({"type": "plain_text_input", "max_length": 3000})),
        modal(asked({"type": "plain_text_input", "max_length": 3001})),
    ),
    "a button is no input": (modal(asked(select())), modal(asked(button()))),
    "one focus": (
        modal(asked(select(focus_on_load=True)), asked(select())),
        modal(asked(select(focus_on_load=True)), asked(select(focus_on_load=True))),
    ),
    "home has no title": (
        {"type": "home", "blocks": [section()]},
        {"type": "home", "title": plain("x"), "blocks": [section()]},
    ),
}


@pytest.mark.parametrize("limit", MODALS, ids=lambda name: name.replace(" ", "_"))
def test_a_view_within_a_limit_is_taken_and_one_past_it_is_refused(limit):
    within, beyond = MODALS[limit]
    assert view_faults(within) == []
    assert view_faults(beyond) != []


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        "x",
        [None],
        [1],
        [{}],
        [{"type": 3}],
        [{"type": "section", "text": "x"}],
        [{"type": "actions", "elements": {}}],
        [{"type": "actions", "elements": [{"type": "static_select", "options": 1}]}],
        [{"type": "actions", "elements": [{"type": "static_select", "option_groups": [1]}]}],
        [{"type": "input", "label": plain("x"), "element": []}],
    ],
)
def test_what_is_no_block_at_all_is_refused_and_not_tripped_over(nonsense):
    assert message_faults(nonsense) != []


def test_a_fault_names_its_place():
    assert message_faults([section(), section("x" * 3001)]) == [
        "must be less than 3001 characters [json-pointer:/blocks/1/text/text]"
    ]


def test_a_view_of_250_kilobytes_is_taken_and_a_larger_one_is_not():
    empty = VIEW_BYTES - len('{"x": ""}')
    assert not view_too_large({"x": "a" * empty})
    assert view_too_large({"x": "a" * (empty + 1)})


def test_all_text_counts_together_wherever_it_stands():
    blocks = [section("four"), actions(button(text=plain("two")), select())]
    assert text_together(blocks) == len("four") + len("two") + len("o0") + len("o1")


def test_blocks_without_ids_are_given_some_and_others_keep_theirs():
    names = iter("abcdef")
    first, second = with_ids([section(block_id="mine"), actions(button())], lambda: next(names))
    assert first["block_id"] == "mine"
    assert second["block_id"]
    assert second["elements"][0]["action_id"]


def test_a_message_of_fifty_blocks_is_posted_and_one_of_fifty_one_is_not(web, practice):
    person = practice.add_person("Ada")
    assert web.chat_postMessage(channel=person.id, text="x", blocks=[{"type": "divider"}] * 50)["ok"]
    beyond = [{"type": "divider"}] * 51
    assert refused(web.chat_postMessage, channel=person.id, text="x", blocks=beyond) == "invalid_blocks"


def test_block_text_stays_under_twelve_thousand_characters_together(web, practice):
    person = practice.add_person("Ada")
    under = [section("x" * 3000)] * 3 + [section("x" * 2999)]
    assert web.chat_postMessage(channel=person.id, text="x", blocks=under)["ok"]
    beyond = [section("x" * 3000)] * 4
    assert refused(web.chat_postMessage, channel=person.id, text="x", blocks=beyond) == "msg_blocks_too_long"


def test_the_same_block_id_twice_is_refused_with_its_place(web, practice):
    person = practice.add_person("Ada")
    twice = [section(block_id="a"), section(block_id="a")]
    assert refused(web.chat_postMessage, channel=person.id, text="x", blocks=twice) == "invalid_blocks"


def test_a_refused_home_is_not_shown(web, practice):
    person = practice.add_person("Ada")
    home = {"type": "home", "blocks": [section("x" * 3001)]}
    assert refused(web.views_publish, user_id=person.id, view=home) == "invalid_arguments"
    assert practice.home(person.id) is None


def test_a_home_is_replaced_only_where_its_hash_is_still_the_same(web, practice):
    person = practice.add_person("Ada")
    first = web.views_publish(user_id=person.id, view={"type": "home", "blocks": [section("one")]})["view"]
    web.views_publish(
        user_id=person.id, view={"type": "home", "blocks": [section("two")]}, hash=first["hash"]
    )
    late = {"type": "home", "blocks": [section("late")]}
    assert refused(web.views_publish, user_id=person.id, view=late, hash=first["hash"]) == "hash_conflict"
    assert practice.home(person.id).text == "two"
