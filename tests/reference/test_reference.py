"""The reference games, held against the facts that their rules state."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, product

import pytest

from tests.reference import Reference, reference
from tests.reference.claiming import ClaimingGame
from tests.reference.common import State, pieces, square
from tests.reference.cube_lariat import CubeLariat
from tests.reference.laocoon import LAYOUTS, SPACES, STEPS
from tests.reference.lariat import Lariat
from tests.reference.tether import Tether

SHUFFLED = "".join(random.Random(7).sample("bpoy" * 16, 64))
SPECS = [
    "lariat-1x6",
    "lariat-1x2-pie",
    "cube-lariat-2",
    "cube-lariat-2-nocorners-nopie",
    "tether-5",
    "laocoon-weave",
    "laocoon-blocks-norepetition",
    f"laocoon-{SHUFFLED}",
    f"laocoon-random-{SHUFFLED}",
    f"laocoon-quick-{SHUFFLED}",
    "liger-8",
    "liger-4x2",
    "liger-6-norepetition",
]
seeds = pytest.mark.parametrize("seed", range(5))


def lariat(spec: str) -> Lariat:
    game = reference(spec)
    assert isinstance(game, Lariat)
    return game


def cube(spec: str) -> CubeLariat:
    game = reference(spec)
    assert isinstance(game, CubeLariat)
    return game


def tether(spec: str) -> Tether:
    game = reference(spec)
    assert isinstance(game, Tether)
    return game


def play_all(game: Reference, state: State, moves: str) -> State:
    """Play moves that are written with spaces between them, each of which has to be legal."""
    for move in moves.split():
        assert move in game.moves(state)
        state = game.play(state, move)
    return state


def random_game(game: Reference, seed: int, longest: int = 1000) -> Iterator[State]:
    """The states of a game that is played at random."""
    rng = random.Random(seed)
    state = game.start()
    yield state
    for _ in range(longest):
        moves = game.moves(state)
        if not moves:
            return
        state = game.play(state, rng.choice(moves))
        yield state


# Every game


@pytest.mark.parametrize("spec", SPECS)
@seeds
def test_a_game_goes_on_exactly_while_there_are_moves_and_a_seat_to_move(spec: str, seed: int) -> None:
    game = reference(spec)
    assert game.spec == spec
    for state in random_game(game, seed):
        moves = game.moves(state)
        assert len(moves) == len(set(moves))
        assert bool(moves) == (game.seat(state) is not None) == (game.outcome(state) is None)


@pytest.mark.parametrize("spec", SPECS)
@seeds
def test_contents_and_extras_say_all_but_the_history(spec: str, seed: int) -> None:
    game = reference(spec)
    for state in random_game(game, seed, longest=100):
        contents, extras = game.contents(state), game.extras(state)
        again = game.state_of(contents, extras)
        assert contents.keys() <= set(game.cells)
        assert (game.contents(again), game.extras(again)) == (contents, extras)
        if game.outcome(state) != (None, "repetition"):
            assert set(game.moves(again)) == set(game.moves(state))
            assert game.outcome(again) == game.outcome(state)


@pytest.mark.parametrize("spec", SPECS)
def test_a_state_is_hashable_and_play_leaves_it_alone(spec: str) -> None:
    game = reference(spec)
    states = list(random_game(game, seed=1, longest=20))
    assert states[0] == game.start()
    assert len(set(states)) == len(states)


@pytest.mark.parametrize("spec", ["lariat", "lariat-2x10-nopie", "tether-13-small", "laocoon-random-7", "chess"])
def test_only_canonical_specs_name_a_game(spec: str) -> None:
    with pytest.raises(ValueError, match="no game"):
        reference(spec)


# Lariat


@pytest.mark.parametrize(("spec", "count"), [("lariat-1x6", 43), ("lariat-2x10", 139), ("lariat-3x12", 253)])
def test_cylinders_have_the_cells_of_the_ruling(spec: str, count: int) -> None:
    assert len(set(reference(spec).cells)) == count


@pytest.mark.parametrize(("cap", "wall"), [(1, 1), (1, 6), (2, 10), (3, 1), (6, 24)])
def test_cylinder_cells_have_six_neighbours_but_at_the_cap_corners_and_the_edge(cap: int, wall: int) -> None:
    game = lariat(f"lariat-{cap}x{wall}")
    corners = {f"{chr(ord('a') + cap)}{side * cap + 1}" for side in range(6)}
    assert len(game.edge) == 6 * cap
    for cell, around in game.neighbours.items():
        assert len(around) == (4 if cell in game.edge else 5 if cell in corners else 6)


@pytest.mark.parametrize("spec", ["lariat-1x1", "lariat-2x10", "lariat-4x3"])
def test_three_cells_meet_at_every_inner_corner_point_of_a_cylinder(spec: str) -> None:
    game = lariat(spec)
    touching = sum(len(around) for around in game.neighbours.values()) // 2
    assert touching == 3 * len(game.cells) - 3 - len(game.edge)  # Euler, for a disc of triangles


@pytest.mark.parametrize(
    ("cell", "inward"),
    [("b4", "a1"), ("c1", "b1"), ("c2", "b1 b2"), ("c12", "b6 b1"), ("d1", "c1 c2"), ("d12", "c12 c1")],
)
def test_cells_touch_the_ring_before_theirs_as_the_ruling_says(cell: str, inward: str) -> None:
    ring_before = chr(ord(cell[0]) - 1)
    around = lariat("lariat-2x10").neighbours[cell]
    assert {near for near in around if near[0] == ring_before} == set(inward.split())


def claimed(game: ClaimingGame, black: str, white: str = "") -> State:
    contents = dict.fromkeys(black.split(), "b") | dict.fromkeys(white.split(), "w")
    return game.state_of(contents, {"to_move": "white"})


@pytest.mark.parametrize(
    ("black", "outcome"),
    [
        ("a1 b1 c1 d1 e1", (0, "holds-centre")),
        ("a1 b1 c1 e1", None),
        ("a1 b1 c1 d1", None),
        ("c1 c2 c3 c4 c5 c6 d1 e1", (0, "ropes-off-centre")),
        ("c1 c2 c3 c4 c5 c6", None),
        ("c1 c2 c3 c4 c5 c6 e1", None),
        ("c1 c2 c3 c4 c5 d1 e1", None),
        ("e1 e2 e3 e4 e5 e6", (0, "ropes-off-centre")),
    ],
)
def test_a_lariat_ties_the_centre_to_the_edge_or_ropes_it_off(black: str, outcome: tuple[int, str] | None) -> None:
    game = lariat("lariat-1x3")
    assert game.outcome(claimed(game, black)) == outcome


def winners(game: ClaimingGame, colouring: Mapping[str, str]) -> list[str]:
    """The colours of which a group wins, each judged by itself."""
    return [
        colour
        for colour in "bw"
        if any(
            game.reason_to_win(group)
            for group in pieces(game.neighbours, frozenset(cell for cell, token in colouring.items() if token == colour))
        )
    ]


def test_every_colouring_of_the_smallest_cylinder_has_exactly_one_winner() -> None:
    game = lariat("lariat-1x1")
    for tokens in product("bw", repeat=len(game.cells)):
        assert len(winners(game, dict(zip(game.cells, tokens, strict=True)))) == 1


@pytest.mark.parametrize("spec", ["lariat-1x6", "lariat-2x10", "lariat-3x5", "cube-lariat-2", "cube-lariat-4"])
def test_a_full_board_has_exactly_one_winner(spec: str) -> None:
    game = reference(spec)
    assert isinstance(game, ClaimingGame)
    rng = random.Random(spec)
    for _ in range(50):
        assert len(winners(game, {cell: rng.choice("bw") for cell in game.cells})) == 1


@pytest.mark.parametrize("spec", ["lariat-1x6", "lariat-2x10", "cube-lariat-2-nopie", "cube-lariat-4-nopie"])
@seeds
def test_who_wins_first_also_wins_every_full_board_reached_from_there(spec: str, seed: int) -> None:
    game = reference(spec)
    assert isinstance(game, ClaimingGame)
    *_, final = random_game(game, seed)
    outcome = game.outcome(final)
    assert outcome
    rng = random.Random(seed)
    full = {cell: rng.choice("bw") for cell in game.cells} | game.contents(final)
    assert winners(game, full) == ["b" if outcome[0] == 0 else "w"]


# The pie rule


@pytest.mark.parametrize("spec", ["lariat-1x6-pie", "cube-lariat-2"])
def test_swap_is_an_answer_to_the_first_stone_alone(spec: str) -> None:
    game = reference(spec)
    empty = game.start()
    answered, swapped = (play_all(game, empty, f"{game.cells[0]} {move}") for move in (game.cells[1], "swap"))
    assert "swap" not in game.moves(empty) + game.moves(answered) + game.moves(swapped)


@pytest.mark.parametrize("spec", ["lariat-1x6", "cube-lariat-2-nopie"])
def test_without_the_pie_rule_nobody_swaps(spec: str) -> None:
    game = reference(spec)
    assert "swap" not in game.moves(play_all(game, game.start(), game.cells[0]))


def test_after_a_swap_the_stone_stays_black_and_seat_0_moves_next_with_white() -> None:
    game = lariat("lariat-1x2-pie")
    state = play_all(game, game.start(), "a1 swap")
    assert game.seat(state) == 0
    assert game.contents(state) == {"a1": "b"}
    assert game.extras(state) == {"to_move": "white", "swapped": True}
    state = play_all(game, state, "d6 c1")
    assert game.contents(state) == {"a1": "b", "d6": "w", "c1": "b"}
    assert game.outcome(play_all(game, state, "d5 b1 d4 d1")) == (1, "holds-centre")


# Cube Lariat


@pytest.mark.parametrize(("size", "count"), [(2, 50), (4, 194), (6, 434)])
def test_cubes_have_the_cells_of_the_ruling(size: int, count: int) -> None:
    assert len(set(reference(f"cube-lariat-{size}").cells)) == count


@pytest.mark.parametrize("size", [2, 4, 6])
def test_octagons_have_eight_neighbours_squares_four_and_corners_three(size: int) -> None:
    game = cube(f"cube-lariat-{size}")
    degrees = Counter(len(around) for around in game.neighbours.values())
    assert degrees == {8: 6 * size**2, 4: 6 * (size - 1) ** 2 + 12 * (size - 1), 3: 8}
    assert sum(degrees.elements()) // 2 == 3 * len(game.cells) - 6  # Euler, for a sphere of triangles


@pytest.mark.parametrize(
    ("cell", "around"),
    [
        ("UF1", "Ua1 Ub1 Fa2 Fb2"),
        ("DR1", "Db1 Db2 Ra1 Rb1"),
        ("BL1", "Ba1 Ba2 Lb1 Lb2"),
        ("UFR", "Ub1 Fb2 Ra2"),
        ("DBL", "Da2 Ba1 Lb1"),
        ("Ua1'", "Ua1 Ub1 Ua2 Ub2"),
        ("Ua1", "Ub1 Ua2 Fa2 La2 UF1 UL1 UFL Ua1'"),
    ],
)
def test_cells_of_the_small_cube_touch_these(cell: str, around: str) -> None:
    assert cube("cube-lariat-2").neighbours[cell] == set(around.split())


@pytest.mark.parametrize("size", [2, 4, 6])
def test_the_nuclear_cells_are_in_the_middle_of_three_edges_that_share_no_face(size: int) -> None:
    game = cube(f"cube-lariat-{size}")
    assert game.nuclear == {f"{edge}{size // 2}" for edge in ("UF", "DR", "BL")}
    assert game.nuclear <= set(game.cells)


@pytest.mark.parametrize("spec", ["lariat-2x10", "lariat-1x1", "cube-lariat-4", "tether-13"])
def test_touching_is_mutual(spec: str) -> None:
    game = reference(spec)
    assert isinstance(game, ClaimingGame | Tether)
    neighbours = game.neighbours if isinstance(game, ClaimingGame) else game.board.neighbours
    assert set(game.cells) == set(neighbours)
    for cell, around in neighbours.items():
        assert cell not in around
        assert all(cell in neighbours[near] for near in around)


@pytest.mark.parametrize(
    ("black", "wins"),
    [
        ("UF1 Fa2 FL1 La1 Lb1 BL1", True),  # joins two nuclear cells
        ("UF1 Fa2 FL1 La1 Lb1", False),
        ("Ua1 Ub1 Fa2 Fb2 UFL UFR", False),  # parts one nuclear cell from the other two
    ],
)
def test_a_group_wins_that_leaves_no_two_nuclear_cells_together(black: str, wins: bool) -> None:
    game = cube("cube-lariat-2")
    assert game.outcome(claimed(game, black)) == ((0, "isolates-nuclear-cells") if wins else None)


def test_corner_cells_can_be_claimed_unless_they_are_left_out() -> None:
    with_corners, without = reference("cube-lariat-2-nopie"), reference("cube-lariat-2-nocorners-nopie")
    corners = {up + front + side for up in "UD" for front in "FB" for side in "LR"}
    everywhere = set(with_corners.moves(with_corners.start()))
    assert everywhere == set(with_corners.cells) == set(without.cells)
    assert everywhere - set(without.moves(without.start())) == corners


def test_corner_cells_never_change_who_wins() -> None:
    game = cube("cube-lariat-2")
    rng = random.Random(1)
    corners = [cell for cell in game.cells if len(cell) == 3 and cell.isalpha() and cell.isupper()]
    for _ in range(50):
        full = {cell: rng.choice("bw") for cell in game.cells}
        assert winners(game, full) == winners(game, full | dict.fromkeys(corners, "b"))
        assert winners(game, full) == winners(game, full | dict.fromkeys(corners, "w"))


# Tether


def drawn(drawing: str) -> dict[str, str]:
    """The tokens of a drawn board, whose first line is row 1."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    return {
        square(column, row): token for row, tokens in enumerate(rows) for column, token in enumerate(tokens) if token != "."
    }


def rhombus(drawing: str, to_move: str = "red") -> tuple[Tether, State]:
    game = tether(f"tether-{len(drawing.strip().splitlines())}")
    return game, game.state_of(drawn(drawing), {"to_move": to_move})


def test_a_cell_in_the_middle_of_the_rhombus_has_six_neighbours() -> None:
    assert tether("tether-5").board.neighbours["c3"] == {"b3", "d3", "c2", "c4", "d2", "b4"}


def test_corners_lie_on_sides_of_both_colours() -> None:
    sides = tether("tether-5").board.sides
    assert sides["red"] & sides["blue"] == {"a1", "e1", "a5", "e5"}


def test_a_loop_captures_what_it_encloses_and_closes_it_to_both() -> None:
    game, state = rhombus(
        """. . . . .
            . . r r .
             . r b r .
              . r . . .
               . . b . ."""
    )
    assert "c4" in game.moves(state)
    state = game.play(state, "c4")
    assert "c3" not in game.contents(state)
    assert game.contents(state)["c5"] == "b"
    assert "c3" not in game.moves(state)


def test_a_loop_may_be_closed_by_a_side_of_its_colour() -> None:
    game, state = rhombus(
        """. r b b .
            r b b . .
             r r . . .
              . . . . .
               . . . . ."""
    )
    state = play_all(game, state, "c3 a5 d2 b5")
    enclosed = {"c1", "d1", "b2", "c2"}
    assert enclosed <= game.contents(state).keys()
    state = play_all(game, state, "e1")
    assert set(game.contents(state)) == {"b1", "a2", "a3", "b3", "c3", "d2", "e1", "a5", "b5"}
    assert not enclosed & set(game.moves(state))


def test_a_side_of_the_other_colour_closes_no_loop() -> None:
    game, state = rhombus(
        """. . . . .
            r r . . .
             b r . . .
              . r . . .
               . . . . ."""
    )
    state = play_all(game, state, "a5")
    assert game.contents(state)["a3"] == "b"
    assert "a4" in game.moves(state)


def test_only_tethered_stones_claim_territory() -> None:
    game, state = rhombus(
        """. . . . . . .
            . . . . . . .
             . . . r r . .
              . . r . r . .
               . . r r . . .
                . . . . . . .
                 . . . . . . ."""
    )
    assert game.territory(state, "red") == frozenset()
    state = play_all(game, state, "c6 a2 c7")
    assert game.territory(state, "red") == {"d3", "e3", "c4", "d4", "e4", "c5", "d5", "c6", "c7"}


def test_two_chains_surround_what_lies_between_them_only_together() -> None:
    game, state = rhombus(
        """. r . r .
            . r . r .
             . r . r .
              . r . r .
               . r . . ."""
    )
    assert game.territory(state, "red") == {f"{column}{row}" for column in "bd" for row in range(1, 5)} | {"b5"}
    state = play_all(game, state, "d5")
    assert len(game.territory(state, "red")) == 15
    assert game.outcome(state) == (0, "majority")
    assert game.moves(state) == []


@pytest.mark.parametrize("spec", ["tether-3", "tether-5", "tether-9"])
@seeds
def test_the_claims_for_tether_hold(spec: str, seed: int) -> None:
    game = tether(spec)
    states = list(random_game(game, seed))
    assert game.outcome(states[-1])
    assert len(states) - 1 <= len(game.cells)
    territories = [(game.territory(state, "red"), game.territory(state, "blue")) for state in states]
    for (red, blue), (later_red, later_blue) in pairwise(territories):
        assert red <= later_red
        assert blue <= later_blue
        assert not later_red & later_blue


# laoCoon


def on_board(contents: Mapping[str, str], to_move: str, white: str = "", black: str = "") -> dict[str, object]:
    """Extras of a laoCoon position at the start of a turn, with the discs in hand."""
    assert contents.keys() <= set(SPACES)
    return {"to_move": to_move, "hands": {"white": white, "black": black}, "phase": "move"}


@pytest.mark.parametrize("layout", ["weave", "blocks"])
def test_every_two_by_two_block_has_all_four_colours(layout: str) -> None:
    game = reference(f"laocoon-{layout}")
    discs = game.contents(game.start())
    for file, rank in product(range(7), repeat=2):
        assert {discs[square(file + i, rank + j)] for i, j in product((0, 1), repeat=2)} == set("bpoy")
    assert set(Counter(discs.values()).values()) == {16}


def test_layouts_start_at_a1_and_run_along_the_ranks() -> None:
    assert LAYOUTS["weave"][:16] == "bpoybpoyoybpoybp"
    assert LAYOUTS["blocks"][:16] == "bpbpbpbpoyoyoyoy"
    game = reference(f"laocoon-{SHUFFLED}")
    assert [game.contents(game.start())[space] for space in ("a1", "b1", "h1", "a2")] == [
        SHUFFLED[index] for index in (0, 1, 7, 8)
    ]


def test_a_step_goes_to_any_of_eight_neighbours() -> None:
    assert set(STEPS["a1"]) == {"a2", "b1", "b2"}
    assert set(STEPS["d4"]) == {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"}


def test_rings_are_placed_in_turn_on_colours_that_are_free() -> None:
    game = reference("laocoon-weave")
    state = game.start()
    assert len(game.moves(state)) == 64
    state = play_all(game, state, "a1")
    assert len(game.moves(state)) == 48
    state = play_all(game, state, "b1")
    assert len(game.moves(state)) == 64 - 16 - 1
    state = play_all(game, state, "e1 f1")
    assert game.contents(state).items() >= {"a1": "(b)", "e1": "(b)", "b1": "[p]", "f1": "[p]"}.items()
    assert game.extras(state) == {"to_move": "white", "hands": {"white": "", "black": ""}, "phase": "move"}


def test_a_turn_moves_a_ring_gives_a_disc_and_places_the_one_in_hand() -> None:
    game = reference("laocoon-weave")
    state = play_all(game, game.start(), "a1 b1 e1 f1 a1-a2")
    assert game.contents(state)["a2"] == "(o)"
    assert "a1" not in game.contents(state)
    assert game.extras(state) == {"to_move": "black", "hands": {"white": "", "black": "b"}, "phase": "move"}
    state = play_all(game, state, "b1-b2")
    assert game.extras(state) == {"to_move": "black", "hands": {"white": "p", "black": "b"}, "phase": "disc"}
    assert "/a1" not in game.moves(state)  # empty
    assert "/b1" not in game.moves(state)  # empty
    assert "/c2" not in game.moves(state)  # blue on blue
    assert "/a2" not in game.moves(state)  # under a ring
    state = play_all(game, state, "/d1")
    assert game.contents(state)["d1"] == "yb"
    assert game.extras(state) == {"to_move": "white", "hands": {"white": "p", "black": ""}, "phase": "move"}


def test_a_disc_may_go_to_the_space_just_left() -> None:
    game = reference("laocoon-weave")
    contents = {"a1": "(yb)", "a2": "o", "c1": "(b)", "f8": "[p]", "h8": "[p]", "h7": "p"}
    state = game.state_of(contents, on_board(contents, "white", white="p"))
    state = play_all(game, state, "a1-a2")
    assert game.moves(state) == ["/a1"]
    assert game.contents(play_all(game, state, "/a1"))["a1"] == "yp"


def test_a_disc_for_which_there_is_no_space_leaves_the_game_without_a_step() -> None:
    game = reference("laocoon-weave")
    contents = {"a1": "(b)", "a2": "o", "c1": "(b)", "f8": "[p]", "h8": "[p]", "h7": "p"}
    state = game.state_of(contents, on_board(contents, "white", white="p"))
    state = play_all(game, state, "a1-a2")
    assert game.extras(state) == {"to_move": "black", "hands": {"white": "", "black": "b"}, "phase": "move"}


def test_whoever_can_move_neither_ring_loses() -> None:
    game = reference("laocoon-weave")
    contents = {"a1": "(b)", "a2": "o", "c1": "(b)", "f8": "[p]", "h8": "[p]", "h7": "b"}
    state = game.state_of(contents, on_board(contents, "black"))
    assert game.outcome(state) == (0, "cannot-move")
    assert game.moves(state) == []
    assert game.extras(state)["to_move"] == "black"


def test_black_may_swap_two_discs_in_the_random_setup() -> None:
    game = reference(f"laocoon-random-{LAYOUTS['weave']}")
    state = play_all(game, game.start(), "a1 b1 e1 f1")
    assert game.seat(state) == 1
    assert game.extras(state)["phase"] == "swap"
    assert len(game.moves(state)) == 65
    assert game.extras(play_all(game, state, "keep"))["phase"] == "move"
    state = play_all(game, state, "~b1")
    assert game.extras(state) | {"hands": None} == {
        "to_move": "black",
        "hands": None,
        "phase": "swap2",
        "picked": "b1",
    }
    assert len(game.moves(state)) == 63
    state = play_all(game, state, "~c2")
    assert game.contents(state).items() >= {"b1": "[b]", "c2": "p", "e1": "(b)"}.items()
    assert game.seat(state) == 0
    targets = {game.contents(state)[move.split("-")[1]] for move in game.moves(state)}
    assert targets <= {"o", "y"}  # black now controls blue and purple


def test_nothing_is_handed_over_in_the_quick_game() -> None:
    game = reference(f"laocoon-quick-{LAYOUTS['weave']}")
    state = play_all(game, game.start(), "a1 b1 e1 f1 keep a1-a2 b1-b2")
    assert game.extras(state) == {"to_move": "white", "hands": {"white": "", "black": ""}, "phase": "move"}
    assert not game.contents(state).keys() & {"a1", "b1"}


def test_rings_going_to_and_fro_repeat_the_position_and_draw() -> None:
    contents = {
        "a1": "(pb)",
        "a2": "pb",
        "d1": "(b)",
        "h8": "[py]",
        "h7": "p",
        "e8": "[y]",
    }
    to_and_fro = "a1-a2 /h7 h8-h7 /a1 a2-a1 /h8 h7-h8 /a2"
    for spec, outcome in (("laocoon-weave", (None, "repetition")), ("laocoon-weave-norepetition", None)):
        game = reference(spec)
        state = game.state_of(contents, on_board(contents, "white", white="y"))
        state = play_all(game, state, to_and_fro)
        assert game.contents(state) == contents
        assert game.outcome(state) is None
        state = play_all(game, state, to_and_fro)
        assert game.outcome(state) == outcome


# Liger


def test_liger_starts_with_twelve_checkers_on_each_side() -> None:
    game = reference("liger-8")
    assert len(game.cells) == 32
    assert game.contents(game.start()) == drawn(
        """r . r . r . r .
           . r . r . r . r
           r . r . r . r .
           . . . . . . . .
           . . . . . . . .
           . b . b . b . b
           b . b . b . b .
           . b . b . b . b"""
    )


@pytest.mark.parametrize(("size", "rows"), [(4, 1), (6, 2), (8, 3), (10, 4)])
def test_a_bare_size_has_the_usual_rows(size: int, rows: int) -> None:
    short, long = reference(f"liger-{size}"), reference(f"liger-{size}x{rows}")
    assert short.start() == long.start()


def liger_moves(to_move: str, **contents: str) -> set[str]:
    game = reference("liger-4")
    return set(game.moves(game.state_of(contents, {"to_move": to_move})))


def test_a_checker_or_a_two_stack_of_both_colours_moves_forward() -> None:
    assert liger_moves("red", b2="rbr", d4="b") == {"b2-a3", "b2-c3", "b2=a3", "b2=c3"}
    assert liger_moves("red", b2="brr", d4="b") == {"b2-a3", "b2-c3"}
    assert liger_moves("blue", b2="rrb", d4="r") == {"b2-a1", "b2-c1", "b2=a1", "b2=c1"}


def test_whoever_shows_fewer_steps_back_with_a_lone_checker_onto_an_opposing_one() -> None:
    assert liger_moves("red", c3="r", b2="b", d2="rb") == {"c3-b4", "c3-d4", "c3-b2", "c3-d2"}
    assert liger_moves("red", c3="r", b2="b") == {"c3-b4", "c3-d4"}
    assert liger_moves("red", c3="br", b2="b", d2="b") == {"c3-b4", "c3-d4", "c3=b4", "c3=d4"}
    assert liger_moves("red", c3="r", b2="b", a1="b") == {"c3-b4", "c3-d4", "c3-b2"}


def test_only_the_top_checker_is_borne_off_and_only_from_the_farthest_row() -> None:
    assert liger_moves("red", d4="br", a1="r", c1="b") == {"d4-off", "a1-b2"}
    assert liger_moves("blue", c1="b", d4="b", a3="r") == {"c1-off", "d4-c3"}


def test_bearing_off_the_last_checker_wins() -> None:
    game = reference("liger-4")
    state = game.state_of({"d4": "r", "a1": "b"}, {"to_move": "red"})
    assert game.outcome(play_all(game, state, "d4-off")) == (0, "borne-off")


def test_whoever_leaves_the_opponent_no_checker_loses() -> None:
    game = reference("liger-4")
    state = game.state_of({"b2": "r", "c3": "b"}, {"to_move": "red"})
    assert game.outcome(play_all(game, state, "b2-c3")) == (1, "no-checker-left")
    assert game.outcome(play_all(game, state, "b2-a3")) is None


def test_covering_the_only_showing_checker_is_safe_if_it_uncovers_another() -> None:
    game = reference("liger-4")
    state = game.state_of({"b2": "br", "c3": "b"}, {"to_move": "red"})
    assert game.outcome(play_all(game, state, "b2-c3")) is None


def test_the_dance_of_the_ruling_comes_round_and_draws_at_the_third_occurrence() -> None:
    dance = "c3=b4 a3-b4 c3-d4 b4=c3 d4-c3 b4-a3"
    contents = {"a3": "b", "c3": "rbr"}
    for spec, outcome in (
        ("liger-4", (None, "repetition")),
        ("liger-4-norepetition", None),
    ):
        game = reference(spec)
        state = play_all(game, game.state_of(contents, {"to_move": "red"}), dance)
        assert (game.contents(state), game.extras(state)) == (contents, {"to_move": "red"})
        assert game.outcome(state) is None
        assert game.outcome(play_all(game, state, dance)) == outcome


@seeds
def test_a_player_with_a_showing_checker_always_has_a_move(seed: int) -> None:
    game = reference("liger-8")
    for state in random_game(game, seed):
        assert game.moves(state) or game.outcome(state)
