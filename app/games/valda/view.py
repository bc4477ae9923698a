"""What a viewer may see: everything but hands, the order of the decks, and who has answered unseen."""

from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from app.engine.contract import EVERYONE, SPECTATOR, Outcome, ScoreSheet, Viewer
from app.games.valda import raids
from app.games.valda.components import COLOURS, Components
from app.games.valda.dice import face_name
from app.games.valda.draft import safe
from app.games.valda.gods import attack_bonus, count_levels, has_levels, owner
from app.games.valda.hands import who_could
from app.games.valda.moves import BUILDINGS, GODS, RESOURCES, TYR
from app.games.valda.rules import to_act
from app.games.valda.scoring import outcome, score_sheet
from app.games.valda.state import Pile, Player, State, seats_in

_REMEMBERED: Final = 4096


class PlayerView(msgspec.Struct, frozen=True):
    goods: dict[str, int]
    mines: int
    wells: int
    temples: dict[str, int]  # by god, where there are any
    abilities: dict[str, tuple[int, ...]]  # by god: the levels, borrowed ones included
    followers: int
    safe: int  # the safe zone that was reached
    sources: tuple[int, ...]
    cards: int  # in the hand
    hand: tuple[str, ...] | None  # one's own, or after the end everybody's
    open: tuple[str, ...]
    known: tuple[str, ...]  # cards in the hand that the viewer knows of
    weapons: tuple[str, ...]  # the gods whose weapon this player could hold, by what everybody knows


class DeckView(msgspec.Struct, frozen=True):
    cards: int
    known: dict[int, str]  # cards the viewer has seen, by their place from the top, 1 is the top one
    order: tuple[str, ...] | None  # after the end: from the top


class DieView(msgspec.Struct, frozen=True):
    colour: str
    face: str
    faces: tuple[str, ...]


class DiceView(msgspec.Struct, frozen=True):
    seat: int
    why: str
    dice: tuple[DieView, ...]
    cards: tuple[str, ...]  # the rune that is being played
    settled: bool


class TaskView(msgspec.Struct, frozen=True):
    kind: str
    left: int
    cards: tuple[str, ...]
    decks: tuple[str, ...]  # that were named, or whose two cards are looked at
    owes: tuple[int, ...]
    look: tuple[str, ...]  # the two cards a temple shows, for whom they are shown


class WindowView(msgspec.Struct, frozen=True):
    weapon: str
    asked: tuple[int, ...]
    building: str | None
    waiting: bool  # whether the viewer has still to answer


class AttackView(msgspec.Struct, frozen=True):
    order: tuple[int, ...]
    place: int
    left: int
    stage: str
    attacker: int
    target: int | None
    card: str | None
    does: str | None
    amount: int
    printed: int
    bonus: int
    weapons: tuple[str, ...]
    power: int
    shields: tuple[str, ...]
    shield_bonus: int
    defence: int
    holds: bool  # whether the defence would do


class TurnView(msgspec.Struct, frozen=True):
    seat: int
    phase: str
    rolled: bool
    trades: int
    actions: int
    built: int
    limit: int
    worship: tuple[int, ...]
    borrowed: tuple[tuple[str, int], ...]


class View(msgspec.Struct, frozen=True):
    round: int
    start: int
    turn: TurnView
    acting: tuple[int, ...]
    players: tuple[PlayerView, ...]
    supply: dict[str, int]
    base: int
    base_order: tuple[str, ...] | None
    decks: dict[str, DeckView]
    discard: tuple[str, ...]  # the newest first
    sites: dict[str, tuple[int, ...]]  # by god: the seat of each temple
    owners: dict[str, int | None]
    task: TaskView | None
    dice: DiceView | None
    window: WindowView | None
    attack: AttackView | None
    outcome: Outcome | None
    score: ScoreSheet | None


def named(counts: tuple[int, ...], names: tuple[str, ...]) -> dict[str, int]:
    return dict(zip(names, counts, strict=True))


class Painter:
    """Draws views. What all viewers see alike is drawn once for a table."""

    def __init__(self, c: Components) -> None:
        self.c = c
        remember = lru_cache(_REMEMBERED)
        self._names = remember(c.names)
        self._player = remember(self._draw_player)
        self._pile = remember(self._draw_pile)
        self._last: tuple[State, View] | None = None
        self._faces = tuple(
            tuple(face_name(c, colour, face) for face in range(len(faces))) for colour, faces in enumerate(c.dice)
        )

    def view(self, state: State, viewer: Viewer) -> View:
        over = state.turn.phase == "over"
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = (state, self._table(state, EVERYONE if over else -1))
        table = last[1]
        if over:
            return table
        if viewer == EVERYONE:
            return self._table(state, EVERYONE)
        if viewer < 0:
            return table
        return replace(
            table,
            players=self._players(state, viewer),
            decks=self._decks(state, viewer),
            task=self._task(state, viewer),
            window=self._window(state, viewer),
        )

    def _table(self, state: State, viewer: Viewer) -> View:
        everything = viewer == EVERYONE
        over = state.turn.phase == "over"
        turn = state.turn
        return View(
            round=state.round,
            start=state.start,
            turn=TurnView(
                turn.seat,
                turn.phase,
                turn.rolled,
                turn.trades,
                turn.actions,
                turn.built,
                turn.limit,
                turn.worship,
                tuple((GODS[god], level) for god, level in turn.borrowed),
            ),
            acting=to_act(state),
            players=self._players(state, viewer),
            supply=named(state.supply, RESOURCES),
            base=len(state.base),
            base_order=self._names(state.base[::-1]) if everything else None,
            decks=self._decks(state, viewer),
            discard=self._names(state.discard[::-1]),
            sites={
                name: tuple(seat for seat, player in enumerate(state.players) for _ in range(player.temples[god]))
                for god, name in enumerate(GODS)
            },
            owners={name: owner(state, god) for god, name in enumerate(GODS)},
            task=self._task(state, viewer),
            dice=self._dice(state),
            window=self._window(state, viewer),
            attack=self._attack(state),
            outcome=outcome(state),
            score=score_sheet(state) if over else None,
        )

    def _players(self, state: State, viewer: Viewer) -> tuple[PlayerView, ...]:
        could = tuple(who_could(self.c, state, god) for god in range(len(GODS)))
        return tuple(
            self._player(
                player,
                state.turn.borrowed if seat == state.turn.seat else (),
                sum(1 << god for god, bits in enumerate(could) if bits >> seat & 1),
                viewer in (seat, EVERYONE),
                -1 if viewer in (seat, EVERYONE, SPECTATOR) else viewer,
            )
            for seat, player in enumerate(state.players)
        )

    def _draw_player(
        self, me: Player, borrowed: tuple[tuple[int, int], ...], weapons: int, own: bool, row: int
    ) -> PlayerView:
        return PlayerView(
            goods=named(me.goods, RESOURCES),
            mines=me.mines,
            wells=me.wells,
            temples={name: count for name, count in zip(GODS, me.temples, strict=True) if count},
            abilities={
                name: tuple(level for level, has in enumerate(found, start=1) if has)
                for god, name in enumerate(GODS)
                if any(found := has_levels(me.temples, borrowed, god))
            },
            followers=me.followers,
            safe=safe(self.c, me.followers),
            sources=me.sources,
            cards=len(me.hand),
            hand=self._names(me.hand) if own else None,
            open=self._names(me.open),
            known=self._names(me.known[row]),
            weapons=tuple(GODS[god] for god in seats_in(weapons)),
        )

    def _decks(self, state: State, viewer: Viewer) -> dict[str, DeckView]:
        return {name: self._pile(pile, viewer) for name, pile in zip(GODS, state.piles, strict=True)}

    def _draw_pile(self, pile: Pile, viewer: Viewer) -> DeckView:
        cards = pile.cards
        seen = {
            len(cards) - place: self.c.cards[cards[place]].name
            for place, bits in enumerate(pile.seen)
            if viewer >= 0 and bits >> viewer & 1
        }
        return DeckView(len(cards), seen, self._names(cards[::-1]) if viewer == EVERYONE else None)

    def _task(self, state: State, viewer: Viewer) -> TaskView | None:
        task = state.task
        if task is None:
            return None
        decks = task.kind in ("keep", "drakkar", "bifrost")
        looks = task.kind == "keep" and viewer in (state.turn.seat, EVERYONE)
        return TaskView(
            kind=task.kind,
            left=task.left,
            cards=self._names(task.cards),
            decks=tuple(GODS[god] for god in task.picks) if decks else (),
            owes=task.picks if task.kind == "toll" else (),
            look=self._names(state.piles[task.picks[0]].cards[-2:]) if looks else (),
        )

    def _dice(self, state: State) -> DiceView | None:
        dice = state.dice
        if dice is None:
            return None
        shown = tuple(
            DieView(COLOURS[colour], self._faces[colour][face], self._faces[colour]) for colour, face in dice.dice
        )
        return DiceView(dice.seat, dice.why, shown, self._names(dice.cards), dice.settled)

    def _window(self, state: State, viewer: Viewer) -> WindowView | None:
        window = state.window
        if window is None:
            return None
        return WindowView(
            window.weapon,
            seats_in(window.asked),
            BUILDINGS[state.building] if state.building >= 0 else None,
            viewer >= 0 and bool(window.asked & ~window.answered & 1 << viewer),
        )

    def _attack(self, state: State) -> AttackView | None:
        raid = state.raid
        if raid is None:
            return None
        going_on = raid.stage != "declare"
        card = self.c.cards[raid.card] if going_on else None
        power = raids.power(self.c, state) if going_on else 0
        printed = card.power if card else 0
        return AttackView(
            order=raid.order,
            place=raid.place,
            left=raid.left,
            stage=raid.stage,
            attacker=raids.attacker(raid),
            target=raid.target if going_on else None,
            card=card.name if card else None,
            does=card.does if card else None,
            amount=card.amount if card else 0,
            printed=printed,
            bonus=attack_bonus(state, raids.attacker(raid)),
            weapons=tuple(GODS[god] for god in raid.weapons),
            power=power,
            shields=self._names(raid.shields),
            shield_bonus=count_levels(state, raid.target, TYR) if going_on else 0,
            defence=raids.defence(self.c, state) if going_on else 0,
            holds=going_on and raids.holds(self.c, state),
        )
