"""The page on records says what the program does: its examples run, and its tables are complete."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from ropewalk.records import errors, files, first_difference, properties, read, sgf
from ropewalk.records.metadata import OUTSIDE_THE_RULES

from .test_verification import DIFFERENCES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "records.md"
TEXT = PAGE.read_text(encoding="utf-8")
FORMS = {name.lower(): form for name, form in vars(properties).items() if isinstance(form, properties.Form)}


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def form_name(form: properties.Form) -> str:
    return next(name for name, known in FORMS.items() if known is form)


def test_the_examples_run() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert results.attempted > 20
    assert results.failed == 0


def test_the_complete_game_is_written_as_it_stands_and_verifies() -> None:
    record = read(block("sgf"))
    assert record.sgf() == block("sgf")
    assert first_difference(record) is None


def test_the_json_is_that_of_the_complete_game() -> None:
    assert read(block("sgf")).json() == block("json")


def test_the_table_has_every_property() -> None:
    rows = [
        f"| `{field.name}` | `{'.'.join(field.path)}` | {form_name(field.form)} | {field.words} |"
        for field in properties.FIELDS.values()
    ]
    table = "\n".join(["| property | in JSON | form | what it says |", "| --- | --- | --- | --- |", *rows])
    assert table in TEXT, table


def test_every_form_is_described() -> None:
    described = set(re.findall(r"^\| ([a-z, ]+) \| (?:`|a )", TEXT, re.MULTILINE))
    assert {name for names in described for name in names.split(", ")} == set(FORMS)


def test_every_reason_and_limit_is_named() -> None:
    spelt = {"resign": "Resign", "time": "Time", "forfeit": "Forfeit"}
    assert all(f"`{spelt.get(reason, reason)}`" in TEXT for reason in OUTSIDE_THE_RULES if reason)
    assert f"{files.LARGEST_FILE:,} bytes" in TEXT
    assert f"{sgf.MOST_PARTS:,} nodes, properties and values" in TEXT
    assert f"{errors.MOST_FAULTS:,} faults" in TEXT
    codes = {reason for _, reason, _ in DIFFERENCES}
    assert len(codes) > 10
    assert [code for code in codes if f"`{code}`" not in TEXT.split("| code |")[1]] == []
