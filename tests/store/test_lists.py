"""Lists are the same on SQLite and on PostgreSQL: as told from the facts, page by page, in every order."""

from datetime import timedelta

from store.cases import MACHINE, Actor, Listing, Order, most_urgent, page_of, pending, reindex, verify
from store.proceedings import recusal
from store.proceedings.form_check import FormView, decide_form
from store.proceedings.receipt import Paper, attach_paper
from store.rules.access import Deed, Via
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, filed, taken
from tests.proceedings.listing import expected


def _everybody(board: Board) -> list[Actor]:
    names = ("Clara Clerk", "Mora Member", "Milo Member", "Alma Alternate", "Cyrus Manager", "Ivo Machinist")
    deputy = Actor(board.person("Milo Member"), Via.CLI, acting_for=board.person("Clara Clerk"))
    return [MACHINE, deputy, *(board.actor(name) for name in names)]


def _waits_for_decisions(board: Board) -> None:
    """A complaint found lacking, then mended by a photo that nobody has looked through."""
    number = filed(board)
    lacking = FormView(proper=False, signed=False, finding="none-found", lacking=("signature",))
    decide_form(board.docket, board.clerk, number, lacking)
    photo = Paper(b"a photo", "photo.jpg", "image/jpeg", searched=False)
    cure = a_filing(papers=(photo,), what="cure", readable=False)
    attach_paper(board.docket, taken(board.docket, b"photo", 2), board.key(number), cure)


def _at_several_stages(board: Board) -> None:
    number, track = board.served_case()
    board.ballot(number, track, board.meeting())
    recusal.recuse(board.docket, board.actor("Mora Member"), board.case())
    board.case(proper=False, screened=False)
    _waits_for_decisions(board)
    bounced = board.case()
    board.serve(bounced, board.respondent(bounced))
    board.settle(bounced, board.file(bounced).letters_to("notice")[0].id, "bounced")
    board.clock.advance(timedelta(days=12))


def test_every_list_is_as_told_from_the_facts(either: Board) -> None:
    _at_several_stages(either)
    for actor in _everybody(either):
        for listing in Listing:
            for deed in (Deed.SEE_CASE, Deed.REFER):
                page = page_of(either.docket, actor, listing, deed=deed)
                told = expected(either, actor, listing, deed)
                assert ([one.number for one in page.cases], page.total) == (told, len(told))
                by_date = page_of(either.docket, actor, listing, deed=deed, order=Order.NEXT_DATE)
                assert sorted(one.number for one in by_date.cases) == sorted(told)


def test_dates_are_ranked_from_the_lines_and_lines_can_be_written_anew(either: Board) -> None:
    _at_several_stages(either)
    page = page_of(either.docket, either.clerk, Listing.WORKING, order=Order.NEXT_DATE)
    first = pending(either.docket, page.cases)
    days = [first[one.key].act_by for one in page.cases]
    assert days == sorted(days, key=str)
    assert set(most_urgent(either.docket, either.clerk, 20)) <= {one.key for one in page.cases}
    assert reindex(either.docket, either.clerk) == 5
    assert page_of(either.docket, either.clerk, Listing.WORKING, order=Order.NEXT_DATE) == page
    assert verify(either.docket, MACHINE) is None
