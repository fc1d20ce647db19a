"""Nets as ONNX files, written from their weights: one file serves every board of a game.

The blocks, nearly all of the work, multiply bytes: what a cell is shown as a byte once, then gathered by all around it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..files import atomic_write
from .around import Design
from .player import NetError

if TYPE_CHECKING:
    from .net import Net

OPSET, IR_VERSION = 17, 8
EPSILON = 1e-5  # of the layers' norms
FINEST = 63  # steps of a weight to either side: processors add pairs of products up in 16 bits, which 127 would overflow


class Sheet:
    """A graph in the making: each step names its output after the step."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, NDArray[Any]] = {}
        self.weights = weights

    def constant(self, name: str, array: Any) -> str:
        """A fixed tensor."""
        self.constants[name] = np.asarray(array)
        return name

    def add(self, kind: str, inputs: list[str], name: str, *more: str, **settings: Any) -> str:
        """One step; some have more outputs than one."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [name, *more], name=name, **settings))
        return name

    def linear(self, x: str, layer: str) -> str:
        """A layer of the net."""
        product = self.add(
            "MatMul", [x, self.constant(f"{layer}.weight", self.weights[f"{layer}.weight"].T)], f"{layer}.product"
        )
        if f"{layer}.bias" not in self.weights:
            return product
        return self.add("Add", [product, self.constant(f"{layer}.bias", self.weights[f"{layer}.bias"])], f"{layer}.out")

    def linear_around(self, x: str, layer: str, width: int) -> str:
        """A layer over what is around each cell, in bytes: how much one stands for is found anew each time."""
        padded = self.add("Concat", [x, f"zeros.{width}"], f"{layer}.padded", axis=1)
        shown = self.add("DynamicQuantizeLinear", [padded], f"{layer}.bytes", f"{layer}.step", f"{layer}.nought")
        rounded, steps = in_bytes(self.weights[f"{layer}.weight"].T)
        weights = self.constant(f"{layer}.weight", rounded)
        product = self.add(
            "MatMulInteger", [self.taken(shown, width, layer), weights, f"{layer}.nought"], f"{layer}.product"
        )
        step = self.add("Mul", [f"{layer}.step", self.constant(f"{layer}.steps", steps)], f"{layer}.scale")
        whole = self.add("Cast", [product], f"{layer}.whole", to=1)
        scaled = self.add("Mul", [whole, step], f"{layer}.scaled")
        return self.add("Add", [scaled, self.constant(f"{layer}.bias", self.weights[f"{layer}.bias"])], f"{layer}.out")

    def norm(self, x: str, layer: str) -> str:
        """A norm over the channels."""
        scale = self.constant(f"{layer}.weight", self.weights[f"{layer}.weight"])
        bias = self.constant(f"{layer}.bias", self.weights[f"{layer}.bias"])
        return self.add("LayerNormalization", [x, scale, bias], f"{layer}.out", axis=-1, epsilon=EPSILON)

    def gathered(self, x: str, width: int, name: str) -> str:
        """What is around each cell, zeros where nothing is."""
        return self.taken(self.add("Concat", [x, f"zeros.{width}"], f"{name}.padded", axis=1), width, name)

    def taken(self, padded: str, width: int, name: str) -> str:
        """What is around each cell, from cells with a last row that stands for none."""
        taken = self.add("Gather", [padded, "around.flat"], f"{name}.taken", axis=1)
        return self.add("Reshape", [taken, f"shape.{width}"], f"{name}.around")

    def zeros(self, width: int, design: Design) -> None:
        """The row that stands for no cell, one a position; and the shape in which a cell has all that is around it."""
        last = self.constant(f"width.{width}", np.array([width], np.int64))
        shape = self.add("Concat", ["batch", "one", last], f"zeros.shape.{width}", axis=0)
        self.add("Expand", ["nought", shape], f"zeros.{width}")
        wide = self.constant(f"wide.{width}", np.array([width * design.slots], np.int64))
        self.add("Concat", ["batch", "cells", wide], f"shape.{width}", axis=0)

    def pooled(self, x: str, name: str) -> str:
        """Mean and maximum over the board."""
        mean = self.add("ReduceMean", [x], f"{name}.mean", axes=[1], keepdims=0)
        most = self.add("ReduceMax", [x], f"{name}.max", axes=[1], keepdims=0)
        return self.add("Concat", [mean, most], f"{name}.pooled", axis=1)

    def wide(self, x: str, name: str) -> str:
        """[batch, channels] as [batch, 1, channels]."""
        return self.add("Unsqueeze", [x, "one"], name)


def in_bytes(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """[inputs, outputs] as whole numbers, and what one stands for in each output."""
    steps = np.maximum(np.abs(weights).max(0), np.finfo(np.float32).tiny) / np.float32(FINEST)
    return np.rint(weights / steps).astype(np.int8), steps.astype(np.float32)


def write_onnx(net: Net, path: Path) -> None:
    """Write a net: inputs `planes` (int8) and `around`, outputs `policy`, `value` (chances) and `owners`."""
    import onnx

    with atomic_write(path) as beside:
        onnx.save(model_of(net), str(beside))


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """The weights of a net that was written here, by their layers' names; those in bytes are as they were rounded."""
    import onnx
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        model = onnx.load(str(path))
    except OSError as error:
        raise NetError(f"{path}: {error.strerror or error}") from None
    except DecodeError:
        raise NetError(f"{path} is not an ONNX file") from None
    held = {part.name: onnx.numpy_helper.to_array(part) for part in model.graph.initializer}
    weights = {name: array for name, array in held.items() if name.endswith((".weight", ".bias"))}
    for name, array in weights.items():
        steps = held.get(name.removesuffix("weight") + "steps", np.float32(1))
        weights[name] = np.ascontiguousarray((array * steps).T)  # layers were turned when they were written
    return weights


def model_of(net: Net) -> Any:
    """The net as an ONNX model."""
    return model_with({name: tensor.detach().float().cpu().numpy() for name, tensor in net.state_dict().items()}, net.design)


def model_with(weights: dict[str, NDArray[np.float32]], design: Design) -> Any:
    """A net of these weights, by their layers' names, as an ONNX model."""
    from onnx import TensorProto, checker, helper, numpy_helper

    sheet = Sheet(weights)
    draw(sheet, design)
    inputs = [
        helper.make_tensor_value_info("planes", TensorProto.INT8, ["batch", "cells", design.planes]),
        helper.make_tensor_value_info("around", TensorProto.INT64, ["cells", design.slots]),
    ]
    shapes = {"policy": ["batch", "moves"], "value": ["batch", 3], "owners": ["batch", "cells"]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    fixed = [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in sheet.constants.items()]
    graph = helper.make_graph(sheet.nodes, "ropewalk", inputs, outputs, fixed)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    checker.check_model(model)
    return model


def draw(sheet: Sheet, design: Design) -> None:
    """The whole net."""
    prepare(sheet, design)
    x = sheet.linear(sheet.gathered("planes.float", design.planes, "stem"), "stem")
    for number in range(design.blocks):
        x = draw_block(sheet, f"blocks.{number}", x, design)
    x = sheet.add("Relu", [sheet.norm(x, "norm")], "final")
    draw_heads(sheet, x, sheet.pooled(x, "final"), design)


def prepare(sheet: Sheet, design: Design) -> None:
    """Sizes that depend on the inputs, and what they are used for."""
    sheet.constant("one", np.array([1], np.int64))
    sheet.constant("minus", np.array([-1], np.int64))
    sheet.constant("nought", np.zeros((1, 1, 1), np.float32))
    sheet.add("Cast", ["planes"], "planes.float", to=1)
    sheet.add("Shape", ["planes"], "batch", start=0, end=1)
    sheet.add("Shape", ["planes"], "cells", start=1, end=2)
    sheet.add("Reshape", ["around", "minus"], "around.flat")
    for width in {design.planes, design.channels}:
        sheet.zeros(width, design)


def draw_block(sheet: Sheet, name: str, x: str, design: Design) -> str:
    """One residual block."""
    normed = sheet.norm(x, f"{name}.norm")
    look = sheet.linear_around(normed, f"{name}.look", design.channels)
    view = sheet.wide(sheet.linear(sheet.pooled(normed, f"{name}.view"), f"{name}.view"), f"{name}.view.wide")
    seen = sheet.add("Relu", [sheet.add("Add", [look, view], f"{name}.sum")], f"{name}.seen")
    again = sheet.linear_around(seen, f"{name}.look_again", design.channels)
    return sheet.add("Add", [x, again], f"{name}.end")


def draw_heads(sheet: Sheet, x: str, whole: str, design: Design) -> None:
    """Policy, value and owners."""
    view = sheet.wide(sheet.linear(whole, "policy_view"), "policy_view.wide")
    hidden = sheet.add("Relu", [sheet.add("Add", [sheet.linear(x, "policy_hidden"), view], "policy.sum")], "policy.seen")
    turned = sheet.add("Transpose", [sheet.linear(hidden, "policy")], "policy.turned", perm=[0, 2, 1])
    cells = sheet.add("Flatten", [turned], "policy.cells", axis=1)
    parts = [cells]
    if design.global_moves:
        parts.append(sheet.linear(whole, "global_policy"))
    sheet.add("Concat", parts, "policy", axis=1)
    value = sheet.linear(sheet.add("Relu", [sheet.linear(whole, "value_hidden")], "value.seen"), "value")
    sheet.add("Softmax", [value], "value", axis=1)
    sheet.constant("two", np.array([2], np.int64))
    sheet.add("Squeeze", [sheet.add("Tanh", [sheet.linear(x, "owner")], "owner.tanh"), "two"], "owners")
