"""Generator of puzzles: plays games of bots and keeps the positions that make a puzzle.

Candidates are the positions of a game that the solver decides, and positions to which a walk from these leads: the winning
seat makes random moves that keep its win, the losing seat is played by the bot or at random, and so the winning moves become
fewer. With `late_turns` candidates come from random games instead, which go on as long as neither seat wins soon: the board
is then nearly full, or has few discs or checkers left. A candidate is kept if the seat to move wins by force, every one of
its moves is decided by the solver, few of them win, level 1 does not find one with every seed (except where a single
turn wins), and the proof is small.

Games are numbered; what a game yields depends on the spec, the options, its number, and the puzzles before it. The file is
written as it grows: a puzzle a line, and a line `{"games": N}` after each game, from which an interrupted run resumes.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from ..bots.bot import Bot, Limit
from ..bots.levels import bot as bot_of
from ..games.game import Game
from ..games.position import Position
from ..games.sequence import MoveSequence
from .difficulty import DifficultyRater
from .library import format_puzzle_line
from .puzzle import Puzzle, PuzzleError, check_puzzle, make_puzzle_id, puzzle_from_json
from .solver import PuzzleSolver, UndecidedError
from .strategy_tree import TreeTooLargeError

MIN_LEGAL_MOVES = 3
MAX_STEPS, MAX_WALK_STEPS = 1000, 200  # of a game of bots, and of a walk, which need not end where positions may repeat
MAX_UNDECIDED = 3  # positions in a row that the solver cannot decide, before it leaves a game
NUM_WALK_STARTS, NUM_WALKS = 6, 4  # decided positions of a game from which walks start, and walks from each
BOT_DEFENCE_SHARE = 0.5  # of the losing seat's moves in a walk
MAX_PER_GAME = 6  # puzzles, so that they differ
MAX_PER_LATE_GAME = 2  # puzzles of a random game, whose positions differ less
SOON_NODES_SHARE = 0.05  # of the solver's nodes, in the search for a seat that wins soon
MAX_NODES_PER_GAME = 4_000_000  # searched by the solver, before it leaves a game
GAME_LEVEL = 6  # of the bots that play


@dataclass(frozen=True)
class GeneratorOptions:
    """What is searched for, and how long."""

    count: int = 50  # puzzles of the file
    seed: int = 0
    min_turns: int = 1
    max_turns: int = 6
    max_winning_moves: int = 3
    max_share: float = 0.25  # of the puzzles with one number of turns
    max_obvious_share: float = 0.0  # of the puzzles of more than one turn that level 1 solves
    random_moves: int = 6  # at the start of a game, at most; at least a third of that, or all in random games
    late_turns: int = 0  # random games go on until every move lets a seat win within so many turns; 0: bots play
    game_visits: int = 400  # of the bots that play, for a move
    solver_nodes: int = 20_000  # of a search of the solver
    max_positions: int = 8_000  # visited by a check of the proof


class RejectedError(Exception):
    """A position that makes no puzzle; the message is the reason."""


class PuzzleGenerator:
    """Generator of puzzles of one spec."""

    def __init__(self, game: Game, options: GeneratorOptions) -> None:
        self.game = game
        self.options = options
        self.solver = PuzzleSolver(game, options.solver_nodes)
        self.rater = DifficultyRater(game)
        self.player: Bot = bot_of(game, min(GAME_LEVEL, len(game.definition.bots)))
        self.puzzles: dict[str, Puzzle] = {}
        self.num_games = 0
        self.rejections: Counter[str] = Counter()  # how many positions each condition has excluded

    def add(self, puzzle: Puzzle) -> None:
        """Count a puzzle of an earlier run or of this one."""
        self.puzzles[puzzle.id] = puzzle

    @property
    def is_complete(self) -> bool:
        """Whether the wanted number of puzzles is found."""
        return len(self.puzzles) >= self.options.count

    def run_game(self) -> Iterator[Puzzle]:
        """Play the next game and yield the puzzles that it leads to, at most MAX_PER_GAME."""
        rng = random.Random(f"{self.game.spec} {self.options.seed} {self.num_games}")
        self.solver.clear()
        num_found, node_limit = 0, self.solver.dfpn.nodes + MAX_NODES_PER_GAME
        is_late = self.options.late_turns > 0
        max_found = MAX_PER_LATE_GAME if is_late else MAX_PER_GAME
        for candidate in self.list_late_candidates(rng) if is_late else self.list_candidates(rng):
            puzzle = self.examine(candidate)
            if puzzle is not None:
                num_found += 1
                self.add(puzzle)
                yield puzzle
            if self.is_complete or num_found == max_found or self.solver.dfpn.nodes > node_limit:
                break
        self.num_games += 1

    def list_candidates(self, rng: random.Random) -> Iterator[Position]:
        """Yield the decided positions of a game, the last one first, then those of walks from the earliest ones."""
        decided: list[tuple[Position, int]] = []
        num_undecided = 0
        for position in reversed(self.play_game(rng)):
            winner = self.solver.find_winner(self.game.position(str(position)))
            if winner is not None:
                decided.append((position, winner))
                yield position
            num_undecided = num_undecided + 1 if winner is None else 0
            if num_undecided == MAX_UNDECIDED:
                break
        for position, winner in reversed(decided[-NUM_WALK_STARTS:]):
            for _ in range(NUM_WALKS):
                yield from self.walk(position, winner, rng)

    def list_late_candidates(self, rng: random.Random) -> Iterator[Position]:
        """Yield positions of a random game in which the seat to move wins soon, then those of walks from the last of them.

        A move after which a seat wins within a number of turns, which is drawn for the game, is not made. The game ends
        where there is no other move. Of the positions before the walks at most one puzzle of each length is taken.
        """
        options = self.options
        max_turns = rng.randint(max(1, options.min_turns - 1), max(options.min_turns, options.late_turns))
        found, decided = set[int](), list[Position]()
        position: Position | None = self.play_random_moves(rng)[-1]
        for _ in range(MAX_STEPS):
            if position is None or position.seat is None:
                break
            candidates, position = self.try_random_moves(position, max_turns, rng)
            decided += candidates
            for candidate in candidates:
                turns = self.count_wanted_turns(candidate)
                if turns is not None and turns not in found:
                    num_puzzles = len(self.puzzles)
                    yield candidate
                    found |= {turns} if len(self.puzzles) > num_puzzles else set()
        for candidate in decided[-NUM_WALK_STARTS:]:
            assert candidate.seat is not None
            for following in self.walk(candidate, candidate.seat, rng):
                if self.count_wanted_turns(following) is not None:
                    yield following

    def try_random_moves(
        self, position: Position, max_turns: int, rng: random.Random
    ) -> tuple[list[Position], Position | None]:
        """Return the position after a random move that lets neither seat win soon, None if there is none.

        Also return the positions that the moves tried before it lead to, or start from, in which the seat to move wins.
        """
        moves, candidates = position.moves(), dict[int, Position]()
        rng.shuffle(moves)
        for after in map(position.play, moves):
            winner = self.find_soon_winner(after, max_turns)
            if winner is None and after.seat is not None:
                return list(candidates.values()), after
            if winner is not None and winner in (after.seat, position.seat):
                candidate = after if winner == after.seat else position
                candidates[id(candidate)] = candidate
        return list(candidates.values()), None

    def find_soon_winner(self, position: Position, max_turns: int) -> int | None:
        """Return the seat that wins within `max_turns` turns or has won, None if a short search finds none."""
        max_nodes = round(SOON_NODES_SHARE * self.options.solver_nodes)
        for turns in sorted({1, min(2, max_turns), max_turns}):
            for seat in (0, 1):
                if self.solver.is_won_within(position, seat, turns, max_nodes):
                    return seat
        return None

    def count_wanted_turns(self, position: Position) -> int | None:
        """Return within how many turns the seat to move wins, None if it is not known or not wanted."""
        if position.seat is None:
            return None
        with suppress(UndecidedError):
            turns = self.solver.count_turns(position, position.seat, self.options.max_turns)
            if turns >= self.options.min_turns and not self.has_enough(turns):
                return turns
        return None

    def walk(self, position: Position, winner: int, rng: random.Random) -> Iterator[Position]:
        """Yield the positions of a walk in which the winner is to move, until a puzzle is found or the game is over."""
        num_puzzles = len(self.puzzles)
        for _ in range(MAX_WALK_STEPS):
            if position.seat is None or len(self.puzzles) > num_puzzles:
                return
            if position.seat != winner:
                move = self.choose_defence(position, rng)
            else:
                yield position
                keeping = self.find_random_winning_move(position, rng)
                if keeping is None:
                    return
                move = keeping
            position = position.play(move)

    def choose_defence(self, position: Position, rng: random.Random) -> str:
        """Return a move of the bot or a random move of the losing seat."""
        if rng.random() < BOT_DEFENCE_SHARE:
            return self.player.choose(position, Limit(visits=self.options.game_visits // 4))
        return rng.choice(position.moves())

    def find_random_winning_move(self, position: Position, rng: random.Random) -> str | None:
        """Return a random move that keeps the win, None if the solver finds none."""
        moves = position.moves()
        rng.shuffle(moves)
        for move in moves:
            after = position.play(move)
            if after.seat is not None and self.solver.find_winner(after) == position.seat:
                return move
        return None

    def play_game(self, rng: random.Random) -> list[Position]:
        """Return the positions of a game between two bots after a few random moves, the last one excluded."""
        self.player.new_game(rng.randrange(2**31))
        positions = self.play_random_moves(rng)
        position, limit = positions[-1], Limit(visits=self.options.game_visits)
        while position.seat is not None and len(positions) < MAX_STEPS:
            position = position.play(self.player.choose(position, limit))
            positions.append(position)
        return positions[:-1]

    def play_random_moves(self, rng: random.Random) -> list[Position]:
        """Return the positions of random moves from the start, which may end the game."""
        positions, max_moves = [self.game.start()], self.options.random_moves
        num_moves = max_moves if self.options.late_turns else rng.randrange(max_moves // 3, max_moves + 1)
        for _ in range(num_moves):
            if positions[-1].seat is not None:
                positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
        return positions

    def examine(self, position: Position) -> Puzzle | None:
        """Return the puzzle of a position, None if it makes none; the reason is counted in `rejections`."""
        try:
            return self.make_puzzle(position)
        except RejectedError as error:
            self.rejections[str(error)] += 1
        except UndecidedError:
            self.rejections["undecided"] += 1
        except TreeTooLargeError:
            self.rejections["large proof"] += 1
        return None

    def make_puzzle(self, position: Position) -> Puzzle:
        """Return the puzzle of a position. Raises RejectedError, UndecidedError or TreeTooLargeError."""
        if position.seat is None or len(position.moves()) < MIN_LEGAL_MOVES:
            raise RejectedError("few moves")
        position = self.game.position(str(position))
        seat, solver, options = position.seat, self.solver, self.options
        if seat is None or solver.find_winner(position) != seat:
            raise RejectedError("not won")
        winning_moves = tuple(solver.find_winning_moves(position, self.max_winning_moves(len(position.moves()))))
        if not winning_moves:
            raise RejectedError("many winning moves")
        puzzle_id = make_puzzle_id(position)
        if puzzle_id in self.puzzles:
            raise RejectedError("known")
        turns = solver.count_turns(position, seat)
        if not options.min_turns <= turns <= options.max_turns or self.has_enough(turns):
            raise RejectedError(f"{turns} turns")
        if turns > 1 and self.has_enough_obvious() and self.rater.solves(1, position, winning_moves):
            raise RejectedError("obvious")
        main_line = tuple(solver.play_main_line(position, seat))
        line = MoveSequence.play(position, main_line).positions
        self.require_decided_line(line, seat)
        proofs = [solver.build_tree(position.play(move), seat, options.max_positions) for move in winning_moves]
        losing_moves = [move for move in position.moves() if move not in winning_moves]
        refutation = solver.build_refutation(position, losing_moves, options.max_positions)
        puzzle = Puzzle(
            id=puzzle_id,
            spec=self.game.spec,
            position_text=str(position),
            seat=seat,
            winning_moves=winning_moves,
            turns=turns,
            difficulty=self.rater.rate(position, winning_moves),
            theme=self.game.text.winning_theme(line),
            main_line=main_line,
            proofs=tuple("" if proof is None else str(proof) for proof in proofs),
            refutation=str(refutation),
        )
        if check_puzzle(puzzle) > options.max_positions:
            raise TreeTooLargeError(f"the proof covers more than {options.max_positions} positions")
        return puzzle

    def max_winning_moves(self, num_moves: int) -> int:
        """Return how many of a position's moves may win: a few, and less than half."""
        return min(self.options.max_winning_moves, (num_moves - 1) // 2)

    def has_enough(self, turns: int) -> bool:
        """Return whether the share of a number of turns is filled."""
        found = sum(puzzle.turns == turns for puzzle in self.puzzles.values())
        return found >= max(1, round(self.options.max_share * self.options.count))

    def has_enough_obvious(self) -> bool:
        """Return whether the share of puzzles that level 1 solves is filled, among those of more than one turn."""
        longer = [puzzle for puzzle in self.puzzles.values() if puzzle.turns > 1]
        return sum(puzzle.difficulty == 1 for puzzle in longer) >= self.options.max_obvious_share * (len(longer) + 1)

    def require_decided_line(self, line: tuple[Position, ...], seat: int) -> None:
        """Raise UndecidedError if a move of the seat is undecided anywhere on the main line."""
        for position in line[1:]:
            if position.seat == seat:
                self.solver.find_winning_moves(position)

    def close(self) -> None:
        """Close the bots."""
        self.player.close()
        self.rater.close()


def generate_file(
    generator: PuzzleGenerator, path: Path, on_progress: Callable[[PuzzleGenerator], None], max_games: int | None = None
) -> None:
    """Resume the file of a generator, or begin it, until it is complete or `max_games` games were played.

    Every line is written at once, so that the file is whole whenever the program is interrupted.

    Raises:
        PuzzleError: The file is of another spec or seed, or damaged before its last line.
    """
    resume_file(generator, path)
    with path.open("a", encoding="ascii") as file:
        if path.stat().st_size == 0:
            write_line(file, json.dumps({"spec": generator.game.spec, "seed": generator.options.seed, "games": 0}))
        while not generator.is_complete and (max_games is None or generator.num_games < max_games):
            on_progress(generator)
            for puzzle in generator.run_game():
                write_line(file, format_puzzle_line(puzzle))
                on_progress(generator)
            write_line(file, json.dumps({"games": generator.num_games}))


def write_line(file: TextIO, line: str) -> None:
    """Write a line to the disk at once."""
    file.write(f"{line}\n")
    file.flush()


def resume_file(generator: PuzzleGenerator, path: Path) -> None:
    """Read the puzzles and the number of games of an earlier run; cut an incomplete last line, and the game it is from.

    Raises PuzzleError.
    """
    if not path.exists():
        return
    lines = path.read_text(encoding="ascii").splitlines(keepends=True)
    complete, pending = [], list[str]()
    for line in lines:
        pending.append(line)
        if line.endswith("\n") and '"games":' in line:
            complete += pending
            pending = []
    for number, line in enumerate(complete, start=1):
        try:
            data = json.loads(line)
            wanted = {"spec": generator.game.spec, "seed": generator.options.seed}
            if any(data.get(name, value) != value for name, value in wanted.items()):
                raise PuzzleError("the file has another spec or seed; use another file")
            generator.num_games = data.get("games", generator.num_games)
            if "id" in data:
                generator.add(puzzle_from_json(data))
        except ValueError as error:
            raise PuzzleError(f"{path}, line {number}: {error}") from None
    if pending:
        path.write_text("".join(complete), encoding="ascii")
