"""An e-mail address as a person typed it: checked by its form, never by asking the network."""

from email_validator import EmailNotValidError, validate_email

from store.rules.errors import BadInput


def address(text: str) -> str:
    """Give an address in the form in which it is kept and written to.

    Raises:
        BadInput: it is no address; the answer does not repeat it.
    """
    try:
        return validate_email(text.strip(), check_deliverability=False).normalized
    except EmailNotValidError as error:
        raise BadInput(
            "This is no e-mail address to which a letter can go; nothing was changed.",
            mend="Check it for spaces and a missing part, or leave it out and write on paper.",
        ) from error
