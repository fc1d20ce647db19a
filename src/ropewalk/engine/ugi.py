"""Ropewalk as an engine that speaks UGI, UCI's form for any game; `docs/engine.md` is its manual."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Event

from .. import __version__
from ..bots.bot import Bot, Kind, Report
from ..bots.levels import LEVELS
from ..errors import RopewalkError, did_you_mean, ellipsis, one_line
from ..games.game import Game
from ..games.registry import spec_of
from .following import Followed
from .lines import LONGEST_LINE, Heard, Speaker, listen
from .orders import Thought, UgiError, read_limit, read_option, read_setup
from .warming import warm_bot

AUTHOR = "The Ropewalk authors"
MOST_WAITING = 10_000  # commands
MOST_THREADS = 64
MOST_LINES = 5
LARGEST_SEED = 2**31 - 1
QUESTIONS = ("gameover", "p1turn", "result")


class Option:
    """A number that `setoption` sets."""

    def __init__(self, name: str, value: int, least: int, most: int) -> None:
        self.name, self.value, self.least, self.most = name, value, least, most
        self.default = value

    def __str__(self) -> str:
        return f"option name {self.name} type spin default {self.default} min {self.least} max {self.most}"

    def set(self, text: str) -> None:
        """Read a number within the limits."""
        if not re.fullmatch(r"\d{1,15}", text, re.ASCII) or not self.least <= int(text) <= self.most:
            raise UgiError(f"option {self.name} is a whole number from {self.least} to {self.most}, not {ellipsis(text)}")
        self.value = int(text)


class UgiEngine:
    """One conversation: a thread hears what is said, `work` does it in order, and what cannot wait is done at once."""

    def __init__(self, game: Game, level: int, threads: int, speaker: Speaker) -> None:
        self.game = game
        self.level = Option("Level", level, 1, len(LEVELS[spec_of(game.spec).key]))
        self.threads = Option("Threads", threads, 1, MOST_THREADS)
        self.shown = Option("MultiPV", 1, 1, MOST_LINES)
        self.seed = Option("Seed", 0, 0, LARGEST_SEED)
        self.options = {option.name.lower(): option for option in (self.level, self.threads, self.shown, self.seed)}
        self.followed = Followed(game)
        self.games = 0
        self.bot: Bot | None = None
        self.waiting: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.thoughts: list[Thought] = []
        self.left = Event()
        self.speaker = speaker
        self.commands: dict[str, Callable[[Sequence[str]], None]] = {
            "ugi": self.introduce,
            "isready": self.be_ready,
            "setoption": self.set_option,
            "uginewgame": self.begin_game,
            "position": self.set_up,
            "query": self.answer,
        }

    def converse(self) -> None:
        """Hear and do until somebody says `quit` or has no more to say."""
        self.speaker.cut = self.leave
        listen(self.hear, self.end)
        try:
            self.work()
        finally:
            self.dismiss()
        self.speaker.refuse_cut()

    # What the listening thread does

    def hear(self, line: Heard) -> None:
        """Take a line in."""
        word, *rest = line.text.split() or [""]
        if word == "stop":
            self.stop()
        elif word == "quit":
            self.leave()
        elif word == "isready" and self.thoughts:
            self.speaker.say("readyok")
        elif self.waiting.qsize() >= MOST_WAITING:
            self.complain(f"{MOST_WAITING} commands wait already, {ellipsis(line.text)} is not taken")
        elif not line.is_whole:
            self.complain(f"a line has at most {LONGEST_LINE} bytes, this one is longer")
        elif word == "go":
            self.thoughts.append(Thought(rest))
            self.waiting.put(partial(self.go, self.thoughts[-1]))
        elif word:
            self.waiting.put(partial(self.obey, word, rest))

    def stop(self) -> None:
        """Everything asked so far is answered now."""
        for thought in list(self.thoughts):
            thought.cancelled.set()

    def leave(self) -> None:
        """Nothing else is done."""
        self.left.set()
        self.stop()
        self.waiting.put(None)

    def end(self) -> None:
        """What was asked is answered yet; what would take for ever is answered now."""
        for thought in list(self.thoughts):
            if thought.is_infinite:
                thought.cancelled.set()
        self.waiting.put(None)

    # What the working thread does

    def work(self) -> None:
        """Do what was said, in order."""
        while (command := self.waiting.get()) is not None and not self.left.is_set():
            try:
                command()
            except RopewalkError as error:
                self.complain(str(error))
            except Exception as error:  # whatever it is, the other side waits for a line and not for a traceback
                self.complain(f"{type(error).__name__}: {error}")

    def complain(self, words: str) -> None:
        """Say what is wrong."""
        self.speaker.say(f"info string error: {one_line(words)}")

    def obey(self, word: str, rest: Sequence[str]) -> None:
        """Do what a word says."""
        if word not in self.commands:
            known = [*self.commands, "go", "stop", "quit"]
            raise UgiError(f"{ellipsis(word)} is no command; there are {', '.join(known)}{did_you_mean(word, known)}")
        self.commands[word](rest)

    def introduce(self, rest: Sequence[str]) -> None:
        """`ugi`: who we are and what can be set."""
        name = f"id name Ropewalk {__version__}, level {self.level.value}"
        self.speaker.say(name, f"id author {AUTHOR}", *map(str, self.options.values()), "ugiok")

    def be_ready(self, rest: Sequence[str]) -> None:
        """`isready`: make what takes time, kernels above all."""
        self.player()
        self.speaker.say("readyok")

    def set_option(self, rest: Sequence[str]) -> None:
        """`setoption`: another level or more threads make another bot."""
        name, value = read_option(rest)
        option = self.options.get(name.lower())
        if option is None:
            names = [option.name for option in self.options.values()]
            raise UgiError(f"{ellipsis(name)} is no option; there are {', '.join(names)}{did_you_mean(name, names)}")
        option.set(value)
        if option in (self.level, self.threads):
            self.dismiss()

    def begin_game(self, rest: Sequence[str]) -> None:
        """`uginewgame`: forget everything; every game has a seed of its own."""
        self.followed.forget()
        self.games += 1
        if self.bot is not None:
            self.bot.new_game(self.seed.value + self.games)

    def set_up(self, rest: Sequence[str]) -> None:
        """`position`: follow the moves, or stay where we are."""
        try:
            self.followed.follow(*read_setup(rest))
        except RopewalkError as error:
            raise UgiError(f"{error}; the position stays as it was") from None

    def answer(self, rest: Sequence[str]) -> None:
        """`query`: how the game stands."""
        position = self.followed.position
        over = position.outcome
        if rest == ["gameover"]:
            said = "true" if over else "false"
        elif rest == ["p1turn"]:
            said = "true" if position.seat == 0 else "false"
        elif rest == ["result"]:
            said = "none" if over is None else "draw" if over.winner is None else f"p{over.winner + 1}win"
        else:
            raise UgiError(f"query should be one of {', '.join(QUESTIONS)}, not {ellipsis(' '.join(rest))}")
        self.speaker.say(f"response {said}")

    # Thinking

    def go(self, thought: Thought) -> None:
        """`go`: think, say so meanwhile, and play a step."""
        try:
            self.speaker.say(f"bestmove {self.step(thought)}")
        finally:
            self.thoughts.remove(thought)

    def step(self, thought: Thought) -> str:
        """The step that we play, `none` where there is nothing to play."""
        position = self.followed.position
        over = position.outcome
        if over is not None:
            self.complain(f"the game is over: {over.words}")
            return "none"
        limit = read_limit(thought, position.seat or 0)
        if "depth" in thought.words:
            self.speaker.say("info string depth limits nothing here: nodes and movetime do")
        player = self.player()
        for report in player.analyse(position, limit):
            self.speaker.say(*told(report, self.shown.value))
        if thought.is_infinite:
            thought.cancelled.wait()  # all is thought, but UCI's manner is to wait for `stop`
        return player.decide(position, report)

    def player(self) -> Bot:
        """The bot that thinks, made when it is first needed."""
        if self.bot is None:
            self.bot = warm_bot(self.game, self.level.value, self.threads.value)
            self.bot.new_game(self.seed.value + self.games)
        return self.bot

    def dismiss(self) -> None:
        """Let the bot go."""
        if self.bot is not None:
            self.bot.close()
        self.bot = None


def told(report: Report, most: int) -> Iterator[str]:
    """A report as info lines, one a line of play; depth is how far that line goes."""
    fresh = report.visits - report.kept
    spent = f"nodes {report.visits} nps {round(fresh / max(report.seconds, 1e-3))} time {round(1000 * report.seconds)}"
    for number, line in enumerate(report.lines[:most], start=1):
        which = f" multipv {number}" if most > 1 else ""
        score = f"score wdl {wins_draws_losses(line.value, line.kind)} {line.kind}"
        yield f"info depth {len(line.moves)}{which} {score} {spent} pv {' '.join(line.moves)}"


def wins_draws_losses(value: float, kind: Kind) -> str:
    """What the player to move can expect, in thousandths; an estimate does not tell a draw from half a win."""
    if kind != "estimate" and value == 0.5:
        return "0 1000 0"
    won = round(1000 * value)
    return f"{won} 0 {1000 - won}"
