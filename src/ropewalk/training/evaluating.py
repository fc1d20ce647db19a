"""The net at the other end of a grove: in a captured graph on a GPU, or plainly on the CPU."""

from __future__ import annotations

import sys
import time

import torch
from torch import Tensor

from ..nets.around import neighbour_index
from ..nets.net import PolicyValueNet, expected_value
from .grove import Grove

WARM_UPS = 3  # calls before a graph is captured


class Evaluator:
    """A copy of the net that only answers; `refresh` gives it new weights."""

    def __init__(self, net: PolicyValueNet, device: torch.device, *, compiles: bool) -> None:
        self.device = device
        self.half = device.type == "cuda"
        self.kind = torch.float16 if self.half else torch.float32
        self.net = PolicyValueNet(net.config).to(device, self.kind).eval().requires_grad_(False)
        self.compiles = compiles and self.half
        if self.compiles:  # block by block: they are alike, so one compilation a board serves them all
            for block in self.net.blocks:
                block.compile(dynamic=False)
        self.refresh(net)

    def give_up_compiling(self) -> None:
        """Run the blocks as they are written."""
        self.compiles = False
        for block in self.net.blocks:
            block._compiled_call_impl = None

    @torch.no_grad()
    def refresh(self, net: PolicyValueNet) -> None:
        """Take the weights of a net."""
        torch._foreach_copy_(list(self.net.parameters()), list(net.parameters()))

    def answer(self, planes: Tensor, board: Tensor) -> tuple[Tensor, Tensor]:
        """Logits by move and the expected value."""
        policy, value, _ = self.net(planes.to(self.kind), board)
        return policy.float(), expected_value(value)

    def line_to(self, grove: Grove, *, compiles: bool = True) -> Line:
        """A line through which a grove gets its answers; a small one need not be compiled."""
        board = torch.from_numpy(neighbour_index(grove.game)).to(self.device)
        if not self.half:
            return Line(self, grove, board)
        with torch.compiler.set_stance("default" if compiles else "force_eager"):
            return GraphLine(self, grove, board)


class Line:
    """Answers a grove's leaves at once."""

    def __init__(self, evaluator: Evaluator, grove: Grove, board: Tensor) -> None:
        self.evaluator = evaluator
        self.grove = grove
        self.board = board
        self.planes, self.logits, self.values = map(torch.from_numpy, grove.answers)

    @torch.inference_mode()
    def ask(self) -> None:
        """Send the leaves to the net."""
        logits, values = self.evaluator.answer(self.planes, self.board)
        self.logits.copy_(logits)
        self.values.copy_(values)

    def wait(self) -> None:
        """Until the answers are there."""

    def floor(self, seconds: float) -> float:
        """Evaluations a second of the net alone, on batches that are ready."""
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            self.ask()
            self.wait()
            done += len(self.planes)
        return done / (time.perf_counter() - began)


class GraphLine(Line):
    """Answers through one captured graph: a call costs the GPU's time and next to none of ours."""

    def __init__(self, evaluator: Evaluator, grove: Grove, board: Tensor) -> None:
        super().__init__(evaluator, grove, board)
        self.pin()
        self.input = torch.zeros(self.planes.shape, dtype=torch.int8, device=evaluator.device)
        self.done = torch.cuda.Event()
        self.output = self.captured()

    def pin(self) -> None:
        """Keep the grove's arrays where the GPU can fetch them by itself."""
        pinned = [array.pin_memory() for array in (self.planes, self.logits, self.values)]
        self.planes, self.logits, self.values = pinned
        self.grove.answers = type(self.grove.answers)(*(array.numpy() for array in pinned))

    @torch.no_grad()
    def captured(self) -> tuple[Tensor, Tensor]:
        """Capture the graph, of compiled kernels where that works; its outputs."""
        try:
            return self.capture()
        except Exception as error:
            if not self.evaluator.compiles:
                raise
            print(f"ropewalk: the net was not compiled ({type(error).__name__}: {error!s:.300})", file=sys.stderr)
            self.evaluator.give_up_compiling()
            return self.capture()

    def capture(self) -> tuple[Tensor, Tensor]:
        """Warm up aside, then capture."""
        answer = self.evaluator.answer
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(WARM_UPS):
                answer(self.input, self.board)
        torch.cuda.current_stream().wait_stream(aside)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            output: tuple[Tensor, Tensor] = answer(self.input, self.board)
        return output

    def ask(self) -> None:
        """Queue the copies and the graph; nothing waits here."""
        self.input.copy_(self.planes, non_blocking=True)
        self.graph.replay()
        self.logits.copy_(self.output[0], non_blocking=True)
        self.values.copy_(self.output[1], non_blocking=True)
        self.done.record()

    def wait(self) -> None:
        """Until the answers are there; other threads go on meanwhile."""
        self.done.synchronize()
