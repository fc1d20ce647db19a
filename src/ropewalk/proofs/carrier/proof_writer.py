"""Proof files of the carrier solver: strategies written so that `carrier_checker` can replay them.

The format is told there. Strategies are collected from the engine's table after a position was decided; what the table
has forgotten by then is searched again.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ...atomic_file import atomic_write
from ...jit.intrinsics import MASK64, bit_indices, to_signed64
from ..solver import ProofError
from .bitboard import flood
from .checker import HEADER_KEY, check_file, iter_numbered_lines
from .search import BY_MIRROR, BY_SEARCH, NO_STONE

if TYPE_CHECKING:
    from .solver import CarrierSolver, Threat

STRATEGIES_PER_CHECK = 256  # strategies collected between two looks at whether to stop

Strategy = tuple[int, int]  # what it holds, and its carrier


class CarrierProofWriter:
    """Strategies in the order of the file, each with what it holds and its carrier, and what they prove."""

    def __init__(self, solver: CarrierSolver, mirrors: list[list[int]]) -> None:
        self.solver = solver
        self.mirrors = mirrors
        self.lines: list[str] = []
        self.strategies: list[Strategy] = []
        self.index_by_line: dict[str, int] = {}
        self.defence_cache: dict[tuple[int, int], int] = {}
        self.claims: list[dict[str, Any]] = []

    def add_claim(
        self, moves: list[str], seat: int, stones: tuple[int, int], colour: int, mover: int, cell_names: Any
    ) -> None:
        """Collect the strategy with which a colour wins after these moves; `stop` interrupts that, a deadline does not."""
        deadline, self.solver.deadline = self.solver.deadline, None
        mine, theirs = stones[colour], stones[1 - colour]
        claim: dict[str, Any] = {"moves": moves, "winner": seat}
        if mover == colour:
            cell, claim["root"] = self.add_attack(mine, theirs, colour)
            claim["play"] = cell_names[cell]
        else:
            claim["root"] = self.add_defence(mine, theirs, colour)
        self.claims.append(claim)
        self.solver.deadline = deadline

    def add_attack(self, mine: int, theirs: int, colour: int) -> tuple[int, int]:
        """The winner's next cell, and the number of the strategy to follow then."""
        self.require_win(mine, theirs, colour, mover=colour)
        win = self.solver.root_win
        cell = win.cell if win.cell != NO_STONE else self.pick_idle_cell(win, mine | theirs)
        if win.kind == BY_SEARCH:
            return cell, self.add_defence(mine | 1 << cell, theirs, colour)
        return cell, self.add_leaf(win, mine, theirs)

    def pick_idle_cell(self, win: Threat, occupied: int) -> int:
        """A cell to claim for who has won by mirroring already."""
        return bit_indices(win.carrier or self.solver.bitboard.claimable & MASK64 & ~occupied)[0]

    def require_win(self, mine: int, theirs: int, colour: int, mover: int) -> None:
        """Ask the engine about a position that this colour wins."""
        black, white = (mine, theirs) if colour == 0 else (theirs, mine)
        winner = self.solver.solve(black, white, mover)
        assert winner == colour

    def add_leaf(self, threat: Threat, mine: int, theirs: int) -> int:
        """The strategy of a win at a glance, after its first stone if it has one."""
        mine |= 0 if threat.cell == NO_STONE else 1 << threat.cell
        if threat.kind >= BY_MIRROR:
            mirror = threat.kind - BY_MIRROR
            reflected = sum(1 << other for cell, other in enumerate(self.mirrors[mirror]) if mine >> cell & 1)
            carrier = self.solver.bitboard.claimable & MASK64 & ~(mine | reflected)
            return self.add_strategy(f"% {mirror} {mine:x}", (mine, carrier))
        pairs = self.solver.find_pairing(mine, theirs)
        carrier = sum(pairs)
        stones = self.relevant_stones(mine, carrier)
        return self.add_strategy(" ".join(["=", f"{stones:x}", *(f"{pair:x}" for pair in sorted(pairs))]), (stones, carrier))

    def relevant_stones(self, mine: int, carrier: int) -> int:
        """My stones without the groups that have nothing to do with the pairs."""
        if carrier == 0:
            return mine
        return int(flood(self.solver.bitboard, to_signed64(carrier), to_signed64(mine | carrier))) & mine

    def add_defence(self, mine: int, theirs: int, colour: int) -> int:
        """The number of the strategy with which a colour wins though the opponent moves."""
        if (mine, theirs) not in self.defence_cache:
            self.defence_cache[mine, theirs] = self.build_defence(mine, theirs, colour)
        return self.defence_cache[mine, theirs]

    def build_defence(self, mine: int, theirs: int, colour: int) -> int:
        """A win at a glance, or threats that have no cell in common."""
        if len(self.defence_cache) % STRATEGIES_PER_CHECK == STRATEGIES_PER_CHECK - 1:
            self.solver.check_limits()
        self.require_win(mine, theirs, colour, mover=1 - colour)
        win = self.solver.root_win
        if win.kind != BY_SEARCH:
            return self.add_leaf(win, mine, theirs)
        static_threats = self.solver.static_threats
        refutations = self.solver.cached_refutations()
        must_play = self.solver.bitboard.claimable & MASK64 & ~(mine | theirs)
        threats: list[tuple[int, int]] = []
        for threat in static_threats:
            if threat.kind != BY_SEARCH and must_play & ~threat.carrier:
                threats.append((threat.cell, self.add_leaf(threat, mine, theirs)))
                must_play &= self.threat_carrier(threats[-1])
        while must_play:
            move = self.select_refuted_move(must_play, refutations)
            threats.append(self.add_attack(mine, theirs | 1 << move, colour))
            must_play &= self.threat_carrier(threats[-1])
        return self.add_threats(self.minimal_threats(threats))

    def select_refuted_move(self, must_play: int, refutations: dict[int, int]) -> int:
        """The move whose refutation leaves the fewest others to refute."""
        return min(bit_indices(must_play), key=lambda move: (refutations.get(move, MASK64) & must_play).bit_count())

    def threat_carrier(self, threat: tuple[int, int]) -> int:
        """The carrier of a threat: its cell, and what follows."""
        cell, number = threat
        return self.strategies[number][1] | 1 << cell

    def minimal_threats(self, threats: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The threats without those that are not needed."""
        for threat in list(threats):
            others = [other for other in threats if other is not threat]
            required = self.required_stones(others)
            common = MASK64
            for other in others:
                common &= self.threat_carrier(other)
            if others and not common & ~required:
                threats = others
        return threats

    def required_stones(self, threats: list[tuple[int, int]]) -> int:
        """The stones that these threats need."""
        required = 0
        for cell, number in threats:
            required |= self.strategies[number][0] & ~(1 << cell)
        return required

    def add_threats(self, threats: list[tuple[int, int]]) -> int:
        """A strategy of several threats."""
        required = self.required_stones(threats)
        union = 0
        for threat in threats:
            union |= self.threat_carrier(threat)
        line = " ".join(f"{cell} {number}" for cell, number in sorted(threats))
        return self.add_strategy(line, (required, union & ~required))

    def add_strategy(self, line: str, strategy: Strategy) -> int:
        """Write a strategy, once."""
        if line not in self.index_by_line:
            self.index_by_line[line] = len(self.lines)
            self.lines.append(line)
            self.strategies.append(strategy)
        return self.index_by_line[line]

    def resume(self, path: Path, spec: str, position: str) -> None:
        """Take over what an earlier run has proven, after checking it."""
        header, strategies, _ = check_file(path, self.solver.on_progress)
        if (header["spec"], header["position"]) != (spec, position):
            raise ProofError(f"{path} is about {header['position']!r} of {header['spec']}, not {position!r} of {spec}")
        self.claims, self.strategies = header["claims"], strategies
        self.lines = [line.strip() for _, line in iter_numbered_lines(path)][1:]
        self.index_by_line = {line: number for number, line in enumerate(self.lines)}

    def used_strategies(self) -> list[int]:
        """The numbers of the strategies that the claims need, in order."""
        needed = {claim["root"] for claim in self.claims}
        for number in range(len(self.lines) - 1, -1, -1):
            if number in needed and self.lines[number][0].isdigit():
                needed.update(map(int, self.lines[number].split()[1::2]))
        return sorted(needed)

    def save(self, path: Path, spec: str, position: str) -> None:
        """Write what the claims need and put the file in place at once."""
        used = self.used_strategies()
        new_numbers = {number: new_number for new_number, number in enumerate(used)}
        claims = [claim | {"root": new_numbers[claim["root"]]} for claim in self.claims]
        header = {HEADER_KEY: 1, "kind": "carrier", "spec": spec, "position": position, "mirrors": self.mirrors,
                  "claims": claims, "lines": len(used)}  # fmt: skip
        with atomic_write(path) as temp_path, open_for_writing(temp_path, compress=path.suffix == ".gz") as file:
            file.write(json.dumps(header) + "\n")
            file.writelines(renumber(self.lines[number], new_numbers) + "\n" for number in used)


def renumber(line: str, new_numbers: dict[int, int]) -> str:
    """A strategy's line with other numbers for those that follow."""
    if not line[0].isdigit():
        return line
    tokens = line.split()
    tokens[1::2] = [str(new_numbers[int(word)]) for word in tokens[1::2]]
    return " ".join(tokens)


def open_for_writing(path: Path, compress: bool) -> IO[str]:
    """A file to write."""
    if compress:
        return gzip.open(path, "wt", encoding="ascii", newline="\n", compresslevel=5)
    return path.open("w", encoding="ascii", newline="\n")
