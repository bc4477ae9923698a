"""The deal can be checked: its hash is shown from the beginning, its seed only after the end."""

import hashlib
import html

from starlette.testclient import TestClient

from tests.friends import Friends
from tests.people import open_room, sit_down

NAMES = ("Anna", "Bruno", "Chiara")
SEED = "a seed that stands nowhere else"
HASH = hashlib.sha256(SEED.encode()).hexdigest()


def everything(client: TestClient, friends: Friends) -> str:
    """All that a room tells anybody."""
    code, person = friends.code, friends.people[0]
    pages = ["", "/replay", "/replay?at=3&as=all", "/deal", "/plot.svg", "/replay.json", "/replay.html", "/carry"]
    told = [person.call("GET", f"/r/{code}{page}").text for page in pages]
    told += [client.get(f"/r/{code}{page}").text for page in pages]
    told += [person.call("GET", f"/api/rooms/{code}{call}").text for call in ("", "/log")]
    with client.websocket_connect(f"/api/rooms/{code}/live?token={person.token}") as socket:
        told.append(socket.receive_text())
    return "".join(told)


def test_before_the_end_nothing_tells_the_seed(client: TestClient) -> None:
    friends = Friends(client, NAMES, SEED)
    friends.play(30)
    told = everything(client, friends)
    assert SEED not in told
    assert HASH in told
    friends.play_to_the_end()
    assert SEED in everything(client, friends)


def test_the_hash_never_changes_and_is_that_of_the_seed(client: TestClient) -> None:
    host = open_room(client, 3, seed=SEED)
    people = [sit_down(client, host.code, "Anna", host.token)]
    people += [sit_down(client, host.code, name) for name in NAMES[1:]]
    assert host.look()["room"]["seed_hash"] == HASH
    assert host.look()["room"]["seed"] is None
    assert HASH[:16] in client.get(f"/r/{host.code}").text
    assert HASH in client.get(f"/r/{host.code}/deal").text
    assert people[0].post("start").status_code == 204
    assert host.look()["room"]["seed_hash"] == HASH
    assert SEED not in client.get(f"/r/{host.code}/deal").text


def test_after_the_end_the_page_shows_the_seed_and_how_to_check_it(client: TestClient) -> None:
    friends = Friends(client, NAMES, "it's a seed")
    friends.play_to_the_end()
    look = friends.people[0].look()["room"]
    assert look["seed"] == "it's a seed"
    assert hashlib.sha256(look["seed"].encode()).hexdigest() == look["seed_hash"]
    page = html.unescape(client.get(f"/r/{friends.code}/deal").text)
    assert "The server says" in page
    assert """printf %s 'it'"'"'s a seed' | sha256sum""" in page
    assert f"valtavola replay valdora-{friends.code}.json" in page


def test_a_seed_of_the_houses_own_is_never_the_same(client: TestClient) -> None:
    hashes = {open_room(client, 3).look()["room"]["seed_hash"] for _ in range(5)}
    assert len(hashes) == 5
