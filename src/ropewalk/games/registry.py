"""All games: the built-in ones, and those of installed packages. Importing this module loads no implementation.

A package adds games through the entry-point group `ropewalk.games`; each entry point names a `GameSpec`. A plugin that
cannot be loaded, or whose key is taken, is left out with a `PluginWarning` that names it.
"""

from __future__ import annotations

import functools
import warnings
from typing import TYPE_CHECKING

from ..errors import RopewalkError, SpecError
from ..text import did_you_mean, ellipsis
from . import cube_lariat, laocoon, lariat, liger, tether
from .definition import GameSpec, import_attribute
from .spec_parser import parse_spec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .game import Game

MAX_SPEC_LENGTH = 200

GAMES = (lariat.SPEC, cube_lariat.SPEC, tether.SPEC, laocoon.SPEC, liger.SPEC)


class PluginError(RopewalkError):
    """A plugin that provides no game, or one whose key is taken."""


class PluginWarning(UserWarning):
    """A plugin could not be loaded and is skipped; the message names it and gives the reason."""


def game(spec: str) -> Game:
    """Return the game that a spec names.

    Args:
        spec: Game, board and options, such as "lariat-2x10-pie". The name of a game alone, such as "lariat", is its
            standard board. Case is ignored.

    Returns:
        The game. Games are cached: equal specs usually return the same object.

    Raises:
        SpecError: The game is unknown, the board is invalid, or an option is unknown or occurs twice.

    Example:
        >>> game("lariat").spec
        'lariat-2x10'
    """
    if not isinstance(spec, str):
        raise SpecError(f"a game spec must be a string such as 'lariat-2x10', not {type(spec).__name__}")
    if len(spec) > MAX_SPEC_LENGTH:
        raise SpecError(f"the game spec has {len(spec)} characters; at most {MAX_SPEC_LENGTH} are allowed")
    return _load_game(spec.strip().lower())


@functools.lru_cache(maxsize=64)
def _load_game(spec: str) -> Game:
    definition = spec_of(spec)
    options = parse_spec(definition, spec, [flag.spec_word for other in GAMES for flag in other.flags])
    loaded: Game = import_attribute(definition.implementation)(**options)
    return loaded


def spec_of(spec: str) -> GameSpec:
    """Return the declaration of the game whose key a spec begins with; raise a SpecError if there is none."""
    definition = _find_key(spec, GAMES) or _find_key(spec, load_plugins())
    if definition is None:
        keys = [known.key for known in games()]
        words = spec.split("-")
        prefixes = ("-".join(words[:count]) for count in range(1, 1 + max(key.count("-") + 1 for key in keys)))
        hint = next(filter(None, (did_you_mean(prefix, keys) for prefix in prefixes)), "")
        raise SpecError(f"unknown game {ellipsis(spec)}; the games are {', '.join(keys)}{hint}")
    return definition


def _find_key(spec: str, definitions: tuple[GameSpec, ...]) -> GameSpec | None:
    """Return the game with the longest key that a spec begins with, or None."""
    matching = [known for known in definitions if spec == known.key or spec.startswith(known.key + "-")]
    return max(matching, key=lambda known: len(known.key), default=None)


def games() -> tuple[GameSpec, ...]:
    """Return the declarations of all games: the built-in ones, then those of plugins by name."""
    return GAMES + load_plugins()


@functools.cache
def load_plugins() -> tuple[GameSpec, ...]:
    """Return the games of installed packages. Warns of plugins that are left out; evaluated once."""
    from importlib.metadata import entry_points

    from ..plugins import PLUGIN_GROUP

    loaded: list[GameSpec] = []
    for entry_point in sorted(entry_points(group=PLUGIN_GROUP), key=lambda found: (found.name, found.value)):
        try:
            loaded.append(load_plugin(entry_point, (*GAMES, *loaded)))
        except PluginError as error:
            warnings.warn(str(error), PluginWarning, stacklevel=2)
    return tuple(loaded)


def load_plugin(entry_point: EntryPoint, known: tuple[GameSpec, ...]) -> GameSpec:
    """Return the game of an entry point.

    Raises a PluginError if it cannot be imported, is not a GameSpec, or its key conflicts with that of a known game.
    """
    plugin = f"game plugin {entry_point.name} ({entry_point.value})"
    try:
        definition = entry_point.load()
    except Exception as error:
        raise PluginError(f"{plugin} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(definition, GameSpec):
        raise PluginError(f"{plugin} must be a GameSpec, not {type(definition).__name__}")
    taken = _find_key(definition.key, known)
    if taken is not None:
        raise PluginError(f"{plugin}: the key {definition.key} conflicts with the key {taken.key} of {taken.name}")
    return definition
