"""Pictures of pixels: PNG from SVG by resvg, GIF by Pillow. All letters are strokes, so no fonts are needed."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Sequence

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
