"""Models of saved analyses, with their builders."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from ....games.registry import MAX_SPEC_LENGTH
from ...db.analysis_repository import AnalysisSummary, SavedAnalysis
from ...domain.actions import PRINTABLE, WITHOUT_NUL, Integer
from ...domain.analysis_tree import AnalysisTree

MAX_NAME_LENGTH = 80
MAX_TEXT_LENGTH = 200_000


class SaveAnalysisRequest(BaseModel):
    """A tree to keep under a name."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=MAX_NAME_LENGTH, pattern=PRINTABLE)
    tree: AnalysisTree


class UpdateAnalysisRequest(SaveAnalysisRequest):
    """A tree in place of the one that is kept."""

    version: Integer = Field(ge=1, le=2**31 - 2, description="the version that was read or written last")


class AnalysisSummaryView(BaseModel):
    """A saved analysis in a list."""

    id: str
    name: str
    spec: str
    num_moves: int
    version: int = Field(description="increases with every change")
    created_at: int = Field(description="milliseconds since 1970")
    updated_at: int = Field(description="milliseconds since 1970")


class SavedAnalysisView(AnalysisSummaryView):
    """A saved analysis with its tree."""

    tree: AnalysisTree


class ReadRecordRequest(BaseModel):
    """A game record as SGF or JSON, or the text of a position of the game that `spec` names."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(min_length=1, max_length=MAX_TEXT_LENGTH, pattern=WITHOUT_NUL)
    spec: str | None = Field(default=None, min_length=1, max_length=MAX_SPEC_LENGTH)


class WriteRecordRequest(BaseModel):
    """A tree to write as SGF."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(default="", max_length=MAX_NAME_LENGTH, pattern=PRINTABLE)
    tree: AnalysisTree


def build_analysis_summary(summary: AnalysisSummary) -> AnalysisSummaryView:
    """Return the view of a summary."""
    return AnalysisSummaryView.model_construct(**vars(summary))


def build_saved_analysis(saved: SavedAnalysis) -> SavedAnalysisView:
    """Return the view of a saved analysis."""
    return SavedAnalysisView.model_construct(**vars(saved.summary), tree=saved.tree)
