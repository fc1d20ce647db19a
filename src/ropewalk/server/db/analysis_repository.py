"""The repository of saved analyses: each has a version, so that two tabs do not overwrite each other unseen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.engine import Row

from ..domain.analysis_tree import AnalysisTree
from ..errors import ApiError
from .database import Database
from .identifiers import generate_id
from .tables import analyses

MAX_ANALYSES = 100  # of a user
SUMMARY_COLUMNS = [column for column in analyses.c if column.name != "tree"]


@dataclass(frozen=True)
class AnalysisSummary:
    """A saved analysis as a list shows it."""

    id: str
    name: str
    spec: str
    num_moves: int
    version: int
    created_at: int
    updated_at: int


@dataclass(frozen=True)
class SavedAnalysis:
    """A saved analysis with its tree."""

    summary: AnalysisSummary
    tree: AnalysisTree


class AnalysisRepository:
    """Finds, lists and saves the analyses of users."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def list_summaries(self, user_id: str) -> list[AnalysisSummary]:
        """Return the analyses of a user, the last changed first."""
        query = select(*SUMMARY_COLUMNS).where(analyses.c.user_id == user_id)
        query = query.order_by(analyses.c.updated_at.desc(), analyses.c.id)
        async with self.database.read_connection() as connection:
            return [read_summary(row) for row in await connection.execute(query)]

    async def find(self, user_id: str, analysis_id: str) -> SavedAnalysis:
        """Return an analysis of a user. Raises ApiError `not-found`, also for that of another user."""
        query = select(analyses).where(is_analysis_of(user_id, analysis_id))
        async with self.database.read_connection() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            raise missing_analysis_error()
        return SavedAnalysis(read_summary(row), AnalysisTree.model_validate_json(row.tree))

    async def add(self, user_id: str, name: str, tree: AnalysisTree, now_ms: int) -> SavedAnalysis:
        """Store a new analysis. Raises ApiError `too-many` if the user has MAX_ANALYSES."""
        summary = AnalysisSummary(generate_id(), name, tree.spec, len(tree.nodes) - 1, 1, now_ms, now_ms)
        count = select(func.count()).select_from(analyses).where(analyses.c.user_id == user_id)
        async with self.database.write_transaction() as connection:
            if (await connection.scalar(count) or 0) >= MAX_ANALYSES:
                message = f"at most {MAX_ANALYSES} analyses are kept for you; delete one first"
                raise ApiError("too-many", message, limit=MAX_ANALYSES)
            values = vars(summary) | {"user_id": user_id, "tree": format_tree(tree)}
            await connection.execute(insert(analyses).values(values))
        return SavedAnalysis(summary, tree)

    async def save(
        self, user_id: str, analysis_id: str, version: int, name: str, tree: AnalysisTree, now_ms: int
    ) -> SavedAnalysis:
        """Replace an analysis, whose last version the caller must name.

        Raises:
            ApiError: `not-found`, or `stale-version` if it was changed elsewhere.
        """
        values: dict[str, Any] = {
            "name": name,
            "spec": tree.spec,
            "num_moves": len(tree.nodes) - 1,
            "version": version + 1,
            "updated_at": now_ms,
            "tree": format_tree(tree),
        }
        is_current = is_analysis_of(user_id, analysis_id) & (analyses.c.version == version)
        async with self.database.write_transaction() as connection:
            changed = await connection.execute(update(analyses).where(is_current).values(values))
        found = await self.find(user_id, analysis_id)
        if not changed.rowcount:
            message = (
                f"version {version} of this analysis is outdated; its version is {found.summary.version}: load it again"
            )
            raise ApiError("stale-version", message, version=found.summary.version)
        return found

    async def delete(self, user_id: str, analysis_id: str) -> None:
        """Delete an analysis. Raises ApiError `not-found`."""
        async with self.database.write_transaction() as connection:
            deleted = await connection.execute(delete(analyses).where(is_analysis_of(user_id, analysis_id)))
        if not deleted.rowcount:
            raise missing_analysis_error()


def is_analysis_of(user_id: str, analysis_id: str) -> ColumnElement[bool]:
    """Return the condition for an analysis of a user."""
    return (analyses.c.id == analysis_id) & (analyses.c.user_id == user_id)


def missing_analysis_error() -> ApiError:
    """Return the error for an analysis that does not exist, or is not the user's."""
    return ApiError("not-found", "analysis not found; GET /api/analyses lists yours")


def read_summary(row: Row[Any]) -> AnalysisSummary:
    """Return the summary of a row."""
    return AnalysisSummary(
        row.id, row.name, row.spec, row.num_moves, row.version, row.created_at, row.updated_at
    )  # fmt: skip


def format_tree(tree: AnalysisTree) -> str:
    """Return a tree as JSON in ASCII, without default values."""
    return json.dumps(tree.model_dump(exclude_defaults=True), separators=(",", ":"))
