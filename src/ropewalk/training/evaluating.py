"""The net at the other end of a grove: in a captured graph on a GPU, or plainly on the CPU."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ..nets.around import around
from ..nets.net import Net, expectation
from .grove import Grove

WARM_UPS = 3  # calls before a graph is captured


class Evaluator:
    """A copy of the net that only answers; `refresh` gives it new weights."""

    def __init__(self, net: Net, device: torch.device, *, compiles: bool) -> None:
        self.device = device
        self.half = device.type == "cuda"
        self.net = Net(net.design).to(device, torch.float16 if self.half else torch.float32).eval().requires_grad_(False)
        self.compiles = compiles and self.half
        self.refresh(net)

    @torch.no_grad()
    def refresh(self, net: Net) -> None:
        """Take the weights of a net."""
        torch._foreach_copy_(list(self.net.parameters()), list(net.parameters()))

    def answer(self, planes: Tensor, board: Tensor) -> tuple[Tensor, Tensor]:
        """Logits by move and the expected value."""
        policy, value, _ = self.net(planes.to(next(self.net.parameters()).dtype), board)
        return policy.float(), expectation(value)

    def line_to(self, grove: Grove) -> Line:
        """A line through which a grove gets its answers."""
        board = torch.from_numpy(around(grove.game)).to(self.device)
        return GraphLine(self, grove, board) if self.half else Line(self, grove, board)


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
            return self.capture(self.compiled_answer() if self.evaluator.compiles else self.evaluator.answer)
        except Exception as error:
            if not self.evaluator.compiles:
                raise
            print(f"ropewalk: the net was not compiled ({type(error).__name__}: {error!s:.200})", file=sys.stderr)
            self.evaluator.compiles = False
            return self.capture(self.evaluator.answer)

    def compiled_answer(self) -> Callable[..., Any]:
        """The net as fused kernels."""
        return torch.compile(self.evaluator.answer, dynamic=False)  # type: ignore[no-any-return]

    def capture(self, answer: Callable[..., Any]) -> tuple[Tensor, Tensor]:
        """Warm up aside, then capture."""
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
