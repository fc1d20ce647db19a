"""The bundled nets on solved positions: the frequency of winning moves, and the error of the value.

    python -m benchmarks.solved [GAME ...] [--positions 500] [--simulations 200] [--folder build/solved]
      [--plot FILE] [--output FILE]

Positions are from the second half of games that level 2 plays with one random move in three. The solver computes the winner.
In positions that the seat to move wins, the net's move is correct if that seat still wins after it. The floor on the same
positions is a random move. After an interruption, the same command resumes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results
from ropewalk.bots.bot import Limit
from ropewalk.bots.tree_bots import make_net_bot
from ropewalk.nets.config import file_sha256
from ropewalk.nets.onnx_evaluator import resolve_net_path
from ropewalk.proofs.dfpn_solver import DfpnSolver

BOARDS = {
    "lariat": "lariat-1x6",
    "cube-lariat": "cube-lariat-2-nopie",
    "tether": "tether-5",
    "laocoon": "laocoon-weave",
    "liger": "liger-6x1",
}
MEMORY = 512 << 20
PATIENCE = 300_000  # positions that the solver may look at for one answer
RANDOM_MOVE = 1 / 3
BINS = 10


def sampled(game: ropewalk.Game, seed: int) -> ropewalk.Position:
    """Return a position from the second half of a game."""
    chance = random.Random(f"{game.spec} {seed}")
    player = ropewalk.bot(game, 2)
    player.new_game(seed)
    line = [game.start()]
    while line[-1].seat is not None:
        here = line[-1]
        move = chance.choice(here.moves()) if chance.random() < RANDOM_MOVE else player.choose(here)
        line.append(here.play(move))
    player.close()
    return chance.choice(line[len(line) // 2 : -1])


class Judge:
    """The solver, and the net that is measured."""

    def __init__(self, game: ropewalk.Game, simulations: int) -> None:
        self.game = game
        self.limit = Limit(visits=simulations)
        self.solver = DfpnSolver(game, MEMORY)
        self.net = make_net_bot(game)

    def wins(self, position: ropewalk.Position, seat: int) -> bool | None:
        """Return whether a seat wins; None if the solver exceeds its limit, or if neither seat can force a win."""
        if position.seat is None:
            return position.result == seat
        return self.solver.solve(position.row, seat, max_nodes=PATIENCE)

    def examined(self, seed: int) -> dict[str, Any] | None:
        """Examine one position if its winner is known: the net's value, and whether its move and a random one keep a win."""
        position = sampled(self.game, seed)
        seat = position.seat
        assert seat is not None
        mine = self.wins(position, seat)
        if mine is None or (not mine and not self.wins(position, 1 - seat)):
            return None
        *_, report = self.net.analyse(position, self.limit)
        found: dict[str, Any] = {"seed": seed, "wins": mine, "value": round(report.value, 4)}
        if mine:
            chosen = self.net.decide(position, report)
            any_move = random.Random(seed).choice(position.moves())
            found |= {name: self.wins(position.play(move), seat) for name, move in (("net", chosen), ("random", any_move))}
        return None if None in found.values() else found


def examine(spec: str, wanted: int, simulations: int, path: Path) -> list[dict[str, Any]]:
    """Examine the given number of won positions, and the lost ones between them; results are saved as they arrive."""
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    judge = Judge(ropewalk.game(spec), simulations)
    seed = found[-1]["seed"] + 1 if found else 0
    with path.open("a") as file:
        while sum(one["wins"] for one in found) < wanted:
            one = judge.examined(seed)
            seed += 1
            if one is not None:
                found.append(one)
                file.write(json.dumps(one) + "\n")
                file.flush()
    return found


def share(found: list[dict[str, Any]], name: str) -> tuple[float, float]:
    """Return the share of won positions that stay won, and its 95 % error, in percent."""
    kept = [one[name] for one in found if one["wins"]]
    mean = sum(kept) / len(kept)
    return 100 * mean, 196 * math.sqrt(mean * (1 - mean) / len(kept))


def errors(found: list[dict[str, Any]]) -> list[float]:
    """Return the absolute error of the net's value, 0 to 1, of each position."""
    return [abs(one["value"] - float(one["wins"])) for one in found]


def histogram(all_found: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Return a chart: for each board a row of bars, the number of positions by error."""
    height = 90 * len(all_found) + 40
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="sans-serif" font-size="13">'
    yield '<rect width="100%" height="100%" fill="white"/>'
    for row, (spec, found) in enumerate(all_found.items()):
        bottom = 90 * row + 80
        yield f'<text x="10" y="{bottom - 20}">{spec}</text>'
        for number in range(BINS):
            inside = sum(min(int(BINS * error), BINS - 1) == number for error in errors(found)) / len(found)
            high = 70 * inside
            place = f'x="{190 + 42 * number}" y="{bottom - high:.1f}"'
            yield f'<rect {place} width="38" height="{high:.1f}" fill="#0969da"/>'
        yield f'<line x1="188" x2="612" y1="{bottom}" y2="{bottom}" stroke="#8c959f"/>'
    foot = 90 * len(all_found) + 20
    yield f'<text x="190" y="{foot}">right</text><text x="612" y="{foot}" text-anchor="end">wrong</text>'
    yield f'<text x="400" y="{foot}" text-anchor="middle">error of the value</text></svg>'


def summarise(found: list[dict[str, Any]], net: str) -> dict[str, Any]:
    """Return the figures of a board: shares in percent, the mean error of the value of 0 to 1."""
    kept, at_random = share(found, "net"), share(found, "random")
    return {
        "net": net,
        "won": sum(one["wins"] for one in found),
        "kept": kept[0],
        "kept_error": kept[1],
        "random": at_random[0],
        "random_error": at_random[1],
        "mean_value_error": sum(errors(found)) / len(found),
    }


def format_summary(spec: str, figures: dict[str, Any]) -> str:
    """Return the printed line of a board."""
    kept = f"{figures['kept']:5.1f} % +- {figures['kept_error']:.1f}"
    at_random = f"{figures['random']:5.1f} % +- {figures['random_error']:.1f}"
    return f"{spec:22}{figures['won']:6}{kept:>20}{at_random:>20}{figures['mean_value_error']:22.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", metavar="GAME", nargs="*", default=list(BOARDS), help=f"of {', '.join(BOARDS)}")
    parser.add_argument("--positions", type=int, default=500, help="won ones of each game (500)")
    parser.add_argument("--simulations", type=int, default=200, help="of the net for a move (200)")
    parser.add_argument("--folder", type=Path, default=Path("build/solved"), help="where positions are kept (build/solved)")
    parser.add_argument("--plot", type=Path, help="draw the errors of the values here, as SVG")
    add_output_option(parser)
    arguments = parser.parse_args()
    measured, boards = describe_machine(), {}
    unknown = [game for game in arguments.games if game not in BOARDS]
    if unknown:
        parser.error(f"no board is known for {unknown[0]!r}: games are {', '.join(BOARDS)}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    all_found = {}
    print(f"{'board':22}{'won':>6}{'the net keeps':>20}{'at random':>20}{'mean error of value':>22}", flush=True)
    for game in arguments.games:
        spec = BOARDS[game]
        net = file_sha256(resolve_net_path(ropewalk.game(spec)))[:8]
        path = arguments.folder / f"{spec}-{arguments.simulations}-{net}.jsonl"
        found = all_found[spec] = examine(spec, arguments.positions, arguments.simulations, path)
        boards[spec] = summarise(found, net)
        print(format_summary(spec, boards[spec]), flush=True)
    write_results(arguments.output, measured, {"simulations": arguments.simulations, "boards": boards})
    if arguments.plot is not None:
        arguments.plot.write_text("\n".join(histogram(all_found)) + "\n")


if __name__ == "__main__":
    main()
