"""A UGI engine for every game of Ropewalk with a search depth of one move: it plays a winning move, else a random one.

    ropewalk arena tether-5 'ugi:python examples/one_ply.py {spec}' random --games 20

It follows docs/engine.md and uses only the rules of Ropewalk. An engine in another language may implement its own rules.
"""

import random
import sys

import ropewalk


def play_moves(start: ropewalk.Position, moves: list[str]) -> ropewalk.Position:
    """Return the position after some moves."""
    for move in moves:
        start = start.play(move)
    return start


def parse_position(game: ropewalk.Game, words: list[str]) -> ropewalk.Position:
    """Return the position that `startpos moves c3 b2` or `fen TEXT moves c3 b2` describes."""
    end = words.index("moves") if "moves" in words else len(words)
    start = game.start() if words[0] == "startpos" else game.position(" ".join(words[1:end]))
    return play_moves(start, words[end + 1 :])


def choose_move(position: ropewalk.Position) -> str:
    """Return a move that wins at once; else a random move that does not end the game; else any move."""
    moves = position.moves()
    random.shuffle(moves)
    endings = {move: position.play(move).outcome for move in moves}
    winning = [move for move, ending in endings.items() if ending and ending.winner == position.seat]
    quiet = [move for move, ending in endings.items() if not ending]
    return (winning or quiet or moves)[0]


def respond(game: ropewalk.Game, position: ropewalk.Position, words: list[str]) -> list[str]:
    """Return the lines of output for a command, none for commands that need no response."""
    if words == ["ugi"]:
        return ["id name One Ply", "id author The Ropewalk authors", "ugiok"]
    if words == ["isready"]:
        return ["readyok"]
    if words[:1] == ["go"]:
        return [f"bestmove {choose_move(position)}"]  # at once, so limits are ignored
    return []


def main() -> None:
    """Execute lines of input until `quit` or the end."""
    game = ropewalk.game(sys.argv[1])
    position = game.start()
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            break
        if words[:1] == ["position"]:
            position = parse_position(game, words[1:])
        for line_out in respond(game, position, words):
            print(line_out, flush=True)


main()
