"""Sphinx directives that write pages from the program and the repository: commands, routes, files outside `docs`.

Links in Markdown files are written for readers of the repository. On the site, links to files that have a page of their
own lead there, under the title of that page if the text is a file name. Other links out of `docs` become the path as code.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from page_list import read_title
from sphinx.application import Sphinx

from ropewalk.cli.arguments import Parser
from ropewalk.cli.main import COMMANDS, load_command
from ropewalk.reports.library import list_shipped_games, load_shipped_page, load_shipped_report
from ropewalk.server.errors import HTTP_STATUS

ROOT = Path(__file__).parents[1]
OPENAPI = ROOT / "tests" / "golden" / "interfaces" / "openapi.json"
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "deploy/README.md": "deployment.md",
}
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
ERRORS = ROOT / "src" / "ropewalk" / "server" / "errors.py"
PAGE_CODES = ROOT / "web" / "src" / "i18n" / "en" / "codes.ts"
MEANINGS = {  # of codes that neither the source nor the page explains: the message of such an error has the details
    "bad-spec": "the spec names no game, or an option that it does not have",
    "bad-position": "the position text cannot be read",
    "bad-record": "the game record cannot be read",
    "bad-name": "the name is too long, reserved, or has characters that are not allowed",
    "weak-password": "the password is too short, common, or contains the name",
    "not-yours": "it belongs to another user, or needs an account",
    "bad-method": "the address does not have this method; the header `Allow` lists those that it has",
    "too-large": "the request has more bytes than `limit`",
    "too-many": "`limit` is the number allowed, `retry_after` the seconds to wait",
}
METHODS = ("get", "post", "put", "patch", "delete")


class MarkdownDirective(Directive):
    """A directive whose content is Markdown that a function writes."""

    has_content = False
    option_spec: ClassVar[dict[str, Any]] = {}

    def write(self) -> str:
        """Return the content."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Parse the content in place of the directive."""
        read_again(self)
        container = nodes.section()
        lines = StringList(self.write().splitlines(), source="generated")
        self.state.nested_parse(lines, self.content_offset, container, match_titles=True)
        return container.children


def read_again(directive: Directive) -> None:
    """Let every build read the page again, because its content can change when the page does not."""
    directive.state.document.settings.env.note_reread()


class CommandReference(MarkdownDirective):
    """The help of all commands of `ropewalk`."""

    def write(self) -> str:
        """Return a heading and the help of each command."""
        parts = []
        for name, entry in COMMANDS.items():
            parts += [
                f"## ropewalk {name}",
                "",
                f"{entry.summary.capitalize()}.",
                "",
                "```text",
                format_help(name),
                "```",
                "",
            ]
        return "\n".join(parts)


def format_help(name: str) -> str:
    """Return what `ropewalk NAME --help` prints."""
    command = load_command(name)
    parser = Parser(f"ropewalk {name}", command.description, {"examples": command.examples})
    command.add_arguments(parser)
    return parser.format_help().rstrip()


class RouteReference(MarkdownDirective):
    """The routes of the HTTP interface by tag, from the OpenAPI document."""

    def write(self) -> str:
        """Return a table of routes for each tag."""
        by_tag: dict[str, list[str]] = defaultdict(list)
        for path, methods in json.loads(OPENAPI.read_text(encoding="utf-8"))["paths"].items():
            for method, route in methods.items():
                if method in METHODS:
                    by_tag[route.get("tags", ["other"])[0]].append(format_route(method, path, route))
        parts = []
        for tag in sorted(by_tag):
            parts += [f"## {tag.capitalize()}", "", "| request | what it does | parameters | status codes |"]
            parts += ["| --- | --- | --- | --- |", *by_tag[tag], ""]
        return "\n".join(parts)


def format_route(method: str, path: str, route: dict[str, Any]) -> str:
    """Return the row of a route."""
    first_line = route.get("description", route.get("summary", "")).strip().split("\n\n")[0]
    description = " ".join(first_line.split()).replace("|", "\\|")
    names = ", ".join(f"`{parameter['name']}`" for parameter in route.get("parameters", ()) if parameter["in"] != "header")
    return f"| `{method.upper()} {path}` | {description} | {names} | {', '.join(sorted(route['responses']))} |"


class ErrorCodeReference(MarkdownDirective):
    """The error codes of the API with their status and meaning."""

    def write(self) -> str:
        """Return a table of codes by status."""
        rows = [f"| `{code}` | {status} | {meaning} |" for code, (status, meaning) in list_error_codes().items()]
        return "\n".join(["| code | status | meaning |", "| --- | --- | --- |", *rows])


def list_error_codes() -> dict[str, tuple[int, str]]:
    """Return the status and meaning of codes: the comment in the source, else one of MEANINGS, else the text of the page."""
    comments = dict(re.findall(r'^    "([a-z-]+)": \d+,  # (.+)$', ERRORS.read_text(encoding="utf-8"), re.MULTILINE))
    texts = dict(re.findall(r'^  "?([a-z-]+)"?: \(\) => "(.+)",$', PAGE_CODES.read_text(encoding="utf-8"), re.MULTILINE))
    meanings = texts | MEANINGS | comments
    return {code: (status, meanings.get(code, "")) for code, status in HTTP_STATUS.items()}


class ExitCodeReference(MarkdownDirective):
    """The exit codes of commands."""

    def write(self) -> str:
        """Return a table of exit codes."""
        source = (ROOT / "src" / "ropewalk" / "cli" / "command.py").read_text(encoding="utf-8")
        found = re.findall(r"^EXIT_[A-Z_]+ = (\d+)(?:  # (.+))?$", source, re.MULTILINE)
        rows = [f"| {code} | {meaning or 'success'} |" for code, meaning in found]
        return "\n".join(["| code | meaning |", "| --- | --- |", *rows])


class ReportList(Directive):
    """Links to the pages of the reports that come with the package."""

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        read_again(self)
        reports = [(key, load_shipped_report(key) or {}) for key in list_shipped_games()]
        items = [f'<li><a href="reports/{key}.html">{report["name"]}: {report["spec"]}</a></li>' for key, report in reports]
        return [nodes.raw("", f"<ul>{''.join(items)}</ul>", format="html")]


def write_report_pages(app: Sphinx, error: Exception | None) -> None:
    """Write the pages of reports beside those of the site; each needs no other files."""
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir) / "reports"
        folder.mkdir(exist_ok=True)
        for key in list_shipped_games():
            (folder / f"{key}.html").write_text(load_shipped_page(key) or "", encoding="utf-8", newline="\n")


class RepositoryFile(MarkdownDirective):
    """A Markdown file of the repository that is not in `docs`."""

    required_arguments = 1

    def write(self) -> str:
        """Return the text of the file with its links changed."""
        path = ROOT / self.arguments[0]
        return change_links(path.read_text(encoding="utf-8"), path.parent, ROOT / "docs")


def change_links(text: str, folder: Path, page_folder: Path) -> str:
    """Return Markdown of a file in `folder` with links as the site has them, for a page in `page_folder`."""

    def change(match: re.Match[str]) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        path = (folder / target).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            return match[0]
        name = path.relative_to(ROOT).as_posix()
        if name in PAGES:
            path = ROOT / "docs" / PAGES[name]
        elif not name.startswith("docs/"):
            return f"`{name}`" if name.endswith(words.strip("`")) else f"{words} (`{name}`)"
        if words.endswith(".md"):  # the name of a file says little on the site
            words = read_title(path.relative_to(ROOT / "docs").with_suffix("").as_posix())
        return f"[{words}]({os.path.relpath(path, page_folder)}{anchor})"

    return LINK.sub(change, text)


def change_page_links(app: Sphinx, name: str, source: list[str]) -> None:
    """Change the links of a page of `docs` before it is parsed."""
    folder = (ROOT / "docs" / name).parent
    source[0] = change_links(source[0], folder, folder)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("command-reference", CommandReference)
    app.add_directive("route-reference", RouteReference)
    app.add_directive("error-code-reference", ErrorCodeReference)
    app.add_directive("exit-code-reference", ExitCodeReference)
    app.add_directive("repository-file", RepositoryFile)
    app.add_directive("report-list", ReportList)
    app.connect("source-read", change_page_links)
    app.connect("build-finished", write_report_pages)
    return {"parallel_read_safe": True}
