"""The plan of a fault test: its faults, their order and their parameters. It depends on the seed only."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MIN_QUIET_SECONDS, MAX_QUIET_SECONDS = 0.3, 2.5  # between the end of a fault and the next one
MIN_FAULT_SECONDS, MAX_FAULT_SECONDS = 0.3, 3.0  # of faults that last, such as a pause

# How often a kind occurs compared with the others.
COMMON_WEIGHTS = {
    "kill": 6,
    "terminate": 2,
    "pause": 4,
    "backup": 2,
    "restore": 2,
    "half-sent-requests": 1,
    "garbage-on-sockets": 1,
    "huge-bodies": 1,
    "slow-readers": 1,
    "connection-flood": 1,
}
POSTGRES_WEIGHTS = {"database-restart": 2, "database-crash": 2, "database-hang": 2}
FULL_DISK_WEIGHTS = {"full-disk": 2}
CLOCK_WEIGHTS = {"clock-skew": 2}


@dataclass(frozen=True)
class Fault:
    """One fault: the time without faults before it, how long it lasts, and a number that chooses its target."""

    kind: str
    quiet_seconds: float
    seconds: float
    number: int

    def __str__(self) -> str:
        return f"{self.kind} after {self.quiet_seconds:.1f} s, for {self.seconds:.1f} s, target {self.number}"


def choose_weights(is_postgres: bool, has_small_disk: bool) -> dict[str, int]:
    """Return the kinds of faults that can be injected, with their weights."""
    weights = COMMON_WEIGHTS | CLOCK_WEIGHTS
    weights |= POSTGRES_WEIGHTS if is_postgres else {}
    return weights | (FULL_DISK_WEIGHTS if has_small_disk else {})


def make_plan(seed: int, weights: dict[str, int]) -> Iterator[Fault]:
    """Yield faults without end; every kind occurs once before any occurs by chance, and a restore follows a backup."""
    rng = random.Random(seed)
    first = [kind for kind in weights if kind != "restore"]
    rng.shuffle(first)
    first.insert(rng.randint(first.index("backup") + 1, len(first)), "restore")
    has_backup = False
    while True:
        kind = first.pop(0) if first else choose_kind(rng, weights, has_backup)
        has_backup = kind == "backup" or (has_backup and kind != "restore")
        yield Fault(
            kind,
            rng.uniform(MIN_QUIET_SECONDS, MAX_QUIET_SECONDS),
            rng.uniform(MIN_FAULT_SECONDS, MAX_FAULT_SECONDS),
            rng.randrange(1000),
        )


def choose_kind(rng: random.Random, weights: dict[str, int], has_backup: bool) -> str:
    """Return a kind by chance; a restore only of a backup that was made since the last restore."""
    kinds: Sequence[str] = [kind for kind in weights if kind != "restore" or has_backup]
    return rng.choices(kinds, [weights[kind] for kind in kinds])[0]
