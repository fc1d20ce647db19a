"""Names of users: generated names of guests, and the validation and comparison of chosen names."""

from __future__ import annotations

import secrets
import unicodedata

from ..errors import ApiError

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 20

DELETED_NAME = "deleted user"  # shown for users who have deleted their account


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


def generate_guest_name() -> str:
    """Return a random name for a guest, such as Quiet Heron 417; it may be taken."""
    adjective, noun = secrets.choice(ADJECTIVES), secrets.choice(NOUNS)
    return f"{adjective.capitalize()} {noun.capitalize()} {100 + secrets.randbelow(900)}"


def validate_name(text: str) -> str:
    """Return a chosen name in normal form NFC, with single spaces.

    Raises:
        ApiError: `bad-name`: the length is not allowed, there is no letter, or a character is neither a letter nor a digit
            nor a space, hyphen, underscore or full stop.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not MIN_NAME_LENGTH <= len(name) <= MAX_NAME_LENGTH:
        raise ApiError(
            "bad-name",
            f"a name must have {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} characters, not {len(name)}",
            limit=MAX_NAME_LENGTH,
        )
    if not all(character.isalnum() or character in " -_." for character in name) or not any(
        character.isalpha() for character in name
    ):
        raise ApiError("bad-name", "a name must contain a letter, and only letters, digits, spaces and the characters - _ .")
    return name


def normalise_name(name: str) -> str:
    """Return the key under which names that look alike are equal: letters and digits only, case folded."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(character for character in folded if character.isalnum())[:80]
