"""Names: those that guests are given, and which ones people may choose."""

from __future__ import annotations

import secrets
import unicodedata

from ..errors import Refusal

SHORTEST, LONGEST = 2, 20


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


MANNERS = words("""
    amber bold brisk calm clever copper daring deft eager early fair gentle golden hidden idle jolly keen late lively lucky
    merry mild misty nimble noble patient plain polite proud quick quiet rapid ready silent silver sly steady still sunny
    swift tidy true warm wary windy wise
""")
WALKERS = words("""
    badger bear beaver bison cat crane crow deer dove eagle egret elk falcon ferret finch fox gecko goat goose hare hawk
    heron horse ibis jay kite lark lion lynx magpie marten mole moose newt otter owl panda perch pike plover puffin quail
    raven robin seal shrew sloth snipe stork swan tern tiger toad trout vole weasel whale wolf wren yak
""")


def guest_name() -> str:
    """A name for somebody who has not told us theirs, such as Quiet Heron 417."""
    manner, walker = secrets.choice(MANNERS), secrets.choice(WALKERS)
    return f"{manner.capitalize()} {walker.capitalize()} {100 + secrets.randbelow(900)}"


def chosen_name(text: str) -> str:
    """A name that somebody chose, or a refusal: letters, digits and single blanks or hyphens between them."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not SHORTEST <= len(name) <= LONGEST:
        raise Refusal("bad-name", f"a name has {SHORTEST} to {LONGEST} characters, this one {len(name)}", limit=LONGEST)
    if not all(letter.isalnum() or letter in " -_." for letter in name) or not any(letter.isalpha() for letter in name):
        raise Refusal("bad-name", "a name has letters, digits, blanks, and - _ . between them")
    return name


def name_key(name: str) -> str:
    """What two names share that people would take for one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if letter.isalnum())[:80]
