"""Names: those that guests are given, and which ones people may choose."""

from __future__ import annotations

import secrets
import unicodedata

from ..errors import ApiError

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 20

DELETED_NAME = "somebody who left"  # shown for users who have deleted their account


def split_words(text: str) -> list[str]:
    """The words of a text."""
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
    """A name for somebody who has not told us theirs, such as Quiet Heron 417."""
    manner, walker = secrets.choice(ADJECTIVES), secrets.choice(NOUNS)
    return f"{manner.capitalize()} {walker.capitalize()} {100 + secrets.randbelow(900)}"


def validate_name(text: str) -> str:
    """A name that somebody chose, or a refusal: letters, digits and single blanks or hyphens between them."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not MIN_NAME_LENGTH <= len(name) <= MAX_NAME_LENGTH:
        raise ApiError(
            "bad-name",
            f"a name has {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} characters, this one {len(name)}",
            limit=MAX_NAME_LENGTH,
        )
    if not all(letter.isalnum() or letter in " -_." for letter in name) or not any(letter.isalpha() for letter in name):
        raise ApiError("bad-name", "a name has letters, digits, blanks, and - _ . between them")
    return name


def normalise_name(name: str) -> str:
    """What two names share that people would take for one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if letter.isalnum())[:80]
