"""First script: play a random game, ask a bot for a move, and step a thousand games at once.

python examples/tutorials/first_script.py
"""

import random

import ropewalk


def play_random_game(spec: str, seed: int) -> ropewalk.Position:
    """Return the last position of a game of random moves."""
    rng, position = random.Random(seed), ropewalk.game(spec).start()
    while position.seat is not None:
        position = position.play_id(rng.choice(position.move_ids()))
    return position


def main() -> None:
    """Print what the three parts find."""
    end = play_random_game("tether-5", seed=1)
    assert end.outcome is not None
    print(end.draw())
    print(f"{len(end.steps())} moves: {end.outcome.words}")

    game = ropewalk.game("tether-5")
    bot = ropewalk.bot(game, level=2)
    print(f"level 2 opens with {bot.choose(game.start())}")
    bot.close()

    batch = ropewalk.Batch(game, 1000, seed=1)
    while (batch.outcomes == -1).any():
        batch.play_random()
    print(f"of 1000 random games the first seat wins {(batch.outcomes == 0).sum()}")


if __name__ == "__main__":
    main()
