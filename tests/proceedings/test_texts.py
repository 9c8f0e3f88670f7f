"""Whatever somebody types for the record has a bound, in whatever act; what a machine read from a mail has none."""

import dataclasses
from datetime import timedelta
from typing import get_args, get_type_hints

import pytest

from store.cases import MACHINE, act
from store.proceedings.correction import correct_receipt, record_withdrawal
from store.proceedings.merger import merge
from store.proceedings.parties import name_party
from store.proceedings.roster import add_person
from store.rules import facts, texts
from store.rules.access import Deed
from store.rules.errors import BadInput
from store.rules.facts import HoldPlaced, PartyNamed, PartyRole, Withdrawn
from store.rules.texts import LONGEST_NAME, LONGEST_TEXT
from tests.proceedings.builders import Board


def test_both_sides_of_the_bound(board: Board) -> None:
    number = board.case()
    with act(board.docket, board.clerk, Deed.HOLD, number=number) as step:
        step.record(HoldPlaced(step.now, "x" * LONGEST_TEXT))
        with pytest.raises(BadInput, match="20,001 characters"):
            step.record(HoldPlaced(step.now, "x" * (LONGEST_TEXT + 1)))


def test_a_reason_of_a_hundred_thousand_characters_merges_nothing(board: Board) -> None:
    first, second = board.case(), board.case()
    before = board.file(first).facts, board.file(second).facts
    with pytest.raises(BadInput) as refusal:
        merge(board.docket, board.clerk, second, into=first, reason="z" * 100_000)
    assert "handed in as a paper" in refusal.value.mend
    assert refusal.value.clause
    assert "zzz" not in str(refusal.value)
    assert (board.file(first).facts, board.file(second).facts) == before


def test_names_are_shorter_and_no_act_takes_a_longer_one(board: Board) -> None:
    number = board.case()
    long = "N" * (LONGEST_NAME + 1)
    with pytest.raises(BadInput):
        name_party(board.docket, board.clerk, number, PartyNamed(PartyRole.RESPONDENT, long))
    with pytest.raises(BadInput):
        add_person(board.docket, board.clerk, "Nora New", (long,))
    with pytest.raises(BadInput):
        record_withdrawal(
            board.docket, board.clerk, number, received_at=board.clock.now(), words="w" * (LONGEST_TEXT + 1)
        )


def test_a_reason_that_stands_beside_the_facts_has_the_same_bound(board: Board) -> None:
    number = board.case()
    receipt = board.file(number).facts[0].id
    before = board.file(number).facts
    with pytest.raises(BadInput, match="too long"):
        correct_receipt(
            board.docket,
            board.clerk,
            number,
            receipt,
            received_at=board.clock.now() - timedelta(days=1),
            reason="x" * (LONGEST_TEXT + 1),
        )
    assert board.file(number).facts == before


def test_what_a_machine_records_is_refused_for_no_length(board: Board) -> None:
    number = board.case()
    with act(board.docket, MACHINE, Deed.ATTACH_PAPER, case_id=board.key(number)) as step:
        step.record(Withdrawn(step.now, "x" * (LONGEST_TEXT + 1)))


@pytest.mark.parametrize("kind", sorted(facts.KINDS))
def test_each_text_of_each_kind_of_fact_is_bounded(kind: str) -> None:
    hints = get_type_hints(facts.KINDS[kind])
    for field in dataclasses.fields(facts.KINDS[kind]):  # type: ignore[arg-type]  # each fact is a dataclass
        hint = hints[field.name]
        if hint is str or str in get_args(hint):
            long = "x" * (LONGEST_TEXT + 1)
            with pytest.raises(BadInput):
                texts.check({field.name: long if hint is str else [long]}, clause="A-form")
