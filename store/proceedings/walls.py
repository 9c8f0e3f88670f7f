"""What follows when a roster person is walled off from a case that is under way (B2, decisions 17)."""

from collections.abc import Collection

from store.cases import Act
from store.proceedings.ballot import recount_without, warn_if_board_cannot_act
from store.proceedings.screening import refer_round_the_manager


def follow_walls(step: Act, newly: Collection[int]) -> None:
    """Count anew where one of them voted, go round the City Manager, and warn where no quorum is left.

    Args:
        step: the running act, after the walls were recorded.
        newly: the persons who were walled off in it; nothing follows where there is none.
    """
    if not newly:
        return
    for person in newly:
        recount_without(step, person)
    refer_round_the_manager(step)
    warn_if_board_cannot_act(step)
