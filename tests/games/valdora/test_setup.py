"""Setting the table: VS."""

import pytest

from app.engine.contract import SPECTATOR, Malformed
from app.engine.table import Table
from app.games.valdora.moves import COLOURS, TurnPage
from app.games.valdora.state import Options
from app.games.valdora.view import CardView
from tests.games.valdora.tabletop import (
    BOX,
    GAME,
    acting,
    carried,
    face_up,
    new_table,
    play,
    with_player,
)


@pytest.mark.rule("VS-1")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_everybody_starts_in_the_harbour_city_with_a_pan(seats: int) -> None:
    state = new_table(seats)
    assert len(state.players) == seats
    for seat, player in enumerate(state.players):
        assert BOX.spaces[player.at] == "H"
        assert carried(state, seat) == {"pan": None}
        assert not player.provisions
        assert player.commissions == ()


@pytest.mark.rule("VS-1")
@pytest.mark.parametrize("seats", [0, 2, 6])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(Malformed):
        Table(GAME, Options(), seats, "x")


@pytest.mark.rule("VS-2")
def test_coins_rise_clockwise_from_the_start_player() -> None:
    for seed in range(20):
        state = GAME.setup(Options(), 4, str(seed))
        purses = [state.players[(state.start + n) % 4].coins for n in range(4)]
        assert purses == [1, 2, 3, 4]
        assert state.bank == 20
        assert state.turn.seat == state.start


@pytest.mark.rule("VS-2")
def test_the_seed_draws_the_start_player_unless_the_host_orders_the_seats() -> None:
    assert {GAME.setup(Options(), 5, str(seed)).start for seed in range(60)} == {0, 1, 2, 3, 4}
    assert {GAME.setup(Options(start="first_seat"), 5, str(seed)).start for seed in range(60)} == {0}


@pytest.mark.rule("VS-3")
def test_six_gems_on_every_road_and_none_left() -> None:
    state = new_table()
    assert [sum(road) for road in state.roads] == [6] * 13
    assert tuple(map(sum, zip(*state.roads, strict=True))) == BOX.gem_counts
    assert sum(state.discard) == 0
    assert state.roads != new_table(seed="another").roads


@pytest.mark.rule("VS-4")
def test_books_are_shuffled_and_lie_on_their_right_side() -> None:
    state = new_table()
    for book, pages in zip(state.books, (36, 36, 54, 54), strict=True):
        assert book.left == ()
        assert sorted(page // 2 for page in book.right) == list(range(pages // 2))
        assert {page % 2 for page in book.right} == {0, 1}
    assert state.books[2].right != state.books[3].right
    assert state.books[2].right != new_table(seed="another").books[2].right


@pytest.mark.rule("VS-4")
def test_only_the_top_face_is_visible() -> None:
    state = new_table()
    for book, city in zip(GAME.view(state, 0).books, "ABCD", strict=True):
        assert book.space == city
        assert book.left.top is None
        assert book.left.cards == 0
        top = book.right.top
        assert top is not None
        assert (top.gear or top.patron) == (face_up(state, city, "right") or "").partition(":")[0]
        assert book.right.known == ()


@pytest.mark.rule("VS-4")
def test_pages_that_everybody_has_seen_are_shown_only_if_the_table_agrees_on_it() -> None:
    """Two pages go over to the left and one of them back: one known card lies on each side."""
    faces = GAME.painter.faces[2]
    for memory in (False, True):
        start = acting(with_player(new_table(memory=memory), coins=6), "C")
        second, first = start.books[2].right[-2:]
        state = play(start, TurnPage("right"), TurnPage("right"), TurnPage("left"))
        for viewer in (0, 1, SPECTATOR):
            book = GAME.view(state, viewer).books[2]
            assert (book.left.cards, book.right.cards) == (1, 26)
            assert book.left.known == ((CardView(faces[first ^ 1], faces[first]),) if memory else ())
            assert book.right.known == ((CardView(faces[second], faces[second ^ 1]),) if memory else ())


@pytest.mark.rule("VS-5")
def test_with_three_players_four_craftsmen_leave() -> None:
    three = dict(zip(COLOURS, new_table(3).craftsmen, strict=True))
    assert three == {"grey": 9, "yellow": 9, "white": 5, "violet": 3, "red": 3, "blue": 3, "green": 3}
    assert sum(new_table(4).craftsmen) == sum(new_table(5).craftsmen) == 39
