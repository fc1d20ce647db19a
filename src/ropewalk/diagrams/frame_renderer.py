"""Frames of an animation as images: what has not changed since the frame before is not rendered again.

The SVG of a frame is divided into chunks, from the bottom to the top: each layer, and parts of the layers of pieces. A chunk
is rendered when its text changes, and the image is composed anew from the first chunk that has changed.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .diagram import Diagram, format_document

if TYPE_CHECKING:
    from PIL.Image import Image

PIECE_LAYERS = ("far pieces", "pieces")
NUM_PIECE_CHUNKS = 16
MAX_CACHED_CHUNKS = 64


def render_png(svg: str) -> bytes:
    """Return an SVG as PNG, in its own size."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


def open_png(image: bytes) -> Image:
    """Return a PNG as an image with transparency."""
    from PIL import Image

    return Image.open(io.BytesIO(image)).convert("RGBA")


class FrameRenderer:
    """Renders diagrams of one size, one after the other."""

    def __init__(self) -> None:
        self.images: OrderedDict[str, Image] = OrderedDict()  # of chunks; the least recently used comes first
        self.composed: list[tuple[str, Image]] = []  # chunks of the last frame, each with the image up to it

    def render(self, diagram: Diagram) -> Image:
        """Return the image of a diagram, without transparency."""
        diagram.draw_layers()
        chunks = [chunk for chunk in split_chunks(diagram) if chunk]
        same = 0
        while same < min(len(chunks), len(self.composed)) and self.composed[same][0] == chunks[same]:
            same += 1
        del self.composed[same:]
        for chunk in chunks[same:]:
            image = self.render_chunk(diagram, chunk)
            if self.composed:
                image = self.compose(self.composed[-1][1], image)
            self.composed.append((chunk, image))
        return self.composed[-1][1].convert("RGB")

    def compose(self, below: Image, above: Image) -> Image:
        """Return an image on top of another."""
        from PIL import Image

        return Image.alpha_composite(below, above)

    def render_chunk(self, diagram: Diagram, chunk: str) -> Image:
        """Return the image of a chunk on a transparent page."""
        image = self.images.get(chunk)
        if image is None:
            image = open_png(render_png(format_document(diagram.page, "", "", diagram.writer.definitions, [chunk])))
            self.images[chunk] = image
            if len(self.images) > MAX_CACHED_CHUNKS:
                self.images.popitem(last=False)
        self.images.move_to_end(chunk)
        return image


def split_chunks(diagram: Diagram) -> Iterator[str]:
    """Yield the SVG of a drawn diagram in chunks, in which a cell of the board is always in the same one."""
    cells = [diagram.board.names[cell] for cell in diagram.page.scene.placements]
    chunk_of = {f'<g data-piece="{name}">': rank * NUM_PIECE_CHUNKS // len(cells) for rank, name in enumerate(cells)}
    for name, lines in diagram.writer.layers.items():
        if name not in PIECE_LAYERS:
            yield "\n".join(lines)
            continue
        parts: list[list[str]] = [[] for _ in range(NUM_PIECE_CHUNKS)]
        part = 0
        for line in lines:
            part = max(part, chunk_of.get(line, part))  # in the order of the layer
            parts[part].append(line)
        yield from ("\n".join(part_lines) for part_lines in parts)
