"""The page: static files that are built into the package; where there are none, a few plain words."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, PlainTextResponse, Response

from ..errors import ApiError

MISSING_PAGE_TEXT = """Ropewalk is running, but this installation has no page.

The API is at /api; /api/openapi.json describes it, and docs/api.md shows it in use.
Lariat, Cube Lariat, Tether and Liger are by Mark Steere, laoCoon by Alain Couchot and Bernard Klein.
"""
IMMUTABLE = "public, max-age=31536000, immutable"  # files whose names change with their contents


def add_static_files(app: FastAPI, folder: Path) -> None:
    """Serve files of a folder; every other address is the page's own."""
    root = folder.resolve()

    @app.get("/{path:path}", include_in_schema=False)
    async def show(path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise ApiError("not-found", f"there is no /{path[:100]}")
        wanted = find_file(root, path)
        if wanted is not None:
            fresh = IMMUTABLE if path.startswith("assets/") else "no-cache"
            return FileResponse(wanted, headers={"Cache-Control": fresh})
        index = root / "index.html"
        if not index.is_file():
            return PlainTextResponse(MISSING_PAGE_TEXT)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})


def find_file(root: Path, path: str) -> Path | None:
    """A file of the folder, and of nowhere else."""
    if not path or "\0" in path or len(path) > 300:
        return None
    wanted = (root / path).resolve()
    return wanted if wanted.is_relative_to(root) and wanted.is_file() else None
