"""The static files of the page, which are part of the package; without them, a text with the address of the API."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, PlainTextResponse, Response

from ..errors import ApiError

MISSING_PAGE_TEXT = """Ropewalk is running, but this installation has no page.

The API is at /api; /api/openapi.json describes it, and docs/api.md shows it in use.
Lariat, Cube Lariat, Tether and Liger are by Mark Steere, laoCoon by Alain Couchot and Bernard Klein.
"""
IMMUTABLE = "public, max-age=31536000, immutable"  # for files whose names contain a hash of their contents


def add_static_files(app: FastAPI, folder: Path) -> None:
    """Serve the files of a folder; every other path outside the API gets the page, which has a router of its own."""
    root = folder.resolve()

    @app.get("/{path:path}", include_in_schema=False)
    async def show(path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise ApiError("not-found", f"/{path[:100]} not found")
        file = find_file(root, path)
        if file is not None:
            caching = IMMUTABLE if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"Cache-Control": caching})
        index = root / "index.html"
        if not index.is_file():
            return PlainTextResponse(MISSING_PAGE_TEXT)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})


def find_file(root: Path, path: str) -> Path | None:
    """Return the file of a path in the folder, None if there is none or the path leaves the folder."""
    if not path or "\0" in path or len(path) > 300:
        return None
    file = (root / path).resolve()
    return file if file.is_relative_to(root) and file.is_file() else None
