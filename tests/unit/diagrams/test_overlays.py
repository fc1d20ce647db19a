from __future__ import annotations

import pytest

import ropewalk
from ropewalk.diagrams import DiagramError, DiagramOptions, draw
from ropewalk.diagrams.diagram import Diagram
from ropewalk.diagrams.numbered_moves import list_notes, list_numbered_moves
from ropewalk.diagrams.stroke_font import LetterError, build_strokes
from ropewalk.games.notation import list_cell_names
from ropewalk.games.sequence import MoveSequence
from ropewalk.games.tether.game import Tether
from tests.support.pictures import build_midgame, find_layer, list_values, parse_svg, play_random_moves, play_to_end


def written(svg: str, text: str) -> int:
    """How often a text is drawn."""
    return list_values(parse_svg(svg), "d").count(build_strokes(text))


# Numbers


def test_moves_are_numbered_from_the_one_asked_for() -> None:
    start, moves = ropewalk.game("tether-5").start(), ["c3", "d3", "b2"]
    svg = draw(start, DiagramOptions(numbers_from=2, coordinates="none", caption=False), moves)
    assert [written(svg, text) for text in "123"] == [0, 1, 1]


def test_a_captured_stone_keeps_its_number_and_turns_pale() -> None:
    moves = ["c2", "c3", "d2", "a1", "d3", "a2", "b3", "a3", "b4", "a4", "c4"]
    start = ropewalk.game("tether-5").start()
    picture = parse_svg(draw(start, DiagramOptions(numbers_from=1), moves))
    assert "c3" not in MoveSequence.play(start, moves).position.contents
    assert list_values(picture, "data-captured") == ["c3"]
    assert build_strokes("2") in list_values(picture, "d")


def test_a_swap_and_a_checker_borne_off_are_described_in_the_caption() -> None:
    line = MoveSequence.play(ropewalk.game("cube-lariat-2").start(), ["Ua1", "swap", "Fa1"])
    assert list_notes([step for number in (1, 2, 3) for step in list_numbered_moves(line, number)]) == ["2: swap"]
    liger = MoveSequence.play(ropewalk.game("liger-4").position("2/1,r/b,1/2 red"), ["c3-d4", "b2-a1", "d4-off"])
    assert list_notes([step for number in (1, 2, 3) for step in list_numbered_moves(liger, number)]) == ["3: d4-off"]
    svg = draw(ropewalk.game("cube-lariat-2").start(), DiagramOptions(numbers_from=1), ["Ua1", "swap", "Fa1"])
    assert written(svg, "2: swap") == 1


def test_a_move_from_cell_to_cell_is_a_numbered_arrow() -> None:
    start = ropewalk.game("liger-8").start()
    plain, numbered = (
        draw(start, DiagramOptions(numbers_from=first, caption=False), ["c3-d4", "f6-e5"]) for first in (None, 1)
    )
    assert len(find_layer(parse_svg(numbered), "overlays")) == 2 * (4 + 2)
    assert not find_layer(parse_svg(plain), "overlays")


def test_a_turn_of_several_steps_has_one_number() -> None:
    line = MoveSequence.play(ropewalk.game("laocoon").start(), ["d4", "e6", "g2", "b8", "d4-e5", "e6-f6/a1"])
    assert [(step.number, step.cells) for step in list_numbered_moves(line, 6)] == [(6, ("e6", "f6")), (6, ("a1",))]


@pytest.mark.parametrize(
    ("spec", "step", "cells"),
    [
        ("cube-lariat-4", "Ua1'", ("Ua1'",)),
        ("liger-8", "c3=d4", ("c3", "d4")),
        ("liger-8", "d8-off", ("d8",)),
        ("laocoon", "/b2", ("b2",)),
        ("laocoon-random-7", "~a1", ("a1",)),
        ("lariat-1x2-pie", "swap", ()),
    ],
)
def test_a_step_names_its_cells(spec: str, step: str, cells: tuple[str, ...]) -> None:
    assert list_cell_names(ropewalk.game(spec).board, step) == cells


# Marks, names and the last move


@pytest.mark.parametrize(("mark", "strokes_drawn"), [("triangle", 1), ("square", 1), ("circle", 1), ("cross", 2), ("A1", 1)])
def test_marks_are_drawn_on_their_cells(mark: str, strokes_drawn: int) -> None:
    position = build_midgame("tether-5")
    assert len(find_layer(parse_svg(draw(position, DiagramOptions(marks={"e5": mark}))), "overlays")) == strokes_drawn
    assert not find_layer(parse_svg(draw(position, DiagramOptions())), "overlays")


def test_all_names_are_written_where_asked() -> None:
    position = build_midgame("tether-5")
    svg = draw(position, DiagramOptions(coordinates="all", caption=False))
    assert all(written(svg, name) == 1 for name in position.game.board.names)


def test_a_mark_takes_the_place_of_a_name() -> None:
    svg = draw(build_midgame("tether-5"), DiagramOptions(coordinates="all", marks={"b2": "circle"}, caption=False))
    assert (written(svg, "b2"), written(svg, "b3")) == (0, 1)


@pytest.mark.parametrize("spec", ["lariat-1x6", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"])
def test_the_last_move_is_marked(spec: str) -> None:
    _, moves = play_random_moves(spec, 4)
    start = ropewalk.game(spec).start()
    style = DiagramOptions(coordinates="none", caption=False)
    plain, marked = (
        draw(start, DiagramOptions(last_move=last, coordinates="none", caption=False), moves) for last in (False, True)
    )
    assert draw(start, style, moves) == plain
    assert find_layer(parse_svg(marked), "overlays")
    assert not find_layer(parse_svg(plain), "overlays")


# Regions


def test_the_cells_that_decide_a_game_are_shown() -> None:
    over = play_to_end("lariat-1x6")
    assert over.outcome is not None
    plain, shown = (
        find_layer(parse_svg(draw(over, DiagramOptions(witness=witness))), "regions") for witness in (False, True)
    )
    assert len(shown) - len(plain) == 3 * len(over.outcome.witness)


def test_a_refused_move_is_shown_with_its_witness_and_words() -> None:
    position = ropewalk.game("tether-5").position("1rr2/r1r2/rr3/2b1b/2b1b blue")
    svg = draw(position, DiagramOptions(explain_illegal="b2"))
    assert len(find_layer(parse_svg(svg), "regions")) == 3 * 6
    assert written(svg, "b2 is illegal: b2 is surrounded by red: no stone may be placed") == 1
    assert written(svg, "there") == 1


def test_territories_are_those_of_the_game() -> None:
    over = play_to_end("tether-5")
    game = over.game
    assert isinstance(game, Tether)
    cells = sum(len(game.territory_cells(over, colour)) for colour in (1, 2))
    assert cells > 0
    assert len(find_layer(parse_svg(draw(over, DiagramOptions(territory=True))), "regions")) == 3 * cells


def test_heat_tints_and_tells_its_value() -> None:
    svg = draw(ropewalk.game("tether-5").start(), DiagramOptions(heat={"a1": 0.0, "b2": 0.42, "c3": 1.0}, caption=False))
    tints = [element.attrib["fill-opacity"] for element in find_layer(parse_svg(svg), "regions")]
    assert tints == sorted(tints)
    assert len(tints) == 3
    assert [written(svg, text) for text in ("0", "42", "100")] == [0, 1, 1]


# Refusals


@pytest.mark.parametrize(
    ("spec", "style", "words"),
    [
        ("tether-5", DiagramOptions(view="solid"), "Tether has no solid view; its views are flat and table"),
        ("lariat-1x6", DiagramOptions(view="table"), "Lariat has no table view; its views are flat and solid"),
        ("tether-5", DiagramOptions(view="flatt"), "allowed are flat, solid, table; did you mean flat?"),
        ("tether-5", DiagramOptions(theme="blue"), "unknown theme 'blue'; allowed are light, dark, print"),
        ("tether-5", DiagramOptions(coordinates="some"), "unknown kind of coordinates 'some'; allowed are none, edge, all"),
        ("tether-5", DiagramOptions(size=63), "the size must be from 64 to 8000 pixels, not 63"),
        ("tether-5", DiagramOptions(size=8001), "the size must be from 64 to 8000 pixels, not 8001"),
        ("tether-5", DiagramOptions(yaw=10), "yaw is not allowed with the flat view; use the view solid or table"),
        ("tether-5", DiagramOptions(view="table", pitch=5), "pitch of the table view must be from 10 to 90 degrees, not 5"),
        ("lariat-1x6", DiagramOptions(view="solid", pitch=91), "must be from -90 to 90 degrees, not 91"),
        (
            "lariat-1x6",
            DiagramOptions(view="solid", yaw=float("nan")),
            "yaw of the solid view must be from -360 to 360 degrees, not nan",
        ),
        ("tether-5", DiagramOptions(marks={"z9": "cross"}), "unknown cell 'z9'; the cells of this board are a1 to e5"),
        (
            "tether-5",
            DiagramOptions(marks={"a1": "crosss"}),
            "labels of 1 to 3 characters; did you mean cross?",
        ),
        ("tether-5", DiagramOptions(heat={"a1": 1.5}), "heat must be from 0 to 1, not 1.5 on a1"),
        ("tether-5", DiagramOptions(witness=True), "the game is not over, so it has no deciding cells"),
        ("tether-5", DiagramOptions(explain_illegal="c3"), "c3 is legal in this position, so there is nothing to explain"),
        ("liger-4", DiagramOptions(territory=True), "Liger has no territories"),
        ("tether-5", DiagramOptions(numbers_from=1), "there are no moves to number"),
    ],
)
def test_a_style_that_does_not_fit_says_what_would(spec: str, style: DiagramOptions, words: str) -> None:
    with pytest.raises(DiagramError) as error:
        draw(ropewalk.game(spec).start(), style)
    assert words in str(error.value)


def test_numbers_begin_with_a_move_that_there_is() -> None:
    with pytest.raises(DiagramError, match="the first numbered move must be from 1 to 2, not 3"):
        draw(ropewalk.game("tether-5").start(), DiagramOptions(numbers_from=3), ["a1", "b2"])


def test_letters_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(LetterError, match="cannot be drawn"):
        draw(ropewalk.game("tether-5").start(), DiagramOptions(marks={"a1": "ä"}))


# Stacks


def bodies(spec: str, text: str, view: str) -> list[str]:
    """The colours of a stack's tops, from bottom to top, as drawn in a book."""
    position = ropewalk.game(spec).position(text)
    created = Diagram(MoveSequence.play(position, ()), DiagramOptions(view=view, theme="print"))
    picture = parse_svg(created.to_svg())
    (group,) = find_layer(picture, "pieces")
    return [
        element.attrib["fill"]
        for element in group
        if element.tag.endswith(("ellipse", "circle")) and element.get("fill") != "none"
    ]


@pytest.mark.parametrize("view", ["flat", "table"])
def test_a_stack_of_checkers_shows_its_order(view: str) -> None:
    red, blue = "#262626", "#ffffff"
    assert bodies("liger-4x2", "2/1,rbbr/2/2 red", view) == [red, blue, blue, red]


def test_both_discs_of_a_stack_show_their_letters() -> None:
    position = ropewalk.game("laocoon").position("py,7/8/8/8/8/8/8/8 white ring")
    svg = draw(position, DiagramOptions(coordinates="none", caption=False))
    assert (written(svg, "p"), written(svg, "y")) == (1, 1)


def test_a_tall_stack_at_the_back_stays_inside_the_frame() -> None:
    position = ropewalk.game("liger-10x5").position("rbrbrbrbrbrbrbrbrbrb,4/5/5/5/5/5/5/5/5/5 red")
    picture = parse_svg(draw(position, DiagramOptions(view="table", pitch=20)))
    tops = [float(element.attrib["cy"]) for element in find_layer(picture, "pieces")[0] if "cy" in element.attrib]
    assert min(tops) > 0
