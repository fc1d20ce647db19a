"""Proof files of the carrier solver: strategies written so that `carrier_checker` can replay them.

The format is told there. Strategies are collected from the engine's table after a position was decided; what the table
has forgotten by then is searched again.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import IO, Any

from ..bits import bit_indices, to_signed64
from ..files import atomic_write
from .carrier_checker import HEADER, numbered, replayed
from .carrier_engine import WORD, Engine, Threat
from .carrier_field import reach
from .carrier_search import BY_MIRROR, BY_SEARCH, NO_STONE
from .solution import ProofError

OFTEN = 256  # strategies collected between two looks at whether to stop

Strategy = tuple[int, int]  # what it holds, and its carrier


class Proof:
    """Strategies in the order of the file, each with what it holds and its carrier, and what they prove."""

    def __init__(self, engine: Engine, mirrors: list[list[int]]) -> None:
        self.engine = engine
        self.mirrors = mirrors
        self.lines: list[str] = []
        self.strategies: list[Strategy] = []
        self.numbers: dict[str, int] = {}
        self.known: dict[tuple[int, int], int] = {}
        self.claims: list[dict[str, Any]] = []

    def claim(self, moves: list[str], seat: int, stones: tuple[int, int], colour: int, mover: int, names: Any) -> None:
        """Collect the strategy with which a colour wins after these moves; `stop` interrupts that, a deadline does not."""
        ends, self.engine.ends = self.engine.ends, None
        mine, theirs = stones[colour], stones[1 - colour]
        claim: dict[str, Any] = {"moves": moves, "winner": seat}
        if mover == colour:
            cell, claim["root"] = self.attack(mine, theirs, colour)
            claim["play"] = names[cell]
        else:
            claim["root"] = self.defence(mine, theirs, colour)
        self.claims.append(claim)
        self.engine.ends = ends

    def attack(self, mine: int, theirs: int, colour: int) -> tuple[int, int]:
        """The winner's next cell, and the number of the strategy to follow then."""
        self.decide(mine, theirs, colour, mover=colour)
        verdict = self.engine.verdict
        cell = verdict.cell if verdict.cell != NO_STONE else self.idle_cell(verdict, mine | theirs)
        if verdict.kind == BY_SEARCH:
            return cell, self.defence(mine | 1 << cell, theirs, colour)
        return cell, self.leaf(verdict, mine, theirs)

    def idle_cell(self, verdict: Threat, taken: int) -> int:
        """A cell to claim for who has won by mirroring already."""
        return bit_indices(verdict.carrier or self.engine.field.board & WORD & ~taken)[0]

    def decide(self, mine: int, theirs: int, colour: int, mover: int) -> None:
        """Ask the engine about a position that this colour wins."""
        black, white = (mine, theirs) if colour == 0 else (theirs, mine)
        winner = self.engine.decide(black, white, mover)
        assert winner == colour

    def leaf(self, threat: Threat, mine: int, theirs: int) -> int:
        """The strategy of a win at a glance, after its first stone if it has one."""
        mine |= 0 if threat.cell == NO_STONE else 1 << threat.cell
        if threat.kind >= BY_MIRROR:
            mirror = threat.kind - BY_MIRROR
            image = sum(1 << other for cell, other in enumerate(self.mirrors[mirror]) if mine >> cell & 1)
            carrier = self.engine.field.board & WORD & ~(mine | image)
            return self.add(f"% {mirror} {mine:x}", (mine, carrier))
        pairs = self.engine.pairs(mine, theirs)
        carrier = sum(pairs)
        stones = self.tied(mine, carrier)
        return self.add(" ".join(["=", f"{stones:x}", *(f"{pair:x}" for pair in sorted(pairs))]), (stones, carrier))

    def tied(self, mine: int, carrier: int) -> int:
        """My stones without the groups that have nothing to do with the pairs."""
        if carrier == 0:
            return mine
        return int(reach(self.engine.field, to_signed64(carrier), to_signed64(mine | carrier))) & mine

    def defence(self, mine: int, theirs: int, colour: int) -> int:
        """The number of the strategy with which a colour wins though the opponent moves."""
        if (mine, theirs) not in self.known:
            self.known[mine, theirs] = self.new_defence(mine, theirs, colour)
        return self.known[mine, theirs]

    def new_defence(self, mine: int, theirs: int, colour: int) -> int:
        """A win at a glance, or threats that have no cell in common."""
        if len(self.known) % OFTEN == OFTEN - 1:
            self.engine.pause()
        self.decide(mine, theirs, colour, mover=1 - colour)
        verdict = self.engine.verdict
        if verdict.kind != BY_SEARCH:
            return self.leaf(verdict, mine, theirs)
        seen = self.engine.threats
        refutations = self.engine.known_refutations()
        region = self.engine.field.board & WORD & ~(mine | theirs)
        threats: list[tuple[int, int]] = []
        for threat in seen:
            if threat.kind != BY_SEARCH and region & ~threat.carrier:
                threats.append((threat.cell, self.leaf(threat, mine, theirs)))
                region &= self.carrier_of(threats[-1])
        while region:
            move = self.best_refuted(region, refutations)
            threats.append(self.attack(mine, theirs | 1 << move, colour))
            region &= self.carrier_of(threats[-1])
        return self.add_threats(self.fewest(threats))

    def best_refuted(self, region: int, refutations: dict[int, int]) -> int:
        """The move whose refutation leaves the fewest others to refute."""
        return min(bit_indices(region), key=lambda move: (refutations.get(move, WORD) & region).bit_count())

    def carrier_of(self, threat: tuple[int, int]) -> int:
        """The carrier of a threat: its cell, and what follows."""
        cell, number = threat
        return self.strategies[number][1] | 1 << cell

    def fewest(self, threats: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The threats without those that are not needed."""
        for threat in list(threats):
            others = [other for other in threats if other is not threat]
            holds = self.held_by(others)
            common = WORD
            for other in others:
                common &= self.carrier_of(other)
            if others and not common & ~holds:
                threats = others
        return threats

    def held_by(self, threats: list[tuple[int, int]]) -> int:
        """The stones that these threats need."""
        holds = 0
        for cell, number in threats:
            holds |= self.strategies[number][0] & ~(1 << cell)
        return holds

    def add_threats(self, threats: list[tuple[int, int]]) -> int:
        """A strategy of several threats."""
        holds = self.held_by(threats)
        union = 0
        for threat in threats:
            union |= self.carrier_of(threat)
        line = " ".join(f"{cell} {number}" for cell, number in sorted(threats))
        return self.add(line, (holds, union & ~holds))

    def add(self, line: str, strategy: Strategy) -> int:
        """Write a strategy, once."""
        if line not in self.numbers:
            self.numbers[line] = len(self.lines)
            self.lines.append(line)
            self.strategies.append(strategy)
        return self.numbers[line]

    def resume(self, path: Path, spec: str, position: str) -> None:
        """Take over what an earlier run has proven, after checking it."""
        header, strategies, _ = replayed(path, self.engine.watch)
        if (header["spec"], header["position"]) != (spec, position):
            raise ProofError(f"{path} is about {header['position']!r} of {header['spec']}, not {position!r} of {spec}")
        self.claims, self.strategies = header["claims"], strategies
        self.lines = [line.strip() for _, line in numbered(path)][1:]
        self.numbers = {line: number for number, line in enumerate(self.lines)}

    def used(self) -> list[int]:
        """The numbers of the strategies that the claims need, in order."""
        wanted = {claim["root"] for claim in self.claims}
        for number in range(len(self.lines) - 1, -1, -1):
            if number in wanted and self.lines[number][0].isdigit():
                wanted.update(map(int, self.lines[number].split()[1::2]))
        return sorted(wanted)

    def save(self, path: Path, spec: str, position: str) -> None:
        """Write what the claims need and put the file in place at once."""
        used = self.used()
        places = {number: place for place, number in enumerate(used)}
        claims = [claim | {"root": places[claim["root"]]} for claim in self.claims]
        header = {HEADER: 1, "kind": "carrier", "spec": spec, "position": position, "mirrors": self.mirrors,
                  "claims": claims, "lines": len(used)}  # fmt: skip
        with atomic_write(path) as draft, opened(draft, packed=path.suffix == ".gz") as file:
            file.write(json.dumps(header) + "\n")
            file.writelines(renumbered(self.lines[number], places) + "\n" for number in used)


def renumbered(line: str, places: dict[int, int]) -> str:
    """A strategy's line with other numbers for those that follow."""
    if not line[0].isdigit():
        return line
    words = line.split()
    words[1::2] = [str(places[int(word)]) for word in words[1::2]]
    return " ".join(words)


def opened(path: Path, packed: bool) -> IO[str]:
    """A file to write."""
    if packed:
        return gzip.open(path, "wt", encoding="ascii", newline="\n", compresslevel=5)
    return path.open("w", encoding="ascii", newline="\n")
