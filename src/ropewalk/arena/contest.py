"""A contest: what is to be played, what has been played already, and playing the rest."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..games.game import Game
from .playing import Result
from .record import Identity, Record
from .results import Results, Settings, results
from .schedule import Fixture, Form, Pairing, fixtures, pairings
from .standings import Standings, standings
from .workers import Workers, refuse_changed


@dataclass(frozen=True)
class Contest:
    """Some bots, how they meet, and for how long."""

    game: Game
    bots: tuple[str, ...]
    form: Form
    games: int  # of each pairing
    opening_plies: int
    seed: int
    workers: int = 1
    even_openings: str = ""  # by the judgement of this bot

    @property
    def pairings(self) -> list[Pairing]:
        """Who meets whom."""
        return pairings(self.form, len(self.bots))

    @property
    def settings(self) -> Settings:
        """What must stay the same while a file of results grows."""
        return Settings(self.game.spec, self.form, self.opening_plies, self.seed, self.bots, self.even_openings)

    def fixtures(self) -> list[Fixture]:
        """All games."""
        pairs = self.games // 2
        return list(fixtures(self.game, self.pairings, pairs, self.opening_plies, self.seed, self.even_openings))

    def standings(self, records: Sequence[Record]) -> Standings:
        """What the games so far say."""
        return standings(self.bots, self.pairings, records)


def hold(contest: Contest, path: Path | None, warn: Callable[[str], None]) -> Generator[Record, None, None]:
    """All games: first those that the file has already, then those that are missing, as they are played."""
    with results(contest.settings, path) as found:
        if found.dropped:
            warn(found.dropped)
        yield from found.records.values()
        missing = [fixture for fixture in contest.fixtures() if fixture.key not in found.records]
        if missing:
            yield from played(contest, found, missing)


def played(contest: Contest, found: Results, missing: Sequence[Fixture]) -> Iterator[Record]:
    """Play games, each in the file before it is handed on."""
    with Workers(contest.game.spec, contest.bots, contest.workers) as workers:
        identities = workers.hire()
        refuse_changed(found.identities or identities, identities)
        found.identify(identities)
        for fixture, result in workers.play(missing):
            record = recorded(contest.game.spec, fixture, identities, result)
            found.add(record)
            yield record


def recorded(spec: str, fixture: Fixture, identities: Sequence[Identity], result: Result) -> Record:
    """All there is to keep of a game."""
    first, second = fixture.seats
    sitting = result.sitting
    return Record(
        spec=spec,
        bots=(identities[first], identities[second]),
        pairing=fixture.pairing,
        pair=fixture.pair,
        exchanged=fixture.exchanged,
        seed=fixture.seed,
        opening=fixture.opening,
        moves=tuple(sitting.moves),
        winner=result.winner,
        reason=result.reason,
        words=result.words,
        plies=len(fixture.opening) + len(sitting.moves),
        seconds=rounded(sitting.seconds),
        overrun=rounded(sitting.overrun),
    )


def rounded(times: Sequence[float]) -> tuple[float, float]:
    """Times to the tenth of a millisecond."""
    first, second = (round(float(seconds), 4) for seconds in times)
    return first, second
