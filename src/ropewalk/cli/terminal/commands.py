"""What can be typed at the table: every answer is a text to print, in line mode and on the full screen alike."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from ...bots.bot import Limit
from ...bots.levels import bot as bot_of
from ...errors import IllegalMove, MoveError, RopewalkError
from ...games.sequence import MoveSequence, MoveSequenceError
from ...records import read
from ...text import did_you_mean, one_line
from ..printing import side_by_side, wrapped
from ..telling import ending, legal_moves
from . import cells, thoughts
from .session import NotNow, Session

HELP = [
    ("MOVE ...", "play a step or a turn, or several"),
    ("moves", "list the legal moves"),
    ("explain MOVE", "what a move would do"),
    ("why MOVE", "why a move is not legal"),
    ("at CELL", "what is on a cell"),
    ("neighbours CELL", "the cells around one, and what is on them"),
    ("list WHAT", "where all of a colour are; also empty, marks"),
    ("hint", "what a bot would think of"),
    ("analyse [SECONDS]", "how the game stands, with the best lines"),
    ("undo", "take the last step back"),
    ("resign", "give the game up"),
    ("save FILE", "keep the game as .sgf or .json"),
    ("load FILE", "go on with a game that was kept"),
    ("replay FILE", "look at a kept game from its start"),
    ("first, back, next, last", "look at other positions; back 5 is five steps"),
    ("here", "go on from the position that is looked at"),
    ("board", "draw the board again"),
    ("text", "the position as one line of text"),
    ("quit", "leave, as do Ctrl-D and Ctrl-C"),
]
WORDS = ("moves", "explain", "why", "at", "neighbours", "list", "hint", "analyse", "undo", "resign", "save", "load",
         "replay", "first", "back", "next", "last", "here", "board", "text", "help", "quit")  # fmt: skip
ALIASES = {"neighbors": "neighbours", "analyze": "analyse", "exit": "quit", "forward": "next", "?": "help"}
ADVISER, ANALYST = 6, 8  # the levels that give hints and analyse
HINTS, LINES = 3, 5
USUAL_SECONDS, MOST_SECONDS = 5.0, 600.0
BAR = 40

Reply = Callable[[list[str]], str]


class Commands:
    """Answers lines; `draw` turns the position in view into the text of a board."""

    def __init__(self, session: Session, draw: Callable[[Session], str] | None = None) -> None:
        self.session = session
        self.draw = draw or (lambda session: session.position.draw())
        self.left = False
        self.replies: dict[str, Reply] = {word: getattr(self, f"reply_{word}") for word in WORDS}

    def prompt(self) -> str:
        """Whose move it is, with an example of one."""
        session = self.session
        if not session.is_live:
            return f"position {session.place} of {len(session.line) - 1}"
        if session.seat is None:
            return "game over"
        moves = session.latest.moves()
        colour = session.colour(session.seat)
        return f"{colour}, {len(moves)} moves such as {moves[0]}" if len(moves) > 1 else f"{colour}, only {moves[0]}"

    def answer(self, line: str) -> str:
        """What to say to a line that somebody typed."""
        words = line.split()
        if not words:
            return ""
        name = words[0].lower()
        reply = self.replies.get(ALIASES.get(name, name))
        try:
            return self.play(words) if reply is None else reply(words[1:])
        except MoveSequenceError as refused:
            meant = did_you_mean(words[0], self.replies) if reply is None and isinstance(refused.cause, MoveError) else ""
            return told(refused, alone=len(words) == (1 if reply is None else 2)) + meant
        except RopewalkError as error:
            return wrapped(one_line(str(error)))

    def play(self, moves: list[str]) -> str:
        """Play all of the moves, or none of them if one fails."""
        words = self.session.play(moves)
        return "\n".join([*(wrapped(said, rest="  ") for said in words), "", self.shown()])

    def shown(self) -> str:
        """The board, and how the game ended."""
        return "\n\n".join(filter(None, [self.draw(self.session), self.ending()]))

    def ending(self) -> str:
        """How the game ended, where the position in view shows it."""
        session = self.session
        if session.resigned is not None and session.is_live:
            winner = 1 - session.resigned
            return f"{session.colour(winner)} (seat {winner}) wins: {session.colour(session.resigned)} resigns"
        over = session.position.outcome
        return ending(session.position, over) if over else ""

    def play_bot(self) -> str:
        """Let the bot whose turn it is make a step."""
        seat = self.session.seat
        assert seat is not None
        player = self.session.bots[seat]
        return f"{player.name}: {self.play([player.choose(self.session.latest)])}"

    # What can be typed beside moves

    def reply_moves(self, rest: list[str]) -> str:
        """All legal moves."""
        position = self.session.position
        return legal_moves(position) if position.seat is not None else "none: the game is over"

    def reply_explain(self, moves: list[str]) -> str:
        """What moves would do."""
        if not moves:
            return "explain which move?"
        position = self.session.position
        return "\n".join(wrapped(said, rest="  ") for said in MoveSequence.play(position, moves).explain())

    def reply_why(self, moves: list[str]) -> str:
        """Why a move is refused, if it is."""
        return f"legal: {self.reply_explain(moves)}" if moves else "why which move?"

    def reply_at(self, names: list[str]) -> str:
        """What is on some cells."""
        position = self.session.position
        found = [cells.cell_named(position.game.board, name) for name in names]
        return "\n".join(wrapped(cells.on_cell(position, cell), rest="  ") for cell in found) or "at which cell?"

    def reply_neighbours(self, names: list[str]) -> str:
        """What is around some cells."""
        position = self.session.position
        found = [cells.cell_named(position.game.board, name) for name in names]
        return "\n".join(cells.around(position, cell) for cell in found) or "neighbours of which cell?"

    def reply_list(self, words: list[str]) -> str:
        """Where all of a kind are."""
        if not words:
            return wrapped(f"list what? {', '.join(cells.contents_by_word(self.session.position))} or {cells.MARKS}")
        return "\n".join(wrapped(line, rest="  ") for line in cells.listed(self.session.position, words).splitlines())

    def reply_hint(self, rest: list[str]) -> str:
        """The best moves and how the game may go on."""
        position = self.session.position
        if position.seat is None:
            return "the game is over"
        adviser = bot_of(position.game, ADVISER)
        *_, last = adviser.analyse(position)
        adviser.close()
        return "\n".join(wrapped(thoughts.hinted(line), rest="  ") for line in last.lines[:HINTS])

    def reply_analyse(self, rest: list[str]) -> str:
        """How the game stands: a bar, and the best lines."""
        position = self.session.position
        if position.seat is None:
            return "the game is over"
        analyst = bot_of(position.game, ANALYST)
        *_, last = analyst.analyse(position, Limit(seconds=seconds_of(rest)))
        analyst.close()
        first, second = position.colours
        bar = f"{first} [{thoughts.bar(last, BAR)}] {second}"
        lines = [f"  {number}. {thoughts.hinted(line)}" for number, line in enumerate(last.lines[:LINES], start=1)]
        said = f"{thoughts.verdict(last, position.colours)}, {thoughts.spent(last)}"
        return "\n".join([bar, wrapped(said), *(wrapped(line, rest="     ") for line in lines)])

    def reply_undo(self, rest: list[str]) -> str:
        """Take back the last step."""
        return self.shown() if self.session.undo() else "there is no move to take back"

    def reply_resign(self, rest: list[str]) -> str:
        """Give the game up."""
        self.session.resign()
        return self.ending()

    def reply_save(self, names: list[str]) -> str:
        """Keep the game in a file."""
        path = file_of(names, "save")
        self.session.to_record().save(path)
        return f"saved as {path}: ropewalk play --replay {path} shows it again"

    def reply_load(self, names: list[str]) -> str:
        """Go on with a game that was kept."""
        self.opened(file_of(names, "load"))
        return self.shown()

    def reply_replay(self, names: list[str]) -> str:
        """Look at a kept game from its start; without a file, at this one."""
        if names:
            self.opened(file_of(names, "replay"))
        self.session.look(0)
        return self.shown()

    def opened(self, path: Path) -> None:
        """Put the game of a file on the table."""
        record = read(path)
        game = self.session.start.game
        if record.game != game:
            raise NotNow(f"{path.name} is a game of {record.game.spec}, this table is set for {game.spec}")
        kept = Session.of(record)
        session = self.session
        session.line, session.place, session.resigned = kept.line, kept.place, kept.resigned
        session.record, session.bots = kept.record, {}
        session.changed(session)

    def reply_first(self, rest: list[str]) -> str:
        """The position before the first step."""
        return self.looked(0)

    def reply_last(self, rest: list[str]) -> str:
        """The latest position."""
        return self.looked(len(self.session.line) - 1)

    def reply_back(self, rest: list[str]) -> str:
        """A step back, or some."""
        return self.looked(self.session.place - count_of(rest))

    def reply_next(self, rest: list[str]) -> str:
        """A step forward, or some."""
        return self.looked(self.session.place + count_of(rest))

    def looked(self, place: int) -> str:
        """Look at a position, and say how it came about."""
        session = self.session
        if not session.look(place):
            return "there is no position before this" if place <= 0 else "this is the latest position"
        step = session.last_step
        came = f"{step}: {session.line[session.place - 1].explain(step)}" if step else "the start"
        return f"{wrapped(f'{session.place} of {len(session.line) - 1}, {came}', rest='  ')}\n\n{self.shown()}"

    def reply_here(self, rest: list[str]) -> str:
        """Go on from the position that is looked at."""
        self.session.go_on_here()
        return f"the game goes on from here; what came after is kept as a variation\n\n{self.shown()}"

    def reply_board(self, rest: list[str]) -> str:
        """The board once more."""
        return self.shown()

    def reply_text(self, rest: list[str]) -> str:
        """A line that `--position` and `game.position` read."""
        return str(self.session.position)

    def reply_help(self, rest: list[str]) -> str:
        """What can be typed."""
        return f"{side_by_side(HELP)}\n{wrapped(self.session.start.game.text.move_syntax(), '  ')}"

    def reply_quit(self, rest: list[str]) -> str:
        """Leave the table."""
        self.left = True
        return ""


def file_of(names: list[str], verb: str) -> Path:
    """The file that was named; a name may have blanks."""
    if not names:
        raise NotNow(f"{verb} which file? Its name ends in .sgf or .json")
    return Path(os.path.expanduser(" ".join(names)))


def count_of(words: list[str]) -> int:
    """How many steps, 1 where nothing is said."""
    if not words:
        return 1
    if not re.fullmatch(r"\d{1,6}", words[0], re.ASCII):
        raise NotNow(f"{words[0][:40]!r} is no number of steps")
    return int(words[0])


def seconds_of(words: list[str]) -> float:
    """How long to think."""
    if not words:
        return USUAL_SECONDS
    if not re.fullmatch(r"\d{1,5}(\.\d{1,5})?", words[0], re.ASCII) or not 0.1 <= float(words[0]) <= MOST_SECONDS:
        raise NotNow(f"{words[0][:40]!r} is no number of seconds from 0.1 to {MOST_SECONDS:g}")
    return float(words[0])


def told(refused: MoveSequenceError, *, alone: bool) -> str:
    """Why a move fails, its number only where there are several, and what shows it."""
    error = refused.cause
    lines = [wrapped(one_line(str(error if alone else refused)))]
    if refused.witness:
        lines.append(wrapped(f"shown by {' '.join(refused.witness)}", "  "))
    if isinstance(error, IllegalMove):
        lines.append(f"  rules: {error.clause}")
    return "\n".join(lines)
