"""What stands at the other end: a browser's push service, a chat server and a mail server, all on this machine."""

import base64
import json
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_bytes
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from app.telling.push import Subscription


class Received:
    """A request as it came."""

    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path = path
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class HttpServer:
    """Writes down what it gets. How it answers is decided by the test."""

    def __init__(self, secure: ssl.SSLContext | None = None) -> None:
        self.got: list[Received] = []
        self.status = 201
        self.headers: dict[str, str] = {}
        self.before: Callable[[Any], None] = lambda file: None  # what is written before the answer
        self.over = threading.Event()
        here = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                here.got.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                here.before(self.wfile)
                self.send_response(here.status)
                for name, value in here.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # who asks may hang up

        self.server = Server(("127.0.0.1", 0), Handler)
        if secure:
            self.server.socket = secure.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.place = f"127.0.0.1:{self.port}"

    def hang(self) -> None:
        """From now on nobody is answered."""

        def wait(_: Any) -> None:
            self.over.wait(20)

        self.before = wait


@contextmanager
def http_server(secure: ssl.SSLContext | None = None) -> Iterator[HttpServer]:
    stand_in = HttpServer(secure)
    thread = threading.Thread(target=stand_in.server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield stand_in
    finally:
        stand_in.over.set()
        stand_in.server.shutdown()
        stand_in.server.server_close()
        thread.join()


class Browser:
    """Has subscribed at a push service, and is the only one to read what comes."""

    def __init__(self, service: HttpServer) -> None:
        self._key = generate_private_key(SECP256R1())
        self._auth = token_bytes(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = Subscription(
            f"http://{service.place}/push/{token_bytes(4).hex()}", _text(point), _text(self._auth)
        )

    def read(self, received: Received) -> Any:
        plain = http_ece.decrypt(received.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return json.loads(plain)


def signer_of(received: Received) -> tuple[str, dict[str, Any]]:
    """Whose signature a push carries, by their public key, and what is signed; a wrong one fails."""
    header = received.headers["authorization"]
    assert Vapid02.verify(header)
    parts = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(","))
    claims = parts["t"].split(".")[1]
    return parts["k"], json.loads(base64.urlsafe_b64decode(claims + "=="))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class MailServer:
    """Takes mail for everybody, except those whom it is told to refuse."""

    def __init__(self, host: str) -> None:
        self.letters: list[EmailMessage] = []
        self.said: list[str] = []  # all commands
        self.refused: dict[str, str] = {}  # address → answer
        here = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.say("220 here")
                while line := self.rfile.readline().decode().strip():
                    here.said.append(line)
                    word = line.split()[0].upper()
                    if word == "EHLO":
                        self.say("250-here\r\n250 AUTH PLAIN")
                    elif word == "AUTH":
                        self.say("235 welcome")
                    elif word == "RCPT":
                        address = line.partition("<")[2].partition(">")[0]
                        self.say(here.refused.get(address, "250 yes"))
                    elif word == "DATA":
                        self.say("354 go on")
                        lines = iter(self.rfile.readline, b".\r\n")
                        here.letters.append(message_from_bytes(b"".join(lines), policy=policy.default))
                        self.say("250 taken")
                    elif word == "QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 yes")

            def say(self, line: str) -> None:
                self.wfile.write(f"{line}\r\n".encode())

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True

        self.server = Server((host, 0), Handler)
        self.place = f"{host}:{self.server.server_address[1]}"


@contextmanager
def mail_server(host: str = "127.0.0.1") -> Iterator[MailServer]:
    stand_in = MailServer(host)
    thread = threading.Thread(target=stand_in.server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield stand_in
    finally:
        stand_in.server.shutdown()
        stand_in.server.server_close()
        thread.join()
