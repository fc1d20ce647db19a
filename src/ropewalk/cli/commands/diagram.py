"""`ropewalk diagram`: a position or a whole game as an SVG, PNG or GIF file."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ... import game as game_of
from ...atomic_file import atomic_write
from ...diagrams.options import (
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
from ...diagrams.themes import THEMES
from ...text import ellipsis
from ..arguments import Parser, add_position, add_spec, make_float_parser, make_int_parser, read_position
from ..command import EXIT_OK, Command

if TYPE_CHECKING:
    from ...games.position import Position

DESCRIPTION = (
    "Draw a position as SVG, PNG or GIF: as a flat map, as a rotated solid, or on a table. Text is drawn as strokes, "
    "so no fonts are needed. The same command always writes the same picture."
)

EXAMPLES = [
    ("ropewalk diagram lariat -o board.svg", "the map of a cylinder"),
    ("ropewalk diagram cube-lariat Ub2 Fa4 -o cube.png --view solid --yaw -32 --pitch 27", "a rotated solid"),
    ("ropewalk diagram tether-9 e5 d6 f4 -o moves.png --numbers --theme print", "numbered moves, for print"),
    (
        "ropewalk diagram tether-5 --position '1rr2/r1r2/rr3/2b1b/2b1b blue' --explain-illegal b2 -o why.svg",
        "why a move is illegal",
    ),
    ("ropewalk diagram liger c3-d4 f6-e5 --view table --last-move -o table.png", "stacks in perspective"),
    ("ropewalk diagram laocoon --mark d4=triangle --mark e5=A -o marks.svg", "marks and labels"),
    (
        "ropewalk diagram lariat-small b1 c2 b2 d4 --animate --view solid --spin 6 -o game.gif",
        "an animation of a rotating board",
    ),
]

MAX_MOVES = 10**6
FORMATS = (".svg", ".png", ".gif")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.usage = f"{parser.prog} SPEC [MOVE ...] [-o FILE] [options]"
    add_spec(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="move or whole turn; moves are played in order")
    help_text = "file name ending in .svg, .png or .gif (default: print SVG)"
    parser.add_argument("-o", "--output", metavar="FILE", type=parse_output_path, help=help_text)
    add_position(parser)
    add_look_arguments(parser)
    add_overlay_arguments(parser)
    add_animation_arguments(parser)


def add_look_arguments(parser: Parser) -> None:
    """Add the options for view, theme, coordinates, camera, size and caption."""
    views, themes, kinds = ", ".join(VIEWS), ", ".join(THEMES), ", ".join(COORDINATES)
    parser.add_argument("--view", metavar="NAME", default="flat", help=f"{views} (default flat, a map of all cells)")
    parser.add_argument("--theme", metavar="NAME", default="light", help=f"{themes} (default light; print is greyscale)")
    parser.add_argument(
        "--coordinates",
        metavar="KIND",
        default="edge",
        help=f"{kinds}: cell names in the margins or on all cells (default edge)",
    )
    help_text = "rotation of the solid or table view in degrees, {} to {}".format(*YAW_LIMITS)
    parser.add_argument("--yaw", metavar="DEG", type=make_angle_parser("yaw", *YAW_LIMITS), help=help_text)
    help_text = "elevation of the camera in degrees, {} to {}; at least {} in the table view".format(
        *PITCH_LIMITS, TABLE_PITCH_LIMITS[0]
    )
    parser.add_argument("--pitch", metavar="DEG", type=make_angle_parser("pitch", *PITCH_LIMITS), help=help_text)
    help_text = f"length of the longer side in pixels, {MIN_SIZE} to {MAX_SIZE} (default 800)"
    parser.add_argument("--size", metavar="PIXELS", type=make_int_parser(MIN_SIZE, MAX_SIZE), default=800, help=help_text)
    parser.add_argument("--no-caption", action="store_true", help="omit the caption with game, designer and colour to move")


def add_overlay_arguments(parser: Parser) -> None:
    """Add the options for numbers, marks, heat, witnesses and territories."""
    parser.add_argument("--last-move", action="store_true", help="mark the last move")
    parser.add_argument("--numbers", action="store_true", help="number the moves")
    parser.add_argument(
        "--numbers-from", metavar="N", type=make_int_parser(1, MAX_MOVES), help="number the moves from move N on"
    )
    help_text = f"{', '.join(SHAPES)}, or a label of 1 to {MAX_LABEL_LENGTH} characters; may be repeated"
    parser.add_argument("--mark", metavar="CELL=SHAPE", type=parse_mark, action="append", default=[], help=help_text)
    help_text = "tint a cell by a value from 0 to 1; may be repeated"
    parser.add_argument("--heat", metavar="CELL=VALUE", type=parse_heat, action="append", default=[], help=help_text)
    parser.add_argument("--witness", action="store_true", help="highlight the cells that decide a finished game")
    parser.add_argument("--explain-illegal", metavar="MOVE", default="", help="highlight the cells that make a move illegal")
    parser.add_argument("--territory", action="store_true", help="show territories, if the game has them")


def add_animation_arguments(parser: Parser) -> None:
    """Add the options for animations."""
    help_text = "animate all positions from the first to the last, as .gif or .svg"
    parser.add_argument("--animate", action="store_true", help=help_text)
    help_text = "duration of each move, 0.05 to 60 (default 0.8)"
    parser.add_argument(
        "--seconds-per-move", metavar="SECONDS", type=make_float_parser(0.05, 60, "seconds"), default=0.8, help=help_text
    )
    help_text = "rotation per move in degrees, -90 to 90"
    parser.add_argument("--spin", metavar="DEG", type=make_angle_parser("spin", -90, 90), default=0.0, help=help_text)


# Reading


def parse_output_path(text: str) -> Path:
    """Parse a path that ends in one of FORMATS."""
    path = Path(text)
    if path.suffix.lower() not in FORMATS:
        raise ArgumentTypeError(
            f"unknown file type {ellipsis(text)}; the name must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        )
    return path


def make_angle_parser(name: str, minimum: int, maximum: int) -> Callable[[str], float]:
    """Return a parser of angles in [minimum, maximum] degrees; `name` is used in errors."""

    def read(text: str) -> float:
        try:
            angle = float(text)
        except ValueError:
            angle = float("nan")
        if not minimum <= angle <= maximum:
            raise ArgumentTypeError(f"{ellipsis(text)} is not a {name} from {minimum} to {maximum} degrees")
        return angle

    return read


def parse_mark(text: str) -> tuple[str, str]:
    """Parse CELL=SHAPE as a cell and a shape or label."""
    cell, equals, shape = text.partition("=")
    if not (cell and equals and shape):
        raise ArgumentTypeError(f"invalid mark {ellipsis(text)}; expected CELL=SHAPE or CELL=LABEL, such as d4=triangle")
    return cell, shape


def parse_heat(text: str) -> tuple[str, float]:
    """Parse CELL=VALUE as a cell and a number from 0 to 1."""
    cell, _, value = text.partition("=")
    try:
        share = float(value)
    except ValueError:
        share = float("nan")
    if not cell or not 0 <= share <= 1:
        raise ArgumentTypeError(
            f"invalid heat {ellipsis(text)}; expected CELL=VALUE with a value from 0 to 1, such as d4=0.8"
        )
    return cell, share


def make_style(arguments: Namespace) -> DiagramOptions:
    """Return the style that the options ask for."""
    return DiagramOptions(
        view=arguments.view,
        theme=arguments.theme,
        yaw=arguments.yaw,
        pitch=arguments.pitch,
        coordinates=arguments.coordinates,
        size=arguments.size,
        last_move=arguments.last_move,
        numbers_from=arguments.numbers_from or (1 if arguments.numbers else None),
        marks=dict(arguments.mark),
        witness=arguments.witness,
        explain_illegal=arguments.explain_illegal,
        territory=arguments.territory,
        heat=dict(arguments.heat),
        caption=not arguments.no_caption,
    )


# Drawing


def run(arguments: Namespace) -> int:
    """Draw the position or the game, and write or print it; return the exit code."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba
    if arguments.animate and arguments.output is not None and arguments.output.suffix.lower() == ".png":
        raise DiagramError("a PNG file cannot be animated; use .gif or .svg")

    begin = read_position(game, arguments.position)
    picture = draw_animation(begin, arguments) if arguments.animate else draw_picture(begin, arguments)
    if arguments.output is None:
        sys.stdout.write(picture.decode())
    else:
        write_picture(arguments.output, picture)
        print(f"{arguments.output}: {len(picture):,} bytes")
    return EXIT_OK


def draw_picture(start: Position, arguments: Namespace) -> bytes:
    """Return one picture, in the format of the output path."""
    from ...diagrams.diagram import draw
    from ...diagrams.frame_renderer import open_png, render_png
    from ...diagrams.raster import encode_gif

    svg = draw(start, make_style(arguments), arguments.moves)
    ending = arguments.output.suffix.lower() if arguments.output is not None else ".svg"
    if ending == ".svg":
        return svg.encode()
    return render_png(svg) if ending == ".png" else encode_gif([open_png(render_png(svg)).convert("RGB")], [1.0])


def draw_animation(start: Position, arguments: Namespace) -> bytes:
    """Return an animation of all moves, in the format of the output path."""
    from ...diagrams.raster import AnimationTiming, animate_gif, animate_svg
    from ...progress import progress_bar

    style, pace = make_style(arguments), AnimationTiming(arguments.seconds_per_move, arguments.spin)
    if arguments.output is None or arguments.output.suffix.lower() == ".svg":
        return animate_svg(start, arguments.moves, style, pace).encode()
    with progress_bar("drawing") as report:
        return animate_gif(start, arguments.moves, style, pace, report)


def write_picture(path: Path, picture: bytes) -> None:
    """Write a picture to a file atomically. Raises DiagramError."""
    try:
        with atomic_write(path) as beside:
            beside.write_bytes(picture)
    except OSError as error:
        raise DiagramError(f"cannot write {ellipsis(str(path))}: {error.strerror or error}") from None


COMMANDS = {
    "diagram": Command(DESCRIPTION, EXAMPLES, add_arguments, run),
}
