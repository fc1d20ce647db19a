"""Reading the constant tensors of an ONNX file without the package `onnx`, which only training needs.

An ONNX file is a protocol buffer. Field numbers are those of `onnx.proto`, which never change.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MODEL_GRAPH, GRAPH_INITIALIZER = 7, 5
TENSOR_DIMS, TENSOR_TYPE, TENSOR_NAME, TENSOR_DATA = 1, 2, 8, 9
VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5  # wire types
TENSOR_TYPES: dict[int, Any] = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64}


def read_initializers(path: Path) -> dict[str, NDArray[Any]]:
    """Return the initializers by name. Raises ValueError or IndexError if the file is damaged or has other types."""
    with memoryview(path.read_bytes()) as model:
        graphs = [graph for field, graph in iterate_fields(model) if field == MODEL_GRAPH]
        tensors = [tensor for field, tensor in iterate_fields(graphs[0]) if field == GRAPH_INITIALIZER]
        return dict(map(parse_tensor, tensors))


def parse_tensor(message: Any) -> tuple[str, NDArray[Any]]:
    """Return name and copy of a tensor that stores its numbers as raw bytes."""
    shape: list[int] = []
    name, dtype, data = "", None, b""
    for field, value in iterate_fields(message):
        if field == TENSOR_DIMS:
            shape += [value] if isinstance(value, int) else iterate_varints(value)
        elif field == TENSOR_TYPE:
            dtype = TENSOR_TYPES.get(value)
        elif field == TENSOR_NAME:
            name = str(value, "utf-8")
        elif field == TENSOR_DATA:
            data = value
    if dtype is None:
        raise ValueError(f"tensor {name} has a type that nets do not use")
    return name, np.frombuffer(data, dtype).reshape(shape).copy()


def iterate_fields(message: Any) -> Iterator[tuple[int, Any]]:
    """Yield the number and value of each field of a message: an int or bytes."""
    position = 0
    while position < len(message):
        key, position = read_varint(message, position)
        wire_type = key & 7
        if wire_type == VARINT:
            value, position = read_varint(message, position)
            yield key >> 3, value
            continue
        if wire_type == BYTES:
            size, position = read_varint(message, position)
        elif wire_type in (FIXED_32, FIXED_64):
            size = 4 if wire_type == FIXED_32 else 8
        else:
            raise ValueError(f"unknown wire type {wire_type}")
        yield key >> 3, message[position : position + size]
        position += size


def iterate_varints(data: Any) -> Iterator[int]:
    """Yield the numbers of a packed field."""
    position = 0
    while position < len(data):
        value, position = read_varint(data, position)
        yield value


def read_varint(data: Any, position: int) -> tuple[int, int]:
    """Return the number at a position, seven bits in each byte, the lowest first, and the position after it."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, position
