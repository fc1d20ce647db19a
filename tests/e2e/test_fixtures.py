"""The fixtures of the page's unit tests are what the server says."""

from __future__ import annotations

import json

import pytest

from tests.support.page_fixtures import FIXTURES, build_boards, build_fixtures


@pytest.mark.parametrize("name", ["boards.json", "entries.json"])
def test_a_fixture_is_what_the_server_says(name: str) -> None:
    assert (FIXTURES / name).read_text("utf-8") == build_fixtures()[name], "stale: `make fixtures` writes it anew"


def test_the_fixtures_have_every_kind_of_board() -> None:
    kinds = {fixture["board"]["kind"] for fixture in build_boards().values()}
    assert kinds == {"cylinder", "cube", "rhombus", "squares", "dark squares"}
    assert json.loads((FIXTURES / "boards.json").read_text("utf-8")).keys() == build_boards().keys()
