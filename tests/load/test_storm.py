"""A short storm on both databases; `make soak` is the long one."""

import pytest
from sqlalchemy import URL

from app.engine import registry
from app.rooms.service import Rooms
from tests.load.storm import Storm


@pytest.mark.parametrize("game", registry.games())
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(database: URL, game: str) -> None:
    storm = Storm(database.render_as_string(hide_password=False), rooms=20, kills=3, most_moves=120, game=game)
    storm.run()
    assert storm.killed >= 2
    assert sum(map(len, storm.acknowledged.values())) == 20 * 120


def test_a_move_that_vanished_would_be_noticed(database: URL, rooms: Rooms) -> None:
    """The storm's own check can fail."""
    storm = Storm(database.render_as_string(hide_password=False), rooms=1, kills=0, most_moves=10)
    storm.run()
    (moves,) = storm.acknowledged.values()
    moves[len(moves) + 1] = moves[len(moves)]
    try:
        storm.check()
    except AssertionError as noticed:
        assert "does not hold what was acknowledged" in str(noticed)
    else:
        raise AssertionError("nothing was noticed")
    assert rooms.listed() == []
