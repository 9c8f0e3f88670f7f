"""The post office: letters owed by the outbox, composed and handed to the postman."""

from collections.abc import Callable
from dataclasses import dataclass

from intake.smtp import BadAddress, Composition, Enclosure, compose
from store.cases import Docket
from store.outbox import Letter, Owed, new_token
from store.ports import Delivery, DeliveryState, OutgoingMail, Postman
from store.proceedings.delivery import attachments

HELD_IN_TEST = "held: in test mode mail goes to DOCKET_TEST_MAIL_TO only"
HELD_FOR_S = 3600.0
_TEST_SAYS = "TEST. This is no letter of the Board: nothing in it counts.\n\n"


@dataclass(frozen=True, slots=True)
class PostOffice:
    """Sends what is owed.

    Attributes:
        docket: the record, which holds the enclosures.
        postman: hands a message to the relay.
        sender_name: the Board's name, as it stands in From.
        may_mail: says to whom mail may go; in test mode not to everybody (R8).
    """

    docket: Docket
    postman: Postman
    sender_name: str
    may_mail: Callable[[str], bool] = lambda _address: True

    def deliver(self, owed: Owed) -> Delivery:
        """Try once to send one letter; the sender sees exactly this recipient and these enclosures (L2)."""
        letter = owed.letter
        assert letter is not None
        if not self.may_mail(letter.to):
            return Delivery(DeliveryState.TRY_LATER, HELD_IN_TEST, HELD_FOR_S)
        try:
            mail = self._composed(owed, letter)
        except BadAddress as error:
            return Delivery(DeliveryState.REFUSED_FOR_GOOD, str(error))
        self.docket.faults.reach("letter.before-sending")
        delivery = self.postman.send(mail)
        self.docket.faults.reach("letter.sent")
        return delivery

    def tell(self, address: str, subject: str, text: str) -> bool:
        """Send an alarm at once, past the outbox, because the record that would owe it is away.

        Args:
            address: whoever looks after Docket.
            subject: without content.
            text: what happened, what is safe, what to do; no content.

        Returns:
            Whether the relay took it.
        """
        if not self.may_mail(address):
            return False
        token = new_token()
        domain = self.docket.mail_from.rpartition("@")[2]
        alarm = Composition(
            sender=self.docket.mail_from,
            sender_name=self.sender_name,
            to=address,
            subject=f"{self._mark}{subject}",
            text=f"{text}\n",
            enclosures=[],
            message_id=f"<emergency.{token}@{domain}>",
            token=token,
            dated=self.docket.clock.now(),
            tagged=self.docket.plus_addresses,
        )
        return self.postman.send(compose(alarm)).state is DeliveryState.ACCEPTED

    @property
    def _mark(self) -> str:
        return "TEST: " if self.docket.test else ""

    def _composed(self, owed: Owed, letter: Letter) -> OutgoingMail:
        return compose(
            Composition(
                sender=self.docket.mail_from,
                sender_name=self.sender_name,
                to=letter.to,
                subject=f"{self._mark}{letter.subject}",
                text=f"{_TEST_SAYS if self.docket.test else ''}{letter.text}",
                enclosures=[Enclosure(*one) for one in attachments(self.docket, letter)],
                message_id=letter.message_id,
                token=letter.token,
                dated=owed.created_at,
                in_reply_to=letter.in_reply_to,
                auto_submitted=letter.auto_submitted,
                tagged=self.docket.plus_addresses,
            )
        )
