"""A table with one game on it: what people type, and what they are told."""

from __future__ import annotations

from collections.abc import Mapping

from ..bots.bot import Bot, Line, Report
from ..bots.levels import bot as bot_of
from ..errors import IllegalMove, MoveError, near, one_line
from ..games.game import Position
from .printing import side_by_side, wrapped
from .telling import ending, legal_moves
from .turns import Refused, explained, play_all

HELP = [
    ("MOVE ...", "play a step or a turn, or several"),
    ("moves", "list the legal moves"),
    ("explain MOVE", "what a move would do"),
    ("why MOVE", "why a move is not legal"),
    ("hint", "what a bot would think of"),
    ("undo", "take the last move back"),
    ("board", "draw the board again"),
    ("text", "the position as one line of text"),
    ("quit", "leave, as do Ctrl-D and Ctrl-C"),
]


BOTH = 2
ADVISER = 6  # the level that gives hints
HINTS = 3


class Table:
    """The positions of a game from its start to now; every answer is a text to print. Bots may hold seats."""

    def __init__(self, position: Position, bots: Mapping[int, Bot] | None = None) -> None:
        self.line = [position]
        self.left = False
        self.bots = dict(bots or {})
        self.replies = {
            "moves": self.moves,
            "explain": self.explain,
            "why": self.why,
            "hint": self.hint,
            "undo": self.undo,
            "board": self.board,
            "text": self.text,
            "help": self.help,
            "quit": self.quit,
        }

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self.line[-1]

    def prompt(self) -> str:
        """Whose move it is, with an example of one."""
        if self.position.seat is None:
            return "game over"
        moves = self.position.moves()
        colour = self.position.colours[self.position.seat]
        return f"{colour}, {len(moves)} moves such as {moves[0]}" if len(moves) > 1 else f"{colour}, only {moves[0]}"

    def answer(self, line: str) -> str:
        """What to say to a line that somebody typed."""
        words = line.split()
        if not words:
            return ""
        reply = self.replies.get(words[0].lower())
        try:
            return self.play(words) if reply is None else reply(words[1:])
        except Refused as refused:
            meant = near(words[0], self.replies) if reply is None and isinstance(refused.error, MoveError) else ""
            return told(refused, alone=len(words) == (1 if reply is None else 2)) + meant

    def play(self, moves: list[str]) -> str:
        """Play all of the moves, or none of them if one fails."""
        played = play_all(self.position, moves)
        words = explained(played, moves)
        self.line += played[1:]
        return "\n".join([*(wrapped(said, rest="  ") for said in words), "", self.shown()])

    def shown(self) -> str:
        """The board, and how the game ended."""
        over = self.position.outcome
        return self.position.draw() + (f"\n\n{ending(self.position, over)}" if over else "")

    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        return self.position.seat in self.bots

    def is_over_for_bots(self) -> bool:
        """Whether two bots have ended their game, so that nobody is left to type."""
        return len(self.bots) == BOTH and self.position.seat is None

    def play_bot(self) -> str:
        """Let the bot whose turn it is make a step."""
        assert self.position.seat is not None
        player = self.bots[self.position.seat]
        return f"{player.name}: {self.play([player.choose(self.position)])}"

    # What can be typed beside moves

    def moves(self, rest: list[str]) -> str:
        """All legal moves."""
        return legal_moves(self.position) if self.position.seat is not None else "none: the game is over"

    def explain(self, moves: list[str]) -> str:
        """What moves would do."""
        if not moves:
            return "explain which move?"
        return "\n".join(wrapped(said, rest="  ") for said in explained(play_all(self.position, moves), moves))

    def why(self, moves: list[str]) -> str:
        """Why a move is refused, if it is."""
        return f"legal: {self.explain(moves)}" if moves else "why which move?"

    def undo(self, rest: list[str]) -> str:
        """Take back the last move."""
        if len(self.line) == 1:
            return "there is no move to take back"
        self.line.pop()
        while self.is_bots_turn() and len(self.line) > 1:  # a bot would only make the same move again
            self.line.pop()
        return self.shown()

    def hint(self, rest: list[str]) -> str:
        """The best moves and how the game may go on."""
        if self.position.seat is None:
            return "the game is over"
        adviser = bot_of(self.position.game, ADVISER)
        *_, last = adviser.analyse(self.position)
        adviser.close()
        return "\n".join(wrapped(hinted(last, line), rest="  ") for line in last.lines[:HINTS])

    def board(self, rest: list[str]) -> str:
        """The board once more."""
        return self.shown()

    def text(self, rest: list[str]) -> str:
        """A line that `--position` and `game.position` read."""
        return str(self.position)

    def help(self, rest: list[str]) -> str:
        """What can be typed."""
        return f"{side_by_side(HELP)}\n{wrapped(self.position.game.move_help(), '  ')}"

    def quit(self, rest: list[str]) -> str:
        """Leave the table."""
        self.left = True
        return ""


def hinted(report: Report, line: Line) -> str:
    """A move, what it promises, and what may follow."""
    promise = {0.0: "loses", 1.0: "wins"}.get(line.value, "draws") if line.kind == "proven" else f"{line.value:.0%}"
    return f"{line.moves[0]}: {promise} ({line.kind}), {' '.join(line.moves)}"


def told(refused: Refused, *, alone: bool) -> str:
    """Why a move fails, its number only where there are several, and what shows it."""
    error = refused.error
    lines = [wrapped(one_line(str(error if alone else refused)))]
    if refused.detail:
        lines.append(wrapped(refused.detail, "  "))
    if isinstance(error, IllegalMove):
        lines.append(f"  rules: {error.clause}")
    return "\n".join(lines)
