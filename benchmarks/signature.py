"""Search signature: hashes of what every search, solver and generator computes for fixed seeds on one thread.

    python benchmarks/signature.py [--only PREFIX] [--details] [--json FILE]

Prints one line per part and the overall hash last. A refactoring must not change any hash: compare a commit with its
parent on the same machine. A part may change between CPU types and numba versions, because libm and SIMD code differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

import ropewalk
from ropewalk import Batch, Game, Position
from ropewalk.arena.schedule import derive_game_seed
from ropewalk.games.carrier_rules import stone_masks
from ropewalk.games.definition import GuidanceParams, MctsParams
from ropewalk.games.laocoon.layouts import random_layout
from ropewalk.jit.prng import make_rng, next_u32, rand_below, splitmix64, zobrist_keys
from ropewalk.proofs.carrier.solver import CarrierSolver, colour_to_move, solve_carrier
from ropewalk.proofs.dfpn_solver import DfpnSolver
from ropewalk.proofs.retrograde import RetrogradeSolver
from ropewalk.proofs.solver import SolverLimits
from ropewalk.rules.interface import ONGOING, legal_moves, random_move
from ropewalk.search.alpha_beta_search import AlphaBetaSearch, ScoredMove
from ropewalk.search.gumbel import GumbelParams
from ropewalk.search.gumbel_search import GumbelSearch
from ropewalk.search.mcts_search import GuidedMctsSearch, MctsSearch
from ropewalk.search.mcts_tree import node_bytes
from ropewalk.training.selfplay.batch import NO_LEAF_ROLLOUTS, RootSearchBatch, SelfPlayBatch, TreeBatch
from ropewalk.training.selfplay.kernels import LeafRolloutParams, SelfPlayParams

Details: TypeAlias = list[Any]  # JSON values; floats as their exact hexadecimal text
Part: TypeAlias = Callable[[], Details]

SEED = 1
PLAIN = MctsParams(exploration=0.7, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=0)
TUNED = {  # of the levels today, written out so that tuning a level does not change the signature; Liger's uses RAVE
    "lariat-2x10": MctsParams(
        exploration=0.05, first_play_urgency=0.5, rave_equivalence=300.0, expansion_threshold=10, heavy_rollout=1
    ),
    "cube-lariat-4": MctsParams(
        exploration=0.05, first_play_urgency=0.5, rave_equivalence=1000.0, expansion_threshold=10, heavy_rollout=1
    ),
    "tether-13": MctsParams(
        exploration=0.1, first_play_urgency=0.5, rave_equivalence=3000.0, expansion_threshold=10, heavy_rollout=1
    ),
    "laocoon-weave": MctsParams(
        exploration=0.4, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=16
    ),
    "liger-8": MctsParams(
        exploration=0.4, first_play_urgency=0.5, rave_equivalence=300.0, expansion_threshold=1, heavy_rollout=0
    ),
}
GUIDANCE = GuidanceParams(eval_threshold=10, prior_weight=0.5, exploration=0.05, value_weight=20)
UCT_VISITS, GUIDED_VISITS, GUMBEL_VISITS = 2000, 500, 300
REUSED_MOVES, REUSE_VISITS = 3, 600
PRUNED_NODES, PRUNE_VISITS, PRUNE_CHUNK = 4000, 3000, 100
GUMBEL_NODES = 2000
SELF_PLAY_SPECS = ("lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4")
SELF_PLAY = GumbelParams(
    num_simulations=16,
    max_num_considered_actions=8,
    value_scale=0.1,
    maxvisit_init=50.0,
    gumbel_scale=1.0,
    sequential_halving=1,
)
OPENINGS = SelfPlayParams(opening_moves=4, max_opening_value=0.5)
ROOT_SEARCH = GumbelParams(
    num_simulations=32,
    max_num_considered_actions=16,
    value_scale=0.1,
    maxvisit_init=50.0,
    gumbel_scale=0.0,
    sequential_halving=1,
)
SELF_PLAY_TREES, SELF_PLAY_GAMES, LONGEST_GAME = 8, 12, 80
ROLLOUTS = LeafRolloutParams(rollouts_per_leaf=2, heavy_rollout=1, rollout_weight=0.5)
ALPHA_BETA_NODES = 20_000
SOLVER_MEMORY = 1 << 22
DFPN_NODES = 300_000
ENDGAMES = Path(__file__).parents[1] / "tests" / "unit" / "proofs" / "laocoon-endgames.txt"
ENDGAME_LINES = (0, 7, 14, 21, 28, 35, 42)


class CrcEvaluator:
    """Stands in for a net: logits and value are a function of the CRC-32 of a position's planes, the same everywhere."""

    def __init__(self, game: Game) -> None:
        self.policy_size = game.encoding.policy_size

    def evaluate(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits from -2 to 2 by move id, and values from -1 to 1; all are multiples of 2**-14."""
        seeds = np.array([crc32(position.tobytes()) for position in planes], np.uint64)
        index = np.arange(self.policy_size + 1, dtype=np.uint64)
        bits = (seeds[:, np.newaxis] + index * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
        numbers = ((bits >> np.uint64(48)).astype(np.float32) - np.float32(32768)) / np.float32(32768)
        return 2 * numbers[:, :-1], numbers[:, -1].copy()


def exact(number: float) -> str:
    """A float as text without rounding."""
    return float(number).hex()


def checksum(array: NDArray[Any]) -> int:
    """CRC-32 of an array's shape, type and bytes."""
    return crc32(np.ascontiguousarray(array).tobytes(), crc32(f"{array.shape} {array.dtype.str}".encode()))


def play_random_moves(game: Game, count: int) -> Position:
    """The position after `count` moves chosen by the package's PRNG; the game must not end within them."""
    rng, position = make_rng(SEED, count), game.start()
    for _ in range(count):
        moves = generate_moves(position)
        position = position.play_id(moves[rand_below(rng, len(moves))])
    assert position.seat is not None
    return position


def generate_moves(position: Position) -> list[int]:
    """The legal moves in the order in which searches generate them."""
    moves = np.empty(position.game.max_legal_moves, np.int64)
    count = 0 if position.seat is None else legal_moves(position.game.rules, position.state, moves)
    return [int(move) for move in moves[:count]]


# Generators


def prng_part() -> Details:
    streams = [make_rng(seed, stream) for seed, stream in ((0, 0), (1, 0), (1, 3), (2**63 - 1, 1))]
    return [
        [[int(next_u32(rng)) for _ in range(16)] for rng in streams],
        [int(rand_below(streams[0], count)) for count in (2, 3, 10, 1000)],
        [splitmix64(number) for number in (0, 1, 2**63)],
        [derive_game_seed(7, (0, 1, 2, False)), derive_game_seed(7, (0, 1, 2, True))],
    ]


def zobrist_part() -> Details:
    return [zobrist_keys(seed, (2, 4)).tolist() for seed in range(1, 7)]


def layout_part() -> Details:
    return [random_layout(7), random_layout(123_456)]


def batch_part(spec: str) -> Details:
    game = ropewalk.game(spec)
    batch, rng, scratch = Batch(game, 64, threads=1), make_rng(SEED), np.empty(game.max_legal_moves, np.int16)
    found: Details = []
    finished = 0
    for _ in range(60):
        chosen = np.zeros(64, np.int16)
        for index in np.flatnonzero(batch.outcomes == ONGOING):
            chosen[index] = random_move(game.rules, game.state(batch.rows[index]), scratch, rng)
        batch.play(chosen)
        found.append([checksum(chosen), checksum(batch.outcomes), checksum(batch.seats), checksum(batch.counts)])
        finished += batch.restart()
    return [finished, *found]


# Monte Carlo tree search


def tree_details(search: MctsSearch) -> Details:
    """What the tree holds at its root: nodes, visits, and each move with its visits and value, by move id."""
    moves = [[one.move, one.visits, exact(one.value), exact(one.rave_value), one.proven] for one in search.root_moves()]
    best = search.root_moves()[0].move
    nodes = sum(int(thread.tree.num_nodes[0]) for thread in search.search_threads)
    return [nodes, search.visits, search.principal_variation(best), sorted(moves)]


def run_visits(search: MctsSearch, position: Position, visits: int) -> Details:
    search.set_root(position)
    kept = search.visits
    for _ in search.run(None, visits, Event()):
        pass
    return [kept, *tree_details(search)]


def run_several_moves(search: MctsSearch, position: Position, visits: int) -> Iterator[Details]:
    """Search, play the best move, and search again with the tree that is kept."""
    for _ in range(REUSED_MOVES + 1):
        yield run_visits(search, position, visits)
        position = position.play_id(search.root_moves()[0].move)
        if position.seat is None:
            return


def uct_part(spec: str, tuning: MctsParams) -> Details:
    game = ropewalk.game(spec)
    return run_visits(MctsSearch(game, tuning, seed=SEED), game.start(), UCT_VISITS)


def reuse_part(spec: str) -> Details:
    game = ropewalk.game(spec)
    return list(run_several_moves(MctsSearch(game, TUNED[spec], seed=SEED), play_random_moves(game, 4), REUSE_VISITS))


def prune_part(spec: str) -> Details:
    """Run fixed chunks: a tree is pruned between two chunks, and `run` chooses their sizes by the clock."""
    game = ropewalk.game(spec)
    search = MctsSearch(game, PLAIN._replace(expansion_threshold=1), seed=SEED, tree_bytes=PRUNED_NODES * 2 * node_bytes())
    search.set_root(play_random_moves(game, 6))
    nodes = []
    for _ in range(PRUNE_VISITS // PRUNE_CHUNK):
        search.run_chunk(PRUNE_CHUNK)
        nodes.append(int(search.search_threads[0].tree.num_nodes[0]))
    assert any(later < earlier for earlier, later in pairwise(nodes)), "nothing was pruned"
    return [nodes, *tree_details(search)]


def guided_part(spec: str) -> Details:
    game = ropewalk.game(spec)
    search = GuidedMctsSearch(game, TUNED[spec], GUIDANCE, CrcEvaluator(game), seed=SEED)
    return list(run_several_moves(search, play_random_moves(game, 2), GUIDED_VISITS))


# Gumbel search with a net


def gumbel_part(spec: str) -> Details:
    game = ropewalk.game(spec)
    search = GumbelSearch(game, CrcEvaluator(game), GUMBEL_NODES)
    position = play_random_moves(game, 2)
    found: Details = []
    for _ in range(3):
        search.set_root(position)
        kept = search.visits
        for _ in search.run(None, GUMBEL_VISITS, Event()):
            pass
        moves = search.root_moves()
        best = moves[0].move
        listed = sorted([one.move, one.visits, exact(one.value), exact(one.prior), one.proven != ONGOING] for one in moves)
        found.append([kept, search.visits, search.principal_variation(best), listed])
        position = position.play_id(best)
        if position.seat is None:
            break
    return found


def evaluate_leaves(batch: TreeBatch, evaluator: CrcEvaluator) -> None:
    batch.evaluations.logits[:], batch.evaluations.values[:] = evaluator.evaluate(batch.evaluations.planes)


def selfplay_part(spec: str, rollouts: LeafRolloutParams) -> Details:
    """Sample arrays of the first games that end, in the order in which they end."""
    game = ropewalk.game(spec)
    evaluator = CrcEvaluator(game)
    batch = SelfPlayBatch(game, SELF_PLAY_TREES, SELF_PLAY, OPENINGS, rollouts, max_moves=LONGEST_GAME, seed=SEED)
    found: Details = []
    games = batches = 0
    while games < SELF_PLAY_GAMES:
        batch.advance()
        evaluate_leaves(batch, evaluator)
        batches += 1
        games += len(batch.find_finished_trees())
        samples = batch.collect_samples()
        if samples is not None:
            arrays: list[NDArray[Any]] = [
                samples.planes,
                samples.moves,
                samples.policy_targets,
                samples.search_values,
                samples.outcomes,
                samples.ownership,
            ]
            found.append([games, batches, *map(checksum, arrays)])
    return found


def root_search_part(spec: str) -> Details:
    """Search four given positions at once by sequential halving without noise, as evaluation matches do."""
    game = ropewalk.game(spec)
    evaluator = CrcEvaluator(game)
    positions = [play_random_moves(game, count) for count in range(4)]
    trees = list(range(len(positions)))
    batch = RootSearchBatch(game, len(positions), ROOT_SEARCH)
    batch.set_roots(positions, trees)
    batches = 0
    while batch.advance():
        evaluate_leaves(batch, evaluator)
        batches += 1
    return [batches, [int(batch.trees.visits[tree, 0]) for tree in trees], [batch.best_move(tree) for tree in trees]]


# Alpha-beta and solvers


def alpha_beta_part(spec: str, moves: int, lines: int) -> Details:
    game = ropewalk.game(spec)
    search = AlphaBetaSearch(game)
    position = play_random_moves(game, moves)
    depths: Details = []
    best: list[ScoredMove] = []
    for best in search.run(position, None, ALPHA_BETA_NODES, Event(), lines):
        depths.append([[one.move, one.value] for one in best])
    found = [search.num_nodes, depths, search.principal_variation(position, best[0].move)]
    search.close()
    return found


def dfpn_details(position: Position, searcher: DfpnSolver) -> Details:
    """The answer and the nodes so far for both seats, by both ways of searching."""
    found: Details = []
    for stubborn in (False, True):
        for seat in (0, 1):
            searcher.clear()
            wins = searcher.solve(position.row, seat, max_nodes=DFPN_NODES, depth_first=stubborn)
            found.append([wins, searcher.nodes])
    return found


def dfpn_part(spec: str, moves: int) -> Details:
    game = ropewalk.game(spec)
    return dfpn_details(play_random_moves(game, moves), DfpnSolver(game, SOLVER_MEMORY))


def dfpn_endgame_part() -> Details:
    game = ropewalk.game("laocoon-weave")
    lines = ENDGAMES.read_text().splitlines()
    searcher = DfpnSolver(game, SOLVER_MEMORY)
    found: Details = []
    for number in ENDGAME_LINES:
        text, winner, _ = lines[number].split("\t")
        searcher.clear()
        wins = searcher.solve(game.position(text).row, int(winner), max_nodes=DFPN_NODES)
        found.append([number, wins, searcher.nodes])
    return found


def retrograde_part(spec: str) -> Details:
    """How many positions there are, and the value and distance of the start and of the positions after each move."""
    start = ropewalk.game(spec).start()
    chart = RetrogradeSolver(start, 1 << 28)
    assert chart.solve(lambda: True)
    after = [start.play_id(move) for move in generate_moves(start)]
    after += [position.play_id(move) for position in after for move in generate_moves(position)]
    size = len(chart)
    values = np.bincount(chart.tables.values[:size].astype(np.int64) + 1, minlength=4)
    distances = np.bincount(chart.tables.distances[:size][chart.tables.values[:size] < 2])
    return [size, values.tolist(), distances.tolist(), chart.probe(start), [chart.probe(position) for position in after]]


def carrier_part(spec: str, moves: int) -> Details:
    """Who wins after `moves` random moves, by what, and the nodes searched for it."""
    engine = CarrierSolver(ropewalk.game(spec), SolverLimits(memory_bytes=SOLVER_MEMORY), None)
    position = play_random_moves(ropewalk.game(spec), moves)
    winner = engine.solve(*stone_masks(position, engine.rules), colour_to_move(position))
    verdict = engine.root_win
    return [winner, engine.nodes, verdict.carrier, verdict.kind, verdict.cell]


def carrier_solution_part(spec: str) -> Details:
    solution = solve_carrier(ropewalk.game(spec).start(), None, SolverLimits(memory_bytes=SOLVER_MEMORY))
    return [solution.value, solution.nodes, solution.proof_size, dict(solution.moves)]


# All parts

SPECS = tuple(TUNED)


def all_parts() -> dict[str, Part]:
    parts: dict[str, Part] = {"prng": prng_part, "zobrist": zobrist_part, "random-layout": layout_part}
    for spec in SPECS:
        parts[f"batch {spec}"] = partial(batch_part, spec)
        parts[f"uct plain {spec}"] = partial(uct_part, spec, PLAIN)
        parts[f"uct tuned {spec}"] = partial(uct_part, spec, TUNED[spec])
        parts[f"uct reuse {spec}"] = partial(reuse_part, spec)
        parts[f"uct prune {spec}"] = partial(prune_part, spec)
        parts[f"guided {spec}"] = partial(guided_part, spec)
        parts[f"gumbel {spec}"] = partial(gumbel_part, spec)
        parts[f"root-search {spec}"] = partial(root_search_part, spec)
    for spec in SELF_PLAY_SPECS:
        parts[f"selfplay {spec}"] = partial(selfplay_part, spec, NO_LEAF_ROLLOUTS)
        parts[f"selfplay rollouts {spec}"] = partial(selfplay_part, spec, ROLLOUTS)
    parts |= {
        "alpha-beta liger-8": partial(alpha_beta_part, "liger-8", 0, 1),
        "alpha-beta liger-8 three lines": partial(alpha_beta_part, "liger-8", 12, 3),
        "alpha-beta liger-6": partial(alpha_beta_part, "liger-6", 4, 1),
        "df-pn tether-3": partial(dfpn_part, "tether-3", 0),
        "df-pn lariat-1x1": partial(dfpn_part, "lariat-1x1", 1),
        "df-pn liger-4": partial(dfpn_part, "liger-4", 0),
        "df-pn laocoon endgames": dfpn_endgame_part,
        "retrograde liger-4": partial(retrograde_part, "liger-4"),
        "retrograde tether-3": partial(retrograde_part, "tether-3"),
        "carrier lariat-1x1": partial(carrier_solution_part, "lariat-1x1"),
        "carrier lariat-1x4": partial(carrier_part, "lariat-1x4", 3),
        "carrier cube-lariat-2": partial(carrier_part, "cube-lariat-2-nopie", 8),
    }
    return parts


def as_json(value: Any) -> Any:
    """Plain lists and ints, as they are read back from JSON."""
    return json.loads(json.dumps(value))


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def overall_hash(hashes: dict[str, str]) -> str:
    return digest(dict(sorted(hashes.items())))


def chosen_parts(prefixes: Iterable[str]) -> dict[str, Part]:
    wanted = tuple(prefixes)
    return {name: part for name, part in all_parts().items() if not wanted or name.startswith(wanted)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PREFIX", action="append", default=[], help="only parts that begin with PREFIX")
    parser.add_argument("--details", action="store_true", help="print the values of each part below its line")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the hashes of the parts and the overall hash")
    arguments = parser.parse_args()
    hashes: dict[str, str] = {}
    for name, part in chosen_parts(arguments.only).items():
        started_at = time.perf_counter()
        details = as_json(part())
        hashes[name] = digest(details)
        print(f"{hashes[name]}  {time.perf_counter() - started_at:6.2f} s  {name}", flush=True)
        if arguments.details:
            print(json.dumps(details), flush=True)
    print(f"{overall_hash(hashes)}  overall, {len(hashes)} parts")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps({"overall": overall_hash(hashes), "parts": hashes}, indent=1) + "\n")


if __name__ == "__main__":
    main()
