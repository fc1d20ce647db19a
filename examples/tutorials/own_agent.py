"""An agent of your own: plain UCT in Python, as a bot for the arena and as a UGI engine.

    ropewalk arena tether-5 py:own_agent:make_agent random --games 20            (in the folder of this file)
    ropewalk arena tether-5 'ugi:python own_agent.py {spec}' random --games 20

UCT is described by Kocsis and Szepesvari (2006). A bot needs only `choose`.
"""

from __future__ import annotations

import math
import random
import sys

import ropewalk
from ropewalk import Bot, Game, Limit, Position

SIMULATIONS = 100
EXPLORATION = 1.0


class Node:
    """A position in the tree. `wins` counts for the seat that moved here."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.untried = position.move_ids().tolist()
        self.children: dict[int, Node] = {}
        self.visits = 0
        self.wins = 0.0

    def select_child(self) -> Node:
        """Return the child with the highest upper confidence bound."""
        log_visits = math.log(self.visits)
        return max(
            self.children.values(),
            key=lambda child: child.wins / child.visits + EXPLORATION * math.sqrt(log_visits / child.visits),
        )

    def add_child(self, rng: random.Random) -> Node:
        """Play an untried move and return its node."""
        move = self.untried.pop(rng.randrange(len(self.untried)))
        self.children[move] = Node(self.position.play_id(move))
        return self.children[move]


class UctAgent(Bot):
    """Plain UCT with one random playout for each simulation."""

    name = "own UCT"
    budget = f"{SIMULATIONS} simulations"

    def __init__(self, game: Game) -> None:
        self.game = game
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Seed the random numbers."""
        self.rng = random.Random(seed)

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """Return the most visited move."""
        root = Node(position)
        for _ in range((limit and limit.visits) or SIMULATIONS):
            self.simulate(root)
        best = max(root.children, key=lambda move: root.children[move].visits)
        return self.game.move_text(best)

    def simulate(self, root: Node) -> None:
        """Select a leaf, expand it, play randomly to the end and update the path."""
        path = [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].select_child())
        if path[-1].untried:
            path.append(path[-1].add_child(self.rng))
        end = path[-1].position
        while end.seat is not None:
            end = end.play_id(self.rng.choice(end.move_ids()))
        for parent, node in zip([None, *path], path, strict=False):
            node.visits += 1
            if parent is not None:
                node.wins += 0.5 if end.result == 2 else float(end.result == parent.position.seat)


def make_agent(game: Game) -> Bot:
    """Make the agent; the arena calls this function."""
    return UctAgent(game)


def run_ugi(spec: str) -> None:
    """Speak UGI on standard input and output, as much of it as the arena needs."""
    game = ropewalk.game(spec)
    agent, position = UctAgent(game), game.start()
    for line in sys.stdin:
        match line.split():
            case ["ugi"]:
                print("id name own UCT", "id author you", "ugiok", sep="\n", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", "startpos", *rest]:
                position = game.start()
                for move in rest[1:]:
                    position = position.play(move)
            case ["go", *_]:
                print(f"bestmove {agent.choose(position)}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    run_ugi(sys.argv[1])
