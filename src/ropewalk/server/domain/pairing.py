"""Pairings of tournaments: players with their history, the allocation of seats, round robin and arena."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_SEAT_DIFFERENCE = 2  # between the games on both seats, from which on a player must get the other one


@dataclass(frozen=True)
class PairingPlayer:
    """A player as pairings see them; `opponents` and `seats` are those of the games so far, the last one at the end."""

    number: int
    points: float = 0.0
    opponents: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    has_had_bye: bool = False

    @property
    def seat_difference(self) -> int:
        """How many more games were played on seat 0 than on seat 1."""
        return self.seats.count(0) - self.seats.count(1)


@dataclass(frozen=True)
class SeatPreference:
    """The seat that a player should get next, and how strongly: 0 not at all, 3 without exception."""

    seat: int | None
    strength: int


@dataclass(frozen=True)
class RoundPairings:
    """The games of a round, each as the numbers of its players by seat, and who has none."""

    games: tuple[tuple[int, int], ...]
    bye: int | None = None


def find_seat_preference(player: PairingPlayer) -> SeatPreference:
    """Return the seat that balances a player's games: the rarer one, otherwise the one that was not the last."""
    if not player.seats:
        return SeatPreference(None, 0)
    difference = player.seat_difference
    if len(player.seats) >= 2 and player.seats[-1] == player.seats[-2]:
        return SeatPreference(1 - player.seats[-1], 3)
    if difference == 0:
        return SeatPreference(1 - player.seats[-1], 1)
    seat = 1 if difference > 0 else 0
    return SeatPreference(seat, 3 if abs(difference) >= MAX_SEAT_DIFFERENCE else 2)


def has_seat_clash(first: PairingPlayer, second: PairingPlayer) -> bool:
    """Return whether two players must both get the same seat."""
    one, other = find_seat_preference(first), find_seat_preference(second)
    return one.strength == other.strength == 3 and one.seat == other.seat


def order_by_seat(higher: PairingPlayer, lower: PairingPlayer) -> tuple[int, int]:
    """Return the numbers of two players by seat; of equal wishes the higher-ranked player's is granted."""
    one, other = find_seat_preference(higher), find_seat_preference(lower)
    if one.seat is None and other.seat is None:
        seat = 1 - higher.number % 2
    elif one.seat is None or (one.seat == other.seat and other.strength > one.strength):
        assert other.seat is not None
        seat = 1 - other.seat
    else:
        seat = one.seat
    return (higher.number, lower.number) if seat == 0 else (lower.number, higher.number)


def count_round_robin_rounds(num_players: int, cycles: int) -> int:
    """Return the number of rounds in which everybody meets everybody else `cycles` times."""
    return cycles * (num_players - 1 + num_players % 2)


def pair_round_robin(numbers: Sequence[int], round_index: int) -> RoundPairings:
    """Return a round of a round robin by the circle method; in every second cycle the seats are exchanged.

    Args:
        numbers: The players, in the same order in every round.
        round_index: The rounds before this one.
    """
    circle: list[int | None] = [*numbers, None] if len(numbers) % 2 else [*numbers]
    num_rounds = len(circle) - 1
    cycle, turn = divmod(round_index, num_rounds)
    last, others = circle[-1], circle[:-1]
    rotated = [*others[turn:], *others[:turn], last]
    games, bye = [], None
    for index in range(len(rotated) // 2):
        pair = rotated[index], rotated[-1 - index]
        is_exchanged = (turn if index == 0 else index) % 2 != cycle % 2
        first, second = pair[::-1] if is_exchanged else pair
        if first is None or second is None:
            bye = second if first is None else first
        else:
            games.append((first, second))
    return RoundPairings(tuple(games), bye)


def pair_arena(waiting: Sequence[PairingPlayer], num_active: int) -> RoundPairings:
    """Return games of players who wait in an arena: neighbours in the standings, but not the last opponents again.

    Args:
        waiting: The players without a game, who have waited longest first among equal points.
        num_active: All players of the arena who have not withdrawn; of two, both always play each other.
    """
    rest = sorted(waiting, key=lambda player: -player.points)
    games = []
    while len(rest) >= 2:
        player = rest.pop(0)
        found = next((other for other in rest if num_active == 2 or not have_just_met(player, other)), None)
        if found is not None:
            rest.remove(found)
            games.append(order_by_seat(player, found))
    return RoundPairings(tuple(games))


def have_just_met(first: PairingPlayer, second: PairingPlayer) -> bool:
    """Return whether the last game of one of two players was against the other."""
    return first.opponents[-1:] == (second.number,) or second.opponents[-1:] == (first.number,)
