import json
from pathlib import Path

from advisor.routing.exports.known_keys import LLAMA_SWAP, unknown_keys

SCHEMA = json.loads((Path(__file__).parent / "schemas/llama-swap.config-schema.json").read_text())


def properties(schema):
    if "$ref" in schema:
        schema = SCHEMA["definitions"][schema["$ref"].rsplit("/", 1)[-1]]
    extra = schema.get("additionalProperties")
    names = {"*": extra} if isinstance(extra, dict) else {}
    return names | schema.get("properties", {})


def unpublished(level, schema, path=""):
    """Keys we know that the published schema does not."""
    for key, inner in level.items():
        known = properties(schema)
        if key not in known:
            yield f"{path}.{key}"
        elif inner is not None:
            yield from unpublished(inner, known[key], f"{path}.{key}")


def test_every_key_for_llama_swap_is_in_its_published_schema():
    assert list(unpublished(LLAMA_SWAP, SCHEMA)) == []


def test_a_key_is_told_with_the_path_to_it():
    level = {"a": {"*": {"b": None}}}

    assert list(unknown_keys({"a": {"x": {"b": 1, "c": 2}}, "d": 3}, level)) == [
        "the key a.x.c is not known",
        "the key d is not known",
    ]


def test_a_list_is_looked_into():
    assert list(unknown_keys([{"b": 1}, {"c": 1}], {"*": {"b": None}})) == [
        "the key 1.c is not known"
    ]
