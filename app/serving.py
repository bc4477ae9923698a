"""`valtavola serve`: everything is checked and the database brought up to date before the first request."""

import errno
import socket
import sys

import uvicorn

from app.config import BadSettings, read_settings
from app.database import NoDatabase, connect, migrate
from app.main import create_app


class CannotListen(Exception):
    """The address cannot be used. The text is one sentence for a person."""


def serve(host: str | None, port: int | None) -> int:
    try:
        settings = read_settings()
        app = create_app()
        listener = _listen(host or settings.host, settings.port if port is None else port)
        engine = connect(settings.database)
        migrate(engine)
        engine.dispose()
    except (BadSettings, NoDatabase, CannotListen) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    address, number = listener.getsockname()[:2]
    shown = f"[{address}]" if ":" in address else address
    print(f"Valtavola is at http://{shown}:{number}/ (Ctrl+C stops it)", flush=True)  # noqa: T201
    uvicorn.Server(uvicorn.Config(app, log_level="warning", server_header=False)).run(sockets=[listener])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)  # from now on nobody is turned away, even before the server runs
    except socket.gaierror as error:
        raise CannotListen(f"There is no address called {host!r} on this machine.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"Port {port} is already in use: stop what uses it, or choose another with PORT={port + 1} make run."
            ) from error
        raise CannotListen(f"Valtavola cannot listen on {host}, port {port}: {error.strerror}.") from error
    return listener
