"""The table of Valda in Chromium: what one sees and touches of it."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from app.games.valda.moves import PASS, ROLL, Build, Crown, Keep, Loot, Play, Shield, Trade, Worship
from app.games.valda.state import State
from app.i18n import LANGUAGES, phrasebook
from tests.e2e.rooms import PlayedValda, button, press
from tests.e2e.visitors import axe, visitor
from tests.friends import VALDA

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1280, 800), "wide": (2560, 1300)}


def offered(state: State, kind: type[Any]) -> int:
    """How many moves of a kind somebody has who is waited for."""
    found = [[isinstance(move, kind) for move in VALDA.legal(state, seat)] for seat in VALDA.awaited(state)]
    return max(map(sum, found), default=0)


# A room in each state that a table can be in.
KINDS: dict[str, Callable[[State], bool]] = {
    "roll": lambda state: state.round > 1 and state.turn.phase == "resources" and not state.turn.rolled,
    "trade": lambda state: offered(state, Trade) > 5,
    "actions": lambda state: state.turn.phase == "actions" and state.task is None and offered(state, Play) > 4,
    "discard": lambda state: state.task is not None and state.task.kind == "discard",
    "keep": lambda state: offered(state, Keep) > 1,
    "building": lambda state: state.round > 2 and offered(state, Build) > 2,
    "defend": lambda state: bool(state.raid and state.raid.shields) and offered(state, Shield) > 0,
    "loot": lambda state: offered(state, Loot) > 1,
    "crown": lambda state: offered(state, Crown) > 0,
    "followers": lambda state: offered(state, Worship) > 1,
    "over": lambda state: state.turn.phase == "over",
}


@pytest.fixture(scope="module")
def tables(http: httpx2.Client) -> dict[str, PlayedValda]:
    return {kind: PlayedValda.somewhere(http, 4, stop) for kind, stop in KINDS.items()}


def asked(table: PlayedValda) -> int:
    """The seat that has most to choose from."""
    waiting = VALDA.awaited(table.state) or (0,)
    return max(waiting, key=lambda seat: len(VALDA.legal(table.state, seat)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "scheme", "language"), [("desktop", "light", "en"), ("phone", "dark", "ru")])
def test_axe_finds_nothing_in_any_state(
    browser: Browser, site: str, tables: dict[str, PlayedValda], kind: str, size: str, scheme: str, language: str
) -> None:
    width, height = SIZES[size]
    table = tables[kind]
    with visitor(
        browser, site, viewport={"width": width, "height": height}, color_scheme=scheme, locale=language
    ) as page:
        table.sit(page, asked(table), site)
        page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        assert axe(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_opens(
    browser: Browser, site: str, tables: dict[str, PlayedValda], scheme: str
) -> None:
    """What a god gives, the discard, ways to trade, ways to turn a die."""
    with visitor(browser, site, color_scheme=scheme) as page:
        for kind, opener in (
            ("building", ".domain.odin .info"),
            ("building", "#discard > button"),
            ("trade", "#purse > button"),
            ("crown", "button.die"),
        ):
            tables[kind].sit(page, asked(tables[kind]), site)
            page.locator(opener).first.click()
            expect(page.locator(":popover-open")).to_be_visible()
            assert axe(page) == []


def test_axe_finds_nothing_for_who_watches(browser: Browser, site: str, tables: dict[str, PlayedValda]) -> None:
    with visitor(browser, site, color_scheme="dark") as page:
        for kind in ("defend", "over"):
            page.goto(tables[kind].path)
            assert axe(page) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_screen(
    browser: Browser, site: str, tables: dict[str, PlayedValda], size: str, language: str
) -> None:
    width, height = SIZES[size]
    with visitor(browser, site, viewport={"width": width, "height": height}, locale=language) as page:
        for kind in ("actions", "building", "defend", "over"):
            tables[kind].sit(page, asked(tables[kind]), site)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for thing in page.locator("#room button:not(.handle):visible").all():
                box = thing.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 43.5, thing.inner_text()


def test_text_can_be_twice_as_large(browser: Browser, site: str, tables: dict[str, PlayedValda]) -> None:
    with visitor(browser, site, viewport={"width": 360, "height": 740}) as page:
        tables["actions"].sit(page, asked(tables["actions"]), site)
        page.evaluate("document.documentElement.style.fontSize = '225%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_is_not_possible_can_be_asked(browser: Browser, site: str, tables: dict[str, PlayedValda]) -> None:
    table = tables["roll"]
    with visitor(browser, site) as page:
        table.sit(page, table.state.turn.seat, site)
        page.locator("#hand button[form=why]").first.click()
        expect(page.locator("#problem")).to_contain_text(".")
        expect(page.locator("#problem").get_by_role("link")).to_have_attribute("href", "/rules/valda#DT-5")


def test_every_god_says_what_it_gives_before_one_builds(
    browser: Browser, site: str, tables: dict[str, PlayedValda]
) -> None:
    table, say = tables["building"], phrasebook("en").say
    seat = asked(table)
    with visitor(browser, site) as page:
        table.sit(page, seat, site)
        abilities = VALDA.view(table.state, seat).players[seat].abilities
        for god in VALDA.scene.gods:
            page.locator(f".domain.{god} .info").click()
            gifts = page.locator(f"#gift-{god}")
            for level in (1, 2):
                expect(gifts).to_contain_text(say(f"valda.ability.{god}.{level}"))
            expect(gifts.locator(".has")).to_have_count(len(abilities.get(god, ())))
            page.keyboard.press("Escape")
        offers = [move for move in VALDA.legal(table.state, seat) if isinstance(move, Build)]
        expect(page.locator(".doing button[form=act]")).to_have_count(len(offers))
        expect(page.locator(".doing button[form=why]")).to_have_count(len(VALDA.scene.buildings) - len(offers))


def test_an_attack_adds_up_before_all(browser: Browser, site: str, tables: dict[str, PlayedValda]) -> None:
    table = tables["defend"]
    view = VALDA.view(table.state, -1)
    assert view.attack is not None
    with visitor(browser, site) as page:
        page.goto(table.path)
        expect(page.locator(".sum-power")).to_have_text(str(view.attack.power))
        expect(page.locator(".sum-defence")).to_have_text(str(view.attack.defence))
        word = "holds" if view.attack.defence >= view.attack.power else "breaks"
        expect(page.locator(".versus")).to_have_text(phrasebook("en").say(f"valda.table.{word}"))
        expect(page.locator("#attack .order .now")).to_contain_text("ABCDE"[view.attack.attacker])


def test_a_card_that_only_one_player_knows_is_shown_to_nobody_else(
    browser: Browser, site: str, tables: dict[str, PlayedValda]
) -> None:
    """The two cards that a temple shows."""
    table = tables["keep"]
    seat = table.state.turn.seat
    with visitor(browser, site) as builder, visitor(browser, site) as other:
        table.sit(builder, seat, site)
        table.sit(other, (seat + 1) % 4, site)
        expect(builder.locator("#task .face")).to_have_count(2)
        expect(other.locator("#task")).to_be_visible()
        expect(other.locator("#task .face")).to_have_count(0)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dice_roll_unless_somebody_wants_it_calm(browser: Browser, site: str, http: httpx2.Client, motion: str) -> None:
    table = PlayedValda.until(http, 3, "dice", lambda state: not state.turn.rolled)
    with visitor(browser, site, reduced_motion=motion) as watcher:
        watcher.goto(table.path)
        expect(watcher.locator("#presence .watching")).to_be_visible()
        watcher.evaluate(
            "window.rolled = 0; const animate = Element.prototype.animate; Element.prototype.animate = "
            "function (...how) { if (this.matches('.die')) rolled += 1; return animate.apply(this, how); }; 0"
        )
        assert table.next()[1] == ROLL
        table.step()
        expect(watcher.locator(".die")).to_have_count(2)
        watcher.wait_for_timeout(300)
        assert watcher.evaluate("rolled") == (2 if motion == "no-preference" else 0)


def test_many_turns_from_the_keyboard_alone(browser: Browser, site: str, http: httpx2.Client) -> None:
    """Tab and Enter are all that is used, so whatever comes can be reached."""
    table = PlayedValda.until(http, seats=3, seed="keys", stop=lambda _: True)
    with visitor(browser, site) as page:
        table.sit_everywhere(page, site)
        for _ in range(150):
            expect(page.locator(f"#targets[data-seq='{table.seq}']")).to_be_attached()
            seat, move = table.next()
            table.hold(page, seat)
            target = button(page, move)
            in_place = target.and_(page.locator("#room button:not(.moves button)"))
            assert move == PASS or in_place.count()  # the list of all moves is only a help
            press(page, (in_place if in_place.count() else target).first)
            table.follow(move, seat)
        assert axe(page) == []
