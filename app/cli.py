"""The command `valtavola`: serve · verify-games · simulate · tournament · replay."""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from app.engine import registry
from app.engine.contract import EVERYONE, SPECTATOR, BadGameData, Game
from app.engine.registry import UnknownGame
from app.engine.table import Record
from app.i18n import LANGUAGES, phrasebook
from app.replaying import Replay, read_record
from app.simulation import Failure, Report, simulate
from app.tournament import BadBots, Result, hold, seatings, whole_deals


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        result: int = options.run(options)
    except (BadBots, BadGameData, UnknownGame) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        sys.stderr.close()
        return 0
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="valtavola", description="A table for board games in the browser.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="migrate the database and start the server")
    serve.add_argument("--host", help="address to listen on")
    serve.add_argument("--port", type=_port, help="port to listen on")
    serve.add_argument("--workers", type=_positive, help="processes; more than one need Postgres")
    serve.set_defaults(run=_serve)

    check = commands.add_parser("verify-games", help="replay every stored game and compare it with the stored table")
    check.add_argument("--all", action="store_true", help="finished games too, not only those that go on")
    check.add_argument("--frozen", action="store_true", help="frozen games too: those that were mended go on")
    check.add_argument("--dry-run", action="store_true", help="only tell: freeze nothing, let nothing go on")
    check.set_defaults(run=_verify_games)

    sim = commands.add_parser("simulate", help="let random players play, for speed, statistics and checks")
    sim.add_argument("game")
    sim.add_argument("--players", type=_positive, help="seats at the table (default: the least the game allows)")
    sim.add_argument("--games", type=_positive, default=100)
    sim.add_argument("--seed", type=int, default=1, help="the first game's seed; the next game has the next number")
    sim.add_argument("--check", action="store_true", help="run the conformance checks after every move")
    sim.add_argument("--jobs", type=_positive, default=1, help="processes that play at the same time")
    sim.add_argument("--json", action="store_true", help="print the report as JSON")
    sim.add_argument("--save", type=Path, metavar="DIR", help="store every game in this folder, for `replay`")
    sim.set_defaults(run=_simulate)

    tour = commands.add_parser("tournament", help="let bots play each other, and tell who wins how often")
    tour.add_argument("game")
    tour.add_argument("--bots", required=True, help="levels with commas between them; they take the seats in turn")
    tour.add_argument("--players", type=_positive, help="seats at the table (default: one for each bot)")
    tour.add_argument(
        "--games", type=_positive, default=100, help="rounded up to whole deals: each is played in every seating"
    )
    tour.add_argument("--seconds", type=_seconds, default=1.0, help="for a move, at most (default: 1)")
    tour.add_argument("--seed", default="1", help="the deals are drawn from it")
    tour.add_argument("--jobs", type=_positive, default=1, help="processes that play at the same time")
    tour.add_argument("--json", action="store_true", help="print the result as JSON")
    tour.set_defaults(run=_tournament)

    rep = commands.add_parser("replay", help="step through a stored game in text")
    rep.add_argument("file", type=Path)
    rep.add_argument("--lang", choices=LANGUAGES, default="en")
    rep.add_argument(
        "--viewer", default="everyone", help="a seat's number from 1, `spectator`, or `everyone` (the default)"
    )
    rep.set_defaults(run=_replay)
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a number from 0 to 65535")
    return int(text)


def _serve(options: argparse.Namespace) -> int:
    from app.serving import serve  # the web is loaded only for those who serve

    return serve(options.host, options.port, options.workers)


def _verify_games(options: argparse.Namespace) -> int:
    from app.config import BadSettings, read_settings
    from app.database import Database, NoDatabase, connect, migrate
    from app.rooms.service import Rooms
    from app.rooms.snapshot import Status
    from app.rooms.verify import verify
    from app.serving import tell_verdict, verify_progress

    try:
        engine = connect(read_settings().database)
        migrate(engine)
    except (BadSettings, NoDatabase) as error:
        print(error, file=sys.stderr)
        return 2
    rooms = Rooms(Database(engine))
    statuses: list[Status] = ["playing"]
    statuses += ["ended"] if options.all else []
    statuses += ["frozen"] if options.frozen else []
    verdict = verify(rooms, statuses, verify_progress, change=not options.dry_run)
    rooms.database.close()
    tell_verdict(verdict)
    print(f"{verdict.checked} games were replayed; {len(verdict.faults)} did not lead to the stored table.")
    return 1 if verdict.faults else 0


def _simulate(options: argparse.Namespace) -> int:
    game = registry.find(options.game)
    players = options.players or game.card.seats[0]
    if players not in game.card.seats:
        raise BadGameData(f"{game.name} is for {game.card.seats[0]} to {game.card.seats[-1]} players, not {players}.")
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
    progress = _progress(options.games)

    def finished(record: Record) -> None:
        if options.save:
            _store(record, options.save)
        progress()

    try:
        report = simulate(game, players, options.games, options.seed, options.check, finished, options.jobs)
    except Failure as failure:
        return _tell_failure(failure, options.save or Path(), game, players)
    print(msgspec.json.format(msgspec.json.encode(report)).decode() if options.json else _table(report))
    return 0


def _tournament(options: argparse.Namespace) -> int:
    game = registry.find(options.game)
    seats = seatings(options.bots.split(","), options.players, game)
    progress = _progress(len(seats) * whole_deals(options.games, len(seats)))
    result = hold(game, seats, options.games, options.seed, options.seconds, progress, options.jobs)
    print(msgspec.json.format(msgspec.json.encode(result)).decode() if options.json else _standings(result))
    return 0


def _standings(result: Result) -> str:
    lines = [
        f"{standing.bot:<8}{standing.seats:>2} of {len(result.seats)} seats"
        f"{standing.share:>9.1%} ({standing.low:.1%} to {standing.high:.1%}){standing.even:>9.1%}"
        f"{standing.points:>9.1f}{standing.seconds_a_move:>9.3f} s{standing.longest_move:>9.2f} s   {standing.verdict}"
        for standing in result.standings
    ]
    return (
        f"{result.game}: {result.games} games of {', '.join(result.seats)}: {result.deals} deals, "
        f"every seating of each, seed {result.seed}; {result.moves_a_game:.0f} moves a game, {result.seconds:.0f} s\n"
        f"{'':<18}{'victories (95 %)':>25}{'even':>10}{'points':>9}{'a move':>11}{'longest':>11}\n" + "\n".join(lines)
    )


def _progress(total: int) -> Callable[[], None]:
    """A bar on a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        return lambda: None
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        width = 40 * done // total
        print(f"\r[{'#' * width}{'.' * (40 - width)}] {done}/{total} games", end="", file=sys.stderr, flush=True)
        if done == total:
            print(file=sys.stderr)

    return step


def _store(record: Record, folder: Path, mark: str = "") -> Path:
    path = folder / f"{mark}{record.game}-{record.seats}-players-seed-{record.seed}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
    return path


def _tell_failure(failure: Failure, folder: Path, game: Game[Any, Any, Any], players: int) -> int:
    path = _store(failure.record, folder, "failed-")
    again = f"valtavola simulate {game.name} --players {players} --games 1 --seed {failure.seed} --check"
    print(f"Game {failure.seed}, step {len(failure.record.log)}: {failure}", file=sys.stderr)
    print(f"Play it again:   {again}", file=sys.stderr)
    print(f"Step through it: valtavola replay {shlex.quote(str(path))}", file=sys.stderr)
    return 1


def _table(report: Report) -> str:
    words = phrasebook("en")
    seats = "  ".join(f"{seat}: {score:.1f}" for seat, score in enumerate(report.score_by_seat, start=1))
    wins = "  ".join(f"{seat}: {won:.1%}" for seat, won in enumerate(report.wins_by_seat, start=1))
    sources = "\n".join(f"  {words.say(key):<22}{value:>8.2f}" for key, value in report.points_by_source.items())
    ends = "\n".join(f"  {count:>6}  {words.say(key)}" for key, count in report.ends.items())
    checked = ", every move checked" if report.checked else ""
    return (
        f"{report.game}: {report.games} games of {report.players} random players from seed {report.seed}{checked}\n"
        f"speed        {report.games_per_second:.1f} games/s, {report.moves_per_second:,.0f} moves/s\n"
        f"length       {report.turns_per_game:.1f} turns, {report.moves_per_game:.1f} moves a game\n"
        f"mean score   seat {seats}\n"
        f"wins         seat {wins}\n"
        f"mean points of a player by source\n{sources}\n"
        f"how the games ended\n{ends}"
    )


def _viewer(text: str) -> int:
    viewers = {"everyone": EVERYONE, "spectator": SPECTATOR}
    if text in viewers:
        return viewers[text]
    if text.isdigit() and int(text):
        return int(text) - 1
    raise BadGameData(f"{text!r} is not a viewer: a seat's number from 1, `spectator`, or `everyone`.")


def _replay(options: argparse.Namespace) -> int:
    replay = Replay(read_record(options.file), phrasebook(options.lang), _viewer(options.viewer))
    if sys.stdin.isatty() and sys.stdout.isatty():
        _step_through(replay)
    else:
        print(replay.text(), end="")
    return 0


def _step_through(replay: Replay) -> None:
    """Enter goes on, b goes back, a number goes there, n goes to the next turn, q leaves."""
    last = len(replay.moments) - 1
    here = 0
    while True:
        moment = replay.moments[here]
        print("\x1b[2J\x1b[H" + replay.table(moment))
        print("\n" + "\n".join(moment.lines))
        if here == last:
            print(replay.score())
        try:
            answer = input(f"\nstep {here}/{last} · Enter next · n next turn · b back · number · q quit > ").strip()
        except EOFError:
            return
        if answer == "q":
            return
        if answer == "b":
            here = max(0, here - 1)
        elif answer == "n":
            here = next((m.number for m in replay.moments[here + 1 :] if m.new_turn), last)
        elif answer.isdigit():
            here = min(int(answer), last)
        elif not answer:
            here = min(here + 1, last)


if __name__ == "__main__":
    sys.exit(main())
