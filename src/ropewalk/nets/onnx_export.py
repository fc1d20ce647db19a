"""ONNX export of nets, and reading their weights back; one file serves all board sizes of a game.

The convolutions of the residual blocks, which take nearly all of the time, are int8: weights are quantised per output
channel when the file is written, activations at run time, before they are gathered. Node, tensor and layer names are a
stored format: `LAYER_NAMES` maps the module's attributes to them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..atomic_file import atomic_write
from .config import NetConfig
from .onnx_evaluator import NetError

if TYPE_CHECKING:
    from .model import PolicyValueNet

OPSET, IR_VERSION = 17, 8
LAYER_NORM_EPSILON = 1e-5  # the default of torch.nn.LayerNorm
INT8_LIMIT = 63  # largest quantised weight: CPUs add pairs of products in 16 bits, which would overflow with 127
LAYER_NAMES = {  # attribute of the torch module -> layer name in the file
    "conv1": "look",
    "global_bias": "view",
    "conv2": "look_again",
    "policy_global_bias": "policy_view",
    "ownership": "owner",
}
PARAMETER_NAMES = {stored: name for name, stored in LAYER_NAMES.items()}


class OnnxGraphBuilder:
    """Collects nodes and initializers of an ONNX graph; methods return the name of their (first) output."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self.nodes: list[Any] = []
        self.initializers: dict[str, NDArray[Any]] = {}
        self.weights = weights

    def add_initializer(self, name: str, array: Any) -> str:
        """Add a constant tensor."""
        self.initializers[name] = np.asarray(array)
        return name

    def add_node(self, op_type: str, inputs: list[str], name: str, *extra_outputs: str, **attributes: Any) -> str:
        """Add a node whose first output has the node's name."""
        from onnx import helper

        self.nodes.append(helper.make_node(op_type, inputs, [name, *extra_outputs], name=name, **attributes))
        return name

    def add_linear(self, x: str, layer: str) -> str:
        """Add a float linear layer, with a bias if the weights have one."""
        product = self.add_node(
            "MatMul", [x, self.add_initializer(f"{layer}.weight", self.weights[f"{layer}.weight"].T)], f"{layer}.product"
        )
        if f"{layer}.bias" not in self.weights:
            return product
        return self.add_node(
            "Add", [product, self.add_initializer(f"{layer}.bias", self.weights[f"{layer}.bias"])], f"{layer}.out"
        )

    def add_int8_neighbour_linear(self, x: str, layer: str, width: int) -> str:
        """Add an int8 linear layer over gathered neighbours; the activation scale is computed at run time."""
        padded = self.add_node("Concat", [x, f"zeros.{width}"], f"{layer}.padded", axis=1)
        quantized = self.add_node("DynamicQuantizeLinear", [padded], f"{layer}.bytes", f"{layer}.step", f"{layer}.nought")
        int8_weights, weight_scales = quantize_int8(self.weights[f"{layer}.weight"].T)
        weights = self.add_initializer(f"{layer}.weight", int8_weights)
        product = self.add_node(
            "MatMulInteger",
            [self.add_padded_gather(quantized, width, layer), weights, f"{layer}.nought"],
            f"{layer}.product",
        )
        scale = self.add_node(
            "Mul", [f"{layer}.step", self.add_initializer(f"{layer}.steps", weight_scales)], f"{layer}.scale"
        )
        float_product = self.add_node("Cast", [product], f"{layer}.whole", to=1)
        scaled = self.add_node("Mul", [float_product, scale], f"{layer}.scaled")
        return self.add_node(
            "Add", [scaled, self.add_initializer(f"{layer}.bias", self.weights[f"{layer}.bias"])], f"{layer}.out"
        )

    def add_layer_norm(self, x: str, layer: str) -> str:
        """Add a layer norm over the channels."""
        scale = self.add_initializer(f"{layer}.weight", self.weights[f"{layer}.weight"])
        bias = self.add_initializer(f"{layer}.bias", self.weights[f"{layer}.bias"])
        return self.add_node("LayerNormalization", [x, scale, bias], f"{layer}.out", axis=-1, epsilon=LAYER_NORM_EPSILON)

    def add_neighbour_gather(self, x: str, width: int, name: str) -> str:
        """Add the gathering of each cell's neighbours, zeros for missing ones."""
        return self.add_padded_gather(self.add_node("Concat", [x, f"zeros.{width}"], f"{name}.padded", axis=1), width, name)

    def add_padded_gather(self, padded: str, width: int, name: str) -> str:
        """Add the gathering of neighbours from an input whose last row is the padding row."""
        flat = self.add_node("Gather", [padded, "around.flat"], f"{name}.taken", axis=1)
        return self.add_node("Reshape", [flat, f"shape.{width}"], f"{name}.around")

    def add_padding_row(self, width: int, config: NetConfig) -> None:
        """Add the zero row for missing neighbours, [batch, 1, width], and the shape of gathered neighbours."""
        last = self.add_initializer(f"width.{width}", np.array([width], np.int64))
        shape = self.add_node("Concat", ["batch", "one", last], f"zeros.shape.{width}", axis=0)
        self.add_node("Expand", ["nought", shape], f"zeros.{width}")
        neighbourhood_width = self.add_initializer(f"wide.{width}", np.array([width * config.neighbourhood], np.int64))
        self.add_node("Concat", ["batch", "cells", neighbourhood_width], f"shape.{width}", axis=0)

    def add_global_pool(self, x: str, name: str) -> str:
        """Add mean and maximum over the cells, concatenated."""
        mean = self.add_node("ReduceMean", [x], f"{name}.mean", axes=[1], keepdims=0)
        maximum = self.add_node("ReduceMax", [x], f"{name}.max", axes=[1], keepdims=0)
        return self.add_node("Concat", [mean, maximum], f"{name}.pooled", axis=1)

    def add_cell_axis(self, x: str, name: str) -> str:
        """Add a reshape of [batch, channels] to [batch, 1, channels]."""
        return self.add_node("Unsqueeze", [x, "one"], name)


def quantize_int8(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Quantise weights [inputs, outputs] symmetrically; return int8 values and the scale of each output."""
    scales = np.maximum(np.abs(weights).max(0), np.finfo(np.float32).tiny) / np.float32(INT8_LIMIT)
    return np.rint(weights / scales).astype(np.int8), scales.astype(np.float32)


def write_onnx(net: PolicyValueNet, path: Path) -> None:
    """Write a net as an ONNX file.

    Inputs: `planes` (int8) and `around`, the neighbour index. Outputs: `policy` (logits), `value` (probabilities of win,
    draw and loss) and `owners` (ownership).
    """
    import onnx

    with atomic_write(path) as temporary_path:
        onnx.save(export_model(net), str(temporary_path))


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the weights in a file of `write_onnx` by parameter name; int8 weights keep their rounding.

    Raises NetError if the file cannot be read or is not an ONNX file.
    """
    import onnx
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        model = onnx.load(str(path))
    except OSError as error:
        raise NetError(f"{path}: {error.strerror or error}") from None
    except DecodeError:
        raise NetError(f"{path} is not an ONNX file") from None
    initializers = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    weights = {name: array for name, array in initializers.items() if name.endswith((".weight", ".bias"))}
    for name, array in weights.items():
        scales = initializers.get(name.removesuffix("weight") + "steps", np.float32(1))
        weights[name] = np.ascontiguousarray((array * scales).T)  # linear layers are stored transposed
    return {rename_layers(name, PARAMETER_NAMES): array for name, array in weights.items()}


def rename_layers(name: str, names: dict[str, str]) -> str:
    """Translate the components of a dotted parameter name."""
    return ".".join(names.get(part, part) for part in name.split("."))


def export_model(net: PolicyValueNet) -> Any:
    """Return the net as an ONNX model."""
    parameters = net.state_dict().items()
    weights = {rename_layers(name, LAYER_NAMES): tensor.detach().float().cpu().numpy() for name, tensor in parameters}
    return build_model(weights, net.config)


def build_model(weights: dict[str, NDArray[np.float32]], config: NetConfig) -> Any:
    """Return an ONNX model with these weights, which have the layer names of the file; checks the model."""
    from onnx import TensorProto, checker, helper, numpy_helper

    builder = OnnxGraphBuilder(weights)
    build_graph(builder, config)
    inputs = [
        helper.make_tensor_value_info("planes", TensorProto.INT8, ["batch", "cells", config.planes]),
        helper.make_tensor_value_info("around", TensorProto.INT64, ["cells", config.neighbourhood]),
    ]
    shapes = {"policy": ["batch", "moves"], "value": ["batch", 3], "owners": ["batch", "cells"]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    initializers = [
        numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in builder.initializers.items()
    ]
    graph = helper.make_graph(builder.nodes, "ropewalk", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    checker.check_model(model)
    return model


def build_graph(builder: OnnxGraphBuilder, config: NetConfig) -> None:
    """Add all nodes of the net."""
    add_shape_nodes(builder, config)
    x = builder.add_linear(builder.add_neighbour_gather("planes.float", config.planes, "stem"), "stem")
    for block_index in range(config.blocks):
        x = build_block(builder, f"blocks.{block_index}", x, config)
    x = builder.add_node("Relu", [builder.add_layer_norm(x, "norm")], "final")
    build_heads(builder, x, builder.add_global_pool(x, "final"), config)


def add_shape_nodes(builder: OnnxGraphBuilder, config: NetConfig) -> None:
    """Add constants, input conversions, and the nodes that depend on batch size and board size."""
    builder.add_initializer("one", np.array([1], np.int64))
    builder.add_initializer("minus", np.array([-1], np.int64))
    builder.add_initializer("nought", np.zeros((1, 1, 1), np.float32))
    builder.add_node("Cast", ["planes"], "planes.float", to=1)
    builder.add_node("Shape", ["planes"], "batch", start=0, end=1)
    builder.add_node("Shape", ["planes"], "cells", start=1, end=2)
    builder.add_node("Reshape", ["around", "minus"], "around.flat")
    for width in {config.planes, config.channels}:
        builder.add_padding_row(width, config)


def build_block(builder: OnnxGraphBuilder, name: str, x: str, config: NetConfig) -> str:
    """Add one residual block."""
    normed = builder.add_layer_norm(x, f"{name}.norm")
    conv1 = builder.add_int8_neighbour_linear(normed, f"{name}.look", config.channels)
    global_bias = builder.add_cell_axis(
        builder.add_linear(builder.add_global_pool(normed, f"{name}.view"), f"{name}.view"), f"{name}.view.wide"
    )
    hidden = builder.add_node("Relu", [builder.add_node("Add", [conv1, global_bias], f"{name}.sum")], f"{name}.seen")
    conv2 = builder.add_int8_neighbour_linear(hidden, f"{name}.look_again", config.channels)
    return builder.add_node("Add", [x, conv2], f"{name}.end")


def build_heads(builder: OnnxGraphBuilder, x: str, board_features: str, config: NetConfig) -> None:
    """Add the heads, with the outputs policy, value and owners."""
    global_bias = builder.add_cell_axis(builder.add_linear(board_features, "policy_view"), "policy_view.wide")
    hidden = builder.add_node(
        "Relu", [builder.add_node("Add", [builder.add_linear(x, "policy_hidden"), global_bias], "policy.sum")], "policy.seen"
    )
    transposed = builder.add_node("Transpose", [builder.add_linear(hidden, "policy")], "policy.turned", perm=[0, 2, 1])
    cells = builder.add_node("Flatten", [transposed], "policy.cells", axis=1)
    policy_parts = [cells]
    if config.global_moves:
        policy_parts.append(builder.add_linear(board_features, "global_policy"))
    builder.add_node("Concat", policy_parts, "policy", axis=1)
    value = builder.add_linear(
        builder.add_node("Relu", [builder.add_linear(board_features, "value_hidden")], "value.seen"), "value"
    )
    builder.add_node("Softmax", [value], "value", axis=1)
    builder.add_initializer("two", np.array([2], np.int64))
    builder.add_node("Squeeze", [builder.add_node("Tanh", [builder.add_linear(x, "owner")], "owner.tanh"), "two"], "owners")
