"""The JSON Schema in `docs/` is what the types say."""

import json
import runpy

import jsonschema  # type: ignore[import-untyped]  # it ships no types, and its stubs are not among our dependencies
import pytest

from protocol import schema
from tests.protocol.document import ROOT

FILE = ROOT / "docs" / "protocol.schema.json"


def test_the_file_is_what_the_command_writes(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(schema.__file__, run_name="__main__")
    assert capsys.readouterr().out == FILE.read_text(encoding="utf-8"), (
        "make it anew: python -m protocol.schema"
    )


def test_it_is_a_schema_and_every_reference_in_it_leads_somewhere() -> None:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    references = {part.partition('"')[0] for part in json.dumps(document).split('"#/$defs/')[1:]}
    assert references <= set(document["$defs"])


@pytest.mark.parametrize(
    ("frame", "valid"),
    [
        ({"t": "undo", "race": "KMNPQRST", "c": 1, "n": 0}, True),
        ({"t": "race_lost", "race": "KMNPQRST"}, True),
        ({"t": "undo", "race": "KMNPQRST", "c": 1, "n": 0, "won": True}, False),
        ({"t": "undo", "race": "KMNPQRST", "c": 0, "n": 0}, False),
        ({"t": "undo", "race": "KMNPQRST", "c": 1}, False),
        ({"t": "race_lost"}, False),
        ({"t": "fireworks"}, False),
        ([], False),
    ],
)
def test_it_tells_messages_from_what_is_none(frame: object, valid: bool) -> None:
    assert jsonschema.Draft202012Validator(schema.make_schema()).is_valid(frame) is valid
