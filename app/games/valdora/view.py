"""What a viewer may see (VA-16, VS-4): everything but the order of the books and, until the end, others' completed
commissions."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from app.engine.contract import EVERYONE, Outcome, ScoreSheet, Viewer
from app.engine.rng import Rng
from app.engine.tuples import put
from app.games.valdora.components import Components
from app.games.valdora.moves import COLOURS, GEAR, GEMS
from app.games.valdora.scoring import outcome, points, score_sheet
from app.games.valdora.setup import turn_up
from app.games.valdora.state import NOBODY, NOT_OWNED, Book, Player, State, Turn

_REMEMBERED: Final = 4096  # books, players and roads: what some hundred tables need


class FaceView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A face of a book's card: equipment, or a patron's wish."""

    gear: str | None = None
    patron: str | None = None
    wish: tuple[str, ...] = ()
    points: int = 0


class CardView(msgspec.Struct, frozen=True):
    face: FaceView
    back: FaceView


class PileView(msgspec.Struct, frozen=True, omit_defaults=True):
    cards: int
    top: FaceView | None
    known: tuple[CardView, ...] = ()  # the cards below that everybody has seen, the uppermost first


class BookView(msgspec.Struct, frozen=True):
    space: str
    left: PileView
    right: PileView


class FaceCount(msgspec.Struct, frozen=True):
    face: FaceView
    count: int


class PlayerView(msgspec.Struct, frozen=True):
    space: str
    coins: int
    provisions: bool
    equipment: dict[str, str | None]
    commissions: tuple[CardView, ...]
    completed: int
    completed_faces: tuple[FaceView, ...] | None
    craftsmen: dict[str, int]
    bonus: int
    points: tuple[int, ...] | None


class View(msgspec.Struct, frozen=True):
    round: int
    last_round: bool
    start: int
    turn: Turn
    players: tuple[PlayerView, ...]
    roads: dict[str, dict[str, int]]
    discard: dict[str, int]
    bank: int
    books: tuple[BookView, ...]
    summary: dict[str, tuple[FaceCount, ...]]  # how often each face occurs in a book, by what it sells (VC-9)
    craftsmen: dict[str, int]
    workshops: dict[str, int | None]
    bonus: int
    outcome: Outcome | None
    score: ScoreSheet | None


class Painter:
    """Draws views. What is the same at every table, or as a move left it, is not drawn anew."""

    def __init__(self, c: Components) -> None:
        self.c = c
        goods = [FaceView(gear=GEAR[gear]) for gear in c.goods]
        wishes = [
            FaceView(None, COLOURS[face.patron], tuple(GEMS[gem] for gem in face.gems) or ("coin",), face.points)
            for face in c.faces
        ]
        self.faces = (goods, goods, wishes, wishes)  # per book
        self.wishes = wishes
        self.cities = [c.spaces[c.book.index(number)] for number in range(len(self.faces))]
        self.roads = [c.spaces[c.road.index(number)] for number in range(max(c.road) + 1)]
        remember = lru_cache(_REMEMBERED)
        self._book = remember(self._draw_book)
        self._player = remember(self._draw_player)
        self._roads = remember(self._draw_roads)
        self._last: tuple[State, View] | None = None  # drawn last: several viewers look at one table
        self.summary = {
            "equipment": _counted(goods, c.goods),
            "commissions": _counted(wishes, [face.patron for face in c.faces]),
        }

    def view(self, state: State, viewer: Viewer) -> View:
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = (state, self._table(state))
        table = last[1]
        if viewer == EVERYONE:
            revealed = [self._player(player, seat, state.workshops, True) for seat, player in enumerate(state.players)]
            return replace(table, players=tuple(revealed))
        if viewer < 0 or self._is_open(state):
            return table
        own = self._player(state.players[viewer], viewer, state.workshops, True)
        return replace(table, players=put(table.players, viewer, own))

    def _is_open(self, state: State) -> bool:
        return state.turn.phase == "over" or state.options.open_score

    def _table(self, state: State) -> View:
        """What everybody sees."""
        c = self.c
        over = state.turn.phase == "over"
        everything = self._is_open(state)
        memory = state.options.memory
        return View(
            round=state.round,
            last_round=state.last_round,
            start=state.start,
            turn=state.turn,
            players=tuple(
                [self._player(player, seat, state.workshops, everything) for seat, player in enumerate(state.players)]
            ),
            roads=self._roads(state.roads),
            discard=_gems(state.discard),
            bank=state.bank,
            books=tuple([self._book(number, book, memory) for number, book in enumerate(state.books)]),
            summary=self.summary,
            craftsmen=dict(zip(COLOURS, state.craftsmen, strict=True)),
            workshops=dict(
                zip(COLOURS, [None if owner == NOBODY else owner for owner in state.workshops], strict=True)
            ),
            bonus=state.bonus,
            outcome=outcome(c, state),
            score=score_sheet(c, state) if over else None,
        )

    def _draw_roads(self, roads: tuple[tuple[int, ...], ...]) -> dict[str, dict[str, int]]:
        return {name: _gems(road) for name, road in zip(self.roads, roads, strict=True)}

    def _draw_player(self, player: Player, seat: int, workshops: tuple[int, ...], reveal: bool) -> PlayerView:
        wishes = self.wishes
        return PlayerView(
            space=self.c.spaces[player.at],
            coins=player.coins,
            provisions=player.provisions,
            equipment={
                name: GEMS[on] if on >= 0 else None
                for name, on in zip(GEAR, player.gear, strict=True)
                if on != NOT_OWNED
            },
            commissions=tuple([CardView(wishes[page], wishes[page ^ 1]) for page in player.commissions]),
            completed=len(player.completed),
            completed_faces=tuple([wishes[page] for page in player.completed]) if reveal else None,
            craftsmen={name: count for name, count in zip(COLOURS, player.craftsmen, strict=True) if count},
            bonus=player.bonus,
            points=points(self.c, workshops, seat, player) if reveal else None,
        )

    def _draw_book(self, number: int, book: Book, memory: bool) -> BookView:
        faces = self.faces[number]
        known = (book.left, book.right[book.unseen :]) if memory else ((), ())
        left, right = (
            PileView(
                len(pile),
                faces[pile[-1]] if pile else None,
                tuple([CardView(faces[page], faces[page ^ 1]) for page in reversed(seen)]),
            )
            for pile, seen in zip((book.left, book.right), known, strict=True)
        )
        return BookView(self.cities[number], left, right)


def _counted(faces: Sequence[FaceView], kinds: Sequence[int]) -> tuple[FaceCount, ...]:
    """Each face with how often it occurs, one kind after the other."""
    pages = sorted(range(len(faces)), key=lambda page: kinds[page])
    return tuple(FaceCount(face, count) for face, count in Counter(faces[page] for page in pages).items())


def _gems(counts: tuple[int, ...]) -> dict[str, int]:
    return {gem: count for gem, count in zip(GEMS, counts, strict=True) if count}


def resample(c: Components, state: State, viewer: Viewer, rng: Rng) -> State:
    """Other pages under the top one, and others' completed commissions dealt anew among them."""
    if viewer == EVERYONE:
        return state
    books = tuple(_reshuffle(c.goods if number < 2 else c.faces, book, rng) for number, book in enumerate(state.books))
    players = state.players
    if state.turn.phase != "over" and not state.options.open_score:
        others = [seat for seat in range(len(players)) if seat != viewer]
        pile = rng.shuffled(sorted(page for seat in others for page in players[seat].completed))
        dealt = {seat: tuple(pile.pop() for _ in players[seat].completed) for seat in others}
        players = tuple(
            replace(player, completed=dealt.get(seat, player.completed)) for seat, player in enumerate(players)
        )
    return replace(state, books=books, players=players)


def _reshuffle(faces: Sequence[object], book: Book, rng: Rng) -> Book:
    if not book.unseen:
        return book
    visible = faces[book.right[book.unseen - 1]]
    cards = sorted(page // 2 for page in book.right[: book.unseen])
    tops = [page for card in cards for page in (2 * card, 2 * card + 1) if faces[page] == visible]
    top = tops[rng.below(len(tops))[0]]
    cards.remove(top // 2)
    below = turn_up(rng.shuffled(cards), rng)
    return replace(book, right=(*below, top, *book.right[book.unseen :]))
