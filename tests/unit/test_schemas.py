"""The JSON schemas of records and of the analysis protocol accept what the program writes, and refuse what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ropewalk.engine.protocol import ACTION_FIELDS, FIELD_PARSERS, QueryError, parse_request
from ropewalk.records.json_format import DEFS_BY_PATH, RESERVED_KEYS

ROOT = Path(__file__).resolve().parents[2]
RECORDS = json.loads((ROOT / "src/ropewalk/records/record.schema.json").read_text(encoding="utf-8"))
ANALYSIS = json.loads((ROOT / "src/ropewalk/engine/analysis.schema.json").read_text(encoding="utf-8"))
SAMPLES = ROOT / "tests" / "golden" / "samples"


def is_valid(schema: dict[str, Any], data: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(data))


def part(name: str) -> dict[str, Any]:
    """Return the schema of queries or of responses."""
    return {"$ref": f"#/$defs/{name}", "$defs": ANALYSIS["$defs"]}


@pytest.mark.parametrize("schema", [RECORDS, ANALYSIS], ids=["records", "analysis"])
def test_the_schemas_are_schemas(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)


def test_recorded_files_conform() -> None:
    jsonschema.Draft202012Validator(RECORDS).validate(json.loads((SAMPLES / "games.json").read_text(encoding="utf-8")))


def test_the_schema_of_records_has_the_keys_of_the_format() -> None:
    properties = RECORDS["$defs"]["node"]["properties"]
    found = {(key,) for key in properties if "properties" not in properties[key]} | {
        (key, inner) for key in properties for inner in properties[key].get("properties", {})
    }
    assert found - {(key,) for key in RESERVED_KEYS} == set(DEFS_BY_PATH)


@pytest.mark.parametrize(
    "node", [{}, {"parent": -1}, {"parent": 0, "first": {"move": "c3"}}, {"parent": 0, "comment": 3}, {"parent": 0, "x": 1}]
)
def test_other_nodes_do_not_conform(node: dict[str, Any]) -> None:
    file = {"format": "ropewalk-records", "version": 1, "games": [{"nodes": [{"parent": None, "spec": "tether-5"}, node]}]}
    assert not is_valid(RECORDS, file)


def test_recorded_responses_conform() -> None:
    for line in (SAMPLES / "analysis.jsonl").read_text(encoding="utf-8").splitlines():
        jsonschema.Draft202012Validator(part("response")).validate(json.loads(line))


def test_the_schema_of_queries_has_the_fields_of_the_protocol() -> None:
    plain, *actions = ANALYSIS["$defs"]["query"]["anyOf"]
    assert set(plain["properties"]) == {"id", *FIELD_PARSERS}
    assert {action["properties"]["action"]["const"]: set(action["properties"]) for action in actions} == {
        name: set(fields) for name, fields in ACTION_FIELDS.items()
    }


@pytest.mark.parametrize(
    "query",
    [
        {"id": "a"},
        {"id": "a", "spec": "tether-5", "moves": ["c3"], "visits": 50, "lines": 20, "analyse_moves": [0, 1]},
        {"id": "a", "spec": "tether-5", "allow_moves": ["c3", "b2"], "avoid_moves": ["b2"]},
        {"id": "a", "avoid_moves": []},
        {"id": "a", "include_policy": True, "include_ownership": False, "seed": 7, "seconds": 0.5},
        {"id": "a", "action": "terminate", "terminateId": "b"},
        {"id": "a", "action": "choose_move", "level": 3},
        {"id": ""},
        {"id": "a", "lines": 21},
        {"id": "a", "visits": 0},
        {"id": "a", "analyse_moves": []},
        {"id": "a", "action": "terminate"},
        {"id": "a", "action": "warm_up", "moves": []},
        {"id": "a", "unknown": 1},
    ],
)
def test_the_schema_accepts_the_queries_that_the_engine_accepts(query: dict[str, Any]) -> None:
    try:
        parse_request(query)
        is_accepted = True
    except QueryError:
        is_accepted = False
    assert is_valid(part("query"), query) == is_accepted
