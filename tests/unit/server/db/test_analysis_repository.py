"""Saved analyses in both databases."""

from __future__ import annotations

import pytest

from ropewalk.server.db import analysis_repository
from ropewalk.server.db.analysis_repository import AnalysisRepository
from ropewalk.server.db.database import Database
from ropewalk.server.domain.analysis_tree import AnalysisNode, AnalysisTree
from ropewalk.server.errors import ApiError

pytestmark = pytest.mark.anyio
NODE = AnalysisNode(parent=0, seat=0, move="b2", comment="the centre \x00 ü", marks={"a1": "circle"})
TREE = AnalysisTree(spec="tether-3", nodes=[AnalysisNode(), NODE])
SMALLER = AnalysisTree(spec="tether-3", position="3/3/3 blue", nodes=[AnalysisNode()])


async def test_an_analysis_is_read_as_it_was_saved(migrated: Database) -> None:
    analyses = AnalysisRepository(migrated)
    saved = await analyses.add("ann", "Opening", TREE, 1000)
    assert await analyses.find("ann", saved.summary.id) == saved
    later = await analyses.save("ann", saved.summary.id, 1, "Endgame", SMALLER, 2000)
    assert (later.summary.version, later.summary.updated_at, later.summary.created_at) == (2, 2000, 1000)
    assert later.tree == SMALLER
    assert await analyses.list_summaries("ann") == [later.summary]
    await analyses.delete("ann", saved.summary.id)
    assert await analyses.list_summaries("ann") == []


async def test_an_outdated_version_overwrites_nothing(migrated: Database) -> None:
    analyses = AnalysisRepository(migrated)
    analysis_id = (await analyses.add("ann", "Opening", TREE, 1000)).summary.id
    await analyses.save("ann", analysis_id, 1, "One tab", TREE, 2000)
    with pytest.raises(ApiError, match="outdated") as failure:
        await analyses.save("ann", analysis_id, 1, "Another tab", SMALLER, 3000)
    assert (failure.value.code, failure.value.details["version"]) == ("stale-version", 2)
    assert (await analyses.find("ann", analysis_id)).summary.name == "One tab"


async def test_an_analysis_of_somebody_else_does_not_exist(migrated: Database) -> None:
    analyses = AnalysisRepository(migrated)
    analysis_id = (await analyses.add("ann", "Opening", TREE, 1000)).summary.id
    assert await analyses.list_summaries("ben") == []
    for request in (
        analyses.find("ben", analysis_id),
        analyses.save("ben", analysis_id, 1, "Mine", TREE, 2000),
        analyses.delete("ben", analysis_id),
    ):
        with pytest.raises(ApiError, match="not found"):
            await request
    assert (await analyses.find("ann", analysis_id)).tree == TREE


async def test_more_analyses_than_the_quota_are_refused(migrated: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_repository, "MAX_ANALYSES", 2)
    analyses = AnalysisRepository(migrated)
    for name in ("one", "two"):
        await analyses.add("ann", name, TREE, 1000)
    with pytest.raises(ApiError, match="at most 2") as failure:
        await analyses.add("ann", "three", TREE, 1000)
    assert (failure.value.code, failure.value.details["limit"]) == ("too-many", 2)
    await analyses.add("ben", "one", TREE, 1000)
