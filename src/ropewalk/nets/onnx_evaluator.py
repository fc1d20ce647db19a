"""Net inference on the CPU in one thread, for the positions of one board.

A net of `onnx_export` runs as compiled kernels where the processor has the instructions for them. All other ONNX files run
in onnxruntime.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RopewalkError
from ..games.game import Game
from ..games.position import Position
from .compiled_net import load_compiled_net

BUNDLED_NETS_DIR = Path(__file__).parent / "weights"


def resolve_net_path(game: Game, path: str = "") -> Path:
    """The file that was named, or the one that comes with the package."""
    if path:
        return Path(path)
    bundled = BUNDLED_NETS_DIR / f"{game.definition.key}.onnx"
    if not bundled.exists():
        raise NetError(f"this version includes no net for {game.name}; name a file, such as net:run/lariat.onnx")
    return bundled


class NetError(RopewalkError):
    """A net file is missing, invalid or belongs to another game."""


@lru_cache(maxsize=16)
def load_session(path: Path) -> Any:
    """Return a cached single-threaded session; raises NetError without onnxruntime, or if the file is not a model."""
    try:
        import onnxruntime
    except ImportError:
        raise NetError("this bot has a net, which needs onnxruntime; install it with: pip install onnxruntime") from None

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise NetError(f"cannot load the net {path}: {str(error).splitlines()[0][:200]}") from None


class OnnxEvaluator:
    """Evaluates positions of one board; the constructor raises NetError if the file is not a net for the game."""

    def __init__(self, game: Game, path: Path) -> None:
        if not path.is_file():
            raise NetError(f"net file {path} not found")
        self.session = load_session(path)
        self.neighbour_index = game.encoding.neighbour_index
        self._check_inputs(game, path)
        self._compiled_net = load_compiled_net(game, path)

    def _check_inputs(self, game: Game, path: Path) -> None:
        """Raise NetError unless the model's numbers of planes and neighbours are those of the game."""
        expected = (game.encoding.num_planes, self.neighbour_index.shape[1])
        actual = tuple(model_input.shape[-1] for model_input in self.session.get_inputs())
        if actual != expected:
            raise NetError(f"{path} is not a net for {game.name}: its planes and slots are {actual}, expected {expected}")

    def evaluate(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluate planes [batch, cells, planes]: logits by move id [batch, moves], and values [batch].

        A value is the expected outcome for the seat to move, -1 to 1.
        """
        policy, value, _ = self._run(planes)
        return policy, value[:, 0] - value[:, 2]

    def _run(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], ...]:
        """Return the outputs policy, value and owners."""
        if self._compiled_net is not None:
            return self._compiled_net.evaluate(planes)
        outputs: tuple[NDArray[np.float32], ...] = self.session.run(None, {"planes": planes, "around": self.neighbour_index})
        return outputs

    def evaluate_position(self, position: Position) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the probabilities of the legal moves, in the order of `move_ids`, and the owners of cells [cells].

        An owner is from -1 (the opponent) to 1 (the seat to move).
        """
        planes = position.observation()[np.newaxis]
        logits, _, owners = self._run(planes)
        legal_logits = logits[0, position.move_ids()]
        weights = np.exp(legal_logits - legal_logits.max())
        return weights / weights.sum(), owners[0]
