"""Mail, through the server that whoever runs the site has named."""

import asyncio
import logging
import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Final

from app.config import MailServer
from app.telling.errors import TellingError
from app.telling.pace import Pace
from app.telling.repository import Way
from app.telling.ways import Outcome
from app.telling.words import Notice

_LOG: Final = logging.getLogger("valtavola.telling")
_PATIENCE: Final = 10.0  # seconds for each word of the server
_AN_HOUR: Final = 20  # mails to one address
_ADDRESS: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,62}", re.ASCII)
_HERE: Final = ("localhost", "127.0.0.1", "::1")


def read_mail(text: str) -> str:
    """An address as it is written to.

    >>> read_mail(" Anna@Example.ORG ")
    'Anna@example.org'
    """
    local, _, host = text.strip().rpartition("@")
    address = f"{local}@{host.lower()}"
    if len(address) > 254 or not _ADDRESS.fullmatch(address):
        raise TellingError("bad_mail")
    return address


def same_mail(address: str) -> str:
    """What is equal for addresses that lead into one mailbox, with most of those who run mailboxes.

    >>> same_mail("Anna.Rossi+games@example.org")
    'annarossi@example.org'
    """
    local, _, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{host}"


class Mail:
    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._pace = Pace(_AN_HOUR, 3600)
        self._at_once = asyncio.Semaphore(4)

    async def send(self, way: Way, notice: Notice) -> Outcome:
        if not self._pace.allows(way.mark):
            return "later"
        async with self._at_once:
            return await asyncio.to_thread(self._deliver, self.letter(way.address, notice))

    def letter(self, address: str, notice: Notice) -> EmailMessage:
        letter = EmailMessage()
        letter["From"] = f"Valtavola <{self._server.sender}>"
        letter["To"] = address
        letter["Subject"] = notice.title
        letter["Date"] = formatdate()
        letter["Message-ID"] = make_msgid(domain=self._server.sender.rpartition("@")[2])
        letter["Auto-Submitted"] = "auto-generated"
        letter["List-Unsubscribe"] = f"<{notice.leave_url}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        letter.set_content(f"{notice.text}\n\n{notice.url}\n\n-- \n{notice.leave_word}: {notice.leave_url}\n")
        return letter

    def _deliver(self, letter: EmailMessage) -> Outcome:
        server = self._server
        try:
            with self._connect() as connection:
                if server.user:
                    connection.login(server.user, server.password)
                connection.send_message(letter)
        except smtplib.SMTPRecipientsRefused as refused:
            code = next(iter(refused.recipients.values()))[0]
            return "failed" if code >= 500 else "later"
        except (OSError, smtplib.SMTPException) as error:
            _LOG.warning("The mail server cannot be used: %s", type(error).__name__)
            return "later"
        return "sent"

    def _connect(self) -> smtplib.SMTP:
        """As safe as the server can; a password is told to nobody who listens on the way."""
        server, trusted = self._server, ssl.create_default_context()
        if server.secure:
            return smtplib.SMTP_SSL(server.host, server.port, timeout=_PATIENCE, context=trusted)
        connection = smtplib.SMTP(server.host, server.port, timeout=_PATIENCE)
        connection.ehlo_or_helo_if_needed()
        if server.host not in _HERE:
            if connection.has_extn("starttls"):
                connection.starttls(context=trusted)
            elif server.user:
                connection.close()
                raise smtplib.SMTPNotSupportedError("no STARTTLS")
        return connection
