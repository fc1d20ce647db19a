"""Routes of what is known about a game: claims with their state, solved boards, and proof files."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Response, status
from pydantic import BaseModel, Field

from ....games.known import find_proof_file, load_known
from ...errors import ApiError
from ..match_requests import name_attachment

router = APIRouter(prefix="/api", tags=["games"])
GameKey = Annotated[str, Path(min_length=1, max_length=40, examples=["lariat"])]
ProofName = Annotated[str, Path(min_length=1, max_length=60)]


class TranslatedText(BaseModel):
    """A text in every language of the page."""

    en: str
    de: str


class KnownPosition(BaseModel):
    """A position that shows something."""

    spec: str
    position: str | None
    moves: list[str]
    label: TranslatedText


class SuggestedMatch(BaseModel):
    """A match to try something against a built-in bot."""

    spec: str
    level: int
    seat: int


class ClaimView(BaseModel):
    """A statement about a game, and what is known about it."""

    id: str
    source: Literal["rule sheet", "ruling", "ours"]
    state: Literal["proven", "checked", "refuted", "open"]
    statement: TranslatedText
    note: TranslatedText
    cases: int | None = Field(description="that were checked at least")
    evidence: list[str] = Field(description="tests or pages of the source archive")
    proof: list[TranslatedText] = Field(description="paragraphs of a proof in words")
    positions: list[KnownPosition]
    tries: list[SuggestedMatch]


class SolvedBoardView(BaseModel):
    """A board whose value is known."""

    spec: str
    value: TranslatedText
    searched: int | None = Field(description="positions that the solver visited")
    evidence: list[str]
    proof: str | None = Field(description="the name of a proof file at /api/proofs")


class KnownView(BaseModel):
    """What is known about a game."""

    claims: list[ClaimView]
    solved: list[SolvedBoardView]


@router.get("/known/{game}")
async def show_known(game: GameKey) -> KnownView:
    """Return the claims about a game with their state, and its solved boards."""
    known = load_known().get(game)
    if known is None:
        raise ApiError("not-found", f"nothing is known about this game; games are {', '.join(load_known())}")
    return KnownView.model_validate(known)


@router.get(
    "/proofs/{name}",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def download_proof(name: ProofName) -> Response:
    """Return a proof file, which `ropewalk verify-proof` checks."""
    file = find_proof_file(name)
    if file is None:
        raise ApiError("not-found", "proof not found; GET /api/known/{game} names all of them")
    media_type = "application/gzip" if file.suffix == ".gz" else "text/plain"
    return Response(file.read_bytes(), media_type=media_type, headers=name_attachment(name))
