"""The size of the runs of a report. Budgets are visits, never seconds, so that a seed determines every figure."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_GAMES, QUICK_GAMES = 40, 8
CHEAP_FACTOR = 4  # weak levels play this many times as many games
CHEAP_LEVEL = 3  # the last level that counts as weak
LEVELS, QUICK_LEVELS = (1, 2, 3, 4, 5), (1, 3)
BUDGETS, QUICK_BUDGETS = (25, 100, 400, 1600), (25, 100)  # visits of a move
RANDOM_GAMES, QUICK_RANDOM_GAMES = 4000, 400
PLAYOUTS, QUICK_PLAYOUTS = 1000, 100  # for each first move, where there is no net
CHECK_LEVEL, QUICK_CHECK_LEVEL = 4, 1  # of the matches that check the best and worst first moves
NUM_CHECKED = 2  # best and worst first moves
SIZE_LEVEL, QUICK_SIZE_LEVEL = 3, 1  # of the matches on other boards
DETERMINISTIC_PLIES = 2  # random moves before bots without randomness take over


@dataclass(frozen=True)
class ReportSettings:
    """What determines the bytes of a report."""

    spec: str
    seed: int = 1
    games: int | None = None  # of each experiment; None: the default
    quick: bool = False

    @property
    def num_games(self) -> int:
        """The games of each experiment."""
        return self.games or (QUICK_GAMES if self.quick else DEFAULT_GAMES)

    @property
    def num_cheap_games(self) -> int:
        """The games of each experiment with a weak level."""
        return self.num_games * (1 if self.quick else CHEAP_FACTOR)

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that play against themselves."""
        return QUICK_LEVELS if self.quick else LEVELS

    @property
    def budgets(self) -> tuple[int, ...]:
        """The visits of the bots whose strength is compared."""
        return QUICK_BUDGETS if self.quick else BUDGETS

    @property
    def random_games(self) -> int:
        """The games of random moves."""
        return QUICK_RANDOM_GAMES if self.quick else RANDOM_GAMES

    @property
    def playouts(self) -> int:
        """The playouts for each first move, where there is no net."""
        return QUICK_PLAYOUTS if self.quick else PLAYOUTS

    @property
    def check_level(self) -> int:
        """The level that checks first moves."""
        return QUICK_CHECK_LEVEL if self.quick else CHECK_LEVEL

    @property
    def size_level(self) -> int:
        """The level that plays on other boards."""
        return QUICK_SIZE_LEVEL if self.quick else SIZE_LEVEL

    def format_command(self) -> str:
        """Return the command that makes the report, with DIR for the folder."""
        words = ["ropewalk", "report", self.spec, "-o", "DIR", "--seed", str(self.seed), "--games", str(self.num_games)]
        return " ".join([*words, *(["--quick"] if self.quick else [])])
