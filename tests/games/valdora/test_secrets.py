"""Tables that a viewer cannot tell apart: `resample` changes all that is hidden, or the checks would prove nothing."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from app.engine.contract import EVERYONE, SPECTATOR, Viewer
from app.engine.rng import Rng
from app.games.valdora.moves import TurnPage
from app.games.valdora.state import Book, State
from tests.games.valdora.tabletop import BOX, FACE_NAMES, GAME, acting, commission, new_table, play, with_player

COMPLETED = {0: ("grey", "red"), 1: ("blue", "white: gold ruby emerald"), 2: ("yellow",)}


def table(open_score: bool = False) -> State:
    """Two pages have been turned in C and one of them back, and everybody has completed something."""
    state = acting(with_player(new_table(open_score=open_score), coins=6), "C")
    state = play(state, TurnPage("right"), TurnPage("right"), TurnPage("left"))
    for seat, faces in COMPLETED.items():
        state = with_player(state, seat, completed=faces, commissions=("violet",))
    return state


def imagined(state: State, viewer: Viewer) -> Iterator[State]:
    for seed in range(60):
        yield GAME.resample(state, viewer, Rng.seeded(str(seed)))


def hidden(book: Book) -> tuple[int, ...]:
    """The pages below the one that is visible, or was before the first page was turned."""
    return book.right[: book.unseen - 1]


@pytest.mark.rule("VS-4")
@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
@pytest.mark.parametrize("number", range(4))
def test_the_pages_below_the_visible_one_are_drawn_anew(viewer: Viewer, number: int) -> None:
    state = table()
    books = [other.books[number] for other in imagined(state, viewer)]
    real = state.books[number]
    deepest = {hidden(book)[0] for book in books}
    assert len({page // 2 for page in deepest}) > len(hidden(real)) / 2  # nearly any card may lie there
    assert {page % 2 for page in deepest} == {0, 1}  # on either side
    for book in books:
        assert sorted(page // 2 for page in book.right) == sorted(page // 2 for page in real.right)


@pytest.mark.rule("VS-4")
@pytest.mark.parametrize("city", ["C", "D"])
def test_the_back_of_the_visible_page_is_drawn_anew(city: str) -> None:
    """Two cards show the same face; which of them it is, nobody knows before it is turned."""
    number = BOX.book[BOX.numbers[city]]
    grey = commission("grey", "red")
    rest = [page for page in range(0, len(BOX.faces), 2) if page // 2 != grey // 2]
    state = new_table()
    book = Book((), (*rest, grey), len(rest) + 1)
    state = replace(state, books=(*state.books[:number], book, *state.books[number + 1 :]))
    tops = {other.books[number].right[-1] for other in imagined(state, 0)}
    assert {FACE_NAMES[page] for page in tops} == {"grey"}
    assert {"red", "blue", "green", "violet", "yellow"} <= {FACE_NAMES[page ^ 1] for page in tops}


@pytest.mark.rule("VA-16")
@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_what_others_have_completed_is_dealt_anew_among_them(viewer: Viewer) -> None:
    state = table()
    others = [seat for seat in COMPLETED if seat != viewer]
    pool = sorted(page for seat in others for page in state.players[seat].completed)
    dealt = list(imagined(state, viewer))
    for seat in others:
        assert {page for other in dealt for page in other.players[seat].completed} == set(pool)
    for other in dealt:
        assert sorted(page for seat in others for page in other.players[seat].completed) == pool


@pytest.mark.rule("VS-4", "VA-16")
@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_what_the_viewer_knows_stays(viewer: Viewer) -> None:
    state = table()
    for other in imagined(state, viewer):
        for book, real in zip(other.books, state.books, strict=True):
            assert replace(book, right=real.right) == real
            assert book.right[book.unseen :] == real.right[real.unseen :]
        for seat, (player, real_player) in enumerate(zip(other.players, state.players, strict=True)):
            assert replace(player, completed=real_player.completed) == real_player
            assert len(player.completed) == len(real_player.completed)
            assert seat != viewer or player == real_player
        assert replace(other, books=state.books, players=state.players) == state
        assert GAME.view(other, viewer) == GAME.view(state, viewer)


@pytest.mark.rule("VA-16")
def test_what_is_open_is_not_dealt_anew() -> None:
    agreed = table(open_score=True)
    over = replace(table(), turn=replace(table().turn, phase="over"))
    for state in (agreed, over):
        assert all(other.players == state.players for other in imagined(state, 0))
    assert all(other == over for other in imagined(over, EVERYONE))
