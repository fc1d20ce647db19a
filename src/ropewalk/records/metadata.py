"""Who played, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from .texts import read_line, read_pair, write_line, write_pair

if TYPE_CHECKING:
    from ..games.position import Outcome

KINDS = ("user", "bot")
SEAT_LETTERS = ("B", "W")  # the first seat is B, the second W, whatever their colours
DRAWN = "Draw"
SPELT_OUT = {"R": "resign", "Resign": "resign", "T": "time", "Time": "time", "F": "forfeit", "Forfeit": "forfeit"}
OUTSIDE_THE_RULES = frozenset(  # endings that no replay can show; "" is an ending without a reason
    ["", "resign", "time", "forfeit", "agreement", "abandoned", "illegal-move", "crash", "overtime", "too-long"]
)


@dataclass(frozen=True)
class Identity:
    """What is known of a player beside the name; "" for what is not known."""

    kind: str = ""  # "user" or "bot"
    version: str = ""
    level: str = ""
    net: str = ""  # hash of the weights
    budget: str = ""  # what a move may cost, such as "4000 visits"


@dataclass(frozen=True)
class Player:
    """A player of one seat."""

    name: str = ""
    identity: Identity = Identity()


@dataclass(frozen=True)
class Result:
    """The winning seat, None for a draw, and why: the game's own reason code, or one of `OUTSIDE_THE_RULES`."""

    winner: int | None
    reason: str = ""

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """The result of a game that ended by its rules."""
        return cls(outcome.winner, outcome.reason)

    def __str__(self) -> str:
        winner = DRAWN if self.winner is None else SEAT_LETTERS[self.winner] + "+"
        reason = self.reason.capitalize() if self.reason in SPELT_OUT.values() else self.reason
        return f"{winner}+{reason}" if winner == DRAWN and reason else winner + reason


def read_identity(values: Sequence[str]) -> Identity:
    """kind:bot, version:1.0 and so on, each at most once."""
    pairs = [read_pair(value) for value in values]
    parts = dict(pairs)
    if len(parts) < len(pairs) or not parts.keys() <= asdict(Identity()).keys():
        raise ValueError("parts of an identity are kind, version, level, net and budget, each once")
    return require_identity(Identity(**parts))


def require_identity(identity: Identity) -> Identity:
    """Refuse one that is neither a user nor a bot, or says nothing."""
    if identity.kind not in ("", *KINDS):
        raise ValueError("a player's kind is user or bot")
    if identity == Identity():
        raise ValueError("it says nothing")
    return identity


def write_identity(identity: Identity) -> list[str]:
    """The parts that are known."""
    return [write_pair(key, value) for key, value in asdict(require_identity(identity)).items() if value]


def read_result(values: Sequence[str]) -> Result:
    """B+reason, W+reason, Draw or Draw+reason; ValueError for others, such as Void and ?."""
    winner, plus, reason = read_line(only(values)).strip().partition("+")
    reason = SPELT_OUT.get(reason, reason)
    if winner in (DRAWN, "0") and bool(plus) == bool(reason):
        return Result(None, reason)
    if winner in SEAT_LETTERS and plus:
        return Result(SEAT_LETTERS.index(winner), reason)
    raise ValueError("not a result such as B+Resign, W+majority or Draw")


def write_result(result: Result) -> list[str]:
    """One value."""
    if result.winner not in (None, 0, 1):
        raise ValueError("the winner is seat 0 or 1, or None for a draw")
    return [write_line(str(Result(result.winner, result.reason.strip())))]


def only(values: Sequence[str]) -> str:
    """The value of a property that has one; ValueError when it has more."""
    if len(values) != 1:
        raise ValueError("it has more than one value")
    return values[0]
