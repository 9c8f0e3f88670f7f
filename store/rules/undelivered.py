"""Letters that stop a file from being closed: still on their way, or owed to somebody whom they did not reach (L3).

Source: decisions 6 (the file closes when nothing of it waits for anybody); clauses (D) and (E).
"""

from collections.abc import Iterator
from itertools import groupby

from store.rules.casefile import AFTER_THE_VOTE, OF_THE_BOARD, CaseFile, LetterState, LetterView
from store.rules.facts import PartyRole

_OWED = AFTER_THE_VOTE | {"evidence_cover"}
_NOBODY_WAITS_FOR = frozenset({"auto_receipt"})
_RESULT, _NOTICE = "hearing_result", "hearing_notice"
_HOW = {
    LetterState.QUEUED: "waits to go out",
    LetterState.UNCERTAIN: "may not have arrived",
    LetterState.REFUSED: "was refused",
    LetterState.BOUNCED: "came back",
}


def undelivered(case: CaseFile) -> tuple[LetterView, ...]:
    """Give the letters that stop the closing, in the order of writing.

    Whatever is on its way stops it, the receipt to a sender apart; what did not reach its reader stops it where a
    track or the prosecutor is owed that letter. Who is a party no longer is owed nothing.
    """
    found = [one for line in _lines(case) if (one := _stops(case, line)) is not None]
    return tuple(sorted(found, key=lambda one: one.id))


def unsent_results(case: CaseFile) -> tuple[int, ...]:
    """Give the tracks whose hearing has a result that was not written to each party yet, (E)(1)(b)."""
    return tuple(
        track.id
        for track in case.respondents
        if case.decided(track.id, OF_THE_BOARD) is not None
        and any(not _written(case, party.id, track.id) for party in (*case.complainants, track))
    )


def in_words(case: CaseFile, letter: LetterView) -> str:
    """Say which letter it is and what became of it, with its number and without a name."""
    queued = letter.queued
    what = queued.letter.replace("_", " ")
    how = "is to be served on paper" if _on_paper(case, letter) else _HOW[letter.state]
    return f"letter {letter.id}, the {what} to {_whom(case, letter)}, {how}"


def _written(case: CaseFile, party: int, track: int) -> bool:
    if case.served_at(_RESULT, party, track=track) is not None:
        return True
    return any(
        one.state is not LetterState.WITHDRAWN and one.queued.about_track in {None, track}
        for one in case.letters_to(_RESULT, party)
    )


def _lines(case: CaseFile) -> Iterator[list[LetterView]]:
    """Give the letters of one kind to one reader about one respondent together, as far as they were not taken back."""

    def line(one: LetterView) -> tuple[str, int, str, int]:
        queued = one.queued
        return queued.letter, queued.to_party or 0, queued.to_role, queued.about_track or 0

    kinds = dict.fromkeys(one.queued.letter for one in case.letters)
    standing = [
        one for kind in kinds for one in case.letters_to(kind) if one.state is not LetterState.WITHDRAWN
    ]
    for _key, letters in groupby(sorted(standing, key=lambda one: (line(one), one.id)), key=line):
        yield list(letters)


def _stops(case: CaseFile, line: list[LetterView]) -> LetterView | None:
    last = line[-1]
    queued = last.queued
    if last.counts_as_sent or queued.letter in _NOBODY_WAITS_FOR or _is_gone(case, last):
        return None
    if last.state is LetterState.UNCERTAIN or (
        last.state is LetterState.QUEUED and not _on_paper(case, last)
    ):
        return last
    overtaken = queued.letter == _NOTICE and case.decided(queued.about_track or 0, OF_THE_BOARD) is not None
    # a notice of a hearing that was set anew is another one; of any other letter one copy is enough
    reached = queued.letter != _NOTICE and any(one.counts_as_sent for one in line)
    return last if queued.letter in _OWED and not overtaken and not reached else None


def _on_paper(case: CaseFile, letter: LetterView) -> bool:
    party = case.party(letter.queued.to_party)
    return letter.state is LetterState.QUEUED and party is not None and not party.named.emails


def _is_gone(case: CaseFile, letter: LetterView) -> bool:
    """Say whether its reader, or the respondent whom it is about, is a party no longer."""
    parties = [case.party(one) for one in (letter.queued.to_party, letter.queued.about_track)]
    return any(one is not None and one.left for one in parties)


def _whom(case: CaseFile, letter: LetterView) -> str:
    party = case.party(letter.queued.to_party)
    if party is None:
        return f"the {letter.to_whom}"
    alike = [one.id for one in case.with_role(party.role)]
    place = f" {alike.index(party.id) + 1} of {len(alike)}" if len(alike) > 1 else ""
    match party.role:
        case PartyRole.COMPLAINANT_COUNSEL:
            return f"counsel{place} of the complainant"
        case PartyRole.RESPONDENT_COUNSEL:
            return f"counsel{place} of the respondent"
        case PartyRole.COMPLAINANT | PartyRole.RESPONDENT:
            return f"{party.role.value}{place}" if place else f"the {party.role.value}"
