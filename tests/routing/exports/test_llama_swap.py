import json
import shlex
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml

from advisor.errors import InputError
from advisor.routing.exports.llama_swap import llama_swap, together, variables
from advisor.routing.exports.setup import Choices, set_up
from advisor.units import GB
from tests.routing.exports import tables

SCHEMA = json.loads((Path(__file__).parent / "schemas/llama-swap.config-schema.json").read_text())


@pytest.fixture(scope="module")
def config(setup):
    return yaml.safe_load(llama_swap(setup))


def matrix(config):
    return config["routing"]["router"]["settings"]["matrix"]


def test_the_published_schema_accepts_it(config):
    jsonschema.Draft7Validator(SCHEMA).validate(config)


def test_each_resident_is_a_model_with_its_classes_as_other_names(config):
    assert config["models"][tables.SMALL.name]["aliases"] == ["short", "chat"]
    assert set(config["models"]) == {r.name for r in tables.RESIDENTS}


def test_the_command_is_the_servers_with_the_routers_port(config):
    argv = shlex.split(config["models"][tables.SMALL.name]["cmd"])

    assert argv[0] == "mlx_lm.server"
    assert argv[argv.index("--port") + 1] == "${PORT}"
    assert "--prompt-cache-bytes" in argv


def test_mlx_servers_are_asked_for_the_model_they_hold(config):
    assert config["models"][tables.SMALL.name]["useModelName"] == "default_model"
    assert config["models"][tables.SMALL.name]["checkEndpoint"] == "/v1/models"
    assert config["models"][tables.WIDE.name]["checkEndpoint"] == "/health"


def test_only_what_is_loaded_on_demand_is_unloaded(config):
    ttl = {name: model["ttl"] for name, model in config["models"].items()}

    assert [name for name, seconds in ttl.items() if seconds] == [tables.WIDE.name]
    assert tables.WIDE.name not in config["hooks"]["on_startup"]["preload"]
    assert tables.SMALL.name in config["hooks"]["on_startup"]["preload"]


def test_evicting_costs_the_seconds_of_a_reload(config):
    names = matrix(config)["vars"]
    costs = {names[short]: cost for short, cost in matrix(config)["evict_costs"].items()}

    # 2.4, 7.2, 2.0 and 0.5 s, in whole seconds of one or more.
    assert list(costs.values()) == [2, 7, 2, 1]


def test_more_requests_may_wait_than_run(config):
    for model in config["models"].values():
        assert model["concurrencyLimit"] > 10


def test_health_is_awaited_longer_than_a_cold_load(catalog):
    slow = replace(tables.SMALL, load_s=229.4)
    setup = set_up(catalog, tables.table(catalog, residents=(slow,), routes=()))

    assert yaml.safe_load(llama_swap(setup))["healthCheckTimeout"] >= 2 * 229


def test_two_models_that_take_turns_are_alternatives_beside_what_stays(catalog):
    other = replace(tables.WIDE, name="other-8b", weight_bytes=6 * GB)
    residents = (tables.SMALL, tables.EMBEDDER, tables.WIDE, other)
    # 6.8 GB stay, 9.5 or 10.5 GB come and go, 2 GB are reserved.
    table = tables.table(catalog, residents=residents, routes=(), budget_bytes=20 * GB)
    setup = set_up(catalog, table, Choices(sources=tables.SOURCES))

    config = yaml.safe_load(llama_swap(setup))

    assert list(matrix(config)["sets"].values()) == ["bm3 & q34b4b & (l318bq | o8b)"]
    jsonschema.Draft7Validator(SCHEMA).validate(config)


def test_names_of_variables_are_short_and_differ(catalog):
    residents = tuple(replace(tables.SMALL, name=f"qwen3-4b-4bit-{n}") for n in "abc")
    table = tables.table(catalog, residents=residents, routes=())

    found = variables(set_up(catalog, table))

    assert len(found) == 3
    assert all(name.isalnum() and len(name) <= 8 for name in found)


def test_a_table_over_its_budget_is_refused(catalog):
    table = tables.table(catalog, budget_bytes=36 * GB)
    setup = set_up(catalog, table, Choices(sources=tables.SOURCES))

    with pytest.raises(InputError, match="need more than the budget of 36"):
        llama_swap(setup)
    with pytest.raises(InputError, match="budget"):
        together(set_up(catalog, replace(table, budget_bytes=10 * GB), setup.choices))


@pytest.mark.parametrize("path", ["/models/${HOME}", "/models/a\n# b"])
def test_a_path_that_its_command_cannot_hold_is_refused(catalog, path):
    table = tables.table(catalog, residents=(tables.SMALL,), routes=())
    setup = set_up(catalog, table, Choices(sources={tables.SMALL.name: path}))

    with pytest.raises(InputError, match="llama-swap cannot be given"):
        llama_swap(setup)


@pytest.mark.parametrize("path", ['/My Disk/it\'s a "model"', "/a/$(b);`c` & #d", "/日本語/モデル"])
def test_its_command_holds_any_other_path(catalog, path):
    table = tables.table(catalog, residents=(tables.SMALL,), routes=())
    setup = set_up(catalog, table, Choices(sources={tables.SMALL.name: path}))

    command = yaml.safe_load(llama_swap(setup))["models"][tables.SMALL.name]["cmd"]

    assert shlex.split(command)[2] == path
