"""A UGI engine for every game of Ropewalk that looks one step ahead: it wins when it can, else it plays at random.

    ropewalk arena tether-5 'ugi:python examples/one_ply.py {spec}' random --games 20

It was written by docs/engine.md alone. Of Ropewalk it uses only the rules; an engine in any language may bring its own.
"""

import random
import sys

import ropewalk


def after(start: ropewalk.Position, moves: list[str]) -> ropewalk.Position:
    """The position after some moves."""
    for move in moves:
        start = start.play(move)
    return start


def described(game: ropewalk.Game, words: list[str]) -> ropewalk.Position:
    """The position that `startpos moves c3 b2` or `fen TEXT moves c3 b2` describes."""
    end = words.index("moves") if "moves" in words else len(words)
    start = game.start() if words[0] == "startpos" else game.position(" ".join(words[1:end]))
    return after(start, words[end + 1 :])


def chosen(position: ropewalk.Position) -> str:
    """A step that wins at once, or any that does not lose at once, or any."""
    moves = position.moves()
    random.shuffle(moves)
    endings = {move: position.play(move).outcome for move in moves}
    winning = [move for move, ending in endings.items() if ending and ending.winner == position.seat]
    quiet = [move for move, ending in endings.items() if not ending]
    return (winning or quiet or moves)[0]


def answers(game: ropewalk.Game, position: ropewalk.Position, words: list[str]) -> list[str]:
    """What to say to a command; what needs no answer gets none."""
    if words == ["ugi"]:
        return ["id name One Ply", "id author The Ropewalk authors", "ugiok"]
    if words == ["isready"]:
        return ["readyok"]
    if words[:1] == ["go"]:
        return [f"bestmove {chosen(position)}"]  # at once, whatever the limit
    return []


def main() -> None:
    """Hear lines until `quit` or the end."""
    game = ropewalk.game(sys.argv[1])
    position = game.start()
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            break
        if words[:1] == ["position"]:
            position = described(game, words[1:])
        for answer in answers(game, position, words):
            print(answer, flush=True)


main()
