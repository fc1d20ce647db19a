"""SGF as it is found: escapes, line breaks, encodings, collections, depth, limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.records import Property, Record, RecordError, errors, files, read, read_all, sgf

HEAD = "FF[4]GM[Tether]SPEC[tether-5]"


@pytest.mark.parametrize(
    ("raw", "comment"),
    [
        (r"a \] b \\ c", r"a ] b \ c"),
        (r"needless \e\s\c\a\p\e\s: \:", "needless escapes: :"),
        ("soft \\\nbreak", "soft break"),
        ("soft \\\r\nbreak", "soft break"),
        ("hard\r\nbreaks\n\rof\rall\nkinds", "hard\nbreaks\nof\nall\nkinds"),
        ("a (;B[c3\\]) inside", "a (;B[c3]) inside"),
        ("\ttabs stay", "\ttabs stay"),
        ("", ""),
    ],
)
def test_a_comment_reads_as_sgf_has_it(raw: str, comment: str) -> None:
    record = read(f"(;{HEAD}C[{raw}])")
    assert record.root.comment == comment
    assert read(record.to_sgf()).root.comment == comment


def test_labels_are_parted_at_the_first_colon_that_is_not_escaped() -> None:
    record = read(f"(;{HEAD}LB[a1:x][b2:1\\:2][c3:a:b][d4:\\]])")
    assert record.root.labels == {"a1": "x", "b2": "1:2", "c3": "a:b", "d4": "]"}
    assert "LB[a1:x][b2:1\\:2][c3:a\\:b][d4:\\]]" in record.to_sgf()


def test_blanks_between_parts_mean_nothing() -> None:
    text = "\ufeff \r\n( ;\tFF [4] \n GM\n[Tether]SPEC[tether-5]\r\n\r\n;B [c3]\n(;W[b2] ) ( ;W[d4]))\n\n"
    assert read(text) == read(f"(;{HEAD};B[c3](;W[b2])(;W[d4]))")


def test_unknown_properties_stay_where_they_are_with_their_values_untouched() -> None:
    node = "XY[1\\:2][ soft\\\r\nbreak ]C[hello]lower[x]KM[6.5]C[again]BL[half a minute]"
    record = read(f"(;{HEAD};{node})")
    assert record.to_sgf().endswith(f"\n;{node})\n")
    again = Record.from_json(record.to_json())
    assert again.to_sgf() == record.to_sgf()
    assert again.end.properties[0] == Property("XY", ["1\\:2", " soft\\\r\nbreak "])


def test_a_collection_has_several_games() -> None:
    text = f"(;{HEAD};B[c3])\n\n(;{HEAD};B[b2])(;{HEAD})"
    assert [record.end.turn for record in read_all(text)] == ["c3", "b2", None]
    with pytest.raises(RecordError, match="contains 3 games, expected 1; use read_all"):
        read(text)


@pytest.mark.parametrize(
    ("content", "comment"),
    [
        (f"(;{HEAD}C[Ünï])".encode(), "Ünï"),
        (f"(;{HEAD}CA[UTF-8]C[Ünï])".encode(), "Ünï"),
        (b"\xef\xbb\xbf" + f"(;{HEAD}C[Ünï])".encode(), "Ünï"),
        (f"(;{HEAD}CA[ISO-8859-1]C[Ünï])".encode("latin-1"), "Ünï"),
        (f"(;{HEAD}C[Ünï])".encode("latin-1"), "Ünï"),
        (f"(;{HEAD}CA[latin1]C[Ãœ])".encode("latin-1", "replace"), "Ã?"),
        (f"(;{HEAD}CA[Windows-1252]C[\u201eso\u201c])".encode("cp1252"), "\u201eso\u201c"),
        (f"(;{HEAD}CA[Shift_JIS]C[表])".encode("shift_jis"), "表"),  # its second byte is a backslash
        (f"(;{HEAD}GC[CA[nonsense\\]]CA[UTF-8]C[Ünï])".encode(), "Ünï"),
        (f"(;{HEAD}C[\ufeff \ufffd])".encode(), "\ufeff \ufffd"),
    ],
)
def test_encodings(content: bytes, comment: str, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(content)
    record = read(path)
    assert record.root.comment == comment
    record.save(path)
    assert read(path) == record
    assert path.read_bytes().decode("utf-8") == record.to_sgf()
    assert record.root.get("CA") in (None, "UTF-8")


def test_a_file_that_was_not_utf_8_says_that_it_is_now() -> None:
    assert "CA[UTF-8]" in read(f"(;{HEAD}C[Ünï])".encode("latin-1")).to_sgf()
    assert "CA[" not in read(f"(;{HEAD}C[Ünï])".encode()).to_sgf()


def test_an_encoding_that_is_not_known_is_refused() -> None:
    for name in ("klingon", "utf-16", "rot13", ""):
        with pytest.raises(RecordError, match=r"line 2, column 4: unknown encoding .*; UTF-8"):
            read(f"(;FF[4]\nCA[{name}])".encode())


def test_wrong_bytes_are_refused_or_replaced_and_named() -> None:
    content = f"(;{HEAD}CA[UTF-8]\nC[fine \xff\xfe and on])".encode("latin-1")
    with pytest.raises(RecordError, match=r"line 2, column 8: bytes that are not UTF-8: ff fe"):
        read(content)
    record = read(content, recover=True)
    assert record.root.comment == "fine \ufffd\ufffd and on"
    assert [(fault.line, fault.column) for fault in record.parse_faults] == [(2, 8)]


def test_a_text_with_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(RecordError, match="line 1, column 5"):
        read("(;C[\ud800])")
    with pytest.raises(RecordError, match="invalid value for C"):
        Record.create("tether-5").root.comment = "\ud800"


def test_a_text_is_distinguished_from_the_name_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(f"(;{HEAD};B[c3])", encoding="utf-8")
    assert read(path) == read(str(path)) == read(f"(;{HEAD};B[c3])") == read(f"(;{HEAD};B[c3])".encode())


@pytest.mark.parametrize("source", ["no such file.sgf", "", ".", "zero\0byte"])
def test_a_file_that_cannot_be_read_is_named(source: str) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        read(source)


def test_a_game_of_any_depth_is_read_and_written() -> None:
    depth = 10_000
    chain = read("(" + ";B[c3];W[b2]" * (depth // 2) + ")")
    assert len(chain.main_line()) == depth
    assert read(chain.to_sgf()) == Record.from_json(chain.to_json()) == chain
    nested = read("(;B[c3]" * depth + ")" * depth)
    assert len(nested.main_line()) == depth
    assert read(nested.to_sgf()) == nested


def test_a_deep_tree_keeps_its_branches() -> None:
    depth = 5_000
    record = read("(;B[c3](;W[a1])" * depth + ";W[e5]" + ")" * depth, recover=True)
    assert len(list(record.nodes())) == 2 * depth + 1
    assert read(record.to_sgf()) == record


def test_the_limits_answer_with_their_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1000)
    monkeypatch.setattr(sgf, "MAX_PARTS", 100)
    path = tmp_path / "game.sgf"
    path.write_text("(;C[" + "x" * 1000 + "])", encoding="utf-8")
    for source in (path, path.read_text(encoding="utf-8")):
        with pytest.raises(RecordError, match="at most 1,000 bytes"):
            read(source)
    with pytest.raises(RecordError, match="line 1, column 103: file too large: at most 100 nodes, properties and values"):
        read("(" + ";" * 200 + ")")
    monkeypatch.setattr(errors, "MAX_FAULTS", 5)
    with pytest.raises(RecordError, match="line 1, column 12: too many errors to recover: a file may have at most 5"):
        read("()" * 10 + "(;)", recover=True)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("\n\n", (1, 1), "no game found"),
        ("(;FF[4]\n;B[c3]", (1, 1), "missing ) for this ("),
        ("(;FF[4]\n(;B[c3]\n", (2, 1), "missing ) for 2 game trees"),
        ("(;FF[4]\r\n;B[c3)", (2, 3), "unterminated value"),
        ("(;FF[4]\n;B)", (2, 2), "property B has no value"),
        ("(;FF[4]\n;[c3])", (2, 2), "value without a property name"),
        ("(;FF[4];B[c3]))", (1, 15), "unmatched )"),
        ("hello (;FF[4])", (1, 1), "text outside a game"),
        ("(;FF[4])\n hello", (2, 2), "text outside a game"),
        ("(;FF[4]\n()", (2, 2), "this game tree has no node"),
        ("((;FF[4]))", (1, 2), "a game tree must begin with a node"),
        ("(FF[4])", (1, 2), "a property must be inside a node"),
        ("(;FF[4](;B[c3]);W[b2])", (1, 16), "a node must not follow a variation"),
        ("(;FF[4](;B[c3])C[b2])", (1, 16), "a property must not follow a variation"),
        ("(;FF[4]$$ ;B[c3])", (1, 8), "unexpected text"),
    ],
)
def test_faults_have_a_line_and_a_column(text: str, place: tuple[int, int], words: str) -> None:
    with pytest.raises(RecordError) as error:
        read(text.encode())
    assert (error.value.line, error.value.column) == place
    assert f"line {place[0]}, column {place[1]}: {words}" in str(error.value)
    if "no game" not in words and text.strip():
        record = read(text.encode(), recover=True)
        assert (record.parse_faults[0].line, record.parse_faults[0].column) == place
        assert words in str(record.parse_faults[0])
