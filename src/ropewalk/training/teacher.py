"""A teacher: plays games against itself by tree search with playouts, and writes down what it thought of each move."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..bots.advised_bot import get_guided_params
from ..games.game import Game, Position
from ..games.registry import game
from ..kernels import compile_for
from ..rules.questions import DRAW, ONGOING
from ..search.forest import allocate_game_buffers
from ..search.growing import SampleBatch, allocate_samples, replay_into_samples
from ..search.gumbel import VALUE_SCALE
from ..search.tree import ROOT
from ..search.tree_search import MctsSearch, RootMove
from .settings import Settings

MEMORY = 64 << 20  # bytes of a teacher's trees
STRAYS = 0.25  # how often a move is drawn by its visits instead of being the best, so that games differ


class Lesson(NamedTuple):
    """One game."""

    board: int  # its number among the settings' specs
    visits: int
    harvest: SampleBatch


class Teacher:
    """Plays one board; the same settings and number give the same games."""

    def __init__(self, settings: Settings, number: int) -> None:
        self.settings = settings
        self.board = number % len(settings.specs)
        self.game: Game = game(settings.specs[self.board])
        self.search = MctsSearch(self.game, get_guided_params(self.game)[0], tree_bytes=MEMORY)
        self.chance = np.random.default_rng((settings.seed, number))
        self.games = allocate_game_buffers(self.game, 1, settings.longest)
        self.start, self.row = self.game.start_row(), self.game.start_row()
        self.final = allocate_samples(self.game, 1).planes[0]
        self._gather: Any = compile_for(replay_into_samples, *self._story(allocate_samples(self.game, 1)))

    def lesson(self) -> Lesson:
        """Play a game."""
        self.search.reset(int(self.chance.integers(2**31)))
        position, visits = self._opening(), 0
        length, most = int(self.games.num_moves[0]), self.games.moves.shape[1]
        while position.result == ONGOING and length < most:
            visits += self._think(position)
            branches = self.search.root_moves()
            self._note(length, branches[0])
            move = self._choice(branches)
            self.games.moves[0, length] = move
            position = position.play_id(move)
            length += 1
        self.games.num_moves[0] = length
        self.games.outcome[0] = DRAW if position.result == ONGOING else position.result
        harvest = allocate_samples(self.game, length - int(self.games.num_opening_moves[0]))
        self._gather(*self._story(harvest))
        return Lesson(self.board, visits, harvest)

    def _story(self, harvest: SampleBatch) -> tuple[Any, ...]:
        """What the kernel needs to play the game over."""
        return (self.game.rules, self.games, harvest, self.start, self.row, self.final, 0, 0)

    def _opening(self) -> Position:
        """The start, before every other game with random moves that do not end it."""
        most = min(self.settings.opening, self.settings.longest - 1)
        wanted = max(int(self.chance.integers(-most, most + 1)), 0)
        position, made = self.game.start(), 0
        while made < wanted:
            move = int(self.chance.choice(position.move_ids()))
            after = position.play_id(move)
            if after.result != ONGOING:
                break
            self.games.moves[0, made] = move
            position, made = after, made + 1
        self.games.num_moves[0] = self.games.num_opening_moves[0] = made
        return position

    def _think(self, position: Position) -> int:
        """Search; how many visits were new."""
        self.search.set_root(position)
        before = self.search.visits
        self.search.run_chunk(max(self.settings.lessons - before, 2))
        return self.search.visits - before

    def _note(self, place: int, best: RootMove) -> None:
        """Write down how often each move was visited, in the order of the legal ones, and what the best is worth."""
        tree = self.search.search_threads[0].tree
        first = int(tree.first_child[ROOT])
        children = slice(first, first + int(tree.child_count[ROOT]))
        visits = tree.visits[children].astype(np.float64)
        shares = visits / visits.sum() if best.proven == ONGOING else tree.move[children] == best.move
        self.games.policy_targets[0, place] = 0
        self.games.policy_targets[0, place, : len(shares)] = np.floor(shares * 65535.0)
        self.games.search_values[0, place] = np.int16((2 * min(max(best.value, 0.0), 1.0) - 1) * VALUE_SCALE)

    def _choice(self, branches: list[RootMove]) -> int:
        """The best move, now and then another that was looked at; once something is proven always the best."""
        if branches[0].proven != ONGOING or self.chance.random() >= STRAYS:
            return branches[0].move
        open_ones = [branch for branch in branches if branch.proven == ONGOING]
        visits = np.array([branch.visits for branch in open_ones], np.float64)
        return open_ones[int(self.chance.choice(len(open_ones), p=visits / visits.sum()))].move
