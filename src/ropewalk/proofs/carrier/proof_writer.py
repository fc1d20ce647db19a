"""Writer of carrier proofs: strategies in the format that `checker` describes and verifies.

Strategies are extracted from the solver's table after a position is solved; entries that the table has lost are searched
again. Equal lines are written once, and a file contains only the strategies that its claims need.
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

STRATEGIES_PER_CHECK = 256  # between two checks of the stop event

Strategy = tuple[int, int]  # masks of the required stones and of the carrier


class CarrierProofWriter:
    """Strategies in the order of the file, each with its required stones and carrier, and the claims."""

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
        """Add the claim that `colour` (seat `seat`) wins after `moves`, with its strategy.

        The stop event interrupts this with SolverStopped; the deadline does not.
        """
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
        """Return the winner's next cell and the index of the strategy after it; the winner is to move."""
        self.require_win(mine, theirs, colour, mover=colour)
        win = self.solver.root_win
        cell = win.cell if win.cell != NO_STONE else self.pick_idle_cell(win, mine | theirs)
        if win.kind == BY_SEARCH:
            return cell, self.add_defence(mine | 1 << cell, theirs, colour)
        return cell, self.add_leaf(win, mine, theirs)

    def pick_idle_cell(self, win: Threat, occupied: int) -> int:
        """Return a cell to claim for a winner who needs no further stone."""
        return bit_indices(win.carrier or self.solver.bitboard.claimable & MASK64 & ~occupied)[0]

    def require_win(self, mine: int, theirs: int, colour: int, mover: int) -> None:
        """Solve a position that `colour` must win, so that the solver's root has its result."""
        black, white = (mine, theirs) if colour == 0 else (theirs, mine)
        winner = self.solver.solve(black, white, mover)
        assert winner == colour

    def add_leaf(self, threat: Threat, mine: int, theirs: int) -> int:
        """Return the index of the strategy of a static win, after its first stone if it has one."""
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
        """Return the stones of groups that touch the carrier; all stones if it is empty."""
        if carrier == 0:
            return mine
        return int(flood(self.solver.bitboard, to_signed64(carrier), to_signed64(mine | carrier))) & mine

    def add_defence(self, mine: int, theirs: int, colour: int) -> int:
        """Return the index of the strategy with which `colour` wins although the opponent moves."""
        if (mine, theirs) not in self.defence_cache:
            self.defence_cache[mine, theirs] = self.build_defence(mine, theirs, colour)
        return self.defence_cache[mine, theirs]

    def build_defence(self, mine: int, theirs: int, colour: int) -> int:
        """Add a static win, or threats that have no cell in common; return the strategy's index."""
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
        """Return the move whose cached refutation leaves the smallest must-play region."""
        return min(bit_indices(must_play), key=lambda move: (refutations.get(move, MASK64) & must_play).bit_count())

    def threat_carrier(self, threat: tuple[int, int]) -> int:
        """Return a threat's carrier: its cell and the carrier of its strategy."""
        cell, number = threat
        return self.strategies[number][1] | 1 << cell

    def minimal_threats(self, threats: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the threats without those that the empty intersection does not need."""
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
        """Return the stones that the threats require before their first cells are claimed."""
        required = 0
        for cell, number in threats:
            required |= self.strategies[number][0] & ~(1 << cell)
        return required

    def add_threats(self, threats: list[tuple[int, int]]) -> int:
        """Return the index of the strategy that consists of these threats."""
        required = self.required_stones(threats)
        union = 0
        for threat in threats:
            union |= self.threat_carrier(threat)
        line = " ".join(f"{cell} {number}" for cell, number in sorted(threats))
        return self.add_strategy(line, (required, union & ~required))

    def add_strategy(self, line: str, strategy: Strategy) -> int:
        """Append a strategy unless an equal line exists; return its index."""
        if line not in self.index_by_line:
            self.index_by_line[line] = len(self.lines)
            self.lines.append(line)
            self.strategies.append(strategy)
        return self.index_by_line[line]

    def resume(self, path: Path, spec: str, position: str) -> None:
        """Take over the strategies and claims of an existing file after checking them.

        Raises ProofError if the file does not prove its claims or belongs to another position.
        """
        header, strategies, _ = check_file(path, self.solver.on_progress)
        if (header["spec"], header["position"]) != (spec, position):
            raise ProofError(
                f"{path} is a proof for position {header['position']!r} of {header['spec']}, not {position!r} of {spec}"
            )
        self.claims, self.strategies = header["claims"], strategies
        self.lines = [line.strip() for _, line in iter_numbered_lines(path)][1:]
        self.index_by_line = {line: number for number, line in enumerate(self.lines)}

    def used_strategies(self) -> list[int]:
        """Return the indices of the strategies that the claims need, in order."""
        needed = {claim["root"] for claim in self.claims}
        for number in range(len(self.lines) - 1, -1, -1):
            if number in needed and self.lines[number][0].isdigit():
                needed.update(map(int, self.lines[number].split()[1::2]))
        return sorted(needed)

    def save(self, path: Path, spec: str, position: str) -> None:
        """Write the claims and the strategies that they need, atomically; gzipped if the name ends in .gz."""
        used = self.used_strategies()
        new_numbers = {number: new_number for new_number, number in enumerate(used)}
        claims = [claim | {"root": new_numbers[claim["root"]]} for claim in self.claims]
        header = {HEADER_KEY: 1, "kind": "carrier", "spec": spec, "position": position, "mirrors": self.mirrors,
                  "claims": claims, "lines": len(used)}  # fmt: skip
        with atomic_write(path) as temp_path, open_for_writing(temp_path, compress=path.suffix == ".gz") as file:
            file.write(json.dumps(header) + "\n")
            file.writelines(renumber(self.lines[number], new_numbers) + "\n" for number in used)


def renumber(line: str, new_numbers: dict[int, int]) -> str:
    """Return a strategy's line with new indices of the strategies that it refers to."""
    if not line[0].isdigit():
        return line
    tokens = line.split()
    tokens[1::2] = [str(new_numbers[int(token)]) for token in tokens[1::2]]
    return " ".join(tokens)


def open_for_writing(path: Path, compress: bool) -> IO[str]:
    """Open a text file for writing, gzipped or plain."""
    if compress:
        return gzip.open(path, "wt", encoding="ascii", newline="\n", compresslevel=5)
    return path.open("w", encoding="ascii", newline="\n")
