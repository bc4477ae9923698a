"""People at a site, who speak to it through the JSON API."""

from typing import Any
from uuid import uuid4

import httpx2


class Person:
    """Somebody with a token and nothing else."""

    def __init__(self, client: httpx2.Client, code: str = "", token: str = "", seat: int | None = None) -> None:
        self.client = client
        self.code = code
        self.token = token
        self.seat = seat

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The answer; cookies play no part."""
        self.client.cookies.clear()
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return self.client.request(method, path.format(code=self.code), json=body, headers=headers)

    def post(self, what: str, body: object = None, **headers: str) -> Any:
        return self.call("POST", f"/api/rooms/{{code}}/{what}", body, **headers)

    def look(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.call("GET", "/api/rooms/{code}").json()
        return seen

    def move(self, move: dict[str, Any], key: str | None = None, decision: str | None = None, **headers: str) -> Any:
        decision = self.look()["decision"] if decision is None else decision
        return self.post("moves", {"decision": decision, "move": move, "key": key or uuid4().hex}, **headers)


def open_room(client: httpx2.Client, seats: int = 3, **wish: Any) -> Person:
    host = Person(client)
    answer = host.call("POST", "/api/rooms", {"game": "valdora", "seats": seats, **wish})
    assert answer.status_code == 201, answer.text
    return Person(client, answer.json()["code"], answer.json()["token"])


def sit_down(client: httpx2.Client, code: str, name: str, token: str = "") -> Person:
    person = Person(client, code, token)
    answer = person.post("join", {"name": name})
    assert answer.status_code == 200, answer.text
    return Person(client, code, answer.json()["token"], answer.json()["seat"])


def start_game(client: httpx2.Client, seats: int = 3, **wish: Any) -> list[Person]:
    """A game that has begun, seat 0 to move."""
    wish.setdefault("options", {"start": "first_seat"})
    host = open_room(client, seats, **wish)
    names = ["Anna", "Бруно", "Çelik", "ди", "e"]
    people = [sit_down(client, host.code, names[0], host.token)]
    people += [sit_down(client, host.code, name) for name in names[1:seats]]
    assert people[0].post("start").status_code == 204
    return people
