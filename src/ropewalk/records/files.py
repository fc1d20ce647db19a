"""Reading and writing files of records: encodings, size limit, recovery of damaged files."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from ..atomic_file import atomic_write
from ..text import ellipsis
from .errors import FaultCollector, RecordError, SourceMap
from .json_format import format_json, parse_json
from .node import Node, build_tree
from .properties import PROPERTY_DEFS
from .record import Record, require_single
from .sgf import format_sgf, parse_sgf

Source: TypeAlias = str | bytes | os.PathLike[str]

MAX_FILE_BYTES = 16 << 20  # bytes
MAX_HEAD_BYTES = 1 << 16  # the part of a file that may name its encoding
VALUE = rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]"
CHARSET = re.compile(  # the first CA of the first node
    rb"[^(]*+\(\s*+;\s*+(?:(?!CA\s*\[)[A-Za-z0-9_]++\s*+(?:%b\s*+)++)*+CA\s*+\[([^\\\]]{0,40})\]" % VALUE, re.DOTALL
)
ENCODINGS = re.compile(r"utf-8|ascii|iso8859|cp125|koi8|gb|big5|shift_jis|euc_")  # all of which contain ASCII
UTF_8, LATIN_1 = "utf-8", "iso8859-1"
SURROGATE = re.compile("[\ud800-\udfff]")  # what surrogateescape makes of an invalid byte
SURROGATES = re.compile("[\ud800-\udfff]+")
FILE_SUFFIXES = (".sgf", ".json")


def read(source: Source, *, recover: bool = False) -> Record:
    """Return the only record of a text or a file.

    Args:
        source: SGF or JSON as text or bytes, or a path. A `str` is a text if it begins with ( or {, or has several lines;
            any other `str` is the name of a file.
        recover: read a damaged SGF file as far as possible; `record.parse_faults` lists the faults and the dropped text.

    Raises:
        RecordError: the source cannot be read, with line and column, or has not exactly one game.

    """
    return require_single(read_all(source, recover=recover))


def read_all(source: Source, *, recover: bool = False) -> list[Record]:
    """Return all records of a text or a file; arguments as for `read`. Raises RecordError, with line and column."""
    content = load_content(source)
    if len(content) > MAX_FILE_BYTES:
        raise RecordError(f"file too large: a record file may have at most {MAX_FILE_BYTES:,} bytes")
    text, encoding = (content, UTF_8) if isinstance(content, str) else decode(content)
    text = text.removeprefix("\ufeff")
    faults = FaultCollector(text, recover=recover)
    text = replace_invalid_bytes(text, encoding, faults)
    if text.lstrip().startswith("{"):
        return parse_json(text)
    records = [Record(normalise(build_tree(nodes), encoding)) for nodes in parse_sgf(text, faults)]
    for record in records:
        record.parse_faults = tuple(faults.faults)
    return records


def load_content(source: Source) -> str | bytes:
    """Return a text or bytes as given, or the content of a file. Raises RecordError."""
    if isinstance(source, bytes) or (isinstance(source, str) and is_text(source)):
        return source
    try:
        with open(source, "rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero in it
        raise RecordError(f"cannot read {ellipsis(str(source))}: {getattr(error, 'strerror', None) or error}") from None


def is_text(source: str) -> bool:
    """Return whether a `str` is a record itself rather than the name of a file."""
    return source.lstrip("\ufeff \t\r\n")[:1] in ("(", "{") or "\n" in source or "\r" in source


def decode(content: bytes) -> tuple[str, str]:
    """Return the text of a file and its encoding; invalid bytes become surrogates, for `replace_invalid_bytes`."""
    encoding = detect_encoding(content)
    return content.decode(encoding, "surrogateescape"), encoding


def detect_encoding(content: bytes) -> str:
    """Return the encoding that a file names; without one UTF-8 or, if its bytes are not valid, SGF's default Latin-1."""
    if content.startswith(codecs.BOM_UTF8) or content.lstrip().startswith(b"{"):
        return UTF_8
    if named := CHARSET.match(content[:MAX_HEAD_BYTES]):
        return look_up_encoding(content, named)
    try:
        content.decode(UTF_8)
    except UnicodeDecodeError:
        return LATIN_1
    return UTF_8


def look_up_encoding(content: bytes, named: re.Match[bytes]) -> str:
    """Return the codec of the encoding that a file names. Raises RecordError for an unknown one."""
    name = named[1].decode("latin-1").strip()
    try:
        encoding = codecs.lookup(name).name
    except (LookupError, ValueError):
        encoding = ""
    if not ENCODINGS.match(encoding):
        place = SourceMap(content[:MAX_HEAD_BYTES].decode("latin-1")).locate(named.start(1))
        raise RecordError(f"unknown encoding {ellipsis(name)}; UTF-8 and ISO-8859-1 are supported", *place)
    return encoding


def replace_invalid_bytes(text: str, encoding: str, faults: FaultCollector) -> str:
    """Return the text with a replacement character for each invalid byte; each run of them is a fault."""
    for found in SURROGATES.finditer(text):
        shown = " ".join(f"{ord(letter) & 0xFF:02x}" for letter in found[0])
        faults.add(found.start(), f"bytes that are not {encoding.upper()}: {shown}", found[0])
    return SURROGATE.sub("\ufffd", text)


def normalise(root: Node, encoding: str) -> Node:
    """Return the tree with known properties in canonical form, and its encoding as UTF-8. Changes the nodes."""
    for node in root.nodes():
        for written in node.properties:
            if written.name in PROPERTY_DEFS:
                written.values = PROPERTY_DEFS[written.name].canonicalise(written.values) or written.values
    if encoding != UTF_8 or root.get("CA") is not None:
        root.set("CA", "UTF-8")
    return root


def save(records: Sequence[Record], path: str | os.PathLike[str]) -> None:
    """Write records into a .sgf or .json file, atomically. Raises RecordError."""
    target = Path(path)
    content = format_records(target.suffix.lower(), records).encode()
    try:
        with atomic_write(target) as beside:
            beside.write_bytes(content)
    except OSError as error:
        raise RecordError(f"cannot write {ellipsis(str(path))}: {error.strerror or error}") from None


def format_records(suffix: str, records: Sequence[Record]) -> str:
    """Return records in the format of a file suffix. Raises RecordError."""
    if suffix not in FILE_SUFFIXES:
        raise RecordError(
            f"unknown file type {ellipsis(suffix)}; the name of a record file must end in {' or '.join(FILE_SUFFIXES)}"
        )
    return format_json(records) if suffix == ".json" else format_sgf([record.root for record in records])
