"""Tournaments as sequences of events: players, rounds, results, standings and what happens next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ropewalk.server.domain.clocks import Days, Fischer
from ropewalk.server.domain.standings import compute_standings
from ropewalk.server.domain.tournament import (
    TournamentEvent,
    TournamentEventType,
    TournamentFormat,
    TournamentSettings,
    TournamentState,
    apply_tournament_event,
    replay_tournament,
)
from ropewalk.server.domain.tournament_actions import MAX_ARENA_GAMES, MAX_REGISTRATION_MS, plan_next_event
from tests.support.match_log import expect_error

CLOCK = Fischer(initial_seconds=60)


def generate_ids() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"m{number}"


class Log:
    """A tournament to which events are added."""

    def __init__(self, format_: TournamentFormat, num_players: int, **more: Any) -> None:
        self.config = TournamentSettings("Cup", format_, "tether-3", more.pop("clock", CLOCK), **more)
        self.events: list[TournamentEvent] = []
        self.state = TournamentState(self.config)
        self.ids = generate_ids()
        for number in range(1, num_players + 1):
            self.add("player-joined", f"user{number}", number=number)

    def add(self, type_: TournamentEventType, user_id: str | None = None, **data: Any) -> None:
        self.events.append(TournamentEvent(len(self.events) + 1, 1000, type_, user_id, data))
        self.state = apply_tournament_event(self.state, self.events[-1])

    def advance(self, now: int = 2000) -> str | None:
        """Add the next event that the server plans; return its type."""
        new = plan_next_event(self.state, 0, now, lambda: next(self.ids))
        if new is not None:
            self.add(new.type, new.user_id, **new.data)
        return None if new is None else new.type

    def end_games(self, result: str = "first") -> None:
        self.add("games-ended", results={game.match_id: result for game in self.state.open_games})


def list_points(state: TournamentState) -> Sequence[tuple[int, int, float]]:
    return [(row.rank, row.number, row.points) for row in compute_standings(state)]


def test_a_round_robin_pairs_rounds_until_all_have_met() -> None:
    log = Log("round-robin", 3)
    assert log.advance() is None
    log.add("tournament-started")
    for _ in range(3):
        assert log.advance() == "round-paired"
        assert log.advance() is None, "the games go on"
        log.end_games("draw")
    assert log.advance() == "tournament-ended"
    assert log.advance() is None
    assert list_points(log.state) == [(1, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)], "a bye of a round robin gives no point"
    assert replay_tournament(log.config, log.events) == log.state


def test_a_correspondence_round_robin_starts_all_rounds_at_once() -> None:
    log = Log("round-robin", 4, clock=Days(days=1), cycles=2)
    log.add("tournament-started")
    assert [log.advance() for _ in range(7)] == ["round-paired"] * 6 + [None]
    assert len(log.state.open_games) == 12


def test_a_swiss_counts_byes_and_breaks_ties_by_buchholz() -> None:
    log = Log("swiss", 3, rounds=2)
    log.add("tournament-started")
    log.advance()
    (first,) = log.state.rounds
    assert first.bye == 3
    log.end_games()
    winner = first.games[0].first
    log.advance()
    log.end_games("draw")
    assert log.advance() == "tournament-ended"
    rows = {row.number: row for row in compute_standings(log.state)}
    assert rows[winner].points == 1.5 if log.state.rounds[1].bye != winner else rows[winner].points == 2
    assert rows[3].buchholz >= rows[3].points, "the bye counts as an opponent with the player's own points"
    assert sum(row.points for row in rows.values()) == 4


def test_a_swiss_ends_early_when_everybody_has_met_everybody() -> None:
    log = Log("swiss", 4, rounds=9)
    log.add("tournament-started")
    while log.advance() == "round-paired":
        log.end_games()
    assert len(log.state.rounds) == 3
    assert log.state.status == "over"


def test_who_has_withdrawn_is_not_paired() -> None:
    log = Log("swiss", 4, rounds=2)
    log.add("tournament-started")
    log.add("player-withdrew", number=2)
    log.advance()
    assert {number for game in log.state.games for number in (game.first, game.second)} | {log.state.rounds[0].bye} == {
        1,
        3,
        4,
    }
    robin = Log("round-robin", 2)
    robin.add("tournament-started")
    robin.add("player-withdrew", number=1)
    robin.add("player-withdrew", number=2)
    assert robin.advance() == "tournament-ended"


def test_an_arena_pairs_until_its_time_is_over() -> None:
    log = Log("arena", 4, duration_minutes=1)
    log.add("tournament-started")
    assert log.advance() == "round-paired"
    assert log.advance() is None
    log.end_games()
    assert log.advance() == "round-paired"
    ended_at = log.state.ends_at
    assert ended_at == 61_000
    assert log.advance(ended_at) is None, "games that go on are finished"
    log.end_games()
    assert log.advance(ended_at) == "tournament-ended"
    assert [row.games for row in compute_standings(log.state)] == [2, 2, 2, 2]


def test_an_arena_has_a_limit_of_games() -> None:
    log = Log("arena", 2, duration_minutes=60)
    log.add("tournament-started")
    while log.advance() == "round-paired":
        log.end_games("second")
    assert (len(log.state.games), log.state.status) == (MAX_ARENA_GAMES, "over")


def test_a_tournament_that_nobody_starts_is_cancelled() -> None:
    log = Log("swiss", 5)
    assert log.advance(MAX_REGISTRATION_MS - 1) is None
    assert log.advance(MAX_REGISTRATION_MS) == "tournament-cancelled"
    assert Log("swiss", 1, starts_at=2000).advance() == "tournament-cancelled"
    assert Log("swiss", 2, starts_at=2000).advance() == "tournament-started"
    assert Log("swiss", 2, starts_at=2001).advance() is None


def test_numbers_of_players_who_left_are_not_used_again() -> None:
    from ropewalk.server.domain.tournament_actions import decide_join, decide_withdrawal

    log = Log("swiss", 2)
    log.add("player-withdrew", number=2)
    assert decide_join(log.state, "user2").data == {"number": 3}
    with expect_error("not-found"):
        decide_withdrawal(log.state, "user1", 2)
