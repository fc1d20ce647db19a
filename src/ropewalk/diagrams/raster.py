"""Pictures of pixels: PNG from SVG by resvg, GIF by Pillow. All letters are strokes, so no fonts are needed."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..games.position import Position
from ..games.sequence import MoveSequence
from ..progress import Progress
from .captions import title_of
from .diagram import Drawing, document
from .looks import look_of
from .svg import number
from .scene import Bounds
from .options import DiagramError, Style
from .views import turn_and_tilt

MOST_FRAMES = 600
LAST_PAUSE = 3.0  # how many times longer the end stays
COLOURS = 255  # in a GIF, beside the one for what has not changed


def png(svg: str) -> bytes:
    """The SVG in its own size as PNG."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


def size_of(image: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    width, height = struct.unpack(">II", image[16:24])
    return width, height


def gif(images: Iterable[bytes], seconds: Sequence[float]) -> bytes:
    """PNGs of one size as a GIF that runs for ever; all frames share the colours of the last one."""
    from PIL import Image

    frames = [Image.open(io.BytesIO(image)).convert("RGB") for image in images]
    palette = frames[-1].quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    reduced = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    written = io.BytesIO()
    reduced[0].save(
        written, "GIF", save_all=True, append_images=reduced[1:], duration=[round(1000 * pause) for pause in seconds],
        loop=0, optimize=False, disposal=1,
    )  # fmt: skip
    return written.getvalue()


# Animations: a picture after each move


@dataclass(frozen=True)
class Pace:
    """How long each picture stays, and by how many degrees a solid turns from one to the next."""

    seconds: float = 0.8
    spin: float = 0.0


def frames(position: Position, moves: Iterable[str], style: Style, pace: Pace) -> Iterator[Drawing]:
    """The position, then what each move makes of it."""
    line = MoveSequence.play(position, moves)
    if len(line.positions) > MOST_FRAMES:
        raise DiagramError(f"an animation has at most {MOST_FRAMES} pictures, this game {len(line.positions)}")
    styles = [spun(style, position, count * pace.spin) for count in range(len(line.positions))]
    frame = common_frame(line, styles)
    for count, turned in enumerate(styles):
        yield Drawing(line.truncate(count), turned, frame)


def common_frame(line: MoveSequence, styles: Iterable[Style]) -> Bounds:
    """What all pictures of a game show together, however the board is turned."""
    by_turn = {style.turn: style for style in styles}
    boxes = [Drawing(line, style).bounds(line.positions) for style in by_turn.values()]
    lows, highs = zip(*boxes, strict=True)
    return np.min(lows, axis=0), np.max(highs, axis=0)


def spun(style: Style, position: Position, degrees: float) -> Style:
    """The style with its solid turned further."""
    if not degrees:
        return style
    if style.view == "flat":
        raise DiagramError("a flat map cannot spin; the views solid and table can")
    turn, _ = turn_and_tilt(look_of(position.game), style)
    return replace(style, turn=(turn + degrees) % 360)


def animated_gif(
    position: Position,
    moves: Iterable[str],
    style: Style | None = None,
    pace: Pace | None = None,
    report: Progress | None = None,
) -> bytes:
    """A game as GIF; `report` is told how many pictures are done."""
    moves, pace = list(moves), pace or Pace()
    images = []
    for drawing in frames(position, moves, fixed(style), pace):
        images.append(png(drawing.svg()))
        if report is not None:
            report(len(images), len(moves) + 1)
    return gif(images, pauses(len(images), pace))


def fixed(style: Style | None) -> Style:
    """A style whose pictures all have one size: what only some of them have is left out."""
    return replace(style or Style(), numbers_from=None, witness=False, why="", last=True)


def pauses(count: int, pace: Pace) -> list[float]:
    """How long each picture stays; the last one longer."""
    return [pace.seconds] * (count - 1) + [pace.seconds * LAST_PAUSE]


def animated_svg(position: Position, moves: Iterable[str], style: Style | None = None, pace: Pace | None = None) -> str:
    """A game as SVG that runs for ever; what does not change is drawn once."""
    pace = pace or Pace()
    drawn = list(frames(position, moves, fixed(style), pace))
    for drawing in drawn:
        drawing.draw_layers()
    definitions = {name: text for drawing in drawn for name, text in drawing.paper.definitions.items()}
    seconds = pauses(len(drawn), pace)
    groups = [line for name in drawn[0].paper.layers for line in layer_through(name, drawn, seconds)]
    description = f"{position.game.spec}: {len(drawn) - 1} moves from {position}"
    return document(drawn[0].sheet, title_of(position), description, definitions, groups)


def layer_through(name: str, drawn: list[Drawing], seconds: list[float]) -> Iterator[str]:
    """One layer over time: a group a run of equal pictures, seen while they last."""
    layers = [drawing.paper.layers.get(name, []) for drawing in drawn]
    begun = 0
    for place in range(1, len(layers) + 1):
        if place == len(layers) or layers[place] != layers[begun]:
            if layers[begun]:
                yield f'<g data-layer="{name}">'
                yield from shown(sum(seconds[:begun]), sum(seconds[:place]), sum(seconds))
                yield from layers[begun]
                yield "</g>"
            begun = place


def shown(start: float, end: float, whole: float) -> Iterator[str]:
    """Makes a group visible from start to end of each round; nothing for one that always is."""
    if start > 0 or end < whole:
        times, values = [0.0, start, end], ["hidden", "visible", "hidden"]
        if start == 0:
            times, values = times[1:], values[1:]
        if end >= whole:
            times, values = times[:-1], values[:-1]
        keys = ";".join(f"{moment / whole:.6f}".rstrip("0").rstrip(".") for moment in times)
        yield (
            f'<animate attributeName="visibility" calcMode="discrete" dur="{number(whole)}s" repeatCount="indefinite" '
            f'values="{";".join(values)}" keyTimes="{keys}"/>'
        )
