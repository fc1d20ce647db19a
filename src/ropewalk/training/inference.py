"""The net at the other end of a grove: in a captured graph on a GPU, or plainly on the CPU."""

from __future__ import annotations

import sys
import time

import torch
from torch import Tensor

from ..nets.config import neighbour_index
from ..nets.model import PolicyValueNet, expected_value
from .selfplay.batch import SelfPlayBatch

NUM_WARM_UP_CALLS = 3  # calls before a graph is captured


class TorchEvaluator:
    """A copy of the net that only answers; `refresh` gives it new weights."""

    def __init__(self, net: PolicyValueNet, device: torch.device, *, compile_net: bool) -> None:
        self.device = device
        self.on_cuda = device.type == "cuda"
        self.dtype = torch.float16 if self.on_cuda else torch.float32
        self.net = PolicyValueNet(net.config).to(device, self.dtype).eval().requires_grad_(False)
        self.compile_net = compile_net and self.on_cuda
        if self.compile_net:  # block by block: they are alike, so one compilation a board serves them all
            for block in self.net.blocks:
                block.compile(dynamic=False)
        self.load_weights(net)

    def disable_compilation(self) -> None:
        """Run the blocks as they are written."""
        self.compile_net = False
        for block in self.net.blocks:
            block._compiled_call_impl = None

    @torch.no_grad()
    def load_weights(self, net: PolicyValueNet) -> None:
        """Take the weights of a net."""
        torch._foreach_copy_(list(self.net.parameters()), list(net.parameters()))

    def evaluate(self, planes: Tensor, neighbours: Tensor) -> tuple[Tensor, Tensor]:
        """Logits by move and the expected value."""
        policy, value, _ = self.net(planes.to(self.dtype), neighbours)
        return policy.float(), expected_value(value)

    def queue_for(self, batch: SelfPlayBatch, *, compile_net: bool = True) -> InferenceQueue:
        """A line through which a grove gets its answers; a small one need not be compiled."""
        neighbours = torch.from_numpy(neighbour_index(batch.game)).to(self.device)
        if not self.on_cuda:
            return InferenceQueue(self, batch, neighbours)
        with torch.compiler.set_stance("default" if compile_net else "force_eager"):
            return CudaGraphQueue(self, batch, neighbours)


class InferenceQueue:
    """Answers a grove's leaves at once."""

    def __init__(self, evaluator: TorchEvaluator, batch: SelfPlayBatch, neighbours: Tensor) -> None:
        self.evaluator = evaluator
        self.batch = batch
        self.neighbours = neighbours
        self.planes, self.logits, self.values = map(torch.from_numpy, batch.evaluations)

    @torch.inference_mode()
    def submit(self) -> None:
        """Send the leaves to the net."""
        logits, values = self.evaluator.evaluate(self.planes, self.neighbours)
        self.logits.copy_(logits)
        self.values.copy_(values)

    def wait(self) -> None:
        """Until the answers are there."""

    def measure_throughput(self, seconds: float) -> float:
        """Evaluations a second of the net alone, on batches that are ready."""
        started_at, num_evaluations = time.perf_counter(), 0
        while time.perf_counter() - started_at < seconds:
            self.submit()
            self.wait()
            num_evaluations += len(self.planes)
        return num_evaluations / (time.perf_counter() - started_at)


class CudaGraphQueue(InferenceQueue):
    """Answers through one captured graph: a call costs the GPU's time and next to none of ours."""

    def __init__(self, evaluator: TorchEvaluator, batch: SelfPlayBatch, neighbours: Tensor) -> None:
        super().__init__(evaluator, batch, neighbours)
        self.pin_buffers()
        self.device_planes = torch.zeros(self.planes.shape, dtype=torch.int8, device=evaluator.device)
        self.done_event = torch.cuda.Event()
        self.device_outputs = self.capture_or_disable_compilation()

    def pin_buffers(self) -> None:
        """Keep the grove's arrays where the GPU can fetch them by itself."""
        pinned = [array.pin_memory() for array in (self.planes, self.logits, self.values)]
        self.planes, self.logits, self.values = pinned
        self.batch.evaluations = type(self.batch.evaluations)(*(array.numpy() for array in pinned))

    @torch.no_grad()
    def capture_or_disable_compilation(self) -> tuple[Tensor, Tensor]:
        """Capture the graph, of compiled kernels where that works; its outputs."""
        try:
            return self.capture_graph()
        except Exception as error:
            if not self.evaluator.compile_net:
                raise
            print(f"ropewalk: the net was not compiled ({type(error).__name__}: {error!s:.300})", file=sys.stderr)
            self.evaluator.disable_compilation()
            return self.capture_graph()

    def capture_graph(self) -> tuple[Tensor, Tensor]:
        """Warm up aside, then capture."""
        evaluate = self.evaluator.evaluate
        warm_up_stream = torch.cuda.Stream()
        warm_up_stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(warm_up_stream):
            for _ in range(NUM_WARM_UP_CALLS):
                evaluate(self.device_planes, self.neighbours)
        torch.cuda.current_stream().wait_stream(warm_up_stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            outputs: tuple[Tensor, Tensor] = evaluate(self.device_planes, self.neighbours)
        return outputs

    def submit(self) -> None:
        """Queue the copies and the graph; nothing waits here."""
        self.device_planes.copy_(self.planes, non_blocking=True)
        self.graph.replay()
        self.logits.copy_(self.device_outputs[0], non_blocking=True)
        self.values.copy_(self.device_outputs[1], non_blocking=True)
        self.done_event.record()

    def wait(self) -> None:
        """Until the answers are there; other threads go on meanwhile."""
        self.done_event.synchronize()
