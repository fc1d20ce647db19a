"""Teacher games: MCTS with rollouts plays against itself in separate processes, and the net learns from these games.

This replaces self-play in games whose rollouts are so fast that MCTS gives better targets than a few simulations with the
net. Visit counts are the policy targets, the value of the best root move is the search value.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...games.game import Game
from ...games.position import Position
from ...games.registry import game
from ...jit.kernel import compile_for
from ...rules.interface import DRAW, ONGOING
from ...search.gumbel import VALUE_SCALE
from ...search.interfaces import ROOT, RootMove
from ...search.mcts_search import MctsSearch
from ..config import TrainingConfig, TrainingError
from .actors import ActorOutput, PhaseTimer
from .samples import SampleBatch, allocate_game_buffers, allocate_samples, replay_into_samples

if TYPE_CHECKING:
    from ...nets.model import PolicyValueNet

TEACHER_TREE_BYTES = 64 << 20  # per teacher
EXPLORATION_PROBABILITY = 0.25  # of drawing a move in proportion to its visits, so that games differ
MAX_QUEUED_GAMES = 64  # teachers block while this many games are queued
POLL_SECONDS = 0.02  # maximum time that a poll waits for a game


class TeacherGame(NamedTuple):
    """A finished game as training samples."""

    board_index: int  # index into TrainingConfig.specs
    num_visits: int  # MCTS visits spent on the game
    samples: SampleBatch


class MctsTeacher:
    """Plays games on one board; `config` and `teacher_index` determine them."""

    def __init__(self, config: TrainingConfig, teacher_index: int) -> None:
        self.config = config
        self.board_index = teacher_index % len(config.specs)
        self.game: Game = game(config.specs[self.board_index])
        self.search = MctsSearch(self.game, self.game.definition.mcts, tree_bytes=TEACHER_TREE_BYTES)
        self.rng = np.random.default_rng((config.seed, teacher_index))
        self.game_buffers = allocate_game_buffers(self.game, 1, config.max_moves)
        self.start_row, self.scratch_row = self.game.start_row(), self.game.start_row()
        self.final_planes = allocate_samples(self.game, 1).planes[0]
        self._replay_into_samples: Any = compile_for(
            replay_into_samples, *self._replay_arguments(allocate_samples(self.game, 1))
        )

    def play_game(self) -> TeacherGame:
        """Play one game; at the maximum length it is a draw."""
        self.search.reset(int(self.rng.integers(2**31)))
        position, num_visits = self._play_opening(), 0
        length, max_moves = int(self.game_buffers.num_moves[0]), self.game_buffers.moves.shape[1]
        while position.result == ONGOING and length < max_moves:
            num_visits += self._run_search(position)
            root_moves = self.search.root_moves()
            self._record_search(length, root_moves[0])
            move = self._select_move(root_moves)
            self.game_buffers.moves[0, length] = move
            position = position.play_id(move)
            length += 1
        self.game_buffers.num_moves[0] = length
        self.game_buffers.outcome[0] = DRAW if position.result == ONGOING else position.result
        samples = allocate_samples(self.game, length - int(self.game_buffers.num_opening_moves[0]))
        self._replay_into_samples(*self._replay_arguments(samples))
        return TeacherGame(self.board_index, num_visits, samples)

    def _replay_arguments(self, samples: SampleBatch) -> tuple[Any, ...]:
        """Return the arguments of `replay_into_samples` for the buffered game."""
        return (self.game.rules, self.game_buffers, samples, self.start_row, self.scratch_row, self.final_planes, 0, 0)

    def _play_opening(self) -> Position:
        """Play a random opening, empty in about half of the games, into the game buffers; return its position."""
        max_moves = min(self.config.opening_moves, self.config.max_moves - 1)
        num_moves = max(int(self.rng.integers(-max_moves, max_moves + 1)), 0)
        position, num_played = self.game.start(), 0
        while num_played < num_moves:
            move = int(self.rng.choice(position.move_ids()))
            next_position = position.play_id(move)
            if next_position.result != ONGOING:
                break
            self.game_buffers.moves[0, num_played] = move
            position, num_played = next_position, num_played + 1
        self.game_buffers.num_moves[0] = self.game_buffers.num_opening_moves[0] = num_played
        return position

    def _run_search(self, position: Position) -> int:
        """Search `position` up to `teacher_visits` visits, reused ones included; return the number of new visits."""
        self.search.set_root(position)
        reused_visits = self.search.visits
        self.search.run_chunk(max(self.config.teacher_visits - reused_visits, 2))
        return self.search.visits - reused_visits

    def _record_search(self, ply: int, best: RootMove) -> None:
        """Write policy target and search value of a ply into the game buffers.

        The target is the visit distribution over the legal moves in order, or all weight on a proven best move.
        """
        tree = self.search.search_threads[0].tree
        first = int(tree.first_child[ROOT])
        children = slice(first, first + int(tree.child_count[ROOT]))
        visits = tree.visits[children].astype(np.float64)
        policy = visits / visits.sum() if best.proven == ONGOING else tree.move[children] == best.move
        self.game_buffers.policy_targets[0, ply] = 0
        self.game_buffers.policy_targets[0, ply, : len(policy)] = np.floor(policy * 65535.0)
        self.game_buffers.search_values[0, ply] = np.int16((2 * min(max(best.value, 0.0), 1.0) - 1) * VALUE_SCALE)

    def _select_move(self, root_moves: list[RootMove]) -> int:
        """Return the best move, or with EXPLORATION_PROBABILITY one drawn by visits; a proven best move is always played."""
        if root_moves[0].proven != ONGOING or self.rng.random() >= EXPLORATION_PROBABILITY:
            return root_moves[0].move
        unproven_moves = [root_move for root_move in root_moves if root_move.proven == ONGOING]
        visits = np.array([root_move.visits for root_move in unproven_moves], np.float64)
        return unproven_moves[int(self.rng.choice(len(unproven_moves), p=visits / visits.sum()))].move


def teacher_main(config: TrainingConfig, teacher_index: int, game_queue: Any) -> None:
    """Play games and put them into the queue until terminated. SIGINT is ignored: the learner's process handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    teacher = MctsTeacher(config, teacher_index)
    while True:
        game_queue.put(teacher.play_game())


class TeacherPool:
    """Game source that reads from teacher processes."""

    batches = ()
    queues = ()

    def __init__(self, config: TrainingConfig, num_teachers: int) -> None:
        MctsTeacher(config, 0)  # fills the kernel cache before the processes start, and raises errors here
        context = multiprocessing.get_context("spawn")
        self.game_queue: Any = context.Queue(MAX_QUEUED_GAMES)
        self.processes = [
            context.Process(target=teacher_main, args=(config, teacher_index, self.game_queue), daemon=True)
            for teacher_index in range(num_teachers)
        ]
        for process in self.processes:
            process.start()

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterator[ActorOutput]:
        """Yield the queued games, at most MAX_QUEUED_GAMES; waits up to POLL_SECONDS for the first."""
        while_waiting()
        with timer("waiting for the teacher"):
            teacher_game = self._next_game()
        for _ in range(MAX_QUEUED_GAMES):
            if teacher_game is None:
                return
            yield ActorOutput(teacher_game.board_index, teacher_game.num_visits, 1, teacher_game.samples)
            teacher_game = self._next_game(0.0)

    def _next_game(self, timeout_seconds: float = POLL_SECONDS) -> TeacherGame | None:
        """Return the next game, or None after `timeout_seconds`; raises TrainingError if a teacher process has exited."""
        try:
            teacher_game: TeacherGame = (
                self.game_queue.get(timeout=timeout_seconds) if timeout_seconds else self.game_queue.get_nowait()
            )
        except queue.Empty:
            self._check_processes_alive()
            return None
        return teacher_game

    def _check_processes_alive(self) -> None:
        for number, process in enumerate(self.processes, 1):
            if not process.is_alive():
                raise TrainingError(
                    f"teacher {number} of {len(self.processes)} was lost (exit code {process.exitcode}); "
                    "run the command again to continue from the last checkpoint, "
                    "with fewer --threads if there was not enough memory"
                )

    def set_weights(self, net: PolicyValueNet) -> None:
        """Do nothing: teachers use no net."""

    def shut_down(self) -> None:
        """Terminate all teacher processes."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()


@contextmanager
def teacher_pool(config: TrainingConfig, num_teachers: int) -> Iterator[TeacherPool]:
    """Run teacher processes for the duration of the `with` block."""
    pool = TeacherPool(config, num_teachers)
    try:
        yield pool
    finally:
        pool.shut_down()
