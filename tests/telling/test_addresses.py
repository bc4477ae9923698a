"""Where the server goes at somebody's wish: to where it looked, and never into its own network."""

import asyncio
import datetime
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from app.telling import outgoing
from app.telling.addresses import is_public, read_address
from app.telling.errors import TellingError
from app.telling.outgoing import Busy, Outgoing, Unreachable
from app.telling.pace import Pace
from tests.processes import run_async
from tests.telling.standins import HttpServer, http_server

PUBLIC = "93.184.216.34"


@pytest.fixture
def server() -> Iterator[HttpServer]:
    with http_server() as stand_in:
        yield stand_in


def post(going: Outgoing, address: str) -> int:
    try:
        return run_async(going.post(address, b"{}", {"Content-Type": "application/json"}))
    finally:
        going.close()


@pytest.mark.parametrize(
    "text",
    [
        "https://hooks.slack.com/services/T0/B0/x",
        "https://discord.com/api/webhooks/1/x?wait=true",
        "https://Chat.Example.org:8443/hooks/x#part",
        f"https://{PUBLIC}/hook",
        "https://[2606:4700::1111]/hook",
    ],
)
def test_public_addresses_may_be_named(text: str) -> None:
    assert read_address(text, frozenset()).secure


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hooks.slack.com/services",
        "http://hooks.slack.com/services",  # everybody on the way could read it
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "https:///path",
        "https://user:password@example.org/",
        "https://example.org@127.0.0.1/",
        "https://127.0.0.1@example.org/",
        "https://example.org\\@127.0.0.1/",
        "https://example.org/ HTTP/1.1\r\nX: y",
        "https://example.org/\r\nHost: other",
        "https://example.org/\tx",
        "https://exämple.org/",
        "https://example.org:22/",
        "https://example.org:25/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://example.org:x/",
        "https://[::1/",
        "https://localhost/",
        "https://localhost./",
        "https://intranet/",
        "https://2130706433/",  # 127.0.0.1 as one number
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://127.0.0.1./",
        "https://1.2.3.4.5/",
        "https://[fe80::1%25eth0]/",
        f"https://example.org/{'x' * 2000}",
    ],
)
def test_what_is_no_address_of_the_web_is_refused(text: str) -> None:
    with pytest.raises(TellingError, match="bad_address"):
        read_address(text, frozenset())


PRIVATE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",  # where clouds keep their keys
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:93.184.216.34",  # nobody needs to write it so
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "2001:0:5ef5:79fb::1",  # Teredo
    "2002:7f00:1::1",  # 6to4 of 127.0.0.1
    "2002:a9fe:a9fe::1",
    "64:ff9b::127.0.0.1",  # NAT64
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
]


@pytest.mark.parametrize("ip", PRIVATE)
def test_no_way_leads_into_a_private_network(ip: str) -> None:
    """Neither written as it is, nor by a name."""
    assert not is_public(ip)
    literal = f"[{ip}]" if ":" in ip else ip
    with pytest.raises(TellingError, match="private_address"):
        read_address(f"https://{literal}/hook", frozenset())
    with pytest.raises(TellingError, match="private_address"):
        post(Outgoing(look_up=lambda *_: [ip]), "https://chat.example.org/hook")
    with pytest.raises(TellingError, match="private_address"):  # one bad place spoils the good ones
        post(Outgoing(look_up=lambda *_: [PUBLIC, ip]), "https://chat.example.org/hook")


@pytest.mark.parametrize("ip", [PUBLIC, "2606:4700::1111", "64:ff9b::93.184.216.34", "2002:5db8:d822::1"])
def test_the_open_internet_is_public(ip: str) -> None:
    assert is_public(ip)


def test_the_systems_own_names_are_looked_through() -> None:
    going = Outgoing(look_up=lambda _, port: outgoing.places_of("localhost", port))
    with pytest.raises(TellingError, match="private_address"):
        post(going, "https://chat.example.org/hook")


def test_a_name_is_looked_up_once_and_the_checked_place_is_gone_to(server: HttpServer) -> None:
    """A name that leads elsewhere the second time leads nowhere: there is no second time."""
    asked: list[str] = []

    def look_up(host: str, port: int) -> list[str]:
        asked.append(f"{host}:{port}")
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    going = Outgoing(frozenset({("chat.test.invalid", server.port)}), look_up)
    assert post(going, f"http://chat.test.invalid:{server.port}/hook?a=b") == 201
    assert asked == [f"chat.test.invalid:{server.port}"]
    (got,) = server.got
    assert (got.path, got.headers["host"]) == ("/hook?a=b", f"chat.test.invalid:{server.port}")


def test_the_next_place_is_tried_where_one_does_not_answer(server: HttpServer) -> None:
    going = Outgoing(frozenset({("chat.test.invalid", server.port)}), lambda *_: ["127.0.0.2", "127.0.0.1"])
    assert post(going, f"http://chat.test.invalid:{server.port}/hook") == 201


def test_only_what_was_allowed_is_allowed(server: HttpServer) -> None:
    allowed = frozenset({("127.0.0.1", server.port)})
    assert post(Outgoing(allowed), f"http://{server.place}/hook") == 201
    for elsewhere in (f"http://localhost:{server.port}/", f"http://127.0.0.1:{server.port + 1}/", "https://127.0.0.1/"):
        with pytest.raises(TellingError):
            post(Outgoing(allowed), elsewhere)
    assert len(server.got) == 1


def test_a_redirection_is_not_followed(server: HttpServer) -> None:
    with http_server() as secret:
        server.status, server.headers = 307, {"Location": f"http://{secret.place}/"}
        allowed = frozenset({("127.0.0.1", server.port), ("127.0.0.1", secret.port)})
        assert post(Outgoing(allowed), f"http://{server.place}/hook") == 307
        assert secret.got == []


def test_who_does_not_answer_is_left(server: HttpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "PATIENCE", 0.3)
    going = Outgoing(frozenset({("127.0.0.1", server.port)}))
    server.hang()
    with pytest.raises(Unreachable):
        post(going, f"http://{server.place}/hook")


def test_who_answers_letter_by_letter_is_left_too(server: HttpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "PATIENCE", 0.5)

    def drip(file: object) -> None:
        while not server.over.is_set():
            file.write(b"H")  # type: ignore[attr-defined]
            time.sleep(0.05)

    server.before = drip
    with pytest.raises(Unreachable):
        post(Outgoing(frozenset({("127.0.0.1", server.port)})), f"http://{server.place}/hook")


@pytest.mark.parametrize(
    "nonsense",
    [b"220 mail.example.org ESMTP\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 700 x\r\n\r\n", b"x" * (1 << 17)],
)
def test_an_answer_that_is_none_is_none(server: HttpServer, nonsense: bytes) -> None:
    server.before = lambda file: file.write(nonsense)
    with pytest.raises(Unreachable):
        post(Outgoing(frozenset({("127.0.0.1", server.port)})), f"http://{server.place}/hook")


def test_a_hint_of_an_answer_is_not_the_answer(server: HttpServer) -> None:
    server.before = lambda file: file.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
    assert post(Outgoing(frozenset({("127.0.0.1", server.port)})), f"http://{server.place}/hook") == 201


def test_nobody_floods_one_host(server: HttpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "_TO_ONE_HOST", 3)
    going = Outgoing(frozenset({("127.0.0.1", server.port)}))

    async def many() -> list[int | BaseException]:
        posts = (going.post(f"http://{server.place}/{number}", b"", {}) for number in range(5))
        return await asyncio.gather(*posts, return_exceptions=True)

    answers = run_async(many())
    going.close()
    assert answers[:3] == [201] * 3
    assert all(isinstance(answer, Busy) for answer in answers[3:])
    assert len(server.got) == 3


def test_all_hosts_together_get_only_so_much(server: HttpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "_TO_ALL", 2)
    hosts = [f"{letter}.test.invalid" for letter in "abc"]
    going = Outgoing(frozenset((host, server.port) for host in hosts), lambda *_: ["127.0.0.1"])

    async def many() -> list[int | BaseException]:
        posts = (going.post(f"http://{host}:{server.port}/", b"", {}) for host in hosts)
        return await asyncio.gather(*posts, return_exceptions=True)

    answers = run_async(many())
    going.close()
    assert answers[:2] == [201] * 2
    assert isinstance(answers[2], Busy)


def test_a_pace_is_of_a_sliding_time_and_each_ones_own() -> None:
    now = 0.0
    pace = Pace(2, 60, lambda: now)
    assert [pace.allows("a") for _ in range(3)] == [True, True, False]
    assert pace.allows("b")
    now = 59
    assert not pace.allows("a")
    now = 61
    assert pace.allows("a")
    for number in range(2000):
        now += 1
        pace.allows(str(number))
    assert len(pace._lately) < 1500  # those who have been quiet are forgotten


@pytest.fixture
def certified(tmp_path: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's certificate for chat.test.invalid, and who believes in it."""
    key, name = generate_private_key(SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("chat.test.invalid")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "server.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(made.public_bytes(Encoding.PEM) + secret)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(file)
    return serving, ssl.create_default_context(cafile=str(file))


def test_the_server_must_prove_that_it_has_the_name(certified: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    """The connection goes to an address, but it is the name that is asked for and checked."""
    serving, trusted = certified
    asked: list[str | None] = []
    serving.sni_callback = lambda _, name, __: asked.append(name)
    with http_server(serving) as server:
        hosts = ("chat.test.invalid", "other.test.invalid")
        allowed = frozenset((host, server.port) for host in hosts)

        def going(context: ssl.SSLContext | None) -> Outgoing:
            return Outgoing(allowed, lambda *_: ["127.0.0.1"], context)

        assert post(going(trusted), f"https://{hosts[0]}:{server.port}/hook") == 201
        assert asked == [hosts[0]]
        for context, host in ((trusted, hosts[1]), (None, hosts[0])):
            with pytest.raises(Unreachable):
                post(going(context), f"https://{host}:{server.port}/hook")
        assert len(server.got) == 1
