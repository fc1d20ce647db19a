"""Names of users: generated names of guests, and the validation and comparison of chosen names."""

from __future__ import annotations

import re
import secrets
import unicodedata
from functools import cache

from ..errors import ApiError

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 20

BUILTIN_BOT_PREFIX = "level-"  # of the user ids of built-in bots
DELETED_NAME = "deleted user"  # shown for users who have deleted their account
INVISIBLE_LETTERS = set("\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters by their category that show nothing
SHARED_SCRIPTS = {"COMMON", "INHERITED", "HAN", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"}
LOOKALIKES = str.maketrans("01i|", "olll")
RESERVED_PARTS = ("admin", "moderator", "ropewalk")  # names that contain them are reserved, too
RESERVED_NAMES = (
    "anonymous", "bot", "deleted", DELETED_NAME, "everybody", "everyone", "guest", "help", "host", "me", "mod", "nobody",
    "null", "official", "operator", "owner", "player", "root", "security", "server", "staff", "support", "sysop", "system",
    "undefined", "webmaster", "you",
)  # fmt: skip


def split_words(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


ADJECTIVES = split_words("""
    amber bold brisk calm clever copper daring deft eager early fair gentle golden hidden idle jolly keen late lively lucky
    merry mild misty nimble noble patient plain polite proud quick quiet rapid ready silent silver sly steady still sunny
    swift tidy true warm wary windy wise
""")
NOUNS = split_words("""
    badger bear beaver bison cat crane crow deer dove eagle egret elk falcon ferret finch fox gecko goat goose hare hawk
    heron horse ibis jay kite lark lion lynx magpie marten mole moose newt otter owl panda perch pike plover puffin quail
    raven robin seal shrew sloth snipe stork swan tern tiger toad trout vole weasel whale wolf wren yak
""")


def is_builtin_bot_id(user_id: str | None) -> bool:
    """Return whether a user id is that of a built-in bot."""
    return user_id is not None and user_id.startswith(BUILTIN_BOT_PREFIX)


def generate_guest_name() -> str:
    """Return a random name for a guest, such as Quiet Heron 417; it may be taken."""
    adjective, noun = secrets.choice(ADJECTIVES), secrets.choice(NOUNS)
    return f"{adjective.capitalize()} {noun.capitalize()} {100 + secrets.randbelow(900)}"


def validate_name(text: str) -> str:
    """Return a chosen name in normal form NFC, with single spaces.

    Raises:
        ApiError: `bad-name`: the length is not allowed, there is no letter, a character is neither a visible letter nor a
            digit nor a space, hyphen, underscore or full stop, letters of several alphabets are mixed, or the name is
            reserved.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not MIN_NAME_LENGTH <= len(name) <= MAX_NAME_LENGTH:
        raise ApiError(
            "bad-name",
            f"a name must have {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} characters, not {len(name)}",
            limit=MAX_NAME_LENGTH,
        )
    if not all(is_visible_letter(character) or character in " -_." for character in name) or not any(
        character.isalpha() for character in name
    ):
        raise ApiError("bad-name", "a name must contain a letter, and only letters, digits, spaces and the characters - _ .")
    if mixes_alphabets(name):
        raise ApiError("bad-name", "a name must not mix letters of several alphabets, such as Latin and Cyrillic")
    if is_reserved(name):
        raise ApiError("bad-name", f"the name {name!r} is reserved; choose another one")
    return name


def is_visible_letter(character: str) -> bool:
    """Return whether a character is a letter or digit that can be seen; fillers of Hangul, for example, cannot."""
    return character.isalnum() and not INVISIBLE_LETTERS & set(unicodedata.normalize("NFKC", character) + character)


def mixes_alphabets(name: str) -> bool:
    """Return whether a name has letters of more than one alphabet; scripts of East Asia may be added to any."""
    from confusable_homoglyphs.categories import unique_aliases

    return len(unique_aliases(name) - SHARED_SCRIPTS) > 1


def is_reserved(name: str) -> bool:
    """Return whether a name looks like that of an operator, of a built-in bot or of deleted users."""
    key = normalise_name(name)
    return (
        key in {normalise_name(reserved) for reserved in RESERVED_NAMES}
        or any(normalise_name(part) in key for part in RESERVED_PARTS)
        or re.fullmatch(f"{normalise_name('level')}[0-9lo]+", key) is not None
    )


def normalise_name(name: str) -> str:
    """Return the key under which names that look alike are equal.

    Letters and digits only, case folded and without accents; each is replaced by one that it can be confused with, after
    Unicode Technical Standard 39: Cyrillic letters by Latin ones, 0 by o, 1 and i by l, rn by m.
    """
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    prototypes = load_prototypes()
    key = "".join(prototypes.get(character, character) for character in decomposed if character.isalnum())
    return key.casefold().translate(LOOKALIKES).replace("rn", "m").replace("vv", "w")[:80]


@cache
def load_prototypes() -> dict[str, str]:
    """Return for each confusable character the one that stands for its class, a Latin letter if there is one."""
    from confusable_homoglyphs.confusables import confusables_data

    parents: dict[str, str] = {}

    def find_root(character: str) -> str:
        while (parent := parents.get(character, character)) != character:
            character = parent
        return character

    for character, others in confusables_data.items():
        for other in others:
            if len(character) == len(other["c"]) == 1:
                first, second = sorted((find_root(character), find_root(other["c"])))
                parents[second] = first  # the smallest code point is the root: Latin letters come first
    return {character: find_root(character) for character in parents}
