"""`ropewalk diagram`: a position or a whole game as a picture."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .. import game as game_of
from ..atomic_file import atomic_write
from ..diagrams.options import (
    COORDINATES,
    MAX_LABEL_LENGTH,
    MAX_SIZE,
    MIN_SIZE,
    PITCH_LIMITS,
    SHAPES,
    TABLE_PITCH_LIMITS,
    VIEWS,
    YAW_LIMITS,
    DiagramError,
    DiagramOptions,
)
from ..diagrams.themes import THEMES
from ..text import ellipsis
from .parser import Parser, add_position, add_spec, read_position, seconds, whole

if TYPE_CHECKING:
    from ..games.position import Position

DESCRIPTION = (
    "Draw a position as SVG, PNG or GIF: on the board's flat map, as a turned solid, or on a table. Letters are drawn as "
    "strokes, so no fonts are needed, and the same command always writes the same picture."
)

EXAMPLES = [
    ("ropewalk diagram lariat -o board.svg", "the map of a cylinder"),
    ("ropewalk diagram cube-lariat Ub2 Fa4 -o cube.png --view solid --turn -32 --tilt 27", "a solid, turned"),
    ("ropewalk diagram tether-9 e5 d6 f4 -o moves.png --numbers --theme print", "moves numbered, for a book"),
    ("ropewalk diagram tether-5 --position '1rr2/r1r2/rr3/2b1b/2b1b blue' --why b2 -o why.svg", "why a move is refused"),
    ("ropewalk diagram liger c3-d4 f6-e5 --view table --last -o table.png", "stacks with height"),
    ("ropewalk diagram laocoon --mark d4=triangle --mark e5=A -o marks.svg", "marks and labels"),
    ("ropewalk diagram lariat-small b1 c2 b2 d4 --animate --view solid --spin 6 -o game.gif", "a game, turning slowly"),
]

MOST_MOVES = 10**6
FORMATS = (".svg", ".png", ".gif")


def define(parser: Parser) -> None:
    """A game, moves, where the picture goes, and how it looks."""
    parser.usage = f"{parser.prog} SPEC [MOVE ...] [-o FILE] [options]"
    add_spec(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="a step or a whole turn, played in order")
    words = "a file that ends in .svg, .png or .gif; without one, SVG is printed"
    parser.add_argument("-o", "--output", metavar="FILE", type=picture_file, help=words)
    add_position(parser)
    add_look(parser)
    add_overlays(parser)
    add_animation(parser)


def add_look(parser: Parser) -> None:
    """The view, the colours and the size."""
    views, themes, kinds = ", ".join(VIEWS), ", ".join(THEMES), ", ".join(COORDINATES)
    parser.add_argument("--view", metavar="NAME", default="flat", help=f"{views}; flat is a map of all cells (default)")
    parser.add_argument("--theme", metavar="NAME", default="light", help=f"{themes}; print is grey, for a book")
    parser.add_argument(
        "--coordinates", metavar="KIND", default="edge", help=f"{kinds}: names in the margins, or on all cells"
    )
    words = "turn a solid or a table, {} to {}".format(*YAW_LIMITS)
    parser.add_argument("--turn", metavar="DEG", type=degrees("turn", *YAW_LIMITS), help=words)
    words = "look from so far above, {} to {}; at a table from {} on".format(*PITCH_LIMITS, TABLE_PITCH_LIMITS[0])
    parser.add_argument("--tilt", metavar="DEG", type=degrees("tilt", *PITCH_LIMITS), help=words)
    words = f"the longer side, {MIN_SIZE} to {MAX_SIZE} (default 800)"
    parser.add_argument("--size", metavar="PIXELS", type=whole(MIN_SIZE, MAX_SIZE), default=800, help=words)
    parser.add_argument("--no-caption", action="store_true", help="leave out game, designer and whose move it is")


def add_overlays(parser: Parser) -> None:
    """What is shown beside the pieces."""
    parser.add_argument("--last", action="store_true", help="mark the last move")
    parser.add_argument("--numbers", action="store_true", help="number the moves")
    parser.add_argument("--numbers-from", metavar="N", type=whole(1, MOST_MOVES), help="number the moves from the Nth on")
    words = f"{', '.join(SHAPES)}, or a label of 1 to {MAX_LABEL_LENGTH} letters; may be repeated"
    parser.add_argument("--mark", metavar="CELL=SHAPE", type=pair, action="append", default=[], help=words)
    words = "tint a cell by a value from 0 to 1; may be repeated"
    parser.add_argument("--heat", metavar="CELL=VALUE", type=heat, action="append", default=[], help=words)
    parser.add_argument("--witness", action="store_true", help="show the cells that decide a finished game")
    parser.add_argument("--why", metavar="MOVE", default="", help="show the cells for which a move is refused")
    parser.add_argument("--territory", action="store_true", help="show territories, where the game has them")


def add_animation(parser: Parser) -> None:
    """A whole game, picture by picture."""
    words = "all positions from the start to the last move, as .gif or .svg"
    parser.add_argument("--animate", action="store_true", help=words)
    words = "for each move, 0.05 to 60 (default 0.8)"
    parser.add_argument("--pace", metavar="SECONDS", type=seconds(0.05, 60), default=0.8, help=words)
    words = "turn the solid so far with each move, -90 to 90"
    parser.add_argument("--spin", metavar="DEG", type=degrees("spin", -90, 90), default=0.0, help=words)


# Reading


def picture_file(text: str) -> Path:
    """A file whose ending is one that we write."""
    path = Path(text)
    if path.suffix.lower() not in FORMATS:
        raise ArgumentTypeError(f"{ellipsis(text)} does not end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    return path


def degrees(what: str, least: int, most: int) -> Callable[[str], float]:
    """Reads an angle within limits."""

    def read(text: str) -> float:
        try:
            angle = float(text)
        except ValueError:
            angle = float("nan")
        if not least <= angle <= most:
            raise ArgumentTypeError(f"{ellipsis(text)} is not a {what} of {least} to {most} degrees")
        return angle

    return read


def pair(text: str) -> tuple[str, str]:
    """CELL=SHAPE."""
    cell, equals, shape = text.partition("=")
    if not (cell and equals and shape):
        raise ArgumentTypeError(f"{ellipsis(text)} is not a cell, = and a shape or label, such as d4=triangle")
    return cell, shape


def heat(text: str) -> tuple[str, float]:
    """CELL=VALUE."""
    cell, _, value = text.partition("=")
    try:
        share = float(value)
    except ValueError:
        share = float("nan")
    if not cell or not 0 <= share <= 1:
        raise ArgumentTypeError(f"{ellipsis(text)} is not a cell, = and a value from 0 to 1, such as d4=0.8")
    return cell, share


def style_of(arguments: Namespace) -> DiagramOptions:
    """The style that the options ask for."""
    return DiagramOptions(
        view=arguments.view,
        theme=arguments.theme,
        yaw=arguments.turn,
        pitch=arguments.tilt,
        coordinates=arguments.coordinates,
        size=arguments.size,
        last_move=arguments.last,
        numbers_from=arguments.numbers_from or (1 if arguments.numbers else None),
        marks=dict(arguments.mark),
        witness=arguments.witness,
        explain_illegal=arguments.why,
        territory=arguments.territory,
        heat=dict(arguments.heat),
        caption=not arguments.no_caption,
    )


# Drawing


def act(arguments: Namespace) -> int:
    """Play the moves, draw, and write the picture whole or not at all."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba
    if arguments.animate and arguments.output is not None and arguments.output.suffix.lower() == ".png":
        raise DiagramError("a PNG shows one picture; an animation is a .gif or an .svg")

    begin = read_position(game, arguments.position)
    picture = animation(begin, arguments) if arguments.animate else still(begin, arguments)
    if arguments.output is None:
        sys.stdout.write(picture.decode())
    else:
        write(arguments.output, picture)
        print(f"{arguments.output}: {len(picture):,} bytes")
    return 0


def still(begin: Position, arguments: Namespace) -> bytes:
    """One picture, in the format that the file's name ends in."""
    from ..diagrams.diagram import draw
    from ..diagrams.raster import encode_gif, render_png

    svg = draw(begin, style_of(arguments), arguments.moves)
    ending = arguments.output.suffix.lower() if arguments.output is not None else ".svg"
    if ending == ".svg":
        return svg.encode()
    return render_png(svg) if ending == ".png" else encode_gif([render_png(svg)], [1.0])


def animation(begin: Position, arguments: Namespace) -> bytes:
    """All pictures of a game."""
    from ..diagrams.raster import AnimationTiming, animate_gif, animate_svg
    from ..progress import progress_bar

    style, pace = style_of(arguments), AnimationTiming(arguments.pace, arguments.spin)
    if arguments.output is None or arguments.output.suffix.lower() == ".svg":
        return animate_svg(begin, arguments.moves, style, pace).encode()
    with progress_bar("drawing") as report:
        return animate_gif(begin, arguments.moves, style, pace, report)


def write(path: Path, picture: bytes) -> None:
    """Write a picture in one piece."""
    try:
        with atomic_write(path) as beside:
            beside.write_bytes(picture)
    except OSError as error:
        raise DiagramError(f"cannot write {ellipsis(str(path))}: {error.strerror or error}") from None
