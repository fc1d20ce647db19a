"""Names of users: those that imitate others, are reserved or cannot be seen are refused."""

from __future__ import annotations

import pytest

from ropewalk.server.domain.usernames import ADJECTIVES, NOUNS, normalise_name, validate_name
from tests.support.match_log import expect_error


@pytest.mark.parametrize(
    ("name", "imitation"),
    [
        ("Wanda", "W\u0430nda"),  # Cyrillic a
        ("Wanda", "W\u00e4nd\u00e1"),
        ("Wanda", "\uff37anda"),  # full width
        ("Wanda", "VVanda"),
        ("paypal", "\u0440\u0430\u0443\u0440\u0430\u04cf"),  # all Cyrillic
        ("Bill", "BiIl"),
        ("Bill", "B1ll"),
        ("Otto", "0tt0"),
        ("Arnold", "Amold"),
        ("Omega", "\u039fmega"),  # Greek capital omicron
        ("Ann-Marie", "ann marie"),
        ("Strasse", "Stra\u00dfe"),
    ],
)
def test_names_that_look_alike_have_one_key(name: str, imitation: str) -> None:
    assert normalise_name(name) == normalise_name(imitation)


def test_different_names_have_different_keys() -> None:
    names = ["Wanda", "Wando", "Otto", "Ott", "Anna", "Hanna", "Tom", "Tim", "\u0418\u0432\u0430\u043d", "\u5c71\u7530"]
    assert len({normalise_name(name) for name in names}) == len(names)


def test_generated_names_of_guests_are_told_apart() -> None:
    for words in (ADJECTIVES, NOUNS):
        assert len({normalise_name(word) for word in words}) == len(words)
    assert len({normalise_name(f"Quiet Heron {number}") for number in range(100, 1000)}) == 900


@pytest.mark.parametrize(
    "name",
    [
        "Admin", "ADM1N", "\u0410\u0434\u043cin", "Admin Team", "The Moderator", "root", "System", "Ropewalk",
        "R0pewalk Staff", "deleted user", "Deleted-User", "Level 1", "Level 10", "LeveI 3", "level8", "Support", "Guest",
        "Wanda\u3164", "\u115fOtto", "Ot\u200bto", "Wan\u0434\u0430", "W\u03b1nda", "\uffa0\uffa0\uffa0", "x" * 21, "12",
        "<b>",
    ],
)  # fmt: skip
def test_reserved_invisible_and_mixed_names_are_refused(name: str) -> None:
    with expect_error("bad-name"):
        validate_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Wanda",
        "J\u00f3zef",
        "\u0418\u0432\u0430\u043d",
        "\u5c71\u7530 Taro",
        "\u30bf\u30ed\u30fc",
        "\uae40\ubbfc\uc218",
        "R2-D2",
        "Anne_Marie.",
        "Modesty",
        "Botticelli",
    ],
)
def test_names_of_every_alphabet_are_allowed(name: str) -> None:
    assert validate_name(name) == name
