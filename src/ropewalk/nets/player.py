"""A net on the CPU: an ONNX file opened for one thread, asked about one board's positions."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RopewalkError
from ..games.game import Game
from .around import around


class NetError(RopewalkError):
    """A file that is no net, or a net of another game."""


@lru_cache(maxsize=16)
def session(path: Path) -> Any:
    """The file as onnxruntime runs it, in one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise NetError(f"{path} is not a net that can be opened: {str(error).splitlines()[0][:200]}") from None


class NetPlayer:
    """Answers for one board."""

    def __init__(self, game: Game, path: Path) -> None:
        if not path.is_file():
            raise NetError(f"there is no net {path}")
        self.session = session(path)
        self.around = around(game)
        self._check(game, path)

    def _check(self, game: Game, path: Path) -> None:
        """A net must see what the game shows, and have the game's kinds of moves."""
        wanted = (len(game.planes), self.around.shape[1])
        found = tuple(given.shape[-1] for given in self.session.get_inputs())
        if found != wanted:
            raise NetError(
                f"{path} is a net of another game than {game.name}: its planes and slots are {found}, not {wanted}"
            )

    def answer(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits by move id, and what the seat to move can expect, -1 to 1."""
        policy, value, _ = self.session.run(None, {"planes": planes, "around": self.around})
        return policy, value[:, 0] - value[:, 2]
