"""Raster images and animations: PNG from SVG by resvg, GIF by Pillow, animated SVG. No fonts are needed."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..games.position import Position
from ..games.sequence import MoveSequence
from ..progress import Progress
from .captions import format_title
from .diagram import Diagram, SharedDrawings, format_document
from .frame_renderer import FrameRenderer
from .looks import find_look
from .options import FLAT_VIEW, DiagramError, DiagramOptions
from .scene import Bounds
from .svg import format_number

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES = 600
LAST_FRAME_FACTOR = 3.0  # how many times longer the last frame is shown
MAX_GIF_COLOURS = 255  # besides the one for unchanged pixels


def read_png_size(image: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG."""
    width, height = struct.unpack(">II", image[16:24])
    return width, height


def encode_gif(frames: Sequence[Image], seconds: Sequence[float]) -> bytes:
    """Return images of one size as a GIF that repeats forever; all frames share the palette of the last one."""
    from PIL import Image

    palette = frames[-1].quantize(MAX_GIF_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    reduced = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    output = io.BytesIO()
    reduced[0].save(
        output, "GIF", save_all=True, append_images=reduced[1:], duration=[round(1000 * pause) for pause in seconds],
        loop=0, optimize=False, disposal=1,
    )  # fmt: skip
    return output.getvalue()


# Animations: a frame after each move


@dataclass(frozen=True)
class AnimationTiming:
    """How long each frame is shown, by how many degrees a solid turns from one to the next, and which frames there are."""

    seconds_per_move: float = 0.8
    degrees_per_move: float = 0.0
    shown: Sequence[int] | None = None  # the numbers of moves after which there is a frame; None: after every move


def iter_frames(
    position: Position, moves: Iterable[str], options: DiagramOptions, timing: AnimationTiming
) -> Iterator[Diagram]:
    """Yield the diagram of the position and of the position after each move. Raises DiagramError for too many."""
    sequence = MoveSequence.play(position, moves)
    counts = range(len(sequence.positions)) if timing.shown is None else timing.shown
    if len(counts) > MAX_FRAMES:
        raise DiagramError(f"an animation may have at most {MAX_FRAMES} frames; this game has {len(counts)}")
    options_list = [rotate_options(options, position, count * timing.degrees_per_move) for count in counts]
    frame, drawings = compute_common_bounds(sequence, options_list), SharedDrawings()
    for count, turned in zip(counts, options_list, strict=True):
        shown = replace(turned, witness=sequence.positions[count].outcome is not None)
        yield Diagram(sequence.truncate(count), shown, frame, SharedDrawings() if timing.degrees_per_move else drawings)


def compute_common_bounds(sequence: MoveSequence, options_list: Iterable[DiagramOptions]) -> Bounds:
    """Return the bounds of everything that the frames show, for every yaw."""
    by_yaw = {options.yaw: options for options in options_list}
    boxes = [Diagram(sequence, options).compute_bounds(sequence.positions) for options in by_yaw.values()]
    lows, highs = zip(*boxes, strict=True)
    return np.min(lows, axis=0), np.max(highs, axis=0)


def rotate_options(options: DiagramOptions, position: Position, degrees: float) -> DiagramOptions:
    """Return the options with the board turned further. Raises DiagramError for a flat map."""
    if not degrees:
        return options
    if options.view == FLAT_VIEW:
        raise DiagramError("the flat view cannot spin; use the view solid or table")
    yaw = find_look(position.game).choose_yaw(options)
    return replace(options, yaw=(yaw + degrees) % 360)


def animate_gif(
    position: Position,
    moves: Iterable[str],
    options: DiagramOptions | None = None,
    timing: AnimationTiming | None = None,
    report: Progress | None = None,
) -> bytes:
    """Return a game as an animated GIF that repeats forever.

    Args:
        position: position of the first frame.
        moves: steps or whole turns, one frame for each.
        options: options of all frames; numbers and illegal moves are left out. The last frame of a finished game shows
            the cells that decide it.
        timing: duration of the frames, and how far the board turns from one to the next.
        report: called with the number of frames done and their total.

    Raises:
        DiagramError: the options do not fit the game, or there are more than MAX_FRAMES frames.
        MoveSequenceError: a move cannot be played.

    """
    moves, timing = list(moves), timing or AnimationTiming()
    images, renderer = [], FrameRenderer()
    for diagram in iter_frames(position, moves, make_animation_options(options), timing):
        images.append(renderer.render(diagram))
        if report is not None:
            report(len(images), len(moves) + 1 if timing.shown is None else len(timing.shown))
    return encode_gif(images, list_durations(len(images), timing))


def make_animation_options(options: DiagramOptions | None) -> DiagramOptions:
    """Return options without what only some frames have, so that all frames have one size."""
    return replace(options or DiagramOptions(), numbers_from=None, witness=False, explain_illegal="", last_move=True)


def list_durations(count: int, timing: AnimationTiming) -> list[float]:
    """List how long each frame is shown, in seconds; the last one is shown longer."""
    return [timing.seconds_per_move] * (count - 1) + [timing.seconds_per_move * LAST_FRAME_FACTOR]


def animate_svg(
    position: Position, moves: Iterable[str], options: DiagramOptions | None = None, timing: AnimationTiming | None = None
) -> str:
    """Return a game as an animated SVG that repeats forever; what does not change is drawn once.

    Arguments and errors are those of `animate_gif`.
    """
    timing = timing or AnimationTiming()
    diagrams = list(iter_frames(position, moves, make_animation_options(options), timing))
    for diagram in diagrams:
        diagram.draw_layers()
    definitions = {name: text for diagram in diagrams for name, text in diagram.writer.definitions.items()}
    seconds = list_durations(len(diagrams), timing)
    groups = [line for name in diagrams[0].writer.layers for line in format_animated_layer(name, diagrams, seconds)]
    description = f"{position.game.spec}: {len(diagrams) - 1} moves from {position}"
    return format_document(diagrams[0].page, format_title(position), description, definitions, groups)


def format_animated_layer(name: str, diagrams: list[Diagram], seconds: list[float]) -> Iterator[str]:
    """Yield the lines of one layer over time: a group for each run of equal frames."""
    layers = [diagram.writer.layers.get(name, []) for diagram in diagrams]
    first = 0
    for index in range(1, len(layers) + 1):
        if index == len(layers) or layers[index] != layers[first]:
            if layers[first]:
                yield f'<g data-layer="{name}">'
                yield from format_visibility(sum(seconds[:first]), sum(seconds[:index]), sum(seconds))
                yield from layers[first]
                yield "</g>"
            first = index


def format_visibility(start: float, end: float, whole: float) -> Iterator[str]:
    """Yield the element that shows a group from start to end of each round; nothing if it is always visible."""
    if start > 0 or end < whole:
        times, values = [0.0, start, end], ["hidden", "visible", "hidden"]
        if start == 0:
            times, values = times[1:], values[1:]
        if end >= whole:
            times, values = times[:-1], values[:-1]
        keys = ";".join(f"{moment / whole:.6f}".rstrip("0").rstrip(".") for moment in times)
        yield (
            '<animate attributeName="visibility" calcMode="discrete" '
            f'dur="{format_number(whole)}s" repeatCount="indefinite" '
            f'values="{";".join(values)}" keyTimes="{keys}"/>'
        )
