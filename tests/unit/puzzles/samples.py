"""A puzzle of Tether, small enough to be checked by hand."""

from __future__ import annotations

from ropewalk.puzzles.puzzle import Puzzle

DRAWN = """
    a b c d e f g    red sides: rows 1 and 7, blue sides: columns a and g
1 | b . r r r r b
2 |  r b b b b r b
3 |   r r r r b r b
4 |    b b . . b b r
5 |     r r b b r b .
6 |      . r r b r b r
7 |       r b b b r b r
to move: red
"""

SAMPLE = Puzzle(
    id="tether-63b5ad36",
    spec="tether-7",
    position_text="b1rrrrb/rbbbbrb/rrrrbrb/bb2bbr/rrbbrb1/1rrbrbr/rbbbrbr red",
    seat=0,
    winning_moves=("g5",),
    turns=3,
    difficulty=4,
    theme="tether",
    main_line=("g5", "b1", "c4", "d4", "a6"),
    proofs=("(c4:b1(a6:d4;*:a6);d4:b1(a6:c4;*:a6);a6:b1(d4:c4;*:d4);*:c4(a6:d4;*:a6))",),
    refutation="(b1:g5(c4:d4;*:c4);c4:g5(b1:d4;*:b1);*:b1(c4:g5;*:c4))",
)
