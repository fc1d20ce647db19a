"""Hex 11 x 11 of `examples/hex`, compared with OpenSpiel (C++) and pgx (JAX) in the same run.

    pip install ./examples/hex
    python -m benchmarks.hex [--rounds N] [--seconds S] [--json]

- `games`: random games, played to the end inside the library.
- `uct`: simulations of plain UCT with one random rollout each, on one thread.
- `steps`: single moves from Python by move id; every step reads the list of legal ids and plays one of them.
- `texts`: the same by the texts of moves, compared with OpenSpiel's ids.
- `batch`: moves of a batch of 4096 positions, including the choice of random moves, on one thread; compared with OpenSpiel's
  single moves, because it has no batches, and with pgx's compiled and vectorised step if pgx is installed.

All contenders are measured in turn in every round. A ratio is the median over the rounds of figures from the same round.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass

from benchmarks.playouts import BATCH, Contender, open_spiel_facade, open_spiel_rollouts, our_batch, our_facade, our_playouts
from benchmarks.search import open_spiel as open_spiel_uct
from benchmarks.search import ours as our_uct
from ropewalk import Game, SpecError, game
from ropewalk.games.definition import DEFAULT_MCTS

UCT_SECONDS = 0.1
REQUIRED = {"games": 20.0, "uct": 8.0, "steps": 1.0, "batch": 15.0}  # multiples of OpenSpiel's figure


def pgx_batch() -> Callable[[], int]:
    """Return steps of pgx's Hex with random legal moves, compiled and vectorised; finished games are reset."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    environment = pgx.make("hex")
    step = jax.vmap(auto_reset(environment.step, environment.init))

    @jax.jit
    def advance(state, key):  # type: ignore[no-untyped-def]
        key, choice, reset = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choice, logits, axis=1)
        return step(state, actions, jax.random.split(reset, BATCH)), key

    states = [jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))]
    keys = [jax.random.PRNGKey(1)]

    def work() -> int:
        states[0], keys[0] = jax.block_until_ready(advance(states[0], keys[0]))
        return BATCH

    return work


def our_steps(hexagons: Game) -> Callable[[], int]:
    """Return random games from Python, by move ids."""
    hexagons.compile()
    chance = random.Random(1)

    def work() -> int:
        position = hexagons.start()
        steps = 0
        while len(ids := position.move_ids()):
            position = position.play_id(ids[int(chance.random() * len(ids))])
            steps += 1
        return steps

    return work


def for_a_while(search: Callable[[float], tuple[int, float]]) -> Callable[[], int]:
    """Return a call that searches for UCT_SECONDS and returns the number of simulations."""
    return lambda: search(UCT_SECONDS)[0]


def make_contenders() -> dict[tuple[str, str], Contender]:
    """Return all contenders by figure and library."""
    hexagons = game("hex-11")
    workers = {
        ("games", "ropewalk"): our_playouts(hexagons),
        ("games", "OpenSpiel"): open_spiel_rollouts(),
        ("uct", "ropewalk"): for_a_while(our_uct(hexagons, DEFAULT_MCTS, 1)),
        ("uct", "OpenSpiel"): for_a_while(open_spiel_uct()),
        ("steps", "ropewalk"): our_steps(hexagons),
        ("texts", "ropewalk"): our_facade(hexagons),
        ("steps", "OpenSpiel"): open_spiel_facade(),
        ("batch", "ropewalk"): our_batch(hexagons, threads=1),
    }
    if importlib.util.find_spec("pgx"):
        workers["batch", "pgx"] = pgx_batch()
    return {key: Contender(*key, work) for key, work in workers.items()}


@dataclass
class Figure:
    """One line of the table."""

    figure: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    required: float | None

    def __str__(self) -> str:
        verdict = "" if self.required is None else f"{self.required:9.1f} {'ok' if self.ratio >= self.required else 'SHORT'}"
        return f"{self.figure:8} {self.peer:10} {self.ours:13,.0f} {self.theirs:13,.0f} {self.ratio:8.2f} {verdict}"


def compare(contenders: dict[tuple[str, str], Contender], figure: str, peer: tuple[str, str]) -> Figure:
    """Return our figure with the figure of a peer."""
    ours, theirs = contenders[figure, "ropewalk"].rates, contenders[peer].rates
    ratio = statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))
    required = REQUIRED.get(figure) if peer[1] == "OpenSpiel" else None
    return Figure(figure, peer[1], statistics.median(ours), statistics.median(theirs), ratio, required)


def main() -> None:
    """Measure all contenders and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each contender in each round")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    try:
        contenders = make_contenders()
    except SpecError:
        parser.exit(2, "Hex is not installed here: pip install ./examples/hex\n")
    for contender in contenders.values():
        contender.work()  # compile and warm up
    for _ in range(arguments.rounds):
        for contender in contenders.values():
            contender.measure(arguments.seconds)
    peers = [("games", ("games", "OpenSpiel")), ("uct", ("uct", "OpenSpiel"))]
    peers += [(figure, ("steps", "OpenSpiel")) for figure in ("steps", "texts", "batch")]
    peers += [("batch", ("batch", "pgx"))] if ("batch", "pgx") in contenders else []
    figures = [compare(contenders, figure, peer) for figure, peer in peers]
    if arguments.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
        return
    print(f"{'figure':8} {'peer':10} {'ours/s':>13} {'theirs/s':>13} {'ratio':>8} {'required':>9}")
    for figure in figures:
        print(figure)


if __name__ == "__main__":
    main()
