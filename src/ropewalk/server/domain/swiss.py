"""Pairings of a Swiss tournament.

Nobody meets an opponent twice, and nobody has two byes. Within these rules players of equal points are paired, in each score
group its upper half against its lower half; who is left over floats to the next group. Nobody gets one seat three times in
a row or three times more often than the other, unless there is no other pairing.

A pairing is found if there is one: `PairingGraph.can_pair_all` tests with a maximum matching, after each group, that all
others can still be paired.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from .matching import NOBODY, find_maximum_matching
from .pairing import PairingPlayer, RoundPairings, find_seat_preference, has_seat_clash, order_by_seat

MAX_STEPS = 4000  # of the search for the best pairing of a group; then the group is joined with the next one

Pair = tuple[PairingPlayer, PairingPlayer]
PairRule = Callable[[PairingPlayer, PairingPlayer], bool]


@dataclass
class PairingGraph:
    """Which players may be paired with each other."""

    allows: PairRule

    def match(self, players: Sequence[PairingPlayer]) -> list[Pair] | None:
        """Return pairs of all players, None if there is no such pairing."""
        neighbours = [
            [other for other, opponent in enumerate(players) if opponent is not player and self.allows(player, opponent)]
            for player in players
        ]
        partners = find_maximum_matching(neighbours)
        if NOBODY in partners:
            return None
        return [(players[one], players[other]) for one, other in enumerate(partners) if one < other]

    def can_pair_all(self, players: Sequence[PairingPlayer]) -> bool:
        """Return whether all players can be paired."""
        return len(players) % 2 == 0 and self.match(players) is not None


@dataclass
class GroupSearch:
    """The search for pairs within a score group, by backtracking, best candidates first."""

    graph: PairingGraph
    lower: Sequence[PairingPlayer]  # all players of lower groups
    num_floaters: int  # who are left over
    steps: int = 0
    pairs: list[Pair] = field(default_factory=list)
    floaters: list[PairingPlayer] = field(default_factory=list)

    def run(self, rest: Sequence[PairingPlayer]) -> bool:
        """Pair all of `rest` except the floaters. Returns whether that is possible; then `pairs` and `floaters` are set."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            return False
        if len(rest) == self.num_floaters - len(self.floaters):
            self.floaters += rest
            if self.graph.can_pair_all([*self.floaters, *self.lower]):
                return True
            del self.floaters[len(self.floaters) - len(rest) :]
            return False
        player, others = rest[0], rest[1:]
        for index in self.list_candidates(player, others):
            self.pairs.append((player, others[index]))
            if self.run([*others[:index], *others[index + 1 :]]):
                return True
            self.pairs.pop()
        if len(self.floaters) < self.num_floaters:
            self.floaters.append(player)
            if self.run(others):
                return True
            self.floaters.pop()
        return False

    def list_candidates(self, player: PairingPlayer, others: Sequence[PairingPlayer]) -> list[int]:
        """Return the indices of possible opponents: other wishes for seats first, then the first of the lower half."""
        first_of_lower_half = (len(others) + 1 - (self.num_floaters - len(self.floaters))) // 2 - 1
        wish = find_seat_preference(player).seat

        def rate(index: int) -> tuple[bool, int, int]:
            has_same_wish = wish is not None and find_seat_preference(others[index]).seat == wish
            return has_same_wish, abs(index - first_of_lower_half), -index

        return sorted((index for index, other in enumerate(others) if self.graph.allows(player, other)), key=rate)


def pair_swiss(players: Collection[PairingPlayer]) -> RoundPairings | None:
    """Return the next round of a Swiss tournament, None if no pairing keeps its rules."""
    ranked = sorted(players, key=lambda player: (-player.points, player.number))
    for allows in (is_allowed_with_seats, have_not_met):
        graph = PairingGraph(allows)
        for bye in list_bye_candidates(ranked):
            paired = [player for player in ranked if player is not bye]
            if graph.can_pair_all(paired):
                pairs = pair_groups(graph, paired)
                games = tuple(order_by_seat(*sort_by_rank(pair)) for pair in pairs)
                return RoundPairings(games, None if bye is None else bye.number)
    return None


def list_bye_candidates(ranked: Sequence[PairingPlayer]) -> Iterator[PairingPlayer | None]:
    """Yield who may have the bye, the lowest-ranked first; only None if the number of players is even."""
    if len(ranked) % 2 == 0:
        yield None
        return
    yield from (player for player in reversed(ranked) if not player.has_had_bye)


def pair_groups(graph: PairingGraph, ranked: Sequence[PairingPlayer]) -> list[Pair]:
    """Return pairs of all players, who can be paired, score group by score group."""
    groups = [list(group) for _, group in groupby(ranked, key=lambda player: player.points)]
    pairs: list[Pair] = []
    floaters: list[PairingPlayer] = []
    for number, group in enumerate(groups):
        lower = [player for below in groups[number + 1 :] for player in below]
        new, floaters = pair_group(graph, [*floaters, *group], lower)
        pairs += new
    assert not floaters, "the last group has none"
    return pairs


def pair_group(
    graph: PairingGraph, group: Sequence[PairingPlayer], lower: Sequence[PairingPlayer]
) -> tuple[list[Pair], list[PairingPlayer]]:
    """Return pairs within a group, with the fewest floaters, and these; all others can still be paired."""
    last_count = len(group) if lower else 0
    for num_floaters in range(len(group) % 2, last_count + 1, 2):
        search = GroupSearch(graph, lower, num_floaters)
        if search.run(group):
            return search.pairs, search.floaters
    pairs = graph.match(group)  # the last group: a search that takes too long
    assert pairs is not None, "what is left can always be paired"
    return pairs, []


def sort_by_rank(pair: Pair) -> Pair:
    """Return a pair with the higher-ranked player first."""
    one, other = pair
    return (one, other) if (-one.points, one.number) < (-other.points, other.number) else (other, one)


def have_not_met(first: PairingPlayer, second: PairingPlayer) -> bool:
    """Return whether two players have not played each other."""
    return second.number not in first.opponents


def is_allowed_with_seats(first: PairingPlayer, second: PairingPlayer) -> bool:
    """Return whether two players have not played each other, and need not both get the same seat."""
    return have_not_met(first, second) and not has_seat_clash(first, second)
