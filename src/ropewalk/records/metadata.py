"""Metadata of a record: the players, their identities, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from .sgf import format_line, format_pair, parse_line, parse_pair

if TYPE_CHECKING:
    from ..games.position import Outcome

PLAYER_KINDS = ("user", "bot")
SEAT_LETTERS = ("B", "W")  # the first seat is B, the second W, whatever their colours
DRAW = "Draw"
REASON_ALIASES = {"R": "resign", "Resign": "resign", "T": "time", "Time": "time", "F": "forfeit", "Forfeit": "forfeit"}
EXTERNAL_REASONS = frozenset(  # endings that the rules do not decide; "" is an ending without a reason
    ["", "resign", "time", "forfeit", "agreement", "abandoned", "illegal-move", "crash", "overtime", "too-long"]
)


@dataclass(frozen=True)
class PlayerIdentity:
    """Optional data of a player besides the name; "" where unknown."""

    kind: str = ""  # "user" or "bot"
    version: str = ""
    level: str = ""
    net: str = ""  # hash of the weights
    budget: str = ""  # search budget per move, such as "4000 visits"


@dataclass(frozen=True)
class Player:
    """The name and identity of the player of one seat."""

    name: str = ""
    identity: PlayerIdentity = PlayerIdentity()


@dataclass(frozen=True)
class RecordedResult:
    """The winning seat (None: a draw) and the reason: a code of the game's rules, or one of `EXTERNAL_REASONS`."""

    winner: int | None
    reason: str = ""

    @classmethod
    def from_outcome(cls, outcome: Outcome) -> RecordedResult:
        """Return the result of a game that ended by its rules."""
        return cls(outcome.winner, outcome.reason)

    def __str__(self) -> str:
        winner = DRAW if self.winner is None else SEAT_LETTERS[self.winner] + "+"
        reason = self.reason.capitalize() if self.reason in REASON_ALIASES.values() else self.reason
        return f"{winner}+{reason}" if winner == DRAW and reason else winner + reason


def parse_identity(values: Sequence[str]) -> PlayerIdentity:
    """Return the identity of raw values such as kind:bot and version:1.0, each part at most once. Raises ValueError."""
    pairs = [parse_pair(value) for value in values]
    parts = dict(pairs)
    if len(parts) < len(pairs) or not parts.keys() <= asdict(PlayerIdentity()).keys():
        raise ValueError("an identity may have kind, version, level, net and budget, each at most once")
    return check_identity(PlayerIdentity(**parts))


def check_identity(identity: PlayerIdentity) -> PlayerIdentity:
    """Return the identity. Raises ValueError if it is empty, or its kind is neither user nor bot."""
    if identity.kind not in ("", *PLAYER_KINDS):
        raise ValueError("the kind of a player must be user or bot")
    if identity == PlayerIdentity():
        raise ValueError("an identity must have at least one part")
    return identity


def format_identity(identity: PlayerIdentity) -> list[str]:
    """Return the raw values of the parts that are known. Raises ValueError."""
    return [format_pair(key, value) for key, value in asdict(check_identity(identity)).items() if value]


def parse_result(values: Sequence[str]) -> RecordedResult:
    """Return the result of B+reason, W+reason, Draw or Draw+reason. Raises ValueError for others, such as Void and ?."""
    winner, plus, reason = parse_line(get_single_value(values)).strip().partition("+")
    reason = REASON_ALIASES.get(reason, reason)
    if winner in (DRAW, "0") and bool(plus) == bool(reason):
        return RecordedResult(None, reason)
    if winner in SEAT_LETTERS and plus:
        return RecordedResult(SEAT_LETTERS.index(winner), reason)
    raise ValueError("expected a result such as B+Resign, W+majority or Draw")


def format_result(result: RecordedResult) -> list[str]:
    """Return the raw value of a result, in a list. Raises ValueError."""
    if result.winner not in (None, 0, 1):
        raise ValueError("the winner must be seat 0 or 1, or None for a draw")
    return [format_line(str(RecordedResult(result.winner, result.reason.strip())))]


def get_single_value(values: Sequence[str]) -> str:
    """Return the value of a property that has one. Raises ValueError if it has more."""
    if len(values) != 1:
        raise ValueError("expected exactly one value")
    return values[0]
