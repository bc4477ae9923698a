"""Looking back: every moment is what its viewer could see then, at a link of its own, and can be taken along."""

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from app.engine.contract import EVERYONE, SPECTATOR, Viewer
from app.engine.rng import Rng
from app.i18n import LANGUAGES, phrasebook
from app.replaying import Replay, read_record
from app.rooms.past import Past
from app.web.gaze import Gaze, context, name_of
from app.web.render import render
from tests.friends import Friends, ValdaFriends
from tests.games.valda.sensible import next_move
from tests.people import Person

NAMES = ("Anna", "Bruno", "Çelik")
BY_SCRIPT = {"hx-request": "true"}
PARTIAL = re.compile(r'hx-target="#([\w-]+)" hx-swap="outerMorph">(.*?)</hx-partial>', re.DOTALL)


class SensibleValda(ValdaFriends):
    def next(self) -> tuple[int, Any]:
        return next_move(self.table.state)


GAMES: dict[str, Callable[..., Friends]] = {"valdora": Friends, "valda": SensibleValda}


def played(client: TestClient, game: str, steps: int = 0, **wish: Any) -> Friends:
    """So many steps, or all of them."""
    friends = GAMES[game](client, NAMES, "looking back", **wish)
    if steps:
        friends.play(steps)
    else:
        friends.play_to_the_end()
    return friends


def replay(client: TestClient, friends: Friends, person: Person | None = None, **query: Any) -> Any:
    query = {name.rstrip("_"): value for name, value in query.items()}
    return (person or Person(client, friends.code)).call("GET", f"/r/{friends.code}/replay?" + "&".join(
        f"{name}={value}" for name, value in query.items()
    ))  # fmt: skip


def past_of(client: TestClient, friends: Friends) -> Past:
    past: Past = client.app.state.house.pasts.of(friends.code)  # type: ignore[attr-defined]
    return past


def drawn(gaze: Gaze) -> list[str]:
    """What a page must hold: the whole table, and what happened in words."""
    table = render(gaze.words, "replay/table.html", **context(gaze, gaze.draw()))
    return [str(table), str(gaze.draw_bar()["step"])]


@pytest.mark.parametrize("game", GAMES)
def test_whoever_looks_back_sees_only_what_they_could_see_then(client: TestClient, game: str) -> None:
    """The table of each moment is imagined anew with other secrets and drawn: it must be what the page shows."""
    friends = played(client, game, 150)
    past, rng = past_of(client, friends), Rng.seeded("imagine")
    people: dict[Viewer, Person | None] = {SPECTATOR: None, **dict(enumerate(friends.people))}
    for viewer, person in people.items():
        for at in range(viewer + 1, past.last + 1, 7):  # each viewer at other moments
            shown = replay(client, friends, person, at=at, as_="all").text
            imagined = Gaze(past, at, viewer, [viewer], phrasebook("en"), "")
            state = past.room.game.resample(past.course.states[at], viewer, rng)
            imagined.room = replace(imagined.room, state=state)
            assert all(part in shown for part in drawn(imagined)), (viewer, at)


def test_another_hand_would_be_noticed(client: TestClient) -> None:
    """The check above fails on what another player sees."""
    friends = played(client, "valda", 60)
    past = past_of(client, friends)
    shown = replay(client, friends, friends.people[0], at=60).text
    other = Gaze(past, 60, 1, [1], phrasebook("en"), "")
    assert str(other.draw()["hand"]) not in shown


@pytest.mark.parametrize("game", GAMES)
def test_what_is_looked_back_at_is_what_was_drawn_then(client: TestClient, game: str) -> None:
    """But for what could be done then."""
    friends = GAMES[game](client, NAMES, "looking back")
    pages: list[str] = []
    for _ in range(25):
        pages.append(friends.people[1].call("GET", "/r/{code}").text)
        friends.step()
    for at, page in enumerate(pages):
        for name, piece in Gaze(past_of(client, friends), at, 1, [1], phrasebook("en"), "").draw().items():
            if "form=" not in page.partition(f'id="{name}"')[2][:4000] and name not in ("prompt", "rev", "recap"):
                assert re.sub(r"\s", "", str(piece)) in re.sub(r"\s", "", page), (at, name)


def test_before_the_end_nobody_gets_other_eyes_or_the_deal(client: TestClient) -> None:
    friends = played(client, "valda", 40)
    bruno = friends.people[1]
    assert f"as={name_of(1)}" in replay(client, friends, bruno, at=3, as_="0").text
    for eyes in ("all", "0", "2", "spectator", "-2"):
        pages = (replay(client, friends, bruno, at=30, **query).text for query in ({"as_": eyes}, {}))
        assert len({page.partition("<main")[2] for page in pages}) == 1
    for file in ("replay.json", "replay.html"):
        assert bruno.call("GET", f"/r/{friends.code}/{file}").status_code == 409
    assert bruno.call("POST", f"/r/{friends.code}/replay/on").status_code == 422
    answer = client.post(f"/r/{friends.code}/replay/on", data={"at": "3"}, headers={"origin": "http://testserver"})
    assert answer.status_code == 409


def test_points_that_are_still_hidden_are_not_plotted(client: TestClient) -> None:
    friends = played(client, "valdora", 60)
    assert 'class="line' not in replay(client, friends).text
    friends.play_to_the_end()
    assert 'class="line' in replay(client, friends).text


def test_where_spectators_are_barred_they_do_not_look_back_either(client: TestClient) -> None:
    friends = played(client, "valdora", 10, spectators=False)
    for path in ("replay", "replay.json", "replay.html", "deal"):
        assert client.get(f"/r/{friends.code}/{path}").status_code == 403
    assert replay(client, friends, friends.people[0], at=5).status_code == 200
    friends.play_to_the_end()
    for path in ("replay", "replay.json", "replay.html", "deal"):
        assert client.get(f"/r/{friends.code}/{path}").status_code == 403
        assert friends.people[2].call("GET", f"/r/{{code}}/{path}").status_code == 200
    answer = client.post(f"/r/{friends.code}/replay/on", data={"at": "3"}, headers={"origin": "http://testserver"})
    assert answer.status_code == 403


def test_a_lobby_has_no_past(client: TestClient) -> None:
    code = client.post("/rooms", data={"game": "valda", "seats": "3"}).url.path.rpartition("/")[2]
    assert client.get(f"/r/{code}/replay").status_code == 409
    assert client.get("/r/nowhere/replay").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_steps_put_together_give_the_page(client: TestClient, game: str) -> None:
    """A script that is at one moment gets what makes another of it, and nothing else."""
    friends = played(client, game)
    last = friends.seq
    for before, at in ((0, 1), (1, 40), (40, 39), (last - 1, last), (last, 0)):
        path = f"/r/{friends.code}/replay?at={at}&as=all"
        page, steps = client.get(path).text, client.get(f"{path}&from={before}", headers=BY_SCRIPT).text
        assert len(steps) < len(page)
        for name, piece in re.findall(
            r'hx-target="#([\w-]+)" hx-swap="outerMorph">(.*?)</hx-partial>', steps, re.DOTALL
        ):
            assert name == "room" or piece in page
        assert f"step {at} of {last}" in steps
    assert "<hx-partial" not in client.get(f"/r/{friends.code}/replay?at=3&from=2").text


def test_a_turn_a_step_or_the_end_can_be_linked_to(client: TestClient) -> None:
    friends = played(client, "valdora")
    past = past_of(client, friends)
    turns = past.course.turns
    assert f"step {turns[4]} of {past.last}" in replay(client, friends, turn=5).text
    assert f"step {turns[-1]} of {past.last}" in replay(client, friends, turn=9999).text
    assert f"step {past.last} of {past.last}" in replay(client, friends, at=99999).text
    assert replay(client, friends, at="-1").status_code == 422
    page = replay(client, friends, at=turns[4] + 1).text
    ways = {
        "first": 0,
        "turn_back": turns[4],
        "back": turns[4],
        "on": turns[4] + 2,
        "turn_on": turns[5],
        "last": past.last,
    }
    assert {way: int(at) for at, way in re.findall(r'data-to="(\d+)" data-way="(\w+)"', page)} == ways


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_moment_can_be_drawn_in_every_language(client: TestClient, game: str, language: str) -> None:
    friends = played(client, game)
    past = past_of(client, friends)
    for viewer in (EVERYONE, 0, 1, 2):
        for at in range(viewer + 2, past.last + 1, 41):
            assert all(Gaze(past, at, viewer, [viewer], phrasebook(language), "").lines)


def test_the_all_seeing_eye_sees_hands_and_a_player_only_their_own(client: TestClient) -> None:
    friends = played(client, "valda")
    past = past_of(client, friends)
    at = next(at for at, state in enumerate(past.course.states) if all(player.hand for player in state.players))
    hands = f">{phrasebook('en').say('valda.table.hand')}<"
    assert replay(client, friends, at=at, as_="all").text.count(hands) == len(NAMES)
    assert hands not in replay(client, friends, at=at, as_="1").text


@pytest.mark.parametrize("game", GAMES)
def test_the_record_is_what_the_command_line_replays(client: TestClient, tmp_path: Path, game: str) -> None:
    friends = played(client, game)
    answer = client.get(f"/r/{friends.code}/replay.json")
    assert answer.headers["content-disposition"] == f'attachment; filename="{game}-{friends.code}.json"'
    file = tmp_path / "game.json"
    file.write_bytes(answer.content)
    again = Replay(read_record(file), phrasebook("en"))
    assert again.moments[-1].state == friends.table.state
    assert "Çelik: " in again.score()
    nameless = msgspec.json.decode(answer.content)
    del nameless["names"]
    file.write_bytes(msgspec.json.encode(nameless))
    assert "Player 3: " in Replay(read_record(file), phrasebook("en")).score()


@pytest.mark.parametrize("game", GAMES)
def test_the_page_to_take_along_asks_nobody_for_anything(client: TestClient, game: str) -> None:
    friends = played(client, game)
    answer = client.get(f"/r/{friends.code}/replay.html?as=1")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert len(answer.content) < 600_000
    page = html.unescape(answer.text)
    assert not re.search(r'(?:src|href|action)="(?!#|\?|")', page)
    assert not re.search(r'url\((?!"data:|#)', page)
    assert 'class="eyes"' not in page


def test_a_room_leads_to_its_past(client: TestClient) -> None:
    friends = played(client, "valdora", 5)
    link = f'href="/r/{friends.code}/replay"'
    assert link in client.get(f"/r/{friends.code}").text
    friends.play_to_the_end()
    assert link in client.get(f"/r/{friends.code}").text
    assert link in friends.people[0].call("GET", "/").text


def test_what_was_taken_back_is_shown_as_it_was(client: TestClient) -> None:
    friends = played(client, "valdora", 2)
    seat, _ = friends.next()
    person = friends.people[seat]
    before = past_of(client, friends).course.states[-1]
    if person.post("undo", {"key": "back"}).status_code == 200:
        past = past_of(client, friends)
        assert past.last == 3
        assert past.course.states[-1] != before
        assert "takes back" in replay(client, friends, at=3).text
