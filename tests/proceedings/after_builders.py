"""Cases after the vote, at the stage that a test is about."""

from datetime import timedelta

from store.proceedings.determination import Conclusion, determine
from store.proceedings.disposition import Disposition, dispose
from store.proceedings.reprimand import Receiver, issue_reprimand, record_reprimand_receipt
from store.rules.facts import Choice, Question
from tests.proceedings.builders import Board

SUFFICIENT = Conclusion(within_jurisdiction=True, factual_basis=True, findings="The Board finds enough.")
NO_BASIS = Conclusion(within_jurisdiction=True, factual_basis=False, findings="The Board finds nothing.")
REPRIMAND = Disposition(reprimand=True, hearing=False, mitigating=("no-significant-gain",))
HEARING = Disposition(reprimand=False, hearing=True)
TEXT = "The Board reprimands the officer for disclosing late."


def both_terminated(board: Board) -> tuple[str, int, int, int]:
    """A case that is final: outside the jurisdiction for each of two respondents; gives both, and the meeting."""
    number, first = board.served_case()
    second, held = board.respondent(number, "Sandy Second"), board.meeting()
    for track in (first, second):
        board.decide(number, track, held, Question.JURISDICTION, Choice.NO)
        outside = Conclusion(within_jurisdiction=False, factual_basis=None, findings="It is a city matter.")
        determine(board.docket, board.clerk, number, track, outside)
    return number, first, second, held


def sufficient_case(board: Board, *more: Question) -> tuple[str, int, int]:
    """A case with a sufficient basis, and further questions carried; gives the meeting, still in session, too."""
    number, track = board.served_case()
    held = board.meeting()
    for question in (Question.JURISDICTION, Question.FACTUAL_BASIS):
        board.decide(number, track, held, question)
    determine(board.docket, board.clerk, number, track, SUFFICIENT)
    for question in more:
        board.decide(number, track, held, question)
    return number, track, held


def reprimanded_case(board: Board) -> tuple[str, int]:
    """A case in which the Board decided a reprimand."""
    number, track, _held = sufficient_case(board, Question.REPRIMAND)
    dispose(board.docket, board.chair, number, track, REPRIMAND)
    return number, track


def issued_case(board: Board) -> tuple[str, int]:
    """The same, the reprimand sent by mail to both."""
    number, track = reprimanded_case(board)
    for letter in issue_reprimand(board.docket, board.clerk, number, track, text=TEXT):
        board.settle(number, letter, "sent")
    return number, track


def received_case(board: Board) -> tuple[str, int]:
    """The same, received by the Commission at once and by the officer a day later; the clock stands there."""
    number, track = issued_case(board)
    for by in (Receiver.COMMISSION, Receiver.OFFICER):
        now = board.clock.now()
        record_reprimand_receipt(
            board.docket, board.clerk, number, track, by=by, at=now, evidence="signed return receipt"
        )
        if by is Receiver.COMMISSION:
            board.clock.advance(timedelta(days=1))
    return number, track


def heard_case(board: Board) -> tuple[str, int]:
    """A case in which the Board decided a hearing."""
    number, track, _held = sufficient_case(board, Question.HEARING)
    dispose(board.docket, board.chair, number, track, HEARING)
    return number, track
