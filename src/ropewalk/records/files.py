"""Reading and writing files of records: encodings, limits, damage."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from ..atomic_file import atomic_write
from ..text import ellipsis
from .errors import Complaints, Places, RecordError
from .json_format import read_json, write_json
from .node import Node
from .properties import FIELDS
from .record import Record, the_only
from .sgf import read_trees, write_trees

Source: TypeAlias = str | bytes | os.PathLike[str]

LARGEST_FILE = 16 << 20  # bytes
HEAD = 1 << 16  # bytes in which the name of the encoding must stand
VALUE = rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]"
CHARSET = re.compile(  # the first CA of the first node
    rb"[^(]*+\(\s*+;\s*+(?:(?!CA\s*\[)[A-Za-z0-9_]++\s*+(?:%b\s*+)++)*+CA\s*+\[([^\\\]]{0,40})\]" % VALUE, re.DOTALL
)
ENCODINGS = re.compile(r"utf-8|ascii|iso8859|cp125|koi8|gb|big5|shift_jis|euc_")  # all of which contain ASCII
UTF_8, LATIN_1 = "utf-8", "iso8859-1"
NO_CHARACTER = re.compile("[\ud800-\udfff]")  # what Python makes of a wrong byte
NO_CHARACTERS = re.compile("[\ud800-\udfff]+")
ENDINGS = (".sgf", ".json")


def read(source: Source, *, recover: bool = False) -> Record:
    """The record in a text or a file; a RecordError says what is wrong, with line and column.

    A text begins with ( or {, or has several lines; any other `str` is the name of a file. With `recover`, a damaged
    file is read as far as it makes sense, and `record.dropped` says what was wrong and what was left out.
    """
    return the_only(read_all(source, recover=recover))


def read_all(source: Source, *, recover: bool = False) -> list[Record]:
    """All records in a text or a file."""
    content = content_of(source)
    if len(content) > LARGEST_FILE:
        raise RecordError(f"a file of records has at most {LARGEST_FILE:,} bytes")
    text, encoding = (content, UTF_8) if isinstance(content, str) else decoded(content)
    text = text.removeprefix("\ufeff")
    complaints = Complaints(text, recover=recover)
    text = without_wrong_bytes(text, encoding, complaints)
    if text.lstrip().startswith("{"):
        return read_json(text)
    records = [Record(normalised(root, encoding)) for root in read_trees(text, complaints)]
    for record in records:
        record.dropped = tuple(complaints.dropped)
    return records


def content_of(source: Source) -> str | bytes:
    """What was handed in, or what a file holds."""
    if isinstance(source, bytes) or (isinstance(source, str) and is_text(source)):
        return source
    try:
        with open(source, "rb") as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero in it
        raise RecordError(f"cannot read {ellipsis(str(source))}: {getattr(error, 'strerror', None) or error}") from None


def is_text(source: str) -> bool:
    """Whether a `str` is a record itself rather than the name of a file."""
    return source.lstrip("\ufeff \t\r\n")[:1] in ("(", "{") or "\n" in source or "\r" in source


def decoded(content: bytes) -> tuple[str, str]:
    """The text of a file and its encoding: bytes that make no sense are left for `without_wrong_bytes`."""
    encoding = encoding_of(content)
    return content.decode(encoding, "surrogateescape"), encoding


def encoding_of(content: bytes) -> str:
    """The encoding that a file names, UTF-8 where it names none; Latin-1 where that cannot be, as SGF has it."""
    if content.startswith(codecs.BOM_UTF8) or content.lstrip().startswith(b"{"):
        return UTF_8
    if named := CHARSET.match(content[:HEAD]):
        return encoding_named(content, named)
    try:
        content.decode(UTF_8)
    except UnicodeDecodeError:
        return LATIN_1
    return UTF_8


def encoding_named(content: bytes, named: re.Match[bytes]) -> str:
    """An encoding by the name that a file has for it."""
    name = named[1].decode("latin-1").strip()
    try:
        encoding = codecs.lookup(name).name
    except (LookupError, ValueError):
        encoding = ""
    if not ENCODINGS.match(encoding):
        place = Places(content[:HEAD].decode("latin-1")).of(named.start(1))
        raise RecordError(f"the encoding {ellipsis(name)} is not known: UTF-8 and ISO-8859-1 are", *place)
    return encoding


def without_wrong_bytes(text: str, encoding: str, complaints: Complaints) -> str:
    """The text with a replacement character for each byte, or half of a pair, that is no character."""
    for found in NO_CHARACTERS.finditer(text):
        shown = " ".join(f"{ord(letter) & 0xFF:02x}" for letter in found[0])
        complaints.add(found.start(), f"bytes that are not {encoding.upper()}: {shown}", found[0])
    return NO_CHARACTER.sub("\ufffd", text)


def normalised(root: Node, encoding: str) -> Node:
    """The tree with what we understand as we write it; its text has left its encoding behind."""
    for node in root.nodes():
        for written in node.properties:
            if written.name in FIELDS:
                written.values = FIELDS[written.name].usual(written.values) or written.values
    if encoding != UTF_8 or root.value("CA") is not None:
        root.put("CA", "UTF-8")
    return root


def save(records: Sequence[Record], path: str | os.PathLike[str]) -> None:
    """Write records into a file, as its name ends; whoever stops us finds the old one or the new one."""
    target = Path(path)
    content = written_as(target.suffix.lower(), records).encode()
    try:
        with atomic_write(target) as beside:
            beside.write_bytes(content)
    except OSError as error:
        raise RecordError(f"cannot write {ellipsis(str(path))}: {error.strerror or error}") from None


def written_as(ending: str, records: Sequence[Record]) -> str:
    """The text of a file."""
    if ending not in ENDINGS:
        raise RecordError(f"a file of records ends in {' or '.join(ENDINGS)}, not {ellipsis(ending)}")
    return write_json(records) if ending == ".json" else write_trees([record.root for record in records])
