"""The four books: buying, turning pages, returning a commission (VA-2 to VA-10)."""

from typing import Final

from msgspec.structs import replace

from app.engine.contract import Arg, Barrier, Event, Refusal, Step
from app.engine.tuples import put
from app.games.valdora.components import Components, Face
from app.games.valdora.moves import (
    BUY,
    BUY_FOR,
    COLOURS,
    GEAR,
    GEMS,
    GOLD,
    PILES,
    RETURN,
    TURN_PAGE,
    Buy,
    Move,
    Return,
    TurnPage,
)
from app.games.valdora.state import EMPTY, LEFT, NOT_OWNED, Book, Player, State, Turn

MOST_COMMISSIONS: Final = 3


def here(c: Components, state: State) -> int:
    """Which book is sold where the pawn stands; NONE where there is none."""
    return c.book[state.players[state.turn.seat].at]


def _piles(book: Book) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return book.left, book.right


def page_price(turn: Turn) -> int:
    return 1 if turn.pages else 0  # VA-3


def _spendable(me: Player, turn: Turn) -> int:
    """Coins for pages: who has returned a commission keeps one to buy with (VA-9)."""
    return me.coins - turn.owes


def legal(c: Components, state: State) -> list[Move]:
    turn = state.turn
    me = state.players[turn.seat]
    number = c.book[me.at]
    book = state.books[number]
    moves: list[Move] = []
    turns_page = _spendable(me, turn) >= page_price(turn)
    for side, pile in enumerate((book.left, book.right)):
        if not pile:
            continue
        if turns_page:
            moves.append(TURN_PAGE[side])
        if c.kinds[me.at] == "equipment":
            if me.gear[c.goods[pile[-1]]] == NOT_OWNED:
                moves += [BUY_FOR[side][gear] for gear, gem in enumerate(me.gear) if gem == GOLD]
        elif me.coins and len(me.commissions) < MOST_COMMISSIONS:
            moves.append(BUY[side])
    if len(me.commissions) == MOST_COMMISSIONS and me.coins and c.kinds[me.at] == "commissions" and _holds_any(book):
        moves += [give for place in RETURN for give in place]
    return moves


def _holds_any(book: Book) -> bool:
    return bool(book.left or book.right)


def explain_turn(c: Components, state: State, move: TurnPage) -> Refusal | None:
    turn = state.turn
    me = state.players[turn.seat]
    if not _piles(state.books[here(c, state)])[PILES.index(move.pile)]:
        return Refusal("VA-10", "valdora.refuse.pile_empty", {"pile": move.pile})
    if _spendable(me, turn) < page_price(turn):
        if turn.owes:
            return Refusal("VA-9", "valdora.refuse.keep_a_coin")
        return Refusal("VA-3", "valdora.refuse.page_costs")
    return None


def turn_page(c: Components, state: State, move: TurnPage) -> Step[State]:
    turn = state.turn
    me = state.players[turn.seat]
    number = here(c, state)
    side = PILES.index(move.pile)
    book, page, fresh = _take(state.books[number], side)
    turned = page ^ 1
    book = (
        Book(book.left, (*book.right, turned), book.unseen)
        if side == LEFT
        else Book((*book.left, turned), book.right, book.unseen)
    )
    price = page_price(turn)
    after = replace(
        state,
        players=put(state.players, turn.seat, replace(me, coins=me.coins - price)) if price else state.players,
        bank=state.bank + price,
        books=put(state.books, number, book),
        turn=replace(turn, doing="buying", pages=turn.pages + 1),
    )
    args: dict[str, Arg] = {
        "pile": move.pile,
        "space": c.spaces[me.at],
        **face_args(c, c.kinds[me.at] == "equipment", turned),
    }
    return Step(after, (Event(_worded("turned", c, me), turn.seat, args), *paid(turn.seat, price)), _barrier(fresh))


def explain_buy(c: Components, state: State, move: Buy) -> Refusal | None:
    me = state.players[state.turn.seat]
    pile = _piles(state.books[here(c, state)])[PILES.index(move.pile)]
    if not pile:
        return Refusal("VA-10", "valdora.refuse.pile_empty", {"pile": move.pile})
    if c.kinds[me.at] == "commissions":
        return _explain_commission(me, move)
    wanted = c.goods[pile[-1]]
    if me.gear[wanted] != NOT_OWNED:
        return Refusal("VA-6", "valdora.refuse.owned_already", {"gear": GEAR[wanted]})
    if move.pay is None or me.gear[GEAR.index(move.pay)] != GOLD:
        return Refusal("VA-5", "valdora.refuse.gold_needed", {"gear": GEAR[wanted]})
    return None


def _explain_commission(me: Player, move: Buy) -> Refusal | None:
    if move.pay is not None:
        return Refusal("VA-7", "valdora.refuse.paid_in_coins")
    if len(me.commissions) == MOST_COMMISSIONS:
        return Refusal("VA-7", "valdora.refuse.three_commissions")
    if not me.coins:
        return Refusal("VA-7", "valdora.refuse.commission_costs")
    return None


def buy(c: Components, state: State, move: Buy) -> Step[State]:
    turn = state.turn
    me = state.players[turn.seat]
    number = here(c, state)
    book, page, fresh = _take(state.books[number], PILES.index(move.pile))
    equipment = move.pay is not None
    # A commission in hand shows both its faces; of equipment only the type counts, so only the page below can be news.
    shown = fresh and (not equipment or book.unseen > 0)
    args: dict[str, Arg] = {"pile": move.pile, "space": c.spaces[me.at], **face_args(c, equipment, page)}
    discard, bank = state.discard, state.bank
    if move.pay is not None:
        gear = put(put(me.gear, GEAR.index(move.pay), EMPTY), c.goods[page], EMPTY)
        me = replace(me, gear=gear)
        discard = put(discard, GOLD, discard[GOLD] + 1)
        args["gear_from"] = move.pay
    else:
        me = replace(me, coins=me.coins - 1, commissions=(*me.commissions, page))
        bank += 1
    after = replace(
        state,
        players=put(state.players, turn.seat, me),
        discard=discard,
        bank=bank,
        books=put(state.books, number, book),
        turn=replace(turn, doing="buying", owes=False),
    )
    return Step(after, (Event(_worded("bought", c, me), turn.seat, args),), _barrier(shown))


def explain_return(c: Components, state: State) -> Refusal | None:
    me = state.players[state.turn.seat]
    if c.kinds[me.at] != "commissions":
        return Refusal("VA-7", "valdora.refuse.no_returns_here", {"space": c.spaces[me.at]})
    if len(me.commissions) < MOST_COMMISSIONS:
        return Refusal("VA-9", "valdora.refuse.return_with_three")
    if not me.coins:
        return Refusal("VA-9", "valdora.refuse.return_to_buy")
    if not _holds_any(state.books[here(c, state)]):
        return Refusal("VA-9", "valdora.refuse.book_empty")
    return None


def give_back(c: Components, state: State, move: Return) -> Step[State]:
    turn = state.turn
    me = state.players[turn.seat]
    number = here(c, state)
    book = state.books[number]
    page = me.commissions[move.commission]
    book = (
        replace(book, left=(*book.left, page)) if move.pile == PILES[LEFT] else replace(book, right=(*book.right, page))
    )
    kept = me.commissions[: move.commission] + me.commissions[move.commission + 1 :]
    after = replace(
        state,
        players=put(state.players, turn.seat, replace(me, commissions=kept)),
        books=put(state.books, number, book),
        turn=replace(turn, doing="buying", owes=True),
    )
    args: dict[str, Arg] = {"pile": move.pile, "space": c.spaces[me.at], **face_args(c, False, page)}
    return Step(after, (Event(_worded("returned", c, me), turn.seat, args),))


def _take(book: Book, side: int) -> tuple[Book, int, bool]:
    """The book without the top card of a pile, that card, and whether it had never been turned before."""
    if side == LEFT:
        return Book(book.left[:-1], book.right, book.unseen), book.left[-1], False
    fresh = len(book.right) == book.unseen
    return Book(book.left, book.right[:-1], book.unseen - fresh), book.right[-1], fresh


def _barrier(shown: bool) -> Barrier | None:
    """A page that nobody had seen before cannot be unseen."""
    return "secret" if shown else None


def _worded(what: str, c: Components, me: Player) -> str:
    return f"valdora.event.{what}_{'equipment' if c.kinds[me.at] == 'equipment' else 'commission'}"


def face_args(c: Components, equipment: bool, page: int) -> dict[str, Arg]:
    return {"gear": GEAR[c.goods[page]]} if equipment else commission_args(c.faces[page])


def paid(seat: int, coins: int) -> tuple[Event, ...]:
    """Says what went to the bank, if anything did."""
    return (Event("valdora.event.paid", seat, {"coins": coins}),) if coins else ()


def commission_args(face: Face) -> dict[str, Arg]:
    """A commission in an event: whose it is and what is wanted."""
    return {"patron": COLOURS[face.patron], "gem_wanted": tuple(GEMS[gem] for gem in face.gems) or ("coin",)}
