"""Batched net inference for self-play: a captured CUDA graph on a GPU, plain calls on the CPU.

A queue reads the planes of a `TreeBatch` and writes logits and values into its arrays.
"""

from __future__ import annotations

import sys
import time

import torch
from torch import Tensor

from ..nets.model import PolicyValueNet, expected_value
from .selfplay.batch import TreeBatch

NUM_WARM_UP_CALLS = 3  # before a graph is captured


class TorchEvaluator:
    """A copy of the net for inference, float16 on a GPU; `load_weights` updates it."""

    def __init__(self, net: PolicyValueNet, device: torch.device, *, compile_net: bool) -> None:
        self.device = device
        self.on_cuda = device.type == "cuda"
        self.dtype = torch.float16 if self.on_cuda else torch.float32
        self.net = PolicyValueNet(net.config).to(device, self.dtype).eval().requires_grad_(False)
        self.compile_net = compile_net and self.on_cuda
        if self.compile_net:  # the blocks have one shape, so they share one compilation per board
            for block in self.net.blocks:
                block.compile(dynamic=False)
        self.load_weights(net)

    def disable_compilation(self) -> None:
        """Run the blocks eagerly from now on."""
        self.compile_net = False
        for block in self.net.blocks:
            block._compiled_call_impl = None

    @torch.no_grad()
    def load_weights(self, net: PolicyValueNet) -> None:
        """Copy the weights of `net`."""
        torch._foreach_copy_(list(self.net.parameters()), list(net.parameters()))

    def evaluate(self, planes: Tensor, neighbours: Tensor) -> tuple[Tensor, Tensor]:
        """Return float32 logits [batch, moves] and values [batch], -1 to 1 for the seat to move."""
        policy, value, _ = self.net(planes.to(self.dtype), neighbours)
        return policy.float(), expected_value(value)

    def queue_for(self, batch: TreeBatch, *, compile_net: bool = True) -> InferenceQueue:
        """Return the queue that evaluates a batch's leaves; `compile_net=False` skips compilation for this batch's shape."""
        neighbours = torch.from_numpy(batch.game.encoding.neighbour_index).to(self.device)
        if not self.on_cuda:
            return InferenceQueue(self, batch, neighbours)
        with torch.compiler.set_stance("default" if compile_net else "force_eager"):
            return CudaGraphQueue(self, batch, neighbours)


class InferenceQueue:
    """Evaluates a batch's leaves synchronously: `submit` returns when the results are written."""

    def __init__(self, evaluator: TorchEvaluator, batch: TreeBatch, neighbours: Tensor) -> None:
        self.evaluator = evaluator
        self.batch = batch
        self.neighbours = neighbours
        self.planes, self.logits, self.values = map(torch.from_numpy, batch.evaluations)

    @torch.inference_mode()
    def submit(self) -> None:
        """Evaluate the batch's planes; writes its logits and values, at the latest when `wait` returns."""
        logits, values = self.evaluator.evaluate(self.planes, self.neighbours)
        self.logits.copy_(logits)
        self.values.copy_(values)

    def wait(self) -> None:
        """Block until the submitted evaluations are written."""

    def measure_throughput(self, seconds: float) -> float:
        """Return evaluations per second of the net alone, measured for `seconds` on the current planes."""
        started_at, num_evaluations = time.perf_counter(), 0
        while time.perf_counter() - started_at < seconds:
            self.submit()
            self.wait()
            num_evaluations += len(self.planes)
        return num_evaluations / (time.perf_counter() - started_at)


class CudaGraphQueue(InferenceQueue):
    """Evaluates asynchronously by replaying one captured CUDA graph, copies included: a single call for the CPU."""

    def __init__(self, evaluator: TorchEvaluator, batch: TreeBatch, neighbours: Tensor) -> None:
        super().__init__(evaluator, batch, neighbours)
        self.pin_buffers()
        self.device_planes = torch.zeros(self.planes.shape, dtype=torch.int8, device=evaluator.device)
        self.done_event = torch.cuda.Event()
        self.capture_or_disable_compilation()

    def pin_buffers(self) -> None:
        """Replace the batch's evaluation arrays by pinned ones, for asynchronous copies."""
        pinned = [array.pin_memory() for array in (self.planes, self.logits, self.values)]
        self.planes, self.logits, self.values = pinned
        self.batch.evaluations = type(self.batch.evaluations)(*(array.numpy() for array in pinned))

    @torch.no_grad()
    def capture_or_disable_compilation(self) -> None:
        """Capture the graph; if compilation fails, warn on stderr and capture it uncompiled."""
        try:
            self.capture_graph()
        except Exception as error:
            if not self.evaluator.compile_net:
                raise
            print(
                f"ropewalk: torch.compile failed, the net runs uncompiled ({type(error).__name__}: {error!s:.300})",
                file=sys.stderr,
            )
            self.evaluator.disable_compilation()
            self.capture_graph()

    def capture_graph(self) -> None:
        """Warm up on a side stream, then capture the graph with the copies from and to the batch's arrays."""
        evaluate = self.evaluator.evaluate
        warm_up_stream = torch.cuda.Stream()
        warm_up_stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(warm_up_stream):
            for _ in range(NUM_WARM_UP_CALLS):
                evaluate(self.device_planes, self.neighbours)
        torch.cuda.current_stream().wait_stream(warm_up_stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.device_planes.copy_(self.planes, non_blocking=True)
            logits, values = evaluate(self.device_planes, self.neighbours)
            self.logits.copy_(logits, non_blocking=True)
            self.values.copy_(values, non_blocking=True)

    def submit(self) -> None:
        """Queue the graph on the current stream; returns at once."""
        self.graph.replay()
        self.done_event.record()

    def wait(self) -> None:
        """Block until the copies are complete; the GIL is released meanwhile."""
        self.done_event.synchronize()
