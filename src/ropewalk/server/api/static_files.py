"""The static files of the page, which are part of the package; without them, a text with the address of the API.

The addresses below /embed have a small page of their own, which other sites may show in a frame.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from ..errors import ApiError
from .compression import find_compressed
from .link_previews import LinkPreview, fill_page
from .middleware import is_embed_path

MISSING_PAGE_TEXT = """Ropewalk is running, but this installation has no page.

The API is at /api; /api/openapi.json describes it, and docs/api.md shows it in use.
Lariat, Cube Lariat, Tether and Liger are by Mark Steere, laoCoon by Alain Couchot and Bernard Klein.
"""
ROUTES_FILE = "routes.json"  # written by the build of the page
PreviewLoader = Callable[[Sequence[str]], Awaitable[LinkPreview | None]]
IMMUTABLE = "public, max-age=31536000, immutable"  # for files whose names contain a hash of their contents


@dataclass(frozen=True)
class PageRoute:
    """An address of the page: its first segment, whether a second one must follow, and the files that it loads besides."""

    name: str
    requires_argument: bool = False
    preload: Sequence[str] = ()


def add_static_files(
    app: FastAPI, folder: Path, routes: Sequence[APIRoute], load_preview: PreviewLoader | None = None
) -> None:
    """Serve the files of a folder; every other path outside the API gets the page, which has a router of its own.

    A path that this router does not know has the status 404; the page says so to the visitor.
    `load_preview` returns what other sites show of a link to an address, by the segments of its path.
    This route matches all paths, so it also answers a method that none of `routes`, those of the API, has for a path.
    """
    root = folder.resolve()
    page_routes = read_page_routes(root)

    @app.get("/{path:path}", include_in_schema=False)
    async def show(path: str, request: Request) -> Response:
        if path == "api" or path.startswith("api/"):
            raise build_api_error(f"/{path}", routes)
        file = find_file(root, path)
        if file is not None:
            caching = IMMUTABLE if path.startswith("assets/") else "no-cache"
            return build_file_response(file, caching, request)
        index = root / ("embed.html" if is_embed_path(f"/{path}") else "index.html")
        if not index.is_file():
            return PlainTextResponse(MISSING_PAGE_TEXT)
        if index.name == "embed.html":
            return build_file_response(index, "no-cache", request)
        segments = split_path(path)
        route = find_page_route(segments, page_routes)
        if route is None:
            return build_file_response(index, "no-cache", request, 404)
        preview = None if load_preview is None else await load_preview(segments)
        if preview is None:
            response = build_file_response(index, "no-cache", request)
        else:
            response = build_filled_page(index, preview, segments, request)
        if route.preload:
            response.headers["Link"] = format_preload_links(route.preload)
        return response


def split_path(path: str) -> list[str]:
    """Return the segments of a path, without empty ones."""
    return [segment for segment in path.split("/") if segment]


def build_filled_page(index: Path, preview: LinkPreview, segments: Sequence[str], request: Request) -> Response:
    """Return the page with what other sites show of a link to its address."""
    origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
    page = fill_page(index.read_text("utf-8"), preview, origin, "/" + "/".join(map(quote, segments[:2])))
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})


def read_page_routes(root: Path) -> list[PageRoute] | None:
    """Return the addresses that the page has; None if they are unknown."""
    file = root / ROUTES_FILE
    return [PageRoute(**entry) for entry in json.loads(file.read_text("utf-8"))] if file.is_file() else None


def find_page_route(segments: Sequence[str], routes: Sequence[PageRoute] | None) -> PageRoute | None:
    """Return the first route that fits an address, as the page's own router does; any address fits if they are unknown."""
    name = segments[0] if segments else ""
    if routes is None:
        return PageRoute(name)
    has_argument = len(segments) > 1
    return next((each for each in routes if each.name == name and (has_argument or not each.requires_argument)), None)


def format_preload_links(paths: Sequence[str]) -> str:
    """Return the header that lets a browser load the script and style sheets of a page together with those of every page."""
    return ", ".join(
        f"<{path}>; rel=preload; as=style; crossorigin" if path.endswith(".css") else f"<{path}>; rel=modulepreload"
        for path in paths
    )


def build_file_response(file: Path, caching: str, request: Request, status: int = 200) -> Response:
    """Return a file, or its compressed copy if there is one and the client accepts it."""
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
    compressed = find_compressed(file, request.headers)
    if compressed is None:
        return FileResponse(file, status, headers=headers)
    media_type = guess_type(file.name)[0] or "application/octet-stream"
    return FileResponse(compressed, status, headers | {"Content-Encoding": "gzip"}, media_type=media_type)


def build_api_error(path: str, routes: Sequence[APIRoute]) -> Exception:
    """Return the error for a path of the API that GET does not have."""
    allowed = list_methods(path, routes)
    if allowed:
        return HTTPException(405, "Method Not Allowed", headers={"Allow": allowed})
    return ApiError("not-found", f"{path[:100]} not found")


def list_methods(path: str, routes: Sequence[APIRoute]) -> str:
    """Return the methods of a path as the header `Allow` has them, empty for an unknown path."""
    methods = {method for route in routes if route.path_regex.match(path) for method in route.methods or ()}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def find_file(root: Path, path: str) -> Path | None:
    """Return the file of a path in the folder, None if there is none or the path leaves the folder."""
    if not path or "\0" in path or len(path) > 300:
        return None
    try:
        file = (root / path).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except (OSError, ValueError):  # a part is longer than the file system allows, or cannot be encoded
        return None
