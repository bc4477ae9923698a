"""Tournaments: fair seats, and shares that say how sure they are."""

import msgspec
import pytest

from app.cli import main
from app.engine import registry
from app.tournament import BadBots, Result, play_match, seatings

THREE = registry.find("valdora")
TWO = registry.find("valda")


def test_each_bot_sits_in_each_place_of_a_deal() -> None:
    assert seatings(["easy", "normal"], None, TWO) == [("easy", "normal"), ("normal", "easy")]
    assert seatings(["easy", "normal"], 3, TWO) == [
        ("easy", "normal", "easy"),
        ("normal", "easy", "easy"),
        ("easy", "easy", "normal"),
    ]


def test_a_seating_that_would_be_the_same_again_is_played_once() -> None:
    assert len(seatings(["easy", "normal"], 4, TWO)) == 2


def test_a_table_has_at_least_the_seats_of_the_game() -> None:
    assert len(seatings(["easy", "normal"], None, THREE)[0]) == 3


@pytest.mark.parametrize(("bots", "players"), [(["clever"], None), (["easy"], 9), (["easy"] * 3, 2)])
def test_bots_that_cannot_sit_there_are_refused_in_a_sentence(bots: list[str], players: int | None) -> None:
    with pytest.raises(BadBots, match=r"\.$"):
        seatings(bots, players, TWO)


def test_a_match_can_be_played_again() -> None:
    first, second = (play_match("valda", 60, ("again", ("easy", "normal"))) for _ in range(2))
    assert (first.moves, first.points) == (second.moves, second.points)


def test_the_command_tells_shares_against_what_is_even(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tournament", "valda", "--bots", "easy,normal", "--players", "3", "--games", "2", "--json"]
    assert main([*command]) == 0
    result = msgspec.json.decode(capsys.readouterr().out, type=Result)
    assert result.games == 3
    easy, normal = result.standings
    assert (easy.seats, normal.seats) == (2, 1)
    assert (easy.even, normal.even) == (0.6667, 0.3333)
    assert easy.share + normal.share == pytest.approx(1, abs=0.001)
    assert all(standing.low <= standing.share <= standing.high for standing in result.standings)
    assert all(standing.decisions > 0 for standing in result.standings)


def test_the_command_prints_a_line_for_each_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "valda", "--bots", "easy,normal", "--games", "2", "--seconds", "0.5"]) == 0
    out = capsys.readouterr().out
    assert "2 games of easy, normal: 1 deals, every seating of each" in out
    assert "1 of 2 seats" in out


@pytest.mark.parametrize("arguments", [["--bots", "clever"], ["--bots", "easy", "--players", "9"]])
def test_a_wrong_tournament_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "valda", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1
