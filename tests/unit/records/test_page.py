"""The page on records says what the program does: its examples run, and its tables are complete."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from ropewalk.records import errors, files, find_first_mismatch, properties, read, sgf
from ropewalk.records.metadata import EXTERNAL_REASONS
from tests.unit.records.test_verification import DIFFERENCES

PAGE = Path(__file__).resolve().parents[3] / "docs" / "records.md"
TEXT = PAGE.read_text(encoding="utf-8")
FORMS = {name.lower(): form for name, form in vars(properties).items() if isinstance(form, properties.Codec)}


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def form_name(form: properties.Codec) -> str:
    return next(name for name, known in FORMS.items() if known is form)


def test_the_examples_run() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert results.attempted > 20
    assert results.failed == 0


def test_the_complete_game_is_written_as_it_stands_and_verifies() -> None:
    record = read(block("sgf"))
    assert record.to_sgf() == block("sgf")
    assert find_first_mismatch(record) is None


def test_the_json_is_that_of_the_complete_game() -> None:
    assert read(block("sgf")).to_json() == block("json")


def test_the_table_has_every_property() -> None:
    rows = [
        f"| `{field.name}` | `{'.'.join(field.json_path)}` | {form_name(field.codec)} | {field.description} |"
        for field in properties.PROPERTY_DEFS.values()
    ]
    table = "\n".join(["| property | in JSON | form | description |", "| --- | --- | --- | --- |", *rows])
    assert table in TEXT, table


def test_every_form_is_described() -> None:
    described = set(re.findall(r"^\| ([a-z, ]+) \| (?:`|a )", TEXT, re.MULTILINE))
    assert {name for names in described for name in names.split(", ")} == set(FORMS)


def test_every_reason_and_limit_is_named() -> None:
    spelt = {"resign": "Resign", "time": "Time", "forfeit": "Forfeit"}
    assert all(f"`{spelt.get(reason, reason)}`" in TEXT for reason in EXTERNAL_REASONS if reason)
    assert f"{files.MAX_FILE_BYTES:,} bytes" in TEXT
    assert f"{sgf.MAX_PARTS:,} nodes, properties and values" in TEXT
    assert f"{errors.MAX_FAULTS:,} faults" in TEXT
    codes = {reason for _, reason, _ in DIFFERENCES}
    assert len(codes) > 10
    assert [code for code in codes if f"`{code}`" not in TEXT.split("| code |")[1]] == []
