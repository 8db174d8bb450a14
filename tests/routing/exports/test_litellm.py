import json
import subprocess
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml

from advisor.routing.exports.litellm import input_tokens, litellm, start_script
from advisor.routing.exports.setup import Choices, set_up
from tests.routing.exports import tables

SCHEMA = json.loads((Path(__file__).parent / "schemas/litellm-ConfigYAML.schema.json").read_text())


@pytest.fixture(scope="module")
def config(setup):
    return yaml.safe_load(litellm(setup, behind="mlx-server"))


def models(config):
    return {model["model_name"]: model for model in config["model_list"]}


def chains(config, key):
    return {n: o for entry in config["router_settings"][key] for n, o in entry.items()}


def test_the_published_schema_accepts_it(config):
    jsonschema.Draft202012Validator(SCHEMA).validate(config)


def test_there_is_a_name_for_each_class_and_auto_and_hosted(config):
    assert set(models(config)) == {route.class_id for route in tables.ROUTES} | {"auto", "hosted"}


def test_each_class_goes_to_its_residents_server(setup, config):
    for route in tables.ROUTES:
        params = models(config)[route.class_id]["litellm_params"]
        if route.resident:
            port = setup.server(route.resident).port
            assert params["api_base"] == f"http://127.0.0.1:{port}/v1"
        else:
            assert params["model"] == "os.environ/HOSTED_MODEL"


def test_mlx_servers_are_asked_for_the_model_they_hold(config):
    # Any other name would make it load that model beside what the budget holds.
    assert models(config)["chat"]["litellm_params"]["model"] == "openai/default_model"
    assert models(config)["long"]["litellm_params"]["model"] == f"openai/{tables.WIDE.name}"


def test_over_llama_swap_all_go_to_one_port_by_name(setup):
    found = models(yaml.safe_load(litellm(setup)))

    assert found["chat"]["litellm_params"]["model"] == f"openai/{tables.SMALL.name}"
    bases = {m["litellm_params"].get("api_base") for m in found.values()} - {None}
    assert bases == {"http://127.0.0.1:8080/v1"}


@pytest.mark.parametrize(
    ("runtime", "base"),
    [("ollama", "http://127.0.0.1:11434/v1"), ("omlx", "http://127.0.0.1:8000/v1")],
)
def test_a_table_for_ollama_or_omlx_goes_to_them_by_the_tables_names(catalog, runtime, base):
    table = tables.table(catalog, runtime=runtime)

    found = models(yaml.safe_load(litellm(set_up(catalog, table))))["chat"]["litellm_params"]

    assert (found["api_base"], found["model"]) == (base, f"openai/{tables.SMALL.name}")


def test_a_failing_model_falls_back_to_others_that_hold_the_context_then_hosted(config):
    found = chains(config, "fallbacks")

    assert found["chat"] == ["code", "long", "hosted"]
    # Only the 65,536 tokens of one other model hold 16,384.
    assert found["code"] == ["long", "hosted"]
    assert found["auto"] == found["chat"]


def test_hosted_classes_fall_back_to_the_widest_model_here(config):
    assert chains(config, "fallbacks")["agent"] == ["long"]


def test_longer_prompts_go_to_wider_models_only(config):
    found = chains(config, "context_window_fallbacks")

    assert found["short"] == ["code", "long", "hosted"]
    assert found["reasoning"] == ["long", "hosted"]
    assert found["long"] == ["hosted"]


def test_embeddings_never_fall_back(config):
    for key in ("fallbacks", "context_window_fallbacks"):
        assert "embeddings" not in chains(config, key)
        assert all("embeddings" not in others for others in chains(config, key).values())
    assert models(config)["embeddings"]["model_info"]["mode"] == "embedding"


def test_nothing_is_hosted_where_the_table_keeps_all_here(catalog):
    table = tables.table(catalog, routes=tuple(r for r in tables.ROUTES if r.resident))

    text = litellm(set_up(catalog, table, Choices(sources=tables.SOURCES)))

    assert "hosted" not in text.lower()


def test_a_prompt_leaves_room_for_the_answer(catalog, table):
    setup = set_up(
        catalog, table, Choices(sources=tables.SOURCES, output_tokens={"chat": 424, "short": 44})
    )

    assert input_tokens(setup, setup.route("chat")) == 8192 - 424
    assert input_tokens(setup, setup.route("short")) == 8192 - 44


def test_a_timeout_lets_an_answer_as_long_as_the_context_end(config):
    # Twice (2 s and 4,096 tokens at 30 a second), and 2.4 s to load.
    assert models(config)["chat"]["litellm_params"]["timeout"] == 280


def test_an_embedders_missing_speed_is_no_fault(catalog):
    nan = float("nan")
    route = replace(tables.ROUTES[-1], decode_tok_s=nan, decode_low=nan, decode_high=nan)
    table = tables.table(catalog, routes=(*tables.ROUTES[:-1], route))

    found = models(yaml.safe_load(litellm(set_up(catalog, table))))

    assert found["embeddings"]["litellm_params"]["timeout"] == 60


def test_the_start_asks_for_the_hosted_model_and_fetches_no_prices(setup, tmp_path):
    (tmp_path / "start.sh").write_text(start_script(setup))

    found = subprocess.run(
        ["sh", tmp_path / "start.sh"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True
    )

    assert found.returncode != 0
    assert "HOSTED_MODEL: set it to the hosted model" in found.stderr
    assert "LITELLM_LOCAL_MODEL_COST_MAP=True" in start_script(setup)


def test_embeddings_alone_hosted_ask_for_an_embedder_and_host_nothing_else(catalog):
    routes = (*tables.ROUTES[:3], tables.route("embeddings", ""))
    setup = set_up(catalog, tables.table(catalog, routes=routes))

    found = models(yaml.safe_load(litellm(setup)))

    assert found["embeddings"]["litellm_params"]["model"] == "os.environ/HOSTED_EMBEDDING_MODEL"
    assert found["embeddings"]["model_info"]["mode"] == "embedding"
    assert "hosted" not in found
    assert "HOSTED_MODEL:?" not in start_script(setup)
    assert "HOSTED_EMBEDDING_MODEL:?" in start_script(setup)
