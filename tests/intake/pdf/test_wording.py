"""What words say of a signature, and what they only seem to say."""

import pytest

from intake.pdf.wording import Mention, as_name, mentions, same_person, stated_names


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("/s/ Jane Q. Public", Mention.CONFORMED, "Jane Q. Public"),
        ("/S/ JANE PUBLIC", Mention.CONFORMED, "JANE PUBLIC"),
        ("s/ Jane Public", Mention.CONFORMED, "Jane Public"),
        ("//s// Jane Public", Mention.CONFORMED, "Jane Public"),
        ("By: /s/ Jane Public, May 4, 2026", Mention.CONFORMED, "Jane Public"),
        ("Signature: /s/ Jane Public   Date: 5/4/2026", Mention.CONFORMED, "Jane Public"),
        ("/s/\nJane Public", Mention.CONFORMED, "Jane Public"),
        ("Firmado: /s/ Tomás Óbudai", Mention.CONFORMED, "Tomás Óbudai"),
        ("Firmado por: María de la Cruz", Mention.LABELLED, "María de la Cruz"),
        ("Signature of Complainant: Jane Public", Mention.LABELLED, "Jane Public"),
        ("Signature: ____Jane Public____", Mention.LABELLED, "Jane Public"),
        (
            "Electronically signed by:\nJane Q. Public (May 4, 2026 10:02 EDT)",
            Mention.SERVICE,
            "Jane Q. Public",
        ),
        ("DocuSigned by: Jane Public", Mention.SERVICE, "Jane Public"),
        ("Signature: ______________", Mention.BLANK, ""),
        ("Signature: ____________ Date: ________", Mention.BLANK, ""),
        ("Complainant's signature", Mention.BLANK, ""),
        ("X ____________", Mention.BLANK, ""),
        ("Firma: ________", Mention.BLANK, ""),
        ("4. He wrote me: 'Drop it. /s/ Harold Finch'.", Mention.QUOTED, ""),
        ("The letter was marked /s/ Harold Finch and dated.", Mention.QUOTED, ""),
        ("Signed: yes, by everybody in the office", Mention.QUOTED, ""),
    ],
)
def test_a_line_is_read_for_what_it_says(text: str, kind: Mention, name: str) -> None:
    first = mentions(text)[0]
    assert (first.kind, first.name) == (kind, name)


@pytest.mark.parametrize(
    "text",
    [
        "The contract was signed by the mayor on March 3.",
        "He designated the seller and resigned.",
        "I saw the officer sign the award.",
        "his/hers and and/or",
        "The signature of the officer was on the award of the contract.",
    ],
)
def test_a_sentence_about_signing_is_no_mention(text: str) -> None:
    assert mentions(text) == ()


def test_a_mark_that_goes_on_with_a_quotation_is_quoted() -> None:
    assert mentions("He wrote: 'Drop it.\n/s/ Harold Finch'.")[0].kind is Mention.QUOTED


def test_a_mark_below_a_heading_exhibit_is_marked_so() -> None:
    assert mentions("Exhibit A\nVery truly yours,\n/s/ Dana Wilkes")[0].exhibit


def test_a_notarys_line_is_another_persons() -> None:
    assert mentions("Notary's signature: ________")[0].other


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Jane Q. Public", "Jane Public", True),
        ("J. Public", "Jane Q. Public", True),
        ("JANE PUBLIC, Esq.", "Jane Public", True),
        ("Tomás Óbudai", "Tomas Obudai", True),
        ("Public Jane", "Jane Public", True),
        ("Jane Public", "John Public", False),
        ("Harold Finch", "Jane Public", False),
        ("", "Jane Public", False),
    ],
)
def test_two_spellings_of_a_name_are_compared(one: str, other: str, same: bool) -> None:
    assert same_person(one, other) is same


@pytest.mark.parametrize(
    "text",
    [
        "I, Jane Q. Public, of 412 Elm Street,",
        "Printed name: Jane Q. Public\nDate: May 4",
        "Name (print): Jane Q. Public",
        "Complainant: Jane Q. Public",
        "My name is Jane Q. Public, and I live here.",
        "Yo, Jane Q. Public, de Testburg",
    ],
)
def test_the_writers_own_name_is_found(text: str) -> None:
    assert stated_names(text) == ("Jane Q. Public",)


def test_the_respondents_name_is_not_the_writers() -> None:
    assert stated_names("Respondent\nName: Harold Finch") == ()


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Jane Public May 4, 2026", "Jane Public"),
        ("May Smith", "May Smith"),
        ("see attached", ""),
        ("李小龍", "李小龍"),
    ],
)
def test_a_name_ends_where_a_date_begins(words: str, name: str) -> None:
    assert as_name(words) == name
