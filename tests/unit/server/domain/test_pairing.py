"""Pairings keep the rules of tournaments, checked by independent, naive functions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ropewalk.server.domain.matching import NOBODY, find_maximum_matching
from ropewalk.server.domain.pairing import (
    PairingPlayer,
    count_round_robin_rounds,
    order_by_seat,
    pair_arena,
    pair_round_robin,
)
from ropewalk.server.domain.swiss import pair_swiss


def count_naively(edges: Sequence[tuple[int, int]]) -> int:
    """Return the size of a maximum matching by trying all."""
    if not edges:
        return 0
    (one, other), rest = edges[0], edges[1:]
    with_edge = [edge for edge in rest if not {one, other} & set(edge)]
    return max(1 + count_naively(with_edge), count_naively(rest))


@given(st.sets(st.sampled_from([*combinations(range(8), 2)]), max_size=14))
def test_a_matching_is_as_large_as_trying_all_finds(edges: set[tuple[int, int]]) -> None:
    count = 8
    neighbours = [[a + b - v for a, b in sorted(edges) if v in (a, b)] for v in range(count)]
    partners = find_maximum_matching(neighbours)
    for vertex, partner in enumerate(partners):
        assert partner == NOBODY or (partners[partner] == vertex and partner in neighbours[vertex])
    assert sum(partner != NOBODY for partner in partners) == 2 * count_naively(sorted(edges))


def play_swiss(num_players: int, num_rounds: int, seed: int) -> list[PairingPlayer]:
    """Play rounds with random results, check each by naive rules, and return the players afterwards."""
    rng = random.Random(seed)
    players = {number: PairingPlayer(number) for number in range(1, num_players + 1)}
    for _ in range(num_rounds):
        paired = pair_swiss(players.values())
        assert paired is not None
        numbers = [number for game in paired.games for number in game] + ([] if paired.bye is None else [paired.bye])
        assert sorted(numbers) == sorted(players), "everybody plays once or has the bye"
        for first, second in paired.games:
            score = rng.choice((0.0, 0.5, 1.0))
            for number, opponent, seat, points in ((first, second, 0, score), (second, first, 1, 1 - score)):
                before = players[number]
                assert opponent not in before.opponents, "nobody meets twice"
                players[number] = PairingPlayer(
                    number,
                    before.points + points,
                    (*before.opponents, opponent),
                    (*before.seats, seat),
                    before.has_had_bye,
                )
        if paired.bye is not None:
            before = players[paired.bye]
            assert not before.has_had_bye, "nobody has two byes"
            players[paired.bye] = PairingPlayer(paired.bye, before.points + 1, before.opponents, before.seats, True)
    return list(players.values())


@settings(max_examples=30)
@given(st.integers(4, 33), st.integers(0, 10_000))
def test_half_as_many_swiss_rounds_as_players_can_always_be_paired(num_players: int, seed: int) -> None:
    play_swiss(num_players, min(9, (num_players - 1) // 2), seed)


@settings(max_examples=30)
@given(st.integers(12, 32), st.integers(0, 10_000))
def test_swiss_seats_are_balanced(num_players: int, seed: int) -> None:
    for player in play_swiss(num_players, 5, seed):
        assert abs(player.seat_difference) <= 2
        assert all(len(set(player.seats[at : at + 3])) > 1 for at in range(len(player.seats) - 2)), player.seats


def list_pairings(numbers: Sequence[int], allowed: set[frozenset[int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield all complete pairings of players."""
    if not numbers:
        yield []
    for opponent in numbers[1:]:
        if frozenset((numbers[0], opponent)) in allowed:
            rest = [number for number in numbers[1:] if number != opponent]
            yield from ([(numbers[0], opponent), *pairs] for pairs in list_pairings(rest, allowed))


def wants_seat(player: PairingPlayer) -> int | None:
    """Return the seat that a player must get, None if either will do."""
    difference = player.seats.count(0) - player.seats.count(1)
    if player.seats[-2:] in ((0, 0), (1, 1)):
        return 1 - player.seats[-1]
    return (0 if difference < 0 else 1) if abs(difference) >= 2 else None


@settings(max_examples=60)
@given(st.integers(2, 5), st.integers(1, 3), st.integers(0, 10_000))
def test_as_few_players_as_possible_leave_the_first_score_group(half: int, num_rounds: int, seed: int) -> None:
    players = {player.number: player for player in play_swiss(2 * half, min(num_rounds, half - 1), seed)}
    new = {frozenset(pair) for pair in combinations(players, 2) if pair[0] not in players[pair[1]].opponents}
    fair = {pair for pair in new if len({wants_seat(players[number]) for number in pair}) > 1
            or None in {wants_seat(players[number]) for number in pair}}  # fmt: skip
    leaders = {number for number, player in players.items() if player.points == max(p.points for p in players.values())}

    def count_floaters(games: Sequence[tuple[int, int]]) -> int:
        return sum(len(leaders & set(game)) == 1 for game in games)

    pairings = [*list_pairings(list(players), fair)] or [*list_pairings(list(players), new)]
    paired = pair_swiss(players.values())
    assert paired is not None
    assert count_floaters(paired.games) == min(map(count_floaters, pairings))


def test_the_first_swiss_round_pairs_the_upper_with_the_lower_half() -> None:
    paired = pair_swiss([PairingPlayer(number) for number in range(1, 9)])
    assert paired is not None
    assert [set(game) for game in paired.games] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]


def test_there_is_no_pairing_when_all_have_met_all() -> None:
    others = {number: tuple(other for other in range(1, 5) if other != number) for number in range(1, 5)}
    assert pair_swiss([PairingPlayer(number, 0, opponents) for number, opponents in others.items()]) is None


def test_a_large_swiss_is_paired_until_few_opponents_are_left() -> None:
    players = play_swiss(64, 20, seed=3)
    assert {len(player.opponents) for player in players} == {20}


@pytest.mark.parametrize("num_players", range(2, 17))
@pytest.mark.parametrize("cycles", [1, 2])
def test_everybody_meets_everybody_in_a_round_robin(num_players: int, cycles: int) -> None:
    numbers = list(range(1, num_players + 1))
    rounds = [pair_round_robin(numbers, at) for at in range(count_round_robin_rounds(num_players, cycles))]
    met = Counter(frozenset(game) for each in rounds for game in each.games)
    assert met == dict.fromkeys(map(frozenset, combinations(numbers, 2)), cycles)
    firsts = Counter(game[0] for each in rounds for game in each.games)
    seconds = Counter(game[1] for each in rounds for game in each.games)
    for number in numbers:
        assert abs(firsts[number] - seconds[number]) <= (1 if cycles == 1 else 0)
    for each in rounds:
        playing = [number for game in each.games for number in game] + ([] if each.bye is None else [each.bye])
        assert sorted(playing) == numbers


def test_an_arena_pairs_neighbours_who_have_not_just_met() -> None:
    players = [PairingPlayer(1, 3, (2,)), PairingPlayer(2, 2, (1,)), PairingPlayer(3, 1), PairingPlayer(4, 0)]
    assert [set(game) for game in pair_arena(players, 4).games] == [{1, 3}, {2, 4}]
    assert pair_arena(players[:2], 4).games == ()
    assert len(pair_arena(players[:2], 2).games) == 1


def test_the_stronger_wish_for_a_seat_is_granted() -> None:
    twice_first, once_first = PairingPlayer(1, 2, (3, 4), (0, 0)), PairingPlayer(2, 2, (5,), (0,))
    assert order_by_seat(once_first, twice_first) == (2, 1)
    assert order_by_seat(twice_first, once_first) == (2, 1)
