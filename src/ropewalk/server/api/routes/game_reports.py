"""Routes of game reports: the figures of the standard boards as JSON, and as pages."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse

from ....reports.library import list_shipped_games, load_shipped_page, load_shipped_report
from ...errors import ApiError
from ..work import MIN_COST, RequesterDep

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
CACHE_CONTROL = "public, max-age=3600"
router = APIRouter(tags=["game reports"])
GameKey = Annotated[str, Path(min_length=1, max_length=40, examples=["tether"])]


@router.get("/api/game-reports")
async def list_game_reports() -> list[str]:
    """Return the keys of the games that have a report."""
    return list_shipped_games()


@router.get("/api/game-reports/{game}")
async def show_game_report(game: GameKey) -> dict[str, Any]:
    """Return the report of a game's standard board."""
    report = load_shipped_report(game)
    if report is None:
        raise build_missing_error(game)
    return report


@router.get("/reports/{game}", response_class=HTMLResponse, include_in_schema=False)
async def show_report_page(game: GameKey, requester: RequesterDep) -> HTMLResponse:
    """Return the page of a game's report, which needs no other files."""
    if game not in list_shipped_games():
        raise build_missing_error(game)
    page = await requester.run(MIN_COST, load_shipped_page, game)  # drawn once, then kept
    return HTMLResponse(page, headers={"Content-Security-Policy": PAGE_POLICY, "Cache-Control": CACHE_CONTROL})


def build_missing_error(game: str) -> ApiError:
    """Return the error for a game without a report."""
    return ApiError("not-found", f"there is no report of {game[:40]!r}; GET /api/game-reports lists those that exist")
