"""The table of Valdora in Chromium: what one sees, touches and hears of it."""

from collections.abc import Iterator
from functools import partial

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from app.games.valdora.moves import Go, Load
from app.games.valdora.state import State
from app.i18n import LANGUAGES, phrasebook
from tests.e2e.rooms import NAMES, Played, button, press
from tests.e2e.visitors import axe, visitor
from tests.games.valdora.sensible import choose
from tests.games.valdora.tabletop import GAME

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1280, 800), "wide": (2560, 1300)}
KINDS = ("move", "equipment", "commissions", "road", "house", "mine", "harbour_city", "over")


@pytest.fixture(scope="module")
def tables(http: httpx2.Client) -> dict[str, Played]:
    """A room in each state that a table can be in: somebody is to move, to act at each kind of space, or nobody is."""
    return {kind: Played.until(http, seats=4, seed="q", stop=partial(is_kind, kind)) for kind in KINDS}


def is_kind(kind: str, state: State) -> bool:
    if kind in ("move", "over"):
        return state.turn.phase == kind and (kind == "over" or state.round > 4)
    here = GAME.box.kinds[state.players[state.turn.seat].at]
    return state.turn.phase == "act" and here == kind and state.round > 4


@pytest.fixture
def me(browser: Browser, site: str, tables: dict[str, Played]) -> Iterator[Page]:
    """Whose turn it is to move."""
    with visitor(browser, site) as page:
        tables["move"].sit(page, tables["move"].state.turn.seat, site)
        yield page


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "scheme", "language"), [("desktop", "light", "en"), ("phone", "dark", "ru")])
def test_axe_finds_nothing_in_any_state(
    browser: Browser, site: str, tables: dict[str, Played], kind: str, size: str, scheme: str, language: str
) -> None:
    width, height = SIZES[size]
    table = tables[kind]
    with visitor(
        browser, site, viewport={"width": width, "height": height}, color_scheme=scheme, locale=language
    ) as page:
        table.sit(page, table.state.turn.seat, site)
        page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        assert axe(page) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_screen(
    browser: Browser, site: str, tables: dict[str, Played], size: str, language: str
) -> None:
    width, height = SIZES[size]
    with visitor(browser, site, viewport={"width": width, "height": height}, locale=language) as page:
        for kind in ("move", "equipment", "over"):
            tables[kind].sit(page, tables[kind].state.turn.seat, site)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for thing in page.locator("#targets button:not(.no):visible, #prompt button:visible").all():
                box = thing.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 43.5


def test_text_can_be_twice_as_large(browser: Browser, site: str, tables: dict[str, Played]) -> None:
    with visitor(browser, site, viewport={"width": 360, "height": 740}) as page:
        tables["move"].sit(page, 0, site)
        page.evaluate("document.documentElement.style.fontSize = '225%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_is_not_possible_can_be_asked(me: Page, tables: dict[str, Played]) -> None:
    here = GAME.box.spaces[tables["move"].state.players[tables["move"].state.turn.seat].at]
    refused = me.locator(f"#targets .no.s-{here}")
    refused.click()
    problem = me.locator("#problem")
    expect(problem).to_contain_text(phrasebook("en").say("valdora.refuse.same_space"))
    expect(problem.get_by_role("link")).to_have_attribute("href", "/rules/valdora#VT-4")


def test_a_step_is_shown_to_all_and_can_be_taken_back(browser: Browser, site: str, http: httpx2.Client) -> None:
    table = Played.until(http, seats=3, seed="undo", stop=lambda state: state.turn.phase == "move")
    seat = table.state.turn.seat
    with visitor(browser, site) as mover, visitor(browser, site, locale="it") as watcher:
        table.sit(mover, seat, site)
        watcher.goto(table.path)
        move = GAME.legal(table.state, seat)[0]
        assert isinstance(move, Go)
        assert mover.title().startswith("●")
        button(mover, move).first.click()
        expect(watcher.locator(f"#pawn-{seat}")).to_have_class(f"pawn p{seat} k0 at s-{move.to} acting")
        expect(watcher.locator("#log li").first).to_contain_text(phrasebook("it").say(f"valdora.space.{move.to}"))
        mover.locator("button[form=undo]").click()
        expect(watcher.locator("#log li").first).to_contain_text(
            phrasebook("it").say("seat.takes_back", {"seat": 0})[-12:]
        )
        expect(mover.locator("#targets .target:not(.no)")).to_have_count(len(GAME.legal(table.state, seat)))
        expect(mover.locator("button[form=undo]")).to_have_count(0)


def taken_back(name: str) -> str:
    return phrasebook("it").say("seat.takes_back", {"seat": 0}, [name])


def test_the_others_moves_are_told_since_ones_own_last_turn(
    browser: Browser, site: str, tables: dict[str, Played]
) -> None:
    table = tables["move"]
    with visitor(browser, site) as page:
        table.sit(page, table.state.turn.seat, site)
        recap = page.locator("#recap li")
        assert recap.count() >= 3
        own = NAMES[table.state.turn.seat]
        assert not any(line.startswith(own) for line in recap.all_inner_texts())


def test_a_line_of_the_log_leads_to_its_place(me: Page) -> None:
    line = me.locator("#log a").first
    place = line.get_attribute("href")
    assert place
    line.click()
    expect(me.locator(place)).to_have_count(1)
    assert me.evaluate("location.hash") == place


def test_after_a_break_the_table_catches_up_and_says_so(browser: Browser, site: str, http: httpx2.Client) -> None:
    table = Played.until(http, seats=3, seed="break", stop=lambda state: state.turn.phase == "move")
    say = phrasebook("en").say
    with visitor(browser, site) as watcher:
        watcher.goto(table.path)
        expect(watcher.locator("#presence")).to_contain_text(say("room.watchers", {"count": 1}))
        watcher.evaluate("document.getElementById('live')._htmx.ws.connection.socket.close()")
        expect(watcher.locator("#connection")).to_have_text(say("room.lost"))
        seat, move = table.state.turn.seat, choose(table.state)
        assert isinstance(move, Go)
        table.step()
        expect(watcher.locator("#connection")).to_have_text(say("room.back"))
        expect(watcher.locator(f"#pawn-{seat}.s-{move.to}")).to_have_count(1)


def test_a_whole_game_from_the_keyboard_alone(browser: Browser, site: str, http: httpx2.Client) -> None:
    """Tab and Enter are all that is used; the whole game, so that every kind of step is met."""
    table = Played.until(http, seats=3, seed="keys", stop=lambda _: True)
    with visitor(browser, site) as page:
        table.sit_everywhere(page, site)
        while table.state.turn.phase != "over":
            expect(page.locator(f"#targets[data-seq='{table.seq}']")).to_be_attached()
            table.hold(page, table.state.turn.seat)
            move = choose(table.state)
            target = button(page, move).and_(
                page.locator("#targets button, .mat button, #prompt button, .moves button")
            )
            press(page, target.first)
            table.follow(move)
        expect(page.locator("#score")).to_be_visible()
        assert axe(page) == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_moves_is_seen_to_move_unless_somebody_wants_it_calm(
    browser: Browser, site: str, http: httpx2.Client, motion: str
) -> None:
    table = Played.until(http, seats=3, seed="motion", stop=lambda state: isinstance(choose(state), Load))
    with visitor(browser, site, reduced_motion=motion) as watcher:
        watcher.goto(table.path)
        expect(watcher.locator("#presence .watching")).to_be_visible()
        watcher.evaluate(
            "window.flown = []; new MutationObserver(news => news.forEach(one => one.addedNodes.forEach("
            "node => flown.push(node.className)))).observe(document.body, {childList: true})"
        )
        move = choose(table.state)
        assert isinstance(move, Load)
        table.step()
        expect(watcher.locator(f"#motion[data-seq='{table.seq}']")).to_be_attached()
        expected = [f"flying gem {move.gem}"] if motion == "no-preference" else []
        watcher.wait_for_timeout(300)
        assert [name for name in watcher.evaluate("flown") if name] == expected
        moved = watcher.evaluate("getComputedStyle(document.querySelector('.pawn')).transitionDuration")
        assert (moved == "0s") == (motion == "reduce")


def test_a_tap_on_the_whole_board_leads_closer(browser: Browser, site: str, tables: dict[str, Played]) -> None:
    with visitor(browser, site, viewport={"width": 360, "height": 740}, has_touch=True) as page:
        tables["move"].sit(page, tables["move"].state.turn.seat, site)
        frame = page.locator(".board-frame")
        assert frame.evaluate("frame => frame.scrollWidth > frame.clientWidth")
        page.get_by_role("button", name=phrasebook("en").say("valdora.table.whole_board")).tap()
        assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")
        frame.tap(position={"x": 320, "y": 20})
        assert frame.evaluate("frame => frame.scrollLeft > frame.scrollWidth / 3")
        expect(page.locator("#act [name=decision]")).to_have_value(str(tables["move"].seq))  # it only led closer


def test_a_wish_for_sound_is_remembered(me: Page) -> None:
    wish = me.get_by_label(phrasebook("en").say("room.wish.sound"))
    wish.check()
    me.reload()
    expect(wish).to_be_checked()


def test_the_end_shows_the_sheet_and_how_the_points_grew(
    browser: Browser, site: str, tables: dict[str, Played]
) -> None:
    table = tables["over"]
    with visitor(browser, site) as page:
        page.goto(table.path)
        shown = [int(cell) for cell in page.locator("#score tbody td.sum").all_inner_texts()]
        assert shown == list(GAME.score_sheet(table.state).totals)
        plot = page.locator("#score .plot")
        expect(plot).to_be_visible()
        page.wait_for_function("document.querySelector('.plot').naturalWidth > 0")
        assert page.request.get(f"{table.path}/plot.svg").text().count('<path class="p') == 4
